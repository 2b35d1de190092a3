package tfconv_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/tfconv"
)

// latin is not UTF-8. Core and cty accept any bytes in a string, and some real providers return
// such strings.

const latin = "caf\xe9"

func TestStringsOfAnyBytes(t *testing.T) {
	mapped := cty.MapVal(map[string]cty.Value{latin: cty.StringVal(latin)})
	free := cty.ObjectVal(map[string]cty.Value{"x": cty.SetVal([]cty.Value{cty.StringVal(latin)})})
	for name, test := range map[string]struct {
		value cty.Value
		ty    cty.Type
	}{
		"a string":          {cty.StringVal(latin), cty.String},
		"a key":             {mapped, mapped.Type()},
		"in a dynamic type": {free, cty.DynamicPseudoType},
	} {
		t.Run(name, func(t *testing.T) {
			encoded6, encoded5 := must(tfconv.Encode6(test.value, test.ty)), must(tfconv.Encode5(test.value, test.ty))
			for protocol, got := range map[string]cty.Value{
				"6": must(tfconv.Decode6(encoded6, test.ty)), "5": must(tfconv.Decode5(encoded5, test.ty)),
				"tftypes": must(tfconv.ValueToCty(must(tfconv.ValueFromCty(test.value)), test.ty)),
			} {
				if !got.RawEquals(test.value) {
					t.Errorf("%s: got %#v, want %#v", protocol, got, test.value)
				}
			}
		})
	}
	named := must(ctydata.ValueOf(must(tfconv.Block6(thing.Block)), map[string]any{"name": latin}))
	path := tftypes.NewAttributePath().WithElementKeyValue(tftypes.NewValue(tftypes.String, latin))
	if got := must(tfconv.PathToCty(path)); !got.Equals(cty.IndexPath(cty.StringVal(latin))) {
		t.Errorf("path %#v", got)
	}
	proposed, err := tfconv.ProposedNew6(thing, tftypes.NewValue(thing.ValueType(), nil), must(tfconv.ValueFromCty(named)))
	if err != nil || !proposed.Equal(must(tfconv.ValueFromCty(named))) {
		t.Errorf("proposed %s, %v", proposed, err)
	}
	// JSON cannot contain such strings. Its reader replaces the bytes with U+FFFD, as Core's reader
	// does.
	if got := must(tfconv.Decode6(&tfprotov6.DynamicValue{JSON: []byte("\"" + latin + "\"")}, cty.String)); got.AsString() != "caf\ufffd" {
		t.Errorf("from JSON: %#v", got)
	}
}
