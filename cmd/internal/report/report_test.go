package report_test

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/rulebook"
	"github.com/objchange/objchange/cmd/internal/terminal"
	"github.com/objchange/objchange/cmd/internal/testkit"
)

// sample returns a report with every feature.
func sample() *report.Report {
	at := func(line int) report.Place { return report.Place{File: "run 1/log.jsonl", Line: line} }
	zero := report.Finding{Rule: objchange.RulePlanNotComputed, Path: ".on", Message: "false is planned", Severity: objchange.LegacySDK}
	steps := []report.Step{
		{Command: "terraform apply", HCL: "a {}\n"}, {Command: "terraform state rm a.b"}, {Command: "terraform plan", HCL: "b {}\n"},
	}
	confirmed := &report.Confirmation{
		Program: "Terraform", Version: "1.11.4", Verdict: "confirmed", Error: "Error: bad\x1b[31m", Summary: "confirmed by Terraform\n\nError: bad\x1b[31m",
	}
	return &report.Report{
		Command: "replay",
		Subjects: []report.Subject{
			{Group: "1-create", RPC: "ReadResource", Type: "time_sleep", Object: "2026-11-21", Number: 1, Status: report.Checked, Place: at(3),
				Findings: []report.Finding{zero, zero}},
			{Group: "1-create", RPC: "PlanResourceChange", Type: "time_sleep", Action: "update", Number: 2, Provider: "hashicorp/time",
				Status: report.Checked, Place: at(7), Findings: []report.Finding{
					{Rule: objchange.RulePlanNotConfig, Path: ".triggers", Inside: `["a"]`, Place: report.Place{Line: 9, Column: 17, Pointer: "/initial_planned/triggers"}, Phase: objchange.PhasePlan, Severity: objchange.Rejected,
						Message: `at ["a"], planned nothing, but the configuration has "b"`},
					{Rule: objchange.RulePlanSetElement, Path: ".zones", Phase: objchange.PhasePlan, Severity: objchange.Unchecked,
						Message: `the configured element "a" is not planned`},
				}},
			{Group: "1-create", RPC: "ApplyResourceChange", Type: "time_sleep", Number: 1, Status: report.Skipped, Place: at(9),
				Reason: "1_Response_NewState.msgpack was written 2 times, only the last is left"},
			{Group: "2-legacy", RPC: "PlanResourceChange", Type: `time_größe["ü"]`, Action: "update", Number: 3, Status: report.Checked,
				Place: report.Place{File: "/runs/plan.json", Line: 4, Column: 5, Pointer: "/resource_changes/3"},
				Findings: []report.Finding{
					{Rule: objchange.RulePlanNotComputed, Path: ".name", Severity: objchange.Tolerated,
						Message: `planned "x", but the attribute is neither configured nor computed`},
				}},
			{Group: "2-legacy", RPC: "ApplyResourceChange", Type: "time_sleep", Number: 2, Status: report.Failed, Place: report.Place{File: "-", Line: 2},
				Reason: "the provider says:\nno \x1b[31mquota\u202e left ]]>\n"},
			{Address: "time_sleep.a", Status: report.Failed, Reason: "refused", Findings: []report.Finding{
				{Rule: "of-the-future", Message: "something new", Severity: objchange.Rejected, Place: report.Place{File: "ho\x1b[31m\nst.json", Line: 7, Column: 2}},
			}},
			{Group: "plan.json", Address: "x_a.n", Action: "update", Status: report.Checked, Findings: []report.Finding{
				{Rule: objchange.RuleInconsistentValue, Path: ".a", Message: "no", Severity: objchange.Rejected, Ignored: "issue 12"},
			}},
			{Group: "plan.json", Address: "x_b.n", Action: "update", Status: report.Skipped, Reason: "no schema", Ignored: "in house"},
			{Group: "sky", Kind: "resource", Type: "sky_kite", Status: report.Checked, Findings: []report.Finding{
				{Rule: objchange.RulePlanNotConfig, Path: ".name", Message: "no", Severity: objchange.Rejected,
					HCL:    "resource \"a_b\" \"example\" {}\n",
					GoTest: "package a\n\nfunc TestA() {\n\tb()\n}\n", GoFunc: "func TestA() {\n\tb()\n}\n",
					Also: []string{"data sky_kite .name"}},
				{Rule: objchange.RulePlanNotConfig, Path: ".size", Message: "no", Severity: objchange.Rejected, HCL: "a {}\n", Steps: steps, Confirmed: confirmed},
				{Rule: objchange.RulePlanNotConfig, Path: ".unconfirmed", Message: "no", Severity: objchange.Rejected, HCL: "resource \"a_b\" {}",
					Confirmed: &report.Confirmation{Verdict: "unconfirmed", Summary: "not confirmed by Terraform 1.11.4: it plans\n\nError: other"}},
			}},
		},
		Ignores: []report.Ignore{
			{What: "inconsistent-value:x_a.n", Source: "known.yaml:2", Reason: "issue 12", Used: 1},
			{What: "skipped", Source: "--ignore", Reason: "--ignore", Used: 1},
			{What: "plan-count", Source: "known.yaml:5", Reason: "issue 13"},
			{What: "plan-key", Source: "known.yaml:6", Reason: "issue 14", Expired: "2020-01-01"},
		},
		Notes: []string{"not checked: ConfigureProvider 5"},
		Error: "3-bad/log.jsonl:1: no",
	}
}

