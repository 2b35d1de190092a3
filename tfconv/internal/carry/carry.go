// Package carry has what the conversions of tfconv and tfconv/sdkv2 share: the limits of the values
// that the protocol carries, errors with a path, and the Proposer.
package carry

import (
	"fmt"
	"math/big"

	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// MaxDepth is the maximal number of levels of types and values. Deeper input is malicious or
// contains a cycle.
const MaxDepth = 500

// ErrDepth reports a type or a value that is too deep.
var ErrDepth = fmt.Errorf("nested deeper than %d levels", MaxDepth)

// Marked is the reason why a marked value cannot be converted.
const Marked = "is marked, and the protocol does not support marks"

// ErrFarOut reports a number that is too large, or too close to zero. Writing it in decimal takes
// very long.
var ErrFarOut = fmt.Errorf("a number beyond 2^%d", values.MaxExponent)

var errTooPrecise = fmt.Errorf("a number of more than %d binary digits", values.MaxExponent)

// Number returns the reason why the protocol cannot carry a number, or nil.
func Number(f *big.Float) error {
	switch {
	case values.FarOut(f):
		return ErrFarOut
	case f.MinPrec() > values.MaxExponent: // the protocol carries 512
		return errTooPrecise
	}
	return nil
}

// ErrorAt returns an error at a path. It contains no value and no map key.
func ErrorAt(path cty.Path, reason string) error {
	return &ctydata.ValueError{Path: path, Shown: paths.HideKeys(path), Reason: reason}
}
