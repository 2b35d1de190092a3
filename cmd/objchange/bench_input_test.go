//go:build unix

package main_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"testing"
)

type data = map[string]any

const (
	provider   = "registry.terraform.io/acme/cloud"
	attributes = 20
	module     = 500 // instances per module
)

// serverBlock returns the schema of a server.
func serverBlock() data {
	text := data{"type": "string", "optional": true}
	attrs := data{
		"id": data{"type": "string", "computed": true}, "size": data{"type": "number", "optional": true},
		"password": data{"type": "string", "optional": true, "sensitive": true},
		"labels":   data{"type": []any{"map", "string"}, "optional": true}, "zones": data{"type": []any{"set", "string"}, "optional": true},
	}
	for i := range attributes {
		attrs[fmt.Sprintf("setting_%02d", i)] = text
	}
	disk := data{"attributes": data{"name": text, "gigabytes": data{"type": "number", "optional": true}}}
	return data{"attributes": attrs, "block_types": data{"disk": data{"nesting_mode": "list", "block": disk}}}
}

// server returns the value of the i-th server. Every tenth server is updated.
func server(i int, planned bool) data {
	v := data{
		"id": fmt.Sprintf("i-%08d", i), "size": i % 97, "password": fmt.Sprintf("secret %d", i),
		"labels": data{"owner": "team-" + fmt.Sprint(i%31), "cost-center": fmt.Sprint(1000 + i%50)}, "zones": []any{"a", "b", "c"},
		"disk": []any{data{"name": "root", "gigabytes": 20}, data{"name": "data", "gigabytes": 100 + i%10}},
	}
	for a := range attributes {
		v[fmt.Sprintf("setting_%02d", a)] = fmt.Sprintf("the value %d of setting %d, some words long", i, a)
	}
	if planned && i%10 == 0 {
		v["size"] = 1000
	}
	return v
}

// writeFile writes a file in parts. The function content calls put with arguments for fmt.Fprint. A
// data argument is written as JSON.
func writeFile(b *testing.B, path string, content func(put func(parts ...any))) {
	b.Helper()
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	out := bufio.NewWriter(file)
	content(func(parts ...any) {
		for _, part := range parts {
			if d, ok := part.(data); ok {
				text, _ := json.Marshal(d) // never fails for this type
				part = string(text)
			}
			_, _ = io.WriteString(out, fmt.Sprint(part)) // Flush returns the error
		}
	})
	if err := out.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := file.Close(); err != nil {
		b.Fatal(err)
	}
}

// writePlan writes a plan of n servers in modules, with 7 kB for each server.
func writePlan(put func(...any), n int) {
	resource := func(i int, more data) data {
		address := fmt.Sprintf("module.m%d.cloud_server.web[\"%d\"]", i/module, i)
		maps.Copy(more, data{"address": address, "mode": "managed", "type": "cloud_server", "name": "web", "provider_name": provider})
		return more
	}
	values := func(planned bool) {
		put(`{"root_module":{"child_modules":[`)
		for i := range n {
			if i%module == 0 {
				put([]string{"", "]},"}[min(i, 1)], `{"resources":[`)
			} else {
				put(",")
			}
			put(resource(i, data{"values": server(i, planned), "sensitive_values": data{"password": true}}))
		}
		put(`]}]}}`)
	}
	put(`{"format_version":"1.2","planned_values":`)
	values(true)
	put(`,"resource_changes":[`)
	for i := range n {
		masks := data{"password": true, "labels": data{}, "zones": []any{false, false, false}, "disk": []any{data{}, data{}}}
		put([]string{"", ","}[min(i, 1)], resource(i, data{"change": data{
			"actions": []any{[]string{"update", "no-op"}[min(i%10, 1)]}, "before": server(i, false), "after": server(i, true),
			"after_unknown": data{}, "before_sensitive": masks, "after_sensitive": masks,
		}}))
	}
	put(`],"prior_state":{"format_version":"1.0","values":`)
	values(false)
	put(`}}`)
}

// writeDocument writes a document of four values with n servers each.
func writeDocument(put func(...any), n int) {
	servers := data{"nesting_mode": "list", "block": serverBlock()}
	put(`{"schema":`, data{"attributes": data{}, "block_types": data{"server": servers}})
	for _, name := range []string{"prior", "config", "initial_planned", "new"} {
		put(`,"`, name, `":{"server":[`)
		for i := range n {
			v := server(i, name != "prior")
			v["password"] = data{"$sensitive": v["password"]}
			if name == "config" {
				delete(v, "id")
			}
			put([]string{"", ","}[min(i, 1)], v)
		}
		put(`]}`)
	}
	put("}\n")
}
