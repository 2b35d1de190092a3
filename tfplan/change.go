package tfplan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/jsonpos"
	"github.com/objchange/objchange/internal/legacysdk"
	"github.com/objchange/objchange/internal/pointer"
	"github.com/objchange/objchange/internal/sensitive"
)

// A change is one change of the plan while it is checked.
type change struct {
	index         *index
	object        *object
	planned       *entry // in the changes of the plan
	action        objchange.Action
	schema        *objchange.Schema
	before, after cty.Value // the zero cty.Value if it does not conform
	found         []Finding
}

// change checks one change of the plan, its result in the state, and the configuration of its
// resource, for which it may be the first change.
func (chk *inspection) change(o *object, configuration *place, first bool) (done result, err error) {
	e, state := o.in[changes], o.in[applied]
	c := &change{index: chk.index, object: o, planned: e, action: actionOf(e.Change.Actions)}
	r := &done.resource
	if c.schema, err = chk.schemaOf(o, e); err != nil {
		r.Status, r.Reason = Skipped, err.Error()
	} else {
		var config *resourceConfig
		if configuration != nil {
			config = &resourceConfig{}
			if err := configuration.load(config); err != nil {
				return done, err
			}
		}
		c.decode()
		c.check()
		r.Configuration = c.checkConfig(config, first)
		c.checkApplied()
		r.Findings = c.found
		switch {
		case state != nil && state.Tainted:
			r.Status, r.Reason = Failed, "the object is tainted in the state: it was not created completely"
		case c.absentRead():
			r.Status, r.Reason, r.Idle = Skipped, absent, true
		case !c.knownAction():
			r.Status = Skipped
			r.Reason = fmt.Sprintf("the action %s is not known: only the values were checked", c.action)
		}
	}
	if state != nil && state.ProviderName != e.ProviderName {
		done.note = fmt.Sprintf("%v: belongs to provider %q in the plan, but to %q in the state",
			e.at.object.key, e.ProviderName, state.ProviderName)
	}
	r.PreviousAddress, r.Imported = e.PreviousAddress, e.Change.Importing != nil
	r.complete(e, c.action)
	return done, nil
}

// actionOf returns the actions of a change as one action.
func actionOf(actions tfjson.Actions) objchange.Action {
	// Terraform forgets the old object instead of destroying it.
	forgotten := tfjson.Actions{tfjson.ActionCreate, tfjson.ActionForget}
	switch {
	case actions.Replace(), slices.Equal(actions, forgotten):
		return objchange.ActionReplace
	case actions.NoOp(), actions.Create(), actions.Read(), actions.Update(), actions.Delete(), actions.Forget():
		return objchange.Action(actions[0])
	}
	return objchange.Action(fmt.Sprintf("%.60q", actions))
}

// contradicts adds a finding: the plan contradicts itself.
func (c *change) contradicts(rule objchange.Rule, format string, args ...any) {
	c.found = append(c.found, finding(rule, objchange.PhasePlan, nil, format, args...))
}

// check compares the values before and after with the rules and with the rest of the plan.
func (c *change) check() {
	if c.before != cty.NilVal {
		invalid := objchange.AssertStateValid(c.schema, c.before)
		c.found = append(c.found, placed(objchange.PhaseRead, invalid, c.schema, c.planned.at, "/change/before")...)
		c.agreesWithPrior()
	}
	if c.after != cty.NilVal {
		c.found = append(c.found, c.inPlan(writeOnly(c.schema, c.after))...)
		c.agreesWithPlanned()
	}
	if c.before != cty.NilVal && c.after != cty.NilVal {
		c.checkAction()
		c.checkReplacePaths()
	}
}

func (c *change) decode() {
	written := c.planned.Change
	before := objectData{jsonpos.Data(written.Before), nil, c.object.sensitive}
	var wrong []Finding
	c.before, wrong = before.value(c.schema, objchange.PhaseRead)
	c.found = append(c.found, wrong...)
	unknown := written.AfterUnknown
	if isMask(unknown) && !anyTrue(unknown) && len(wrong) == 0 && bytes.Equal(written.Before, written.After) {
		c.after = c.before
		return
	}
	after := objectData{jsonpos.Data(written.After), unknown, c.object.sensitive}
	c.after, wrong = after.value(c.schema, objchange.PhasePlan)
	c.found = append(c.found, wrong...)
}

// inPlan returns the violations of the planned value as findings with places.
func (c *change) inPlan(violations objchange.Violations) []Finding {
	return placed(objchange.PhasePlan, violations, c.schema, c.planned.at, "/change/after")
}

