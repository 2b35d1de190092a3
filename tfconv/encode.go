package tfconv

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/objchange/objchange/internal/values"
	"github.com/objchange/objchange/tfconv/internal/carry"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/msgpack"
)

// Encode6 returns the value as protocol 6 encodes it: in MessagePack, with the refinements of
// unknown values. The value must conform to the type. The type must contain the dynamic type
// wherever [Decode6] must determine the type from the value. An untyped null or unknown value
// becomes a null or unknown value of the type.
//
// It returns an error with the path if the value does not conform to the type, is marked, or cannot
// be encoded for the reasons of [ValueFromCty]. The error contains no values.
func Encode6(v cty.Value, ty cty.Type) (*tfprotov6.DynamicValue, error) {
	encoded, err := encode(v, ty)
	if err != nil {
		return nil, err
	}
	return &tfprotov6.DynamicValue{MsgPack: encoded}, nil
}

// encode returns the MessagePack encoding of a value that conforms to the type.
func encode(v cty.Value, ty cty.Type) (encoded []byte, err error) {
	defer values.Rescue(&encoded, &err)
	if ty != cty.NilType {
		ty = ty.WithoutOptionalAttributesDeep()
	}
	if err := encodesAs(v, ty); err != nil {
		return nil, err // Marshal would convert the value if it can
	}
	if err := encodable(v); err != nil {
		return nil, err
	}
	if v.Type() == cty.DynamicPseudoType && v.IsNull() {
		v = cty.NullVal(ty)
	} else if v.Type() == cty.DynamicPseudoType {
		v = cty.UnknownVal(ty)
	}
	return msgpack.Marshal(v, ty)
}

// encodesAs returns the first reason why a value does not conform to a type, or nil. An untyped null
// or unknown value conforms to every type.
func encodesAs(v cty.Value, ty cty.Type) error {
	switch {
	case v == cty.NilVal:
		return errZero
	case ty == cty.NilType:
		return errors.New("the type is the zero cty.Type")
	case v.Type() == cty.DynamicPseudoType:
		return nil
	}
	var first error
	for _, err := range v.Type().TestConformance(ty) { // in map order
		if at := (cty.PathError{}); errors.As(err, &at) {
			err = carry.ErrorAt(at.Path, err.Error())
		}
		if first == nil || err.Error() < first.Error() {
			first = fmt.Errorf("%w", err)
		}
	}
	return first
}

// encodable returns an error with the path if the protocol cannot represent a part of the value. The
// error for a value that is too deep has no path.
func encodable(v cty.Value) error {
	return cty.Walk(v, func(path cty.Path, v cty.Value) (bool, error) {
		if len(path) > carry.MaxDepth {
			return false, carry.ErrDepth
		}
		if reason := whyNotSent(v); reason != "" {
			return false, carry.ErrorAt(path.Copy(), reason)
		}
		return true, nil
	})
}

// whyNotSent returns the reason why the protocol cannot represent the value itself, or "". It does
// not look at the parts of the value.
func whyNotSent(v cty.Value) string {
	switch {
	case v.IsMarked():
		return carry.Marked
	case v.Type().IsCapsuleType():
		return "is a " + v.Type().FriendlyName() + ", which the protocol does not support"
	case !v.IsKnown() && farOutRange(v):
		return "is bounded by " + carry.ErrFarOut.Error()
	case v.IsNull() || !v.IsKnown():
	case v.Type() == cty.Number:
		if err := carry.Number(v.AsBigFloat()); err != nil {
			return "is " + err.Error()
		}
	}
	return ""
}

// farOutRange reports whether the protocol cannot carry a bound of an unknown number, or the number
// itself if it is known.
func farOutRange(v cty.Value) bool {
	if v.Type() != cty.Number {
		return false
	}
	if v.IsKnown() {
		return !v.IsNull() && carry.Number(v.AsBigFloat()) != nil
	}
	low, _ := v.Range().NumberLowerBound()
	high, _ := v.Range().NumberUpperBound()
	tooFar := func(bound cty.Value) bool { return bound.IsKnown() && carry.Number(bound.AsBigFloat()) != nil }
	return tooFar(low) || tooFar(high)
}

// decimalPrec is the precision to which cty parses decimals.
const decimalPrec = 512

// carriedNumber returns a number as the protocol carries it. Integers and floats of 64 bits stay
// the same. Any other number becomes the shortest decimal that identifies it at its precision,
// which can differ from the number. The codecs of tftypes and of cty do the same.
func carriedNumber(f *big.Float) (*big.Float, error) {
	if err := carry.Number(f); err != nil {
		return nil, err
	}
	if _, whole := f.Int64(); whole == big.Exact {
		return f, nil
	}
	if _, float := f.Float64(); float == big.Exact && !f.IsInt() || f.IsInf() {
		return f, nil
	}
	if f.Prec() == decimalPrec && f.Acc() != big.Exact {
		return f, nil // parsing the same decimal again gives the same number, at some cost
	}
	v, err := cty.ParseNumberVal(f.Text('f', -1))
	if err != nil {
		return nil, err
	}
	return v.AsBigFloat(), nil
}
