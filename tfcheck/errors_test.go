package tfcheck_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
)

// What is wrong with a value comes as one error for each place, with the path.
func TestValueErrors(t *testing.T) {
	schema := &objchange.Block{
		Attributes: map[string]*objchange.Attribute{
			"name": {Type: cty.String, Optional: true},
			"tags": {Type: cty.Map(cty.Number), Optional: true, Sensitive: true},
		},
		BlockTypes: map[string]*objchange.NestedBlock{"rule": {Nesting: objchange.NestingList, Block: objchange.Block{
			Attributes: map[string]*objchange.Attribute{"port": {Type: cty.Number, Optional: true}},
		}}},
	}
	_, err := tfcheck.ValueOf(schema, map[string]any{
		"name": []any{}, "tags": map[string]any{"k": "v"}, "rule": []any{map[string]any{"port": true}},
	})
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		t.Fatalf("%T joins nothing", err)
	}
	var found []tfcheck.ValueError
	for _, err := range joined.Unwrap() {
		found = append(found, *err.(*tfcheck.ValueError))
	}
	want := []tfcheck.ValueError{
		{cty.GetAttrPath("name"), ".name", false, "must be a string, not a list"},
		{cty.GetAttrPath("rule").IndexInt(0).GetAttr("port"), ".rule[0].port", false, "must be a number, not a bool"},
		{cty.GetAttrPath("tags").IndexString("k"), ".tags[(hidden)]", true, "must be a number, not a string that is none"},
	}
	equal := cmp.Comparer(func(a, b cty.Path) bool { return a.Equals(b) })
	if diff := cmp.Diff(want, found, equal); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The codecs tell the place likewise.
func TestValueErrorOfCodecs(t *testing.T) {
	ty := cty.Object(map[string]cty.Type{"port": cty.Number})
	_, decoding := tfcheck.Decode6(&tfprotov6.DynamicValue{JSON: []byte(`{"port": true}`)}, ty)
	_, encoding := tfcheck.Encode6(cty.ObjectVal(map[string]cty.Value{"port": cty.Zero.Mark(1)}), ty)
	_, conforming := tfcheck.Encode6(cty.ObjectVal(map[string]cty.Value{"port": cty.True}), ty)
	for name, err := range map[string]error{"decode": decoding, "encode": encoding, "conform": conforming} {
		if at := new(tfcheck.ValueError); !errors.As(err, &at) || !at.Path.Equals(cty.GetAttrPath("port")) || at.Place != ".port" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestConfigError(t *testing.T) {
	driver, err := tfcheck.NewDriver6(t.Context(), &fake{schema: configurable})
	if err != nil {
		t.Fatal(err)
	}
	invalid := new(tfcheck.ConfigError)
	if err := driver.Configure(t.Context(), 1); !errors.As(err, &invalid) || invalid.What != "provider configuration" {
		t.Errorf("%v", err)
	}
	if err := driver.Configure(t.Context(), 1); !errors.As(err, new(*tfcheck.ValueError)) {
		t.Errorf("%v has no place", err)
	}
}

// Places are written as the library writes paths, with bytes that are no text.
func TestPlaceOfBytes(t *testing.T) {
	schema := &objchange.Block{Attributes: map[string]*objchange.Attribute{"a": {Type: cty.Map(cty.Number), Optional: true}}}
	_, err := tfcheck.ValueOf(schema, map[string]any{"a": map[string]any{"k\xff\x1b": true}})
	at := new(tfcheck.ValueError)
	if !errors.As(err, &at) || at.Place != objchange.PathString(at.Path) || at.Place != `.a["k\xff\x1b"]` {
		t.Errorf("%v", err)
	}
}
