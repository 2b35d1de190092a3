package tfconv_test

import (
	"errors"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfconv"
)

// The codecs tell the place likewise.
func TestValueErrorOfCodecs(t *testing.T) {
	ty := cty.Object(map[string]cty.Type{"port": cty.Number})
	_, decoding := tfconv.Decode6(&tfprotov6.DynamicValue{JSON: []byte(`{"port": true}`)}, ty)
	_, encoding := tfconv.Encode6(cty.ObjectVal(map[string]cty.Value{"port": cty.Zero.Mark(1)}), ty)
	_, conforming := tfconv.Encode6(cty.ObjectVal(map[string]cty.Value{"port": cty.True}), ty)
	for name, err := range map[string]error{"decode": decoding, "encode": encoding, "conform": conforming} {
		if at := new(objchange.ValueError); !errors.As(err, &at) || !at.Path.Equals(cty.GetAttrPath("port")) || at.Place != ".port" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
