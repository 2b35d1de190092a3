package tfconv_test

import (
	"errors"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/tfconv"
)

// TestValueErrorOfCodecs checks that the codecs report the same place.
func TestValueErrorOfCodecs(t *testing.T) {
	ty := cty.Object(map[string]cty.Type{"port": cty.Number})
	_, decoding := tfconv.Decode6(&tfprotov6.DynamicValue{JSON: []byte(`{"port": true}`)}, ty)
	_, encoding := tfconv.Encode6(cty.ObjectVal(map[string]cty.Value{"port": cty.Zero.Mark(1)}), ty)
	_, conforming := tfconv.Encode6(cty.ObjectVal(map[string]cty.Value{"port": cty.True}), ty)
	for name, err := range map[string]error{"decode": decoding, "encode": encoding, "conform": conforming} {
		if at := new(ctydata.ValueError); !errors.As(err, &at) || !at.Path.Equals(cty.GetAttrPath("port")) || at.Place != ".port" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestMissingAttributes checks that an error names all missing attributes, except where the names
// come from the data.
func TestMissingAttributes(t *testing.T) {
	three := tftypes.Object{
		AttributeTypes:     map[string]tftypes.Type{"a": tftypes.String, "b": tftypes.String, "c": tftypes.String},
		OptionalAttributes: map[string]struct{}{"b": {}, "c": {}},
	}
	v := tftypes.NewValue(three, map[string]tftypes.Value{"a": tftypes.NewValue(tftypes.String, "x")})
	for want, ty := range map[string]cty.Type{
		".b: is missing, and so are c": cty.Object(map[string]cty.Type{"a": cty.String, "b": cty.String, "c": cty.String}),
		"[(sensitive)]: is missing":    cty.DynamicPseudoType,
	} {
		if _, err := tfconv.ValueToCty(v, ty); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
