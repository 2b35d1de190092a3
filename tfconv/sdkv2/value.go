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

// ValueToCty returns a value of the SDK's cty as cty has it, of the same type.
// Null and unknown values are null and unknown values, also of the dynamic type. The
// zero Value, which the SDK has for a state that does not exist, is null of the dynamic
// type. An unknown value of the zero Type is unknown of the dynamic type.
//
// The error, an [*ctydata.ValueError] mostly, says where there is what the other
// cty cannot have or should not get: something marked (unmark it first: what a
// mark means, nobody could know there), the zero Type, capsules, numbers
// beyond 2^4096. It shows neither values nor keys of maps. Nothing panics. Numbers
// come out as the protocol carries them: those that are neither integers nor floats
// of 64 bits as the shortest decimal of their precision.
//
// It costs what taking one value apart and making the other costs: each set is
// looked through once, as cty sorts it for that, and the type is converted once.
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
		return cty.NilVal, told(wrong(err.Error()))
	}
	if to, err = toCty(v, ty); err != nil {
		return cty.NilVal, told(err)
	}
	return to, nil
}

// ValueFromCty returns a value as the SDK's cty has it, of the same type. What is
// promised of unknown values is lost, since that has no refinements; else it is
// [ValueToCty] the other way, with the same errors and cost.
func ValueFromCty(v cty.Value) (to hcty.Value, err error) {
	defer rescue(&to, &err)
	if v == cty.NilVal {
		return hcty.NilVal, errZero
	}
	ty, err := TypeFromCty(v.Type())
	if err != nil {
		return hcty.NilVal, told(wrong(err.Error()))
	}
	if to, err = fromCty(v, ty); err != nil {
		return hcty.NilVal, told(err)
	}
	return to, nil
}

var errZero = errors.New("the value is the zero cty.Value")

const marked = "is marked, which the other cty would not know the meaning of"

// maxExponent is the largest binary exponent of numbers, that of package objchange.
const maxExponent = 4096

// decimalPrec is the precision to which both ctys parse decimals.
const decimalPrec = 512

var farOutReason = fmt.Sprintf("is a number beyond 2^%d", maxExponent)

// carried returns a number in the form in which the protocol carries it: as an
// integer or a float of 64 bits, and else as the shortest decimal that tells it
// from all others of its precision. The SDK's cty compares sets by that form, so
// without it a set would not be the one that the SDK has got from Terraform.
func carried(f *big.Float) (*big.Float, error) {
	if exp := f.MantExp(nil); exp < -maxExponent || exp > maxExponent {
		return nil, wrong(farOutReason) // no decimal of that is worth waiting for
	}
	if i, acc := f.Int64(); acc == big.Exact {
		return new(big.Float).SetInt64(i), nil
	}
	if x, acc := f.Float64(); acc == big.Exact && !f.IsInt() {
		return new(big.Float).SetFloat64(x), nil
	}
	if f.Prec() == decimalPrec && f.Acc() != big.Exact {
		return f, nil // a decimal once parsed is parsed to the same again, at some cost
	}
	decimal, _, err := big.ParseFloat(f.Text('f', -1), 10, decimalPrec, big.ToNearestEven)
	return decimal, err
}

// rescue makes an error of a panic of one cty or the other. What was panicked with
// may hold values, so it is not told.
func rescue[V any](v *V, err *error) {
	if recover() != nil {
		var none V
		*v, *err = none, errors.New("the value cannot be used: working with it panics")
	}
}

// placed is an error inside a value, with the way to the place from the end: each
// level adds its own step as the error passes, so that no way is kept where all
// is well.
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

// told returns an error for the caller, with its place. Keys of maps are data and
// not shown.
func told(err error) error {
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
