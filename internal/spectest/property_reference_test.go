package spectest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/spectest/generate"
	"github.com/objchange/objchange/internal/spectest/parts"
)

// This file compares the package with the references.

// agree checks that a check and its reference report the same findings.
func agree(t *rapid.T, what string, want []string, found objchange.Violations) {
	t.Helper()
	if diff := cmp.Diff(want, verdictOf(found).said()); diff != "" {
		t.Fatalf("%s (-reference +found):\n%s", what, diff)
	}
}

var allWorlds = map[string]*rapid.Generator[generate.World]{"honest": honest, "wild": wild, "sets": setWorlds, "alike": alikeWorlds}

func TestPlanValidAsSpecified(t *testing.T) {
	for name, worlds := range allWorlds {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			w := draw(t, worlds)
			plan := w.Planned
			for range 2 {
				w.Planned = rolling(func(d die) cty.Value { return d.near(w, d.keepPriorAnywhere(w, pick(d, plan, plan, w.Config))) }).Draw(t, "planned")
				agree(t, "plan", planVerdict(w), objchange.AssertPlanValid(compiled(w.Schema), w.Prior, w.Config, w.Planned))
			}
		}))
	}
}

func TestConsistentAsSpecified(t *testing.T) {
	for name, worlds := range allWorlds {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			w := draw(t, worlds)
			f := parts.RootOf(w.Schema).Fields
			for range 2 {
				final := rolling(func(d die) cty.Value { return d.near(w, d.Complete(f, w.Planned, d.Die(3), false)) }).Draw(t, "final")
				agree(t, "replan", replanVerdict(w.Schema, w.Planned, final), objchange.AssertPlanConsistent(compiled(w.Schema), w.Planned, final))
				agree(t, "apply", applyVerdict(w.Schema, w.Planned, final), objchange.AssertApplyConsistent(compiled(w.Schema), w.Planned, final))
				agree(t, "state", stateVerdict(w.Schema, final), objchange.AssertStateValid(compiled(w.Schema), final))
			}
		}))
	}
}

// near returns the value, or changes a leaf, another part, or some refinements of it, or generates
// some parts again.
func (d die) near(w generate.World, v cty.Value) cty.Value {
	switch d.Die(5) {
	case 0:
		return v
	case 1:
		v, _, _ = d.ChangeLeaf(v)
		return v
	case 2:
		return d.refined(v)
	case 3:
		return d.ChangePart(v)
	}
	return d.Value(w.Schema, v, generate.Role{Churn: 15, Unknowns: 20, Wild: true})
}

// setWorlds generates honest worlds with one set of objects, which is a block type or a nested
// attribute.
var setWorlds = rolling(func(d die) generate.World { return d.setWorld(generate.Scope{Depth: d.Die(2), InSet: true}) })

func (d die) setWorld(inner generate.Scope) generate.World {
	schema := &configschema.Block{}
	if d.OneIn(2) {
		schema.Attributes = attrs{"s": nested(configschema.NestingSet, "optional", d.Attributes(inner, "x", "y", "z"))}
	} else {
		nb := &configschema.NestedBlock{Nesting: configschema.NestingSet, Block: *d.Schema(inner)}
		schema.BlockTypes = blocks{"s": nb}
	}
	w := d.Honest(schema)
	for range d.Die(3) {
		w.Prior = d.Value(schema, d.union(w.Prior, w.Config), generate.Role{Churn: 5})
		w.Config = d.Value(schema, d.union(w.Prior, w.Config), generate.Role{Churn: 5, Config: true, Unknowns: 10 * d.Die(2)})
		w.Plan()
	}
	return w
}

// alikeWorlds generates worlds with a set of many similar elements. The elements differ only in the
// keys of a map, or in the elements of a set, some of which are unknown.
var alikeWorlds = rolling(func(d die) generate.World {
	var prior, config, planned []cty.Value
	for range 3 + d.Die(5) {
		prior, config = append(prior, d.alike(str("1"))), append(config, d.alike(noStr))
		planned = append(planned, d.alike(pick(d, str("1"), unknownStr)))
	}
	if d.OneIn(2) {
		prior = append(prior, config...)
	}
	w := generate.World{Schema: alikeSchema, Prior: objectOf(set(prior...)), Config: objectOf(set(config...))}
	if w.Plan(); d.OneIn(2) {
		w.Planned = objectOf(set(planned...))
	}
	return w
})

// alike generates an element of alikeSchema.
func (d die) alike(id cty.Value) cty.Value {
	name := func() cty.Value { return pick(d, str("a"), str("b"), str("c"), unknownStr) }
	parts, keyed := obj{}, obj{}
	for range d.Die(3) {
		keyed[pick(d, "k", "l", "m", "n")] = item(id, pick(d, str("a"), str("b")))
	}
	if len(keyed) > 0 {
		parts["m"] = mapOf(keyed)
	}
	if d.OneIn(2) {
		parts["s"] = set(name(), name())
	}
	if d.OneIn(2) {
		parts["b"] = set(item(id, name()), item(pick(d, id, str("2")), name()))
	}
	return alikeElement(parts)
}

// union returns a value of a set world with the elements of both sets.
func (d die) union(a, b cty.Value) cty.Value {
	if a.IsNull() || b.IsNull() {
		return a
	}
	sum := parts.Bag{Type: a.GetAttr("s").Type()}
	for _, v := range []cty.Value{a.GetAttr("s"), b.GetAttr("s")} {
		for _, e := range parts.ElementsOf(v) {
			sum.Add("", e.Value)
		}
	}
	return object(obj{"s": sum.Value()})
}

func TestConfigAsSpecified(t *testing.T) {
	for name, worlds := range allWorlds {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			w := draw(t, worlds)
			f := parts.RootOf(w.Schema).Fields
			agree(t, "config", configVerdict(w.Schema, w.Config), objchange.AssertConfigValid(compiled(w.Schema), w.Config))
			final := rolling(func(d die) cty.Value { return d.near(w, d.Complete(f, w.Config, d.Die(3), false)) }).Draw(t, "final")
			agree(t, "final", filledVerdict(w.Schema, w.Config, final), objchange.AssertConfigConsistent(compiled(w.Schema), w.Config, final))
		}))
	}
}

func TestProposedAsSpecified(t *testing.T) {
	for name, worlds := range allWorlds {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			w := draw(t, worlds)
			if !w.Prior.IsWhollyKnown() && w.Schema.ImpliedType().HasDynamicTypes() {
				return // unknown values of dynamic types can have different types
			}
			for range 3 {
				proposed, err := objchange.ProposedNew(compiled(w.Schema), w.Prior, w.Config)
				if err != nil && dynamicInCollection(parts.RootOf(w.Schema)) {
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if want := proposal(w.Schema, w.Prior, w.Config); !alike(proposed, want) {
					t.Fatalf("proposed\n got %#v\nwant %#v", proposed, want)
				}
				w.Config = rolling(func(d die) cty.Value { return d.near(w, d.ChangePart(w.Config)) }).Draw(t, "config")
			}
		}))
	}
}

func setOf(schema *configschema.Block) parts.Nest {
	if a := schema.Attributes["s"]; a != nil {
		return parts.NestOf(a)
	}
	return parts.BlocksOf(schema.BlockTypes["s"])
}