// writeOnly returns the violations for write-only attributes that the plan shows.
func writeOnly(schema *objchange.Schema, planned cty.Value) objchange.Violations {
	return slices.DeleteFunc(objchange.AssertStateValid(schema, planned), func(v *objchange.Violation) bool {
		return v.Rule != objchange.RuleWriteOnlyNotNull
	})
}

// knownAction reports whether all actions are known. Newer releases of Terraform may have more
// actions.
func (c *change) knownAction() bool {
	known := []tfjson.Action{
		tfjson.ActionNoop, tfjson.ActionCreate, tfjson.ActionRead, tfjson.ActionUpdate, tfjson.ActionDelete,
		tfjson.ActionForget,
	}
	return !slices.ContainsFunc(c.planned.Change.Actions, func(a tfjson.Action) bool {
		return !slices.Contains(known, a)
	})
}

// checkAction compares the actions with the values.
func (c *change) checkAction() {
	if !c.knownAction() {
		return
	}
	values := objchange.PlanAction(c.before, c.after, c.action == objchange.ActionReplace)
	agree := c.action == values
	switch c.action {
	case ActionRead:
		agree = c.planned.Mode == tfjson.DataResourceMode && !c.after.IsNull()
	case ActionForget:
		agree = !c.before.IsNull()
	case objchange.ActionUpdate:
		agree = agree || values == objchange.ActionNoOp && c.sensitivityChanges()
	case objchange.ActionNoOp:
		if agree && c.sensitivityChanges() {
			c.contradicts(objchange.RulePlanAction,
				"the action is no-op, but before_sensitive and after_sensitive differ, which requires an update")
		}
	}
	if !agree {
		c.contradicts(objchange.RulePlanAction, "the action is %s, but the values require %s", c.action, values)
	}
}

// sensitivityChanges reports whether the change makes other parts sensitive.
func (c *change) sensitivityChanges() bool {
	var before, after sensitive.Places
	before.Add(jsonpos.Data(c.planned.Change.BeforeSensitive))
	after.Add(jsonpos.Data(c.planned.Change.AfterSensitive))
	return !reflect.DeepEqual(before, after)
}

// checkReplacePaths checks whether the values at replace_paths change, and whether the action
// agrees with replace_paths.
func (c *change) checkReplacePaths() {
	var paths []cty.Path
	for i, steps := range c.planned.Change.ReplacePaths {
		path, ok := pathOf(c.schema.ImpliedType(), steps)
		if !ok {
			c.contradicts(objchange.RuleReplacePath, "replace_paths[%d] does not exist in the schema", i)
			continue
		}
		paths = append(paths, path)
	}
	required, found := objchange.RequiredReplace(c.schema, c.before, c.after, paths)
	c.found = append(c.found, findings(objchange.PhasePlan, found)...)
	replace, reason := c.action == objchange.ActionReplace, c.planned.ActionReason
	switch {
	case len(required) > 0 && !replace:
		c.contradicts(objchange.RulePlanAction, "replace_paths require replacement, but the action is %s", c.action)
	case len(required) == 0 && replace && reason == tfjson.ActionReasonReplaceBecauseCannotUpdate:
		f := finding(objchange.RuleReplacePath, objchange.PhasePlan, nil,
			"the provider requires the replacement, but no value at replace_paths changes")
		f.Severity = objchange.Unchecked // Core does not check whether a value changes
		c.found = append(c.found, f)
	}
}

// agreesWithPrior compares the value before with the prior state of the plan.
func (c *change) agreesWithPrior() {
	inState := c.object.in[prior] != nil
	switch {
	case !c.index.has[prior] || c.planned.Mode != tfjson.ManagedResourceMode:
	case !inState && !c.before.IsNull() && c.planned.Change.Importing == nil:
		c.contradicts(objchange.RulePlanContradiction, "prior_state does not contain the object, but before does")
	case inState && c.before.IsNull():
		c.contradicts(objchange.RulePlanContradiction, "prior_state contains the object, but before is null")
	case inState:
		c.agrees(prior, "prior_state", "before", c.planned.Change.Before, nil, c.before)
	}
}

// agreesWithPlanned compares the value after with the planned values.
func (c *change) agreesWithPlanned() {
	inPlan := c.object.in[planned]
	forgotten := c.action == ActionForget
	gone := c.after.IsNull() || forgotten
	switch {
	case !c.index.has[planned] || c.deposed():
	case inPlan == nil && !gone && c.planned.Mode == tfjson.ManagedResourceMode:
		c.contradicts(objchange.RulePlanContradiction, "planned_values does not contain the object, but after does")
	case inPlan != nil && forgotten && jsonpos.Data(inPlan.Values) == nil:
		// Core writes forgotten objects without values.
	case inPlan != nil && gone:
		c.contradicts(objchange.RulePlanContradiction,
			"planned_values contains the object, but after is null or the action is forget")
	case inPlan != nil:
		c.agrees(planned, "planned_values", "after", c.planned.Change.After, c.planned.Change.AfterUnknown, c.after)
	}
}

