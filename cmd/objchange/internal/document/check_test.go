package document_test

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
)

// What is judged depends on what is there.
func TestSubject(t *testing.T) {
	const planned = `"prior": null, "config": {"count": 1}, "initial_planned": {"count": 1, "id": {"$unknown": true}}`
	for _, test := range []struct {
		name, fields string
		want         []string
	}{
		{"nothing", `"name": "a"`, nil},
		{"all is well", planned + `, "new": {"count": 1, "id": "a"}`, nil},
		{"a plan of its own", `"prior": null, "config": {"count": 1}, "initial_planned": {"count": 2}`,
			[]string{"plan .count plan-not-config enforced"}},
		{"a plan without a prior state", `"config": {"count": 1}, "initial_planned": {"count": 2}`, nil},
		{"a plan excused", `"legacy_type_system": true, "prior": null, "config": {"count": 1}, "initial_planned": {"count": 2}`,
			[]string{"plan .count plan-not-config enforced excused"}},
		{"a configuration is never excused", `"legacy_type_system": true, "config": {"id": "a"}`,
			[]string{"config .id config-computed-only enforced"}},
		{"a broken promise", planned + `, "new": {"count": 2, "id": "a"}`,
			[]string{"apply .count inconsistent-value enforced"}},
		{"unknown afterwards", `"new": {"id": {"$unknown": true}}, "upgraded": {"id": {"$unknown": true}}, "imported": {"id": {"$unknown": true}}`,
			[]string{"upgrade .id state-unknown enforced", "import .id state-unknown enforced", "apply .id state-unknown enforced"}},
		{"null blocks", `"prior": {"rule": null}`, []string{"read .rule state-null-blocks"}},
		{"the proposed state", planned + `, "proposed": {"count": 1}`, nil},
		{"another proposed state", planned + `, "proposed": {"count": 2, "id": "a"}`,
			[]string{"plan .count proposed-not-core enforced", "plan .id proposed-not-core enforced"}},
		{"another promise in the proposed state",
			`"prior": null, "config": {"tags": {"$unknown": true}}, "proposed": {"tags": {"$unknown": {"not_null": true}}}`,
			[]string{"plan  proposed-not-core enforced"}},
		{"marks do not count in the proposed state",
			`"prior": {"rule": [{"$sensitive": {"port": 1}}], "any": {"$sensitive": [1]}}, "config": {"rule": [{"port": 1}], "any": [1]}, "proposed": {"rule": [{"port": 1}], "any": [1]}`, nil},
		{"a path that is there", `"prior": {"count": 1}, "config": {"count": 2}, "initial_planned": {"count": 2}, "requires_replace": [["count"]]`, nil},
		{"a path that is not there",
			`"prior": {"tags": {}}, "config": {"tags": {}}, "initial_planned": {"tags": {}}, "requires_replace": [["tags", "a"], ["rule", 0], ["none"]]`,
			[]string{"plan .none replace-path enforced", "plan .rule[0] replace-path enforced", "plan .tags[\"a\"] replace-path enforced"}},
		{"replanned", planned + `, "final_config": {"count": 1}, "final_planned": {"count": 1, "id": {"$unknown": true}}`, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := one(t, with(test.fields)).Subject()
			var got []string
			for _, f := range s.Findings {
				line := fmt.Sprintf("%s %s %s", f.Phase, f.Path, f.Rule)
				if f.Enforced {
					line += " enforced"
				}
				if f.Excused {
					line += " excused"
				}
				got = append(got, line)
			}
			if s.Status != report.Judged || !reflect.DeepEqual(got, test.want) {
				t.Errorf("%s, got  %q\nwant %q", s.Status, got, test.want)
			}
		})
	}
}

// A subject is named and placed like its document, also when that is unusable.
func TestSubjectPlace(t *testing.T) {
	s := one(t, "\n"+with(`"name": "acme_server.web"`)).Subject()
	if want := (report.Place{File: "testdata/run.json", Line: 2}); s.Place != want || s.Group != want.File || s.Columns[0] != "acme_server.web" {
		t.Errorf("got %+v", s)
	}
	var r document.Reader
	for _, err := range r.Read("run.json", strings.NewReader(`[{"name": "acme_server.web"}]`)) {
		s := document.Unused("run.json", err)
		want := report.Subject{
			Group: "run.json", Columns: []string{"acme_server.web"}, Status: report.Skipped,
			Reason: "line 1: /0: missing property 'schema'", Place: report.Place{File: "run.json", Line: 1, Pointer: "/0"},
		}
		if !reflect.DeepEqual(s, want) {
			t.Errorf("got %+v", s)
		}
	}
	_, err := os.Open("none.json")
	if s := document.Unused("none.json", err); s.Columns[0] != "none.json" || s.Reason != "open none.json: no such file or directory" {
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
		{`"prior": {"$unknown": true}, "config": {}`, proposal, "run.json:1: the prior value is unknown as a whole [invalid-input]"},
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
		{`"prior": {}, "initial_planned": {"count": 1}, "requires_replace": [["count"], ["id"]]`, "replace initial_planned [count]"},
		{`"prior": {"tags": {"a": "b"}}, "initial_planned": {}, "requires_replace": [["tags", "a"]]`, `replace initial_planned [tags["a"]]`},
		{`"prior": {"secrets": {"a": 1}}, "initial_planned": {}, "requires_replace": [["secrets", "a"]]`, "replace initial_planned [secrets]"},
		{`"prior": {"tags": {"$sensitive": {"a": "b"}}}, "initial_planned": {}, "requires_replace": [["tags", "a"]]`, "replace initial_planned [tags]"},
	} {
		c, err := one(t, with(test.fields)).Change()
		if got := fmt.Sprintf("%s %s %s", c.Action, c.From, c.ReplaceText()); err != nil || got != test.want {
			t.Errorf("%s: got %s, %v; want %s", test.fields, got, err, test.want)
		}
	}
}
