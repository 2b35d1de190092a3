package objchange_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange"
)

// Properties that hold the package to the references.

// agree fails where a check found anything else than its reference.
func agree(t *rapid.T, what string, want []string, found objchange.Violations) {
	t.Helper()
	if diff := cmp.Diff(want, verdictOf(found).said()); diff != "" {
		t.Fatalf("%s (-reference +found):\n%s", what, diff)
	}
}

var allWorlds = map[string]*rapid.Generator[world]{"honest": honest, "wild": wild, "sets": setWorlds, "crowds": crowds}

func TestPlanValidAsSpecified(t *testing.T) {
	for name, worlds := range allWorlds {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			w := draw(t, worlds)
			plan := w.planned
			for range 2 {
				w.planned = rolling(func(d die) cty.Value { return d.near(w, d.keepPriorAnywhere(w, pick(d, plan, plan, w.config))) }).Draw(t, "planned")
				agree(t, "plan", planVerdict(w), objchange.AssertPlanValid(w.schema, w.prior, w.config, w.planned))
			}
		}))
	}
}

func TestConsistentAsSpecified(t *testing.T) {
	for name, worlds := range allWorlds {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			w := draw(t, worlds)
			f := rootOf(w.schema).fields
			for range 2 {
				final := rolling(func(d die) cty.Value { return d.near(w, d.complete(f, w.planned, d(3), false)) }).Draw(t, "final")
				agree(t, "replan", replanVerdict(w.schema, w.planned, final), objchange.AssertPlanConsistent(w.schema, w.planned, final))
				agree(t, "apply", applyVerdict(w.schema, w.planned, final), objchange.AssertApplyConsistent(w.schema, w.planned, final))
				agree(t, "state", stateVerdict(w.schema, final), objchange.AssertStateValid(w.schema, final))
			}
		}))
	}
}

// near returns the value, or one with a leaf or another part changed, with other
// refinements or with some places made anew.
func (d die) near(w world, v cty.Value) cty.Value {
	switch d(5) {
	case 0:
		return v
	case 1:
		v, _, _ = d.changeLeaf(v)
		return v
	case 2:
		return d.refined(v)
	case 3:
		return d.changePart(v)
	}
	return d.value(w.schema, v, role{churn: 15, unknowns: 20, wild: true})
}

// setWorlds are honest worlds of one set of objects, a block type or a
// nested attribute.
var setWorlds = rolling(func(d die) world { return d.setWorld(scope{depth: d(2), inSet: true}) })

func (d die) setWorld(inner scope) world {
	schema := &objchange.Block{}
	if d.oneIn(2) {
		schema.Attributes = attrs{"s": nested(objchange.NestingSet, "optional", d.attributes(inner, "x", "y", "z"))}
	} else {
		nb := &objchange.NestedBlock{Nesting: objchange.NestingSet, Block: *d.schema(inner)}
		schema.BlockTypes = blocks{"s": nb}
	}
	w := d.honest(schema)
	for range d(3) {
		w.prior = d.value(schema, d.union(w.prior, w.config), role{churn: 5})
		w.config = d.value(schema, d.union(w.prior, w.config), role{churn: 5, config: true, unknowns: 10 * d(2)})
		w.plan()
	}
	return w
}

// crowds are worlds of a set with many elements that have almost everything in
// common: they differ in keys of a map, or in what is in a set, some of it unknown.
var crowds = rolling(func(d die) world {
	var prior, config, planned []cty.Value
	for range 3 + d(5) {
		prior, config = append(prior, d.crowded(str("1"))), append(config, d.crowded(noStr))
		planned = append(planned, d.crowded(pick(d, str("1"), unknownStr)))
	}
	if d.oneIn(2) {
		prior = append(prior, config...)
	}
	w := world{schema: crowd, prior: objectOf(set(prior...)), config: objectOf(set(config...))}
	if w.plan(); d.oneIn(2) {
		w.planned = objectOf(set(planned...))
	}
	return w
})

// crowded makes an element of the crowd.
func (d die) crowded(id cty.Value) cty.Value {
	name := func() cty.Value { return pick(d, str("a"), str("b"), str("c"), unknownStr) }
	parts, keyed := obj{}, obj{}
	for range d(3) {
		keyed[pick(d, "k", "l", "m", "n")] = item(id, pick(d, str("a"), str("b")))
	}
	if len(keyed) > 0 {
		parts["m"] = mapOf(keyed)
	}
	if d.oneIn(2) {
		parts["s"] = set(name(), name())
	}
	if d.oneIn(2) {
		parts["b"] = set(item(id, name()), item(pick(d, id, str("2")), name()))
	}
	return crowded(parts)
}

// union adds up the sets of two values of a set world.
func (d die) union(a, b cty.Value) cty.Value {
	if a.IsNull() || b.IsNull() {
		return a
	}
	sum := bag{ty: a.GetAttr("s").Type()}
	for _, v := range []cty.Value{a.GetAttr("s"), b.GetAttr("s")} {
		for _, e := range elementsOf(v) {
			sum.add("", e.value)
		}
	}
	return object(obj{"s": sum.value()})
}

func TestConfigAsSpecified(t *testing.T) {
	for name, worlds := range allWorlds {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			w := draw(t, worlds)
			f := rootOf(w.schema).fields
			agree(t, "config", configVerdict(w.schema, w.config), objchange.AssertConfigValid(w.schema, w.config))
			final := rolling(func(d die) cty.Value { return d.near(w, d.complete(f, w.config, d(3), false)) }).Draw(t, "final")
			agree(t, "final", filledVerdict(w.schema, w.config, final), objchange.AssertConfigConsistent(w.schema, w.config, final))
		}))
	}
}

func TestProposedAsSpecified(t *testing.T) {
	for name, worlds := range allWorlds {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			w := draw(t, worlds)
			if !w.prior.IsWhollyKnown() && w.schema.ImpliedType().HasDynamicTypes() {
				return // what is unknown may have this type or that
			}
			for range 3 {
				proposed, err := objchange.ProposedNew(w.schema, w.prior, w.config)
				if err != nil && dynamicInCollection(rootOf(w.schema)) {
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if want := proposal(w.schema, w.prior, w.config); !alike(proposed, want) {
					t.Fatalf("proposed\n got %#v\nwant %#v", proposed, want)
				}
				w.config = rolling(func(d die) cty.Value { return d.near(w, d.changePart(w.config)) }).Draw(t, "config")
			}
		}))
	}
}

func setOf(schema *objchange.Block) nest {
	if a := schema.Attributes["s"]; a != nil {
		return nestOf(a)
	}
	return blocksOf(schema.BlockTypes["s"])
}
