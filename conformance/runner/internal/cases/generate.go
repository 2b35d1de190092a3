// Package cases makes cases from a seed, reads and writes them as JSON, and makes those that
// fail smaller.
package cases

import (
	"fmt"
	"iter"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/conformance"
	"github.com/objchange/objchange/internal/lawtest/generate"
	"github.com/objchange/objchange/internal/lawtest/parts"
)

// Generate ranges over the cases of that many random resources, each with a schema of its
// own: one in four with any values, the others with what Terraform and providers
// send one another, and then with one thing in it changed. The same seed makes the same
// cases, of which those of fewer resources are the first ones. They want nothing, so
// that the answer of package objchange is right until others are known.
func Generate(seed uint64, resources int) iter.Seq[*conformance.Case] {
	return func(yield func(*conformance.Case) bool) {
		for i := range resources {
			d := generate.Seeded(seed, uint64(i))
			for _, c := range casesOf(d, fmt.Sprintf("generated-%d-%d", seed, i)) {
				if !yield(c) {
					return
				}
			}
		}
	}
}

// An asker makes cases of one resource.
type asker struct {
	schema *conformance.Schema
	cases  []*conformance.Case
}

// ask adds a case with the values that its question is about, in order, unless one of
// them, or the answer, cannot be sent: where a part of the type is dynamic, MessagePack has no type for what
// is null, unknown or empty, so that it may not be of the type of the elements beside it.
func (a *asker) ask(id string, op conformance.Op, values ...cty.Value) {
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
	if right := c.Right(); right.Kind == conformance.KindValue && !carried(c.Schema.Block, right.Value) {
		return
	}
	a.cases = append(a.cases, c)
	if computed := c.Computed(); computed != nil && carried(c.Schema.Block, computed.In["proposed"]) {
		a.cases = append(a.cases, computed)
	}
}

// casesOf makes the cases of one resource.
func casesOf(d generate.Die, name string) []*conformance.Case {
	block := d.AnySchema()
	a := &asker{schema: &conformance.Schema{Name: name, Block: block}}
	w := d.Honest(block)
	if d.OneIn(4) {
		w = d.Wild(block)
	}
	a.ask("0", conformance.OpProposed, w.Prior, w.Config)
	a.ask("0", conformance.OpData, w.Config)
	a.ask("0", conformance.OpPrepare, w.Config)
	applied := d.Complete(parts.RootOf(block).Fields, w.Planned, 0, false)
	final := d.Complete(parts.RootOf(block).Fields, w.Planned, 3, false)
	a.ask("0", conformance.OpLegacy, applied)
	for i, change := range []func(cty.Value) cty.Value{
		func(v cty.Value) cty.Value { return v },
		func(v cty.Value) cty.Value { v, _, _ = d.ChangeLeaf(v); return v },
		d.ChangePart,
	} {
		id := fmt.Sprint(i)
		a.ask(id, conformance.OpPlan, w.Prior, w.Config, change(w.Planned))
		a.ask(id, conformance.OpReplan, w.Planned, change(final))
		a.ask(id, conformance.OpApply, w.Planned, change(applied))
	}
	return a.cases
}

// carried reports whether the value is the same after MessagePack.
func carried(schema *configschema.Block, v cty.Value) bool {
	text, err := conformance.MessagePack{}.Encode(schema, v)
	if err != nil {
		return false
	}
	again, err := conformance.MessagePack{}.Decode(schema, text)
	return err == nil && again.RawEquals(v)
}
