package livetest_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/zclconf/go-cty/cty"
)

// The parts of a step in which Core can stop.
const (
	atPlan  = "plan"
	atApply = "apply"
	after   = "the next plan" // with nothing changed
)

// Whose fault it is that Core stopped, unless it is that of an RPC.
const (
	refusal  = "refused"   // the provider itself reported an error
	confused = "confusion" // Core cannot go on with what it got
)

// faults are the errors with which Core blames a provider, by their summary.
var faults = map[string]string{
	"Provider produced invalid plan":                        plan,
	"Provider produced inconsistent final plan":             plan,
	"Provider produced inconsistent result after apply":     apply,
	"Provider returned invalid result object after apply":   apply,
	"Provider produced invalid object":                      read,
	"Provider produced null object":                         data,
	"Multiple import states not supported":                  importState,
	"Cannot import non-existent remote object":              confused,
	"Invalid Deferred Response":                             plan, // terraform-plugin-go says so before Core can
	"Provider produced invalid ephemeral resource instance": open,
}

// ofTwoPlans is what no single exchange shows.
const ofTwoPlans = "Provider produced inconsistent final plan"

// news are the resource types whose faults Terraform 1.11 does not know yet, and
// the version that does.
var news = map[string]string{
	"fw_alias": "1.12", // identities
}

// earlier are the resource types with which a driver stops before the object is
// destroyed, and Core when it plans again: the plan to create another one in its
// place is not valid.
var earlier = map[string]bool{"fw_plan_not_config_anew": true}

// tolerances are how Core's log tells what it excuses, beside that it does so
// because of the legacy plugin SDK.
var tolerances = map[string]string{
	"produced an invalid plan for":         plan,
	"produced an unexpected new value for": apply,
}

// An outcome is what comes of a step, whoever takes it.
type outcome struct {
	Action  objchange.Action // what is planned, if Core gets that far
	Stopped string           // the part in which Core stops
	Fault   string           // and because of whom: an RPC, or one of the above
	Excused []string         // RPCs whose breaches Core logs and no more
	Left    bool             // something is planned again right after
	Object  string           // what is kept
	Tainted bool
}

// TestOracle has the real command and a driver do the same with providers of the
// same kind: what the driver finds is what the command does, and so is what the
// checking server finds in the command's own exchanges.
func TestOracle(t *testing.T) {
	for name, l := range judgedLives() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if since := news[l.typeName]; since != "" {
				t.Skipf("Terraform knows that since %s only", since)
			}
			l.compare(t, false)
		})
	}
}

// compare takes the steps twice, and compares the requests, too, if asked to.
func (l life) compare(t *testing.T, requests bool) {
	if len(l.ignored) > 0 && ignoreChanges == nil {
		t.Skip("no driver can ignore changes yet")
	}
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
			continue // there is nothing to import
		}
		got := d.outcome(d.take(t, s))
		want := o.take(t, s, d)
		differs := earlier[l.typeName] && want.Fault == got.Fault && want.Stopped == atApply && got.Stopped == atPlan
		if diff := cmp.Diff(want, got); diff != "" && !differs {
			t.Errorf("step %d, %s: -terraform +driver:\n%s%v\n%v", i, s, diff, d.run.Findings, d.err)
		}
		if requests {
			if diff := cmp.Diff(asked.taken(), sameRun(s, askedByDriver.taken())); diff != "" {
				t.Errorf("step %d, %s: requests: -terraform +driver:\n%s", i, s, diff)
			}
		}
		if t.Failed() || differs {
			return // what follows is another life
		}
	}
}

// outcome tells what came of the step that the driver took.
func (d *driven) outcome(found []tfcheck.Finding, err error) (o outcome) {
	var broken *tfcheck.BrokenError
	var refused *tfcheck.RefusedError
	switch {
	case errors.As(err, &broken):
		o.Fault = broken.Finding.RPC
		o.Stopped = d.part(broken.Finding.Violations[0].Phase)
	case errors.As(err, &refused):
		o.Fault, o.Stopped = refusal, atPlan
		if refused.RPC == apply {
			o.Stopped = atApply
		}
	case err != nil:
		o.Fault, o.Stopped = confused, atPlan
	}
	switch {
	case o.Stopped == atPlan:
	case d.run.Action != objchange.ActionNoOp:
		o.Action = d.run.Action
	case d.run.Lifecycle.FinalPlanned != cty.NilVal: // it turned out that there is nothing to do
		o.Action = objchange.ActionUpdate
	}
	o.Excused = rpcs(found, func(f tfcheck.Finding) bool { return f.Excused })
	o.Left = slices.ContainsFunc(found, func(f tfcheck.Finding) bool { return f.Violations[0].Rule == tfcheck.RulePerpetualDiff })
	o.Object, o.Tainted = written(d.kept(o)), d.Instance != nil && d.Tainted()
	return o
}

func written(object cty.Value) string {
	if object == cty.NilVal || object.IsNull() {
		return "none"
	}
	return fmt.Sprintf("%#v", object)
}

// kept returns the object that was kept after the step. A driver goes on to read
// the object in the next plan and keeps what it reads, as no plan of Core does.
func (d *driven) kept(o outcome) cty.Value {
	switch {
	case d.Instance == nil:
		return d.result
	case o.Action != "" && d.run.Lifecycle.New != cty.NilVal && (o.Stopped == "" || o.Stopped == after):
		return d.run.Lifecycle.New
	}
	return d.State()
}

