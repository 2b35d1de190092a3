package driver

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/tfcheck/internal/values"
)

// A changeRun holds the settings and configurations of a change.
type changeRun struct {
	*operation
	initially      any           // the configuration at plan
	initial, final cty.Value     // the configurations at plan and at apply
	force          bool          // replace the object even if the provider does not require it
	unread         bool          // see WithoutRefresh
	once           bool          // only plan, so the configuration may contain unknown values
	ignored        ignoreOptions // the changes that the user ignores
}

// change plans and applies the configuration.
func (r *operation) change(config any, opts []RunOption, force bool) error {
	c, first, err := r.approve(&changeRun{force: force}, config, opts)
	if err != nil || first == nil || r.run.Action == objchange.ActionNoOp {
		return err
	}
	if err := r.reload(); err != nil { // apply starts from the saved state
		return err
	}
	if r.run.Action != objchange.ActionReplace {
		first.prior = r.state
	} else if err := c.destroyReplaced(first); err != nil {
		return err
	}
	final, err := c.planAgain(first)
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
	return c.checkSettled()
}

// approve makes the plan that a user would approve. It returns neither a plan nor an error if the
// provider defers.
func (r *operation) approve(c *changeRun, config any, opts []RunOption) (*changeRun, *plannedChange, error) {
	c.operation, c.initially = r, config
	for _, opt := range opts {
		if opt != nil {
			opt(c)
		}
	}
	if err := c.configure(config); err != nil {
		return nil, nil, err
	}
	r.config, r.ignored = c.final, c.ignored
	load := r.refresh
	if c.unread {
		load = r.reload
	}
	if err := load(); err != nil || r.run.Deferred != "" {
		return nil, nil, err
	}
	first, err := c.first()
	return c, first, err
}

// configure builds the two configurations. If they are invalid, the caller is at fault, not the
// provider.
func (c *changeRun) configure(config any) (err error) {
	if c.final, err = configOf(c.schema, "configuration", config); err != nil {
		return err
	}
	if err = c.ignored.check(c.schema); err != nil {
		return err
	}
	if c.initial, err = configOf(c.schema, "initial configuration", c.initially); err != nil {
		return err
	}
	c.run.Lifecycle.Config, c.run.Lifecycle.FinalConfig = c.initial, c.final
	found := objchange.AssertConfigConsistent(c.schema.Compiled, c.initial, c.final)
	if c.once {
		found = values.Without(found, objchange.RuleConfigUnknown)
	}
	if err := found.Err(); err != nil {
		return fmt.Errorf("the configuration at apply is inconsistent with the configuration at plan: %w%s", err, c.unknowns(found))
	}
	return nil
}

// unknowns returns advice about values that are unknown at apply, or "" if all values are known.
func (c *changeRun) unknowns(found objchange.Violations) (advice string) {
	var computed []string
	for _, v := range found {
		if v.Rule != objchange.RuleConfigUnknown {
			continue
		}
		advice = "\nonly the configuration at plan may contain unknown values: see Initially"
		if a := c.schema.Compiled.Block().AttributeByPath(v.Path); a != nil && a.Computed {
			computed = append(computed, v.PathString())
		}
	}
	if len(computed) > 0 {
		advice += fmt.Sprintf("; to let the provider choose the value of a computed attribute, leave it null: %s", strings.Join(computed, ", "))
	}
	return advice
}

// first makes the plan that a user would approve. For a replacement, it returns the plan that
// creates the new object.
func (c *changeRun) first() (*plannedChange, error) {
	if err := c.validate(c.initial); err != nil {
		return nil, err
	}
	first, anew, err := c.plans(c.initial, c.force)
	if first != nil {
		c.run.RequiresReplace = first.replace
	}
	p := first
	if anew != nil {
		p = anew
	}
	if err != nil || p == nil {
		return nil, err
	}
	c.run.Action = p.action()
	if p == anew {
		c.run.Action = objchange.ActionReplace
	}
	c.run.Lifecycle.Prior, c.run.Lifecycle.InitialPlanned = p.prior, p.planned
	return p, nil
}

// plans makes the plan for a configuration. For a replacement, it also makes the plan that
// creates the new object, with the private data and identity of the first plan. For a tainted
// object it makes only the plan that creates the new object. It returns neither a plan nor an
// error if the provider defers.
func (r *operation) plans(config cty.Value, force bool) (first, anew *plannedChange, err error) {
	if r.tainted && !r.state.IsNull() {
		anew, err = r.plan(r.null(), config, nil, nil)
		return nil, anew, err
	}
	first, err = r.plan(r.state, config, r.private, r.identity)
	if err != nil || first == nil || r.state.IsNull() || !force && len(first.replace) == 0 {
		return first, nil, err
	}
	if anew, err = r.plan(r.null(), config, first.private, first.identity); anew == nil {
		return nil, nil, err
	}
	return first, anew, err
}

