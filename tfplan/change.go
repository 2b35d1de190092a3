package tfplan

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/jsonpos"
	"github.com/objchange/objchange/internal/legacysdk"
	"github.com/objchange/objchange/internal/sensitive"
)

// change checks one change of the plan, its result in the state, and the configuration of its
// resource. It checks the configuration alone only for the first instance of a resource.
func (chk *checker) change(o *object, configuration *place, first bool) (done result, err error) {
	rc, r := o.change, Resource{}
	schema, err := chk.schemaOf(o, rc.Mode, rc.ProviderName, rc.Type)
	if err != nil {
		r.Status, r.Reason = Skipped, err.Error()
	} else {
		done.known = true
		c := &change{resourceChange: rc, object: o, applied: chk.applied, schema: schema, has: chk.has}
		if configuration != nil && (first || c.followsConfig()) {
			if c.resource, err = load[resourceConfig](configuration); err != nil {
				return done, err
			}
		}
		if c.resource != nil && first {
			c.configuration = c.resource.check(schema.Block())
		}
		r.Findings = c.check(chk)
		r.Configuration = c.coverage
		if !c.knownAction() {
			r.Status, r.Reason = Skipped, fmt.Sprintf("the action %s is not known: only the values were checked", actionOf(rc.Change.Actions))
		}
		if c.absentRead() {
			r.Status, r.Reason, r.Idle = Skipped, absent, true
		}
		if state := o.values[applied]; state != nil && state.Tainted {
			r.Status, r.Reason = Failed, "the object is tainted in the state: it was not created completely"
		}
	}
	if state := o.values[applied]; state != nil && state.ProviderName != rc.ProviderName {
		done.notes = append(done.notes, Note{Kind: NoteProvider, Address: o.key.String(),
			Message: fmt.Sprintf("belongs to provider %q in the plan, but to %q in the state", rc.ProviderName, state.ProviderName)})
	}
	r.PreviousAddress, r.Imported = rc.PreviousAddress, rc.Change.Importing != nil
	done.resource = r.at(o.in(changes), actionOf(rc.Change.Actions), rc.Mode, rc.Type, rc.ProviderName)
	return done, nil
}

// actionOf returns the actions of a change as one action.
func actionOf(actions tfjson.Actions) Action {
	forgotten := tfjson.Actions{tfjson.ActionCreate, tfjson.ActionForget} // Terraform forgets the old object instead of destroying it
	switch {
	case actions.Replace(), slices.Equal(actions, forgotten):
		return ActionReplace
	case actions.NoOp(), actions.Create(), actions.Read(), actions.Update(), actions.Delete(), actions.Forget():
		return Action(actions[0])
	}
	return Action(fmt.Sprintf("%.60q", actions))
}

// A change is one change while it is checked.
type change struct {
	*resourceChange
	*object
	applied       bool // there is a state after apply
	has           [numParts]bool
	schema        *objchange.Schema
	resource      *resourceConfig // nil if there is no configuration
	configuration []Finding
	coverage      Coverage
	before, after cty.Value // the zero cty.Value if it does not conform
	found         []Finding
}

func (c *change) contradicts(rule objchange.Rule, format string, args ...any) {
	c.found = append(c.found, contradiction(rule, "", format, args...))
}

func (c *change) check(chk *checker) []Finding {
	c.values()
	c.found = append(c.found, c.configuration...)
	if c.before != cty.NilVal {
		c.found = append(c.found, placed(objchange.PhaseRead, objchange.AssertStateValid(c.schema, c.before), c.schema, c.in(changes), "/change/before")...)
		c.agreesWithPrior()
	}
	if c.after != cty.NilVal {
		c.found = append(c.found, c.planned(writeOnly(c.schema, c.after))...)
		c.agreesWithPlanned()
	}
	if c.before != cty.NilVal && c.after != cty.NilVal {
		c.checkAction()
		c.checkReplacePaths()
		c.checkConfig(chk)
	}
	if c.applied && c.after != cty.NilVal {
		c.checkApplied()
	}
	return c.found
}

