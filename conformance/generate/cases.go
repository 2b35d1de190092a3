package generate

import (
	"fmt"
	"iter"
	"math/rand/v2"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/conformance"
	"github.com/objchange/objchange/internal/parts"
)

// Cases ranges over the cases of that many random resources, each with a schema of its
// own: one in four with any values, the others with what Terraform and providers
// send one another, and then with one thing in it changed. The same seed makes the same
// cases, of which those of fewer resources are the first ones. They want nothing, so
// that the answer of package objchange is right until others are known.
func Cases(seed uint64, resources int) iter.Seq[*conformance.Case] {
	return func(yield func(*conformance.Case) bool) {
		for i := range resources {
			d := Die(rand.New(rand.NewPCG(seed, uint64(i))).IntN)
			for _, c := range d.cases(fmt.Sprintf("generated-%d-%d", seed, i)) {
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
// them cannot be sent: where the type of a collection's elements is dynamic, MessagePack
// has no null that is of the type of the others.
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
	a.cases = append(a.cases, c)
	if computed := c.Computed(); computed != nil {
		a.cases = append(a.cases, computed)
	}
}

// cases makes the cases of one resource.
func (d Die) cases(name string) []*conformance.Case {
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
