package objchange

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/values"
)

// A Lifecycle has all artifacts of one change of one resource instance
// (docs/specification.md#135-a-whole-lifecycle). The zero cty.Value means that an artifact is not
// present, except for Prior, where it means null. A null value means that the resource does not
// exist: with a null Prior it is to be created, and with a null Config it is to be deleted.
type Lifecycle struct {
	Schema *Schema

	// Upgraded is the prior state that UpgradeResourceState or MoveResourceState returned.
	// Imported is the imported state that ImportResourceState returned.
	Upgraded, Imported cty.Value
	// Prior is the refreshed state before the change. It is null, or the zero cty.Value, for a
	// resource to be created.
	Prior cty.Value
	// Config is the configuration at plan, which may contain unknown values, and InitialPlanned
	// is the provider's plan for it. FinalConfig and FinalPlanned are the configuration and the
	// plan at apply. If they are not present, the provider did not plan again.
	Config, InitialPlanned    cty.Value
	FinalConfig, FinalPlanned cty.Value
	// New is the state that ApplyResourceChange returned.
	New cty.Value

	// LegacyTypeSystem means that the provider is built with the legacy SDK. Terraform Core
	// only logs some violations of such a provider.
	LegacyTypeSystem bool
}

// Check runs all checks whose inputs are present and returns their violations, in order of
// phase, then path, then rule. The phases and their checks are:
//
//	config   AssertConfigValid of both configurations, AssertConfigConsistent
//	upgrade  AssertStateValid of Upgraded
//	import   AssertStateValid of Imported
//	read     AssertStateValid of Prior
//	plan     AssertPlanValid of InitialPlanned
//	replan   AssertPlanValid of FinalPlanned, AssertPlanConsistent with InitialPlanned
//	apply    AssertApplyConsistent of New with the last plan, or AssertStateValid
//
// Plans are checked against the configuration from [PrepareComputedBlocks]. AssertPlanValid runs
// only if the configuration is present as well. Unknown values in Imported are Unchecked,
// because Core requires known values only after it reads the imported object. If
// LegacyTypeSystem is set, violations that Core tolerates are Tolerated: see
// [Lifecycle.Tolerates]. A value that is marked in one artifact is hidden in all messages.
func (l Lifecycle) Check() (found Violations) {
	defer rescue(&found)
	c := lifecycleCheck{given: l}
	if r := new(review); !r.admit(l.Schema) {
		return r.violations()
	}
	for _, v := range []cty.Value{
		l.Upgraded, l.Imported, l.Prior, l.Config, l.InitialPlanned, l.FinalConfig, l.FinalPlanned, l.New,
	} {
		if v != cty.NilVal && values.HoldsMarks(v) {
			c.marked = append(c.marked, v)
		}
	}
	c.configs()
	c.state(PhaseUpgrade, l.Upgraded)
	c.state(PhaseImport, l.Imported)
	c.state(PhaseRead, l.Prior)
	c.plans()
	c.apply()
	return c.found.sorted()
}

type lifecycleCheck struct {
	given  Lifecycle
	marked []cty.Value // artifacts that contain marks, which are hidden in all artifacts
	found  placedViolations
}

// add records the violations of a review in the phase.
func (c *lifecycleCheck) add(phase Phase, r review) {
	found := r.findings(c.marked)
	for _, f := range found {
		f.violation.Phase = phase
		if c.given.LegacyTypeSystem && c.given.Tolerates(f.violation) {
			f.violation.Severity = Tolerated
		}
		if phase == PhaseImport && f.violation.Rule == RuleStateUnknown {
			f.violation.Severity = Unchecked // Core checks this only in the state that it reads afterwards
		}
	}
	c.found = append(c.found, found...)
}

// allGiven reports whether all artifacts are present.
func allGiven(vs ...cty.Value) bool { return !slices.Contains(vs, cty.NilVal) }

func (c *lifecycleCheck) state(phase Phase, state cty.Value) {
	if allGiven(state) {
		c.add(phase, reviewState(c.given.Schema, state))
	}
}

