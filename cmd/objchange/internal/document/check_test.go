package document_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/tfcheck"
)

// A document without values is not one that is well.
func TestNothingToJudge(t *testing.T) {
	for _, test := range []struct{ fields, want string }{
		{`"name": "a", "requires_replace": [["id"]]`, "nothing to judge: the document has no value"},
		{`"proposed": null`, "nothing to judge: proposed is held against prior and config, which the document does not have"},
	} {
		if s := one(t, with(test.fields)).Subject(); s.Status != report.Skipped || s.Reason != test.want {
			t.Errorf("%s: %s: %s, want %s", test.fields, s.Status, s.Reason, test.want)
		}
	}
}

// A schema that Terraform would not take has a meaning all the same. That of a
// person is told so.
func TestUnusualSchema(t *testing.T) {
	const values = `, "prior": null, "config": {"id": "a"}, "initial_planned": {"id": "b"}}`
	for _, test := range []struct{ text, want string }{
		{`{"schema": {"attributes": {"id": {"type": "string"}}}` + values,
			"testdata/run.json:1: /schema: Terraform takes no such schema: .id: none of Required, Optional and Computed is set"},
		{`{"schema": {"version": 0, "block": {"attributes": {"id": {"type": "string", "optional": true, "required": true}}}}` + values,
			"testdata/run.json:1: /schema/block: Terraform takes no such schema: .id: Required is set together with Optional or Computed"},
		{`{"schema": {"file": "schemas.json", "type": "acme_unusual"}` + values, ""},
	} {
		d := one(t, test.text)
		found := d.Subject().Findings
		if d.Note != test.want || len(found) != 1 || found[0].Rule != objchange.RulePlanNotConfig {
			t.Errorf("note %q, want %q; found %+v", d.Note, test.want, found)
		}
	}
}

// What is judged depends on what is there.
func TestSubject(t *testing.T) {
	const planned = `"prior": null, "config": {"count": 1}, "initial_planned": {"count": 1, "id": {"$unknown": true}}`
	for _, test := range []struct {
		name, fields string
		want         []string
	}{
		{"all is well", planned + `, "new": {"count": 1, "id": "a"}`, nil},
		{"a plan of its own", `"prior": null, "config": {"count": 1}, "initial_planned": {"count": 2}`,
			[]string{"plan .count plan-not-config rejected"}},
		{"a plan without a prior state", `"config": {"count": 1}, "initial_planned": {"count": 2}`, nil},
		{"a plan tolerated", `"legacy_type_system": true, "prior": null, "config": {"count": 1}, "initial_planned": {"count": 2}`,
			[]string{"plan .count plan-not-config tolerated"}},
		{"a configuration is never tolerated", `"legacy_type_system": true, "config": {"id": "a"}`,
			[]string{"config .id config-computed-only rejected"}},
		{"a broken promise", planned + `, "new": {"count": 2, "id": "a"}`,
			[]string{"apply .count inconsistent-value rejected"}},
		{"unknown afterwards", `"new": {"id": {"$unknown": true}}, "upgraded": {"id": {"$unknown": true}}, "imported": {"id": {"$unknown": true}}`,
			[]string{"upgrade .id state-unknown rejected", "import .id state-unknown unchecked", "apply .id state-unknown rejected"}},
		{"null blocks", `"prior": {"rule": null}`, []string{"read .rule state-null-blocks unchecked"}},
		{"the proposed state", planned + `, "proposed": {"count": 1}`, nil},
		{"another proposed state", planned + `, "proposed": {"count": 2, "id": "a"}`,
			[]string{"plan .count proposed-not-core rejected", "plan .id proposed-not-core rejected"}},
		{"a proposed state for the final configuration", `"prior": null, "final_config": {"count": 1}, "proposed": {"count": 2}`,
			[]string{"plan .count proposed-not-core rejected"}},
		{"a path that is not there in the final plan", `"prior": {"count": 1}, "final_config": {"count": 1}, "final_planned": {"count": 1}, "requires_replace": [["none"]]`,
			[]string{"replan .none replace-path rejected"}},
		{"another promise in the proposed state",
			`"prior": null, "config": {"tags": {"$unknown": true}}, "proposed": {"tags": {"$unknown": {"not_null": true}}}`,
			[]string{"plan  proposed-not-core rejected"}},
		{"marks do not count in the proposed state",
			`"prior": {"rule": [{"$sensitive": {"port": 1}}], "any": {"$sensitive": [1]}}, "config": {"rule": [{"port": 1}], "any": [1]}, "proposed": {"rule": [{"port": 1}], "any": [1]}`, nil},
		{"a path that is there", `"prior": {"count": 1}, "config": {"count": 2}, "initial_planned": {"count": 2}, "requires_replace": [["count"]]`, nil},
		{"a path that is not there",
			`"prior": {"tags": {}}, "config": {"tags": {}}, "initial_planned": {"tags": {}}, "requires_replace": [["tags", "a"], ["rule", 0], ["none"]]`,
			[]string{"plan .none replace-path rejected", "plan .rule[0] replace-path rejected", "plan .tags[\"a\"] replace-path rejected"}},
		{"a path of a plan to destroy", `"prior": {}, "config": null, "initial_planned": null, "requires_replace": [["none"]]`, nil},
		{"replanned", planned + `, "final_config": {"count": 1}, "final_planned": {"count": 1, "id": {"$unknown": true}}`, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := one(t, with(test.fields)).Subject()
			var got []string
			for _, f := range s.Findings {
				got = append(got, fmt.Sprintf("%s %s %s %s", f.Phase, f.Path, f.Rule, f.Severity))
			}
			if s.Status != report.Judged || !reflect.DeepEqual(got, test.want) {
				t.Errorf("%s, got  %q\nwant %q", s.Status, got, test.want)
			}
		})
	}
}

