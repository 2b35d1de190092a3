package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/rulebook"
	"github.com/objchange/objchange/cmd/internal/terminal"
	"github.com/objchange/objchange/cmd/internal/testkit"
	"github.com/objchange/objchange/docs"
	"github.com/objchange/objchange/tfcheck"
)

// sample returns a report with a subject of every kind.
func sample() *report.Report {
	at := func(line int) report.Place { return report.Place{File: "run 1/log.jsonl", Line: line} }
	return &report.Report{
		Command: "replay",
		Subjects: []report.Subject{
			{Group: "1-create", RPC: "ReadResource", Type: "time_sleep", Object: "2026-11-21", Number: 1, Status: report.Checked, Place: at(3)},
			{Group: "1-create", RPC: "PlanResourceChange", Type: "time_sleep", Action: "update", Number: 2, Status: report.Checked, Place: at(7),
				Findings: []report.Finding{
					{Rule: objchange.RulePlanNotConfig, Path: ".triggers", Inside: `["a"]`, Place: report.Place{Line: 9, Column: 17, Pointer: "/initial_planned/triggers"}, Phase: objchange.PhasePlan, Severity: tfcheck.Rejected,
						Message: `at ["a"], planned nothing, but the configuration has "b"`},
					{Rule: objchange.RulePlanSetElement, Path: ".zones", Phase: objchange.PhasePlan, Severity: tfcheck.Unchecked,
						Message: `the configured element "a" is not planned`},
				}},
			{Group: "1-create", RPC: "ApplyResourceChange", Type: "time_sleep", Number: 1, Status: report.Skipped, Place: at(9),
				Reason: "1_Response_NewState.msgpack was written 2 times, only the last is left"},
			{Group: "2-legacy", RPC: "PlanResourceChange", Type: `time_größe["ü"]`, Action: "update", Number: 3, Status: report.Checked,
				Place: report.Place{File: "/runs/plan.json", Line: 4, Column: 5, Pointer: "/resource_changes/3"},
				Findings: []report.Finding{
					{Rule: objchange.RulePlanNotComputed, Path: ".name", Severity: tfcheck.Tolerated,
						Message: `planned "x", but the attribute is neither configured nor computed`},
				}},
			{Group: "2-legacy", RPC: "ApplyResourceChange", Type: "time_sleep", Number: 2, Status: report.Failed, Place: report.Place{File: "-", Line: 2},
				Reason: "the provider says:\nno \x1b[31mquota\u202e left ]]>\n"},
			{Address: "time_sleep.a", Status: report.Failed, Reason: "refused", Findings: []report.Finding{
				{Rule: "of-the-future", Message: "something new", Severity: tfcheck.Rejected},
			}},
			{Group: "plan.json", Address: "x_a.n", Action: "update", Status: report.Checked, Findings: []report.Finding{
				{Rule: objchange.RuleInconsistentValue, Path: ".a", Message: "no", Severity: tfcheck.Rejected, Ignored: "issue 12"},
			}},
			{Group: "plan.json", Address: "x_b.n", Action: "update", Status: report.Skipped, Reason: "no schema", Ignored: "in house"},
		},
		Ignores: []report.Ignore{
			{What: "inconsistent-value:x_a.n", Source: "known.yaml:2", Reason: "issue 12", Used: 1},
			{What: "skipped", Source: "--ignore", Reason: "--ignore", Used: 1},
			{What: "plan-count", Source: "known.yaml:5", Reason: "issue 13"},
			{What: "plan-key", Source: "known.yaml:6", Reason: "issue 14", Expired: "2020-01-01"},
		},
		Notes: []string{"not checked: ConfigureProvider 5"},
	}
}

// extensions are the extensions of golden files.
var extensions = map[report.Format]string{
	report.Text: "txt", report.JSON: "json", report.SARIF: "sarif", report.JUnit: "xml", report.Markdown: "md",
}