func (c *lifecycleCheck) configs() {
	for _, config := range []cty.Value{c.given.Config, c.given.FinalConfig} {
		if allGiven(config) {
			c.add(PhaseConfig, reviewConfig(c.given.Schema, config))
		}
	}
	if allGiven(c.given.Config, c.given.FinalConfig) {
		c.add(PhaseConfig, reviewConfigs(c.given.Schema, c.given.Config, c.given.FinalConfig))
	}
}

func (c *lifecycleCheck) plans() {
	c.plan(PhasePlan, c.given.Config, c.given.InitialPlanned)
	c.plan(PhaseReplan, c.lastConfig(), c.given.FinalPlanned)
	if allGiven(c.given.InitialPlanned, c.given.FinalPlanned) {
		c.add(PhaseReplan, reviewReplan(c.given.Schema, c.given.InitialPlanned, c.given.FinalPlanned))
	}
}

// lastConfig returns the configuration at apply. If FinalConfig is not present, it is Config,
// provided that Config is wholly known.
func (c *lifecycleCheck) lastConfig() cty.Value {
	if !allGiven(c.given.FinalConfig) && allGiven(c.given.Config) && c.given.Config.IsWhollyKnown() {
		return c.given.Config
	}
	return c.given.FinalConfig
}

func (c *lifecycleCheck) plan(phase Phase, config, planned cty.Value) {
	if !allGiven(config, planned) {
		return
	}
	prepared, err := PrepareComputedBlocks(c.given.Schema, config)
	if err != nil {
		prepared = config // does not conform, which the review reports
	}
	c.add(phase, reviewPlan(c.given.Schema, c.given.Prior, prepared, planned))
}

func (c *lifecycleCheck) apply() {
	last := c.given.FinalPlanned
	if !allGiven(last) {
		last = c.given.InitialPlanned
	}
	if !allGiven(last, c.given.New) {
		c.state(PhaseApply, c.given.New)
		return
	}
	r := reviewApply(c.given.Schema, last, c.given.New)
	if c.madeNothing(last) {
		r.faults = append(r.faults, fault{rule: RuleInconsistentPresence, was: last, now: c.given.New})
	}
	c.add(PhaseApply, r)
}

// Tolerates reports whether Terraform Core only logs a violation that it rejects otherwise, if
// the provider declares that it is built with the legacy SDK. This depends on the rule and the
// phase: see [RuleInfo].Tolerated. Tolerates returns false if the phase is empty.
//
// For a violation of the whole object, the result also depends on the action: whether a
// configuration is null or, if no configuration is present, whether a plan is null. To delete an
// object, Core does not tolerate a plan or a new state that is not null. To create or update an
// object, Core does not tolerate a new state that is null.
func (l Lifecycle) Tolerates(v *Violation) bool {
	if v == nil || v.Severity != Rejected || !slices.Contains(ruleInfo[v.Rule].Tolerated, v.Phase) {
		return false
	}
	if len(v.Path) > 0 {
		return true
	}
	switch v.Rule {
	case RulePlanPresent: // the object is to be deleted
		return false
	case RulePlanUnknownBlock:
		return !l.deletes()
	case RuleInconsistentPresence:
		return v.gone == l.deletes()
	}
	return true
}

// deletes reports whether the object is to be deleted.
func (l Lifecycle) deletes() bool {
	isNull := func(v cty.Value) bool { return allGiven(v) && v.IsNull() }
	if allGiven(l.Config) || allGiven(l.FinalConfig) {
		return isNull(l.Config) || isNull(l.FinalConfig)
	}
	return isNull(l.InitialPlanned) || isNull(l.FinalPlanned)
}

// madeNothing reports whether the object is absent after an apply that was not a delete, and
// the plan was null as well. Core tolerates such a plan from the legacy SDK, but not such a new
// state.
func (c *lifecycleCheck) madeNothing(last cty.Value) bool {
	configured := allGiven(c.given.Config) || allGiven(c.given.FinalConfig)
	return configured && !c.given.deletes() && last.IsNull() && c.given.New.IsNull()
}
