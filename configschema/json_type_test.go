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
		{`true`, `.type: must be a type, not a boolean`},
		{`{}`, `.type: must be a type, not an object`},
		{`"any"`, `.type: unknown type "any"`},
		{`[]`, `.type: is no type: an array of 0 values`},
		{`["list"]`, `.type: is no type: an array of 1 values`},
		{`["list", "bool", "bool"]`, `.type: is no type: an array of 3 values`},
		{`["object", {}, {}]`, `.type: is no type: an array of 3 values`},
		{`["object", {}, [], 1]`, `.type: is no type: an array of 4 values`},
		{`["thing", "bool"]`, `.type: is no type: must begin with "list", "set", "map", "tuple" or "object"`},
		{`[{}, "bool"]`, `.type: is no type: must begin with "list", "set", "map", "tuple" or "object"`},
		{`["list", null]`, `.type[1]: must be a type, not null`},
		{`["map", ["set", "strin"]]`, `.type[1][1]: unknown type "strin"`},
		{`["tuple", "bool"]`, `.type[1]: must be an array of types, not a string`},
		{`["tuple", ["bool", 1]]`, `.type[1][1]: must be a type, not the number 1`},
		{`["object", null]`, `.type[1]: must be an object of types, not null`},
		{`["object", {"a": "bool", "b": "boo"}]`, `.type[1]["b"]: unknown type "boo"`},
		{`["object", {"e\u0301": "bool", "\u00e9": "string"}]`, `.type[1]["é"]: is the same name as another in Unicode NFC`},
		{`["object", {"a": "bool"}, ["a", "b"]]`, `.type[1]: optional name 1 is no attribute`},
		{`["object", {"": "bool"}, [null]]`, `.type[1]: optional name 0 is no attribute`},
	}
	for _, test := range tests {
		var a configschema.Attribute
		checkError(t, test.text, json.Unmarshal([]byte(`{"type": `+test.text+`}`), &a), test.want)
	}
}

// The JSON of types is that of cty.
func TestTypeJSONLikeCty(t *testing.T) {
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
			t.Fatalf("written is %s, want %s", written, want)
		}
	})
}

// anyType generates types, of so many levels at most.
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