// TestSummaryTellsSubjectsFromFindings checks that the summary counts subjects and findings
// separately.
func TestSummaryTellsSubjectsFromFindings(t *testing.T) {
	var doc struct {
		Summary map[string]map[string]int `json:"summary"`
	}
	r := sample()
	r.Subjects[0].Findings = []report.Finding{{Rule: objchange.RulePlanNotComputed, Severity: tfcheck.LegacyZero}}
	if err := json.Unmarshal(write(t, r, report.JSON, report.FailOnAll), &doc); err != nil {
		t.Fatal(err)
	}
	want := map[string]map[string]int{
		"subjects": {"ok": 2, "with_findings": 3, "failed": 1, "skipped": 2, "ignored": 1},
		"findings": {"counting": 4, "not_counting": 0, "legacy_zero": 1, "ignored": 1},
	}
	if diff := cmp.Diff(want, doc.Summary); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
}

// TestFormats compares several reports with golden files in every format.
func TestFormats(t *testing.T) {
	failed := sample()
	failed.Error = "3-bad/log.jsonl:1: no"
	for _, test := range []struct {
		name string
		r    *report.Report
		on   report.FailOn
	}{
		{"sample", sample(), report.FailOnCore},
		{"all", sample(), report.FailOnAll},
		{"error", failed, report.FailOnCore},
		{"empty", &report.Report{Command: "check"}, report.FailOnCore},
		{"bytes", withBytes(), report.FailOnCore},
	} {
		for _, format := range report.Formats() {
			got := write(t, test.r, format, test.on)
			short := ruleHelp.ReplaceAll(got, []byte("$1…$2")) // see TestSARIFHelp
			if test.name != "sample" {
				short = rules.ReplaceAll(short, []byte("$1$2"))
			}
			testkit.Golden(t, "testdata/"+test.name+"."+extensions[format], short)
			if !utf8.Valid(got) || bytes.ContainsRune(got, utf8.RuneError) {
				t.Errorf("%s has bytes, or replaces them:\n%s", format, got)
			}
		}
	}
	listed := options(report.FailOnCore)
	listed.All = true
	var list bytes.Buffer
	if err := sample().Write(&list, report.Text, listed); err != nil {
		t.Fatal(err)
	}
	testkit.Golden(t, "testdata/list.txt", list.Bytes())
	t.Setenv("CLICOLOR_FORCE", "1")
	testkit.Golden(t, "testdata/colour.txt", write(t, sample(), report.Text, report.FailOnCore))
}

// withBytes returns a report with invalid UTF-8, which must be escaped.
func withBytes() *report.Report {
	return &report.Report{Command: "check", Error: "\xfe", Notes: []string{"\xfe"}, Subjects: []report.Subject{{
		Group: "a\xff.json", Document: "a\xff", Status: report.Failed, Reason: "\xff", Place: report.Place{File: "a\xff.json"},
		Findings: []report.Finding{{Rule: objchange.RulePlanNotConfig, Path: ".a\xff", Message: "b\xff", Severity: tfcheck.Rejected}},
	}}}
}

// ruleHelp matches the help of a rule in SARIF, which is long.
var ruleHelp = regexp.MustCompile(`("(?:markdown": "|text": ")Example:).*(",?\n)`)

// rules matches the rules in SARIF, which are the same in all reports.
var rules = regexp.MustCompile(`(?s)("rules": \[\n).*?\n(          \])`)

// TestNarrow checks that findings are wrapped at the width of the terminal.
func TestNarrow(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	_, tty := testkit.Terminal(t, 60)
	var b bytes.Buffer
	o := report.Options{Terminal: terminal.New(tty, nil)}
	if err := sample().Write(&b, report.Text, o); err != nil {
		t.Fatal(err)
	}
	testkit.Golden(t, "testdata/narrow.txt", b.Bytes())
}

