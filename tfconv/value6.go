package tfconv

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"
)

// Decode6 returns the value that crossed protocol 6, as one of the type, parts
// of which may be the dynamic type. What is promised of unknown values is kept.
// A nil or empty DynamicValue is the null of the type; MessagePack comes before
// JSON. In JSON, attributes may be missing and are null, and plain values
// convert as Terraform converts them.
//
// The error says what is wrong and where: input that is malformed, or goes on
// after its end, and data that is not of the type or that cty does not have:
// see [ValueToCty]. It shows neither values nor keys of maps. Nothing panics, and
// a length that the input only claims to have costs nothing.
func Decode6(v *tfprotov6.DynamicValue, ty cty.Type) (cty.Value, error) {
	return (*encoded)(v).decode(ty)
}

// Encode6 returns the value as it crosses protocol 6: in MessagePack, with what
// is promised of unknown values. It must conform to the type, which may contain
// the dynamic type where [Decode6] is to find out the value's own. An untyped
// null or unknown value is one of the type.
//
// The error says where the value is not of the type, is marked, or cannot be
// encoded for the reasons of [ValueFromCty]. It shows no values.
func Encode6(v cty.Value, ty cty.Type) (*tfprotov6.DynamicValue, error) {
	encoded, err := encode(v, ty)
	if err != nil {
		return nil, err
	}
	return &tfprotov6.DynamicValue{MsgPack: encoded}, nil
}
