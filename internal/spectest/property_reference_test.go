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
	. "github.com/objchange/objchange/internal/testcty"
)

// This file compares the package with the references.

// checkFindings checks that a check and its reference report the same findings.
func checkFindings(t *rapid.T, what string, want []string, found objchange.Violations) {
	t.Helper()
	if diff := cmp.Diff(want, findingsOf(found).sortedLines()); diff != "" {
		t.Fatalf("%s (-reference +found):\n%s", what, diff)
	}
}

var allResources = map[string]*rapid.Generator[generate.Resource]{"correct": correctResources, "arbitrary": arbitraryResources, "sets": setResources, "similar": similarResources}

func TestPlanValidAsSpecified(t *testing.T) {
	for name, worlds := range allResources {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			r := draw(t, worlds)
			plan := r.Planned
			for range 2 {
				r.Planned = generator(func(d decider) cty.Value { return d.variant(r, d.keepPriorAnywhere(r, pick(d, plan, plan, r.Config))) }).Draw(t, "planned")
				checkFindings(t, "plan", planFindings(r), objchange.AssertPlanValid(Compiled(r.Schema), r.Prior, r.Config, r.Planned))
			}
		}))
	}
}

func TestConsistentAsSpecified(t *testing.T) {
	for name, worlds := range allResources {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			r := draw(t, worlds)
			f := parts.RootOf(r.Schema).Fields
			for range 2 {
				final := generator(func(d decider) cty.Value { return d.variant(r, d.Complete(f, r.Planned, d.Choose(3), false)) }).Draw(t, "final")
				checkFindings(t, "replan", replanFindings(r.Schema, r.Planned, final), objchange.AssertPlanConsistent(Compiled(r.Schema), r.Planned, final))
				checkFindings(t, "apply", applyFindings(r.Schema, r.Planned, final), objchange.AssertApplyConsistent(Compiled(r.Schema), r.Planned, final))
				checkFindings(t, "state", stateFindings(r.Schema, final), objchange.AssertStateValid(Compiled(r.Schema), final))
			}
		}))
	}
}

// variant returns the value, or changes a leaf, another part, or some refinements of it, or
// generates some parts again.
func (d decider) variant(r generate.Resource, v cty.Value) cty.Value {
	switch d.Choose(5) {
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
	return d.Value(r.Schema, v, generate.Role{Changes: 15, Unknowns: 20, Arbitrary: true})
}

// setResources generates correct resources with one set of objects, which is a block type or a
// nested attribute.
var setResources = generator(func(d decider) generate.Resource {
	return d.setResource(generate.Scope{Depth: d.Choose(2), InSet: true})
})

func (d decider) setResource(inner generate.Scope) generate.Resource {
	schema := &configschema.Block{}
	if d.OneIn(2) {
		schema.Attributes = Attrs{"s": Nested(configschema.NestingSet, "optional", d.Attributes(inner, "x", "y", "z"))}
	} else {
		nb := &configschema.NestedBlock{Nesting: configschema.NestingSet, Block: *d.Schema(inner)}
		schema.BlockTypes = Blocks{"s": nb}
	}
	r := d.Correct(schema)
	for range d.Choose(3) {
		r.Prior = d.Value(schema, d.union(r.Prior, r.Config), generate.Role{Changes: 5})
		r.Config = d.Value(schema, d.union(r.Prior, r.Config), generate.Role{Changes: 5, Config: true, Unknowns: 10 * d.Choose(2)})
		r.Plan()
	}
	return r
}

// similarResources generates resources with a set of many similar elements. The elements differ
// only in the keys of a map, or in the elements of a set, some of which are unknown.
var similarResources = generator(func(d decider) generate.Resource {
	var prior, config, planned []cty.Value
	for range 3 + d.Choose(5) {
		prior, config = append(prior, d.similarElement(Str("1"))), append(config, d.similarElement(NoStr))
		planned = append(planned, d.similarElement(pick(d, Str("1"), UnknownStr)))
	}
	if d.OneIn(2) {
		prior = append(prior, config...)
	}
	r := generate.Resource{Schema: SimilarSchema, Prior: ObjectOf(Set(prior...)), Config: ObjectOf(Set(config...))}
	if r.Plan(); d.OneIn(2) {
		r.Planned = ObjectOf(Set(planned...))
	}
	return r
})

// similarElement generates an element of the set of similarResources.
func (d decider) similarElement(id cty.Value) cty.Value {
	name := func() cty.Value { return pick(d, Str("a"), Str("b"), Str("c"), UnknownStr) }
	parts, keyed := Obj{}, Obj{}
	for range d.Choose(3) {
		keyed[pick(d, "k", "l", "m", "n")] = Item(id, pick(d, Str("a"), Str("b")))
	}
	if len(keyed) > 0 {
		parts["m"] = MapOf(keyed)
	}
	if d.OneIn(2) {
		parts["s"] = Set(name(), name())
	}
	if d.OneIn(2) {
		parts["b"] = Set(Item(id, name()), Item(pick(d, id, Str("2")), name()))
	}
	return SimilarElement(parts)
}

// union returns a value of a set resource with the elements of both sets.
func (d decider) union(a, b cty.Value) cty.Value {
	if a.IsNull() || b.IsNull() {
		return a
	}
	sum := parts.Builder{Type: a.GetAttr("s").Type()}
	for _, v := range []cty.Value{a.GetAttr("s"), b.GetAttr("s")} {
		for _, e := range parts.ElementsOf(v) {
			sum.Add("", e.Value)
		}
	}
	return Object(Obj{"s": sum.Value()})
}

func TestConfigAsSpecified(t *testing.T) {
	for name, worlds := range allResources {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			r := draw(t, worlds)
			f := parts.RootOf(r.Schema).Fields
			checkFindings(t, "config", configFindings(r.Schema, r.Config), objchange.AssertConfigValid(Compiled(r.Schema), r.Config))
			final := generator(func(d decider) cty.Value { return d.variant(r, d.Complete(f, r.Config, d.Choose(3), false)) }).Draw(t, "final")
			checkFindings(t, "final", finalConfigFindings(r.Schema, r.Config, final), objchange.AssertConfigConsistent(Compiled(r.Schema), r.Config, final))
		}))
	}
}

func TestProposedAsSpecified(t *testing.T) {
	for name, worlds := range allResources {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			r := draw(t, worlds)
			if !r.Prior.IsWhollyKnown() && r.Schema.ImpliedType().HasDynamicTypes() {
				return // unknown values of dynamic types can have different types
			}
			for range 3 {
				proposed, err := objchange.ProposedNew(Compiled(r.Schema), r.Prior, r.Config)
				if err != nil && dynamicInCollection(parts.RootOf(r.Schema)) {
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if want := proposal(r.Schema, r.Prior, r.Config); !equalExceptNullTypes(proposed, want) {
					t.Fatalf("proposed\n got %#v\nwant %#v", proposed, want)
				}
				r.Config = generator(func(d decider) cty.Value { return d.variant(r, d.ChangePart(r.Config)) }).Draw(t, "config")
			}
		}))
	}
}

func setOf(schema *configschema.Block) parts.Nested {
	if a := schema.Attributes["s"]; a != nil {
		return parts.NestedOf(a)
	}
	return parts.BlocksOf(schema.BlockTypes["s"])
}