// part tells in which part of a step something of that phase is found.
func (d *driven) part(phase objchange.Phase) string {
	switch {
	case phase == objchange.PhaseApply || phase == objchange.PhaseReplan:
		return atApply
	case d.run.Lifecycle.New != cty.NilVal && d.run.Lifecycle.FinalPlanned != cty.NilVal:
		return after
	}
	return atPlan
}

// rpcs returns those in which such findings were made.
func rpcs(found []tfcheck.Finding, of func(tfcheck.Finding) bool) []string {
	names := map[string]bool{}
	for _, f := range found {
		if of(f) {
			names[f.RPC] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// An oracle is the real command, and what the checking server says of what it
// gets to see.
type oracle struct {
	*terraform
	collector *tfcheck.Collector
	judged    int
}

// take takes the step and tells what came of it.
func (o *oracle) take(t *testing.T, s step, d *driven) (out outcome) {
	t.Helper()
	before, _ := o.object(t, d.ty())
	r := o.command(t, s, text(before, "id"), d)
	out = o.outcome(t, r)
	if r.applied(o.address()) && out.Stopped == "" && !s.ends() {
		next := o.outcome(t, o.run(t, "plan"))
		out.Left = next.Action != ""
		if next.Stopped != "" {
			out.Stopped, out.Fault = after, next.Fault
		}
		out.Excused = union(out.Excused, next.Excused)
	}
	object, tainted := o.object(t, d.ty())
	out.Object, out.Tainted = written(object), tainted
	return out
}

// command has the step taken by one command.
func (o *oracle) command(t *testing.T, s step, id string, d *driven) (r report) {
	t.Helper()
	if s.doing == vanishing {
		o.provider.forget(id)
		return r
	}
	if s.imports() {
		o.forget(t)
	}
	o.configure(t, s, id)
	args := []string{"apply", "-auto-approve"}
	switch s.doing {
	case importing:
		r = errorsOf(o.exec(t, "import", "-no-color", "-input=false", o.address(), id))
		r.planning = true
		return r
	case replacing:
		args = append(args, "-replace="+o.address())
	case refreshing:
		args = append(args, "-refresh-only")
	}
	r = o.run(t, args...)
	r.refreshing = s.doing == refreshing
	return r
}

// outcome tells what came of one command, and holds the checking server to it.
func (o *oracle) outcome(t *testing.T, r report) (out outcome) {
	t.Helper()
	var blamed []string // for single exchanges
	for _, m := range r.messages {
		switch {
		case (m.Type == "planned_change" || m.Type == "resource_drift" && r.refreshing) && m.Change.Resource.Addr == o.address():
			out.Action = actions[m.Change.Action]
		case m.Type == "diagnostic" && m.Diagnostic.Severity == "error":
			fault, known := faults[m.Diagnostic.Summary]
			if !known {
				fault = refusal
				t.Logf("%s: %s", m.Diagnostic.Summary, m.Diagnostic.Detail)
			} else if m.Diagnostic.Summary != ofTwoPlans && fault != confused {
				blamed = union(blamed, []string{fault})
			}
			out.Fault, out.Stopped = fault, atApply
			if r.planning || strings.Contains(r.log, "Planning encountered errors") {
				out.Stopped, out.Action = atPlan, ""
			}
		}
	}
	out.Excused = r.tolerated()
	o.judge(t, blamed, out.Excused)
	return out
}

// actions are as the command names them.
var actions = map[string]objchange.Action{
	"create": objchange.ActionCreate, "update": objchange.ActionUpdate, "replace": objchange.ActionReplace,
	"delete": objchange.ActionDelete, "remove": objchange.ActionDelete,
}

// judge compares what Core said of the latest command with what the checking
// server found in its exchanges. Whatever Core requests is right.
func (o *oracle) judge(t *testing.T, blamed, excused []string) {
	t.Helper()
	all := o.collector.Findings()
	found := all[o.judged:]
	o.judged = len(all)
	for _, f := range found {
		if f.Side == tfcheck.SideRequest {
			t.Errorf("Core's request is found wrong: %v", f)
		}
	}
	if diff := cmp.Diff(blamed, rpcs(found, tfcheck.Finding.Enforced)); diff != "" {
		t.Errorf("blamed: -terraform +server:\n%s%v", diff, found)
	}
	if diff := cmp.Diff(excused, rpcs(found, func(f tfcheck.Finding) bool { return f.Excused })); diff != "" {
		t.Errorf("excused: -terraform +server:\n%s%v", diff, found)
	}
}

// tolerated returns the RPCs that Core says it excuses.
func (r report) tolerated() (rpcs []string) {
	for line := range strings.Lines(r.log) {
		for text, rpc := range tolerances {
			if strings.Contains(line, text) && strings.Contains(line, "tolerating it because it is using the legacy plugin SDK") {
				rpcs = union(rpcs, []string{rpc})
			}
		}
	}
	return rpcs
}

func union(a, b []string) []string {
	all := slices.Sorted(slices.Values(slices.Concat(a, b)))
	return slices.Compact(all)
}
