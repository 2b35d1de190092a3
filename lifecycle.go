package objchange

import (
	"cmp"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
)

// A Lifecycle is all artifacts of one run with one resource instance together
// (docs/semantics.md#a-whole-run). The zero cty.Value says that an artifact is
// not there, except for Prior, where it is null. A null value says that the resource
// is not there: a null Prior is a resource to be created, a null Config one to be
// deleted.
type Lifecycle struct {
	Schema *Schema

	// Upgraded is the prior state as UpgradeResourceState or MoveResourceState returned it,
	// Imported the imported state of ImportResourceState.
	Upgraded, Imported cty.Value
	// Prior is the refreshed state that the change starts from: null, or the zero
	// cty.Value, for a resource to be created.
	Prior cty.Value
	// Config and InitialPlanned are the configuration and the provider's answer
	// to it when the plan was made, when some of it may be unknown; FinalConfig
	// and FinalPlanned the same at apply. Without the final ones, nothing was
	// planned again.
	Config, InitialPlanned    cty.Value
	FinalConfig, FinalPlanned cty.Value
	// New is the state that ApplyResourceChange returned.
	New cty.Value

	// LegacyTypeSystem says that the provider is built with the legacy SDK, some
	// of whose broken promises Terraform Core only logs.
	LegacyTypeSystem bool
}

// Check runs every check whose inputs are there and returns what they found,
// phase by phase in the order of the lifecycle, and by path then rule within
// each. The phases and their checks:
//
//	config   AssertConfigValid of both configurations, AssertConfigConsistent
//	upgrade  AssertStateValid of Upgraded
//	import   AssertStateValid of Imported
//	read     AssertStateValid of Prior
//	plan     AssertPlanValid of InitialPlanned
//	replan   AssertPlanValid of FinalPlanned, AssertPlanConsistent with InitialPlanned
//	apply    AssertApplyConsistent of New with the last plan, or AssertStateValid
//
// Plans are held against the configuration with computed blocks prepared.
// Unknown values of Imported are not enforced: reading it must make them known.
// With LegacyTypeSystem set, what Core tolerates (Violation.Tolerated) is
// not enforced. What is not there is not checked: a plan needs a configuration
// beside it. What any of the artifacts marks is hidden in all
// messages.
func (l Lifecycle) Check() (found Violations) {
	defer rescue(&found)
	c := lifecycleCheck{Lifecycle: l}
	if r := new(review); !r.admit(l.Schema) {
		return r.violations()
	}
	for _, v := range []cty.Value{l.Upgraded, l.Imported, l.Prior, l.Config, l.InitialPlanned, l.FinalConfig, l.FinalPlanned, l.New} {
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
	return c.sorted()
}

type lifecycleCheck struct {
	Lifecycle
	marked []cty.Value // what one artifact marks is hidden in all
	found  findings
}

// sorted returns what was found by phase, path and rule. The steps know the order of set
// elements, which the path of a violation does not.
func (c *lifecycleCheck) sorted() (vs Violations) {
	slices.SortStableFunc(c.found, func(a, b finding) int {
		return cmp.Or(
			cmp.Compare(slices.Index(phases, a.violation.Phase), slices.Index(phases, b.violation.Phase)),
			paths.Compare(a.steps, b.steps),
			strings.Compare(string(a.violation.Rule), string(b.violation.Rule)))
	})
	for i, f := range c.found {
		if i > 0 && f.same(c.found[i-1]) && f.violation.Phase == c.found[i-1].violation.Phase {
			continue // two checks of one phase found it
		}
		vs = append(vs, f.violation)
	}
	return vs
}

// add records what the review of a phase found.
func (c *lifecycleCheck) add(phase Phase, r review) {
	found := r.findings(c.marked)
	for _, f := range found {
		f.violation.Phase = phase
		if c.LegacyTypeSystem && f.violation.Tolerated(c.Deletes()) {
			f.violation.Enforced = false
		}
		if phase == PhaseImport && f.violation.Rule == RuleStateUnknown {
			f.violation.Enforced = false // Core only checks what it reads of it
		}
	}
	c.found = append(c.found, found...)
}

// given reports whether all artifacts are present.
func given(vs ...cty.Value) bool { return !slices.Contains(vs, cty.NilVal) }

func (c *lifecycleCheck) state(phase Phase, state cty.Value) {
	if given(state) {
		c.add(phase, reviewState(c.Schema, state))
	}
}

func (c *lifecycleCheck) configs() {
	for _, config := range []cty.Value{c.Config, c.FinalConfig} {
		if given(config) {
			c.add(PhaseConfig, reviewConfig(c.Schema, config))
		}
	}
	if given(c.Config, c.FinalConfig) {
		c.add(PhaseConfig, reviewConfigs(c.Schema, c.Config, c.FinalConfig))
	}
}

func (c *lifecycleCheck) plans() {
	c.plan(PhasePlan, c.Config, c.InitialPlanned)
	c.plan(PhaseReplan, c.lastConfig(), c.FinalPlanned)
	if given(c.InitialPlanned, c.FinalPlanned) {
		c.add(PhaseReplan, reviewReplan(c.Schema, c.InitialPlanned, c.FinalPlanned))
	}
}

// lastConfig returns the configuration at apply. If only the first one is given, it is that
// one, provided that it is wholly known.
func (c *lifecycleCheck) lastConfig() cty.Value {
	if !given(c.FinalConfig) && given(c.Config) && c.Config.IsWhollyKnown() {
		return c.Config
	}
	return c.FinalConfig
}

func (c *lifecycleCheck) plan(phase Phase, config, planned cty.Value) {
	if !given(config, planned) {
		return
	}
	prepared, err := PrepareComputedBlocks(c.Schema, config)
	if err != nil {
		prepared = config // of a wrong type, which the review reports
	}
	c.add(phase, reviewPlan(c.Schema, c.Prior, prepared, planned))
}

func (c *lifecycleCheck) apply() {
	last := c.FinalPlanned
	if !given(last) {
		last = c.InitialPlanned
	}
	if !given(last, c.New) {
		c.state(PhaseApply, c.New)
		return
	}
	r := reviewApply(c.Schema, last, c.New)
	if c.madeNothing(last) {
		r.faults = append(r.faults, fault{rule: RuleInconsistentPresence, was: last, now: c.New})
	}
	c.add(PhaseApply, r)
}

// Deletes reports whether the object is to be deleted: whether a configuration is null
// or, if there is none, a plan.
func (l Lifecycle) Deletes() bool {
	isNull := func(v cty.Value) bool { return given(v) && v.IsNull() }
	if given(l.Config) || given(l.FinalConfig) {
		return isNull(l.Config) || isNull(l.FinalConfig)
	}
	return isNull(l.InitialPlanned) || isNull(l.FinalPlanned)
}

// madeNothing reports whether nothing is present after an apply that was no delete, though
// the plan was null, too: Core tolerates the one of the legacy SDK, and not the other.
func (c *lifecycleCheck) madeNothing(last cty.Value) bool {
	configured := given(c.Config) || given(c.FinalConfig)
	return configured && !c.Deletes() && last.IsNull() && c.New.IsNull()
}