// TestSARIFHelp checks that each rule of a finding has help and a link, and that the help in
// Markdown has code.
func TestSARIFHelp(t *testing.T) {
	all := &report.Report{Command: "check", Subjects: make([]report.Subject, 1)}
	for _, e := range rulebook.Entries() {
		all.Subjects[0].Findings = append(all.Subjects[0].Findings, report.Finding{Rule: e.Rule})
	}
	described := parseSARIF(t, all, options(report.FailOnCore)).Tool.Driver.Rules
	for i, e := range rulebook.Entries() {
		help, page := described[i].Help, described[i].HelpURI
		if page != docs.RuleURL(e.Rule) {
			t.Errorf("%s: the page is %v", e.Rule, page)
		}
		for _, part := range []string{e.Example, e.Message, e.FixProse(), "objchange explain " + string(e.Rule)} {
			if !strings.Contains(help.Text, part) {
				t.Errorf("%s: the text lacks %s", e.Rule, part)
			}
		}
		for _, part := range []string{e.Example, e.Message, e.FixMarkdown()} {
			if !strings.Contains(help.Markdown, part) {
				t.Errorf("%s: the Markdown lacks %s", e.Rule, part)
			}
		}
	}
}

func TestCounts(t *testing.T) {
	for name, test := range map[string]struct {
		finding   report.Finding
		core, all bool
	}{
		"rejected":    {report.Finding{Severity: tfcheck.Rejected}, true, true},
		"tolerated":   {report.Finding{Severity: tfcheck.Tolerated}, false, true},
		"unchecked":   {report.Finding{Severity: tfcheck.Unchecked}, false, true},
		"legacy zero": {report.Finding{Severity: tfcheck.LegacyZero}, false, false},
		"ignored":     {report.Finding{Severity: tfcheck.Rejected, Ignored: "as told"}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := &report.Report{Subjects: []report.Subject{{}, {Findings: []report.Finding{test.finding}}}}
			for on, want := range map[report.FailOn]bool{report.FailOnCore: test.core, report.FailOnAll: test.all, report.FailOnNever: false} {
				if got := r.Wrong(report.Options{FailOn: on}); got != want {
					t.Errorf("%s: wrong: %v", on, got)
				}
			}
		})
	}
}

// TestZeroValuesAreOneLine checks that the number of legacy zero values is one line, and that the
// values are listed only with All. JSON and JUnit always list them.
func TestZeroValuesAreOneLine(t *testing.T) {
	zero := report.Finding{Rule: objchange.RulePlanNotComputed, Path: ".on", Message: "false is planned", Severity: tfcheck.LegacyZero}
	other := report.Finding{Rule: objchange.RulePlanNotConfig, Path: ".name", Message: "no", Severity: tfcheck.Rejected}
	r := &report.Report{Command: "watch", Subjects: []report.Subject{
		{RPC: "PlanResourceChange", Type: "a_b", Status: report.Checked, Findings: []report.Finding{zero, zero}},
		{RPC: "ApplyResourceChange", Type: "a_b", Status: report.Checked, Findings: []report.Finding{other, zero}},
	}}
	o := options(report.FailOnCore)
	for _, format := range report.Formats() {
		for _, o.All = range []bool{false, true} {
			var b strings.Builder
			if err := r.Write(&b, format, o); err != nil {
				t.Fatal(err)
			}
			listed := strings.Contains(b.String(), "false is planned")
			counted := strings.Contains(b.String(), "3 zero values of the legacy SDK, listed with --all")
			if want := o.All || format == report.JSON || format == report.JUnit; listed != want || counted == want {
				t.Errorf("%s, all %v: listed: %v, counted: %v:\n%s", format, o.All, listed, counted, &b)
			}
		}
	}
	if len(r.Subjects[0].Findings) != 2 || r.Notes != nil {
		t.Errorf("the report has changed: %+v", r)
	}
}

// TestConfigurationsInText checks that in text one empty line precedes and one follows each
// configuration.
func TestConfigurationsInText(t *testing.T) {
	f := report.Finding{Rule: objchange.RulePlanNotConfig, Path: ".name", Message: "no", Severity: tfcheck.Rejected, HCL: "resource \"a_b\" \"example\" {}\n"}
	other := f
	other.Path = ".size"
	r := &report.Report{Command: "explore", Subjects: []report.Subject{
		{Type: "a_b", Status: report.Checked, Findings: []report.Finding{f, other}}, {Type: "a_c", Status: report.Checked, Findings: []report.Finding{f}},
	}}
	var b strings.Builder
	if err := r.Write(&b, report.Text, options(report.FailOnCore)); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); strings.Contains(text, "\n\n\n") || strings.Count(text, "{}\n\n") != 3 || strings.Count(text, "\n\n        resource") != 3 {
		t.Error(text)
	}
}

