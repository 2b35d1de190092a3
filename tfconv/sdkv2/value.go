package sdkv2

import (
	"errors"

	hcty "github.com/hashicorp/go-cty/cty"
	hmsgpack "github.com/hashicorp/go-cty/cty/msgpack"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/objchange/objchange/internal/values"
	"github.com/objchange/objchange/tfconv"
	"github.com/objchange/objchange/tfconv/internal/carry"
	"github.com/zclconf/go-cty/cty"
)

// ValueToCty converts a value of the SDK's cty to a value of cty with the same type, as the protocol
// carries it. Null and unknown values stay null and unknown, also those of the dynamic type. The
// zero Value, which the SDK uses for a missing state, becomes a null of the dynamic type. An unknown
// value of the zero Type becomes an unknown value of the dynamic type. Integers and floats of 64
// bits stay the same. Any other number becomes the shortest decimal that identifies it at its
// precision.
//
// It returns an error, usually a [*ctydata.ValueError] with the path, for marked values, the zero
// Type, capsules, and numbers beyond 2^4096. Unmark values first, because a mark has no meaning in
// the other cty. The error contains neither values nor keys of maps. ValueToCty does not panic.
func ValueToCty(v hcty.Value) (to cty.Value, err error) {
	defer values.Rescue(&to, &err)
	switch v {
	case hcty.NilVal:
		return cty.NullVal(cty.DynamicPseudoType), nil
	case hcty.UnknownVal(hcty.NilType):
		return cty.DynamicVal, nil
	}
	ty, err := TypeToCty(v.Type())
	if err != nil {
		return cty.NilVal, carry.ErrorAt(nil, err.Error())
	}
	if err := carried(v); err != nil {
		return cty.NilVal, err
	}
	encoded, err := hmsgpack.Marshal(v, v.Type())
	if err != nil {
		return cty.NilVal, err
	}
	return tfconv.Decode5(&tfprotov5.DynamicValue{MsgPack: encoded}, ty)
}

// carried returns an error if a part of the value is marked or is a number that the protocol cannot
// carry. Its path ends before a set element.
func carried(v hcty.Value) error {
	return hcty.Walk(v, func(path hcty.Path, part hcty.Value) (bool, error) {
		reason := ""
		switch {
		case part.IsMarked():
			reason = carry.Marked
		case part.Type() == hcty.Number && part.IsKnown() && !part.IsNull():
			if err := carry.Number(part.AsBigFloat()); err != nil {
				reason = "is " + err.Error()
			}
		}
		if reason == "" {
			return true, nil
		}
		return false, carry.ErrorAt(pathToCty(path), reason)
	})
}

// pathToCty returns the path up to the first step to a set element.
func pathToCty(path hcty.Path) (to cty.Path) {
	for _, step := range path {
		switch step := step.(type) {
		case hcty.GetAttrStep:
			to = append(to, cty.GetAttrStep{Name: step.Name})
		case hcty.IndexStep:
			key, err := ValueToCty(step.Key)
			if err != nil || !key.Type().IsPrimitiveType() {
				return to
			}
			to = append(to, cty.IndexStep{Key: key})
		}
	}
	return to
}

// ValueFromCty converts a value of cty to a value of the SDK's cty with the same type. Refinements
// of unknown values are lost, because the SDK's cty has no refinements. Otherwise it is the inverse
// of [ValueToCty], with the same errors.
func ValueFromCty(v cty.Value) (to hcty.Value, err error) {
	defer values.Rescue(&to, &err)
	if v == cty.NilVal {
		return hcty.NilVal, errZero
	}
	ty, err := TypeFromCty(v.Type())
	if err != nil {
		return hcty.NilVal, carry.ErrorAt(nil, err.Error())
	}
	encoded, err := tfconv.Encode5(v, v.Type())
	if err != nil {
		return hcty.NilVal, err
	}
	return hmsgpack.Unmarshal(encoded.MsgPack, ty)
}

var errZero = errors.New("the value is the zero cty.Value")
