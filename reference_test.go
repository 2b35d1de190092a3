package objchange_test

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
)

// The references say once more what SPEC.md says, in its own order and words,
// without a thought for cost, to hold the package to it on small values without
// marks. This file has what they share, and section 4.

// A verdict is what a reference found: a line for each path and rule, with a "?"
// where it is not enforced.
type verdict struct{ lines []string }

func (v *verdict) say(path cty.Path, rule objchange.Rule) {
	v.lines = append(v.lines, written(path)+" "+string(rule))
}

func (v *verdict) mention(path cty.Path, rule objchange.Rule) {
	v.lines = append(v.lines, written(path)+" "+string(rule)+"?")
}

// said returns the lines, each once.
func (v *verdict) said() []string {
	slices.Sort(v.lines)
	return slices.Compact(v.lines)
}

// verdictOf writes violations down as a verdict, with nothing redacted.
func verdictOf(vs objchange.Violations) *verdict {
	v := &verdict{}
	for _, violation := range vs {
		if violation.Enforced {
			v.say(violation.Path, violation.Rule)
		} else {
			v.mention(violation.Path, violation.Rule)
		}
	}
	return v
}

// equalValues is "equal" of section 1.
func equalValues(a, b cty.Value) bool {
	return a.IsNull() && b.IsNull() || sharp(a).RawEquals(sharp(b))
}

// equalExactly is "exactly equal" of section 1.
func equalExactly(a, b cty.Value) bool {
	return a.IsNull() && b.IsNull() || a.RawEquals(b)
}

// under returns the attribute of an object that may be null or unknown.
func under(v cty.Value, name string) cty.Value {
	if v.IsNull() {
		return noValue
	}
	return v.GetAttr(name)
}

// elementAt returns the element at the same step, and whether there is one.
func elementAt(v cty.Value, step cty.PathStep) (cty.Value, bool) {
	for _, e := range elementsOf(v) {
		if sameStep(e.step, step) {
			return e.value, true
		}
	}
	return noValue, false
}

func hasUnknown(entries []entry) bool {
	return slices.ContainsFunc(entries, func(e entry) bool { return !e.value.IsKnown() })
}

// correlated is section 4: for each element of c the one of p it is merged with.
func correlated(n nest, p, c cty.Value) []cty.Value {
	prior := elementsOf(p)
	var from []cty.Value
	for _, ce := range elementsOf(c) {
		i := slices.IndexFunc(prior, func(pe entry) bool { return n.cameFrom(pe.value, ce.value) })
		if i < 0 {
			from = append(from, noValue)
			continue
		}
		from = append(from, prior[i].value)
		prior = slices.Delete(prior, i, i+1)
	}
	return from
}

// cameFrom asks whether p, one object of the nest, could have come from c, which
// is cty.NilVal where there is no value.
func (n nest) cameFrom(p, c cty.Value) bool {
	if c == cty.NilVal || equalValues(p, c) {
		return c != cty.NilVal
	}
	for _, name := range sorted(n.attrs) {
		if p.IsKnown() && !p.IsNull() && !attributeCameFrom(n.attrs[name], p.GetAttr(name), inside(c, name)) {
			return false
		}
	}
	for _, name := range sorted(n.blocks) {
		if p.IsKnown() && !p.IsNull() && !blocksOf(n.blocks[name]).allCameFrom(p.GetAttr(name), inside(c, name)) {
			return false
		}
	}
	return true
}

// inside is what c has at an attribute: nothing where it is null.
func inside(c cty.Value, name string) cty.Value {
	if c.IsNull() {
		return cty.NilVal
	}
	return c.GetAttr(name)
}

func attributeCameFrom(a *objchange.Attribute, p, c cty.Value) bool {
	switch {
	case c == cty.NilVal || equalValues(p, c):
		return c != cty.NilVal
	case c.Type().IsSetType():
		return false
	case a.NestedType != nil:
		return nestOf(a).allCameFrom(p, c)
	}
	return a.Computed && c.IsNull()
}

// allCameFrom asks the same of all objects of a block type or nested attribute.
func (n nest) allCameFrom(p, c cty.Value) bool {
	switch {
	case c == cty.NilVal || equalValues(p, c):
		return c != cty.NilVal
	case c.Type().IsSetType():
		return false
	case n.single():
		return n.cameFrom(p, c)
	}
	for _, e := range elementsOf(p) {
		there, ok := elementAt(c, e.step)
		if !c.IsNull() && !c.IsKnown() {
			there = cty.UnknownVal(e.value.Type())
		} else if !ok {
			there = cty.NilVal
		}
		if !n.cameFrom(e.value, there) {
			return false
		}
	}
	return true
}