// extensions are the extensions of golden files.
var extensions = map[report.Format]string{
	report.Text: "txt", report.JSON: "json", report.SARIF: "sarif", report.JUnit: "xml", report.Markdown: "md",
}

// TestFormatsAreAsInGoldenFiles compares a report with golden files: in every format, and as text
// with --all and on a narrow terminal with colours.
func TestFormatsAreAsInGoldenFiles(t *testing.T) {
	for _, format := range report.Formats() {
		got := ruleHelp.ReplaceAll(write(t, sample(), format, report.FailOnCore), []byte("$1…$2")) // see TestSARIFRulesHaveHelpOnce
		for _, e := range rulebook.Entries() {
			got = bytes.ReplaceAll(got, []byte(e.Fix), []byte("…"))
		}
		testkit.Golden(t, "testdata/sample."+extensions[format], got)
	}
	var list, narrow bytes.Buffer
	listed := options(report.FailOnCore)
	listed.All = true
	t.Setenv("CLICOLOR_FORCE", "1")
	_, tty := testkit.Terminal(t, 60)
	if err := errors.Join(sample().Write(&list, report.Text, listed),
		sample().Write(&narrow, report.Text, report.Options{Terminal: terminal.New(tty, nil)})); err != nil {
		t.Fatal(err)
	}
	testkit.Golden(t, "testdata/list.txt", list.Bytes())
	testkit.Golden(t, "testdata/terminal.txt", narrow.Bytes())
	if empty := write(t, &report.Report{}, report.JSON, report.FailOnCore); !bytes.Contains(empty, []byte(`"subjects": []`)) {
		t.Errorf("an empty report: %s", empty)
	}
}

// ruleHelp matches the help of a rule in SARIF, which is long.
var ruleHelp = regexp.MustCompile(`("(?:markdown": "|text": ")Example:).*(",?\n)`)

func TestWhichFindingsCount(t *testing.T) {
	for name, test := range map[string]struct {
		finding   report.Finding
		core, all bool
	}{
		"rejected":    {report.Finding{Severity: objchange.Rejected}, true, true},
		"tolerated":   {report.Finding{Severity: objchange.Tolerated}, false, true},
		"unchecked":   {report.Finding{Severity: objchange.Unchecked}, false, true},
		"legacy zero": {report.Finding{Severity: objchange.LegacySDK}, false, false},
		"unconfirmed": {report.Finding{Severity: objchange.Rejected, Confirmed: &report.Confirmation{Verdict: "unconfirmed"}}, false, false},
		"ignored":     {report.Finding{Severity: objchange.Rejected, Ignored: "as told"}, false, false},
	} {
		r := &report.Report{Subjects: []report.Subject{{}, {Findings: []report.Finding{test.finding}}}}
		for on, want := range map[report.FailOn]bool{report.FailOnCore: test.core, report.FailOnAll: test.all, report.FailOnNever: false} {
			if got := r.Wrong(report.Options{FailOn: on}); got != want {
				t.Errorf("%s, %s: wrong: %v", name, on, got)
			}
		}
	}
}

// TestLongReproductionIsCutOff checks that text shows at most 60 lines for a finding, and names the format
// with all lines.
func TestLongReproductionIsCutOff(t *testing.T) {
	f := report.Finding{Rule: objchange.RulePlanNotConfig, Path: ".name", Message: "no", Severity: objchange.Rejected,
		HCL:    strings.Repeat("a = 1\n", 200),
		GoTest: "package a\n\nfunc TestIt(t *testing.T) {\n}\n", GoFunc: "func TestIt(t *testing.T) {\n}\n"}
	r := &report.Report{Command: "explore", Subjects: []report.Subject{{Type: "a_b", Status: report.Checked, Findings: []report.Finding{f}}}}
	want := ".name: no\n\n        func TestIt(t *testing.T) {\n        }\n\n        200 more lines, which --format json shows\n"
	if text := string(write(t, r, report.Text, report.FailOnCore)); !strings.Contains(text, want) {
		t.Errorf("%s", text)
	}
}

func TestWriteReturnsTheErrorOfTheWriter(t *testing.T) {
	for _, format := range report.Formats() {
		if err := sample().Write(full{}, format, options(report.FailOnCore)); !errors.Is(err, errFull) {
			t.Errorf("%s: %v", format, err)
		}
	}
}

var errFull = errors.New("disk full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func options(on report.FailOn) report.Options {
	return report.Options{FailOn: on, Terminal: terminal.New(nil, nil), Version: "v1.2.3"}
}

func write(t *testing.T, r *report.Report, format report.Format, on report.FailOn) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b, format, options(on)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
