// Package legacysdk finds the violations that the legacy SDK (terraform-plugin-sdk) itself causes.
// The authors of a provider can hardly avoid them:
//
//   - The SDK has no null. For an attribute that is not set, the provider's code reads the zero
//     value of the type, and returns that value.
//   - It plans the Default of an attribute that is not configured, although the attribute is not
//     computed. It does so too when the attribute is removed from the configuration.
package legacysdk

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/paths"
)

// Mark gives the severity LegacySDK to each violation that the legacy SDK itself causes. Core
// tolerates the rule of such a violation in its phase. In addition, both compared values contain
// only zero values at its path, or one of the checks does not find the violation. Violations of the
// whole object or of an unknown value are never marked.
//
// Each check repeats the check of the values, with null in place of zero values (see Null) or with
// the schema of Relaxed. Mark calls the checks only if they may explain a violation.
func Mark(found objchange.Violations, from, to cty.Value, checks ...func() objchange.Violations) {
	var left []objchange.Violations
	for _, v := range found {
		if len(v.Path) == 0 || !slices.Contains(v.Rule.Info().Tolerated, v.Phase) || isUnknownAt(to, v.Path) {
			continue
		}
		if left == nil {
			for _, check := range checks {
				left = append(left, check())
			}
		}
		explains := func(left objchange.Violations) bool { return !anyNear(left, v) }
		if isZeroAt(from, v.Path) && isZeroAt(to, v.Path) || slices.ContainsFunc(left, explains) {
			v.Severity = objchange.LegacySDK
		}
	}
}

// anyNear reports whether a violation of the same phase, or of an unknown phase, is at the place of
// v, around it or inside it.
func anyNear(left objchange.Violations, v *objchange.Violation) bool {
	return slices.ContainsFunc(left, func(other *objchange.Violation) bool {
		return (other.Phase == "" || other.Phase == v.Phase) && paths.Overlap(v.Shown, other.Shown)
	})
}

// isUnknownAt reports whether the value at the path is unknown. A default and a zero value are
// known.
func isUnknownAt(v cty.Value, path cty.Path) bool {
	at, err := path.Apply(v)
	return err == nil && !at.IsKnown()
}

// isZeroAt reports whether the value at the path contains only zero values. It returns false for a
// path into a set.
func isZeroAt(v cty.Value, path cty.Path) bool {
	at, err := path.Apply(v)
	return err == nil && isZero(at)
}

// Null returns the value with null in place of each zero value in an attribute, and without marks.
// Blocks remain, because they cannot be null, but attributes in them are replaced. Null returns the
// zero cty.Value unchanged.
func Null(schema *objchange.Schema, v cty.Value) cty.Value {
	if v == cty.NilVal {
		return v
	}
	v, _ = v.UnmarkDeep()
	nulled, err := cty.Transform(v, func(path cty.Path, part cty.Value) (cty.Value, error) {
		if isZero(part) && inAttribute(schema, path) {
			return cty.NullVal(part.Type()), nil
		}
		return part, nil
	})
	if err != nil {
		return v // no value counts as zero then
	}
	return nulled
}

// inAttribute reports whether the path leads to or into an attribute.
func inAttribute(schema *objchange.Schema, path cty.Path) bool {
	for n := range len(path) {
		if schema.Block().AttributeByPath(path[:n+1]) != nil {
			return true
		}
	}
	return false
}

// isZero reports whether a value is null, "", 0 or false, or contains only such values.
func isZero(v cty.Value) bool {
	v, _ = v.Unmark()
	switch ty := v.Type(); {
	case !v.IsKnown():
		return false
	case v.IsNull():
		return true
	case ty == cty.String:
		return v.AsString() == ""
	case ty == cty.Number:
		return v.AsBigFloat().Sign() == 0
	case ty == cty.Bool:
		return v.False()
	case !v.CanIterateElements():
		return false
	}
	for _, elem := range v.Elements() {
		if !isZero(elem) {
			return false
		}
	}
	return true
}
