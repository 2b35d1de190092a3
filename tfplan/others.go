package tfplan

import (
	"cmp"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
)

// absent is the reason for a data source that is not checked.
const absent = "is not in the state, which is normal for an unused data source or a data source of a check"

// otherTasks returns tasks for the objects that are in the plan or the state but in no change: data
// sources that were read during planning, objects that were not targeted, and unexpected objects.
func (chk *checker) otherTasks() (tasks []task) {
	for _, part := range []part{prior, applied, planned} {
		for _, p := range chk.lists[part] {
			if !p.reported {
				p.reported = true
				tasks = append(tasks, onObject(p, func(o *object) (result, error) { return chk.other(o, part), nil }))
			}
		}
	}
	return tasks
}

// other checks an object without a change, according to the part in which it was found.
func (chk *checker) other(o *object, part part) result {
	r := cmp.Or(o.values[prior], o.values[applied], o.values[planned])
	var found Resource
	schema, err := chk.schemaOf(o, r.Mode, r.ProviderName, r.Type)
	switch {
	case err != nil:
		found.Status, found.Reason = Skipped, err.Error()
	case part == prior:
		found = chk.unplanned(o, schema, r.Mode)
	case part == applied:
		found = surprise(o, schema, r.Mode)
	default:
		found.Findings = []Finding{contradiction(objchange.RulePlanContradiction, "", "is in planned_values, but not in resource_changes")}
	}
	return result{resource: found.at(r.at, ActionNotPlanned, r.Mode, r.Type, r.ProviderName), known: err == nil}
}

// unplanned checks an object of the prior state that has no change. If there is a state after
// apply, it must contain the object unchanged.
func (chk *checker) unplanned(o *object, schema *objchange.Schema, mode tfjson.ResourceMode) (s Resource) {
	before, found := o.value(prior, schema, nil, objchange.PhaseRead)
	s.Findings = found
	if before == cty.NilVal {
		return s
	}
	s.Findings = of(objchange.PhaseRead, objchange.AssertStateValid(schema, before))
	switch {
	case !chk.applied:
	case o.values[applied] == nil && mode == tfjson.DataResourceMode:
		s.Status, s.Reason, s.Idle = Skipped, absent, true
	default:
		s.Findings = append(s.Findings, o.unchanged(schema, before)...)
	}
	return s
}

// unchanged compares the state of an object with its value before, which must not change.
func (o *object) unchanged(schema *objchange.Schema, before cty.Value) []Finding {
	state, found := o.value(applied, schema, nil, objchange.PhaseApply)
	if state == cty.NilVal {
		return found
	}
	return unchecked(o.inState(schema, objchange.AssertApplyConsistent(schema, before, state)))
}

// surprise checks an object of the state that the plan does not contain.
func surprise(o *object, schema *objchange.Schema, mode tfjson.ResourceMode) (s Resource) {
	state, found := o.value(applied, schema, nil, objchange.PhaseApply)
	switch {
	case state == cty.NilVal:
		s.Findings = found
	case mode == tfjson.DataResourceMode:
		s.Findings = o.inState(schema, objchange.AssertStateValid(schema, state))
		s.Status, s.Reason, s.Idle = Skipped, "is not in the plan, so it was not compared with anything", true
	default:
		s.Findings = o.unchanged(schema, cty.NullVal(schema.ImpliedType()))
	}
	return s
}