// values decodes the values before and after.
func (c *change) values() {
	var wrong problems
	c.before, wrong = objectData{jsonpos.Data(c.Change.Before), nil, c.sensitive}.value(c.schema)
	c.found = append(c.found, wrong.findings(objchange.PhaseRead)...)
	unknown := c.Change.AfterUnknown
	if isMask(unknown) && !anyTrue(unknown) && len(wrong) == 0 && bytes.Equal(c.Change.Before, c.Change.After) {
		c.after = c.before
		return
	}
	c.after, wrong = objectData{jsonpos.Data(c.Change.After), unknown, c.sensitive}.value(c.schema)
	c.found = append(c.found, wrong.findings(objchange.PhasePlan)...)
}

// planned returns the violations of the planned value as findings with places.
func (c *change) planned(violations objchange.Violations) []Finding {
	return placed(objchange.PhasePlan, violations, c.schema, c.in(changes), "/change/after")
}

// writeOnly returns the violations for write-only attributes that the plan shows.
func writeOnly(schema *objchange.Schema, planned cty.Value) (found objchange.Violations) {
	for _, v := range objchange.AssertStateValid(schema, planned) {
		if v.Rule == objchange.RuleWriteOnlyNotNull {
			found = append(found, v)
		}
	}
	return found
}

// knownAction reports whether all actions are known. Newer releases of Terraform may have more
// actions.
func (c *change) knownAction() bool {
	known := []tfjson.Action{tfjson.ActionNoop, tfjson.ActionCreate, tfjson.ActionRead, tfjson.ActionUpdate, tfjson.ActionDelete, tfjson.ActionForget}
	return !slices.ContainsFunc(c.Change.Actions, func(a tfjson.Action) bool { return !slices.Contains(known, a) })
}

// checkAction compares the actions with the values.
func (c *change) checkAction() {
	if !c.knownAction() {
		return
	}
	action := actionOf(c.Change.Actions)
	values := Action(objchange.PlanAction(c.before, c.after, action == ActionReplace))
	agree := action == values
	switch action {
	case ActionRead:
		agree = c.Mode == tfjson.DataResourceMode && !c.after.IsNull()
	case ActionForget:
		agree = !c.before.IsNull()
	case ActionUpdate:
		agree = agree || values == ActionNoOp && c.sensitivityChanges()
	case ActionNoOp:
		if agree && c.sensitivityChanges() {
			c.contradicts(objchange.RulePlanAction, "the action is no-op, but before_sensitive and after_sensitive differ, which requires an update")
		}
	}
	if !agree {
		c.contradicts(objchange.RulePlanAction, "the action is %s, but the values require %s", action, values)
	}
}

// sensitivityChanges reports whether the change makes other parts sensitive.
func (c *change) sensitivityChanges() bool {
	if bytes.Equal(c.Change.BeforeSensitive, c.Change.AfterSensitive) {
		return false
	}
	var before, after sensitive.Places
	before.Add(jsonpos.Data(c.Change.BeforeSensitive))
	after.Add(jsonpos.Data(c.Change.AfterSensitive))
	return !reflect.DeepEqual(before, after)
}

// checkReplacePaths checks whether the values at replace_paths change, and whether the action
// agrees with replace_paths.
func (c *change) checkReplacePaths() {
	var paths []cty.Path
	for i, steps := range c.Change.ReplacePaths {
		path, ok := pathOf(c.schema.ImpliedType(), steps)
		if !ok {
			c.found = append(c.found, contradiction(objchange.RuleReplacePath, "", "replace_paths[%d] does not exist in the schema", i))
			continue
		}
		paths = append(paths, path)
	}
	required, found := objchange.RequiredReplace(c.schema, c.before, c.after, paths)
	c.found = append(c.found, of(objchange.PhasePlan, found)...)
	replace := actionOf(c.Change.Actions) == ActionReplace
	switch {
	case len(required) > 0 && !replace:
		c.contradicts(objchange.RulePlanAction, "replace_paths require replacement, but the action is %s", actionOf(c.Change.Actions))
	case len(required) == 0 && replace && c.ActionReason == tfjson.ActionReasonReplaceBecauseCannotUpdate:
		f := contradiction(objchange.RuleReplacePath, "", "the provider requires the replacement, but no value at replace_paths changes")
		f.Severity = objchange.Unchecked // Core does not check whether a value changes
		c.found = append(c.found, f)
	}
}

