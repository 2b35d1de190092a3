package tfconv_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/tfconv"
)

func TestTypesConvertBothWays(t *testing.T) {
	tests := map[string]struct {
		tf  tftypes.Type
		cty cty.Type
	}{
		"string":  {tftypes.String, cty.String},
		"number":  {tftypes.Number, cty.Number},
		"bool":    {tftypes.Bool, cty.Bool},
		"dynamic": {tftypes.DynamicPseudoType, cty.DynamicPseudoType},
		"list":    {tftypes.List{ElementType: tftypes.String}, cty.List(cty.String)},
		"set":     {tftypes.Set{ElementType: tftypes.String}, cty.Set(cty.String)},
		"map":     {tftypes.Map{ElementType: tftypes.String}, cty.Map(cty.String)},
		"tuple": {
			tftypes.Tuple{ElementTypes: []tftypes.Type{tftypes.String, tftypes.Bool}},
			cty.Tuple([]cty.Type{cty.String, cty.Bool}),
		},
		"empty tuple": {tftypes.Tuple{ElementTypes: []tftypes.Type{}}, cty.EmptyTuple},
		"object": {
			tftypes.Object{AttributeTypes: map[string]tftypes.Type{"a": tftypes.String}},
			cty.Object(map[string]cty.Type{"a": cty.String}),
		},
		"empty object": {tftypes.Object{AttributeTypes: map[string]tftypes.Type{}}, cty.EmptyObject},
		"optional attributes": {
			tftypes.Object{
				AttributeTypes:     map[string]tftypes.Type{"a": tftypes.String, "b": tftypes.Bool},
				OptionalAttributes: map[string]struct{}{"b": {}},
			},
			cty.ObjectWithOptionalAttrs(map[string]cty.Type{"a": cty.String, "b": cty.Bool}, []string{"b"}),
		},
		"lists as deep as allowed":  {deepTFType(500, tfListOf), deepList(500)},
		"tuples as deep as allowed": {deepTFType(500, tfTupleOf), deepType(500, ctyTupleOf)},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got, err := tfconv.TypeToCty(test.tf); err != nil || !got.Equals(test.cty) {
				t.Errorf("to cty: got %#v, %v; want %#v", got, err, test.cty)
			}
			if got, err := tfconv.TypeFromCty(test.cty); err != nil || !got.Equal(test.tf) {
				t.Errorf("from cty: got %s, %v; want %s", got, err, test.tf)
			}
		})
	}
}

func deepTFType(depth int, of func(tftypes.Type) tftypes.Type) (ty tftypes.Type) {
	ty = tftypes.String
	for range depth {
		ty = of(ty)
	}
	return ty
}

func tfListOf(elem tftypes.Type) tftypes.Type { return tftypes.List{ElementType: elem} }
func tfTupleOf(elem tftypes.Type) tftypes.Type {
	return tftypes.Tuple{ElementTypes: []tftypes.Type{elem}}
}
func ctyTupleOf(elem cty.Type) cty.Type { return cty.Tuple([]cty.Type{elem}) }

func TestTypesWithoutCounterpartAreErrors(t *testing.T) {
	cycle := tftypes.Object{AttributeTypes: map[string]tftypes.Type{}}
	cycle.AttributeTypes["a"] = cycle
	expectErrors(t, tfconv.TypeToCty, map[string]failure[tftypes.Type]{
		"nil":             {nil, "the type is nil"},
		"nil pointer":     {(*tftypes.List)(nil), "the type is not supported"},
		"no element type": {tftypes.List{ElementType: tftypes.Set{}}, "list element: set element: the type is nil"},
		"no map type":     {tftypes.Map{}, "map element: the type is nil"},
		"in a tuple":      {tftypes.Tuple{ElementTypes: []tftypes.Type{tftypes.String, nil}}, "tuple element 1: the type is nil"},
		"in an object":    {tftypes.Object{AttributeTypes: map[string]tftypes.Type{"a": nil}}, `attribute "a": the type is nil`},
		"optional but absent": {
			tftypes.Object{OptionalAttributes: map[string]struct{}{"b": {}}},
			`attribute "b": optional, but there is no such attribute`,
		},
		"twice in NFC": {
			tftypes.Object{AttributeTypes: map[string]tftypes.Type{"\u00e9": tftypes.String, "e\u0301": tftypes.String}},
			"attribute \"\u00e9\": the same name as another in Unicode NFC",
		},
		"cycle":       {cycle, strings.Repeat(`attribute "a": `, 501) + "nested deeper than 500 levels"},
		"deep lists":  {deepTFType(501, tfListOf), strings.Repeat("list element: ", 501) + "nested deeper than 500 levels"},
		"deep tuples": {deepTFType(501, tfTupleOf), strings.Repeat("tuple element 0: ", 501) + "nested deeper than 500 levels"},
	})
	expectErrors(t, tfconv.TypeFromCty, map[string]failure[cty.Type]{
		"zero":        {cty.NilType, "the type is the zero cty.Type"},
		"capsule":     {cty.List(capsule), "list element: the protocol does not support the type thing"},
		"deep lists":  {deepList(501), strings.Repeat("list element: ", 501) + "nested deeper than 500 levels"},
		"deep tuples": {deepType(501, ctyTupleOf), strings.Repeat("tuple element 0: ", 501) + "nested deeper than 500 levels"},
		"in a tuple": {
			cty.Tuple([]cty.Type{cty.Set(capsule), cty.String}), "tuple element 0: set element: the protocol does not support the type thing",
		},
		"in an object": {
			cty.Object(map[string]cty.Type{"a": cty.Map(capsule)}), `attribute "a": map element: the protocol does not support the type thing`,
		},
	})
}
