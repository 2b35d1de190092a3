package audit

import (
	"fmt"
	"reflect"
	"slices"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/rulebook"
)

// change judges one change of the plan, and what apply made of it.
func (a *auditor) change(i int, rc *tfjson.ResourceChange) {
	k := changeKey(rc)
	s := report.Subject{
		Status: report.Judged,
		Place:  report.Place{File: a.planned.Name, Pointer: fmt.Sprintf("/resource_changes/%d", i)},
	}
	schema, err := a.schema(resource{rc.Mode, rc.ProviderName, rc.Type})
	reason := ""
	if err != nil {
		reason = err.Error()
	} else {
		reason = a.versionReasons(k, schema)
	}
	if reason != "" {
		s.Status, s.Reason = report.Skipped, reason
	} else {
		a.judged = true
		c := &change{ResourceChange: rc, key: k, auditor: a, schema: schema.Block}
		c.judge()
		s.Findings = c.found
		if c.absentRead() {
			s.Status, s.Reason = report.Skipped, absent
		}
		if o := a.state[k]; o != nil && o.Tainted {
			s.Status, s.Reason = report.Failed, "the state has it tainted: it was not created in full"
		}
	}
	if o := a.state[k]; o != nil && o.ProviderName != rc.ProviderName {
		a.told = append(a.told, fmt.Sprintf("%s: is of provider %q in the plan, and of %q in the state", k, rc.ProviderName, o.ProviderName))
	}
	a.add(k, describe(rc), s)
}

// versionReasons says which values of an object are of another version than the
// schema.
func (a *auditor) versionReasons(k key, schema *objchange.Schema) string {
	return join(
		a.values[k].versionReason(schema, "planned_values"),
		a.prior[k].versionReason(schema, "prior_state"),
		a.state[k].versionReason(schema, "the state"),
	)
}

// describe says in a word or two what a change is to do.
func describe(rc *tfjson.ResourceChange) string {
	text := actionOf(rc.Change.Actions)
	if rc.Change.Importing != nil {
		text += ", imported"
	}
	if rc.PreviousAddress != "" {
		text += ", moved from " + rc.PreviousAddress
	}
	return text
}

// Actions of plans, beside those of objchange.
const (
	actionRead   = "read"
	actionForget = "forget"
)

// actionOf returns the actions as one, "" if they are none that there is.
func actionOf(actions tfjson.Actions) string {
	forgotten := tfjson.Actions{tfjson.ActionCreate, tfjson.ActionForget} // instead of destroyed
	switch {
	case actions.Replace(), slices.Equal(actions, forgotten):
		return string(objchange.ActionReplace)
	case actions.NoOp(), actions.Create(), actions.Read(), actions.Update(), actions.Delete(), actions.Forget():
		return string(actions[0])
	}
	return fmt.Sprintf("%.60q", actions)
}

// A change is one change while it is judged.
type change struct {
	*tfjson.ResourceChange
	key
	*auditor
	schema        *objchange.Block
	before, after cty.Value // the zero cty.Value if it does not conform
	found         []report.Finding
}

// find adds findings of one phase.
func (c *change) find(phase objchange.Phase, found ...report.Finding) {
	for _, f := range found {
		f.Phase = phase
		c.found = append(c.found, f)
	}
}

func (c *change) judge() {
	var found []report.Finding
	c.before, found = told{c.Change.Before, nil, c.sensitive[c.key]}.value(c.schema)
	c.find(objchange.PhaseRead, found...)
	c.after, found = told{c.Change.After, c.Change.AfterUnknown, c.sensitive[c.key]}.value(c.schema)
	c.find(objchange.PhasePlan, found...)

	c.found = append(c.found, c.judgeConfiguration()...)
	if c.before != cty.NilVal {
		c.found = append(c.found, of(objchange.PhaseRead, objchange.AssertStateValid(c.schema, c.before))...)
		c.agreesWithPrior()
	}
	if c.after != cty.NilVal {
		c.found = append(c.found, of(objchange.PhasePlan, writeOnly(c.schema, c.after))...)
		c.agreesWithPlanned()
	}
	if c.before != cty.NilVal && c.after != cty.NilVal {
		c.judgeAction()
		c.judgeReplacePaths()
	}
	if c.auditor.after != nil && c.after != cty.NilVal {
		c.judgeApplied()
	}
}

