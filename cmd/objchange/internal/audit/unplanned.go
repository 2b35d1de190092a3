package audit

import (
	"cmp"
	"slices"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/rulebook"
)

const actionNone = "not planned"

// absent is the reason why a data source is not judged.
const absent = "is not in the state, as a data source without a use, or of a check, may be"

// unplanned judges the objects that are somewhere in plan or state but in no
// change: data sources that were read while planning, what the plan did not
// target, and what should not be there.
func (a *auditor) unplanned(changed map[key]bool) {
	a.each(a.prior, a.planned.Name, changed, a.fromPrior)
	if a.after != nil {
		a.each(a.state, a.after.Name, changed, a.surprise)
	}
	a.each(a.values, a.planned.Name, changed, func(k key, _ *object) {
		a.addUnplanned(k, a.planned.Name, a.values[k], report.Subject{Findings: []report.Finding{{
			Rule: rulebook.RulePlanContradiction, Message: "is in planned_values, but there is no change of it",
			Phase: objchange.PhasePlan, Enforced: true,
		}}})
	})
}

// each calls for each object that nothing was said of yet, in their order.
func (a *auditor) each(all objects, file string, done map[key]bool, call func(key, *object)) {
	var keys []key
	for k := range all {
		if !done[k] {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, func(x, y key) int { return cmp.Compare(all[x].order, all[y].order) })
	for _, k := range keys {
		schema, err := a.schema(all[k].resource())
		reason := ""
		if err != nil {
			reason = err.Error()
		} else {
			reason = a.versionReasons(k, schema)
		}
		done[k] = true
		if reason != "" {
			a.addUnplanned(k, file, all[k], report.Subject{Status: report.Skipped, Reason: reason})
			continue
		}
		a.judged = true
		call(k, all[k])
	}
}

// addUnplanned adds what came of an object without a change.
func (a *auditor) addUnplanned(k key, file string, o *object, s report.Subject) {
	if s.Status == "" {
		s.Status = report.Judged
	}
	s.Place = report.Place{File: file, Pointer: o.pointer}
	a.add(k, actionNone, s)
}

// fromPrior judges an object of the prior state that is not to change: it must
// be in the state as it was, if there is one.
func (a *auditor) fromPrior(k key, o *object) {
	schema, _ := a.schema(o.resource())
	s := report.Subject{}
	prior, found := o.value(schema.Block, nil)
	s.Findings = phased(objchange.PhaseRead, found)
	if prior == cty.NilVal {
		a.addUnplanned(k, a.planned.Name, o, s)
		return
	}
	s.Findings = append(s.Findings, of(objchange.PhaseRead, objchange.AssertStateValid(schema.Block, prior))...)
	applied := cty.NullVal(schema.Block.ImpliedType())
	switch there := a.state[k]; {
	case a.after == nil:
		a.addUnplanned(k, a.planned.Name, o, s)
		return
	case there == nil && o.Mode == tfjson.DataResourceMode:
		s.Status, s.Reason = report.Skipped, absent
		a.addUnplanned(k, a.planned.Name, o, s)
		return
	case there != nil:
		applied, found = there.value(schema.Block, nil)
		s.Findings = append(s.Findings, phased(objchange.PhaseApply, found)...)
	}
	if applied != cty.NilVal {
		s.Findings = append(s.Findings, of(objchange.PhaseApply,
			objchange.AssertApplyConsistent(schema.Block, prior, applied))...)
	}
	a.addUnplanned(k, a.planned.Name, o, s)
}

// unchanged judges an object of which the change was deferred: whatever is to
// become of it later, this plan leaves it as it was.
func (a *auditor) unchanged(k key, rc *tfjson.ResourceChange) (found []report.Finding) {
	schema, err := a.schema(resource{rc.Mode, rc.ProviderName, rc.Type})
	if err != nil || a.after == nil || rc.Mode != tfjson.ManagedResourceMode || a.versionReasons(k, schema) != "" {
		return nil
	}
	if a.prior[k] == nil && rc.Change != nil && rc.Change.Before != nil {
		return nil // there is one, but the plan has no state of it
	}
	a.judged = true
	prior, wrong := a.prior[k].orNull(schema.Block)
	found = append(found, phased(objchange.PhaseRead, wrong)...)
	applied, wrong := a.state[k].orNull(schema.Block)
	found = append(found, phased(objchange.PhaseApply, wrong)...)
	if prior == cty.NilVal || applied == cty.NilVal {
		return found
	}
	return append(found, of(objchange.PhaseApply, objchange.AssertApplyConsistent(schema.Block, prior, applied))...)
}

// surprise judges an object of the state of which the plan knows nothing.
func (a *auditor) surprise(k key, o *object) {
	schema, _ := a.schema(o.resource())
	applied, found := o.value(schema.Block, nil)
	s := report.Subject{Findings: phased(objchange.PhaseApply, found)}
	if applied != cty.NilVal && o.Mode == tfjson.DataResourceMode {
		s.Findings = of(objchange.PhaseApply, objchange.AssertStateValid(schema.Block, applied))
		s.Status, s.Reason = report.Skipped, "the plan does not have it, so there is nothing to compare it with"
	} else if applied != cty.NilVal {
		nothing := cty.NullVal(schema.Block.ImpliedType())
		s.Findings = of(objchange.PhaseApply, objchange.AssertApplyConsistent(schema.Block, nothing, applied))
	}
	a.addUnplanned(k, a.after.Name, o, s)
}

func phased(phase objchange.Phase, found []report.Finding) []report.Finding {
	for i := range found {
		found[i].Phase = phase
	}
	return found
}
