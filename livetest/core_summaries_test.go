package livetest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
)

// TestRejectKeepsTheSummariesOfTerraform checks that Terraform's error for each breach has the
// same summary with and without tfcheck, so tests that expect Terraform's error pass with both.
// It also checks that the finding has that summary.
func TestRejectKeepsTheSummariesOfTerraform(t *testing.T) {
	for n, b := range breaches {
		if b.reaction != coreRejects || supportedSince[b.typeName] != "" {
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
				return // the summary contains the address of the infinite number
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

// rejected returns the summaries of Terraform's errors, with a provider that is checked with the
// report.
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
