package tfconv_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/tfconv"
)

func TestPathsConvertBothWays(t *testing.T) {
	elem := tftypes.NewValue(tftypes.Object{AttributeTypes: map[string]tftypes.Type{"a": tftypes.String}},
		map[string]tftypes.Value{"a": tfString("x")})
	tests := map[string]struct {
		tf  *tftypes.AttributePath
		cty cty.Path
	}{
		"root":        {tftypes.NewAttributePath(), nil},
		"attribute":   {tftypes.NewAttributePath().WithAttributeName("a"), cty.GetAttrPath("a")},
		"index":       {tftypes.NewAttributePath().WithAttributeName("a").WithElementKeyInt(2), cty.GetAttrPath("a").IndexInt(2)},
		"key":         {tftypes.NewAttributePath().WithAttributeName("a").WithElementKeyString("k"), cty.GetAttrPath("a").IndexString("k")},
		"below":       {tftypes.NewAttributePath().WithElementKeyInt(0).WithAttributeName("b"), cty.IndexIntPath(0).GetAttr("b")},
		"set element": {tftypes.NewAttributePath().WithElementKeyValue(elem), cty.IndexPath(cty.ObjectVal(map[string]cty.Value{"a": cty.StringVal("x")}))},
		"null in a set": {
			tftypes.NewAttributePath().WithElementKeyValue(tftypes.NewValue(tftypes.String, nil)), cty.IndexPath(cty.NullVal(cty.String)),
		},
		"unknown in a set": {
			tftypes.NewAttributePath().WithElementKeyValue(tftypes.NewValue(tftypes.Number, tftypes.UnknownValue)), cty.IndexPath(cty.UnknownVal(cty.Number)),
		},
		"fraction in a set": {
			tftypes.NewAttributePath().WithElementKeyValue(tftypes.NewValue(tftypes.Number, 0.5)), cty.IndexPath(cty.NumberFloatVal(0.5)),
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got, err := tfconv.PathToCty(test.tf); err != nil || !got.Equals(test.cty) {
				t.Errorf("to cty: got %#v, %v; want %#v", got, err, test.cty)
			}
			if got, err := tfconv.PathFromCty(test.cty); err != nil || !got.Equal(test.tf) {
				t.Errorf("from cty: got %s, %v; want %s", got, err, test.tf)
			}
		})
	}
	if got, err := tfconv.PathToCty(nil); err != nil || len(got) != 0 {
		t.Errorf("nil: got %#v, %v; want the empty path", got, err)
	}
}

// TestPathsIntoSetsOfStrings checks that a set element that is a string becomes a map key, because
// a path does not distinguish the two.
func TestPathsIntoSetsOfStrings(t *testing.T) {
	path := must(tfconv.PathToCty(tftypes.NewAttributePath().WithElementKeyValue(tfString("x"))))
	got, err := tfconv.PathFromCty(path)
	if want := tftypes.NewAttributePath().WithElementKeyString("x"); err != nil || !got.Equal(want) {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
}

func TestPathErrors(t *testing.T) {
	expectErrors(t, tfconv.PathToCty, map[string]failure[*tftypes.AttributePath]{
		"nil step":     {tftypes.NewAttributePathWithSteps([]tftypes.AttributePathStep{tftypes.AttributeName("a"), nil}), "step 1 of the path is invalid"},
		"zero element": {tftypes.NewAttributePath().WithElementKeyValue(tftypes.Value{}), "step 0 of the path, a set element: the value is the zero tftypes.Value"},
	})
	expectErrors(t, tfconv.PathFromCty, map[string]failure[cty.Path]{
		"nil step": {cty.Path{cty.GetAttrStep{Name: "a"}, nil}, "step 1 of the path is invalid"},
		"zero key": {cty.Path{cty.IndexStep{}}, "step 0 of the path: the key is the zero cty.Value"},
		"marked":   {cty.IndexPath(cty.StringVal(canary).Mark("m")), "step 0 of the path: the value: is marked, and the protocol does not support marks"},
		"capsule":  {cty.IndexPath(cty.NullVal(capsule)), "step 0 of the path: the protocol does not support the type thing"},
	})
}
