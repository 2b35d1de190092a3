package objchange_test

import (
	"slices"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange"
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
		c.value, c.path, c.ok = d.changeLeaf(v)
		return c
	}).Draw(t, "changed")
}

func TestBrokenLeafIsInconsistent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := draw(t, honest)
		changed := drawChange(t, w.planned)
		if !changed.ok {
			return
		}
		vs := objchange.AssertPlanConsistent(w.schema, w.planned, changed.value)
		path, rules := brokenAt(w, changed.path)
		for _, v := range vs {
			if comparePaths(v.Path, path) != 0 || !slices.Contains(rules, v.Rule) {
				t.Errorf("%s, but the leaf %s has changed", v, written(changed.path))
			}
		}
		inSet := setAbove(w.planned, changed.path) < len(changed.path)
		if len(vs) == 0 && (!inSet || len(replanVerdict(w.schema, w.planned, changed.value)) > 0) {
			t.Errorf("the leaf %s has changed and nobody noticed", written(changed.path))
		}
	})
}

// brokenAt returns where a changed leaf is to be reported, and by which rules:
// there, at the outermost set, or at a sensitive attribute of a block.
func brokenAt(w world, path cty.Path) (cty.Path, []objchange.Rule) {
	set := setAbove(w.planned, path)
	at := attributePath(w.schema, path[:set])
	switch {
	case at != nil && w.schema.AttributeByPath(at).Sensitive:
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
		changed := drawChange(t, w.planned)
		if !changed.ok {
			return
		}
		vs := objchange.AssertPlanValid(w.schema, w.prior, w.config, changed.value)
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
func mayDiffer(w world, c change) bool {
	if setAbove(w.planned, c.path) < len(c.path) {
		return true
	}
	for i := range c.path {
		at := c.path[:i+1]
		a := w.schema.AttributeByPath(at)
		if a != nil && (a.Computed || equalValues(lookUp(w.prior, at), lookUp(c.value, at))) {
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
		prior, planned := elementsOf(under(w.prior, "s")), under(w.planned, "s")
		if len(prior) == 0 || hollow(planned) || !planned.IsKnown() {
			return
		}
		n := setOf(w.schema)
		kept := rolling(func(d die) cty.Value {
			return mapElements(planned, func(elem cty.Value) cty.Value {
				return d.keepPrior(n, prior[d(len(prior))].value, elem)
			})
		}).Draw(t, "kept")
		vs := objchange.AssertPlanValid(w.schema, w.prior, w.config, object(obj{"s": kept}))
		for _, v := range vs {
			// Core counts, and two elements may have become one.
			if v.Rule != objchange.RulePlanCount || kept.LengthInt() == planned.LengthInt() {
				t.Error(v)
			}
		}
	})
}

// keepPrior replaces some attributes of a planned object with prior ones, where
// neither is null.
func (d die) keepPrior(n nest, p, plan cty.Value) cty.Value {
	if p.IsNull() || plan.IsNull() || !plan.IsKnown() {
		return plan
	}
	parts := plan.AsValueMap()
	for _, name := range sorted(n.attrs) {
		if old := under(p, name); !old.IsNull() && !parts[name].IsNull() && d.oneIn(2) {
			parts[name] = old
		}
	}
	for _, name := range sorted(n.blocks) {
		if inner := blocksOf(n.blocks[name]); inner.single() {
			parts[name] = d.keepPrior(inner, under(p, name), parts[name])
		}
	}
	return object(parts)
}
