package configschema_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/conformance"
)

// sameSchemas compares types with their Equals method, because types have unexported fields.
var sameSchemas = cmp.Comparer(cty.Type.Equals)

// everyField is a schema that uses every field.
var everyField = &configschema.Block{
	Attributes: map[string]*configschema.Attribute{
		"id": {Type: cty.String, Computed: true, Description: "Its <id>.", DescriptionKind: configschema.StringMarkdown},
		"password": {
			Type: cty.String, Optional: true, Sensitive: true, WriteOnly: true,
			Deprecated: true, DeprecationMessage: "Use a key.",
		},
		"ports": {Required: true, NestedType: &configschema.Object{
			Nesting:    configschema.NestingList,
			Attributes: map[string]*configschema.Attribute{"from": {Type: cty.Number, Required: true}},
		}},
	},
	BlockTypes: map[string]*configschema.NestedBlock{
		"rule": {
			Nesting: configschema.NestingSet, MinItems: 1, MaxItems: 3,
			Block: configschema.Block{Attributes: map[string]*configschema.Attribute{"tags": {Type: cty.Map(cty.String), Optional: true}}},
		},
		"status": {Nesting: configschema.NestingSingle, Block: configschema.Block{Computed: true}},
	},
	Description:        "A thing.",
	DescriptionKind:    configschema.StringMarkdown,
	Deprecated:         true,
	DeprecationMessage: "Use another thing.",
}

const everyFieldJSON = `{
	"attributes": {
		"id": {"type": "string", "description": "Its \u003cid\u003e.", "description_kind": "markdown", "computed": true},
		"password": {
			"type": "string", "description_kind": "plain", "deprecated": true, "deprecation_message": "Use a key.",
			"optional": true, "sensitive": true, "write_only": true
		},
		"ports": {
			"nested_type": {
				"attributes": {"from": {"type": "number", "description_kind": "plain", "required": true}},
				"nesting_mode": "list"
			},
			"description_kind": "plain", "required": true
		}
	},
	"block_types": {
		"rule": {
			"nesting_mode": "set",
			"block": {
				"attributes": {"tags": {"type": ["map", "string"], "description_kind": "plain", "optional": true}},
				"description_kind": "plain"
			},
			"min_items": 1, "max_items": 3
		},
		"status": {"nesting_mode": "single", "block": {"description_kind": "plain", "computed": true}}
	},
	"description": "A thing.", "description_kind": "markdown", "deprecated": true, "deprecation_message": "Use another thing."
}`

func TestSchemaJSON(t *testing.T) {
	checkJSON(t, everyField, everyFieldJSON)
	checkJSON(t, *everyField, everyFieldJSON)
	checkJSON(t, (*configschema.Block)(nil), `null`)
	checkJSON(t, &configschema.Block{}, `{"description_kind": "plain"}`)
	checkJSON(t, []configschema.NestedBlock{{Nesting: configschema.NestingGroup}}, `[{"nesting_mode": "group", "block": {"description_kind": "plain"}}]`)
	checkJSON(t, []configschema.Object{{Nesting: configschema.NestingMap}}, `[{"nesting_mode": "map"}]`)
	checkJSON(t, []configschema.Attribute{{Type: cty.DynamicPseudoType}}, `[{"type": "dynamic", "description_kind": "plain"}]`)
	checkJSON(t, []configschema.NestingMode{1, 2, 3, 4, 5}, `["single", "group", "list", "set", "map"]`)
	checkJSON(t, []configschema.StringKind{0, 1}, `["plain", "markdown"]`)
}

// checkJSON checks that the JSON of v is want, apart from white space, and that decoding want
// returns v.
func checkJSON[T any](t *testing.T, v T, want string) {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(want)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(compact.String(), string(text)); diff != "" {
		t.Errorf("not written as wanted (-want +got):\n%s", diff)
	}
	var read T
	if err := json.Unmarshal([]byte(want), &read); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(v, read, sameSchemas); diff != "" {
		t.Errorf("not read as wanted (-want +got):\n%s", diff)
	}
}

