package audit

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/rulebook"
	"github.com/objchange/objchange/tfcheck"
)

// change judges one change of the plan, what apply made of it, and the
// configuration, if it is given.
func (j *judging) change(a *auditor, o *instance, configuration *configured) error {
	rc := o.change
	s := report.Subject{Status: report.Judged}
	schema, reason := a.judgeable(o, rc.resource())
	if reason != "" {
		s.Status, s.Reason = report.Skipped, reason
	} else {
		j.judged = true
		c := &change{resourceChange: rc, instance: o, auditor: a, schema: schema.compiled, configuration: configuration}
		if err := c.judge(); err != nil {
			return err
		}
		s.Findings = c.found
		if c.absentRead() {
			s.Status, s.Reason, s.Idle = report.Skipped, absent, true
		}
		if o.state != nil && o.state.Tainted {
			s.Status, s.Reason = report.Failed, "the state has it tainted: it was not created in full"
		}
	}
	if o.state != nil && o.state.ProviderName != rc.ProviderName {
		j.notes = append(j.notes, fmt.Sprintf("%s: is of provider %q in the plan, and of %q in the state", o.key, rc.ProviderName, o.state.ProviderName))
	}
	j.add(o.key, describe(rc), rc.place, s)
	return nil
}

// describe says in a word or two what a change is to do.
func describe(rc *resourceChange) string {
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
	*resourceChange
	*instance
	*auditor
	configuration *configured // that is to be judged with it, or nil
	schema        *objchange.Schema
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

func (c *change) judge() error {
	c.values()
	if c.configuration != nil {
		found, err := c.configuration.judge(c.schema.Block())
		if err != nil {
			return err
		}
		c.found = append(c.found, found...)
	}
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
	return nil
}

// values makes the values before and after, or one where they are written alike.
func (c *change) values() {
	var found []report.Finding
	c.before, found = told{tree(c.Change.Before), nil, c.sensitive}.value(c.schema)
	c.find(objchange.PhaseRead, found...)
	unknown := tree(c.Change.AfterUnknown)
	if bytes.Equal(c.Change.Before, c.Change.After) && isMask(unknown) && !anyTrue(unknown) && len(found) == 0 {
		c.after = c.before
		return
	}
	c.after, found = told{tree(c.Change.After), unknown, c.sensitive}.value(c.schema)
	c.find(objchange.PhasePlan, found...)
}

// writeOnly returns what a plan shows of write-only attributes.
func writeOnly(schema *objchange.Schema, planned cty.Value) (found objchange.Violations) {
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
	return !bytes.Equal(c.Change.BeforeSensitive, c.Change.AfterSensitive) &&
		!reflect.DeepEqual(onlyTrue(tree(c.Change.BeforeSensitive)), onlyTrue(tree(c.Change.AfterSensitive)))
}

func (c *change) contradicts(rule objchange.Rule, message string) {
	c.find(objchange.PhasePlan, report.Finding{Rule: rule, Message: message, Severity: tfcheck.Rejected})
}

// judgeReplacePaths asks whether the paths that require replacement do.
func (c *change) judgeReplacePaths() {
	var paths []cty.Path
	named, _ := tree(c.Change.ReplacePaths).([]any)
	for i, told := range named {
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
			Rule: objchange.RuleReplacePath, Path: hideKeys(c.withinSchema(path)), Severity: tfcheck.Unchecked,
			Message: "is said to require replacement, but nothing changes there",
		})
	}
}

// withinSchema cuts a path at the first attribute without a schema of its own,
// below which there may be names that are data.
func (c *change) withinSchema(path cty.Path) cty.Path {
	for i := range path {
		if attr := c.schema.Block().AttributeByPath(path[:i+1]); attr != nil && attr.NestedType == nil {
			return path[:i+1]
		}
	}
	return path
}

// agreesWithPrior holds the value before against the prior state of the plan.
func (c *change) agreesWithPrior() {
	prior := c.instance.prior
	switch {
	case !c.hasPrior || c.Mode != tfjson.ManagedResourceMode:
	case prior == nil && !c.before.IsNull() && c.Change.Importing == nil:
		c.contradicts(rulebook.RulePlanContradiction, "prior_state does not have it, but before does")
	case prior != nil && c.before.IsNull():
		c.contradicts(rulebook.RulePlanContradiction, "prior_state has it, but before is null")
	case prior != nil:
		c.agrees("prior_state", "before", prior, c.Change.Before, nil, c.before)
	}
}

// agreesWithPlanned holds the value after against the planned values.
func (c *change) agreesWithPlanned() {
	planned := c.planned
	forgotten := actionOf(c.Change.Actions) == actionForget
	gone := c.after.IsNull() || forgotten
	switch {
	case !c.hasValues || c.deposed != "":
	case planned == nil && !gone && c.Mode == tfjson.ManagedResourceMode:
		c.contradicts(rulebook.RulePlanContradiction, "planned_values does not have it, but after does")
	case forgotten && planned != nil && planned.noValues(): // so Core writes it
	case planned != nil && gone:
		c.contradicts(rulebook.RulePlanContradiction, "planned_values has it, but nothing is to be there")
	case planned != nil:
		c.agrees("planned_values", "after", planned, c.Change.After, c.Change.AfterUnknown, c.after)
	}
}

// agrees reports where a part of the plan has another value than the change,
// which is written as data and unknown and is v.
func (c *change) agrees(part, of string, o *object, data, unknown jsontext.Value, v cty.Value) {
	if bytes.Equal(o.Values, data) || reflect.DeepEqual(tree(o.Values), tree(data)) {
		return // as it is in all plans that Core wrote
	}
	other, found := o.value(c.schema, tree(unknown))
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
	applied, found := c.instance.state.orNull(c.schema)
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
		if f.Rule != objchange.RuleStateUnknown && f.Rule != objchange.RuleTypeMismatch {
			f.Severity = tfcheck.Unchecked
		}
		c.found = append(c.found, f)
	}
}

// absentRead reports whether a data source that was to be read is not in the
// state. One of a check block may not be, and no plan tells for sure which are.
func (c *change) absentRead() bool {
	return c.auditor.after != nil && c.Mode == tfjson.DataResourceMode && c.instance.state == nil &&
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
