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
)

// Properties of values of which one leaf has changed, and of plans that keep
// prior values.

// change is a value with one leaf changed.
type change struct {
	value cty.Value
	path  cty.Path // of the leaf before
	ok    bool
}

func drawChange(t *rapid.T, v cty.Value) change {
	return rolling(func(d die) (c change) {
		c.value, c.path, c.ok = d.ChangeLeaf(v)
		return c
	}).Draw(t, "changed")
}

func TestBrokenLeafIsInconsistent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := draw(t, honest)
		changed := drawChange(t, w.Planned)
		if !changed.ok {
			return
		}
		vs := objchange.AssertPlanConsistent(compiled(w.Schema), w.Planned, changed.value)
		path, rules := brokenAt(w, changed.path)
		for _, v := range vs {
			if comparePaths(v.Path, path) != 0 || !slices.Contains(rules, v.Rule) {
				t.Errorf("%s, but the leaf %s has changed", v, written(changed.path))
			}
		}
		inSet := setAbove(w.Planned, changed.path) < len(changed.path)
		if len(vs) == 0 && (!inSet || len(replanVerdict(w.Schema, w.Planned, changed.value)) > 0) {
			t.Errorf("the leaf %s has changed and nobody noticed", written(changed.path))
		}
	})
}

// brokenAt returns where a changed leaf is to be reported, and by which rules:
// there, at the outermost set, or at a sensitive attribute of a block.
func brokenAt(w generate.World, path cty.Path) (cty.Path, []objchange.Rule) {
	set := setAbove(w.Planned, path)
	at := attributePath(w.Schema, path[:set])
	switch {
	case at != nil && w.Schema.AttributeByPath(at).Sensitive:
		return at, []objchange.Rule{objchange.RuleInconsistentSensitive}
	case set < len(path):
		return path[:set], []objchange.Rule{objchange.RuleInconsistentSetElement, objchange.RuleInconsistentCount}
	}
	return path, []objchange.Rule{objchange.RuleInconsistentValue}
}

// setAbove returns how many steps lead to the outermost set that the path goes
// through, or the length of the path if there is none.
func setAbove(v cty.Value, path cty.Path) int {
	for i, step := range path {
		if v.Type().IsSetType() {
			return i
		}
		v, _ = elementAt(v, step)
	}
	return len(path)
}

func TestBrokenLeafIsNotPlanned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := draw(t, honest)
		changed := drawChange(t, w.Planned)
		if !changed.ok {
			return
		}
		vs := objchange.AssertPlanValid(compiled(w.Schema), w.Prior, w.Config, changed.value)
		for _, v := range vs {
			if !changed.path.HasPrefix(v.Path) {
				t.Errorf("%s, but the leaf %s has changed", v, written(changed.path))
			}
		}
		if len(vs) == 0 && !mayDiffer(w, changed) {
			t.Errorf("the leaf %s has changed and nobody noticed", written(changed.path))
		}
	})
}

// mayDiffer reports whether the plan may have the changed leaf: it is in a set,
// or an attribute on the way to it is computed or now as it was before.
func mayDiffer(w generate.World, c change) bool {
	if setAbove(w.Planned, c.path) < len(c.path) {
		return true
	}
	for i := range c.path {
		at := c.path[:i+1]
		a := w.Schema.AttributeByPath(at)
		if a != nil && (a.Computed || equalValues(lookUp(w.Prior, at), lookUp(c.value, at))) {
			return true
		}
	}
	return false
}

// A good provider may plan, for a configured value that means the same as the
// prior one, the prior one. Nobody knows which prior set element it looked at.
func TestPriorValuesInSetsArePlanned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := draw(t, setWorlds)
		planned := under(w.Planned, "s")
		if hollow(planned) || !planned.IsKnown() {
			return
		}
		kept := rolling(func(d die) cty.Value { return d.keepAnyPrior(setOf(w.Schema), under(w.Prior, "s"), planned) }).Draw(t, "kept")
		vs := objchange.AssertPlanValid(compiled(w.Schema), w.Prior, w.Config, object(obj{"s": kept}))
		for _, v := range vs {
			// Core counts, and two elements may have become one.
			if v.Rule != objchange.RulePlanCount || kept.LengthInt() == planned.LengthInt() {
				t.Error(v)
			}
		}
	})
}

// keepPrior replaces some attributes of a planned object with prior ones, where
// neither is null, at any depth but in nested sets, whose elements Core counts.
func (d die) keepPrior(n parts.Nest, p, plan cty.Value) cty.Value {
	if p.IsNull() || plan.IsNull() || !plan.IsKnown() {
		return plan
	}
	made := plan.AsValueMap()
	for _, name := range sorted(n.Attributes) {
		a, old := n.Attributes[name], under(p, name)
		switch {
		case old.IsNull() || made[name].IsNull() || a.WriteOnly:
		case d.OneIn(3):
			made[name] = old
		case a.NestedType != nil && a.NestedType.Nesting != configschema.NestingSet:
			made[name] = d.keepAnyPrior(parts.NestOf(a), old, made[name])
		}
	}
	for _, name := range sorted(n.BlockTypes) {
		made[name] = d.keepAnyPrior(parts.BlocksOf(n.BlockTypes[name]), under(p, name), made[name])
	}
	return object(made)
}

// keepAnyPrior is keepPrior for each object of a nest, with any prior one.
func (d die) keepAnyPrior(n parts.Nest, p, plan cty.Value) cty.Value {
	old := parts.ElementsOf(p)
	switch {
	case n.Single():
		return d.keepPrior(n, p, plan)
	case len(old) == 0 || len(parts.ElementsOf(plan)) == 0:
		return plan
	}
	return parts.MapElements(plan, func(elem cty.Value) cty.Value { return d.keepPrior(n, pick(d, old...).Value, elem) })
}

// keepPriorAnywhere may keep prior values in any plan, be that allowed or not.
// Something dynamic would not always fit.
func (d die) keepPriorAnywhere(w generate.World, plan cty.Value) cty.Value {
	if d.OneIn(2) || w.Schema.ImpliedType().HasDynamicTypes() {
		return plan
	}
	return d.keepPrior(parts.RootOf(w.Schema), w.Prior, plan)
}
