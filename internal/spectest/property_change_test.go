package spectest

import (
	"slices"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/spectest/generate"
	"github.com/objchange/objchange/internal/spectest/parts"
	. "github.com/objchange/objchange/internal/testcty"
)

// This file tests values with one changed leaf, and plans that keep prior values.

// A change is a value with one changed leaf.
type change struct {
	value cty.Value
	path  cty.Path // path of the leaf in the original value
	ok    bool
}

func drawChange(t *rapid.T, v cty.Value) change {
	return generator(func(d decider) (c change) {
		c.value, c.path, c.ok = d.ChangeLeaf(v)
		return c
	}).Draw(t, "changed")
}

func TestChangedLeafIsInconsistent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t, correctResources)
		changed := drawChange(t, r.Planned)
		if !changed.ok {
			return
		}
		vs := objchange.AssertPlanConsistent(Compiled(r.Schema), r.Planned, changed.value)
		path, rules := expectedFinding(r, changed.path)
		for _, v := range vs {
			if comparePaths(v.Path, path) != 0 || !slices.Contains(rules, v.Rule) {
				t.Errorf("%s, but the leaf %s has changed", v, pathString(changed.path))
			}
		}
		inSet := setAbove(r.Planned, changed.path) < len(changed.path)
		if len(vs) == 0 && (!inSet || len(replanFindings(r.Schema, r.Planned, changed.value)) > 0) {
			t.Errorf("the leaf %s has changed, but no violation was found", pathString(changed.path))
		}
	})
}

// expectedFinding returns the expected path and the possible rules of the finding about a changed
// leaf. The path is that of the leaf, of the outermost set, or of a sensitive attribute of a block.
func expectedFinding(r generate.Resource, path cty.Path) (cty.Path, []objchange.Rule) {
	set := setAbove(r.Planned, path)
	at := attributePath(r.Schema, path[:set])
	switch {
	case at != nil && r.Schema.AttributeByPath(at).Sensitive:
		return at, []objchange.Rule{objchange.RuleInconsistentSensitive}
	case set < len(path):
		return path[:set], []objchange.Rule{objchange.RuleInconsistentSetElement, objchange.RuleInconsistentCount}
	}
	return path, []objchange.Rule{objchange.RuleInconsistentValue}
}

// setAbove returns the number of steps to the outermost set on the path. If the path contains no
// set, it returns the length of the path.
func setAbove(v cty.Value, path cty.Path) int {
	for i, step := range path {
		if v.Type().IsSetType() {
			return i
		}
		v, _ = elementAt(v, step)
	}
	return len(path)
}

// TestPriorValuesInSetsArePlanned checks that a plan may contain prior values in a set. A provider
// may plan the prior value if the configured value has the same meaning. In a set, it may use any
// prior element.
func TestPriorValuesInSetsArePlanned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t, setResources)
		planned := attributeOf(r.Planned, "s")
		if nullOrEmpty(planned) || !planned.IsKnown() {
			return
		}
		kept := generator(func(d decider) cty.Value { return d.keepAnyPrior(setOf(r.Schema), attributeOf(r.Prior, "s"), planned) }).Draw(t, "kept")
		vs := objchange.AssertPlanValid(Compiled(r.Schema), r.Prior, r.Config, Object(Obj{"s": kept}))
		for _, v := range vs {
			// Core checks the number of elements, and two elements can become equal.
			if v.Rule != objchange.RulePlanCount || kept.LengthInt() == planned.LengthInt() {
				t.Error(v)
			}
		}
	})
}

// keepPrior replaces some attributes of a planned object with prior attributes, at any depth.
// Neither of them is null. It does not change nested sets, because Core checks their number of
// elements.
func (d decider) keepPrior(n parts.Nested, p, plan cty.Value) cty.Value {
	if p.IsNull() || plan.IsNull() || !plan.IsKnown() {
		return plan
	}
	made := plan.AsValueMap()
	for _, name := range sorted(n.Attributes) {
		a, old := n.Attributes[name], attributeOf(p, name)
		switch {
		case old.IsNull() || made[name].IsNull() || a.WriteOnly:
		case d.OneIn(3):
			made[name] = old
		case a.NestedType != nil && a.NestedType.Nesting != configschema.NestingSet:
			made[name] = d.keepAnyPrior(parts.NestedOf(a), old, made[name])
		}
	}
	for _, name := range sorted(n.BlockTypes) {
		made[name] = d.keepAnyPrior(parts.BlocksOf(n.BlockTypes[name]), attributeOf(p, name), made[name])
	}
	return Object(made)
}

// keepAnyPrior calls keepPrior for each object of a nested value, with any prior object.
func (d decider) keepAnyPrior(n parts.Nested, p, plan cty.Value) cty.Value {
	old := parts.ElementsOf(p)
	switch {
	case n.Single():
		return d.keepPrior(n, p, plan)
	case len(old) == 0 || len(parts.ElementsOf(plan)) == 0:
		return plan
	}
	return parts.MapElements(plan, func(elem cty.Value) cty.Value { return d.keepPrior(n, pick(d, old...).Value, elem) })
}

// keepPriorAnywhere may put prior values into any plan, whether the rules allow it or not. It does
// not change plans with dynamic types, because a prior value can have another type.
func (d decider) keepPriorAnywhere(r generate.Resource, plan cty.Value) cty.Value {
	if d.OneIn(2) || r.Schema.ImpliedType().HasDynamicTypes() {
		return plan
	}
	return d.keepPrior(parts.RootOf(r.Schema), r.Prior, plan)
}
