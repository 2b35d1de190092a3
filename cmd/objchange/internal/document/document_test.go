package document_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/document"
)

// one returns the only document of a text.
func one(t *testing.T, text string) *document.Document {
	t.Helper()
	docs, errs := read(t, "testdata/run.json", text)
	if len(docs) != 1 || len(errs) > 0 {
		t.Fatalf("%d documents, %v", len(docs), errs)
	}
	return docs[0]
}

// Values may be written in several ways, and come out in one, which reads back
// as the same value.
func TestEncode(t *testing.T) {
	for _, test := range []struct{ name, value, want string }{
		{"nothing", `{}`, `{}`},
		{"null", `null`, `null`},
		{"unknown", `{"$unknown": true}`, `{"$unknown": true}`},
		{"plain", `{"id": "<a & b>", "count": 12}`, `{"id": "<a & b>", "count": 12}`},
		{"converted", `{"id": 12, "count": "0.1"}`, `{"id": "12", "count": 0.1}`},
		{"exact numbers", `{"count": 12345678901234567890.123456789}`, `{"count": 12345678901234567890.123456789}`},
		{"collections", `{"tags": {"b": "2", "a": null}, "names": ["b", "a", "b"]}`, `{"tags": {"a": null, "b": "2"}, "names": ["a", "b"]}`},
		{"empty collections", `{"tags": {}, "names": []}`, `{"tags": {}, "names": []}`},
		{"blocks", `{"rule": [{"port": 1}, {"port": {"$unknown": true}}]}`, `{"rule": [{"port": 1}, {"port": {"$unknown": true}}]}`},
		{"null blocks", `{"rule": null}`, `{"rule": null}`},
		{"unknown blocks", `{"rule": {"$unknown": true}}`, `{"rule": {"$unknown": true}}`},
		{"any type", `{"any": [1, "a", {"b": [true, null, {"$unknown": true}]}]}`, `{"any": [1, "a", {"b": [true, null, {"$unknown": true}]}]}`},
		{"promises", `{"id": {"$unknown": {"not_null": true, "prefix": "a-"}}, "tags": {"$unknown": {"min_length": 1, "max_length": 2}}}`,
			`{"id": {"$unknown": {"not_null": true, "prefix": "a-"}}, "tags": {"$unknown": {"min_length": 1, "max_length": 2}}}`},
		{"no promises", `{"id": {"$unknown": {}}}`, `{"id": {"$unknown": true}}`},
		{"promises that leave one value", `{"tags": {"$unknown": {"not_null": true, "max_length": 0}}}`, `{"tags": {}}`},
		{"literal", `{"tags": {"$literal": {"$unknown": "a", "b": "c"}}, "any": {"$literal": {"$literal": {"$unknown": true}}}}`,
			`{"tags": {"$literal": {"$unknown": "a", "b": "c"}}, "any": {"$literal": {"$literal": {"$unknown": true}}}}`},
		{"needless literal", `{"tags": {"$literal": {"a": "b"}}}`, `{"tags": {"a": "b"}}`},
		{"other keys with $", `{"tags": {"$literal": {"$ref": "a"}}}`, `{"tags": {"$literal": {"$ref": "a"}}}`},
		{"bytes", `{"id": {"$bytes": "Yf8="}, "names": [{"$bytes": "/w=="}, "a"], "any": ["a", {"b": {"$bytes": "/w=="}}]}`,
			`{"id": {"$bytes": "Yf8="}, "names": ["a", {"$bytes": "/w=="}], "any": ["a", {"b": {"$bytes": "/w=="}}]}`},
		{"needless bytes", `{"id": {"$bytes": "YQ=="}, "count": {"$bytes": "MTI="}}`, `{"id": "a", "count": 12}`},
		{"bytes in a promise", `{"id": {"$unknown": {"not_null": true, "prefix": {"$bytes": "Yf8="}}}}`, `{"id": {"$unknown": {"not_null": true, "prefix": {"$bytes": "Yf8="}}}}`},
		{"needless bytes in keys", `{"tags": {"$bytes:YQ==": "b"}, "any": {"$bytes:JGE=": 1}}`, `{"tags": {"a": "b"}, "any": {"$literal": {"$a": 1}}}`},
		{"keys that look like bytes", `{"tags": {"$literal": {"$bytes:YQ==": "b", "$bytes": "c"}}}`, `{"tags": {"$literal": {"$bytes:YQ==": "b", "$bytes": "c"}}}`},
		{"bytes in keys", `{"tags": {"$bytes:/w==": "a", "b": "c"}, "any": {"$bytes:/w==": 1, "$bytes:JGE=": 2}}`,
			`{"tags": {"$bytes:/w==": "a", "b": "c"}, "any": {"$bytes:/w==": 1, "$bytes:JGE=": 2}}`},
		{"bounds", `{"count": {"$unknown": {"minimum": 0.1, "exclusive_maximum": 1e3}}}`, `{"count": {"$unknown": {"minimum": 0.1, "exclusive_maximum": 1000}}}`},
		{"bounds that leave one value", `{"count": {"$unknown": {"not_null": true, "minimum": 2, "maximum": 2}}}`, `{"count": 2}`},
		{"types", `{"any": {"$typed": {"type": ["list", "number"], "value": [1, {"$unknown": {"minimum": 2}}]}}}`,
			`{"any": {"$typed": {"type": ["list", "number"], "value": [1, {"$unknown": {"minimum": 2}}]}}}`},
		{"types inside", `{"any": [{"a": {"$typed": {"type": ["set", "string"], "value": []}}}, {"$typed": {"type": "bool", "value": null}}]}`,
			`{"any": [{"a": {"$typed": {"type": ["set", "string"], "value": []}}}, {"$typed": {"type": "bool", "value": null}}]}`},
		{"typed unknown", `{"any": {"$typed": {"type": "string", "value": {"$unknown": {"prefix": "a"}}}}}`,
			`{"any": {"$typed": {"type": "string", "value": {"$unknown": {"prefix": "a"}}}}}`},
		{"needless types", `{"any": {"$typed": {"type": ["tuple", ["string", "dynamic"]], "value": [1, null]}}}`, `{"any": ["1", null]}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := one(t, with(`"new": `+test.value))
			got := encode(t, d, d.Lifecycle.New)
			if want := complete(test.want); !sameJSON(t, got, want) {
				t.Errorf("got %s\nwant %s", got, want)
			}
			again := one(t, with(`"new": `+got))
			if !again.Lifecycle.New.RawEquals(d.Lifecycle.New) {
				t.Errorf("reads back as %#v, not %#v", again.Lifecycle.New, d.Lifecycle.New)
			}
		})
	}
}

// What is sensitive is not written, wherever it is marked.
func TestEncodeSensitive(t *testing.T) {
	const hidden = `{"$sensitive": {"$unknown": true}}`
	for _, test := range []struct{ name, fields, want string }{
		{"by the schema", `"new": {"secrets": {"canary": 12}}`, `{"secrets": ` + hidden + `}`},
		{"null by the schema", `"new": {"secrets": null}`, `{}`},
		{"unknown by the schema", `"new": {"secrets": {"$unknown": {"min_length": 12}}}`, `{"secrets": {"$unknown": true}}`},
		{"marked", `"new": {"tags": {"a": {"$sensitive": "canary"}, "b": "c"}}`, `{"tags": {"a": ` + hidden + `, "b": "c"}}`},
		{"marked twice", `"new": {"tags": {"$sensitive": {"canary": {"$sensitive": "canary"}}}}`, `{"tags": ` + hidden + `}`},
		{"marked null", `"new": {"id": {"$sensitive": null}}`, `{"id": {"$sensitive": null}}`},
		{"marked unknown", `"new": {"id": {"$sensitive": {"$unknown": {"prefix": "canary"}}}}`, `{"id": ` + hidden + `}`},
		{"in a set", `"new": {"names": ["a", {"$sensitive": "canary"}]}`, `{"names": ` + hidden + `}`},
		{"in a block", `"new": {"rule": [{"port": 1}, {"port": {"$sensitive": 2}}]}`, `{"rule": [{"port": 1}, {"port": ` + hidden + `}]}`},
		{"a block", `"new": {"rule": [{"port": 1}, {"$sensitive": {"port": 2}}]}`, `{"rule": [{"port": 1}, ` + hidden + `]}`},
		{"of any type", `"new": {"any": [{"a": {"$sensitive": ["canary"]}}]}`, `{"any": [{"a": ` + hidden + `}]}`},
		{"all", `"new": {"$sensitive": {"id": "canary"}}`, hidden},
		{"in another value", `"config": {"id": {"$sensitive": "a"}, "tags": {"k": {"$sensitive": "a"}}}, "new": {"id": "canary", "tags": {"k": "canary", "l": "b"}}`,
			`{"id": ` + hidden + `, "tags": {"k": ` + hidden + `, "l": "b"}}`},
		{"in another value that is longer", `"config": {"rule": [{}, {"port": {"$sensitive": 1}}]}, "new": {"rule": [{"port": 1}]}`, `{"rule": [{"port": 1}]}`},
		{"in a type", `"new": {"any": {"$typed": {"type": ["map", "string"], "value": {"a": {"$sensitive": "canary"}}}}}`,
			`{"any": {"$typed": {"type": ["map", "string"], "value": {"a": ` + hidden + `}}}}`},
		{"a type", `"new": {"any": {"$sensitive": {"$typed": {"type": "string", "value": "canary"}}}}`, `{"any": ` + hidden + `}`},
		{"in a literal", `"new": {"tags": {"$literal": {"$unknown": {"$sensitive": "canary"}}}}`, `{"tags": {"$literal": {"$unknown": ` + hidden + `}}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := one(t, with(test.fields))
			got := encode(t, d, d.Lifecycle.New)
			want := test.want
			if want != hidden {
				want = complete(want)
			}
			if !sameJSON(t, got, want) {
				t.Errorf("got %s\nwant %s", got, want)
			}
			one(t, with(`"new": `+got))
		})
	}
}

