package configschema_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange/configschema"
)

func TestTypeJSON(t *testing.T) {
	tests := []struct {
		text string
		want cty.Type
	}{
		{`"string"`, cty.String},
		{`"number"`, cty.Number},
		{`"bool"`, cty.Bool},
		{`"dynamic"`, cty.DynamicPseudoType},
		{`["list","string"]`, cty.List(cty.String)},
		{`["set",["map","bool"]]`, cty.Set(cty.Map(cty.Bool))},
		{`["tuple",[]]`, cty.EmptyTuple},
		{`["tuple",["number",["list","dynamic"]]]`, cty.Tuple([]cty.Type{cty.Number, cty.List(cty.DynamicPseudoType)})},
		{`["object",{}]`, cty.EmptyObject},
		{`["object",{"a":"string","b":["object",{"c":"bool"}]}]`, cty.Object(map[string]cty.Type{
			"a": cty.String, "b": cty.Object(map[string]cty.Type{"c": cty.Bool}),
		})},
		{`["object",{"a":"string","b":"bool"},["a"]]`, cty.ObjectWithOptionalAttrs(map[string]cty.Type{
			"a": cty.String, "b": cty.Bool,
		}, []string{"a"})},
	}
	for _, test := range tests {
		checkJSON(t, configschema.Attribute{Type: test.want}, `{"type":`+test.text+`,"description_kind":"plain"}`)
	}
}

func TestTypeJSONErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{`true`, `not a type, such as "string" or ["list", "string"]`},
		{`"any"`, `unknown type "any"`},
		{`[]`, `not a type, such as "string" or ["list", "string"]`},
		{`["list"]`, `not a type, such as "string" or ["list", "string"]`},
		{`["list", "bool", "bool"]`, `not a type, such as "string" or ["list", "string"]`},
		{`["object", {}, {}]`, `not a type, such as "string" or ["list", "string"]`},
		{`[{}, "bool"]`, `not a type, such as "string" or ["list", "string"]`},
		{`["map", ["set", "strin"]]`, `unknown type "strin"`},
		{`["tuple", "bool"]`, `not a type, such as "string" or ["list", "string"]`},
		{`["tuple", ["bool", 1]]`, `not a type, such as "string" or ["list", "string"]`},
		{`["object", null]`, `not a type, such as "string" or ["list", "string"]`},
		{`["object", {"e\u0301": "bool", "\u00e9": "string"}]`, `the type has two attributes with the name "é"`},
		{`["object", {"a": "bool"}, ["a", "b"]]`, `optional name 1 of the type is not an attribute`},
		{`["object", {"": "bool"}, [null]]`, `optional name 0 of the type is not an attribute`},
	}
	for _, test := range tests {
		var a configschema.Attribute
		checkError(t, test.text, json.Unmarshal([]byte(`{"type": `+test.text+`}`), &a), test.want)
	}
}

func TestTypesHaveTheJSONOfCty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ty := anyType(3).Draw(t, "type")
		written, err := json.Marshal(configschema.IdentityAttribute{Type: ty})
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(map[string]cty.Type{"type": ty})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(written, want) {
			t.Fatalf("written: got %s, want %s", written, want)
		}
	})
}

// anyType generates types with at most the given number of levels.
func anyType(depth int) *rapid.Generator[cty.Type] {
	plain := rapid.SampledFrom([]cty.Type{cty.String, cty.Number, cty.Bool, cty.DynamicPseudoType})
	if depth == 0 {
		return plain
	}
	part := anyType(depth - 1)
	return rapid.OneOf(
		plain,
		rapid.Map(part, cty.List),
		rapid.Map(part, cty.Set),
		rapid.Map(part, cty.Map),
		rapid.Map(rapid.SliceOfN(part, 0, 3), cty.Tuple),
		rapid.Custom(func(t *rapid.T) cty.Type {
			types := rapid.MapOfN(rapid.String(), part, 0, 3).Draw(t, "attributes")
			var optional []string
			for _, name := range slices.Sorted(maps.Keys(types)) {
				if rapid.Bool().Draw(t, "optional") {
					optional = append(optional, name)
				}
			}
			return cty.ObjectWithOptionalAttrs(types, optional)
		}),
	)
}
