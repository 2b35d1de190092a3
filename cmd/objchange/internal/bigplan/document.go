package main

import (
	"fmt"
	"io"
)

// fleet is the schema of a resource with a block for each server.
func fleet() data {
	server := schemas()["provider_schemas"].(data)[provider].(data)["resource_schemas"].(data)["cloud_server"].(data)["block"].(data)
	attrs := server["attributes"].(data)
	rule := []any{"object", data{"from": "number", "to": "number", "protocol": "string", "cidrs": []any{"list", "string"}}}
	attrs["rules"] = data{"type": []any{"list", rule}, "optional": true}
	attrs["addresses"] = data{"type": []any{"list", "string"}, "optional": true}
	return data{
		"attributes": data{
			"id":   data{"type": "string", "computed": true},
			"name": data{"type": "string", "optional": true},
			"tags": data{"type": []any{"map", "string"}, "optional": true},
		},
		"block_types": data{"server": data{"nesting_mode": "list", "block": server}},
	}
}

// document writes a document of `objchange check` with four values, which have n
// servers each.
func document(out io.Writer, n int) {
	fmt.Fprint(out, `{"name": "cloud_fleet.web", "schema": `)
	encode(out, fleet())
	for _, name := range []string{"prior", "config", "initial_planned", "new"} {
		fmt.Fprintf(out, ",\n%q: {\"name\": \"web\"", name)
		if name != "config" {
			fmt.Fprint(out, `, "id": "f-1"`)
		}
		fmt.Fprint(out, `, "tags": {`)
		for i := range n {
			comma(out, i)
			fmt.Fprintf(out, `"tag-%d": "team-%d"`, i, i%31)
		}
		fmt.Fprint(out, `}, "server": [`)
		for i := range n {
			comma(out, i)
			encode(out, server(i, name))
		}
		fmt.Fprint(out, "]}")
	}
	fmt.Fprintln(out, "}")
}

// server is the i-th of a value.
func server(i int, value string) data {
	v := planned(i)
	switch value {
	case "prior":
		v = values(i)
	case "config":
		delete(v, "id")
	case "initial_planned":
		if updated(i) {
			v["id"] = data{"$unknown": true}
		}
	} // new is as planned
	v["password"] = data{"$sensitive": v["password"]}
	rules, addresses := []any{}, []any{}
	for r := range 10 {
		rules = append(rules, data{
			"from": 8000 + r, "to": 8000 + r + i%7, "protocol": "tcp",
			"cidrs": []any{fmt.Sprintf("10.%d.%d.0/24", i%256, r), "192.168.0.0/16"},
		})
		addresses = append(addresses, fmt.Sprintf("10.%d.%d.%d", i>>8%256, i%256, r))
	}
	v["rules"], v["addresses"] = rules, addresses
	return v
}
