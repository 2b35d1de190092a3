// Package zero finds differences that are only between null and zero values. The legacy SDK
// has no null: for an attribute that is not set, its code gets the zero value of the type, and
// returns that.
package zero

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/paths"
)

// Explains reports whether a violation of two values is gone with null for every zero value,
// where only the other violations are left, or has nothing but zero values on both sides. The
// object as a whole is no zero value, even if all in it is one.
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

// isZeroAt reports whether there is nothing but zero values at the path. It cannot follow a
// path into a set.
func isZeroAt(v cty.Value, path cty.Path) bool {
	at, err := path.Apply(v)
	return err == nil && isZero(at)
}

// Null returns the value without marks, with null for each part of an attribute that is zero.
// Blocks remain: there may be null in them, and they cannot be null. The zero cty.Value is
// returned as it is.
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
		return v // nothing is taken for zero then
	}
	return nulled
}

// inAttribute reports whether the path leads to an attribute, or into one.
func inAttribute(schema *objchange.Schema, path cty.Path) bool {
	for n := range len(path) {
		if schema.Block().AttributeByPath(path[:n+1]) != nil {
			return true
		}
	}
	return false
}

// isZero reports whether a value is null, "", 0, false, or holds nothing but such.
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
