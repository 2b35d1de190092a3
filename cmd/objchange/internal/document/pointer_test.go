package document_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange/cmd/objchange/internal/document"
)

// The pointer of a finding begins at the file.
func TestFindingPointerInAnArray(t *testing.T) {
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
