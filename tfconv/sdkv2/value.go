package sdkv2

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	hcty "github.com/hashicorp/go-cty/cty"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/ctydata"
	"github.com/zclconf/go-cty/cty"
)

// ValueToCty converts a value of the SDK's cty to a value of cty with the same type. Null and
// unknown values stay null and unknown, also those of the dynamic type. The zero Value, which the
// SDK uses for a missing state, becomes a null of the dynamic type. An unknown value of the zero
// Type becomes an unknown value of the dynamic type.
//
// Numbers are returned as the protocol carries them: integers and floats of 64 bits stay the same,
// and any other number becomes the shortest decimal that identifies it at its precision.
//
// It returns an error, usually a [*ctydata.ValueError] with the path, for marked values, the zero
// Type, capsules, and numbers beyond 2^4096. Unmark values first, because a mark has no meaning in
// the other cty. The error contains neither values nor keys of maps. ValueToCty does not panic.
//
// The cost is the cost of reading one value and building the other. Each set is iterated once,
// which makes cty sort it, and the type is converted once.
func ValueToCty(v hcty.Value) (to cty.Value, err error) {
	defer rescue(&to, &err)
	switch v {
	case hcty.NilVal:
		return cty.NullVal(cty.DynamicPseudoType), nil
	case hcty.UnknownVal(hcty.NilType):
		return cty.DynamicVal, nil
	}
	ty, err := TypeToCty(v.Type())
	if err != nil {
		return cty.NilVal, located(wrong(err.Error()))
	}
	if to, err = toCty(v, ty); err != nil {
		return cty.NilVal, located(err)
	}
	return to, nil
}

// ValueFromCty converts a value of cty to a value of the SDK's cty with the same type. Refinements
// of unknown values are lost, because the SDK's cty has no refinements. Otherwise it is the inverse
// of [ValueToCty], with the same errors and cost.
func ValueFromCty(v cty.Value) (to hcty.Value, err error) {
	defer rescue(&to, &err)
	if v == cty.NilVal {
		return hcty.NilVal, errZero
	}
	ty, err := TypeFromCty(v.Type())
	if err != nil {
		return hcty.NilVal, located(wrong(err.Error()))
	}
	if to, err = fromCty(v, ty); err != nil {
		return hcty.NilVal, located(err)
	}
	return to, nil
}

var errZero = errors.New("the value is the zero cty.Value")

const marked = "is marked, and marks cannot be converted"

// maxExponent is the largest binary exponent of numbers, and the largest number of their binary
// digits. Package objchange has the same limit.
const maxExponent = 4096

// decimalPrec is the precision to which both cty packages parse decimals.
const decimalPrec = 512

var (
	farOutReason     = fmt.Sprintf("is a number beyond 2^%d", maxExponent)
	tooPreciseReason = fmt.Sprintf("is a number of more than %d binary digits", maxExponent)
)

// carried returns a number as the protocol carries it. Integers and floats of 64 bits stay the
// same. Any other number becomes the shortest decimal that identifies it at its precision. The
// SDK's cty compares set elements in that form. A number in another form would make the set differ
// from the set that the SDK received from Terraform.
func carried(f *big.Float) (*big.Float, error) {
	if exp := f.MantExp(nil); exp < -maxExponent || exp > maxExponent {
		return nil, wrong(farOutReason) // formatting such a number as a decimal is too slow
	} else if f.MinPrec() > maxExponent {
		return nil, wrong(tooPreciseReason) // so is this
	}
	if i, acc := f.Int64(); acc == big.Exact {
		return new(big.Float).SetInt64(i), nil
	}
	if x, acc := f.Float64(); acc == big.Exact && !f.IsInt() {
		return new(big.Float).SetFloat64(x), nil
	}
	if f.Prec() == decimalPrec && f.Acc() != big.Exact {
		return f, nil // parsing the same decimal again gives the same number, at some cost
	}
	decimal, _, err := big.ParseFloat(f.Text('f', -1), 10, decimalPrec, big.ToNearestEven)
	return decimal, err
}

// rescue converts a panic of either cty into an error. The error omits the text of the panic, which
// may contain values.
func rescue[V any](v *V, err *error) {
	if recover() != nil {
		var none V
		*v, *err = none, errors.New("the value is invalid: an operation on it panics")
	}
}

// placed is an error inside a value. Its path is in reverse order, because each level adds its own
// step when it returns the error. The conversion therefore builds no path for a valid value.
type placed struct {
	steps  []cty.PathStep
	reason string
}

func (p *placed) Error() string { return p.reason }

func wrong(reason string) error { return &placed{reason: reason} }

// at adds a step to an error.
func at(step cty.PathStep, err error) error {
	if p, ok := err.(*placed); ok {
		p.steps = append(p.steps, step)
	}
	return err
}

func atAttr(name string, err error) error { return at(cty.GetAttrStep{Name: name}, err) }
func atKey(key string, err error) error   { return at(cty.IndexStep{Key: cty.StringVal(key)}, err) }
func atIndex(i int, err error) error      { return at(cty.IndexStep{Key: cty.NumberIntVal(int64(i))}, err) }

// located returns an error for the caller, with its path. Map keys are hidden, because they are
// data.
func located(err error) error {
	p, ok := err.(*placed)
	if !ok {
		return err
	}
	slices.Reverse(p.steps)
	path := cty.Path(p.steps)
	shown := path.Copy()
	for i, step := range shown {
		if step, ok := step.(cty.IndexStep); ok && step.Key.Type() == cty.String {
			shown[i] = cty.IndexStep{Key: hiddenKey}
		}
	}
	place := objchange.PathString(shown)
	if place == "" {
		place = "the value"
	}
	return &ctydata.ValueError{Path: path, Place: place, Hidden: true, Reason: p.reason}
}

var hiddenKey = cty.StringVal("").Mark("hidden")
