package report_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/rulebook"
	"github.com/objchange/objchange/cmd/objchange/internal/terminal"
	"github.com/objchange/objchange/tfcheck"
)

var update = flag.Bool("update", false, "write the golden files anew")

// sample has a subject of every kind.
func sample() *report.Report {
	at := func(line int) report.Place { return report.Place{File: "run 1/log.jsonl", Line: line} }
	return &report.Report{
		Command: "replay",
		Subjects: []report.Subject{
			{Group: "1-create", RPC: "ReadResource", Type: "time_sleep", Object: "2026-11-21", Number: 1, Status: report.Judged, Place: at(3)},
			{Group: "1-create", RPC: "PlanResourceChange", Type: "time_sleep", Action: "update", Number: 2, Status: report.Judged, Place: at(7),
				Findings: []report.Finding{
					{Rule: objchange.RulePlanNotConfig, Path: ".triggers", Inside: `["a"]`, Pointer: "/initial_planned/triggers", Phase: objchange.PhasePlan, Severity: tfcheck.Rejected,
						Message: `at ["a"], nothing is planned where "b" is configured`},
					{Rule: objchange.RulePlanSetElement, Path: ".zones", Phase: objchange.PhasePlan, Severity: tfcheck.Unchecked,
						Message: `the configured element "a" is not planned`},
				}},
			{Group: "1-create", RPC: "ApplyResourceChange", Type: "time_sleep", Number: 1, Status: report.Skipped, Place: at(9),
				Reason: "1_Response_NewState.msgpack was written 2 times, only the last is left"},
			{Group: "2-legacy", RPC: "PlanResourceChange", Type: `time_größe["ü"]`, Action: "update", Number: 3, Status: report.Judged,
				Place: report.Place{File: "/runs/plan.json", Line: 4, Column: 5, Pointer: "/resource_changes/3"},
				Findings: []report.Finding{
					{Rule: objchange.RulePlanNotComputed, Path: ".name", Severity: tfcheck.Tolerated,
						Message: `"x" is planned, which is neither configured nor computed`},
				}},
			{Group: "2-legacy", RPC: "ApplyResourceChange", Type: "time_sleep", Number: 2, Status: report.Failed, Place: report.Place{File: "-", Line: 2},
				Reason: "the provider says:\nno \x1b[31mquota\u202e left ]]>\n"},
			{Address: "time_sleep.a", Status: report.Failed, Reason: "refused", Findings: []report.Finding{
				{Rule: "of-the-future", Message: "something new", Severity: tfcheck.Rejected},
			}},
		},
		Notes: []string{"not judged: ConfigureProvider 5"},
	}
}

// TestFormats holds the sample in every format to its golden file.
func TestFormats(t *testing.T) {
	for _, test := range []struct {
		golden string
		format report.Format
		failOn report.FailOn
		error  string
		colour bool
	}{
		{golden: "sample.txt", format: report.Text},
		{golden: "all.txt", format: report.Text, failOn: report.FailOnAll},
		{golden: "colour.txt", format: report.Text, colour: true},
		{golden: "error.txt", format: report.Text, error: "3-bad/log.jsonl:1: no"},
		{golden: "sample.json", format: report.JSON},
		{golden: "all.json", format: report.JSON, failOn: report.FailOnAll},
		{golden: "error.json", format: report.JSON, error: "3-bad/log.jsonl:1: no"},
		{golden: "sample.sarif", format: report.SARIF},
		{golden: "all.sarif", format: report.SARIF, failOn: report.FailOnAll},
		{golden: "error.sarif", format: report.SARIF, error: "3-bad/log.jsonl:1: no"},
		{golden: "sample.xml", format: report.JUnit},
		{golden: "all.xml", format: report.JUnit, failOn: report.FailOnAll},
		{golden: "error.xml", format: report.JUnit, error: "3-bad/log.jsonl:1: no"},
		{golden: "sample.github", format: report.GitHub},
		{golden: "all.github", format: report.GitHub, failOn: report.FailOnAll},
		{golden: "error.github", format: report.GitHub, error: "3-bad/log.jsonl:1: no"},
		{golden: "sample.md", format: report.Markdown},
		{golden: "all.md", format: report.Markdown, failOn: report.FailOnAll},
		{golden: "error.md", format: report.Markdown, error: "3-bad/log.jsonl:1: no"},
	} {
		t.Run(test.golden, func(t *testing.T) {
			if test.colour {
				t.Setenv("CLICOLOR_FORCE", "1")
			}
			r := sample()
			r.Error = test.error
			got := write(t, r, test.format, report.FailOnCore.Or(test.failOn))
			if test.format == report.SARIF {
				got = ruleHelp.ReplaceAll(got, []byte("$1…$2")) // see TestSARIFHelp
			}
			golden(t, test.golden, got)
		})
	}
}

