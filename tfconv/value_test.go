package tfconv_test

import (
	"math/big"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange/tfconv"
)

func tfString(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }

func tfList(elems ...tftypes.Value) tftypes.Value {
	return tftypes.NewValue(tftypes.List{ElementType: elems[0].Type()}, elems)
}

// TestValuesRoundTrip checks that a cty value survives the conversion to tftypes and back, except
// for refinements.
func TestValuesRoundTrip(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, v cty.Value) {
		tf := must(tfconv.ValueFromCty(v))
		for _, ty := range []cty.Type{v.Type(), cty.DynamicPseudoType, cty.NilType} {
			if back, err := tfconv.ValueToCty(tf, ty); err != nil || !back.RawEquals(withoutRefinements(v)) {
				t.Fatalf("%#v became %s and then %#v, %v", v, tf, back, err)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) { check(t, drawValue(t)) })
	for _, v := range scalars() {
		check(t, v)
	}
}

func TestValueToCty(t *testing.T) {
	object := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"a": tftypes.DynamicPseudoType}}
	wanted := cty.Object(map[string]cty.Type{"a": cty.DynamicPseudoType})
	tests := map[string]struct {
		tf   tftypes.Value
		ty   cty.Type
		want cty.Value
	}{
		"untyped null":    {tftypes.NewValue(tftypes.DynamicPseudoType, nil), cty.List(cty.String), cty.NullVal(cty.List(cty.String))},
		"untyped unknown": {tftypes.NewValue(tftypes.DynamicPseudoType, tftypes.UnknownValue), cty.String, cty.UnknownVal(cty.String)},
		"null of dynamic": {tftypes.NewValue(tftypes.DynamicPseudoType, nil), cty.NilType, cty.NullVal(cty.DynamicPseudoType)},
		"dynamic attribute": {
			tftypes.NewValue(object, map[string]tftypes.Value{"a": tfString("x")}), wanted,
			cty.ObjectVal(map[string]cty.Value{"a": cty.StringVal("x")}),
		},
		"typed null in a dynamic attribute": {
			tftypes.NewValue(object, map[string]tftypes.Value{"a": tftypes.NewValue(tftypes.Number, nil)}), wanted,
			cty.ObjectVal(map[string]cty.Value{"a": cty.NullVal(cty.Number)}),
		},
		"strings are normalised": {tfString("e\u0301"), cty.String, cty.StringVal("\u00e9")},
		"equal set elements": {
			tftypes.NewValue(tftypes.Set{ElementType: tftypes.String}, []tftypes.Value{tfString("a"), tfString("a")}),
			cty.NilType, cty.SetVal([]cty.Value{cty.StringVal("a")}),
		},
		"null in a set": {
			tftypes.NewValue(tftypes.Set{ElementType: tftypes.String}, []tftypes.Value{tfString("a"), tftypes.NewValue(tftypes.String, nil)}),
			cty.NilType, cty.SetVal([]cty.Value{cty.StringVal("a"), cty.NullVal(cty.String)}),
		},
		"optional attributes": {
			tftypes.NewValue(tftypes.Object{
				AttributeTypes:     map[string]tftypes.Type{"a": tftypes.String},
				OptionalAttributes: map[string]struct{}{"a": {}},
			}, map[string]tftypes.Value{"a": tfString("x")}),
			cty.NilType, cty.ObjectVal(map[string]cty.Value{"a": cty.StringVal("x")}),
		},
		"number as carried": {
			tftypes.NewValue(tftypes.Number, 13835058055282163712.0), cty.Number, cty.MustParseNumberVal("13835058055282164000"),
		},
		"infinity": {tftypes.NewValue(tftypes.Number, new(big.Float).SetInf(true)), cty.Number, cty.NegativeInfinity},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := tfconv.ValueToCty(test.tf, test.ty)
			if err != nil || !got.RawEquals(test.want) {
				t.Errorf("got %#v, %v; want %#v", got, err, test.want)
			}
		})
	}
}