// writeOnly returns what a plan shows of write-only attributes.
func writeOnly(schema *objchange.Block, planned cty.Value) (found objchange.Violations) {
	for _, v := range objchange.AssertStateValid(schema, planned) {
		if v.Rule == objchange.RuleWriteOnlyNotNull {
			found = append(found, v)
		}
	}
	return found
}

// judgeAction holds the actions against the values.
func (c *change) judgeAction() {
	action := actionOf(c.Change.Actions)
	values := objchange.PlanAction(c.before, c.after, action == string(objchange.ActionReplace))
	agree := action == string(values)
	switch action {
	case actionRead:
		agree = c.Mode == tfjson.DataResourceMode && !c.after.IsNull()
	case actionForget:
		agree = !c.before.IsNull()
	case string(objchange.ActionUpdate):
		agree = agree || values == objchange.ActionNoOp && c.sensitivityChanges()
	case string(objchange.ActionNoOp):
		if agree && c.sensitivityChanges() {
			c.contradicts(rulebook.RulePlanAction, "the action is no-op, but what is sensitive changes, which is an update")
		}
	}
	if !agree {
		c.contradicts(rulebook.RulePlanAction, fmt.Sprintf("the action is %s, but the values say %s", action, values))
	}
}

// sensitivityChanges reports whether something else is sensitive after the
// change.
func (c *change) sensitivityChanges() bool {
	return !reflect.DeepEqual(onlyTrue(c.Change.BeforeSensitive), onlyTrue(c.Change.AfterSensitive))
}

func (c *change) contradicts(rule objchange.Rule, message string) {
	c.find(objchange.PhasePlan, report.Finding{Rule: rule, Message: message, Enforced: true})
}

// judgeReplacePaths asks whether the paths that require replacement do.
func (c *change) judgeReplacePaths() {
	var paths []cty.Path
	for i, told := range c.Change.ReplacePaths {
		steps, ok := told.([]any)
		path, fits := pathOf(c.schema.ImpliedType(), steps)
		if !ok || !fits {
			c.contradicts(objchange.RuleReplacePath, fmt.Sprintf("replace_paths[%d] leads nowhere", i))
			continue
		}
		paths = append(paths, path)
	}
	required, found := objchange.RequiredReplace(c.schema, c.before, c.after, paths)
	c.found = append(c.found, of(objchange.PhasePlan, found)...)
	replace := actionOf(c.Change.Actions) == string(objchange.ActionReplace)
	switch {
	case len(required) > 0 && !replace:
		c.contradicts(rulebook.RulePlanAction, "replace_paths require replacement, but the action is "+actionOf(c.Change.Actions))
	case len(required) == 0 && replace && c.ActionReason == tfjson.ActionReasonReplaceBecauseCannotUpdate:
		c.contradicts(objchange.RuleReplacePath, "the replacement is for a change that replace_paths should name, and none of them does")
	case replace:
		c.idlePaths(paths, required, found)
	}
}

// idlePaths reports paths where nothing changes. Core has looked before the
// provider planned the new object, so it may have been otherwise.
func (c *change) idlePaths(paths, required []cty.Path, wrong objchange.Violations) {
	for _, path := range paths {
		same := func(p cty.Path) bool { return p.Equals(path) }
		reported := slices.ContainsFunc(wrong, func(v *objchange.Violation) bool { return same(v.Path) })
		if slices.ContainsFunc(required, same) || reported {
			continue
		}
		c.find(objchange.PhasePlan, report.Finding{
			Rule: objchange.RuleReplacePath, Path: hideKeys(c.withinSchema(path)),
			Message: "is said to require replacement, but nothing changes there",
		})
	}
}

// withinSchema cuts a path at the first attribute without a schema of its own,
// below which there may be names that are data.
func (c *change) withinSchema(path cty.Path) cty.Path {
	for i := range path {
		if attr := c.schema.AttributeByPath(path[:i+1]); attr != nil && attr.NestedType == nil {
			return path[:i+1]
		}
	}
	return path
}

