package audit

import (
	"cmp"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/rulebook"
	"github.com/objchange/objchange/tfcheck"
)

const actionNone = "not planned"

// absent is the reason why a data source is not judged.
const absent = "is not in the state, as a data source without a use, or of a check, may be"

// unplanned returns what judges the objects that are somewhere in plan or state but
// in no change: data sources that were read while planning, what the plan did not
// target, and what should not be there.
func (a *auditor) unplanned() (tasks []task) {
	for _, part := range []struct {
		places []*place
		judge  func(*judging, *auditor, *instance, *objchange.Schema)
	}{{a.prior, (*judging).fromPrior}, {a.state, (*judging).surprise}, {a.values, (*judging).valuesAlone}} {
		for _, p := range part.places {
			if !p.told {
				p.told = true
				tasks = append(tasks, func(j *judging) error { return j.alone(a, p, part.judge) })
			}
		}
	}
	return tasks
}

// alone judges an object that no change tells of, by what is at a place.
func (j *judging) alone(a *auditor, p *place, judge func(*judging, *auditor, *instance, *objchange.Schema)) error {
	o, err := a.load(p.key)
	if err != nil {
		return err
	}
	at := cmp.Or(o.prior, o.state, o.planned)
	schema, reason := a.judgeable(o, at.resource())
	if reason != "" {
		j.addUnplanned(at, report.Subject{Status: report.Skipped, Reason: reason})
		return nil
	}
	j.judged = true
	judge(j, a, o, schema.compiled)
	return nil
}

// addUnplanned adds what came of an object without a change.
func (j *judging) addUnplanned(o *object, s report.Subject) {
	if s.Status == "" {
		s.Status = report.Judged
	}
	j.add(o.place.key, actionNone, o.place, s)
}

// valuesAlone tells of an object in planned values that nothing else tells of.
func (j *judging) valuesAlone(_ *auditor, o *instance, _ *objchange.Schema) {
	j.addUnplanned(o.planned, report.Subject{Findings: []report.Finding{{
		Rule: rulebook.RulePlanContradiction, Message: "is in planned_values, but there is no change of it",
		Phase: objchange.PhasePlan, Severity: tfcheck.Rejected,
	}}})
}

// fromPrior judges an object of the prior state that is not to change: it must
// be in the state as it was, if there is one.
func (j *judging) fromPrior(a *auditor, o *instance, schema *objchange.Schema) {
	s := report.Subject{}
	prior, found := o.prior.value(schema, nil)
	s.Findings = phased(objchange.PhaseRead, found)
	if prior == cty.NilVal {
		j.addUnplanned(o.prior, s)
		return
	}
	s.Findings = append(s.Findings, of(objchange.PhaseRead, objchange.AssertStateValid(schema, prior))...)
	switch {
	case a.after == nil:
	case o.state == nil && o.prior.Mode == tfjson.DataResourceMode:
		s.Status, s.Reason, s.Idle = report.Skipped, absent, true
	default:
		applied, found := o.state.orNull(schema)
		s.Findings = append(s.Findings, phased(objchange.PhaseApply, found)...)
		if applied != cty.NilVal {
			s.Findings = append(s.Findings, of(objchange.PhaseApply, objchange.AssertApplyConsistent(schema, prior, applied))...)
		}
	}
	j.addUnplanned(o.prior, s)
}

// unchanged judges an object of which the change was deferred, and reports whether
// it could: whatever is to become of it later, this plan leaves it as it was.
func (a *auditor) unchanged(o *instance, rc *resourceChange) (found []report.Finding, judged bool) {
	schema, reason := a.judgeable(o, rc.resource())
	if reason != "" || a.after == nil || rc.Mode != tfjson.ManagedResourceMode {
		return nil, false
	}
	if o.prior == nil && rc.Change != nil && len(rc.Change.Before) > 0 && rc.Change.Before.Kind() != 'n' {
		return nil, false // there is one, but the plan has no state of it
	}
	prior, wrong := o.prior.orNull(schema.compiled)
	found = append(found, phased(objchange.PhaseRead, wrong)...)
	applied, wrong := o.state.orNull(schema.compiled)
	found = append(found, phased(objchange.PhaseApply, wrong)...)
	if prior == cty.NilVal || applied == cty.NilVal {
		return found, true
	}
	return append(found, of(objchange.PhaseApply, objchange.AssertApplyConsistent(schema.compiled, prior, applied))...), true
}

// surprise judges an object of the state of which the plan knows nothing.
func (j *judging) surprise(_ *auditor, o *instance, schema *objchange.Schema) {
	applied, found := o.state.value(schema, nil)
	s := report.Subject{Findings: phased(objchange.PhaseApply, found)}
	if applied != cty.NilVal && o.state.Mode == tfjson.DataResourceMode {
		s.Findings = of(objchange.PhaseApply, objchange.AssertStateValid(schema, applied))
		s.Status, s.Reason, s.Idle = report.Skipped, "the plan does not have it, so there is nothing to compare it with", true
	} else if applied != cty.NilVal {
		nothing := cty.NullVal(schema.ImpliedType())
		s.Findings = of(objchange.PhaseApply, objchange.AssertApplyConsistent(schema, nothing, applied))
	}
	j.addUnplanned(o.state, s)
}

func phased(phase objchange.Phase, found []report.Finding) []report.Finding {
	for i := range found {
		found[i].Phase = phase
	}
	return found
}
