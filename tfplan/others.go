package tfplan

import (
	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
)

// absent is the reason for a data source that is not checked.
const absent = "is not in the state, which is normal for an unused data source or a data source of a check"

// other checks an object without a change, according to the section in which it was found.
func (chk *inspection) other(o *object, in section) (r Resource) {
	e := o.in[in]
	schema, err := chk.schemaOf(o, e)
	switch {
	case err != nil:
		r.Status, r.Reason = Skipped, err.Error()
	case in == prior:
		r = chk.unplanned(o, schema, e.Mode)
	case in == applied:
		r = surprise(o, schema, e.Mode)
	default:
		r.Findings = []Finding{finding(objchange.RulePlanContradiction, objchange.PhasePlan, nil,
			"is in planned_values, but not in resource_changes")}
	}
	r.complete(e, ActionNotPlanned)
	return r
}

// unplanned checks an object of the prior state that has no change. If there is a state after
// apply, it must contain the object unchanged.
func (chk *inspection) unplanned(o *object, schema *objchange.Schema, mode tfjson.ResourceMode) (r Resource) {
	before, found := o.value(prior, schema, nil, objchange.PhaseRead)
	r.Findings = found
	if before == cty.NilVal {
		return r
	}
	r.Findings = findings(objchange.PhaseRead, objchange.AssertStateValid(schema, before))
	switch {
	case !chk.index.has[applied]:
	case o.in[applied] == nil && mode == tfjson.DataResourceMode:
		r.Status, r.Reason, r.Idle = Skipped, absent, true
	default:
		r.Findings = append(r.Findings, o.unchanged(schema, before)...)
	}
	return r
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
func surprise(o *object, schema *objchange.Schema, mode tfjson.ResourceMode) (r Resource) {
	state, found := o.value(applied, schema, nil, objchange.PhaseApply)
	switch {
	case state == cty.NilVal:
		r.Findings = found
	case mode == tfjson.DataResourceMode:
		r.Findings = o.inState(schema, objchange.AssertStateValid(schema, state))
		r.Status, r.Reason, r.Idle = Skipped, "is not in the plan, so it was not compared with anything", true
	default:
		r.Findings = o.unchanged(schema, cty.NullVal(schema.ImpliedType()))
	}
	return r
}