func TestValueToCtyErrors(t *testing.T) {
	huge, _, err := big.ParseFloat("1e600000000", 10, 512, big.ToNearestEven)
	if err != nil {
		t.Fatal(err)
	}
	object := func(attrs ...string) cty.Type {
		types := map[string]cty.Type{}
		for _, name := range attrs {
			types[name] = cty.String
		}
		return cty.Object(types)
	}
	ab := tftypes.NewValue(tftypes.Object{AttributeTypes: map[string]tftypes.Type{"a": tftypes.String, "b": tftypes.String}},
		map[string]tftypes.Value{"a": tfString(canary), "b": tfString(canary)})
	tests := map[string]struct {
		tf   tftypes.Value
		ty   cty.Type
		want string
	}{
		"zero":        {tftypes.Value{}, cty.String, "the value is the zero tftypes.Value"},
		"wrong type":  {tfString(canary), cty.Number, "the value: must be a number, not a string"},
		"no list":     {tfString(canary), cty.List(cty.String), "the value: must be a list of strings, not a string"},
		"list as set": {tfList(tfString(canary)), cty.Set(cty.String), "the value: must be a set of strings, not a list of strings"},
		"in a list":   {tfList(tfString(canary)), cty.List(cty.Bool), "[0]: must be a bool, not a string"},
		"null of another type": {
			tftypes.NewValue(tftypes.List{ElementType: tftypes.String}, nil), cty.List(cty.Bool), "the value: must be of type list of bool, but is null of type list of string",
		},
		"null of another kind": {
			tftypes.NewValue(tftypes.String, nil), cty.EmptyObject, "the value: must be of type object, but is null of type string",
		},
		"unknown of another kind": {
			tftypes.NewValue(tftypes.String, tftypes.UnknownValue), cty.Bool, "the value: must be of type bool, but is unknown of type string",
		},
		"null of another object": {
			tftypes.NewValue(ab.Type(), nil), cty.EmptyObject, "the value: must be of type object, but is null of another type object",
		},
		"null inside": {
			tfList(tftypes.NewValue(tftypes.Bool, nil)), cty.List(cty.Number), "[0]: must be of type number, but is null of type bool",
		},
		"known dynamic": {
			tftypes.NewValue(tftypes.DynamicPseudoType, canary), cty.NilType,
			"the value: a known value must have a concrete type, not the dynamic type",
		},
		"several types": {
			tftypes.NewValue(tftypes.Object{AttributeTypes: map[string]tftypes.Type{"l": tftypes.List{ElementType: object1}}},
				map[string]tftypes.Value{"l": tftypes.NewValue(tftypes.List{ElementType: object1}, []tftypes.Value{
					tftypes.NewValue(object1, map[string]tftypes.Value{"a": tfString(canary)}),
					tftypes.NewValue(object1, map[string]tftypes.Value{"a": tftypes.NewValue(tftypes.Bool, true)}),
				})}),
			cty.NilType, "[(sensitive)]: the elements are of several types",
		},
		"missing attribute": {ab, object("a", "b", "c"), ".c: is missing"},
		"more attributes":   {ab, object("a"), "the value: has a name that is not an attribute or block"},
		"tuple length": {
			tftypes.NewValue(tftypes.Tuple{ElementTypes: []tftypes.Type{}}, []tftypes.Value{}), cty.Tuple([]cty.Type{cty.String}),
			"the value: must have the length 1, not 0",
		},
		"huge number": {tfList(tftypes.NewValue(tftypes.Number, huge)), cty.Set(cty.Number), "the value: must be a set of numbers, not a list of numbers"},
		"huge number in a set": {
			tftypes.NewValue(tftypes.Set{ElementType: tftypes.Number}, []tftypes.Value{tftypes.NewValue(tftypes.Number, huge)}),
			cty.NilType, "[0]: a number beyond 2^4096",
		},
		"optional but absent": {
			tftypes.NewValue(tftypes.Object{
				AttributeTypes:     map[string]tftypes.Type{"a": tftypes.String},
				OptionalAttributes: map[string]struct{}{"a": {}},
			}, map[string]tftypes.Value{}), object("a"), ".a: is missing",
		},
		"absent from a dynamic value": {
			tftypes.NewValue(tftypes.Object{
				AttributeTypes:     map[string]tftypes.Type{"a": tftypes.String},
				OptionalAttributes: map[string]struct{}{"a": {}},
			}, map[string]tftypes.Value{}), cty.DynamicPseudoType, "[(sensitive)]: is missing",
		},
		"keys twice in NFC": {
			tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, map[string]tftypes.Value{"\u00e9": tfString(canary), "e\u0301": tfString("")}),
			cty.NilType, "the value: two names or keys are the same in Unicode NFC",
		},
		"capsule": {tfString(canary), capsule, "the value: must be a thing, not a string"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := tfconv.ValueToCty(test.tf, test.ty)
			if err == nil {
				t.Fatalf("got %#v, want an error", got)
			}
			if err.Error() != test.want {
				t.Errorf("got error %q, want %q", err, test.want)
			}
		})
	}
}

var object1 = tftypes.Object{AttributeTypes: map[string]tftypes.Type{"a": tftypes.DynamicPseudoType}}

func TestValueFromCtyErrors(t *testing.T) {
	secret := cty.StringVal(canary)
	expectErrors(t, tfconv.ValueFromCty, map[string]failure[cty.Value]{
		"zero":            {cty.NilVal, "the value is the zero cty.Value"},
		"marked":          {secret.Mark("m"), "the value: is marked, and the protocol does not support marks"},
		"marked inside":   {cty.ObjectVal(map[string]cty.Value{"a": cty.TupleVal([]cty.Value{secret.Mark("m")})}), ".a[0]: is marked, and the protocol does not support marks"},
		"marked in a map": {cty.MapVal(map[string]cty.Value{canary: secret.Mark("m")}), "[(sensitive)]: is marked, and the protocol does not support marks"},
		"capsule":         {cty.NullVal(cty.List(capsule)), "list element: the protocol does not support the type thing"},
		"huge number":     {cty.ListVal([]cty.Value{cty.MustParseNumberVal("1e600000000")}), "[0]: is a number beyond 2^4096"},
	})
}

// TestValueFromCtyAsDecoded checks that ValueFromCty returns the value that a provider would
// decode.
func TestValueFromCtyAsDecoded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawValue(t)
		want := must(must(tfconv.Encode6(v, v.Type())).Unmarshal(must(tfconv.TypeFromCty(v.Type()))))
		if got, err := tfconv.ValueFromCty(v); err != nil || !got.Equal(want) {
			t.Fatalf("got %s, %v; want %s", got, err, want)
		}
	})
}
