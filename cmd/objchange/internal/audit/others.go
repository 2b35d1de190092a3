package audit

import (
	"cmp"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/jsonpos"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/rulebook"
)

// absent is the reason why a data source is not checked.
const absent = "is not in the state, as a data source without a use, or of a check, may be"

// otherTasks check the objects that are somewhere in plan or state but in no change: data
// sources that were read while planning, what the plan did not target, and what should
// not be there.
func (a *auditor) otherTasks() (tasks []task) {
	for _, part := range []part{prior, applied, planned} {
		for _, p := range a.lists[part] {
			if !p.told {
				p.told = true
				tasks = append(tasks, a.task(p, func(j *judging, o *object) error { j.other(a, o, part); return nil }))
			}
		}
	}
	return tasks
}

// other checks an object without a change, by what is in one part.
func (j *judging) other(a *auditor, o *object, part part) {
	r := cmp.Or(o.values[prior], o.values[applied], o.values[planned])
	s := report.Subject{}
	schema, err := a.schemaOf(o, r.Mode, r.ProviderName, r.Type)
	switch {
	case err != nil:
		s.Status, s.Reason = report.Skipped, err.Error()
	case part == prior:
		s = a.unplanned(o, schema, r.Mode)
	case part == applied:
		s = surprise(o, schema, r.Mode)
	default:
		s.Findings = []report.Finding{contradiction(rulebook.RulePlanContradiction, "", "is in planned_values, but there is no change of it")}
	}
	j.judged = j.judged || err == nil
	j.add(r.at, "not planned", r.ProviderName, s)
}

// unplanned checks an object of the prior state that is not to change: it must
// be in the state as it was, if there is one.
func (a *auditor) unplanned(o *object, schema *objchange.Schema, mode tfjson.ResourceMode) (s report.Subject) {
	before, found := o.value(prior, schema, nil)
	s.Findings = phased(objchange.PhaseRead, found)
	if before == cty.NilVal {
		return s
	}
	s.Findings = of(objchange.PhaseRead, objchange.AssertStateValid(schema, before))
	switch {
	case !a.applied:
	case o.values[applied] == nil && mode == tfjson.DataResourceMode:
		s.Status, s.Reason, s.Idle = report.Skipped, absent, true
	default:
		s.Findings = append(s.Findings, o.unchanged(schema, before)...)
	}
	return s
}

// unchanged checks the state of an object that is not to change.
func (o *object) unchanged(schema *objchange.Schema, before cty.Value) []report.Finding {
	state, found := o.value(applied, schema, nil)
	if state == cty.NilVal {
		return phased(objchange.PhaseApply, found)
	}
	return unchecked(o.inState(schema, objchange.AssertApplyConsistent(schema, before, state)))
}

// surprise checks an object of the state of which the plan knows nothing.
func surprise(o *object, schema *objchange.Schema, mode tfjson.ResourceMode) (s report.Subject) {
	state, found := o.value(applied, schema, nil)
	switch {
	case state == cty.NilVal:
		s.Findings = phased(objchange.PhaseApply, found)
	case mode == tfjson.DataResourceMode:
		s.Findings = o.inState(schema, objchange.AssertStateValid(schema, state))
		s.Status, s.Reason, s.Idle = report.Skipped, "the plan does not have it, so there is nothing to compare it with", true
	default:
		s.Findings = o.unchanged(schema, cty.NullVal(schema.ImpliedType()))
	}
	return s
}

// deferral checks an object of which the change was deferred: whatever is to become of
// it later, this plan leaves it as it was.
func (j *judging) deferral(a *auditor, o *object, p *place) error {
	d, err := load[deferredChange](p)
	if err == nil && d.ResourceChange == nil {
		err = p.wrong("has no resource_change")
	}
	if err != nil {
		return err
	}
	s := report.Subject{Status: report.Skipped, Reason: "deferred by the plan: " + d.Reason, Idle: true}
	rc := d.ResourceChange
	schema, err := a.schemaOf(o, rc.Mode, rc.ProviderName, rc.Type)
	inPlanOnly := o.values[prior] == nil && rc.Change != nil && jsonpos.Data(rc.Change.Before) != nil // the plan has no state of it
	if err == nil && a.applied && rc.Mode == tfjson.ManagedResourceMode && !inPlanOnly {
		j.judged = true
		before, found := o.value(prior, schema, nil)
		s.Findings = phased(objchange.PhaseRead, found)
		if before != cty.NilVal {
			s.Findings = o.unchanged(schema, before)
		}
	}
	j.deferred++
	j.add(p, "deferred", rc.ProviderName, s)
	return nil
}
