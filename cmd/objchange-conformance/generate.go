package main

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/conformance"
	"github.com/objchange/objchange/internal/spectest/generate"
	"github.com/objchange/objchange/internal/spectest/parts"
)

// generated ranges over the cases of the given number of random resources, each with its own
// schema. One resource in four has arbitrary values. The others have values as Terraform and
// providers exchange them, also with one part changed. The same seed gives the same cases, and
// a smaller number of resources gives the first of them. The cases have no recorded outcomes,
// so the outcome of package objchange is right.
func generated(seed uint64, resources int) caseSeq {
	return func(yield func(*conformance.Case, error) bool) {
		for i := range resources {
			d := generate.Seeded(seed, uint64(i))
			for _, c := range casesOf(d, fmt.Sprintf("generated-%d-%d", seed, i)) {
				if !yield(c, nil) {
					return
				}
			}
		}
	}
}

// A caseMaker makes cases of one resource.
type caseMaker struct {
	schema *conformance.Schema
	cases  []*conformance.Case
}

// add adds a case with the arguments in order. It skips the case if an argument or the right
// outcome cannot be encoded. In a dynamic part, MessagePack does not keep the types of null,
// unknown and empty values, which may then not match the types of the other elements.
func (a *caseMaker) add(id string, op conformance.Op, values ...cty.Value) {
	c := &conformance.Case{ID: a.schema.Name + "/" + id, Op: op, Schema: a.schema, In: map[string]cty.Value{}}
	for i, name := range op.Arguments() {
		sent, err := conformance.MessagePack{}.Encode(a.schema.Block, values[i])
		if err == nil {
			c.In[name], err = conformance.MessagePack{}.Decode(a.schema.Block, sent)
		}
		if err != nil {
			return
		}
	}
	if right := c.Expected(); right.Kind == conformance.KindValue && !survivesEncoding(c.Schema.Block, right.Value) {
		return
	}
	a.cases = append(a.cases, c)
	if computed := c.Computed(); computed != nil && survivesEncoding(c.Schema.Block, computed.In["proposed"]) {
		a.cases = append(a.cases, computed)
	}
}

// casesOf makes the cases of one resource.
func casesOf(d generate.Decider, name string) []*conformance.Case {
	block := d.AnySchema()
	a := &caseMaker{schema: &conformance.Schema{Name: name, Block: block}}
	r := d.Correct(block)
	if d.OneIn(4) {
		r = d.Arbitrary(block)
	}
	a.add("0", conformance.OpProposed, r.Prior, r.Config)
	a.add("0", conformance.OpData, r.Config)
	a.add("0", conformance.OpPrepare, r.Config)
	applied := d.Complete(parts.RootOf(block).Fields, r.Planned, 0, false)
	final := d.Complete(parts.RootOf(block).Fields, r.Planned, 3, false)
	a.add("0", conformance.OpLegacy, applied)
	for i, change := range []func(cty.Value) cty.Value{
		func(v cty.Value) cty.Value { return v },
		func(v cty.Value) cty.Value { v, _, _ = d.ChangeLeaf(v); return v },
		d.ChangePart,
	} {
		id := fmt.Sprint(i)
		a.add(id, conformance.OpPlan, r.Prior, r.Config, change(r.Planned))
		a.add(id, conformance.OpReplan, r.Planned, change(final))
		a.add(id, conformance.OpApply, r.Planned, change(applied))
	}
	return a.cases
}

// survivesEncoding reports whether encoding and decoding the value as MessagePack does not change it.
func survivesEncoding(schema *configschema.Block, v cty.Value) bool {
	text, err := conformance.MessagePack{}.Encode(schema, v)
	if err != nil {
		return false
	}
	again, err := conformance.MessagePack{}.Decode(schema, text)
	return err == nil && again.RawEquals(v)
}
