package tfcheck

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/msgpack"
)

// ValueToCty returns the value as one of the type, that of a schema for example
// (objchange.Block.ImpliedType), parts of which may be the dynamic type; or as
// one of its own type, if that is cty.NilType. Null and unknown values, also
// those of the dynamic type, are null and unknown values of the type. Strings
// may hold any bytes and come out in Unicode NFC, equal elements of a set become one, and numbers come
// out as the protocol carries them: those that are neither integers nor floats
// of 64 bits as the shortest decimal of their precision.
//
// The error, a [*ValueError] mostly, says where the value is not of the type, or what cty does not have:
// the zero tftypes.Value, known values of the dynamic type (NewValue makes them,
// no codec takes them), elements of several types in one collection, and numbers
// beyond 2^4096. It shows neither values nor keys of maps. Nothing panics.
func ValueToCty(v tftypes.Value, ty cty.Type) (to cty.Value, err error) {
	defer rescue(&to, &err)
	if v.Type() == nil {
		return cty.NilVal, errors.New("the value is the zero tftypes.Value")
	}
	if ty == cty.NilType {
		ty = cty.DynamicPseudoType
	}
	b := builder{format: fromTF}
	return b.result(b.value(ty.WithoutOptionalAttributesDeep(), v))
}

// ValueFromCty returns the value as tftypes has it, of its own type. What is
// promised of unknown values is lost, since tftypes has no refinements; numbers
// come out as for [ValueToCty].
//
// The error says where the value cannot be in tftypes: marked values (unmark
// them first: nobody could mark them again), the zero cty.Value, capsules, and
// numbers beyond 2^4096. It shows no values.
func ValueFromCty(v cty.Value) (tftypes.Value, error) {
	if v == cty.NilVal {
		return tftypes.Value{}, errZero
	}
	return valueFromCty(v, v.Type())
}

// valueFromCty returns the value with the type of a schema, as decoding what
// crosses the protocol does.
func valueFromCty(v cty.Value, ty cty.Type) (to tftypes.Value, err error) {
	defer rescue(&to, &err)
	tf, err := TypeFromCty(ty.WithoutOptionalAttributesDeep())
	if err != nil {
		return tftypes.Value{}, err
	}
	encoded, err := encode(v, ty)
	if err != nil {
		return tftypes.Value{}, err
	}
	return tfprotov6.DynamicValue{MsgPack: encoded}.Unmarshal(tf)
}

var errZero = errors.New("the value is the zero cty.Value")

// encode returns the MessagePack of a value that conforms to the type.
func encode(v cty.Value, ty cty.Type) (encoded []byte, err error) {
	defer rescue(&encoded, &err)
	switch {
	case v == cty.NilVal:
		return nil, errZero
	case ty == cty.NilType:
		return nil, errors.New("the type is the zero cty.Type")
	}
	ty = ty.WithoutOptionalAttributesDeep()
	if err := encodable(v); err != nil {
		return nil, err
	}
	if v.Type() == cty.DynamicPseudoType && v.IsNull() {
		v = cty.NullVal(ty)
	} else if v.Type() == cty.DynamicPseudoType {
		v = cty.UnknownVal(ty)
	}
	if err := conforms(v.Type(), ty); err != nil {
		return nil, err // which Marshal would convert, if it can
	}
	return msgpack.Marshal(v, ty)
}

// conforms returns the first reason why one type does not conform to another.
func conforms(ty, to cty.Type) error {
	var first error
	for _, err := range ty.TestConformance(to) { // in map order
		if at := (cty.PathError{}); errors.As(err, &at) {
			err = errorAt(at.Path, err.Error())
		}
		if first == nil || err.Error() < first.Error() {
			first = err
		}
	}
	return first
}

// encodable returns why a value cannot be encoded, and where.
func encodable(v cty.Value) error {
	return cty.Walk(v, func(path cty.Path, v cty.Value) (bool, error) {
		reason := ""
		switch {
		case v.IsMarked():
			reason = "is marked, which the protocol has no way to say"
		case v.Type().IsCapsuleType():
			reason = "is a " + v.Type().FriendlyName() + ", which exists in cty only"
		case !v.IsKnown() && farOutRange(v):
			reason = "is bounded by " + errFarOut.Error()
		case v.IsNull() || !v.IsKnown():
		case v.Type() == cty.Number && farOut(v.AsBigFloat()):
			reason = "is " + errFarOut.Error()
		}
		if reason == "" {
			return true, nil
		}
		return false, errorAt(path, reason)
	})
}

// maxExponent is the largest binary exponent of numbers. Writing others in
// decimal takes long, up to for ever, and cty does so for every element of a
// set.
const maxExponent = 4096

// maxDigits is how long the text of a number may be: reading it takes time that
// grows with the square.
const maxDigits = 8192

var errFarOut = fmt.Errorf("a number beyond 2^%d", maxExponent)

// farOut reports whether a number is too large or too near zero.
func farOut(f *big.Float) bool {
	exp := f.MantExp(nil)
	return exp < -maxExponent || exp > maxExponent
}

// farOutRange reports whether an unknown number is known to be near one that is
// too far out.
func farOutRange(v cty.Value) bool {
	if v.Type() != cty.Number {
		return false
	}
	if v.IsKnown() {
		return !v.IsNull() && farOut(v.AsBigFloat())
	}
	low, _ := v.Range().NumberLowerBound()
	high, _ := v.Range().NumberUpperBound()
	return low.IsKnown() && farOut(low.AsBigFloat()) || high.IsKnown() && farOut(high.AsBigFloat())
}

// carried returns a number as the protocol carries it: as an integer or a float
// of 64 bits, and else as the shortest decimal that tells it from all others of
// its precision, which need not be the number itself. The codecs of tftypes and
// cty agree on that.
func carried(f *big.Float) (any, error) {
	if farOut(f) {
		return nil, errFarOut
	}
	_, whole := f.Int64()
	_, float := f.Float64()
	if whole == big.Exact || float == big.Exact && !f.IsInt() || f.IsInf() {
		return f, nil
	}
	return json.Number(f.Text('f', -1)), nil
}

// number reads a number as it is written in text.
func number(text string) (cty.Value, error) {
	if len(text) > maxDigits {
		return cty.NilVal, fmt.Errorf("a number of more than %d digits", maxDigits)
	}
	v, err := cty.ParseNumberVal(text)
	if err != nil {
		return cty.NilVal, errors.New("must be a number, not a string that is none")
	}
	if farOut(v.AsBigFloat()) {
		return cty.NilVal, errFarOut
	}
	return v, nil
}
