// Command bigplan writes a large plan, as `terraform show -json` prints it, and the
// schemas that it needs: DIR/plan.json and DIR/schemas.json.
//
//	go run ./cmd/objchange/internal/bigplan -megabytes 200 DIR
//
// With -document it is DIR/document.json, a document of one resource with many blocks,
// as `objchange check` reads it.
//
// Each resource instance takes some 7 kB, in planned values, change, prior state and
// configuration together; every tenth is updated.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
)

const (
	provider   = "registry.terraform.io/acme/cloud"
	perBytes   = 7000
	perServer  = 9700 // in a document
	module     = 500  // instances in one
	attributes = 20
)

func main() {
	megabytes := flag.Int("megabytes", 200, "how large the plan is to be, or the document")
	one := flag.Bool("document", false, "write a document of objchange check instead")
	flag.Parse()
	dir, size := flag.Arg(0), *megabytes<<20
	write := func() error { return write(dir, size/perBytes) }
	if *one {
		write = func() error {
			return writeFile(filepath.Join(dir, "document.json"), func(out io.Writer) { document(out, size/perServer) })
		}
	}
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(dir string, n int) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	schemas, err := json.MarshalIndent(schemas(), "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "schemas.json"), schemas, 0o644); err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, "plan.json"), func(out io.Writer) { plan(out, n) })
}

func writeFile(path string, content func(io.Writer)) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	out := bufio.NewWriter(file)
	content(out)
	if err := out.Flush(); err != nil {
		return err
	}
	return file.Close()
}

type data = map[string]any

func schemas() data {
	text := data{"type": "string", "optional": true}
	attrs := data{
		"id":       data{"type": "string", "computed": true},
		"size":     data{"type": "number", "optional": true},
		"password": data{"type": "string", "optional": true, "sensitive": true},
		"labels":   data{"type": []any{"map", "string"}, "optional": true},
		"zones":    data{"type": []any{"set", "string"}, "optional": true},
	}
	for i := range attributes {
		attrs[setting(i)] = text
	}
	disk := data{"attributes": data{"name": text, "gigabytes": data{"type": "number", "optional": true}}}
	return data{"format_version": "1.0", "provider_schemas": data{provider: data{"resource_schemas": data{
		"cloud_server": data{"version": 0, "block": data{
			"attributes":  attrs,
			"block_types": data{"disk": data{"nesting_mode": "list", "block": disk}},
		}},
	}}}}
}

func setting(i int) string { return fmt.Sprintf("setting_%02d", i) }

// values are those of the i-th instance.
func values(i int) data {
	v := data{
		"id": fmt.Sprintf("i-%08d", i), "size": i % 97, "password": fmt.Sprintf("secret %d", i),
		"labels": data{"owner": "team-" + fmt.Sprint(i%31), "cost-center": fmt.Sprint(1000 + i%50)},
		"zones":  []any{"a", "b", "c"},
		"disk":   []any{data{"name": "root", "gigabytes": 20}, data{"name": "data", "gigabytes": 100 + i%10}},
	}
	for a := range attributes {
		v[setting(a)] = fmt.Sprintf("the value %d of setting %d, some words long", i, a)
	}
	return v
}

// plan writes the plan, part by part.
func plan(out io.Writer, n int) {
	fmt.Fprint(out, `{"format_version":"1.2","terraform_version":"1.11.4","planned_values":{"root_module":`)
	modules(out, n, func(i int) data { return resource(i, planned(i)) })
	fmt.Fprint(out, `},"resource_changes":[`)
	for i := range n {
		comma(out, i)
		encode(out, change(i))
	}
	fmt.Fprint(out, `],"prior_state":{"format_version":"1.0","terraform_version":"1.11.4","values":{"root_module":`)
	modules(out, n, func(i int) data { return resource(i, values(i)) })
	fmt.Fprintf(out, `}},"configuration":{"provider_config":{"cloud":{"name":"cloud","full_name":%q}},"root_module":{"module_calls":{`, provider)
	for first := 0; first < n; first += module {
		comma(out, first)
		fmt.Fprintf(out, `%q:{"source":"./servers","module":{"resources":[`, moduleName(first))
		encode(out, data{
			"address": "cloud_server.web", "mode": "managed", "type": "cloud_server", "name": "web", "provider_config_key": "cloud",
			"expressions": data{"size": data{"references": []any{"var.sizes", "each.value"}}, "password": data{"references": []any{"var.password"}}},
		})
		fmt.Fprint(out, `]}}`)
	}
	fmt.Fprint(out, `}}},"timestamp":"2026-11-22T00:00:00Z","applyable":true,"complete":true,"errored":false}`)
}

func modules(out io.Writer, n int, resource func(i int) data) {
	fmt.Fprint(out, `{"child_modules":[`)
	for first := 0; first < n; first += module {
		comma(out, first)
		fmt.Fprint(out, `{"resources":[`)
		for i := first; i < min(first+module, n); i++ {
			comma(out, i-first)
			encode(out, resource(i))
		}
		fmt.Fprintf(out, `],"address":"module.%s"}`, moduleName(first))
	}
	fmt.Fprint(out, `]}`)
}

func comma(out io.Writer, i int) {
	if i > 0 {
		fmt.Fprint(out, ",")
	}
}

func encode(out io.Writer, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain data
	}
	_, _ = out.Write(text) // flushing tells of errors
}

func moduleName(i int) string { return fmt.Sprintf("m%d", i/module) }

func resource(i int, values data) data {
	return merged(identity(i), data{"schema_version": 0, "values": values, "sensitive_values": data{"password": true}})
}

func identity(i int) data {
	index := fmt.Sprint(i)
	return data{
		"address": fmt.Sprintf("module.%s.cloud_server.web[%q]", moduleName(i), index),
		"mode":    "managed", "type": "cloud_server", "name": "web", "index": index, "provider_name": provider,
	}
}

func merged(x, y data) data { maps.Copy(x, y); return x }

// planned are the values after the change.
func planned(i int) data {
	v := values(i)
	if updated(i) {
		v["size"] = 1000
	}
	return v
}

func updated(i int) bool { return i%10 == 0 }

func change(i int) data {
	action := "no-op"
	if updated(i) {
		action = "update"
	}
	masks := data{"password": true, "labels": data{}, "zones": []any{false, false, false}, "disk": []any{data{}, data{}}}
	return merged(identity(i), data{"module_address": "module." + moduleName(i), "change": data{
		"actions": []any{action}, "before": values(i), "after": planned(i), "after_unknown": data{},
		"before_sensitive": masks, "after_sensitive": masks,
	}})
}
