package document_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange/cmd/objchange/internal/document"
)

// A finding leads to its place in the document, as far as the place has a name there
// that may be shown.
func TestFindingPointer(t *testing.T) {
	for _, test := range []struct{ name, fields, want string }{
		{"the whole", `"final_planned": {}, "new": null`, "/new"},
		{"an attribute", `"upgraded": {"id": {"$unknown": true}}`, "/upgraded/id"},
		{"of an import", `"imported": {"id": {"$unknown": true}}`, "/imported/id"},
		{"of the prior state", `"prior": {"id": {"$unknown": true}}`, "/prior/id"},
		{"of a configuration", `"config": {"id": "a"}`, "/config/id"},
		{"of the only configuration", `"final_config": {"id": "a"}`, "/final_config/id"},
		{"of one of two configurations", `"config": {"id": "a"}, "final_config": {"id": "a"}`, ""},
		{"of the plan", `"prior": {}, "config": {"count": 1}, "initial_planned": {"count": 2}`, "/initial_planned/count"},
		{"of the final plan", `"prior": {}, "final_config": {"count": 1}, "final_planned": {"count": 2}`, "/final_planned/count"},
		{"of the proposal", `"prior": null, "config": {"count": 1}, "proposed": {"count": 2}`, "/proposed/count"},
		{"a path to replace", `"prior": {}, "config": {}, "initial_planned": {}, "requires_replace": [["nowhere"]]`, "/initial_planned"},
		{"a block", `"final_planned": {"rule": [{"port": 1}]}, "new": {"rule": [{"port": 2}]}`, "/new/rule/0/port"},
		{"a key", `"final_planned": {"tags": {"a/b~": "1"}}, "new": {"tags": {"a/b~": "2"}}`, "/new/tags/a~1b~0"},
		{"an element of a set", `"final_planned": {}, "new": {"names": ["a", {"$unknown": true}]}`, "/new/names"},
		{"any value", `"final_planned": {"any": {"a": 1}}, "new": {"any": {"a": 2}}`, "/new/any"},
		{"a sensitive key", `"prior": {"secrets": {"canary": {"$unknown": true}}}`, "/prior/secrets"},
		{"a marked key", `"prior": {"tags": {"$sensitive": {"canary": {"$unknown": true}}}}`, "/prior/tags"},
	} {
		t.Run(test.name, func(t *testing.T) {
			found := one(t, with(test.fields)).Subject().Findings
			if len(found) == 0 || found[0].Pointer != test.want {
				t.Errorf("got %+v, want %q", found, test.want)
			}
		})
	}
	var r document.Reader
	for d, err := range r.Read("run.json", strings.NewReader("[{}, "+with(`"config": {"id": "a"}`)+"]")) {
		if err == nil && d.Subject().Findings[0].Pointer != "/1/config/id" {
			t.Errorf("in an array: %+v", d.Subject().Findings)
		}
	}
}

// What is wrong with a document is told place by place, and nothing sensitive in the
// places.
func TestProblems(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"fields", `{"schema": {}, "konfig": {}, "legacy_type_system": 1}`, []string{
			` no such field: "konfig"; did you mean "config" or "final_config"?`, "/legacy_type_system got number, want boolean"}},
		{"values", with(`"config": {"count": "x", "rule": [{"port": []}]}, "prior": {"nmae": 1}`), []string{
			"/prior .nmae: no such attribute or block", "/config/count .count: must be a number, not a string that is none",
			"/config/rule/0/port .rule[0].port: must be a number, not a list"}},
		{"below what is sensitive", with(`"config": {"secrets": {"canary": []}}`), []string{
			"/config/secrets .secrets[(sensitive)]: must be a number, not a list"}},
		{"below what is marked", with(`"config": {"tags": {"$sensitive": {"canary": []}}}`), []string{
			"/config what is in a $sensitive does not fit its place"}},
		{"the schema", `{"schema": {"attributes": {"a": {"type": "text"}}}}`, []string{`/schema attribute "a": unknown type "text"`}},
		{"a path", with(`"requires_replace": [["names", 1]]`), []string{"/requires_replace/0 a path ends at a set, whose elements have no names"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var r document.Reader
			for _, err := range r.Read("run.json", strings.NewReader(test.text)) {
				unusable := new(document.Error)
				if !errors.As(err, &unusable) {
					t.Fatalf("%v", err)
				}
				var got []string
				for _, p := range unusable.Problems {
					got = append(got, fmt.Sprintf("%s %s", p.Pointer, p.Reason))
				}
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Errorf("problems (-want +got):\n%s", diff)
				}
			}
		})
	}
}
