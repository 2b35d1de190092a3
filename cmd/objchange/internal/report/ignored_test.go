package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/terminal"
	"github.com/objchange/objchange/tfcheck"
)

// TestIgnored: what is ignored is counted in each format, and its reason is told.
func TestIgnored(t *testing.T) {
	r := &report.Report{
		Command: "audit",
		Subjects: []report.Subject{
			{Group: "plan.json", Address: "x_a.n", Action: "update", Status: report.Judged, Findings: []report.Finding{
				{Rule: objchange.RuleInconsistentValue, Path: ".a", Message: "no", Severity: tfcheck.Rejected, Ignored: "issue 12"},
			}},
			{Group: "plan.json", Address: "x_b.n", Action: "update", Status: report.Skipped, Reason: "no schema", Ignored: "in house"},
		},
		Ignores: []report.Ignore{
			{What: "inconsistent-value:x_a.n", Source: "known.yaml:2", Reason: "issue 12", Used: 1},
			{What: "skipped", Source: "--ignore", Reason: "--ignore", Used: 1},
			{What: "plan-count", Source: "known.yaml:5", Reason: "issue 13"},
		},
	}
	for format, wants := range map[report.Format][]string{
		report.Text: {
			"  2 ignored, as told\n  ignored 1: inconsistent-value:x_a.n (issue 12; known.yaml:2)\n  ignored 1: skipped (--ignore)\n  nothing to ignore: plan-count (known.yaml:5)\n",
		},
		report.GitHub:   {"::1 ok, 1 skipped; 2 ignored\n", "no schema (ignored: in house)"},
		report.Markdown: {"### objchange audit: 1 ok, 1 skipped; 2 ignored\n", "| ignored |\n", "| 1 | 0 | 0 | 1 | 0 | 2 |\n", "`no schema (ignored: in house)`"},
		report.JUnit:    {`<property name="ignored" value="2"></property>`, `<skipped message="no schema (ignored: in house)">`},
	} {
		var out strings.Builder
		if err := r.Write(&out, format, report.Options{Terminal: terminal.New(nil, &out, &out)}); err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: no %s in\n%s", format, want, out.String())
			}
		}
	}
}

// TestManyIgnored: a large baseline does not fill the screen.
func TestManyIgnored(t *testing.T) {
	r := &report.Report{Command: "audit"}
	for i := range 30 {
		r.Ignores = append(r.Ignores, report.Ignore{What: fmt.Sprintf("plan-count:x_a.n[%d]", i), Source: "known.yaml", Reason: "known", Used: 1})
	}
	var out strings.Builder
	if err := r.Write(&out, report.Text, report.Options{Terminal: terminal.New(nil, &out, &out)}); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); strings.Count(text, "ignored 1:") != 10 || !strings.Contains(text, "  and by 20 more entries, which --format json has\n") {
		t.Error(text)
	}
}