// The elements of a collection have one type. The type of a null element must not show
// the names in a sensitive one.
func TestEncodeHidesTypesOfSensitiveSiblings(t *testing.T) {
	schema := `{"schema": {"attributes": {"m": {"type": ["map", "dynamic"], "optional": true}, "n": {"optional": true, "nested_type": {"nesting_mode": "list",
		"attributes": {"d": {"type": "dynamic", "optional": true}}}}}}, "new": %s}`
	for _, test := range []struct{ value, want string }{
		{`{"m": {"a": null, "b": {"$sensitive": {"canary": "v"}}}}`, `{"m": {"a": null, "b": {"$sensitive": {"$unknown": true}}}, "n": null}`},
		{`{"m": {"a": {"x": {"$typed": {"type": ["object", {"canary": "string"}], "value": null}}}, "b": {"x": {"$sensitive": {"canary": "v"}}}}}`, `{"m": {"a": {"x": null}, "b": {"x": {"$sensitive": {"$unknown": true}}}}, "n": null}`},
		{`{"n": [{"d": {"$typed": {"type": ["object", {"canary": "string"}], "value": null}}}, {"d": {"$sensitive": {"canary": "v"}}}]}`, `{"m": null, "n": [{"d": null}, {"d": {"$sensitive": {"$unknown": true}}}]}`},
		{`{"n": [{"d": {"$typed": {"type": ["object", {"canary": "string"}], "value": {"$unknown": true}}}}, {"d": {"$sensitive": {"canary": "v"}}}]}`, `{"m": null, "n": [{"d": {"$unknown": true}}, {"d": {"$sensitive": {"$unknown": true}}}]}`},
		{`{"m": {"a": {"$typed": {"type": "string", "value": null}}}}`, `{"m": {"a": {"$typed": {"type": "string", "value": null}}}, "n": null}`},
	} {
		d := one(t, fmt.Sprintf(schema, test.value))
		if got := encode(t, d, d.Lifecycle.New); !sameJSON(t, got, test.want) {
			t.Errorf("%s\n got %s\nwant %s", test.value, got, test.want)
		}
	}
}

