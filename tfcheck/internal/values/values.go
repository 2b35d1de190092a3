// Package values has what packages tfcheck and driver both need to know of values, paths
// and violations.
package values

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfconv"
)

// Differences has one violation for each place that changed.
func Differences(changes []objchange.Change, rule objchange.Rule, enforced bool, message func(objchange.Change) string) (found objchange.Violations) {
	for i, c := range changes {
		if i > 0 && c.PathString() == changes[i-1].PathString() {
			continue // elements that come and go at one set
		}
		found = append(found, c.Violation(rule, message(c), enforced))
	}
	return found
}

// Without returns the violations of other rules.
func Without(vs objchange.Violations, rule objchange.Rule) objchange.Violations {
	return slices.DeleteFunc(slices.Clone(vs), func(v *objchange.Violation) bool { return v.Rule == rule })
}

// Only returns the violations of the rule.
func Only(vs objchange.Violations, rule objchange.Rule) objchange.Violations {
	return slices.DeleteFunc(slices.Clone(vs), func(v *objchange.Violation) bool { return v.Rule != rule })
}

// PathOnWire returns what arrives of a path: the protocol has no step into a set, so
// SDKs end it there.
func PathOnWire(path *tftypes.AttributePath) (cty.Path, error) {
	steps := path.Steps()
	for i, step := range steps {
		if _, intoSet := step.(tftypes.ElementKeyValue); intoSet {
			steps = steps[:i]
			break
		}
	}
	return tfconv.PathToCty(tftypes.NewAttributePathWithSteps(steps))
}

// noNumber is a number without a value, on which most of cty panics.
var noNumber = cty.NumberVal(nil)

// HasInfinity reports whether there is an infinite number in the value.
func HasInfinity(v cty.Value) bool {
	v, _ = v.Unmark()
	ty := v.Type()
	switch {
	case v.IsNull() || !v.IsKnown() || !mayHoldNumber(ty):
		return false
	case ty == cty.Number:
		return v != noNumber && v.AsBigFloat().IsInf()
	case ty.IsObjectType():
		for name := range ty.AttributeTypes() { // an iterator would sort them
			if HasInfinity(v.GetAttr(name)) {
				return true
			}
		}
		return false
	case ty.IsMapType():
		for it := v.ElementIterator(); it.Next(); {
			if _, element := it.Element(); HasInfinity(element) {
				return true
			}
		}
		return false
	}
	return slices.ContainsFunc(v.AsValueSlice(), HasInfinity)
}

// mayHoldNumber reports whether values of the type may have a number in them.
func mayHoldNumber(ty cty.Type) bool {
	switch {
	case ty == cty.Number || ty == cty.DynamicPseudoType:
		return true
	case ty.IsCollectionType():
		return mayHoldNumber(ty.ElementType())
	case ty.IsObjectType():
		for _, attr := range ty.AttributeTypes() {
			if mayHoldNumber(attr) {
				return true
			}
		}
	case ty.IsTupleType():
		for _, element := range ty.TupleElementTypes() {
			if mayHoldNumber(element) {
				return true
			}
		}
	}
	return false
}
