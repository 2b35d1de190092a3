//go:build unix

package main_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// settings is the number of attributes of a server with the same type.
const settings = 20

// schema returns the JSON of the schema of a server.
func schema() string {
	const text = `{"type": "string", "optional": true}`
	all := `{"attributes": {"id": {"type": "string", "computed": true}, "size": {"type": "number", "optional": true},
		"password": {"type": "string", "optional": true, "sensitive": true}, "labels": {"type": ["map", "string"], "optional": true},
		"zones": {"type": ["set", "string"], "optional": true}`
	for i := range settings {
		all += fmt.Sprintf(`, "setting_%02d": %s`, i, text)
	}
	return all + `}, "block_types": {"disk": {"nesting_mode": "list", "block": {"attributes": {"name": ` + text + `, "gigabytes": {"type": "number", "optional": true}}}}}}`
}

// server returns the JSON of the i-th server, with the given members.
func server(i int, more string) string {
	text := fmt.Sprintf(`{%s, "labels": {"owner": "team-%d", "cost-center": "%d"}, "zones": ["a", "b", "c"],
		"disk": [{"name": "root", "gigabytes": 20}, {"name": "data", "gigabytes": %d}]`, more, i%31, 1000+i%50, 100+i%10)
	for n := range settings {
		text += fmt.Sprintf(`, "setting_%02d": "the value %d of setting %d, some words long"`, n, i, n)
	}
	return text + "}"
}

// writePlan writes a plan of n servers in modules, with 7 kB for each server. Every tenth server is
// updated.
func writePlan(w io.Writer, n int) {
	const module = 500 // servers per module
	resource := func(i int) string {
		return fmt.Sprintf(`{"address": "module.m%d.cloud_server.web[\"%d\"]", "mode": "managed", "type": "cloud_server", "name": "web", "provider_name": "registry.terraform.io/acme/cloud"`, i/module, i)
	}
	value := func(i int, planned bool) string {
		size := i % 97
		if planned && i%10 == 0 {
			size = 1000
		}
		return server(i, fmt.Sprintf(`"id": "i-%08d", "size": %d, "password": "secret %d"`, i, size, i))
	}
	values := func(planned bool) {
		fmt.Fprint(w, `{"root_module": {"child_modules": [`)
		for i := range n {
			if i%module == 0 {
				fmt.Fprint(w, []string{"", "]},"}[min(i, 1)], `{"resources": [`)
			} else {
				fmt.Fprint(w, ",")
			}
			fmt.Fprint(w, resource(i), `, "values": `, value(i, planned), `, "sensitive_values": {"password": true}}`)
		}
		fmt.Fprint(w, `]}]}}`)
	}
	fmt.Fprint(w, `{"format_version": "1.2", "planned_values": `)
	values(true)
	fmt.Fprint(w, `, "resource_changes": [`)
	for i := range n {
		const masks = `{"password": true, "labels": {}, "zones": [false, false, false], "disk": [{}, {}]}`
		fmt.Fprint(w, []string{"", ","}[min(i, 1)], resource(i), `, "change": {"actions": ["`, []string{"update", "no-op"}[min(i%10, 1)],
			`"], "before": `, value(i, false), `, "after": `, value(i, true), `, "after_unknown": {}, "before_sensitive": `+masks+`, "after_sensitive": `+masks+`}}`)
	}
	fmt.Fprint(w, `], "prior_state": {"format_version": "1.0", "values": `)
	values(false)
	fmt.Fprint(w, `}}`)
}

// writeDocument writes a document of four values with n servers each.
func writeDocument(w io.Writer, n int) {
	fmt.Fprintf(w, `{"schema": {"attributes": {}, "block_types": {"server": {"nesting_mode": "list", "block": %s}}}`, schema())
	for _, name := range []string{"prior", "config", "initial_planned", "new"} {
		fmt.Fprintf(w, `, %q: {"server": [`, name)
		for i := range n {
			more := `"size": 7, "password": "secret"`
			if name != "config" {
				more += fmt.Sprintf(`, "id": "i-%08d"`, i)
			}
			fmt.Fprint(w, []string{"", ","}[min(i, 1)], server(i, more))
		}
		fmt.Fprint(w, `]}`)
	}
	fmt.Fprintln(w, "}")
}

// build builds the command, writes its input, and returns the paths.
func build(b *testing.B, write func(io.Writer)) (program, input string) {
	b.Helper()
	program, input = filepath.Join(b.TempDir(), "objchange"), filepath.Join(b.TempDir(), "input.json")
	file, err := os.Create(input)
	if err != nil {
		b.Fatal(err)
	}
	out := bufio.NewWriter(file)
	write(out)
	if err := errors.Join(out.Flush(), file.Close()); err != nil {
		b.Fatal(err)
	}
	run(b, "go", "build", "-o", program, ".")
	return program, input
}

// BenchmarkAudit audits a plan of 200 MB. For comparison, jq reads and prints the same plan. Both
// run as separate processes, and peak-MB is their highest memory use. With -short, the plan is a
// tenth of the size.
func BenchmarkAudit(b *testing.B) {
	program, plan := build(b, func(w io.Writer) { writePlan(w, megabytes(200)/7000) })
	schemas := filepath.Join(b.TempDir(), "schemas.json")
	text := `{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/acme/cloud": {"resource_schemas": {"cloud_server": {"block": ` + schema() + `}}}}}`
	if err := os.WriteFile(schemas, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	b.Run("jq", func(b *testing.B) {
		if _, err := exec.LookPath("jq"); err != nil {
			b.Skip(err)
		}
		runs(b, "jq", ".", plan)
	})
	b.Run("objchange", func(b *testing.B) { runs(b, program, "audit", "--schemas", schemas, plan) })
}

// BenchmarkCheck checks a document of 11 MB. With -short, the document is a tenth of the size.
func BenchmarkCheck(b *testing.B) {
	program, document := build(b, func(w io.Writer) { writeDocument(w, megabytes(15)/8100) })
	runs(b, program, "check", document)
}

func megabytes(n int) int {
	if testing.Short() {
		n /= 10
	}
	return n << 20
}

// runs measures a program and its highest memory use.
func runs(b *testing.B, command ...string) {
	b.Helper()
	peak := int64(0)
	for b.Loop() {
		peak = max(peak, run(b, command...))
	}
	b.ReportMetric(float64(peak)/1e6, "peak-MB")
}

// run runs a program and returns its highest memory use.
func run(b *testing.B, command ...string) int64 {
	b.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	var out strings.Builder
	cmd.Stderr = &out
	if err := cmd.Run(); err != nil {
		b.Fatalf("%v: %s", err, &out)
	}
	return cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss * 1024
}
