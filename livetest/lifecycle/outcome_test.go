package lifecycle_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/summaries"
	"github.com/objchange/objchange/livetest/internal/live"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
)

// The parts of a step in which Core can stop.
const (
	atPlan  = "plan"
	atApply = "apply"
	after   = "the next plan" // without changes
)

// The cause of a stop, if it is not a fault in an RPC.
const (
	refusal  = "refused"   // the provider returned an error
	confused = "confusion" // Core cannot process the response
)

// faults maps the summaries of Core's errors about a provider to the RPC.
var faults = map[string]string{
	summaries.InvalidPlan:        live.Plan,
	summaries.InconsistentPlan:   live.Plan,
	summaries.InconsistentResult: live.Apply,
	summaries.InvalidResult:      live.Apply,
	summaries.InvalidObject:      live.Read, // or another RPC: see fault
	summaries.InvalidUpgrade:     live.Upgrade,
	summaries.NullObject:         live.Data,
	summaries.ImportedSeveral:    live.ImportState,
	summaries.ImportedNull:       live.ImportState,
	summaries.ImportedNothing:    confused,
	summaries.InvalidDeferral:    live.Plan, // terraform-plugin-go reports it before Core
	summaries.InvalidEphemeral:   live.Open,
}

// tolerances maps parts of Core's log messages about tolerated faults to the RPC. The messages
// also say that they are tolerated because of the legacy plugin SDK.
var tolerances = map[string]string{
	"produced an invalid plan for":         live.Plan,
	"produced an unexpected new value for": live.Apply,
}

// An outcome is the result of a step, of the command or of a driver.
type outcome struct {
	Action    objchange.Action // the planned action, if Core plans
	Stopped   string           // the part in which Core stops
	Fault     string           // the cause: an RPC, or a cause above
	Tolerated []string         // the RPCs whose faults Core only logs
	Left      bool             // a change is planned again directly after apply
	Object    string           // the stored object
	Tainted   bool
}

// outcomeOf returns the outcome of the step that the driver ran.
func outcomeOf(d *live.DrivenResource, found []tfcheck.Finding, err error) (o outcome) {
	var broken *driver.BrokenError
	var refused *driver.RefusedError
	switch {
	case errors.As(err, &broken):
		o.Fault = broken.Finding.RPC
		o.Stopped = partOf(d, broken.Finding)
	case errors.As(err, &refused):
		o.Fault, o.Stopped = refusal, atPlan
		if refused.RPC == live.Apply {
			o.Stopped = atApply
		} else if settling(d) {
			o.Stopped = after
		}
	case err != nil:
		o.Fault, o.Stopped = confused, atPlan
	}
	switch {
	case o.Stopped == atPlan:
	case d.Run.Action != objchange.ActionNoOp:
		o.Action = d.Run.Action
	case d.Run.Lifecycle.FinalPlanned != cty.NilVal: // at apply, no change was left
		o.Action = objchange.ActionUpdate
	}
	o.Tolerated = rpcs(found, tolerated)
	o.Left = slices.ContainsFunc(found, func(f tfcheck.Finding) bool { return f.Violations[0].Rule == objchange.RulePerpetualDiff })
	o.Object = written(d.Result)
	if d.Instance != nil {
		o.Object, o.Tainted = written(d.Instance.State()), d.Instance.Tainted()
	}
	return o
}

func written(object cty.Value) string {
	if object == cty.NilVal || object.IsNull() {
		return "none"
	}
	return fmt.Sprintf("%#v", object)
}

// partOf returns the part of a step in which the finding was made.
func partOf(d *live.DrivenResource, f tfcheck.Finding) string {
	switch {
	case f.RPC == live.Apply || f.Violations[0].Phase == objchange.PhaseReplan:
		return atApply
	case settling(d):
		return after
	}
	return atPlan
}

// settling reports whether the object has been changed and is planned again.
func settling(d *live.DrivenResource) bool {
	return d.Run.Lifecycle.New != cty.NilVal && d.Run.Lifecycle.FinalPlanned != cty.NilVal
}

// rpcs returns the RPCs of the findings for which of returns true.
func rpcs(found []tfcheck.Finding, of func(tfcheck.Finding) bool) []string {
	names := map[string]bool{}
	for _, f := range found {
		if of(f) {
			names[f.RPC] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// stoppedAtPlan reports whether the command stopped before apply.
func stoppedAtPlan(r live.Report) bool {
	return r.Planning || strings.Contains(r.Log, "Planning encountered errors") ||
		slices.ContainsFunc(r.Messages, unwritable) && !hasType(r, "apply_start")
}

// hasType reports whether a message has the type.
func hasType(r live.Report, typ string) bool {
	return slices.ContainsFunc(r.Messages, func(m live.Message) bool { return m.Type == typ })
}

// unwritable reports whether Terraform could not write a value to the state. The message does not
// contain a provider.
func unwritable(m live.Message) bool {
	return strings.HasPrefix(m.Diagnostic.Summary, summaries.NotEncoded)
}

// fault returns the cause of an error.
func (o *oracle) fault(r live.Report, m live.Message) string {
	switch fault := faults[m.Diagnostic.Summary]; {
	case unwritable(m) && !stoppedAtPlan(r):
		return live.Apply
	case unwritable(m) && hasType(r, "planned_change"):
		return live.Plan
	case unwritable(m):
		return live.Read
	case fault == "":
		return refusal
	case fault == live.Read && !stoppedAtPlan(r):
		return live.Apply
	case fault == live.Read && o.Block == nil:
		return live.Data
	default:
		return fault
	}
}

// actions maps the command's names of actions.
var actions = map[string]objchange.Action{
	"create": objchange.ActionCreate, "update": objchange.ActionUpdate, "replace": objchange.ActionReplace,
	"delete": objchange.ActionDelete, "remove": objchange.ActionDelete,
}

// toleratedIn returns the RPCs whose faults Core tolerates according to its log.
func toleratedIn(r live.Report) (rpcs []string) {
	for line := range strings.Lines(r.Log) {
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

// tolerated reports whether Terraform only logs a violation of the finding.
func tolerated(f tfcheck.Finding) bool {
	checked := func(v *objchange.Violation) bool { return v.Rule.Info().Severity == objchange.Rejected }
	return f.Severity == objchange.Tolerated ||
		f.Severity == objchange.LegacySDK && slices.ContainsFunc(f.Violations, checked)
}
