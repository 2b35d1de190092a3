package tfcheck

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/zero"
)

// The legacy SDK returns zero values in place of null. A provider author can hardly change that,
// so findings that are only caused by zero values have their own severity.

// A zeroCheck finds the violations of a response that are only caused by zero values in place of
// null, or by null in place of zero values.
type zeroCheck struct {
	from, to cty.Value            // the compared values
	left     objchange.Violations // violations that remain with null in place of every zero value
}

// zeroCheck checks the response again, with null in place of every zero value.
func (x Exchange) zeroCheck() *zeroCheck {
	z := &zeroCheck{from: x.Config, to: x.Response}
	if x.RPC == "ApplyResourceChange" {
		z.from = x.Planned
	}
	for _, v := range []*cty.Value{&x.Prior, &x.Config, &x.Planned, &x.Response} {
		*v = zero.Null(x.Schema, *v)
	}
	x.RequiresReplace = nil // no value affects these paths
	z.left = checkedRPCs[x.RPC].response(x)
	return z
}

// only reports whether the violation disappears if null replaces the zero values, or whether both
// sides contain only zero values.
func (z *zeroCheck) only(v *objchange.Violation) bool { return zero.Explains(v, z.from, z.to, z.left) }
