package configschema_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/objchange/objchange/configschema"
	"github.com/zclconf/go-cty/cty"
)

func ExampleParseProviderSchemas() {
	schemas, err := configschema.ParseProviderSchemas([]byte(`{
		"format_version": "1.0",
		"provider_schemas": {
			"registry.terraform.io/hashicorp/random": {
				"resource_schemas": {
					"random_pet": {
						"version": 0,
						"block": {
							"attributes": {
								"id": {"type": "string", "computed": true},
								"length": {"type": "number", "optional": true, "computed": true}
							}
						}
					}
				}
			}
		}
	}`))
	if err != nil {
		log.Fatal(err)
	}
	pet, err := schemas.Resource("registry.terraform.io/hashicorp/random", "random_pet")
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(pet.Block.Attributes)) {
		a := pet.Block.Attributes[name]
		fmt.Printf("%s: %s, optional: %t, computed: %t\n", name, a.Type.FriendlyName(), a.Optional, a.Computed)
	}
	// Output:
	// id: string, optional: false, computed: true
	// length: number, optional: true, computed: true
}

func ExampleProviderSchemas_Resource() {
	thing := map[string]*configschema.Schema{"demo_thing": {Version: 2, Block: &configschema.Block{}}}
	schemas := &configschema.ProviderSchemas{
		Providers: map[string]*configschema.ProviderSchema{
			"example.com/demo/demo": {ResourceSchemas: thing},
		},
	}
	named, err := schemas.Resource("example.com/demo/demo", "demo_thing")
	fmt.Println(named.Version, err)
	only, err := schemas.Resource("", "demo_thing")
	fmt.Println(only.Version, err)
	_, err = schemas.Resource("example.com/demo/demo", "demo_thin")
	fmt.Println(err)
	_, err = schemas.Resource("demo/demo", "demo_thing")
	fmt.Println(err)
	// Output:
	// 2 <nil>
	// 2 <nil>
	// there is no resource type "demo_thin" of example.com/demo/demo; did you mean "demo_thing"?
	// there is no provider "demo/demo", only example.com/demo/demo
}

const wholeDocument = `{
	"format_version": "1.0",
	"provider_schemas": {
		"example.com/demo/demo": {
			"provider": {"version": 0, "block": {"description_kind": "plain"}},
			"resource_schemas": {
				"demo_thing": {"version": 3, "block": {
					"attributes": {"id": {"type": "string", "description_kind": "plain", "computed": true}},
					"description_kind": "plain"
				}}
			},
			"data_source_schemas": {"demo_data": {"version": 0, "block": {"description_kind": "plain"}}},
			"ephemeral_resource_schemas": {"demo_secret": {"version": 0, "block": {"description_kind": "plain"}}},
			"list_resource_schemas": {"demo_thing": {"version": 0, "block": {"description_kind": "plain"}}}
		},
		"terraform.io/builtin/terraform": {"provider": {"version": 0}}
	}
}`

func TestProviderSchemas(t *testing.T) {
	empty := func() *configschema.Schema { return &configschema.Schema{Block: &configschema.Block{}} }
	checkJSON(t, configschema.ProviderSchemas{
		FormatVersion: "1.0",
		Providers: map[string]*configschema.ProviderSchema{
			"example.com/demo/demo": {
				Provider: empty(),
				ResourceSchemas: map[string]*configschema.Schema{
					"demo_thing": {Version: 3, Block: &configschema.Block{
						Attributes: map[string]*configschema.Attribute{"id": {Type: cty.String, Computed: true}},
					}},
				},
				DataSourceSchemas:        map[string]*configschema.Schema{"demo_data": empty()},
				EphemeralResourceSchemas: map[string]*configschema.Schema{"demo_secret": empty()},
				ListResourceSchemas:      map[string]*configschema.Schema{"demo_thing": empty()},
			},
			"terraform.io/builtin/terraform": {Provider: &configschema.Schema{}},
		},
	}, wholeDocument)
}

func TestProviderSchemasParts(t *testing.T) {
	checkJSON(t, []configschema.ProviderSchema{{}}, `[{}]`)
	checkJSON(t, []configschema.Schema{{Version: 1}}, `[{"version": 1}]`)
	checkJSON(t, []*configschema.ProviderSchemas{nil}, `[null]`)
}

