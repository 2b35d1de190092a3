package tfcheck

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/internal/values"
)

// The legacy SDK has no null: for an attribute that is not set, its code gets the zero
// value of the type, and returns that. An author can hardly change it, so these findings
// have a severity of their own.

// A zeroCheck finds the violations of a response that only come from zero values in place
// of null, or from null in place of zero values.
type zeroCheck struct {
	from, to cty.Value            // what is compared
	left     objchange.Violations // with null for every zero value
}

// zeroCheck checks the response once more, with null for every zero value.
func (x Exchange) zeroCheck() *zeroCheck {
	z := &zeroCheck{from: x.Config, to: x.Response}
	if x.RPC == "ApplyResourceChange" {
		z.from = x.Planned
	}
	for _, v := range []*cty.Value{&x.Prior, &x.Config, &x.Planned, &x.Response} {
		*v = nullForZero(x.Schema, *v)
	}
	x.RequiresReplace = nil // which no value has a say in
	z.left = checkedRPCs[x.RPC].response(x)
	return z
}

// only reports whether the violation is gone with the zero values, or has nothing
// but such on both sides. The object as a whole is none, even if all in it is zero.
func (z *zeroCheck) only(v *objchange.Violation) bool {
	if len(v.Path) == 0 {
		return false
	}
	if zeroAt(z.from, v.Path) && zeroAt(z.to, v.Path) {
		return true
	}
	place := v.PathString()
	return !slices.ContainsFunc(z.left, func(left *objchange.Violation) bool {
		other := left.PathString()
		return values.Within(place, other) || values.Within(other, place)
	})
}

// zeroAt reports whether there is nothing but zero values at the path. Into a set it
// cannot be followed.
func zeroAt(v cty.Value, path cty.Path) bool {
	at, err := path.Apply(v)
	return err == nil && isZero(at)
}

// nullForZero returns the value with null for each part of an attribute that is
// zero. Blocks are left: there may be null in them, and they cannot be null.
func nullForZero(schema *objchange.Schema, v cty.Value) cty.Value {
	if !there(v) {
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
