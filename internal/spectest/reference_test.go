package spectest

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/spectest/generate"
	"github.com/objchange/objchange/internal/spectest/parts"
)

// The references implement docs/specification.md a second time, paragraph by paragraph and without
// regard to cost. Properties compare the package with them, on small values without marks. This
// file has the code that they share.

// If cited is not nil, a reference calls it with the number of each paragraph that it applies.
var cited func(paragraph string)

func cite(paragraph string) { citeIf(true, paragraph) }

func citeIf(applies bool, paragraph string) {
	if applies && cited != nil {
		cited(paragraph)
	}
}

// citeNested cites one paragraph for nested attributes and another for blocks.
func citeNested(n parts.Nested, nested, block string) {
	citeIf(!n.Block, nested)
	citeIf(n.Block, block)
}

// citeMode cites one paragraph for lists and another for maps.
func citeMode(n parts.Nested, list, keyed string) {
	citeIf(n.Mode == configschema.NestingList, list)
	citeIf(n.Mode == configschema.NestingMap, keyed)
}

// citeAbsentOrEqual cites the paragraph for an absent value of c, or for one that equals p.
func citeAbsentOrEqual(c cty.Value) {
	citeIf(c == cty.NilVal, "P-4.3")
	citeIf(c != cty.NilVal, "P-4.4")
}

// findings collects the findings of a reference: one line for each path and rule. A line ends in "?"
// if Core does not enforce the rule.
type findings struct{ lines []string }

func (v *findings) add(path cty.Path, rule objchange.Rule) {
	v.lines = append(v.lines, pathString(path)+" "+string(rule))
}

func (v *findings) addNotEnforced(path cty.Path, rule objchange.Rule) {
	v.lines = append(v.lines, pathString(path)+" "+string(rule)+"?")
}

// sortedLines returns the lines in order and without duplicates.
func (v *findings) sortedLines() []string {
	slices.Sort(v.lines)
	return slices.Compact(v.lines)
}

// findingsOf returns violations as findings. Nothing is redacted.
func findingsOf(vs objchange.Violations) *findings {
	v := &findings{}
	for _, violation := range vs {
		if violation.Severity == objchange.Rejected {
			v.add(violation.Path, violation.Rule)
		} else {
			v.addNotEnforced(violation.Path, violation.Rule)
		}
	}
	return v
}

// equalValues reports whether values are equal as section 1 of the specification defines it.
func equalValues(a, b cty.Value) bool {
	return a.IsNull() && b.IsNull() || withoutMarksAndRefinements(a).RawEquals(withoutMarksAndRefinements(b))
}

// equalAt reports whether values of an attribute are equal. If the type of the attribute is dynamic,
// null values of different types are not equal.
func equalAt(a *configschema.Attribute, x, y cty.Value) bool {
	if x.IsNull() && y.IsNull() && a.NestedType == nil && a.Type.HasDynamicTypes() {
		return x.Type().Equals(y.Type())
	}
	return equalValues(x, y)
}

// equalExactly reports whether values are exactly equal as section 1 of the specification defines
// it.
func equalExactly(a, b cty.Value) bool {
	return a.IsNull() && b.IsNull() || a.RawEquals(b)
}

// attributeOf returns an attribute of an object that may be null or unknown. If the object is null,
// the result is null and has the type of the attribute.
func attributeOf(v cty.Value, name string) cty.Value {
	switch {
	case !v.IsNull():
		return v.GetAttr(name)
	case v.Type().IsObjectType():
		return cty.NullVal(v.Type().AttributeType(name))
	}
	return generate.NoValue
}

// elementAt returns the element at the step. If it is absent, the result is NoValue and false.
func elementAt(v cty.Value, step cty.PathStep) (cty.Value, bool) {
	for _, e := range parts.ElementsOf(v) {
		if parts.SameStep(e.Step, step) {
			return e.Value, true
		}
	}
	return generate.NoValue, false
}

func hasUnknown(entries []parts.Entry) bool {
	return slices.ContainsFunc(entries, func(e parts.Entry) bool { return !e.Value.IsKnown() })
}