// TestSteps checks that commands and configurations are in code blocks of different languages.
func TestSteps(t *testing.T) {
	f := report.Finding{Rule: objchange.RulePlanNotConfig, Severity: tfcheck.Rejected, HCL: "a {}\n", Steps: []report.Step{
		{Command: "terraform apply", HCL: "a {}\n"}, {Command: "terraform state rm a.b"}, {Command: "terraform plan", HCL: "b {}\n"},
	}}
	r := &report.Report{Command: "explore", Subjects: []report.Subject{{Type: "a_b", Status: report.Checked, Findings: []report.Finding{f}}}}
	for format, want := range map[report.Format]string{
		report.Markdown: "\n  ```hcl\n  a {}\n  ```\n\n  ```console\n  $ terraform apply\n  $ terraform state rm a.b\n  ```\n\n  ```hcl\n  b {}\n  ```\n\n  ```console\n  $ terraform plan\n  ```\n",
		report.Text:     "\n\n        a {}\n\n        $ terraform apply\n        $ terraform state rm a.b\n\n        b {}\n\n        $ terraform plan\n",
	} {
		if text := string(write(t, r, format, report.FailOnCore)); !strings.Contains(text, want) {
			t.Errorf("%s: %s", format, text)
		}
	}
}

// TestConfirmation checks that each format shows the result of Terraform, without characters that
// control a terminal.
func TestConfirmation(t *testing.T) {
	f := report.Finding{Rule: objchange.RulePlanNotConfig, Path: ".name", Message: "no", Severity: tfcheck.Rejected, Confirmed: &report.Confirmation{
		Program: "Terraform", Version: "1.11.4", Verdict: "confirmed", Error: "Error: bad\x1b[31m\xff", Summary: "confirmed by Terraform\n\nError: bad\x1b[31m\xff",
	}}
	r := &report.Report{Command: "explore", Subjects: []report.Subject{{Type: "a_b", Status: report.Checked, Findings: []report.Finding{f}}}, Unconfirmed: []report.Unconfirmed{{Kind: "data", Type: "a_b", Finding: f}}}
	for _, format := range report.Formats() {
		text := string(write(t, r, report.Format(format), report.FailOnCore))
		if !strings.Contains(text, "Error: bad") || strings.Contains(text, "\x1b") || !utf8.ValidString(text) {
			t.Errorf("%s: %q", format, text)
		}
	}
	if text := string(write(t, r, report.JSON, report.FailOnCore)); !strings.Contains(text, `"kind": "data",
      "type": "a_b",
      "name": "data a_b",
      "rule": "plan-not-config",`) {
		t.Error(text)
	}
	if r.Unconfirmed[0].Confirmed.Error != f.Confirmed.Error {
		t.Errorf("the report has changed: %+v", r.Unconfirmed)
	}
}

