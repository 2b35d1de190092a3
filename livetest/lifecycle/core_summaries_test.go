package lifecycle_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/livetest/internal/live"
	"github.com/objchange/objchange/tfcheck"
)

// TestRejectKeepsTheSummariesOfTerraform checks that Terraform's error for each breach has the
// same summary with and without tfcheck, so tests that expect Terraform's error pass with both.
// It also checks that the finding has that summary.
func TestRejectKeepsTheSummariesOfTerraform(t *testing.T) {
	for n, b := range live.Breaches {
		if b.Reaction != live.CoreRejects || live.SupportedSince[b.TypeName] != "" {
			continue
		}
		t.Run(b.Name(), func(t *testing.T) {
			if testing.Short() && n%5 > 0 {
				t.Skip("every fifth breach only")
			}
			t.Parallel()
			want := rejected(t, b, nil)
			if known := summariesOf(t, b); !slices.ContainsFunc(want, func(summary string) bool { return hasPrefix(summary, known) }) {
				t.Errorf("Terraform says %q, and the finding %q", want, known)
			}
			if strings.HasPrefix(b.TypeName, "fw_infinite_") {
				return // the summary contains the address of the infinite number
			}
			got := rejected(t, b, tfcheck.Reject)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s %s (-terraform +Reject):\n%s", b.RPC, b.Rule, diff)
			}
		})
	}
}

// summariesOf returns the summaries of the finding of the breach.
func summariesOf(t *testing.T, b live.Breach) (all []string) {
	t.Helper()
	found, _ := b.Run.Drive(t, live.ProviderOf(t, b.Made, b.Rule, b.TypeName), b.TypeName)
	for _, f := range found {
		for _, v := range f.Violations {
			if v.Rule == b.Rule {
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
func rejected(t *testing.T, b live.Breach, report tfcheck.Report) (summaries []string) {
	t.Helper()
	p := live.ProviderOf(t, b.Made, b.Rule, b.TypeName)
	if report != nil {
		p.Check(report)
	}
	d := live.NewDriven(t, live.ProviderOf(t, b.Made, b.Rule, b.TypeName), b.TypeName)
	o := &oracle{Terraform: live.NewTerraform(t, p, b.TypeName, d.Block()), collector: new(tfcheck.Collector)}
	var messages []live.Message
	for _, s := range b.Run(b.TypeName) {
		object, _ := o.Object(t, d.Type())
		messages = append(messages, o.Command(t, s, live.Text(object, "id")).Messages...)
	}
	if b.RPC == live.Upgrade || b.RPC == live.Read || b.Rule == objchange.RuleReplacePath {
		messages = append(messages, o.Run(t, "plan").Messages...)
	}
	for _, m := range messages {
		if m.Failed() {
			summaries = append(summaries, m.Diagnostic.Summary)
		}
	}
	slices.Sort(summaries)
	return slices.Compact(summaries)
}