func encode(t *testing.T, d *document.Document, v cty.Value) string {
	t.Helper()
	text, err := document.Encode(d.Lifecycle.Schema.Block(), v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// complete adds to the JSON of an object what the schema has besides.
func complete(text string) string {
	var data map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &data) != nil || data == nil || data["$unknown"] != nil {
		return text
	}
	for _, name := range []string{"id", "count", "tags", "names", "any", "secrets", "rule"} {
		if _, ok := data[name]; !ok {
			data[name] = json.RawMessage("null")
			if name == "rule" { // which is a block
				data[name] = json.RawMessage("[]")
			}
		}
	}
	full, _ := json.Marshal(data)
	return string(full)
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var texts [2]string
	for i, text := range []string{a, b} {
		dec := json.NewDecoder(strings.NewReader(text))
		dec.UseNumber()
		var data any
		if err := dec.Decode(&data); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		canonical, _ := json.Marshal(data)
		texts[i] = string(canonical)
	}
	return texts[0] == texts[1]
}

// A file may hold documents in several ways.
func TestRead(t *testing.T) {
	doc := func(name string) string {
		return fmt.Sprintf(`{"name": %q, "schema": {"file": "schemas.json", "type": "time_static"}}`, name)
	}
	const broken = `{"name": "broken"}`
	for _, test := range []struct{ name, text, want string }{
		{"one", doc("a"), "a:1"},
		{"without a name", `{"schema": {}}`, "document 1:1"},
		{"lines", doc("a") + "\n\n" + doc("b") + "\n" + `{"schema": {}}`, "a:1 b:3 document 3:4"},
		{"array", "[\n" + doc("a") + ",\n" + doc("b") + "]\n", "a:2/0 b:3/1"},
		{"arrays and documents", "[]\n[" + doc("a") + "]" + doc("b"), "a:2/0 b:2"},
		{"with a broken one", doc("a") + "\n" + broken + "\n" + doc("b"), "a:1 !2 b:3"},
		{"with a broken end", doc("a") + "\n" + doc("b") + "\n}", "a:1 b:2 !3"},
		{"a broken line", doc("a") + "\n" + `{"name": NaN}` + "\n" + doc("c"), "a:1 !2"},
		{"several on a line, one broken", doc("a") + "}" + doc("b") + "\n" + doc("c"), "a:1 !1"},
		{"far apart", strings.Repeat("\n", 200000) + doc("a"), "a:200001"},
		{"byte order mark", "\xef\xbb\xbf" + doc("a"), "a:1"},
		{"blank lines first", "\n\n  " + doc("a"), "a:3"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var r document.Reader
			var got []string
			for d, err := range r.Read("testdata/run.json", strings.NewReader(test.text)) {
				if err != nil {
					got = append(got, "!"+strings.Split(err.Error(), ":")[1])
					continue
				}
				got = append(got, fmt.Sprintf("%s:%d%s", d.Name, d.Place.Line, d.Place.Pointer))
			}
			if got := strings.Join(got, " "); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// Documents that refer to the same schema in a file share one compiled schema.
func TestReadCompilesASchemaOnce(t *testing.T) {
	var r document.Reader
	schemas := map[*objchange.Schema]int{}
	text := strings.Repeat(`{"schema": {"file": "schemas.json", "type": "time_static"}}`+"\n", 3) + `{"schema": {"file": "schemas.json", "type": "acme_unusual"}}`
	for d, err := range r.Read("testdata/run.json", strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		schemas[d.Lifecycle.Schema]++
	}
	if len(schemas) != 2 {
		t.Errorf("%d compiled schemas for two types", len(schemas))
	}
}

// The JSON Schema that is printed takes what is read, and refuses the same forms
// of values.
func TestSchema(t *testing.T) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(document.Schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("run.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("run.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		text  string
		valid bool
	}{
		{with(`"prior": null`), true},
		{"[" + with(`"prior": null`) + "]", true},
		{`{"schema": {"file": "schemas.json", "type": "time_static"}}`, true},
		{`{"schema": {"version": 1, "block": {}}}`, true},
		{`{"schema": {"version": 1, "block": {"attributes": {"id": {"type": true}}}}}`, false},
		{`{"schema": {"block_types": {"b": {"nesting_mode": "list", "min_items": -1, "max_items": -2, "block": {}}}}}`, true},
		{`{"schema": {"attributes": {"a": {"nested_type": {"nesting_mode": "group"}}}}}`, true},
		{`{"schema": {"file": "schemas.json"}}`, false},
		{`{"prior": null}`, false},
		{with(`"prio": null`), false},
		{with(`"requires_replace": [["tags", "a"], ["rule", 0, "port"]]`), true},
		{with(`"requires_replace": [["rule", 0.5]]`), false},
		{with(`"new": {"id": {"$unknown": true}}`), true},
		{with(`"new": {"id": {"$unknown": {"prefix": "a"}}}`), true},
		{with(`"new": {"id": {"$unknown": {"prefix": null}}}`), false},
		{with(`"new": {"id": {"$unknown": {"length": 1}}}`), false},
		{with(`"new": {"tags": {"$unknown": {"min_length": -1}}}`), false},
		{with(`"new": {"count": {"$unknown": {"minimum": 0.1, "exclusive_maximum": 1000}}}`), true},
		{with(`"new": {"count": {"$unknown": {"minimum": "1"}}}`), false},
		{with(`"new": {"count": {"$unknown": {"exclusive_maximum": null}}}`), false},
		{with(`"new": {"any": {"$typed": {"type": ["map", "string"], "value": {"a": {"$unknown": true}}}}}`), true},
		{with(`"new": {"any": {"$typed": {"type": "string"}}}`), false},
		{with(`"new": {"any": {"$typed": {"type": "string", "value": null, "more": 1}}}`), false},
		{with(`"new": {"any": {"$typed": {"type": "string", "value": {"$unknown": 1}}}}`), false},
		{with(`"new": {"id": {"$unknown": false}}`), false},
		{with(`"new": {"id": {"$unknown": {"not_null": false}}}`), false},
		{with(`"new": {"tags": {"$unknown": true, "a": "b"}}`), false},
		{with(`"new": {"tags": {"$sensitive": {"a": {"$unknown": 1}}}}`), false},
		{with(`"new": {"tags": {"$literal": {"$unknown": "a", "b": "c"}}}`), true},
		{with(`"new": {"tags": {"$literal": ["a"]}}`), false},
		{with(`"new": {"tags": {"$ref": "a"}}`), false},
		{with(`"new": {"id": {"$bytes": "/w=="}, "tags": {"$bytes:YQ==": {"$bytes": ""}}}`), true},
		{with(`"new": {"id": {"$bytes": "/w"}}`), false},
		{with(`"new": {"id": {"$bytes": 1}}`), false},
		{with(`"new": {"id": {"$bytes": "/w==", "id": "a"}}`), false},
		{with(`"new": {"id": {"$unknown": {"prefix": {"$bytes": "/w=="}}}}`), true},
		{with(`"new": {"id": {"$unknown": {"prefix": {"$sensitive": "a"}}}}`), false},
		{with(`"requires_replace": [["tags", {"$bytes": "/w=="}]]`), true},
		{with(`"requires_replace": [["tags", {"$bytes": "/w"}]]`), false},
		{with(`"requires_replace": [["tags", {"$unknown": true}]]`), false},
		{with(`"new": {"tags": {"$literal": {"$ref": "a"}}}`), true},
		{with(`"new": {"$sensitive": {"rule": [{"port": {"$sensitive": 1}}]}}`), true},
	} {
		data, err := jsonschema.UnmarshalJSON(strings.NewReader(test.text))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(data); (err == nil) != test.valid {
			t.Errorf("%s: the schema says %v", test.text, err)
		}
		if _, errs := read(t, "testdata/run.json", test.text); (len(errs) == 0) != test.valid {
			t.Errorf("%s: reading says %v", test.text, errs)
		}
	}
}