// agreesWithPrior compares the value before with the prior state of the plan.
func (c *change) agreesWithPrior() {
	inState := c.object.values[prior] != nil
	switch {
	case !c.has[prior] || c.Mode != tfjson.ManagedResourceMode:
	case !inState && !c.before.IsNull() && c.Change.Importing == nil:
		c.contradicts(objchange.RulePlanContradiction, "prior_state does not contain the object, but before does")
	case inState && c.before.IsNull():
		c.contradicts(objchange.RulePlanContradiction, "prior_state contains the object, but before is null")
	case inState:
		c.agrees(prior, "prior_state", "before", c.Change.Before, nil, c.before)
	}
}

// agreesWithPlanned compares the value after with the planned values.
func (c *change) agreesWithPlanned() {
	inPlan := c.object.values[planned]
	forgotten := actionOf(c.Change.Actions) == ActionForget
	gone := c.after.IsNull() || forgotten
	switch {
	case !c.has[planned] || c.deposed != "":
	case inPlan == nil && !gone && c.Mode == tfjson.ManagedResourceMode:
		c.contradicts(objchange.RulePlanContradiction, "planned_values does not contain the object, but after does")
	case inPlan != nil && forgotten && jsonpos.Data(inPlan.Values) == nil: // Core writes forgotten objects without values
	case inPlan != nil && gone:
		c.contradicts(objchange.RulePlanContradiction, "planned_values contains the object, but after is null or the action is forget")
	case inPlan != nil:
		c.agrees(planned, "planned_values", "after", c.Change.After, c.Change.AfterUnknown, c.after)
	}
}

// agrees compares the value of the object in another part of the plan with v, which is written in
// the change as text and unknown.
func (c *change) agrees(part part, name, other string, text jsontext.Value, unknown any, v cty.Value) {
	if bytes.Equal(c.object.values[part].Values, text) {
		return // the normal case: Core writes both in the same way
	}
	has, found := c.value(part, c.schema, unknown, objchange.PhasePlan)
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
		c.found = append(c.found, of(objchange.PhasePlan, objchange.Violations{violation})...)
	}
}

// checkApplied compares the state after apply with the plan.
func (c *change) checkApplied() {
	planned := c.after
	if actionOf(c.Change.Actions) == ActionForget {
		planned = cty.NullVal(c.schema.ImpliedType())
	}
	state, found := c.value(applied, c.schema, nil, objchange.PhaseApply)
	switch {
	case len(found) > 0:
		c.found = append(c.found, found...)
	case c.Mode == tfjson.DataResourceMode:
		c.checkRead(planned, state)
	default:
		violations := objchange.AssertApplyConsistent(c.schema, planned, state)
		if legacysdk.Resource(c.schema.Block()) {
			tolerate(violations, objchange.PhaseApply, planned, state, func() objchange.Violations {
				return objchange.AssertApplyConsistent(c.schema, legacysdk.Null(c.schema, planned), legacysdk.Null(c.schema, state))
			})
		}
		found = c.inState(c.schema, violations)
		if c.Change.Actions.NoOp() {
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
	case c.ActionReason == tfjson.ActionReasonReadBecauseCheckNested:
		found = objchange.AssertStateValid(c.schema, applied)
	default:
		found = objchange.AssertApplyConsistent(c.schema, planned, applied)
	}
	for _, f := range c.inState(c.schema, found) {
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
	return c.applied && c.Mode == tfjson.DataResourceMode && c.object.values[applied] == nil &&
		c.after != cty.NilVal && !c.after.IsNull()
}

// pathOf returns the path for the steps that a plan contains. The path ends before a step into a
// set. pathOf reports whether the type has such a path.
func pathOf(ty cty.Type, written any) (path cty.Path, ok bool) {
	steps, ok := written.([]any)
	for _, step := range steps {
		name, named := step.(string)
		key, fits := keyOf(step)
		switch {
		case ty.IsSetType():
			return path, true
		case ty.IsObjectType() && named && ty.HasAttribute(name):
			path, ty = path.GetAttr(name), ty.AttributeType(name)
		case ty.IsMapType() && named, ty.IsListType() && !named && fits:
			path, ty = path.Index(key), ty.ElementType()
		case ty == cty.DynamicPseudoType && named:
			path = path.GetAttr(name)
		case ty == cty.DynamicPseudoType && fits:
			path = path.Index(key)
		default:
			return nil, false
		}
	}
	return path, ok
}
