package tfconv

import (
	"errors"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
)

// ValueToCty returns the value as a cty.Value of the type, for example the type that a schema
// implies (configschema.Block.ImpliedType). Parts of the type may be the dynamic type. If the type
// is cty.NilType, the result has the type of the value.
//
// Null and unknown values, including values of the dynamic type, become null and unknown values of
// the type. Strings may contain any bytes and are converted to Unicode NFC. Equal elements of a set
// become one element. Numbers are returned as the protocol carries them: integers and floats of 64
// bits stay the same, and any other number becomes the shortest decimal that identifies it at its
// precision.
//
// It returns an error, usually a [*ctydata.ValueError] with the path, if the value does not conform
// to the type, or if cty cannot represent the value. cty cannot represent the zero tftypes.Value,
// known values of the dynamic type (NewValue can create them, but no codec accepts them), elements
// of several types in one collection, and numbers beyond 2^4096. To bound the work, it also returns
// an error for numbers of more than 4096 binary digits, and for sets of more than 4096 elements with
// unknown values. The error contains neither values nor keys of maps. ValueToCty does not panic.
func ValueToCty(v tftypes.Value, ty cty.Type) (cty.Value, error) {
	if ty == cty.NilType {
		ty = cty.DynamicPseudoType
	}
	return valueToCty(v, ty.WithoutOptionalAttributesDeep())
}

// ValueFromCty returns the value as a tftypes.Value of its own type. Refinements of unknown values
// are lost, because tftypes has no refinements. Numbers are returned as for [ValueToCty].
//
// It returns an error with the path if tftypes cannot represent the value: the zero cty.Value,
// capsules, numbers beyond 2^4096 or of more than 4096 binary digits, and marked values. Unmark
// values before the call. The error contains no values.
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
