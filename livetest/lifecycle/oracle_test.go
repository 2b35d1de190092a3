package lifecycle_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

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
	"fw_honest/inconsistent-value-leaks-updated": "an object whose new state is not usable is forgotten, and not kept as it was",
	"fw_honest/type-mismatch-mistypes-updated":   "an object whose new state is not usable is forgotten, and not kept as it was",
	"fw_honest/state-null-blocks-hand-made":      "what is read is normalised for all schemas, not only for those that the legacy SDK could have",
}

// TestOracle runs the same steps with the real command and with a driver, with equal providers.
// It checks that the outcomes are the same, and that a checking server reports the same faults in
// the requests of the command.
func TestOracle(t *testing.T) {
	for n, l := range oracleLives() {
		t.Run(l.name(), func(t *testing.T) {
			if testing.Short() && n%5 > 0 {
				t.Skip("every fifth life only")
			}
			t.Parallel()
			if since := live.SupportedSince[l.typeName]; since != "" {
				t.Skipf("Terraform knows that since %s only", since)
			}
			l.compare(t, false)
		})
	}
}

// compare runs the steps with both. If requests is true, it also compares the requests.
func (l life) compare(t *testing.T, requests bool) {
	served, own := l.provider(t), l.provider(t)
	var collector tfcheck.Collector
	served.Check(collector.Report)
	var asked, askedByDriver *recorder
	if requests {
		asked, askedByDriver = record(t, served), record(t, own)
	}
	d := live.NewDriven(t, own, l.typeName, l.ignored...)
	o := &oracle{Terraform: live.NewTerraform(t, served, l.typeName, d.Block()), collector: &collector}
	o.Ignored = l.ignored
	for i, s := range l.steps {
		if s.Imports() && d.State().IsNull() {
			continue // no object to import
		}
		found, err := d.Take(t, s)
		got := outcomeOf(d, found, err)
		want := o.take(t, s, d.Type())
		if requests {
			if diff := cmp.Diff(asked.taken(), sameRun(s, askedByDriver.taken())); diff != "" {
				t.Errorf("step %d, %s: requests: -terraform +driver:\n%s", i, s, diff)
			}
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
			t.Fatalf("step %d, %s: -terraform +driver:\n%s%v\n%v", i, s, diff, d.Run.Findings, d.Err)
		}
	}
}

// An oracle is the real command, with the findings of the checking server about its requests.
type oracle struct {
	*live.Terraform
	collector *tfcheck.Collector
	compared  int
}

// take runs the step and returns its outcome.
func (o *oracle) take(t *testing.T, s live.Step, ty cty.Type) (out outcome) {
	t.Helper()
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
			} else if m.Diagnostic.Summary != live.OfTwoPlans && out.Fault != confused {
				blamed = union(blamed, []string{out.Fault})
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
	if diff := cmp.Diff(blamed, rpcs(found, func(f tfcheck.Finding) bool { return f.Severity == tfcheck.Rejected })); diff != "" {
		t.Errorf("blamed: -terraform +server:\n%s%v", diff, found)
	}
	if diff := cmp.Diff(wantTolerated, rpcs(found, tolerated)); diff != "" {
		t.Errorf("excused: -terraform +server:\n%s%v", diff, found)
	}
}
