package lawtest

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/lawtest/generate"
	"github.com/objchange/objchange/internal/lawtest/parts"
)

// The references say once more what the law says (docs/semantics.md), in its
// own order and words, without a thought for cost, to hold the package to it on
// small values without marks. This file has what they share.

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

// equalValues is "equal" of semantics.md#words.
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

// equalExactly is "exactly equal" of semantics.md#words.
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