// ruleHelp is the help of a rule in SARIF, which is long.
var ruleHelp = regexp.MustCompile(`("(?:markdown": "|text": ")For example, of).*(",?\n)`)

// TestNarrow: on a terminal, findings end where its lines do.
func TestNarrow(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	person, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = person.Close(); _ = tty.Close() }()
	if err := pty.Setsize(tty, &pty.Winsize{Rows: 25, Cols: 60}); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	o := report.Options{Terminal: terminal.New(nil, tty, nil)}
	if err := sample().Write(&b, report.Text, o); err != nil {
		t.Fatal(err)
	}
	golden(t, "narrow.txt", b.Bytes())
}

// TestEmpty: a report of nothing is one, too.
func TestEmpty(t *testing.T) {
	for format, want := range map[report.Format]string{
		report.Text:     "summary\n  ok                 0\n",
		report.JSON:     `"subjects": []`,
		report.SARIF:    `"results": []`,
		report.JUnit:    `<testsuites name="objchange check"></testsuites>`,
		report.GitHub:   "::notice title=objchange check::0 ok\n",
		report.Markdown: "### objchange check: 0 ok\n",
	} {
		got := write(t, &report.Report{Command: "check"}, format, report.FailOnCore)
		if !strings.Contains(string(got), want) {
			t.Errorf("%s: no %s in\n%s", format, want, got)
		}
	}
}

// TestSee: what tells how to fix it is named once for each rule.
func TestSee(t *testing.T) {
	r := sample()
	r.Subjects = append(r.Subjects, r.Subjects...)
	text := string(write(t, r, report.Text, report.FailOnCore))
	for rule, want := range map[objchange.Rule]int{
		objchange.RulePlanNotConfig: 1, objchange.RulePlanSetElement: 1, objchange.RulePlanNotComputed: 1,
		"of-the-future": 0, objchange.RulePlanKey: 0,
	} {
		if got := strings.Count(text, "see: objchange explain "+string(rule)+"\n"); got != want {
			t.Errorf("%s is named %d times in\n%s", rule, got, text)
		}
	}
}