func TestSchemasAreReadFromJSON(t *testing.T) {
	tests := []struct {
		name, text string
		want       configschema.Block
	}{
		{"empty", `{}`, configschema.Block{}},
		{"null fields are absent", `{"attributes": null, "block_types": null, "description": null, "deprecated": null}`, configschema.Block{}},
		{"empty maps are absent", `{"attributes": {}, "block_types": {}}`, configschema.Block{}},
		{"unknown fields are ignored", `{"attributes": {}, "future": [{}], "description": "x"}`, configschema.Block{Description: "x"}},
		{"not valid but well-formed", `{
			"attributes": {
				"": {"type": "string"},
				"a": {"type": "bool", "required": true, "optional": true, "nested_type": null},
				"b": {"nested_type": {"nesting_mode": "group"}, "type": null}
			},
			"block_types": {"a": {"nesting_mode": "map", "block": {}, "min_items": 2, "max_items": -1}}
		}`, configschema.Block{
			Attributes: map[string]*configschema.Attribute{
				"":  {Type: cty.String},
				"a": {Type: cty.Bool, Required: true, Optional: true},
				"b": {NestedType: &configschema.Object{Nesting: configschema.NestingGroup}},
			},
			BlockTypes: map[string]*configschema.NestedBlock{"a": {Nesting: configschema.NestingMap, MinItems: 2, MaxItems: -1}},
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := *everyField // UnmarshalJSON replaces all fields
			if err := json.Unmarshal([]byte(test.text), &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got, sameSchemas); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestNullChangesNothing(t *testing.T) {
	block := *everyField
	if err := json.Unmarshal([]byte(`null`), &block); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(*everyField, block, sameSchemas); diff != "" {
		t.Errorf("null changed the block:\n%s", diff)
	}
}

func TestSchemaJSONReadErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{`[]`, `the schema has the wrong type array, at byte 1`},
		{`{"attributes": []}`, `attributes has the wrong type array, at byte 16`},
		{`{"attributes": {"a": null}}`, `attribute "a": must not be null`},
		{`{"attributes": {"a": {}}}`, `attribute "a": exactly one of Type and NestedType must be set`},
		{`{"attributes": {"a": {"type": "bool", "required": "yes"}}}`, `attributes.required has the wrong type string, at byte 55`},
		{`{"attributes": {"a": {"type": "bool", "description": {}}}}`, `attributes.description has the wrong type object, at byte 54`},
		{`{"attributes": {"a": {"type": "bool", "description_kind": "html"}}}`, `attribute "a": unknown description kind "html"`},
		{`{"attributes": {"a": {"nested_type": "single"}}}`, `attributes.nested_type has the wrong type string, at byte 45`},
		{`{"attributes": {"a": {"nested_type": {}}}}`, `attribute "a": nesting_mode is missing`},
		{`{"attributes": {"a": {"nested_type": {"nesting_mode": "foo"}}}}`, `attribute "a": unknown nesting mode "foo"`},
		{`{"block_types": {"a": null}}`, `block type "a": must not be null`},
		{`{"block_types": {"a": {"block": {}}}}`, `block type "a": nesting_mode is missing`},
		{`{"block_types": {"a": {"nesting_mode": "list"}}}`, `block type "a": block is missing`},
		{`{"block_types": {"a": {"nesting_mode": "list", "block": {}, "min_items": 1.5}}}`, `block_types.min_items has the wrong type number 1.5, at byte 76`},
		{`{"block_types": {"a": {"nesting_mode": "list", "block": {}, "max_items": 1e99}}}`, `block_types.max_items has the wrong type number 1e99, at byte 77`},
		{`{"block_types": {"b": 1, "a": 2}, "attributes": {"z": 1, "y": 2}}`, `block_types has the wrong type number, at byte 23`}, // always the first fault
	}
	for _, test := range tests {
		var block configschema.Block
		checkError(t, test.text, json.Unmarshal([]byte(test.text), &block), test.want)
	}
}

func checkError(t *testing.T, name string, err error, want string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error, want %s", name, want)
	} else if err.Error() != want {
		t.Errorf("%s: the error is\n%s\nwant\n%s", name, err, want)
	}
}

func TestSchemaJSONWriteErrors(t *testing.T) {
	attribute := func(a *configschema.Attribute) *configschema.Block {
		return &configschema.Block{Attributes: map[string]*configschema.Attribute{"a": a}}
	}
	typed := func(ty cty.Type) *configschema.Block { return attribute(&configschema.Attribute{Type: ty}) }
	nested := func(o *configschema.Object) *configschema.Block {
		return attribute(&configschema.Attribute{NestedType: o})
	}
	block := func(nb *configschema.NestedBlock) *configschema.Block {
		return &configschema.Block{BlockTypes: map[string]*configschema.NestedBlock{"b": nb}}
	}
	tests := []struct {
		block *configschema.Block
		want  string
	}{
		{attribute(nil), `attribute "a": must not be null`},
		{attribute(&configschema.Attribute{}), `attribute "a": exactly one of Type and NestedType must be set`},
		{attribute(&configschema.Attribute{Type: cty.Bool, NestedType: &configschema.Object{Nesting: configschema.NestingMap}}), `attribute "a": exactly one of Type and NestedType must be set`},
		{attribute(&configschema.Attribute{Type: cty.Bool, DescriptionKind: 2}), `attribute "a": invalid description kind StringKind(2)`},
		{typed(cty.Capsule("key", reflect.TypeFor[int]())), `attribute "a": type not allowed: key`},
		{typed(cty.List(cty.NilType)), `attribute "a": the type has a part that is the zero cty.Type`},
		{typed(cty.Tuple([]cty.Type{cty.Bool, cty.NilType})), `attribute "a": the type has a part that is the zero cty.Type`},
		{typed(cty.Object(map[string]cty.Type{"x": cty.NilType})), `attribute "a": the type has a part that is the zero cty.Type`},
		{nested(&configschema.Object{}), `attribute "a": invalid nesting mode NestingMode(0)`},
		{nested(&configschema.Object{Attributes: map[string]*configschema.Attribute{"x": nil}}), `attribute "a": attribute "x": must not be null`},
		{block(nil), `block type "b": must not be null`},
		{block(&configschema.NestedBlock{Nesting: -1}), `block type "b": invalid nesting mode NestingMode(-1)`},
		{block(&configschema.NestedBlock{Nesting: 6}), `block type "b": invalid nesting mode NestingMode(6)`},
		{block(&configschema.NestedBlock{Nesting: configschema.NestingMap, Block: *typed(cty.List(cty.NilType))}), `block type "b": attribute "a": the type has a part that is the zero cty.Type`},
	}
	for _, test := range tests {
		_, err := test.block.MarshalJSON()
		checkError(t, test.want, err, test.want)
	}
}

// eachRecordedSchema calls visit with each schema of the corpus, in its recorded JSON.
func eachRecordedSchema(t *testing.T, visit func(name string, text json.RawMessage)) {
	t.Helper()
	for _, name := range []string{"random", "large", "edge"} {
		file, err := conformance.Corpus().Open(conformance.Release + "/" + name + ".jsonl.gz")
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		unzipped, err := gzip.NewReader(file)
		if err != nil {
			t.Fatal(err)
		}
		for lines := json.NewDecoder(unzipped); lines.More(); {
			var schema struct {
				Name  string          `json:"schema_name"`
				Block json.RawMessage `json:"block"`
			}
			if err := lines.Decode(&schema); err != nil {
				t.Fatal(err)
			}
			if schema.Name != "" {
				visit(schema.Name, schema.Block)
			}
		}
	}
}

func TestRecordedSchemasAreWrittenAsRead(t *testing.T) {
	schemas := 0
	eachRecordedSchema(t, func(name string, text json.RawMessage) {
		schemas++
		var block, again configschema.Block
		if err := json.Unmarshal(text, &block); err != nil {
			t.Errorf("%s: %s", name, err)
			return
		}
		written, err := json.Marshal(block)
		if err != nil {
			t.Errorf("%s: %s", name, err)
			return
		}
		if err := json.Unmarshal(written, &again); err != nil {
			t.Errorf("%s: %s", name, err)
		}
		if diff := cmp.Diff(block, again, sameSchemas); diff != "" {
			t.Errorf("%s: written and read again:\n%s", name, diff)
		}
		// The recorded schemas omit description_kind, which Terraform always writes.
		short := bytes.ReplaceAll(written, []byte(`,"description_kind":"plain"`), nil)
		short = bytes.ReplaceAll(short, []byte(`"description_kind":"plain"`), nil)
		if diff := cmp.Diff(decodeAny(t, text), decodeAny(t, short)); diff != "" {
			t.Errorf("%s: the written schema differs from the read schema:\n%s", name, diff)
		}
	})
	if schemas < 500 {
		t.Errorf("only %d schemas", schemas)
	}
}

func decodeAny(t *testing.T, text []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}
