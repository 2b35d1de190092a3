package livetest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/tfcheck"
)

// supportedSince lists the resource types with faults that Terraform 1.11 does not know, and the
// version that does.
var supportedSince = map[string]string{
	"fw_alias": "1.12", // identities
}

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
			if since := supportedSince[l.typeName]; since != "" {
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
	served.check(collector.Report)
	var asked, askedByDriver *recorder
	if requests {
		asked, askedByDriver = served.record(t), own.record(t)
	}
	d := newDriven(t, own, l.typeName, l.ignored...)
	o := &oracle{terraform: newTerraform(t, served, l.typeName, d.schema()), collector: &collector}
	o.ignored = l.ignored
	for i, s := range l.steps {
		if s.imports() && d.State().IsNull() {
			continue // no object to import
		}
		got := d.outcome(d.take(t, s))
		want := o.take(t, s, d.ty())
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
			t.Fatalf("step %d, %s: -terraform +driver:\n%s%v\n%v", i, s, diff, d.run.Findings, d.err)
		}
	}
}

// An oracle is the real command, with the findings of the checking server about its requests.
type oracle struct {
	*terraform
	collector *tfcheck.Collector
	compared  int
}

// take runs the step and returns its outcome.
func (o *oracle) take(t *testing.T, s step, ty cty.Type) (out outcome) {
	t.Helper()
	before, _ := o.object(t, ty)
	r := o.command(t, s, text(before, "id"))
	out = o.outcome(t, r)
	if r.applied(o.address()) && out.Stopped == "" && !s.ends() {
		next := o.outcome(t, o.run(t, "plan"))
		out.Left = next.Action != ""
		if next.Stopped != "" {
			out.Stopped, out.Fault = after, next.Fault
		}
		out.Tolerated = union(out.Tolerated, next.Tolerated)
	}
	object, tainted := o.object(t, ty)
	out.Object, out.Tainted = written(object), tainted
	return out
}

// command runs the step with one command.
func (o *oracle) command(t *testing.T, s step, id string) report {
	t.Helper()
	if s.stepKind == vanishing {
		o.provider.forget(id)
		return report{}
	}
	if s.imports() {
		o.forget(t)
	}
	o.configure(t, s, id)
	if s.stepKind == importing {
		return o.imports(t, id)
	}
	r := o.run(t, o.args(s)...)
	r.refreshing = s.stepKind == refreshing
	return r
}

// args returns the arguments of the command that runs the step, unless it imports.
func (tf *terraform) args(s step) []string {
	args := []string{"apply", "-auto-approve"}
	switch s.stepKind {
	case replacing:
		return append(args, "-replace="+tf.address())
	case refreshing:
		return append(args, "-refresh-only")
	case destroying:
		return append(args, "-destroy")
	}
	return args
}

// outcome returns the outcome of one command, and compares it with the findings of the checking
// server.
func (o *oracle) outcome(t *testing.T, r report) (out outcome) {
	t.Helper()
	var blamed []string // for single exchanges
	for _, m := range r.messages {
		switch {
		case (m.Type == "planned_change" || m.Type == "resource_drift" && r.refreshing) && m.Change.Resource.Addr == o.address():
			out.Action = actions[m.Change.Action]
		case m.failed():
			out.Fault, out.Stopped = o.fault(r, m), atApply
			if r.planned() {
				out.Stopped, out.Action = atPlan, ""
			}
			if out.Fault == refusal {
				t.Logf("%s: %s", m.Diagnostic.Summary, m.Diagnostic.Detail)
			} else if m.Diagnostic.Summary != ofTwoPlans && out.Fault != confused {
				blamed = union(blamed, []string{out.Fault})
			}
		}
	}
	out.Tolerated = r.tolerated()
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