// What Core tolerates of the legacy SDK depends on rule, phase and place.
func TestLegacy(t *testing.T) {
	const config = `"prior": {"id": "a"}, "config": {"count": 1}, "final_config": {"count": 1}, `
	for _, test := range []struct{ name, fields, want string }{
		{"a configuration", `"config": {"id": "a"}`, "config config-computed-only"},
		{"the first plan", config + `"initial_planned": {"id": "a", "count": 2}`, "plan plan-not-config tolerated"},
		{"the final plan", config + `"final_planned": {"id": "a", "count": 2}`, "replan plan-not-config tolerated"},
		{"two plans that differ", config + `"initial_planned": {"id": "a", "count": 1}, "final_planned": {"id": "b", "count": 1}`,
			"replan inconsistent-value"},
		{"a new state that differs", `"final_planned": {"count": 1}, "new": {"count": 2}`, "apply inconsistent-value tolerated"},
		{"an object planned though it is to go", `"prior": {}, "config": null, "initial_planned": {}`, "plan plan-present"},
		{"an object gone", `"final_planned": {}, "new": null`, "apply inconsistent-presence"},
		{"an object kept", `"final_planned": null, "new": {}`, "apply inconsistent-presence"},
		{"unknown in the new state", `"final_planned": {"id": {"$unknown": true}}, "new": {"id": {"$unknown": true}}`, "apply state-unknown"},
	} {
		t.Run(test.name, func(t *testing.T) {
			found := one(t, with(`"legacy_type_system": true, `+test.fields)).Subject().Findings
			if len(found) != 1 || found[0].Severity == tfcheck.Unchecked {
				t.Fatalf("found %+v", found)
			}
			got := fmt.Sprintf("%s %s", found[0].Phase, found[0].Rule)
			if found[0].Severity == tfcheck.Tolerated {
				got += " tolerated"
			}
			if got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// A subject is named and placed like its document, also when that is unusable.
func TestSubjectPlace(t *testing.T) {
	s := one(t, "\n"+with(`"name": "acme_server.web"`)).Subject()
	if want := (report.Place{File: "testdata/run.json", Line: 2}); s.Place != want || s.Group != want.File || s.Document != "acme_server.web" {
		t.Errorf("got %+v", s)
	}
	var r document.Reader
	for _, err := range r.Read("run.json", strings.NewReader(`[{"name": "acme_server.web"}]`)) {
		s := document.Unused("run.json", err)
		want := report.Subject{
			Group: "run.json", Document: "acme_server.web", Status: report.Skipped,
			Reason: "line 1: /0: missing property 'schema'", Place: report.Place{File: "run.json", Line: 1, Pointer: "/0"},
		}
		if !reflect.DeepEqual(s, want) {
			t.Errorf("got %+v", s)
		}
	}
	_, err := os.Open("none.json")
	if s := document.Unused("none.json", err); s.Document != "none.json" || s.Reason != "open none.json: no such file or directory" {
		t.Errorf("got %+v", s)
	}
}

// What a document lacks is told.
func TestLacks(t *testing.T) {
	proposal := func(d *document.Document) error { _, err := d.Proposal(); return err }
	change := func(d *document.Document) error { _, err := d.Change(); return err }
	for _, test := range []struct {
		fields string
		do     func(*document.Document) error
		want   string
	}{
		{`"prior": null, "config": null`, proposal, ""},
		{`"prior": null, "final_config": {}`, proposal, ""},
		{`"config": {}`, proposal, "run.json:1: prior is missing, which is null for a resource to be created"},
		{`"prior": {}`, proposal, "run.json:1: config is missing"},
		{`"prior": {"$unknown": true}, "config": {}`, proposal, ""},
		{`"prior": null, "new": {}`, change, ""},
		{`"new": {}`, change, "run.json:1: prior is missing, which is null for a resource to be created"},
		{`"prior": {}`, change, "run.json:1: there is no final_planned, initial_planned or new to compare with prior"},
	} {
		err := test.do(one(t, with(test.fields)))
		got := ""
		if err != nil {
			got = strings.TrimPrefix(err.Error(), "testdata/")
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.fields, got, test.want)
		}
		if unusable := new(document.Error); err != nil && !errors.As(err, &unusable) {
			t.Errorf("%s: a %T", test.fields, err)
		}
	}
}

// The change is to the last of the plans, and says what requires replacement.
func TestChange(t *testing.T) {
	for _, test := range []struct{ fields, want string }{
		{`"prior": null, "new": {}`, "create new []"},
		{`"prior": {}, "initial_planned": {}, "new": {"count": 1}`, "no-op initial_planned []"},
		{`"prior": {}, "initial_planned": {}, "final_planned": {"count": 1}, "new": {}`, "update final_planned []"},
		{`"prior": {}, "initial_planned": null`, "delete initial_planned []"},
		{`"prior": {}, "initial_planned": {"count": 1}, "requires_replace": [["count"], ["id"]]`, "replace initial_planned [.count]"},
		{`"prior": {"tags": {"a": "b"}}, "initial_planned": {}, "requires_replace": [["tags", "a"]]`, `replace initial_planned [.tags["a"]]`},
		{`"prior": {"secrets": {"a": 1}}, "initial_planned": {}, "requires_replace": [["secrets", "a"]]`, "replace initial_planned [.secrets[(sensitive)]]"},
		{`"prior": {"tags": {"$sensitive": {"a": "b"}}}, "initial_planned": {}, "requires_replace": [["tags", "a"]]`, "replace initial_planned [.tags]"},
	} {
		c, err := one(t, with(test.fields)).Change()
		if got := fmt.Sprintf("%s %s %s", c.Action, c.From, c.ReplaceText()); err != nil || got != test.want {
			t.Errorf("%s: got %s, %v; want %s", test.fields, got, err, test.want)
		}
	}
}

// Differences are for programs: the values are whole, or hidden.
func TestDifferences(t *testing.T) {
	long := strings.Repeat("long", 100)
	for _, test := range []struct{ fields, want string }{
		{`"prior": {"id": "a"}, "new": {"id": "` + long + `"}`,
			`[{"path": ".id", "kind": "update", "sensitive": false, "before": "a", "after": "` + long + `"}]`},
		{`"prior": {"tags": {"a": "1"}}, "new": {"tags": {"a": "1", "b": "2"}, "rule": [{"port": 1.50}]}`,
			`[{"path": ".rule[0].port", "kind": "add", "sensitive": false, "before": null, "after": 1.5},
			  {"path": ".tags[\"b\"]", "kind": "add", "sensitive": false, "before": null, "after": "2"}]`},
		{`"prior": {}, "initial_planned": {"id": {"$unknown": {"prefix": "i-"}}, "secrets": {"$unknown": {"min_length": 2}}}`,
			`[{"path": ".id", "kind": "unknown", "sensitive": false, "before": null, "after": {"$unknown": {"prefix": "i-"}}},
			  {"path": ".secrets", "kind": "unknown", "sensitive": true, "before": null, "after": {"$unknown": true}}]`},
		{`"prior": {"secrets": {"canary": 1}}, "new": {"id": {"$sensitive": "canary"}}`,
			`[{"path": ".id", "kind": "add", "sensitive": true, "before": {"$sensitive": null}, "after": {"$sensitive": {"$unknown": true}}},
			  {"path": ".secrets[(sensitive)]", "kind": "remove", "sensitive": true, "before": {"$sensitive": {"$unknown": true}}, "after": null}]`},
		{`"prior": {"any": {"a": {"$literal": {"$ref": 1}}}}, "new": {"any": "a"}`,
			`[{"path": ".any", "kind": "update", "sensitive": false, "before": {"a": {"$literal": {"$ref": 1}}}, "after": "a"}]`},
		{`"prior": {}, "new": {}`, `[]`},
	} {
		c, err := one(t, with(test.fields)).Change()
		if err != nil {
			t.Fatal(err)
		}
		found, err := c.Differences()
		got, _ := json.Marshal(found)
		if err != nil || !sameJSON(t, string(got), test.want) {
			t.Errorf("%s: got %s, %v\nwant %s", test.fields, got, err, test.want)
		}
	}
}

// What may only be written is not shown either.
func TestEncodeWriteOnly(t *testing.T) {
	d := one(t, `{"schema": {"attributes": {"key": {"type": "string", "optional": true, "write_only": true}}}, "config": {"key": "canary"}}`)
	if got := encode(t, d, d.Lifecycle.Config); !sameJSON(t, got, `{"key": {"$sensitive": {"$unknown": true}}}`) {
		t.Errorf("got %s", got)
	}
}

// A file of schemas may begin with a byte order mark. What is wrong with it is
// told with its name, and with the line where there is one.
func TestReadSchemas(t *testing.T) {
	const start = `{"format_version": "1.0", "provider_schemas": {`
	for _, test := range []struct{ text, want string }{
		{"\xef\xbb\xbf" + start + `"a": {}}}`, ""},
		{"\xff\xfe{\x00", "s.json: the text is UTF-16, as PowerShell's > writes it: convert it to UTF-8 with Get-Content FILE | Set-Content -Encoding utf8 NEWFILE"},
		{start + "\n\n\"a\" {}}}", "s.json:3: invalid JSON: ..."},
		{start + "\n\n", "s.json:1: invalid JSON: ..."},
		{start + "}}", "s.json: there are no schemas in it"},
		{`{"format_version": "9.0"}`, "s.json: ..."},
	} {
		_, err := document.ReadSchemas("s.json", strings.NewReader(test.text))
		got := fmt.Sprint(err)
		if err == nil {
			got = ""
		}
		want, open := strings.CutSuffix(test.want, "...")
		if got != test.want && !(open && strings.HasPrefix(got, want)) {
			t.Errorf("%q: got %s, want %s", test.text, got, test.want)
		}
	}
}
