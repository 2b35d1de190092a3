package main

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/conformance"
	"github.com/objchange/objchange/internal/spectest/generate"
)

// same checks that encoding and decoding a value in both forms returns the same value.
func same(t rapid.TB, schema *configschema.Block, v cty.Value) {
	t.Helper()
	for name, codec := range map[string]conformance.Codec{"JSON": jsonCodec{}, "MessagePack": conformance.MessagePack{}} {
		text, err := codec.Encode(schema, v)
		if err != nil {
			t.Fatal(err)
		}
		got, err := jsonCodec{}.Decode(schema, text)
		if err != nil || !got.RawEquals(v) {
			t.Fatalf("%s: %v\n got %#v\nwant %#v\n%s", name, err, got, v, text)
		}
	}
}

// TestJSONFormsAgree checks that both forms support the same values. Decoding JSON of a value
// that MessagePack cannot encode is an error. A value that is decoded from JSON survives
// encoding in both forms.
func TestJSONFormsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := generate.Seeded(rapid.Uint64().Draw(t, "seed"), 0)
		schema := d.AnySchema()
		r := d.Arbitrary(schema)
		for _, v := range []cty.Value{r.Prior, r.Config, r.Planned} {
			text, err := jsonCodec{}.Encode(schema, v)
			if err != nil {
				t.Fatal(err)
			}
			got, err := jsonCodec{}.Decode(schema, text)
			packed, wrong := conformance.MessagePack{}.Encode(schema, v)
			if wrong != nil {
				t.Fatal(wrong)
			}
			carried, wrong := jsonCodec{}.Decode(schema, packed)
			switch {
			case (err == nil) != (wrong == nil):
				t.Fatalf("JSON: %v, MessagePack: %v\n%#v\n%s", err, wrong, v, text)
			case err == nil && !got.RawEquals(carried):
				t.Fatalf("%#v\nin JSON it is %#v\nin MessagePack %#v\n%s", v, got, carried, text)
			case err == nil:
				same(t, schema, got)
			}
		}
	})
}

// TestElementsOfSeveralTypesAreErrors checks that elements of different types are an error in both forms. In a
// dynamic part, null, unknown and empty values have no type, so they do not match typed
// elements. Elements are not converted to one type.
func TestElementsOfSeveralTypesAreErrors(t *testing.T) {
	list := func(ty cty.Type) *configschema.Block { return one(cty.List(ty)) }
	any := list(cty.Object(map[string]cty.Type{"x": cty.DynamicPseudoType}))
	lists := list(cty.List(cty.DynamicPseudoType))
	for _, test := range []struct {
		schema *configschema.Block
		text   string
		right  bool
	}{
		{any, `{"a": [{"x": null}, {"x": "b"}]}`, false},
		{any, `{"a": [{"x": true}, {"x": "b"}]}`, false},
		{any, `{"a": [{"x": {"$typed": {"type": "string", "value": null}}}, {"x": "b"}]}`, true},
		{lists, `{"a": [["b"], []]}`, false},
		{lists, `{"a": [["b"], [true]]}`, false},
		{lists, `{"a": [["b"], {"$unknown": true}]}`, false},
		{lists, `{"a": [["b"], ["c", null]]}`, true},
		{lists, `{"a": [[], null]}`, true},
	} {
		v, err := jsonCodec{}.Decode(test.schema, json.RawMessage(test.text))
		switch {
		case (err == nil) != test.right:
			t.Errorf("%s is %#v, %v", test.text, v, err)
		case err == nil:
			same(t, test.schema, v)
		case !strings.Contains(err.Error(), "the elements are of several types"):
			t.Errorf("%s: %v", test.text, err)
		}
	}
}

// one returns a schema with one attribute of the type.
func one(ty cty.Type) *configschema.Block {
	return &configschema.Block{Attributes: map[string]*configschema.Attribute{"a": {Type: ty, Optional: true, Sensitive: true}}}
}

// TestDecodeReadsBothForms checks that Decode reads both forms, and that it returns an error for invalid
// JSON.
func TestDecodeReadsBothForms(t *testing.T) {
	schema := &configschema.Block{Attributes: map[string]*configschema.Attribute{
		"id": {Type: cty.String, Optional: true}, "count": {Type: cty.Number, Optional: true}, "names": {Type: cty.Set(cty.String), Optional: true},
	}}
	packed, err := conformance.MessagePack{}.Encode(schema, cty.NullVal(schema.ImpliedType()))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ text, want string }{
		{string(packed), ""},
		{"null", ""},
		{`{"$unknown": true}`, ""},
		{`{"id": "a", "count": "0.10", "names": null}`, ""},
		{`"` + base64.StdEncoding.EncodeToString([]byte{0xc1}) + `"`, "unknown code 0xc1"},
		{`"?"`, "not the base64 of MessagePack"},
		{"12", "the value: must be an object, not a number"},
		{"{}", ".count: is missing"},
		{`{"id": 12, "count": null, "names": null}`, ".id: must be a string, not a number"},
		{`{"id": null, "count": true, "names": null}`, ".count: must be a number, not a bool"},
		{`{"id": null, "count": null, "names": {}}`, ".names: must be a set of strings, not an object or a map"},
		{`{"id": null, "count": null, "names": null, "more": 1}`, ".more: no such attribute or block"},
		{`{"id": 1, "id": 2}`, "a duplicate name in an object"},
		{`{"id": {"$sensitive": "a"}, "count": null, "names": null}`, "must be one of $unknown, $bytes, $literal, $typed;"},
		{`{"id": {"$unknwon": true}, "count": null, "names": null}`, `must be one of $unknown`},
		{`{"id": {"$typed": {"type": "string", "value": "a"}}, "count": null, "names": null}`, "$typed is allowed only where the type is dynamic"},
	} {
		_, err := jsonCodec{}.Decode(schema, json.RawMessage(test.text))
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.text, err, test.want)
		}
	}
	if text, err := (jsonCodec{}).Encode(schema, cty.NullVal(schema.ImpliedType()).Mark("secret")); err == nil {
		t.Errorf("a marked value is written as %s", text)
	}
}

// FuzzDecode checks that Decode returns a value or an error for any input.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"a": {"$typed": {"type": "number", "value": {"$unknown": {"minimum": 1}}}}}`))
	f.Add([]byte(`"gaFhkqgic3RyaW5nIqFi"`)) // the same form in MessagePack
	schema := one(cty.DynamicPseudoType)
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := jsonCodec{}.Decode(schema, text)
		if err != nil {
			return
		}
		again, err := jsonCodec{}.Encode(schema, v)
		if err != nil {
			t.Fatalf("%#v cannot be written: %v", v, err)
		}
		if _, err := (jsonCodec{}).Decode(schema, again); err != nil {
			t.Fatalf("%s cannot be read again: %v", again, err)
		}
	})
}