// deposed reports whether the change is about a deposed object.
func (c *change) deposed() bool { return c.planned.at.object.key.deposed != "" }

// agrees compares the value of the object in another section of the plan with v. The change describes
// v with text and unknown.
func (c *change) agrees(in section, name, other string, text jsontext.Value, unknown any, v cty.Value) {
	if bytes.Equal(c.object.in[in].Values, text) {
		return // the normal case: Core writes both in the same way
	}
	has, found := c.object.value(in, c.schema, unknown, objchange.PhasePlan)
	for _, f := range found {
		f.Message = name + ": " + f.Message
		c.found = append(c.found, f)
	}
	if len(found) > 0 {
		return
	}
	differences, err := objchange.Diff(c.schema, v, has)
	if err != nil {
		c.contradicts(objchange.RulePlanContradiction, "%v", err)
	}
	for _, d := range differences {
		violation := d.Violation(objchange.RulePlanContradiction, name+" differs from "+other, objchange.Rejected)
		c.found = append(c.found, findings(objchange.PhasePlan, objchange.Violations{violation})...)
	}
}

// checkApplied compares the state after apply with the plan, if there is a state.
func (c *change) checkApplied() {
	if !c.index.has[applied] || c.after == cty.NilVal {
		return
	}
	planned := c.after
	if c.action == ActionForget {
		planned = cty.NullVal(c.schema.ImpliedType())
	}
	state, found := c.object.value(applied, c.schema, nil, objchange.PhaseApply)
	switch {
	case len(found) > 0:
		c.found = append(c.found, found...)
	case c.planned.Mode == tfjson.DataResourceMode:
		c.checkRead(planned, state)
	default:
		violations := objchange.AssertApplyConsistent(c.schema, planned, state)
		if legacysdk.Resource(c.schema.Block()) {
			null := func(v cty.Value) cty.Value { return legacysdk.Null(c.schema, v) }
			tolerate(violations, objchange.PhaseApply, planned, state, func() objchange.Violations {
				return objchange.AssertApplyConsistent(c.schema, null(planned), null(state))
			})
		}
		found = c.object.inState(c.schema, violations)
		if c.action == objchange.ActionNoOp {
			unchecked(found)
		}
		c.found = append(c.found, found...)
	}
}

// checkRead checks a data source after apply. Core only requires that its value is known and
// conforms to the schema. A data source of a check block is read again, even if the plan contains
// its whole value.
func (c *change) checkRead(planned, applied cty.Value) {
	var found objchange.Violations
	switch {
	case applied.IsNull() && !planned.IsNull(): // reported by absentRead
	case c.planned.ActionReason == tfjson.ActionReasonReadBecauseCheckNested:
		found = objchange.AssertStateValid(c.schema, applied)
	default:
		found = objchange.AssertApplyConsistent(c.schema, planned, applied)
	}
	for _, f := range c.object.inState(c.schema, found) {
		if f.Rule != objchange.RuleStateUnknown && f.Rule != objchange.RuleTypeMismatch {
			f.Severity = objchange.Unchecked
		}
		c.found = append(c.found, f)
	}
}

// absentRead reports whether a data source that was to be read is absent from the state. A data
// source of a check block may be absent, and the plan does not always show which data sources
// belong to check blocks.
func (c *change) absentRead() bool {
	return c.index.has[applied] && c.planned.Mode == tfjson.DataResourceMode && c.object.in[applied] == nil &&
		c.after != cty.NilVal && !c.after.IsNull()
}

// pathOf returns the path for the steps that a plan contains. The path ends before a step into a
// set. pathOf reports whether the type has such a path.
func pathOf(ty cty.Type, written any) (path cty.Path, ok bool) {
	steps, ok := written.([]any)
	for _, step := range steps {
		name, isName := step.(string)
		number, isNumber := step.(json.Number)
		i, err := number.Int64()
		switch {
		case ty.IsSetType():
			return path, true
		case isName && ty.IsMapType():
			path = path.IndexString(name)
		case isName && (ty == cty.DynamicPseudoType || ty.IsObjectType() && ty.HasAttribute(name)):
			path = path.GetAttr(name)
		case isNumber && err == nil && (ty == cty.DynamicPseudoType || ty.IsListType()):
			path = path.Index(cty.NumberIntVal(i))
		default:
			return nil, false
		}
		ty = pointer.Inside(ty, name)
	}
	return path, ok
}