// TestSARIFHelp: each rule of the book has help, with code where there is Markdown,
// and a page.
func TestSARIFHelp(t *testing.T) {
	described := parseSARIF(t, sample(), options(report.FailOnCore)).Tool.Driver.Rules
	for i, e := range rulebook.Entries() {
		help, page := described[i].Help, described[i].HelpURI
		if page != "https://github.com/objchange/objchange/blob/main/docs/remedies.md#"+string(e.Rule) {
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

// A name is made of the fields that programs read.
func TestNames(t *testing.T) {
	for want, s := range map[string]report.Subject{
		`"name": "ReadResource time_sleep \"a\"", "rpc": "ReadResource", "type": "time_sleep", "object": "a", "number": 3, `: {RPC: "ReadResource", Type: "time_sleep", Object: "a", Number: 3},
		`"name": "ReadResource time_sleep #3", "rpc": "ReadResource", "type": "time_sleep", "number": 3, `:                   {RPC: "ReadResource", Type: "time_sleep", Number: 3},
		`"name": "web", "document": "web", `:                                                               {Document: "web"},
		`"name": "time_sleep.a update", "address": "time_sleep.a", "action": "update", `:                   {Address: "time_sleep.a", Action: "update"},
		`"name": "time_sleep create create", "type": "time_sleep", "step": "create", "action": "create", `: {Type: "time_sleep", Step: "create", Action: "create"},
	} {
		s.Status = report.Judged
		got := strings.Join(strings.Fields(string(write(t, &report.Report{Subjects: []report.Subject{s}}, report.JSON, report.FailOnCore))), " ")
		if want += `"status": "judged"`; !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

// TestStandardInput has a name where people read it.
func TestStandardInput(t *testing.T) {
	r := &report.Report{Command: "check", Subjects: []report.Subject{{
		Group: "-", Document: "web", Status: report.Judged, Place: report.Place{File: "-", Line: 1},
	}}}
	for format, want := range map[report.Format]string{
		report.Text:  "standard input\n  web  ok\n",
		report.JUnit: `classname="check.standard input"`,
		report.JSON:  `"file": "-"`,
	} {
		if got := write(t, r, format, report.FailOnCore); !strings.Contains(string(got), want) {
			t.Errorf("%s: no %s in\n%s", format, want, got)
		}
	}
}

// TestTextIsPrintable: what is judged cannot write to a terminal what it wants.
func TestTextIsPrintable(t *testing.T) {
	for _, format := range report.Formats() {
		got := write(t, sample(), report.Format(format), report.FailOnCore)
		if bytes.ContainsAny(got, "\x1b\x07\x00") {
			t.Errorf("%s has control characters", format)
		}
	}
}

// TestBytes: what is not UTF-8 is escaped in every format, never replaced.
func TestBytes(t *testing.T) {
	r := &report.Report{Command: "check", Error: "\xfe", Notes: []string{"\xfe"}, Subjects: []report.Subject{{
		Group: "a\xff.json", Document: "a\xff", Status: report.Failed, Reason: "\xff", Place: report.Place{File: "a\xff.json"},
		Findings: []report.Finding{{Rule: objchange.RulePlanNotConfig, Path: ".a\xff", Message: "b\xff", Severity: tfcheck.Rejected}},
	}}}
	for _, format := range report.Formats() {
		got := string(write(t, r, report.Format(format), report.FailOnCore))
		if !utf8.ValidString(got) || strings.ContainsRune(got, utf8.RuneError) {
			t.Errorf("%s has bytes, or replaces them:\n%s", format, got)
		}
		for _, want := range []string{`.a\xff`, `b\xff`, `\xfe`} {
			if !strings.Contains(got, want) && !strings.Contains(got, strings.ReplaceAll(want, `\`, `\\`)) {
				t.Errorf("%s lacks %s:\n%s", format, want, got)
			}
		}
	}
	if sarif := string(write(t, r, report.SARIF, report.FailOnCore)); !strings.Contains(sarif, `"uri": "a%FF.json"`) {
		t.Errorf("the file is not found by the name in\n%s", sarif)
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
		"legacy zero": {report.Finding{Severity: tfcheck.LegacyZero}, false, true},
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

func TestOf(t *testing.T) {
	found := report.Of(objchange.Violations{
		{Rule: objchange.RulePlanNotConfig, Path: cty.GetAttrPath("name"), Message: "no", Enforced: true, Phase: objchange.PhasePlan},
		{Rule: objchange.RulePlanSetElement, Message: "neither"},
	}, true)
	want := []report.Finding{
		{Rule: objchange.RulePlanNotConfig, Path: ".name", Message: "no", Phase: objchange.PhasePlan, Severity: tfcheck.Tolerated},
		{Rule: objchange.RulePlanSetElement, Message: "neither", Severity: tfcheck.Unchecked},
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Error(diff)
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
	return report.Options{FailOn: on, Terminal: terminal.New(nil, nil, nil), Version: "v1.2.3"}
}

func write(t *testing.T, r *report.Report, format report.Format, on report.FailOn) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b, format, options(on)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// SARIF names the first thousand of what was not judged, and counts the rest.
func TestManySkipped(t *testing.T) {
	r := &report.Report{Command: "replay", Subjects: make([]report.Subject, 1002)}
	for i := range r.Subjects {
		r.Subjects[i] = report.Subject{Status: report.Skipped, Reason: "lost"}
	}
	text := string(write(t, r, report.SARIF, report.FailOnCore))
	if n := strings.Count(text, `"lost`) + strings.Count(text, `: lost`); n != 1000 || !strings.Contains(text, "2 more were skipped or failed") {
		t.Errorf("%d are named", n)
	}
}

// Findings of an exchange keep their severity.
func TestOfExchange(t *testing.T) {
	for _, severity := range tfcheck.Severities() {
		for _, f := range report.OfExchange(tfcheck.Finding{Severity: severity, Violations: objchange.Violations{{Rule: "a", Enforced: true}, {Rule: "b"}}}) {
			if f.Severity != severity {
				t.Errorf("%s: %+v", severity, f)
			}
		}
	}
}
