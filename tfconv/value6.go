package tfconv

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"
)

// Decode6 returns a value encoded in protocol 6 as a cty.Value of the type. Parts of the type may
// be the dynamic type. Refinements of unknown values are kept. A nil or empty DynamicValue becomes
// a null of the type. If the DynamicValue has both MessagePack and JSON, Decode6 reads the
// MessagePack. In JSON, missing attributes are null, and primitive values are converted as
// Terraform converts them.
//
// It returns an error with the path if the data does not conform to the type, or if cty cannot
// represent it (see [ValueToCty]). For malformed input, or input with trailing data, the error
// matches [ErrMalformed]. The error contains neither values nor keys of maps. Decode6 does not
// panic, and checks claimed lengths against the remaining input before it allocates memory.
func Decode6(v *tfprotov6.DynamicValue, ty cty.Type) (cty.Value, error) {
	return (*encoded)(v).decode(ty)
}

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