// agreesWithPrior holds the value before against the prior state of the plan.
func (c *change) agreesWithPrior() {
	prior := c.prior[c.key]
	switch {
	case c.plan.PriorState == nil || c.Mode != tfjson.ManagedResourceMode:
	case prior == nil && !c.before.IsNull() && c.Change.Importing == nil:
		c.contradicts(rulebook.RulePlanContradiction, "prior_state does not have it, but before does")
	case prior != nil && c.before.IsNull():
		c.contradicts(rulebook.RulePlanContradiction, "prior_state has it, but before is null")
	case prior != nil:
		c.agrees("prior_state", "before", prior, told{c.Change.Before, nil, nil}, c.before)
	}
}

// agreesWithPlanned holds the value after against the planned values.
func (c *change) agreesWithPlanned() {
	planned := c.values[c.key]
	forgotten := actionOf(c.Change.Actions) == actionForget
	gone := c.after.IsNull() || forgotten
	switch {
	case c.plan.PlannedValues == nil || c.deposed != "":
	case planned == nil && !gone && c.Mode == tfjson.ManagedResourceMode:
		c.contradicts(rulebook.RulePlanContradiction, "planned_values does not have it, but after does")
	case forgotten && planned != nil && planned.AttributeValues == nil: // so Core writes it
	case planned != nil && gone:
		c.contradicts(rulebook.RulePlanContradiction, "planned_values has it, but nothing is to be there")
	case planned != nil:
		c.agrees("planned_values", "after", planned, told{c.Change.After, c.Change.AfterUnknown, nil}, c.after)
	}
}

// agrees reports where a part of the plan has another value than the change,
// which was told and is v.
func (c *change) agrees(part, of string, o *object, t told, v cty.Value) {
	if reflect.DeepEqual(any(o.AttributeValues), t.data) {
		return // as it is in all plans that Core wrote
	}
	other, found := o.value(c.schema, t.unknown)
	for _, f := range found {
		f.Message = part + ": " + f.Message
		c.find(objchange.PhasePlan, f)
	}
	if len(found) > 0 {
		return
	}
	differences, err := objchange.Diff(c.schema, v, other)
	if err != nil {
		c.contradicts(rulebook.RulePlanContradiction, err.Error())
	}
	for _, d := range differences {
		violation := d.Violation(rulebook.RulePlanContradiction, part+" has another value than "+of, true)
		c.find(objchange.PhasePlan, report.Of(objchange.Violations{violation}, false)...)
	}
}

// judgeApplied holds what is there after apply against what was planned.
func (c *change) judgeApplied() {
	planned := c.after
	if actionOf(c.Change.Actions) == actionForget {
		planned = cty.NullVal(c.schema.ImpliedType())
	}
	applied, found := c.state[c.key].orNull(c.schema)
	if len(found) > 0 {
		c.find(objchange.PhaseApply, found...)
		return
	}
	if c.Mode == tfjson.DataResourceMode {
		c.judgeRead(planned, applied)
		return
	}
	c.found = append(c.found, of(objchange.PhaseApply, objchange.AssertApplyConsistent(c.schema, planned, applied))...)
}

// judgeRead judges a data source after apply. Core asks no more of one than that
// it is known and conforms. That of a check block is read again, even if the
// plan has all of it.
func (c *change) judgeRead(planned, applied cty.Value) {
	var found objchange.Violations
	switch {
	case applied.IsNull() && !planned.IsNull(): // absentRead tells of it
	case c.ActionReason == tfjson.ActionReasonReadBecauseCheckNested:
		found = objchange.AssertStateValid(c.schema, applied)
	default:
		found = objchange.AssertApplyConsistent(c.schema, planned, applied)
	}
	for _, f := range of(objchange.PhaseApply, found) {
		f.Enforced = f.Enforced && (f.Rule == objchange.RuleStateUnknown || f.Rule == objchange.RuleTypeMismatch)
		c.found = append(c.found, f)
	}
}

// absentRead reports whether a data source that was to be read is not in the
// state. One of a check block may not be, and no plan tells for sure which are.
func (c *change) absentRead() bool {
	return c.auditor.after != nil && c.Mode == tfjson.DataResourceMode && c.state[c.key] == nil &&
		c.after != cty.NilVal && !c.after.IsNull()
}

// pathOf returns the path of which a plan tells the steps, which ends where
// they lead into a set. It reports whether there is such a place in the type.
func pathOf(ty cty.Type, steps []any) (path cty.Path, ok bool) {
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
	return path, true
}
