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

// cited, if it is not nil, is called with the number of each paragraph that a reference applies.
var cited func(paragraph string)

func cite(paragraph string) { citeIf(true, paragraph) }

func citeIf(applies bool, paragraph string) {
	if applies && cited != nil {
		cited(paragraph)
	}
}

// citeNested cites one paragraph for nested attributes and another for blocks.
func citeNested(n parts.Nest, nested, block string) {
	citeIf(!n.Block, nested)
	citeIf(n.Block, block)
}

// citeMode cites one paragraph for lists and another for maps.
func citeMode(n parts.Nest, list, keyed string) {
	citeIf(n.Mode == configschema.NestingList, list)
	citeIf(n.Mode == configschema.NestingMap, keyed)
}

// citeNoValue cites the paragraph for an absent value of c, or for one that equals p.
func citeNoValue(c cty.Value) {
	citeIf(c == cty.NilVal, "P-4.3")
	citeIf(c != cty.NilVal, "P-4.4")
}

// A verdict is the findings of a reference: a line for each path and rule, which ends in "?" if
// it is not enforced.
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

// equalValues is "equal" of section 1 of the specification.
func equalValues(a, b cty.Value) bool {
	return a.IsNull() && b.IsNull() || sharp(a).RawEquals(sharp(b))
}

// equalAt is equalValues at the place of an attribute: where the type is open, a
// null of another type is another value.
func equalAt(a *configschema.Attribute, x, y cty.Value) bool {
	if x.IsNull() && y.IsNull() && a.Type == cty.DynamicPseudoType {
		return x.Type().Equals(y.Type())
	}
	return equalValues(x, y)
}

// equalExactly is "exactly equal" of section 1 of the specification.
func equalExactly(a, b cty.Value) bool {
	return a.IsNull() && b.IsNull() || a.RawEquals(b)
}

// under returns the attribute of an object that may be null or unknown. Where the object
// is null, the attribute is null, of the type that the object's type gives it.
func under(v cty.Value, name string) cty.Value {
	switch {
	case !v.IsNull():
		return v.GetAttr(name)
	case v.Type().IsObjectType():
		return cty.NullVal(v.Type().AttributeType(name))
	}
	return generate.NoValue
}

// elementAt returns the element at the same step, and whether there is one.
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
