package tfplan_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfplan"
)

const recorded = "../testdata/recordings/time/"

// schemasOf returns schemas with one resource type, t of the provider p.
func schemasOf(t testing.TB, block string) *configschema.ProviderSchemas {
	t.Helper()
	schemas, err := configschema.ParseProviderSchemas(fmt.Appendf(nil,
		`{"format_version": "1.0", "provider_schemas": {"p": {"resource_schemas": {"t": {"block": %s}}}}}`, block))
	if err != nil {
		t.Fatal(err)
	}
	return schemas
}

func schemasIn(t testing.TB, file string) *configschema.ProviderSchemas {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	schemas, err := configschema.ParseProviderSchemas(text)
	if err != nil {
		t.Fatal(err)
	}
	return schemas
}

func open(t testing.TB, file string) io.Reader {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// TestValueOfMergesItsParts checks that ValueOf merges known, unknown and sensitive parts, and that its errors
// contain the path and nothing sensitive.
func TestValueOfMergesItsParts(t *testing.T) {
	schema, err := objchange.Compile(schemasOf(t, `{
		"attributes": {
			"name": {"type": "string", "optional": true},
			"size": {"type": "number", "optional": true},
			"tags": {"type": ["map", "string"], "optional": true},
			"ids": {"type": ["set", "string"], "computed": true}
		},
		"block_types": {"disk": {"nesting_mode": "list", "block": {"attributes": {"id": {"type": "string", "computed": true}}}}}
	}`).Providers["p"].ResourceSchemas["t"].Block)
	if err != nil {
		t.Fatal(err)
	}
	const nulls = `"name": null, "size": null, "tags": null, "ids": null, "disk": []`
	for _, test := range []struct{ value, unknown, sensitive, want string }{
		{`{` + nulls + `}`, `null`, `null`, `name=null size=null tags=null ids=null disk=[]`},
		{`{"name": "web", "size": 9007199254740993, "tags": {"a": "b"}, "disk": [{}]}`, `{"ids": true, "disk": [{"id": true}]}`, `{}`,
			`name="web" size=9007199254740993 tags={a="b"} ids=? disk=[{id=?}]`},
		{`{"name": "hush", "size": 1, "tags": {"a": "hush", "b": "c"}, "ids": ["hush"], "disk": []}`, `{}`, `{"name": true, "tags": {"a": true}, "ids": [true]}`,
			`name=!"hush" size=1 tags={a=!"hush" b="c"} ids=!["hush"] disk=[]`},
		{`{` + nulls + `}`, `{}`, `true`, `!name=null size=null tags=null ids=null disk=[]`},
		{`null`, `{}`, `true`, `null`},
		{`{"size": "1", "name": null, "tags": null, "ids": null, "disk": []}`, `{}`, `{}`, `error: .size: must be a number, not a string`},
		{`{"name": "web", "size": 1, "tags": null, "ids": null, "disk": []}`, `{"name": true}`, `{}`,
			`error: .name: has a value, but after_unknown marks it as unknown or has a different structure`},
		{`{"name": null, "size": 1, "tags": {"hush": 1}, "ids": null, "disk": []}`, `{}`, `{"tags": {"hush": true}}`,
			`error: .tags: a part of the value does not conform to the schema`},
		{`{"size": 1, "tags": null, "ids": null, "disk": []}`, `{}`, `{}`, `error: .name: is missing; the document must contain a value or null`},
		{`{}`, `[true]`, `{}`, `error: after_unknown and after have different structures`},
		{`[]`, `[true]`, `{}`, `error: must be an object, not a list`},
		{`1`, `1`, `1`, `error: after_unknown and after have different structures`},
	} {
		v, err := tfplan.ValueOf(schema, decoded(t, test.value), decoded(t, test.unknown), decoded(t, test.sensitive))
		got := ""
		if err != nil {
			got = "error: " + err.Error()
		} else {
			got = brief(v)
		}
		if got != test.want {
			t.Errorf("%s, %s, %s:\n%s, want\n%s", test.value, test.unknown, test.sensitive, got, test.want)
		}
	}
}

func decoded(t *testing.T, text string) (v any) {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// brief writes a value, with ! before each part that has the mark Sensitive.
func brief(v cty.Value) string {
	if v.HasMark(tfplan.Sensitive) {
		plain, _ := v.Unmark()
		return "!" + brief(plain)
	}
	switch ty := v.Type(); {
	case !v.IsKnown():
		return "?"
	case v.IsNull():
		return "null"
	case ty == cty.String:
		return fmt.Sprintf("%q", v.AsString())
	case ty == cty.Number:
		return v.AsBigFloat().Text('f', -1)
	case ty == cty.Bool:
		return fmt.Sprint(v.True())
	case ty.IsObjectType() && ty.HasAttribute("ids"):
		var parts []string
		for _, name := range []string{"name", "size", "tags", "ids", "disk"} {
			parts = append(parts, name+"="+brief(v.GetAttr(name)))
		}
		return strings.Join(parts, " ")
	}
	var parts []string
	for key, part := range v.Elements() {
		if v.Type().IsObjectType() || v.Type().IsMapType() {
			parts = append(parts, key.AsString()+"="+brief(part))
		} else {
			parts = append(parts, brief(part))
		}
	}
	if v.Type().IsObjectType() || v.Type().IsMapType() {
		return "{" + strings.Join(parts, " ") + "}"
	}
	return "[" + strings.Join(parts, " ") + "]"
}

// TestNewMembersAreListed checks that members of newer releases are skipped, and that the report lists them.
func TestNewMembersAreListed(t *testing.T) {
	const plan = `{"format_version": "1.9", "resource_changes": [
		{"address": "t.a", "mode": "managed", "type": "t", "provider_name": "p", "new": 1, "change": {"actions": ["polish"], "before": {"id": true}, "after": {"id": false}, "new": []}},
		{"address": "list.t.a", "mode": "list", "type": "t", "provider_name": "p", "change": {"actions": ["read"], "after": {}}}],
		"action_invocations": [{"address": "action.t.a"}], "deferred_action_invocations": [], "polish": {"a": 1}, "shine": true, "empty": {}, "none": null, "complete": true}`
	report, err := tfplan.Check(schemasOf(t, `{"attributes": {"id": {"type": "bool", "optional": true}}}`), strings.NewReader(plan), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range report.Resources {
		got = append(got, fmt.Sprint(r.Address, " ", r.Status, ": ", r.Reason, r.Findings))
	}
	for _, note := range report.Notes {
		if strings.HasSuffix(note, " was not checked") && strings.HasPrefix(note, `"`) {
			got = append(got, note)
		}
	}
	want := []string{
		`t.a skipped: the action ["polish"] is not known: only the values were checked[]`,
		`list.t.a skipped: provider "p" has no schema of a "list" "t"[]`,
		`"action_invocations" was not checked`, `"polish" was not checked`, `"shine" was not checked`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
}

// FuzzCheck checks that any documents result in a report or an error.
func FuzzCheck(f *testing.F) {
	schemas := schemasIn(f, configs+"schemas.json")
	plans, err := filepath.Glob(configs + "*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range append(plans, recorded+"4-replace/plan.json", recorded+"4-replace/state.json") {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, text)
	}
	f.Fuzz(func(t *testing.T, plan, state []byte) {
		report, err := tfplan.Check(schemas, bytes.NewReader(plan), bytes.NewReader(state))
		if wrong := new(tfplan.Error); (report == nil) == (err == nil) || err != nil && !errors.As(err, &wrong) {
			t.Errorf("%v, %v", report, err)
		}
	})
}
