package tfcheck

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/zero"
)

// An author can hardly change zero values of the legacy SDK, so findings that come only from
// them have a severity of their own.

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
		*v = zero.Null(x.Schema, *v)
	}
	x.RequiresReplace = nil // which no value has a say in
	z.left = checkedRPCs[x.RPC].response(x)
	return z
}

// only reports whether the violation is gone with the zero values, or has nothing
// but such on both sides.
func (z *zeroCheck) only(v *objchange.Violation) bool { return zero.Explains(v, z.from, z.to, z.left) }
