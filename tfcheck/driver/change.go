package driver

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/tfcheck/internal/values"
)

// change plans and applies the configuration.
func (r *operation) change(config any, o runOptions, opts []RunOption) error {
	first, err := r.approve(config, o, opts)
	if err != nil || r.run.Action == objchange.ActionNoOp {
		return err
	}
	if err := r.reload(); err != nil { // apply starts from the saved state
		return err
	}
	if r.run.Action != objchange.ActionReplace {
		first.prior = r.object.state
	} else if err := r.destroyReplaced(first); err != nil {
		return err
	}
	final, err := r.planAgain(first)
	if err != nil {
		return err
	}
	if final.action() == objchange.ActionNoOp {
		r.run.Action = objchange.ActionNoOp
		return nil
	}
	if err := r.apply(final); err != nil {
		return err
	}
	return r.checkSettled(final.config)
}

// approve makes the plan that a user would approve. For a replacement, it returns the plan that
// creates the new object.
func (r *operation) approve(config any, o runOptions, opts []RunOption) (*plannedChange, error) {
	o.initially = config
	set(&o, opts)
	if err := r.configure(config, o); err != nil {
		return nil, err
	}
	load := r.refresh
	if o.unread {
		load = r.reload
	}
	if err := load(); err != nil {
		return nil, err
	}
	if err := r.validate(r.run.Lifecycle.Config); err != nil {
		return nil, err
	}
	first, anew, err := r.plans(r.run.Lifecycle.Config, o.force)
	if first != nil {
		r.run.RequiresReplace = first.replace
	}
	if err != nil {
		return nil, err
	}
	p := cmp.Or(anew, first)
	r.run.Action = p.action()
	if anew != nil {
		r.run.Action = objchange.ActionReplace
	}
	r.run.Lifecycle.Prior, r.run.Lifecycle.InitialPlanned = p.prior, p.planned.state
	return p, nil
}

// configure builds the configurations at plan and at apply. If they are invalid, the caller is at
// fault, not the provider.
func (r *operation) configure(config any, o runOptions) error {
	final, err := configOf(r.schema, "configuration", config)
	if err != nil {
		return err
	}
	if err := o.ignored.check(r.schema); err != nil {
		return err
	}
	initial, err := configOf(r.schema, "initial configuration", o.initially)
	if err != nil {
		return err
	}
	r.run.Lifecycle.Config, r.run.Lifecycle.FinalConfig = initial, final
	found := objchange.AssertConfigConsistent(r.schema.Compiled, initial, final)
	if o.once {
		found = values.Without(found, objchange.RuleConfigUnknown)
	}
	if err := found.Err(); err != nil {
		advice := ""
		if len(values.Only(found, objchange.RuleConfigUnknown)) > 0 {
			advice = "\nonly the configuration at plan may contain unknown values: see Initially"
		}
		return fmt.Errorf("the configuration at apply is inconsistent with the configuration at plan: %w%s", err, advice)
	}
	r.instance.config, r.instance.ignored = final, o.ignored
	return nil
}

// plans makes the plan for a configuration. For a replacement, it also makes the plan that creates
// the new object, with the private data and identity of the first plan. For a tainted object it
// makes only the plan that creates the new object.
func (r *operation) plans(config cty.Value, force bool) (first, anew *plannedChange, err error) {
	if r.object.tainted && !r.object.state.IsNull() {
		anew, err = r.plan(object{state: r.null()}, config)
		return nil, anew, err
	}
	first, err = r.plan(*r.object, config)
	if err == nil && !r.object.state.IsNull() && (force || len(first.replace) > 0) {
		anew, err = r.planNew(first)
	}
	return first, anew, err
}

// planNew plans the object that replaces the object of the first plan.
func (r *operation) planNew(first *plannedChange) (*plannedChange, error) {
	prior := first.planned
	prior.state = r.null()
	return r.plan(prior, first.config)
}

// destroyReplaced destroys the object to be replaced. The request has the private data that was
// planned for the new object, and no identity.
func (r *operation) destroyReplaced(first *plannedChange) error {
	kept := r.run.Lifecycle
	err := r.destroy(first.planned.private, nil)
	r.run.Action = objchange.ActionReplace
	if err == nil {
		kept.LegacyTypeSystem = r.run.Lifecycle.LegacyTypeSystem
		r.run.Lifecycle = kept
	}
	return err
}

