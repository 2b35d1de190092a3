package lifecycle_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/livetest/internal/live"
	"github.com/objchange/objchange/tfcheck"
)

// driverStopsEarlier lists the resource types for which a driver stops before Core does. The
// driver stops before the object is destroyed, because the plan for the new object is invalid.
// Core stops when it plans again.
var driverStopsEarlier = map[string]bool{"fw_plan_not_config_anew": true}

// keptOtherwise lists the lifecycles in which Terraform 1.11 keeps another object than the
// versions that a driver follows, with the reason. The later steps are not compared.
var keptOtherwise = map[string]string{
	"fw_honest/inconsistent-value/fw_honest/leaks-updated": "an object whose new state is not usable is forgotten, and not kept as it was",
	"fw_honest/type-mismatch/fw_honest/mistypes-updated":   "an object whose new state is not usable is forgotten, and not kept as it was",
	"fw_honest/state-null-blocks/fw_honest/hand-made":      "what is read is normalised for all schemas, not only for those that the legacy SDK could have",
}

// TestDriverDoesAsTerraform runs the same steps with the real command and with a driver, with equal providers.
// It checks that the outcomes are the same, and that a checking server reports the same faults in
// the requests of the command. For breaches, the errors of the command must have the summaries of
// the driver's findings. For other lives, the requests must be the same.
//
// If Terraform taints an object that a breach creates, terraform untaint must work and must be the
// first advice to users. If no breach of a rule taints the object, its advice must not contain it.
func TestDriverDoesAsTerraform(t *testing.T) {
	taints := taintedRules{rules: map[objchange.Rule]bool{
		objchange.RuleInconsistentUnknown: true, // an unknown value in a new state also breaks state-unknown
	}}
	n, ran := 0, 0
	run := func(t *testing.T, l life, c comparison) {
		n++
		skipped := testing.Short() && n%5 > 0
		t.Run(l.name(), func(t *testing.T) {
			if ran++; skipped {
				t.Skip("every fifth life only")
			}
			t.Parallel()
			if since := live.SupportedSince[l.typeName]; since != "" {
				t.Skipf("Terraform knows that since %s only", since)
			}
			l.compare(t, c)
		})
	}
	t.Run("with", func(t *testing.T) { // ends when all lives have ended
		for _, b := range live.Breaches {
			c := comparison{}
			if steps := b.Run(b.TypeName); b.RPC == live.Apply && b.Severity != objchange.Tolerated && len(steps) == 1 {
				c.tainted = func(t *testing.T, o *oracle) { taints.add(t, b.Rule, o) }
			}
			run(t, lifeOf(b), c)
		}
		run(t, nothingImported, comparison{})
		for _, l := range others {
			run(t, l, comparison{requests: true})
		}
	})
	if t.Failed() || testing.Short() || ran < n || len(taints.rules) == 1 { // or terraform is not available
		return
	}
	for _, rule := range objchange.Rules() {
		if first := rule.Info().Workaround[0].Kind == objchange.StepUntaints; first != taints.rules[rule] {
			t.Errorf("%s: a breach taints a new object: %v, the advice begins with untaint: %v", rule, taints.rules[rule], first)
		}
	}
}

// taintedRules are the rules whose breach taints a new object.
type taintedRules struct {
	mu    sync.Mutex
	rules map[objchange.Rule]bool
}