func TestWriteFails(t *testing.T) {
	for _, format := range report.Formats() {
		if err := sample().Write(full{}, report.Format(format), options(report.FailOnCore)); !errors.Is(err, errFull) {
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

// TestManySkipped checks that SARIF names the first thousand skipped subjects, and counts the rest.
func TestManySkipped(t *testing.T) {
	r := &report.Report{Command: "replay", Subjects: make([]report.Subject, 1002)}
	for i := range r.Subjects {
		r.Subjects[i] = report.Subject{Status: report.Skipped, Reason: "lost"}
	}
	text := string(write(t, r, report.SARIF, report.FailOnCore))
	if n := strings.Count(text, `"lost`) + strings.Count(text, `: lost`); n != 1000 || !strings.Contains(text, "2 more subjects were skipped or failed") {
		t.Errorf("%d are named", n)
	}
}

// TestSARIFBoundsNotes checks that notes beyond a limit are counted, and that long ones are
// shortened.
func TestSARIFBoundsNotes(t *testing.T) {
	r := &report.Report{Command: "audit"}
	for i := range 3000 {
		r.Notes = append(r.Notes, fmt.Sprint("note ", i, strings.Repeat(" long", 1000)))
	}
	text := string(write(t, r, report.SARIF, report.FailOnCore))
	if n := strings.Count(text, `"note `); n != 1000 || !strings.Contains(text, "2000 more notes are omitted") || len(text) > 3_000_000 {
		t.Errorf("%d notes in %d bytes", n, len(text))
	}
}

// TestFilesOfFindingsAreEscaped checks that text and JUnit escape the file names of findings.
func TestFilesOfFindingsAreEscaped(t *testing.T) {
	f := report.Finding{Rule: objchange.RulePlanKey, Severity: tfcheck.Rejected, Place: report.Place{File: "ho\x1b[31m\nst.json", Line: 7}}
	r := &report.Report{Command: "audit", Subjects: []report.Subject{{Address: "x_a.n", Findings: []report.Finding{f}}}}
	for _, format := range []report.Format{report.Text, report.JUnit} {
		if text := string(write(t, r, format, report.FailOnCore)); strings.Contains(text, "\x1b") || strings.Contains(text, "31m\n") {
			t.Errorf("%s: %q", format, text)
		}
	}
}

// manyFindings returns a report with more findings than SARIF takes. Those that count are last.
func manyFindings() *report.Report {
	r := &report.Report{Command: "audit"}
	for i := range 40_000 {
		f := report.Finding{Rule: objchange.RulePlanKey, Path: ".a", Message: strings.Repeat("x", 6000), Severity: tfcheck.Tolerated}
		if i >= 39_980 {
			f.Severity = tfcheck.Rejected
		}
		r.Subjects = append(r.Subjects, report.Subject{Group: "plan.json", Address: fmt.Sprint("x_a.n", i), Status: report.Checked, Findings: []report.Finding{f}})
	}
	return r
}

// TestSARIFHasWhatCodeScanningShows checks that findings beyond the limit are omitted, the least
// severe first.
func TestSARIFHasWhatCodeScanningShows(t *testing.T) {
	text := write(t, manyFindings(), report.SARIF, report.FailOnCore)
	n, counting := bytes.Count(text, []byte(`"ruleId"`)), bytes.Count(text, []byte(`"level": "error"`))
	if n != 5000 || counting != 21 { // one of the errors is the rule's own level
		t.Errorf("%d results, %d errors", n, counting)
	}
	if len(text) > 20<<20 || !bytes.Contains(text, []byte("35000 less severe findings are omitted")) {
		t.Errorf("%d bytes", len(text))
	}
}

// TestSARIFHasOnlyRulesThatAreBroken checks that the rules without findings are omitted.
func TestSARIFHasOnlyRulesThatAreBroken(t *testing.T) {
	r := &report.Report{Command: "audit", Subjects: []report.Subject{{Findings: []report.Finding{{Rule: objchange.RulePlanKey}, {Rule: objchange.RulePlanKey}}}}}
	if rules := parseSARIF(t, r, options(report.FailOnCore)).Tool.Driver.Rules; len(rules) != 1 || !strings.HasSuffix(rules[0].HelpURI, "#plan-key") {
		t.Errorf("the rules are %v", rules)
	}
}

// TestOfExchange checks that the findings of an exchange keep their severity.
func TestOfExchange(t *testing.T) {
	for _, severity := range tfcheck.Severities() {
		for _, f := range report.OfExchange(tfcheck.Finding{Severity: severity, Violations: objchange.Violations{{Rule: "a", Enforced: true}, {Rule: "b"}}}) {
			if f.Severity != severity {
				t.Errorf("%s: %+v", severity, f)
			}
		}
	}
}

// TestManyIgnored checks that text lists only the first entries of a large baseline.
func TestManyIgnored(t *testing.T) {
	r := &report.Report{Command: "audit"}
	for i := range 30 {
		r.Ignores = append(r.Ignores, report.Ignore{What: fmt.Sprintf("plan-count:x_a.n[%d]", i), Source: "known.yaml", Reason: "known", Used: 1})
	}
	var out strings.Builder
	if err := r.Write(&out, report.Text, report.Options{Terminal: terminal.New(&out, &out)}); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); strings.Count(text, "ignored 1:") != 10 || !strings.Contains(text, "  and 20 more entries; --format json contains all\n") {
		t.Error(text)
	}
}
