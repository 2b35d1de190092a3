package report_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/rulebook"
	"github.com/objchange/objchange/cmd/internal/testkit/schemas"
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

// TestSARIFConformsToItsSchema checks reports with the OASIS schema, as published with errata 01 of SARIF 2.1.0.
func TestSARIFConformsToItsSchema(t *testing.T) {
	valid := schemas.Validator(t, "testdata/sarif-schema-2.1.0.json")
	for name, r := range map[string]*report.Report{"whole": sample(), "empty": {Command: "check"}, "hostile": hostile("\xff\x00%<>\"\\\n")} {
		for _, on := range []report.FailOn{report.FailOnCore, report.FailOnAll} {
			if err := valid(write(t, r, report.SARIF, on)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if got := bytes.Replace(write(t, sample(), report.SARIF, report.FailOnCore), []byte(`"startLine": 7`), []byte(`"startLine": 0`), 1); valid(got) == nil {
		t.Error("line 0 is valid")
	}
}

// TestSARIFRulesHaveHelpOnce checks that each rule of a finding has help and a link, once, and that the help in
// Markdown has code.
func TestSARIFRulesHaveHelpOnce(t *testing.T) {
	all := &report.Report{Command: "check", Subjects: make([]report.Subject, 2)}
	for _, e := range rulebook.Entries() {
		for i := range all.Subjects {
			all.Subjects[i].Findings = append(all.Subjects[i].Findings, report.Finding{Rule: e.Rule})
		}
	}
	described := parseSARIF(t, all, options(report.FailOnCore)).Tool.Driver.Rules
	if len(described) != len(rulebook.Entries()) {
		t.Fatalf("%d rules", len(described))
	}
	for i, e := range rulebook.Entries() {
		help, page := described[i].Help, described[i].HelpURI
		if page != e.Rule.Info().URL {
			t.Errorf("%s: the page is %v", e.Rule, page)
		}
		for _, part := range []string{e.Example, e.Message, e.Remedy, "objchange explain " + string(e.Rule)} {
			if !strings.Contains(help.Text, part) {
				t.Errorf("%s: the text lacks %s", e.Rule, part)
			}
		}
		for _, part := range []string{e.Example, e.Message, e.Fix} {
			if !strings.Contains(help.Markdown, part) {
				t.Errorf("%s: the Markdown lacks %s", e.Rule, part)
			}
		}
	}
}

// TestFingerprintIgnoresLineAndMessage checks that the fingerprint of a finding does not depend on
// its line or message, and that different findings have different fingerprints.
func TestFingerprintIgnoresLineAndMessage(t *testing.T) {
	finding := report.Finding{Rule: objchange.RulePlanNotConfig, Path: ".name", Message: `"a" is planned`, Phase: objchange.PhasePlan}
	of := func(edit func(*report.Subject)) (all []string) {
		s := report.Subject{Group: "plan.json", Address: "time_sleep.a", Action: "update", Status: report.Checked,
			Place: report.Place{File: "plan.json", Line: 3, Column: 4}, Findings: []report.Finding{finding}}
		edit(&s)
		r := &report.Report{Command: "audit", Subjects: []report.Subject{s}}
		for _, result := range parseSARIF(t, r, options(report.FailOnCore)).Results {
			all = append(all, result.PartialFingerprints["primaryLocationLineHash"])
		}
		return all
	}
	first := of(func(*report.Subject) {})[0]
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
		if same := of(test.edit)[0] == first; same != test.same {
			t.Errorf("%s: the same fingerprint: %v", name, same)
		}
	}
	twice := of(func(s *report.Subject) { s.Findings = append(s.Findings, finding) })
	if diff := cmp.Diff([]string{first[:16] + ":1", first[:16] + ":2"}, twice); diff != "" {
		t.Error(diff)
	}
}