// planAgain plans with the configuration at apply, and compares the two plans.
func (r *operation) planAgain(first *plannedChange) (*plannedChange, error) {
	config := r.run.Lifecycle.FinalConfig
	if err := r.validate(config); err != nil {
		return nil, err
	}
	r.phases = map[objchange.Phase]objchange.Phase{objchange.PhasePlan: objchange.PhaseReplan}
	defer func() { r.phases = nil }()
	prior := *r.object
	prior.state = first.prior
	final, err := r.plan(prior, config)
	if err == errDeferred {
		r.find("PlanResourceChange", objchange.PhaseReplan, objchange.Violations{{
			Rule: objchange.RuleDeferral, Severity: objchange.Rejected,
			Message: "the plan is deferred at apply, but was not deferred at plan",
		}})
		return nil, r.stopError()
	}
	if err != nil {
		return nil, err
	}
	r.run.Lifecycle.FinalPlanned = final.planned.state
	found := values.ActionChange(objchange.RuleActionChanged, first.action(), final.action())
	compared := final
	if final.action() == objchange.ActionReplace { // plan the new object, to compare it with the first plan
		compared, err = r.planNew(final)
	}
	if err == nil {
		consistent := objchange.AssertPlanConsistent(r.schema.Compiled, first.planned.state, compared.planned.state)
		found = append(found, consistent...)
	}
	r.find("PlanResourceChange", objchange.PhaseReplan, found)
	if err == errDeferred { // the action has changed, which is an error
		err = nil
	}
	return final, errors.Join(err, r.stopError())
}

// checkSettled does Core's next plan, in which nothing has changed: it reads the object, and no
// change may be left. It discards the results.
func (r *operation) checkSettled(config cty.Value) error {
	run, deferred, applied := r.run.Lifecycle, r.run.Deferred, *r.object
	r.phases = map[objchange.Phase]objchange.Phase{
		objchange.PhaseRead: objchange.PhaseReread, objchange.PhasePlan: objchange.PhaseNext,
	}
	defer func() { r.run.Lifecycle, r.run.Deferred, *r.object, r.phases = run, deferred, applied, nil }()

	if err := r.refresh(); err != nil {
		return err
	}
	gone := r.object.state.IsNull()
	if gone {
		r.find("ReadResource", objchange.PhaseReread, perpetual("the read right after apply returned no object"))
	}
	p, _, err := r.plans(config, false)
	if err != nil || gone || p.action() == objchange.ActionNoOp {
		return err
	}
	before := applied.state
	if r.schema.Legacy { // Core normalizes read values
		if before, err = objchange.NormalizeLegacySDK(r.schema.Compiled, before); err != nil {
			return err
		}
	}
	read, err := objchange.Diff(r.schema.Compiled, before, p.prior)
	if err != nil {
		return err
	}
	planned, err := objchange.Diff(r.schema.Compiled, p.prior, p.planned.state)
	if err != nil {
		return err
	}
	r.reportUnsettled(read, planned)
	return nil
}

// perpetual returns a violation for an object that is not settled as a whole.
func perpetual(message string) objchange.Violations {
	return objchange.Violations{{Rule: objchange.RulePerpetualDiff, Severity: objchange.Rejected, Message: message}}
}

// reportUnsettled reports the changes that are left. If a read value differs from the applied
// value, the finding is about the read, not about the plan that reverts it.
func (r *operation) reportUnsettled(read, planned []objchange.Change) {
	differences := func(changes, other []objchange.Change, reverted bool, text string) objchange.Violations {
		changes = slices.DeleteFunc(slices.Clone(changes), func(c objchange.Change) bool {
			return touches(c, other) != reverted
		})
		return values.Differences(changes, objchange.RulePerpetualDiff, objchange.Rejected,
			func(c objchange.Change) string { return text + c.String() })
	}
	r.find("ReadResource", objchange.PhaseReread,
		differences(read, planned, true, "the read right after apply differs from the applied object: "))
	found := differences(planned, read, false, "the plan right after apply is not empty: ")
	if len(planned) == 0 { // only write-only attributes can require a replacement without a change
		found = perpetual("the plan right after apply replaces the object")
	}
	r.find("PlanResourceChange", objchange.PhaseNext, found)
}

// touches reports whether the change is at the same path as one of the others, or above or below
// it.
func touches(change objchange.Change, others []objchange.Change) bool {
	return slices.ContainsFunc(others, func(other objchange.Change) bool {
		return paths.Overlap(change.Shown, other.Shown)
	})
}
