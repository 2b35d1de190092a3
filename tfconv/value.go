package tfconv

import (
	"errors"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
)

// ValueToCty returns the value as one of the type, that of a schema for example
// (configschema.Block.ImpliedType), parts of which may be the dynamic type; or as
// one of its own type, if that is cty.NilType. Null and unknown values, also
// those of the dynamic type, are null and unknown values of the type. Strings
// may hold any bytes and come out in Unicode NFC, equal elements of a set become
// one, and numbers come out as the protocol carries them: those that are neither
// integers nor floats of 64 bits as the shortest decimal of their precision.
//
// The error, an [*ctydata.ValueError] mostly, says where the value is not of
// the type, or what cty does not have: the zero tftypes.Value, known values of
// the dynamic type (NewValue makes them, no codec takes them), elements of
// several types in one collection, and numbers beyond 2^4096. It shows neither
// values nor keys of maps. Nothing panics.
func ValueToCty(v tftypes.Value, ty cty.Type) (cty.Value, error) {
	if ty == cty.NilType {
		ty = cty.DynamicPseudoType
	}
	return valueToCty(v, ty.WithoutOptionalAttributesDeep())
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
	ty, err := TypeFromCty(v.Type()) // values have no optional attributes
	if err != nil {
		return tftypes.Value{}, err
	}
	return valueFromCty(v, ty)
}

var errZero = errors.New("the value is the zero cty.Value")

// rescue makes an error of a panic of cty or tftypes. What was panicked with may
// hold values, so it is not told.
func rescue[V any](v *V, err *error) {
	if recover() != nil {
		var none V
		*v, *err = none, errors.New("the value cannot be used: working with it panics")
	}
}
