package document_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/objchange/internal/document"
)

// block is a schema with one of everything that matters here.
const block = `{
	"attributes": {
		"id": {"type": "string", "computed": true},
		"count": {"type": "number", "optional": true},
		"tags": {"type": ["map", "string"], "optional": true},
		"names": {"type": ["set", "string"], "optional": true},
		"any": {"type": "dynamic", "optional": true},
		"secrets": {"type": ["map", "number"], "optional": true, "sensitive": true}
	},
	"block_types": {
		"rule": {"nesting_mode": "list", "block": {"attributes": {"port": {"type": "number", "required": true}}}}
	}
}`

// with returns a document with the schema and these fields.
func with(fields string) string {
	return `{"schema": ` + block + `, ` + fields + `}`
}

// read returns the documents of a text, and what is wrong with it.
func read(t *testing.T, file, text string) (docs []*document.Document, errs []string) {
	t.Helper()
	var r document.Reader
	for d, err := range r.Read(file, strings.NewReader(text)) {
		if err == nil {
			docs = append(docs, d)
			continue
		}
		if unusable := new(document.Error); !errors.As(err, &unusable) {
			t.Errorf("%v is a %T", err, err)
		}
		errs = append(errs, err.Error())
	}
	return docs, errs
}

// What is wrong with a document is told with its place, and with nothing that
// may be sensitive.
func TestBroken(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"empty", ``, `run.json: there is no document in it`},
		{"empty array", `[ ]`, `run.json: there is no document in it`},
		{"not JSON", "{\n  schema: {}\n}",
			`run.json:2: not JSON: invalid character 's' at start of value`},
		{"truncated", "{\"schema\": {},\n\"prior\": {\"id\": \"i",
			`run.json:2: the JSON ends too early`},
		{"truncated array", "[\n" + with(`"prior": null`) + ",",
			`run.json:14: /1: the JSON ends too early`},
		{"truncated number", `{"name": 12`,
			`run.json:1: the JSON ends too early`},
		{"extra brace", `{}}`,
			"run.json:1: missing property 'schema'\nrun.json:1: not JSON: invalid character '}' at start of value"},
		{"NaN", with(`"prior": {"count": NaN}`),
			`run.json:13: not JSON: invalid character 'N' at start of value`},
		{"duplicate key", with("\n\n" + `"prior": {"id": "a", "id": "b"}`),
			`run.json:15: /prior: the JSON has a name twice in one object`},
		{"duplicate field", with(`"prior": null, "prior": null`),
			`run.json:13: the JSON has a name twice in one object`},
		{"broken escape", with(`"prior": {"secrets": {"a\ud800canary": 1}}`),
			`run.json:13: not JSON: broken escape in a string, after byte 526`},
		{"broken escape of another kind", with(`"prior": {"secrets": {"a\ucanary": 1}}`),
			`run.json:13: not JSON: broken escape in a string, after byte 526`},
		{"duplicate secret key", with(`"prior": {"secrets": {"canary": 1, "canary": 2}}`),
			`run.json:13: /prior/secrets: the JSON has a name twice in one object`},
		{"duplicate key in a secret", "[" + with(`"prior": {"secrets": {"canary": {"a": 1, "a": 2}}}`) + "]",
			`run.json:13: /0/prior/secrets: the JSON has a name twice in one object`},
		{"duplicate key in $sensitive", with(`"prior": {"$sensitive": {"canary": {"a": 1, "a": 2}}}`),
			`run.json:13: /prior: the JSON has a name twice in one object`},
		{"duplicate key in the schema", `{"schema": {"attributes": {"id": {"type": "string", "type": "number"}}}}`,
			`run.json:1: /schema/attributes/id: the JSON has a name twice in one object`},
		{"UTF-16", "\xff\xfe{\x00}\x00",
			`run.json:1: the text is UTF-16, as PowerShell's > writes it: convert it to UTF-8 with Get-Content FILE | Set-Content -Encoding utf8 NEWFILE`},
		{"a broken array", "[\n{},\nNaN\n,{}]",
			"run.json:2: /0: missing property 'schema'\nrun.json:3: /1: not JSON: invalid character 'N' at start of value"},
		{"not UTF-8", with("\"prior\": {\"id\": \"\xff\"}"),
			`run.json:13: not JSON: invalid UTF-8`},
		{"deep", with(`"prior": {"any": ` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}`),
			`run.json:13: not JSON: exceeded max depth`},
		{"rather deep", with(`"prior": {"any": ` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + `}`),
			`run.json:1: /prior: .any[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0 … ][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]: nested deeper than 500 levels`},

		{"a string", `"prior"`,
			`run.json:1: got string, want object`},
		{"array of arrays", `[[]]`,
			`run.json:1: /0: got array, want object`},
		{"no schema", `{"prior": null}`,
			`run.json:1: missing property 'schema'`},
		{"unknown field", with(`"planed": null`),
			`run.json:1: no such field: "planed"; did you mean "final_planned" or "initial_planned"?`},
		{"wrong types of fields", with(`"name": 1, "legacy_type_system": "yes", "requires_replace": [["id"], "id", [true]]`),
			`run.json:1: /legacy_type_system: got string, want boolean; /name: got number, want string; /requires_replace/1: got string, want array; /requires_replace/2/0: got boolean, want integer or string`},
		{"schema of another kind", `{"schema": "time_static"}`,
			`run.json:1: /schema: got string, want object`},
		{"schema with unknown type", `{"schema": {"attributes": {"id": {"type": "strin", "optional": true}}}}`,
			`run.json:1: /schema: attribute "id": unknown type "strin"`},
		{"schema with wrong parts", `{"schema": {"attributes": {"id": {"type": 1}}, "block_types": {"b": {"nesting_mode": "some"}}}}`,
			`run.json:1: /schema/attributes/id/type: got number, want string or array; /schema/block_types/b: missing property 'block'; /schema/block_types/b/nesting_mode: value must be one of 'single', 'group', 'list', 'set', 'map'`},
		{"invalid schema", `{"schema": {"attributes": {"id": {"type": "string", "optional": true}}, "block_types": {"id": {"nesting_mode": "list", "block": {}}}}}`,
			`run.json:1: /schema: .id: the name is both an attribute and a block`},
		{"invalid schema of a resource", `{"schema": {"version": 1, "block": {"attributes": {"id": {"type": "strin"}}}}}`,
			`run.json:1: /schema/block: attribute "id": unknown type "strin"`},

		{"no such schema file", `{"schema": {"file": "none.json", "type": "time_static"}}`,
			`run.json:1: /schema: open none.json: no such file or directory`},
		{"schema file without type", `{"schema": {"file": "schemas.json"}}`,
			`run.json:1: /schema: missing property 'type'`},
		{"broken schema file", `{"schema": {"file": "broken.json", "type": "time_static"}}`,
			`run.json:1: /schema: broken.json:1: invalid JSON: unexpected end of JSON input, at byte 48`},
		{"no such resource type", `{"schema": {"file": "schemas.json", "type": "time_statik"}}`,
			`run.json:1: /schema: schemas.json: there is no resource type "time_statik"; did you mean "time_static"?`},
		{"no such provider", `{"schema": {"file": "schemas.json", "type": "time_static", "provider": "hashicorp/time"}}`,
			`run.json:1: /schema: schemas.json: there is no provider "hashicorp/time", only registry.opentofu.org/acme/web, registry.terraform.io/acme/web, registry.terraform.io/hashicorp/time; did you mean "registry.terraform.io/hashicorp/time"?`},
		{"type of another provider", `{"schema": {"file": "schemas.json", "type": "time_static", "provider": "registry.terraform.io/acme/web"}}`,
			`run.json:1: /schema: schemas.json: there is no resource type "time_static" of registry.terraform.io/acme/web`},
		{"type of several providers", `{"schema": {"file": "schemas.json", "type": "acme_server"}}`,
			`run.json:1: /schema: schemas.json: "acme_server" is of several providers, so the provider must be given: registry.opentofu.org/acme/web or registry.terraform.io/acme/web`},
		{"invalid schema in the file", `{"schema": {"file": "schemas.json", "type": "acme_broken"}}`,
			`run.json:1: /schema: schemas.json: the schema of acme_broken is not valid: .id: none of Required, Optional and Computed is set; .id: the name is both an attribute and a block`},

		{"no such attribute", with(`"prior": {"idd": "a"}`),
			`run.json:1: /prior: .idd: no such attribute or block; did you mean "id"?`},
		{"wrong kinds", with(`"prior": {"id": [], "count": "many", "tags": {"a": {}}, "rule": {"port": 1}}`),
			`run.json:1: /prior: .count: must be a number, not a string that is none; /prior: .id: must be a string, not a list; /prior: .rule: must be a list of object, not an object or a map; /prior: .tags["a"]: must be a string, not an object or a map`},
		{"wrong kinds deep inside", with(`"config": {"rule": [{"port": 80}, {"port": true}]}`),
			`run.json:1: /config: .rule[1].port: must be a number, not a bool`},
		{"a value that is none", with(`"new": 12`),
			`run.json:1: /new: the value: must be an object, not a number`},
		{"many problems", with(`"prior": {"a": 1, "b": 1, "c": 1, "d": 1}, "config": {"e": 1, "f": 1, "g": 1}`),
			`run.json:1: /prior: .a: no such attribute or block; /prior: .b: no such attribute or block; /prior: .c: no such attribute or block; /prior: .d: no such attribute or block; /config: .e: no such attribute or block; and 2 more`},
		{"wrong secrets", with(`"prior": {"secrets": {"canary": "canary"}}`),
			`run.json:1: /prior: .secrets[(sensitive)]: must be a number, not a string that is none`},
		{"wrong $sensitive", with(`"prior": {"tags": {"$sensitive": {"canary": ["canary"]}}}`),
			`run.json:1: /prior: what is in a $sensitive does not fit its place`},
		{"wrong beside $sensitive", with(`"prior": {"tags": {"a": []}, "id": {"$sensitive": {"canary": 1}}}`),
			`run.json:1: /prior: .tags["a"]: must be a string, not a list`},
		{"form with other keys", with(`"prior": {"tags": {"$unknown": true, "a": "b"}}`),
			`run.json:1: /prior: .tags: an object with the key $unknown must have nothing else; one that is meant to have such a key is {"$literal": {...}}`},
		{"form with other keys in secrets", with(`"prior": {"secrets": {"canary": {"$unknown": true, "canary": 1}}}`),
			`run.json:1: /prior: .secrets[(sensitive)]: makes no value`},
		{"misspelt form", with(`"prior": {"tags": {"$sensitve": "canary"}}`),
			`run.json:1: /prior: .tags: a key that begins with $ is none of $unknown, $sensitive, $bytes, $literal, $typed; did you mean "$sensitive"?; an object that is meant to have such a key is {"$literal": {...}}`},
		{"misspelt form of any case", with(`"prior": {"$Unknown": true}`),
			`run.json:1: /prior: the value: a key that begins with $ is none of $unknown, $sensitive, $bytes, $literal, $typed; did you mean "$unknown"?; an object that is meant to have such a key is {"$literal": {...}}`},
		{"form of another kind", with(`"prior": {"tags": {"$canary": "canary"}}`),
			`run.json:1: /prior: .tags: a key that begins with $ is none of $unknown, $sensitive, $bytes, $literal, $typed; an object that is meant to have such a key is {"$literal": {...}}`},
		{"$unknown false", with(`"prior": {"id": {"$unknown": false}}`),
			`run.json:1: /prior: .id: $unknown must be true, or an object with any of "not_null": true, "prefix", "min_length", "max_length", "minimum", "exclusive_minimum", "maximum" and "exclusive_maximum", lengths and bounds as numbers`},
		{"$unknown null", with(`"prior": {"id": {"$unknown": {"prefix": null}}}`),
			`run.json:1: /prior: .id: $unknown must be true, or an object with any of "not_null": true, "prefix", "min_length", "max_length", "minimum", "exclusive_minimum", "maximum" and "exclusive_maximum", lengths and bounds as numbers`},
		{"$unknown with another promise", with(`"prior": {"id": {"$unknown": {"suffix": "a"}}}`),
			`run.json:1: /prior: .id: $unknown must be true, or an object with any of "not_null": true, "prefix", "min_length", "max_length", "minimum", "exclusive_minimum", "maximum" and "exclusive_maximum", lengths and bounds as numbers`},
		{"$unknown prefix of a number", with(`"prior": {"count": {"$unknown": {"prefix": "a"}}}`),
			`run.json:1: /prior: .count: $unknown can promise a prefix of a string only`},
		{"$unknown length of a string", with(`"prior": {"id": {"$unknown": {"min_length": 1}}}`),
			`run.json:1: /prior: .id: $unknown can promise a length of a list, set or map only`},
		{"$unknown length below zero", with(`"prior": {"tags": {"$unknown": {"min_length": -1}}}`),
			`run.json:1: /prior: .tags: $unknown has a length below zero`},
		{"$unknown lengths the wrong way round", with(`"prior": {"tags": {"$unknown": {"min_length": 2, "max_length": 1}}}`),
			`run.json:1: /prior: .tags: $unknown has a min_length above its max_length`},
		{"$unknown promise of any type", with(`"prior": {"any": {"$unknown": {"not_null": true}}}`),
			`run.json:1: /prior: .any: $unknown can promise nothing where the type is not known`},
		{"$unknown bound of a string", with(`"prior": {"id": {"$unknown": {"minimum": 1}}}`),
			`run.json:1: /prior: .id: $unknown can promise a minimum and maximum of a number only`},
		{"$unknown bounds the wrong way round", with(`"prior": {"count": {"$unknown": {"minimum": 2, "maximum": 1.9}}}`),
			`run.json:1: /prior: .count: $unknown has a minimum above its maximum`},
		{"$unknown bounds without a number between", with(`"prior": {"count": {"$unknown": {"minimum": 2, "exclusive_maximum": 2.0}}}`),
			`run.json:1: /prior: .count: $unknown has a minimum above its maximum`},
		{"$unknown bound twice", with(`"prior": {"count": {"$unknown": {"minimum": 1, "exclusive_minimum": 2}}}`),
			`run.json:1: /prior: .count: $unknown: minimum: it is there twice, once exclusive`},
		{"$unknown bound far out", with(`"prior": {"count": {"$unknown": {"maximum": 1e9999}}}`),
			`run.json:1: /prior: .count: $unknown: maximum: the value: a number beyond 2^4096`},
		{"$typed where there is a type", with(`"prior": {"id": {"$typed": {"type": "string", "value": "a"}}}`),
			`run.json:1: /prior: .id: $typed is for places of any type, and this one has a type`},
		{"$typed without a value", with(`"prior": {"any": {"$typed": {"type": "string"}}}`),
			`run.json:1: /prior: .any: $typed must be {"type": ..., "value": ...}`},
		{"$typed with more", with(`"prior": {"any": {"$typed": {"type": "string", "value": "a", "b": 1}}}`),
			`run.json:1: /prior: .any: $typed must be {"type": ..., "value": ...}`},
		{"$typed of no type", with(`"prior": {"any": {"$typed": {"type": ["list", "strin"], "value": []}}}`),
			`run.json:1: /prior: .any: $typed: unknown type "strin"`},
		{"$typed of another type", with(`"prior": {"any": {"$typed": {"type": ["list", "number"], "value": ["a"]}}}`),
			`run.json:1: /prior: .any[0]: must be a number, not a string that is none`},
		{"$typed of any type", with(`"prior": {"any": {"$typed": {"type": "dynamic", "value": "a"}}}`),
			`run.json:1: /prior: .any: the type of the dynamic value is dynamic itself`},
		{"$literal of a list", with(`"prior": {"tags": {"$literal": []}}`),
			`run.json:1: /prior: .tags: $literal must be an object`},
		{"$bytes that are none", with(`"prior": {"id": {"$bytes": "canary"}, "tags": {"a": {"$bytes": ["canary"]}}}`),
			`run.json:1: /prior: .id: $bytes must be base64; /prior: .tags["a"]: $bytes must be base64`},
		{"$bytes of another kind", with(`"prior": {"tags": {"$bytes": "YQ=="}, "count": {"$bytes": "YQ=="}}`),
			`run.json:1: /prior: .count: must be a number, not a string; /prior: .tags: must be a map of string, not a string`},
		{"a key of $bytes that are none", with(`"prior": {"tags": {"$bytes:canary": "a"}}`),
			`run.json:1: /prior: .tags: what follows $bytes: in a key must be base64`},
		{"a key twice", with(`"prior": {"tags": {"$bytes:YQ==": "a", "a": "b"}}`),
			`run.json:1: /prior: .tags: a key is there twice, once with $bytes:`},
		{"a name of bytes", with(`"prior": {"any": {"$bytes:/w==": []}, "$bytes:/w==": "a"}`),
			`run.json:1: /prior: .\xff: no such attribute or block`},
		{"path into a set", with(`"requires_replace": [["names", "a"]]`),
			`run.json:1: /requires_replace/0: a path ends at a set, whose elements have no names`},
		{"far out number", with(`"prior": {"count": 1e99999}`),
			`run.json:1: /prior: .count: a number beyond 2^4096`},
		{"a number near zero", with(`"prior": {"count": 1e-99999999999}`),
			`run.json:1: /prior: .count: a number beyond 2^4096`},
		{"a number beyond all in a path", with(`"requires_replace": [["names", 1e1300]]`),
			`run.json:1: /requires_replace/0: a path ends at a set, whose elements have no names`},
		{"a number beyond all as an index", with(`"requires_replace": [["rule", 1e1300]]`),
			`run.json:1: /requires_replace/0: the value: a number beyond 2^4096`},
		{"a number of many digits", with(`"prior": {"count": ` + strings.Repeat("9", 1<<20) + `}`),
			`run.json:1: /prior: .count: a number of more than 8192 digits`},
		{"an index of many digits", with(`"requires_replace": [["rule", ` + strings.Repeat("9", 1<<22) + `]]`),
			`run.json:1: /requires_replace/0: the value: a number of more than 8192 digits`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, errs := read(t, "testdata/run.json", test.text)
			got := strings.ReplaceAll(strings.Join(errs, "\n"), "testdata/", "")
			if got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if strings.Contains(got, "canary") {
				t.Errorf("shows what is sensitive")
			}
		})
	}
}

// A document that is too large is refused before all of it is read.
func TestTooLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	text := io.MultiReader(strings.NewReader(`{"name": "`), &endless{})
	var r document.Reader
	n := 0
	for _, err := range r.Read("run.json", text) {
		n++
		if want := "run.json:1: the document is larger than 128 MB"; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if n != 1 {
		t.Errorf("%d results", n)
	}
}

// endless is text without an end.
type endless struct{}

func (*endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// A file that cannot be read is told as that.
func TestUnreadable(t *testing.T) {
	var r document.Reader
	dir, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	for _, err := range r.Read("run.json", dir) {
		if err == nil || !strings.HasPrefix(err.Error(), "run.json:1: ") {
			t.Errorf("got %v", err)
		}
	}
	_, errs := read(t, filepath.Join("testdata", "run.json"), fmt.Sprintf(`{"schema": {"file": %q, "type": "a"}}`, t.TempDir()))
	if len(errs) != 1 || !strings.Contains(errs[0], "is a folder") {
		t.Errorf("got %v", errs)
	}
}
