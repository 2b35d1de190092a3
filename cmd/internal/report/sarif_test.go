package report_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/report"
)

// A sarifRun has the fields of a SARIF run that the tests use.
type sarifRun struct {
	Tool struct {
		Driver struct {
			Version, SemanticVersion string
			Rules                    []struct {
				ID, HelpURI string
				Help        struct{ Text, Markdown string }
			}
		}
	}
	Results []struct {
		PartialFingerprints map[string]string
	}
}

func parseSARIF(t *testing.T, r *report.Report, o report.Options) sarifRun {
	t.Helper()
	var b bytes.Buffer
	var doc struct{ Runs []sarifRun }
	if err := r.Write(&b, report.SARIF, o); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil || len(doc.Runs) != 1 {
		t.Fatal(len(doc.Runs), err)
	}
	return doc.Runs[0]
}

// sarifSchema returns the OASIS schema, as published with errata 01 of SARIF 2.1.0.
func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	const url = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	if err := c.AddResource(url, doc); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile(url)
}

func TestSARIFSchema(t *testing.T) {
	schema := sarifSchema(t)
	whole, failed := sample(), sample()
	failed.Error = "an error"
	for name, r := range map[string]*report.Report{"whole": whole, "failed": failed, "empty": {Command: "check"}, "hostile": hostile("\xff\x00%<>\"\\\n")} {
		for _, on := range []report.FailOn{report.FailOnCore, report.FailOnAll} {
			got := write(t, r, report.SARIF, on)
			doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(got))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(doc); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	got := bytes.Replace(write(t, whole, report.SARIF, report.FailOnCore), []byte(`"startLine": 7`), []byte(`"startLine": 0`), 1)
	if doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(got)); err != nil || schema.Validate(doc) == nil {
		t.Errorf("line 0 is valid: %v", err)
	}
}

// TestSARIFVersion checks that only the version of a release is a semantic version.
func TestSARIFVersion(t *testing.T) {
	for version, want := range map[string][2]string{
		"v1.2.3":      {"v1.2.3", "1.2.3"},
		"v2.0.0-rc.1": {"v2.0.0-rc.1", "2.0.0-rc.1"},
		"(devel)":     {},
		"v1.2.4-0.20261121065546-0123456789ab+dirty": {"v1.2.4-0.20261121065546-0123456789ab+dirty", ""},
	} {
		o := options(report.FailOnCore)
		o.Version = version
		driver := parseSARIF(t, sample(), o).Tool.Driver
		if got := [2]string{driver.Version, driver.SemanticVersion}; got != want {
			t.Errorf("%s: %q, want %q", version, got, want)
		}
	}
}

// fingerprints returns the fingerprints of the results in order.
func fingerprints(t *testing.T, r *report.Report) (all []string) {
	t.Helper()
	for _, result := range parseSARIF(t, r, options(report.FailOnCore)).Results {
		all = append(all, result.PartialFingerprints["primaryLocationLineHash"])
	}
	return all
}

// TestFingerprints checks that the fingerprint of a finding does not depend on its line or message,
// and that different findings have different fingerprints.
func TestFingerprints(t *testing.T) {
	finding := report.Finding{Rule: objchange.RulePlanNotConfig, Path: ".name", Message: `"a" is planned`, Phase: objchange.PhasePlan}
	r := func(edit func(*report.Subject)) *report.Report {
		s := report.Subject{Group: "plan.json", Address: "time_sleep.a", Action: "update", Status: report.Checked,
			Place: report.Place{File: "plan.json", Line: 3, Column: 4}, Findings: []report.Finding{finding}}
		edit(&s)
		return &report.Report{Command: "audit", Subjects: []report.Subject{s}}
	}
	first := fingerprints(t, r(func(*report.Subject) {}))
	for name, test := range map[string]struct {
		edit func(*report.Subject)
		same bool
	}{
		"another line":    {func(s *report.Subject) { s.Place.Line, s.Place.Column = 30, 1 }, true},
		"another file":    {func(s *report.Subject) { s.Group, s.Place.File = "b.json", "b.json" }, false},
		"another message": {func(s *report.Subject) { s.Findings[0].Message = `"b" is planned` }, true},
		"another rule":    {func(s *report.Subject) { s.Findings[0].Rule = objchange.RulePlanKey }, false},
		"another path":    {func(s *report.Subject) { s.Findings[0].Path = ".id" }, false},
		"another subject": {func(s *report.Subject) { s.Address = "time_sleep.b" }, false},
	} {
		if same := fingerprints(t, r(test.edit))[0] == first[0]; same != test.same {
			t.Errorf("%s: the same fingerprint: %v", name, same)
		}
	}
	twice := fingerprints(t, r(func(s *report.Subject) { s.Findings = append(s.Findings, finding) }))
	if diff := cmp.Diff([]string{first[0][:16] + ":1", first[0][:16] + ":2"}, twice); diff != "" {
		t.Error(diff)
	}
}
