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

func TestTypeJSONErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{`true`, `not a type, such as "string" or ["list", "string"]`},
		{`"any"`, `not a type, such as "string" or ["list", "string"]`},
		{`[]`, `not a type, such as "string" or ["list", "string"]`},
		{`["list"]`, `not a type, such as "string" or ["list", "string"]`},
		{`["list", "bool", "bool"]`, `not a type, such as "string" or ["list", "string"]`},
		{`["object", {}, {}]`, `not a type, such as "string" or ["list", "string"]`},
		{`[{}, "bool"]`, `not a type, such as "string" or ["list", "string"]`},
		{`["map", ["set", "strin"]]`, `not a type, such as "string" or ["list", "string"]`},
		{`["tuple", "bool"]`, `not a type, such as "string" or ["list", "string"]`},
		{`["tuple", ["bool", 1]]`, `not a type, such as "string" or ["list", "string"]`},
		{`["object", []]`, `not a type, such as "string" or ["list", "string"]`},
		{`["object", {"a": "bool"}, ["a", "b"]]`, `not a type, such as "string" or ["list", "string"]`},
		{`["object", {"": "bool"}, [1]]`, `not a type, such as "string" or ["list", "string"]`},
	}
	for _, test := range tests {
		var a configschema.Attribute
		checkError(t, test.text, json.Unmarshal([]byte(`{"type": `+test.text+`}`), &a), test.want)
	}
}

// TestTypesHaveTheJSONOfCty checks that types of any form are written as cty writes them, and read again.
func TestTypesHaveTheJSONOfCty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ty := anyType(3).Draw(t, "type")
		written, err := json.Marshal(configschema.Attribute{Type: ty})
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(struct {
			Type cty.Type `json:"type"`
			Kind string   `json:"description_kind"`
		}{ty, "plain"})
		if err != nil || !bytes.Equal(written, want) {
			t.Fatalf("written: got %s, want %s, %v", written, want, err)
		}
		var read configschema.Attribute
		if err := json.Unmarshal(want, &read); err != nil || !read.Type.Equals(ty) {
			t.Fatalf("read: got %#v, want %#v, %v", read.Type, ty, err)
		}
	})
}

// TestTypeJSONNormalizesNames checks names that are escaped in JSON in front of a combining character, with which
// the last character of the escape must not be composed.
func TestTypeJSONNormalizesNames(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`["object", {"e\u0301": "bool"}]`, "é"},
		{`["object", {"\u003c\u0301": "bool"}]`, "<\u0301"},
		{`["object", {"\n\u0303": "bool"}]`, "\n\u0303"},
	} {
		var a configschema.Attribute
		if err := json.Unmarshal([]byte(`{"type": `+test.text+`}`), &a); err != nil || !a.Type.HasAttribute(test.want) {
			t.Errorf("%s: got %#v, %v, want the attribute %q", test.text, a.Type, err, test.want)
		}
	}
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
