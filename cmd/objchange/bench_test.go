//go:build unix

package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// BenchmarkAudit audits a plan of 200 MB. For comparison, jq reads and prints the same plan. Both
// run as separate processes, and peak-MB is their highest memory use. With -short, the plan is a
// tenth of the size.
func BenchmarkAudit(b *testing.B) {
	dir := b.TempDir()
	program, plan, schemas := filepath.Join(dir, "objchange"), filepath.Join(dir, "plan.json"), filepath.Join(dir, "schemas.json")
	writeFile(b, plan, func(put func(...any)) { writePlan(put, megabytes(200)/7000) })
	writeFile(b, schemas, func(put func(...any)) {
		put(data{"format_version": "1.0", "provider_schemas": data{provider: data{"resource_schemas": data{"cloud_server": data{"block": serverBlock()}}}}})
	})
	run(b, "go", "build", "-o", program, ".")
	for _, command := range [][]string{
		{"jq", ".", plan},
		{"objchange", "audit", "--schemas", schemas, plan},
	} {
		b.Run(command[0], func(b *testing.B) {
			if command[0] == "objchange" {
				command[0] = program
			} else if _, err := exec.LookPath(command[0]); err != nil {
				b.Skip(err)
			}
			runs(b, command...)
		})
	}
}

// BenchmarkCheck checks a document of 15 MB, which is close to the limit. With -short, the document
// is a tenth of the size.
func BenchmarkCheck(b *testing.B) {
	dir := b.TempDir()
	program, document := filepath.Join(dir, "objchange"), filepath.Join(dir, "document.json")
	writeFile(b, document, func(put func(...any)) { writeDocument(put, megabytes(15)/8100) })
	run(b, "go", "build", "-o", program, ".")
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
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		b.Fatal(err)
	}
	return cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss * 1024
}
