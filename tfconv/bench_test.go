package tfconv_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/tfconv"
)

// A shape is a schema with the values of an update.
type shape struct {
	name          string
	schema        *tfprotov6.Schema
	prior, config tftypes.Value
}

func attribute(name string, ty tftypes.Type, flags string) *tfprotov6.SchemaAttribute {
	return &tfprotov6.SchemaAttribute{Name: name, Type: ty, Optional: flags != "computed", Computed: flags != ""}
}

// elementAttributes returns the attributes of an element: six that are configured, one that is
// computed, and one that is optional and computed.
func elementAttributes() []*tfprotov6.SchemaAttribute {
	return []*tfprotov6.SchemaAttribute{
		attribute("name", tftypes.String, ""), attribute("protocol", tftypes.String, ""), attribute("note", tftypes.String, ""),
		attribute("from", tftypes.Number, ""), attribute("to", tftypes.Number, ""), attribute("enabled", tftypes.Bool, ""),
		attribute("id", tftypes.String, "computed"), attribute("region", tftypes.String, "optional computed"),
	}
}

// element returns the data of one object. One object in ten changes. Computed attributes are set
// only in the prior state.
func element(i int, prior bool) map[string]any {
	e := map[string]any{
		"name": fmt.Sprint("rule ", i), "protocol": "tcp", "note": "from the office", "from": i, "to": 1000 + i, "enabled": i%2 == 0,
	}
	if prior {
		e["id"], e["region"] = fmt.Sprint("id-", i), "eu"
	} else if i%10 == 9 {
		e["note"] = "from everywhere"
	}
	return e
}

func elements(n int, prior bool) (elems []any) {
	for i := range n {
		elems = append(elems, element(i, prior))
	}
	return elems
}

func keyed(elems []any) map[string]any {
	m := map[string]any{}
	for i, elem := range elems {
		m[fmt.Sprint("key ", i)] = elem
	}
	return m
}

func blockOf(name string, mode tfprotov6.SchemaNestedBlockNestingMode) *tfprotov6.SchemaNestedBlock {
	return &tfprotov6.SchemaNestedBlock{TypeName: name, Nesting: mode, Block: &tfprotov6.SchemaBlock{Attributes: elementAttributes()}}
}

func newShape(name string, block *tfprotov6.SchemaBlock, data func(prior bool) map[string]any) shape {
	schema := &tfprotov6.Schema{Block: block}
	converted := must(tfconv.Schema6(schema)).Block
	value := func(prior bool) tftypes.Value {
		return must(tfconv.ValueFromCty(must(ctydata.ValueOf(converted, data(prior)))))
	}
	return shape{name, schema, value(true), value(false)}
}

// flat returns n strings. One of six is computed.
func flat(n int) (attrs []*tfprotov6.SchemaAttribute, data func(prior bool) map[string]any) {
	for i := range n {
		flags := ""
		if i%6 == 5 {
			flags = "computed"
		}
		attrs = append(attrs, attribute(fmt.Sprint("attribute_", i), tftypes.String, flags))
	}
	return attrs, func(prior bool) map[string]any {
		m := map[string]any{}
		for i := range n {
			if i%6 < 5 || prior {
				m[fmt.Sprint("attribute_", i)] = fmt.Sprint("some value ", i)
			}
		}
		return m
	}
}

func shapes() (all []shape) {
	attrs, data := flat(60)
	wide := &tfprotov6.SchemaBlock{Attributes: attrs}
	for i := range 15 {
		wide.BlockTypes = append(wide.BlockTypes, blockOf(fmt.Sprint("block_", i), tfprotov6.SchemaNestedBlockNestingModeList))
	}
	all = append(all, newShape("wide", wide, func(prior bool) map[string]any {
		m := data(prior)
		for i := range 15 {
			m[fmt.Sprint("block_", i)] = elements(3, prior)
		}
		return m
	}))
	for mode, name := range map[tfprotov6.SchemaNestedBlockNestingMode]string{
		tfprotov6.SchemaNestedBlockNestingModeList: "list", tfprotov6.SchemaNestedBlockNestingModeMap: "map",
		tfprotov6.SchemaNestedBlockNestingModeSet: "set",
	} {
		block := &tfprotov6.SchemaBlock{BlockTypes: []*tfprotov6.SchemaNestedBlock{blockOf("rule", mode)}}
		all = append(all, newShape(name, block, func(prior bool) map[string]any {
			if name == "map" {
				return map[string]any{"rule": keyed(elements(100, prior))}
			}
			return map[string]any{"rule": elements(100, prior)}
		}))
	}
	return all
}

// BenchmarkProposedNew compares ProposedNew and ValueToCty with W, the cost that an SDK already has to
// carry the prior state, the configuration and the proposed value over the protocol. The measurements
// alternate in one run. The metric ×W is their ratio.
func BenchmarkProposedNew(b *testing.B) {
	for _, s := range shapes() {
		p := must(tfconv.NewProposer6(s.schema))
		implied, proposed := p.Schema().ImpliedType(), must(p.ProposedNew(s.prior, s.config))
		carry := func() {
			for _, v := range []tftypes.Value{s.prior, s.config, proposed} {
				must(must(tfprotov6.NewDynamicValue(p.Type(), v)).Unmarshal(p.Type()))
			}
		}
		b.Run(s.name+"/prepared", func(b *testing.B) {
			measure(b, carry, func() { must(p.ProposedNew(s.prior, s.config)) })
		})
		b.Run(s.name+"/ValueToCty", func(b *testing.B) {
			measure(b, carry, func() { must(tfconv.ValueToCty(s.prior, implied)) })
		})
	}
}

func measure(b *testing.B, carry, call func()) {
	var carrying, calling time.Duration
	for b.Loop() {
		start := time.Now()
		carry()
		middle := time.Now()
		call()
		carrying += middle.Sub(start)
		calling += time.Since(middle)
	}
	b.ReportMetric(float64(calling.Nanoseconds())/float64(b.N), "ns/op")
	b.ReportMetric(float64(calling)/float64(carrying), "×W")
}