// add checks that terraform untaint works for the object. It writes the state to another file.
func (r *taintedRules) add(t *testing.T, rule objchange.Rule, o *oracle) {
	t.Helper()
	if out, failed := o.Exec(t, "untaint", "-no-color", "-state-out=untainted", o.Address()); failed {
		t.Errorf("untaint failed: %s", out)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rules[rule] = true
}

// A comparison has the options of compare.
type comparison struct {
	requests bool                          // compare the requests, and not the summaries of errors
	tainted  func(t *testing.T, o *oracle) // called if the object is tainted after the first step
}

// compare runs the steps with both.
func (l life) compare(t *testing.T, c comparison) {
	served, own := l.provider(t), l.provider(t)
	var collector tfcheck.Collector
	served.Check(collector.Report)
	var asked, askedByDriver *recorder
	if c.requests {
		asked, askedByDriver = record(t, served), record(t, own)
	}
	d := live.NewDriven(t, own, l.typeName, l.ignored)
	o := &oracle{Terraform: live.NewTerraform(t, served, l.typeName, d.Block), collector: &collector}
	o.Ignored = l.ignored
	for i, s := range l.steps {
		if (s.Imports() || s.StepKind == live.Removing) && d.Instance.State().IsNull() {
			continue // no object to import or remove
		}
		found, err := d.Take(t, s)
		got := outcomeOf(d, found, err)
		want := o.take(t, s, d.Type())
		if !c.requests {
			o.compareSummaries(t, found)
		} else if diff := cmp.Diff(asked.taken(), sameRun(s, askedByDriver.taken())); diff != "" {
			t.Errorf("step %d, %s: requests: -terraform +driver:\n%s", i, s.StepKind, diff)
		}
		if driverStopsEarlier[l.typeName] && want.Fault == got.Fault && want.Stopped == atApply && got.Stopped == atPlan {
			return // the remaining steps differ
		}
		if why := keptOtherwise[l.name()]; why != "" && got.Object != want.Object {
			if got.Object, got.Tainted = want.Object, want.Tainted; cmp.Equal(want, got) {
				t.Log(why)
				return
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("step %d, %s: -terraform +driver:\n%s%v\n%v", i, s.StepKind, diff, d.Run.Findings, err)
		}
		if i == 0 && want.Tainted && c.tainted != nil {
			c.tainted(t, o)
		}
	}
}

// sameRun removes the requests that a driver sends because it imports an object in a separate
// run: it loads and reads the state once more.
func sameRun(s live.Step, requests []request) []request {
	if s.StepKind == live.Adopting && len(requests) > 4 {
		return append(requests[:2:2], requests[4:]...)
	}
	return requests
}

// An oracle is the real command, with the findings of the checking server about its requests.
type oracle struct {
	*live.Terraform
	collector *tfcheck.Collector
	compared  int
	summaries []string // of the latest step's errors about the provider
}

// take runs the step and returns its outcome.
func (o *oracle) take(t *testing.T, s live.Step, ty cty.Type) (out outcome) {
	t.Helper()
	o.summaries = nil
	before, _ := o.Object(t, ty)
	r := o.Command(t, s, live.Text(before, "id"))
	out = o.outcome(t, r)
	if r.Applied(o.Address()) && out.Stopped == "" && !s.Ends() {
		next := o.outcome(t, o.Run(t, "plan"))
		out.Left = next.Action != ""
		if next.Stopped != "" {
			out.Stopped, out.Fault = after, next.Fault
		}
		out.Tolerated = union(out.Tolerated, next.Tolerated)
	}
	object, tainted := o.Object(t, ty)
	out.Object, out.Tainted = written(object), tainted
	return out
}

// outcome returns the outcome of one command, and compares it with the findings of the checking
// server.
func (o *oracle) outcome(t *testing.T, r live.Report) (out outcome) {
	t.Helper()
	var blamed []string // for single exchanges
	for _, m := range r.Messages {
		switch {
		case (m.Type == "planned_change" || m.Type == "resource_drift" && r.Refreshing) && m.Change.Resource.Addr == o.Address():
			out.Action = actions[m.Change.Action]
		case m.Failed():
			out.Fault, out.Stopped = o.fault(r, m), atApply
			if stoppedAtPlan(r) {
				out.Stopped, out.Action = atPlan, ""
			}
			if out.Fault == refusal {
				t.Logf("%s: %s", m.Diagnostic.Summary, m.Diagnostic.Detail)
			} else if out.Fault != confused {
				o.summaries = append(o.summaries, m.Diagnostic.Summary)
				if m.Diagnostic.Summary != live.OfTwoPlans {
					blamed = union(blamed, []string{out.Fault})
				}
			}
		}
	}
	out.Tolerated = toleratedIn(r)
	o.compareFindings(t, blamed, out.Tolerated)
	return out
}

// compareFindings compares Core's errors and log of the latest command with the findings of the
// checking server. Findings about Core's requests are errors.
func (o *oracle) compareFindings(t *testing.T, blamed, wantTolerated []string) {
	t.Helper()
	all := o.collector.Findings()
	found := all[o.compared:]
	o.compared = len(all)
	for _, f := range found {
		if f.Side == tfcheck.SideRequest {
			t.Errorf("Core's request is found wrong: %v", f)
		}
	}
	if diff := cmp.Diff(blamed, rpcs(found, func(f tfcheck.Finding) bool { return f.Severity == objchange.Rejected })); diff != "" {
		t.Errorf("blamed: -terraform +server:\n%s%v", diff, found)
	}
	if diff := cmp.Diff(wantTolerated, rpcs(found, tolerated)); diff != "" {
		t.Errorf("excused: -terraform +server:\n%s%v", diff, found)
	}
}

// compareSummaries checks that each error of the latest step has a summary of a finding. Tests that
// expect Terraform's summaries then pass with Reject, whose errors have the same summaries.
func (o *oracle) compareSummaries(t *testing.T, found []tfcheck.Finding) {
	t.Helper()
	var known []string
	for _, f := range found {
		for _, v := range f.Violations {
			known = append(known, f.Summaries(v)...)
		}
	}
	for _, summary := range o.summaries {
		if !slices.ContainsFunc(known, func(prefix string) bool { return strings.HasPrefix(summary, prefix) }) {
			t.Errorf("Terraform says %q, and the findings %q", summary, known)
		}
	}
}