// destroyReplaced destroys the object to be replaced. The request has the private data that was
// planned for the new object, and no identity.
func (c *changeRun) destroyReplaced(first *plannedChange) error {
	kept := c.run.Lifecycle
	if err := c.destroy(first.private, nil); err != nil {
		c.run.Action = objchange.ActionReplace
		return err
	}
	kept.LegacyTypeSystem = c.run.Lifecycle.LegacyTypeSystem
	c.run.Action, c.run.Lifecycle = objchange.ActionReplace, kept
	return nil
}

// planAgain plans with the configuration at apply, and compares the two plans.
func (c *changeRun) planAgain(first *plannedChange) (*plannedChange, error) {
	if err := c.validate(c.final); err != nil {
		return nil, err
	}
	c.phases = map[objchange.Phase]objchange.Phase{objchange.PhasePlan: objchange.PhaseReplan}
	defer func() { c.phases = nil }()
	final, err := c.plan(first.prior, c.final, c.private, c.identity)
	if err != nil {
		return nil, err
	}
	if final == nil {
		c.find("PlanResourceChange", objchange.Violations{{Rule: objchange.RuleDeferral, Severity: objchange.Rejected, Phase: objchange.PhaseReplan,
			Message: "the plan is deferred at apply, but was not deferred at plan"}})
		return nil, c.stopError()
	}
	c.run.Lifecycle.FinalPlanned = final.planned
	found := values.ActionChange(objchange.RuleActionChanged, first.action(), final.action())
	compared := final
	if final.action() == objchange.ActionReplace { // plan the new object, to compare it with the first plan
		compared, err = c.plan(c.null(), c.final, final.private, final.identity)
	}
	if err == nil && compared != nil {
		found = append(found, objchange.AssertPlanConsistent(c.schema.Compiled, first.planned, compared.planned)...)
	}
	c.find("PlanResourceChange", inPhase(objchange.PhaseReplan, found))
	return final, errors.Join(err, c.stopError())
}

// checkSettled does Core's next plan, in which nothing has changed: it reads the object, and no
// change may be left. It discards the results.
func (c *changeRun) checkSettled() error {
	run, deferred, instance := c.run.Lifecycle, c.run.Deferred, *c.Instance
	c.phases = map[objchange.Phase]objchange.Phase{objchange.PhaseRead: objchange.PhaseReread, objchange.PhasePlan: objchange.PhaseNext}
	defer func() { c.run.Lifecycle, c.run.Deferred, *c.Instance, c.phases = run, deferred, instance, nil }()

	if err := c.refresh(); err != nil || c.run.Deferred != "" {
		return err
	}
	if c.state.IsNull() {
		c.find("ReadResource", objchange.Violations{{Rule: objchange.RulePerpetualDiff, Severity: objchange.Rejected, Phase: objchange.PhaseReread,
			Message: "the read right after apply returned no object"}})
	}
	gone := c.state.IsNull()
	p, _, err := c.plans(c.final, false)
	if err != nil || gone || p == nil || p.action() == objchange.ActionNoOp {
		return err
	}
	applied := instance.state
	if c.schema.Legacy { // Core normalizes read values
		if applied, err = objchange.NormalizeLegacySDK(c.schema.Compiled, applied); err != nil {
			return err
		}
	}
	read, err := objchange.Diff(c.schema.Compiled, applied, p.prior)
	if err != nil {
		return err
	}
	planned, err := objchange.Diff(c.schema.Compiled, p.prior, p.planned)
	if err != nil {
		return err
	}
	c.reportUnsettled(read, planned)
	return nil
}

// reportUnsettled reports the changes that are left. If a read value differs from the applied
// value, the finding is about the read, not about the plan that reverts it.
func (c *changeRun) reportUnsettled(read, planned []objchange.Change) {
	undone := slices.DeleteFunc(slices.Clone(read), func(drift objchange.Change) bool { return !touches(drift, planned) })
	c.find("ReadResource", inPhase(objchange.PhaseReread, values.Differences(undone, objchange.RulePerpetualDiff, objchange.Rejected, func(change objchange.Change) string {
		return "the read right after apply differs from the applied object: " + change.String()
	})))
	left := slices.DeleteFunc(slices.Clone(planned), func(change objchange.Change) bool { return touches(change, read) })
	found := values.Differences(left, objchange.RulePerpetualDiff, objchange.Rejected, func(change objchange.Change) string {
		return "the plan right after apply is not empty: " + change.String()
	})
	if len(planned) == 0 { // only write-only attributes can require a replacement without a change
		found = objchange.Violations{{Rule: objchange.RulePerpetualDiff, Severity: objchange.Rejected, Message: "the plan right after apply replaces the object"}}
	}
	c.find("PlanResourceChange", inPhase(objchange.PhaseNext, found))
}

// touches reports whether the change is at the same path as one of the others, or above or below
// it.
func touches(change objchange.Change, others []objchange.Change) bool {
	return slices.ContainsFunc(others, func(other objchange.Change) bool {
		a, b := change.PathString(), other.PathString()
		return paths.Within(a, b) || paths.Within(b, a)
	})
}

func inPhase(phase objchange.Phase, found objchange.Violations) objchange.Violations {
	for _, v := range found {
		v.Phase = phase
	}
	return found
}
