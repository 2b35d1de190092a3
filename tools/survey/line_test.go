package survey

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/explore"
)

func TestLineOfResult(t *testing.T) {
	place := explore.Place{Kind: explore.Resource, Type: "b_server", Path: ".name"}
	result := &explore.Result{
		Types: []explore.Type{
			{Kind: explore.Resource, Name: "b_server", Reached: true},
			{Kind: explore.Resource, Name: "b_disk"},
			{Kind: explore.Resource, Name: "b_sleep", Skipped: "it sleeps"},
			{Kind: explore.Function, Name: "parse", Reached: true},
			{Kind: explore.Configuration, Name: "b"},
		},
		Findings: []explore.Finding{
			{Rule: objchange.RulePlanNotConfig, Severity: tfcheck.Tolerated, Phase: explore.PhaseFull, Places: []explore.Place{place, place}},
			{Rule: tfcheck.RuleCrash, Severity: tfcheck.Rejected, Phase: explore.PhaseOne, Places: []explore.Place{place}, Confirmed: &explore.Confirmation{Verdict: explore.Confirmed}},
			{Rule: tfcheck.RuleCrash, Severity: tfcheck.Rejected, Phase: explore.PhaseFull, Places: []explore.Place{place}, Confirmed: &explore.Confirmation{Verdict: explore.Untried}},
		},
		Unconfirmed: []explore.Finding{
			{Rule: objchange.RuleInconsistentValue, Severity: tfcheck.Rejected, Phase: explore.PhaseUnknown, Places: []explore.Place{place}, Confirmed: &explore.Confirmation{Verdict: explore.Unconfirmed}},
		},
		Unstable: make([]explore.Finding, 3), Requests: 70, Notes: []string{"a note"},
	}
	yes, no := true, false
	want := Line{
		Types:    map[explore.Kind]Reach{explore.Resource: {1, 2}, explore.Function: {1, 1}},
		Requests: 70, Crashes: 2, Unstable: 3, Notes: 1,
		Findings: []Finding{
			{objchange.RulePlanNotConfig, tfcheck.Tolerated, explore.PhaseFull, 2, false, nil},
			{tfcheck.RuleCrash, tfcheck.Rejected, explore.PhaseOne, 1, true, &yes},
			{tfcheck.RuleCrash, tfcheck.Rejected, explore.PhaseFull, 1, true, nil},
			{objchange.RuleInconsistentValue, tfcheck.Rejected, explore.PhaseUnknown, 1, true, &no},
		},
	}
	var line Line
	line.add(result)
	if diff := cmp.Diff(want, line); diff != "" {
		t.Error(diff)
	}
}

// TestFieldsInDocument checks that docs/survey.md describes each field of a line.
func TestFieldsInDocument(t *testing.T) {
	document := readText(t, documentName)
	for _, typ := range []reflect.Type{reflect.TypeFor[Line](), reflect.TypeFor[Reach](), reflect.TypeFor[Finding](), reflect.TypeFor[Failure]()} {
		for i := range typ.NumField() {
			name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			if !strings.Contains(document, "`"+name+"`") {
				t.Errorf("%s has no `%s` of %s", documentName, name, typ.Name())
			}
		}
	}
}

func TestReadBrokenLines(t *testing.T) {
	tests := map[string]struct{ text, failed string }{
		"not JSON":  {"{\"module\":\"a\"}\nb\n", ":2: invalid character 'b' looking for beginning of value"},
		"cut short": {"{\"module\":\"a\"}\n{\"module\":\"b\"}", ":2: EOF"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			file := writeFile(t, test.text)
			if _, err := readFile(file); text(err) != file+test.failed {
				t.Errorf("failed: %v", err)
			}
		})
	}
}

func writeFile(t *testing.T, text string) (name string) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "lines.jsonl")
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func readText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}