func TestParseProviderSchemas(t *testing.T) {
	tests := []struct {
		name, text string
		want       configschema.ProviderSchemas
	}{
		{"no providers", `{"format_version": "1.0"}`, configschema.ProviderSchemas{FormatVersion: "1.0"}},
		{"older", `{"format_version": "0.1", "provider_schemas": {}}`, configschema.ProviderSchemas{FormatVersion: "0.1"}},
		{"newer", `{"format_version": "1.12", "provider_schemas": null}`, configschema.ProviderSchemas{FormatVersion: "1.12"}},
		{"white space", "\n{\"format_version\": \"0.2\"}\r\n\t ", configschema.ProviderSchemas{FormatVersion: "0.2"}},
		{"null parts", `{"format_version": "1.0", "provider_schemas": {"p": null, "q": {"resource_schemas": {"r": null}}}}`, configschema.ProviderSchemas{
			FormatVersion: "1.0", Providers: map[string]*configschema.ProviderSchema{"q": {}},
		}},
		{"unknown fields", `{"format_version": "1.0", "x": [], "provider_schemas": {"p": {"functions": {"f": null}, "resource_identity_schemas": {"i": 1}}}}`, configschema.ProviderSchemas{
			FormatVersion: "1.0", Providers: map[string]*configschema.ProviderSchema{"p": {}},
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := configschema.ParseProviderSchemas([]byte(test.text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&test.want, got, sameSchemas, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestParseProviderSchemasErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{``, `invalid JSON: unexpected end of JSON input, at byte 0`},
		{`{"format_version": "1.0"`, `invalid JSON: unexpected end of JSON input, at byte 24`},
		{`{"format_version": "1.0"} {}`, `invalid JSON: invalid character '{' after top-level value, at byte 27`},
		{`null`, `format_version is missing`},
		{`[]`, `the schema has the wrong type array, at byte 1`},
		{`{}`, `format_version is missing`},
		{`{"provider_schemas": 1}`, `provider_schemas has the wrong type number, at byte 22`},
		{`{"format_version": null}`, `format_version is missing`},
		{`{"format_version": 1.0}`, `format_version has the wrong type number, at byte 22`},
		{`{"format_version": "1"}`, `format_version: "1" is not a version such as "1.0"`},
		{`{"format_version": "-1.0"}`, `format_version: "-1.0" is not a version such as "1.0"`},
		{`{"format_version": "2.0", "provider_schemas": 1}`, `format_version: unsupported version "2.0": only 0 and 1 are supported`},
		{`{"format_version": "1.0", "provider_schemas": []}`, `provider_schemas has the wrong type array, at byte 47`},
		{provider(`"provider": true`), `provider_schemas.provider has the wrong type bool, at byte 69`},
		{provider(`"resource_schemas": true`), `provider_schemas.resource_schemas has the wrong type bool, at byte 77`},
		{provider(`"resource_schemas": {"r": {"version": "1"}}`), `provider_schemas.resource_schemas.version has the wrong type string, at byte 94`},
		{provider(`"resource_schemas": {"r": {"version": 9223372036854775808}}`), `provider_schemas.resource_schemas.version has the wrong type number 9223372036854775808, at byte 110`},
		{provider(`"resource_schemas": {"r": {"block": {"attributes": {"a": {"nested_type": {"nesting_mode": "foo"}}}}}}`),
			`attribute "a": unknown nesting mode "foo"`},
		{provider(`"list_resource_schemas": {"l": 1}`), `provider_schemas.list_resource_schemas has the wrong type number, at byte 85`},
	}
	for _, test := range tests {
		got, err := configschema.ParseProviderSchemas([]byte(test.text))
		checkError(t, test.text, err, test.want)
		if got != nil {
			t.Errorf("%s: got an error and schemas", test.text)
		}
	}
}

// provider returns a document that has one provider with the given fields.
func provider(fields string) string {
	return `{"format_version": "1.0", "provider_schemas": {"p": {` + fields + `}}}`
}

func TestProviderSchemasWriteErrors(t *testing.T) {
	for want, p := range map[string]*configschema.ProviderSchema{
		`attribute "a": must not be null`: {Provider: &configschema.Schema{Block: &configschema.Block{
			Attributes: map[string]*configschema.Attribute{"a": nil},
		}}},
	} {
		_, err := json.Marshal(configschema.ProviderSchemas{FormatVersion: "1.0", Providers: map[string]*configschema.ProviderSchema{"p": p}})
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}

func TestProviderSchemasResource(t *testing.T) {
	one, two, both := &configschema.Schema{Block: &configschema.Block{}}, &configschema.Schema{Block: &configschema.Block{}}, &configschema.Schema{Block: &configschema.Block{}}
	schemas := &configschema.ProviderSchemas{Providers: map[string]*configschema.ProviderSchema{
		"a.com/b/a": {ResourceSchemas: map[string]*configschema.Schema{"first": one, "both": both}},
		"a.com/b/b": {ResourceSchemas: map[string]*configschema.Schema{"second": two, "both": both, "nil": nil, "none": {}}},
		"a.com/b/c": nil,
	}}
	for _, test := range []struct {
		provider, typeName string
		want               *configschema.Schema
		err                string
	}{
		{"a.com/b/a", "first", one, ""},
		{"a.com/b/a", "both", both, ""},
		{"", "first", one, ""},
		{"", "second", two, ""},
		{"a.com/b/a", "fist", nil, `there is no resource type "fist" of a.com/b/a; did you mean "first"?`},
		{"a.com/b/b", "nil", nil, `there is no resource type "nil" of a.com/b/b`},
		{"a.com/b/b", "none", nil, `there is no resource type "none" of a.com/b/b`},
		{"a.com/b/c", "first", nil, `there is no resource type "first" of a.com/b/c`},
		{"b/a", "first", nil, `there is no provider "b/a", only a.com/b/a, a.com/b/b, a.com/b/c`},
		{"", "both", nil, `"both" belongs to several providers: specify the provider: a.com/b/a or a.com/b/b`},
		{"", "secnd", nil, `there is no resource type "secnd"; did you mean "second"?`},
		{"", "quite another", nil, `there is no resource type "quite another"`},
	} {
		var got *configschema.Schema
		var err error
		for range 10 { // the order of maps varies
			got, err = schemas.Resource(test.provider, test.typeName)
			if err != nil && err.Error() != test.err {
				break
			}
		}
		if got != test.want || (err == nil) != (test.err == "") || err != nil && err.Error() != test.err {
			t.Errorf("Resource(%q, %q) = %v, %v, want %v, %s", test.provider, test.typeName, got, err, test.want, test.err)
		}
	}
}

func TestParseNamesOtherDocuments(t *testing.T) {
	for text, want := range map[string]string{
		`{"format_version": "1.2", "terraform_version": "1.11.4", "planned_values": {}}`: "this is a plan or a state, not the schemas that `terraform providers schema -json` writes",
		`{"format_version": "1.0", "terraform_version": "1.11.4", "values": {}}`:         "this is a plan or a state, not the schemas that `terraform providers schema -json` writes",
		`{"version": 4, "terraform_version": "1.11.4", "serial": 1, "resources": []}`:    "this is a plan or a state, not the schemas that `terraform providers schema -json` writes",
		`{"format_version": "1.0", "terraform_version": "x", "provider_schemas": {}}`:    "",
	} {
		_, err := configschema.ParseProviderSchemas([]byte(text))
		if got := fmt.Sprint(err); got != want && (err != nil || want != "") {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestRecordedSchemasAreWrittenByteForByte checks that recorded schemas are written with the
// same bytes, except for provider functions, which are at the end.
func TestRecordedSchemasAreWrittenByteForByte(t *testing.T) {
	text, err := os.ReadFile("../testdata/recordings/time/schemas.json")
	if err != nil {
		t.Fatal(err)
	}
	schemas, err := configschema.ParseProviderSchemas(text)
	if err != nil {
		t.Fatal(err)
	}
	provider := schemas.Providers["registry.terraform.io/hashicorp/time"]
	if provider == nil || len(provider.ResourceSchemas) != 4 {
		t.Fatalf("the provider is %v", provider)
	}
	written, err := json.Marshal(schemas)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(text, bytes.TrimSuffix(written, []byte("}}}"))) {
		t.Errorf("written:\n%s", written)
	}
	for name, schema := range provider.ResourceSchemas {
		if err := schema.Block.Validate(); err != nil {
			t.Errorf("%s: %s", name, err)
		}
	}
}

func FuzzParseProviderSchemas(f *testing.F) {
	f.Add([]byte(wholeDocument))
	f.Add([]byte(provider(`"resource_schemas": {"r": {"block": ` + everyFieldJSON + `}}`)))
	f.Add([]byte(provider(`"resource_schemas": {"r": {"block": {"attributes": {"a": {"type": ["tuple", [["object", {"x": ["set", "bool"]}, ["x"]]]]}}}}}`)))
	f.Add([]byte(provider(`"resource_schemas": {"r": {"block": {"block_types": {"b": {"nesting_mode": "map", "block": {}, "min_items": 2, "max_items": -1}}}}}`)))
	f.Add([]byte(provider(`"provider": null`) + "x"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := configschema.ParseProviderSchemas(text); err == nil {
			checkRoundTrip(t, text)
		}
	})
}

// checkRoundTrip checks that writing a document and reading it again does not change it, and
// that writing it a second time gives the same bytes.
func checkRoundTrip(t *testing.T, text []byte) {
	t.Helper()
	schemas, err := configschema.ParseProviderSchemas(text)
	if err != nil {
		t.Fatal(err)
	}
	written, err := json.Marshal(schemas)
	if err != nil {
		t.Fatal(err)
	}
	again, err := configschema.ParseProviderSchemas(written)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(schemas, again, sameSchemas, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("-read +written and read again:\n%s", diff)
	}
	if twice, err := json.Marshal(again); err != nil || !bytes.Equal(written, twice) {
		t.Fatalf("first written\n%s\nwritten again\n%s\n%v", written, twice, err)
	}
}
