package audit_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/testkit"
)

const (
	made     = "../../objchange/testdata/audit"    // written by hand; has everything that plans can have, and no violations
	recorded = "../../../testdata/recordings/time" // recorded with Terraform
)

// TestRecordedRunsHaveReports compares the JSON reports on the recorded runs with golden files. One plan has the
// state of another run, which contradicts it.
func TestRecordedRunsHaveReports(t *testing.T) {
	schemas := readSchemas(t, filepath.Join(recorded, "schemas.json"))
	for _, test := range []struct{ name, plan, state string }{
		{"1-create", "1-create", "1-create"}, {"2-noop", "2-noop", "2-noop"}, {"3-update", "3-update", "3-update"}, {"4-replace", "4-replace", "4-replace"},
		{"5-destroy", "5-destroy", "5-destroy"}, {"wrong-state", "4-replace", "2-noop"},
	} {
		r, err := runAudit(testkit.ReadFile(t, filepath.Join(recorded, test.plan, "plan.json")), testkit.ReadFile(t, filepath.Join(recorded, test.state, "state.json")), schemas)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, test.name+".json", written(t, r, report.JSON))
	}
}

// TestPlanWithAllKindsOfResourcesIsAudited checks that a plan with modules, keys of count and
// for_each, deposed objects, data sources, imports, moves and removals has no findings.
func TestPlanWithAllKindsOfResourcesIsAudited(t *testing.T) {
	schemas := readSchemas(t, filepath.Join(made, "schemas.json"))
	r, err := runAudit(testkit.ReadFile(t, filepath.Join(made, "plan.json")), testkit.ReadFile(t, filepath.Join(made, "state.json")), schemas)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "made.text", written(t, r, report.Text))
	if r.Wrong(report.Options{FailOn: report.FailOnAll}) {
		t.Error("got findings")
	}
	r, err = runAudit(testkit.ReadFile(t, filepath.Join(made, "plan.json")), nil, schemas)
	if err != nil || r.Wrong(report.Options{FailOn: report.FailOnAll}) {
		t.Errorf("the plan without configuration: %v, %v", r, err)
	}
}

// TestBrokenDocumentsHaveFindings checks the findings in broken documents. Each part of broken.golden changes the
// documents by edits, and has the findings. The path of an edit has names, indexes and addresses.
// An edit without a value removes the value. A value that is sensitive in one document is hidden in
// all of them.
func TestBrokenDocumentsHaveFindings(t *testing.T) {
	schemas := readSchemas(t, filepath.Join(made, "schemas.json"))
	var all bytes.Buffer
	for _, test := range strings.Split(string(testkit.ReadFile(t, filepath.Join(made, "broken.golden"))), "\n\n") {
		name, rest, _ := strings.Cut(test, "\n")
		if name == "" {
			continue
		}
		t.Run(strings.TrimPrefix(name, "# "), func(t *testing.T) {
			docs := map[string]any{"plan": readJSON(t, "plan.json"), "state": readJSON(t, "state.json")}
			fmt.Fprintln(&all, name)
			for line := range strings.SplitSeq(rest, "\n") {
				if edit, ok := strings.CutPrefix(line, "< "); ok {
					where, value, _ := strings.Cut(edit, " = ")
					docs = set(t, docs, strings.Split(where, " "), value).(map[string]any)
					fmt.Fprintln(&all, line)
				}
			}
			r, err := runAudit(encode(t, docs["plan"]), encode(t, docs["state"]), schemas)
			if err != nil {
				t.Fatal(err)
			}
			outlines(&all, r)
			for _, secret := range []string{"hush", "secret"} {
				if text := written(t, r, report.JSON); bytes.Contains(text, []byte(secret)) { // it has all parts
					t.Errorf("it shows a sensitive value:\n%s", text)
				}
			}
		})
	}
	golden(t, "broken.golden", all.Bytes())
}

// TestAuditWithoutSchemasIsAnError checks that resources without a schema are skipped, and that it is an error if
// all resources are.
func TestAuditWithoutSchemasIsAnError(t *testing.T) {
	plan, state := testkit.ReadFile(t, filepath.Join(made, "plan.json")), testkit.ReadFile(t, filepath.Join(made, "state.json"))
	other := readSchemas(t, filepath.Join(recorded, "schemas.json"))
	r, err := runAudit(plan, state, other)
	want := "plan.json: nothing could be checked: everything was skipped"
	if r == nil || err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err := runAudit([]byte(`{"format_version": "1.2", "planned_values": {}}`), nil, other); err != nil {
		t.Errorf("a plan without resources: %v", err)
	}
	deferred := `{"format_version": "1.2", "planned_values": {}, "deferred_changes": [{"reason": "x", "resource_change": {"address": "a.b"}}]}`
	if r, err := runAudit([]byte(deferred), nil, other); err != nil || len(r.Subjects) != 0 {
		t.Errorf("a plan with deferred changes only: %v, %v", r, err)
	}
}
