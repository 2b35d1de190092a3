// Package zero finds differences that are only between null and zero values. The legacy SDK has no
// null. For an attribute that is not set, the provider's code reads the zero value of the type, and
// returns that value.
package zero

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/paths"
)

// Explains reports whether a violation of two values is only a difference between null and zero
// values. It is if both sides contain only zero values, or if the violation disappears when null
// replaces every zero value. left contains the violations that remain after the replacement. The
// object as a whole never counts as a zero value.
func Explains(v *objchange.Violation, from, to cty.Value, left objchange.Violations) bool {
	if len(v.Path) == 0 {
		return false
	}
	if isZeroAt(from, v.Path) && isZeroAt(to, v.Path) {
		return true
	}
	place := v.PathString()
	return !slices.ContainsFunc(left, func(left *objchange.Violation) bool {
		other := left.PathString()
		return paths.Within(place, other) || paths.Within(other, place)
	})
}

// isZeroAt reports whether the value at the path contains only zero values. It returns false for a
// path into a set.
func isZeroAt(v cty.Value, path cty.Path) bool {
	at, err := path.Apply(v)
	return err == nil && isZero(at)
}

// Null returns the value without marks. Null replaces each zero value in an attribute. Blocks
// remain, because they cannot be null, but attributes in them are replaced. Null returns the zero
// cty.Value unchanged.
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
