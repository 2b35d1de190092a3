package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/report"
)

// large returns a report on 600 requests of one run, each with the same kinds of findings.
func large() *report.Report {
	r := &report.Report{Command: "watch"}
	at := cty.GetAttrPath
	for i := range 600 {
		s := report.Subject{
			Group: "registry.terraform.io/hashicorp/google", RPC: "PlanResourceChange", Type: "google_compute_instance", Action: "create",
			Object: fmt.Sprint("id-", i/2), Number: i + 1, Status: report.Checked,
		}
		for _, path := range []cty.Path{
			at("labels").IndexString(fmt.Sprint("k", i)), at("disk").IndexInt(i).GetAttr("size"),
			at("zone"), at("name"), at("tags"), at("label"),
		} {
			s.Findings = append(s.Findings, report.Of(objchange.Violations{{
				Rule: objchange.RuleInconsistentValue, Path: path, Shown: path, Message: "differs", Severity: objchange.Tolerated,
			}})...)
		}
		ports := at("rule").IndexInt(i).GetAttr("ports").IndexString(`a]"b`)
		s.Findings = append(s.Findings, report.Of(objchange.Violations{{
			Rule: objchange.RulePlanNotConfig, Path: ports, Shown: ports, Message: "no", Severity: objchange.Rejected,
		}})...)
		r.Subjects = append(r.Subjects, s)
	}
	return r
}

// TestTextShowsEachKindOnce checks that text shows a finding of many objects once with the first
// three objects, and one line for each type with findings that do not count.
func TestTextShowsEachKindOnce(t *testing.T) {
	const want = `300 objects: PlanResourceChange google_compute_instance "id-0" create, PlanResourceChange google_compute_instance "id-1" create, PlanResourceChange google_compute_instance "id-2" create, …
      plan-not-config  .rule[0].ports["a]\"b"]: no

google_compute_instance: 6 tolerated kinds in 300 objects

registry.terraform.io/hashicorp/google  600 with findings, 3600 tolerated

see: objchange explain inconsistent-value
see: objchange explain plan-not-config

summary
  ok                 0
  with findings    600
  findings: 600 counting, 3600 not counting without --fail-on all
  tolerated: the response has the flag legacy_type_system, so Terraform only logs this, at WARN
`
	if diff := cmp.Diff(want, string(write(t, large(), report.Text, report.FailOnCore))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestTextIsShort checks that the parts of a text that do not count have a limit: types, reasons,
// groups, notes and entries of a baseline.
func TestTextIsShort(t *testing.T) {
	r := &report.Report{Command: "audit"}
	for i := range 100 {
		group := fmt.Sprintf("%d/plan.json", i)
		r.Subjects = append(r.Subjects, report.Subject{Group: group, Address: "a_b.c", Type: "a_b", Status: report.Checked})
		r.Notes = append(r.Notes, fmt.Sprint("note ", i))
		r.Ignores = append(r.Ignores, report.Ignore{What: fmt.Sprintf("plan-count:x_a.n[%d]", i), Source: "known.yaml", Reason: "known", Used: 1})
	}
	r.Subjects[99].Findings = []report.Finding{{Rule: objchange.RulePlanKey, Message: "no", Severity: objchange.Unchecked}}
	r.Subjects[98].Status, r.Subjects[98].Reason = report.Skipped, "no schema"
	text := string(write(t, r, report.Text, report.FailOnCore))
	for _, want := range []string{
		"\n  ignored 1: plan-count:x_a.n[11] (known; known.yaml)\n  and 188 more notes, which --all lists\n",
		"skipped: a_b.c: no schema\n", "\n11/plan.json  1 ok\nand 88 more lines, which --all lists\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	o := options(report.FailOnCore)
	o.All = true
	var all strings.Builder
	if err := r.Write(&all, report.Text, o); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(all.String(), "a_b.c"); n != 100 || strings.Count(all.String(), "note ") != 100 {
		t.Errorf("%d subjects with --all:\n%s", n, &all)
	}
}

// TestTextShowsEachFindingOfDocumentsOnce checks that text shows a finding once for all documents
// that have the same finding. A finding of another message stays apart.
func TestTextShowsEachFindingOfDocumentsOnce(t *testing.T) {
	r := &report.Report{Command: "check"}
	for i := range 600 {
		found := []report.Finding{
			{Rule: objchange.RulePlanNotConfig, Path: ".name", Message: "no", Severity: objchange.Rejected},
			{Rule: objchange.RulePlanNotConfig, Path: ".size", Message: "no", Severity: objchange.Tolerated},
		}
		r.Subjects = append(r.Subjects, report.Subject{Document: fmt.Sprint("d", i), Status: report.Checked, Findings: found})
	}
	r.Subjects[9].Findings[0].Message = "other"
	text := string(write(t, r, report.Text, report.FailOnCore))
	const want = "599 objects: d0, d1, d2, …\n      plan-not-config  .name: no\n\n" +
		"d9\n      plan-not-config  .name: other\n\n" +
		"600 objects: d0, d1, d2, …: 1 tolerated kind in 600 objects: plan-not-config .size: no\n"
	if !strings.HasPrefix(text, want) {
		t.Errorf("%s", text)
	}
}
