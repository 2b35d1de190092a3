package livetest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
)

// TestRejectKeepsTheSummariesOfTerraform has Terraform reject each breach twice, with and
// without tfcheck: a test that expects Terraform's error passes with both. The finding of the
// breach has the summary of Terraform.
func TestRejectKeepsTheSummariesOfTerraform(t *testing.T) {
	for n, b := range breaches {
		if b.verdict != refused || news[b.typeName] != "" {
			continue
		}
		t.Run(b.name(), func(t *testing.T) {
			if testing.Short() && n%5 > 0 {
				t.Skip("every fifth breach only")
			}
			t.Parallel()
			want := b.rejected(t, nil)
			if known := b.summaries(t); !slices.ContainsFunc(want, func(summary string) bool { return hasPrefix(summary, known) }) {
				t.Errorf("Terraform says %q, and the finding %q", want, known)
			}
			if strings.HasPrefix(b.typeName, "fw_infinite_") {
				return // Terraform names the address of the infinite number in the summary
			}
			got := b.rejected(t, tfcheck.Reject)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s %s (-terraform +Reject):\n%s", b.rpc, b.rule, diff)
			}
		})
	}
}

// summaries returns the summaries of the finding of the breach.
func (b breach) summaries(t *testing.T) (all []string) {
	t.Helper()
	found, _ := b.run.drive(t, providerOf(t, b.made, b.rule, b.typeName), b.typeName)
	for _, f := range found {
		for _, v := range f.Violations {
			if v.Rule == b.rule {
				all = append(all, f.Summaries(v)...)
			}
		}
	}
	return all
}

func hasPrefix(text string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(text, prefix) })
}

// rejected returns the summaries of the errors of Terraform, with a report to which the
// provider is checked.
func (b breach) rejected(t *testing.T, report tfcheck.Report) (summaries []string) {
	t.Helper()
	p := providerOf(t, b.made, b.rule, b.typeName)
	if report != nil {
		p.check(report)
	}
	d := newDriven(t, providerOf(t, b.made, b.rule, b.typeName), b.typeName)
	o := &oracle{terraform: newTerraform(t, p, b.typeName, d.schema()), collector: new(tfcheck.Collector)}
	var messages []message
	for _, s := range b.run(b.typeName) {
		object, _ := o.object(t, d.ty())
		messages = append(messages, o.command(t, s, text(object, "id")).messages...)
	}
	if b.rpc == upgrade || b.rpc == read || b.rule == objchange.RuleReplacePath {
		messages = append(messages, o.run(t, "plan").messages...)
	}
	for _, m := range messages {
		if m.failed() {
			summaries = append(summaries, m.Diagnostic.Summary)
		}
	}
	slices.Sort(summaries)
	return slices.Compact(summaries)
}
