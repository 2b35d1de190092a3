package livetest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange/tfcheck"
)

// TestRejectKeepsTheSummariesOfTerraform has Terraform reject each breach twice, with and
// without tfcheck: a test that expects Terraform's error passes with both.
func TestRejectKeepsTheSummariesOfTerraform(t *testing.T) {
	for n, b := range breaches {
		if b.verdict != refused || news[b.typeName] != "" || strings.HasPrefix(b.typeName, "fw_infinite_") {
			continue // Terraform names the address of the infinite number in the summary
		}
		t.Run(b.name(), func(t *testing.T) {
			if testing.Short() && n%5 > 0 {
				t.Skip("every fifth breach only")
			}
			t.Parallel()
			want, got := b.rejected(t, nil), b.rejected(t, tfcheck.Reject)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s %s (-terraform +Reject):\n%s", b.rpc, b.rule, diff)
			}
		})
	}
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
	if b.rpc == upgrade || b.rpc == read {
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
