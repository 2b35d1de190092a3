package livetest_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
)

// The kinds of the providers below.
const (
	framework = "framework"
	sdk       = "sdk"       // the legacy type system makes Core tolerate its plans and new states
	handmade  = "hand-made" // neither SDK passes the fault on; see meddler_test.go
)

// RPCs in which a broken rule is found.
const (
	plan  = "PlanResourceChange"
	apply = "ApplyResourceChange"
	read  = "ReadResource"
	data  = "ReadDataSource"

	upgrade     = "UpgradeResourceState"
	importState = "ImportResourceState"
	open        = "OpenEphemeralResource"
)

// A verdict is Core's reaction to a breach.
type verdict int

const (
	refused verdict = iota // Core stops with an error
	excused                // Core tolerates it because of the legacy type system
	weak                   // Core does not check it
)

// again is the finding about a plan with a change directly after apply.
var again = []seen{{plan, tfcheck.RulePerpetualDiff, tfcheck.Rejected}}

// drifts is the finding about an object whose read values differ from the applied values.
var drifts = []seen{{read, tfcheck.RulePerpetualDiff, tfcheck.Rejected}}

// leaked is the finding about a write-only attribute in a new state.
var leaked = []seen{{apply, objchange.RuleWriteOnlyNotNull, tfcheck.Rejected}}

// A breach is one way in which a resource breaks a rule.
type breach struct {
	rule     objchange.Rule
	typeName string
	made     string
	rpc      string
	run      operation
	verdict  verdict
	also     []seen // further findings that it causes
}

// severity returns the severity of the finding.
func (b breach) severity() tfcheck.Severity {
	switch {
	case b.verdict == excused:
		return tfcheck.Tolerated
	case b.verdict == refused || b.rule == tfcheck.RulePerpetualDiff:
		return tfcheck.Rejected
	}
	return tfcheck.Unchecked
}

func (b breach) name() string {
	name := string(b.rule) + "/" + b.typeName
	if b.made == framework || b.made == sdk {
		return name
	}
	return name + "/" + b.made
}

// breaches lists, for each rule, the resources that break it, the kind of provider, the RPC in
// which it is found, and Core's reaction.
var breaches = []breach{
	{objchange.RuleTypeMismatch, "fw_honest", handmade, plan, create(), refused, nil},
	{objchange.RuleTypeMismatch, "fw_honest", mistypesUpgraded, upgrade, create(), refused, nil},
	{objchange.RuleTypeMismatch, "fw_honest", mistypesUpdated, apply, update("name", "b"), refused, nil},

	// Infinite numbers, which Terraform cannot write.
	{objchange.RuleTypeMismatch, "fw_infinite_planned", framework, plan, create(), refused, nil},
	{objchange.RuleTypeMismatch, "fw_infinite_applied", framework, apply, create(), refused, nil},
	{objchange.RuleTypeMismatch, "fw_infinite_read", framework, read, create(), refused, nil},

	{objchange.RulePlanAbsent, "fw_plan_absent", framework, plan, create(), refused, nil},
	{objchange.RulePlanPresent, "fw_plan_present", framework, plan, create(), refused, nil},
	{objchange.RulePlanNotConfig, "fw_plan_not_config", framework, plan, create(), refused, nil},
	{objchange.RulePlanNotConfig, "fw_plan_not_config_anew", framework, plan, then(create(), replacing, "name", "b"), refused, nil},
	{objchange.RulePlanNotConfig, "sdk_plan_not_config", sdk, plan, create(), excused, nil},
	{objchange.RulePlanNotComputed, "fw_plan_not_computed", framework, plan, create(), refused, nil},
	{objchange.RulePlanNotComputed, "sdk_plan_not_computed", sdk, plan, create(), excused, nil},
	{objchange.RulePlanUnknownNested, "fw_plan_unknown_nested", framework, plan, create(), refused, nil},
	{objchange.RulePlanUnknownBlock, "fw_plan_unknown_block", framework, plan, create(), refused, nil},
	{objchange.RulePlanUnknownBlocks, "fw_plan_unknown_blocks", framework, plan, create(), refused, nil},
	{objchange.RulePlanUnknownBlocks, "sdk_plan_unknown_blocks", sdk, plan, create(), excused,
		append([]seen{{apply, objchange.RuleStateNullBlocks, tfcheck.Unchecked}}, again...)},
	{objchange.RulePlanNullBlocks, "fw_honest", handmade, plan, create("step", []any{}), refused, nil},
	{objchange.RulePlanDynamicBlock, "fw_plan_dynamic_block", framework, plan, createFrom("step"), refused, nil},
	{objchange.RulePlanCount, "fw_plan_count", framework, plan, create(), refused, nil},
	{objchange.RulePlanCount, "sdk_plan_count", sdk, plan, update("step", []any{}), excused, nil},
	{objchange.RulePlanKey, "fw_plan_key", framework, plan, create(), refused, nil},
	{objchange.RulePlanSetElement, "fw_plan_set_element", framework, plan, create(), weak, again},
	{objchange.RulePlanSetElement, "sdk_plan_set_element", sdk, plan, create(), weak, drifts},

	{objchange.RuleReplacePath, "fw_replace_path", framework, plan, create(), refused, nil},
	{objchange.RulePlanPresent, "fw_honest", plansDestroyed, plan, destroyed(), refused, nil},
	{objchange.RulePlanPresent, "sdk_honest", plansDestroyed, plan, destroyed(), refused, nil}, // not tolerated

	{objchange.RuleInconsistentPresence, "fw_inconsistent_presence", framework, apply, create("log", map[string]any{"target": "x"}), refused, nil},
	{objchange.RuleInconsistentPresence, "sdk_inconsistent_presence", sdk, apply, create(), refused, nil},
	{objchange.RuleInconsistentPresence, "fw_honest", keepsDeleted, apply, destroyed(), refused, nil},
	{objchange.RuleInconsistentPresence, "sdk_honest", keepsDeleted, apply, destroyed(), refused, nil},
	{objchange.RuleInconsistentValue, "fw_inconsistent_value", framework, apply, create(), refused, nil},
	{objchange.RuleInconsistentValue, "fw_inconsistent_chosen", framework, apply, create("step", noted("x")), refused, nil},
	{objchange.RuleInconsistentValue, "sdk_inconsistent_value", sdk, apply, create(), excused, nil},
	{objchange.RuleInconsistentUnknown, "fw_inconsistent_unknown", framework, plan, createFrom("name"), refused, nil},
	{objchange.RuleInconsistentUnknown, "sdk_inconsistent_unknown", sdk, plan, createFrom("name"), refused, nil},
	{objchange.RuleInconsistentType, "fw_inconsistent_type", framework, apply, create(), refused, nil},
	{objchange.RuleInconsistentRefinement, "fw_honest", handmade, apply, create(), refused, nil},
	{objchange.RuleInconsistentSensitive, "fw_inconsistent_sensitive", framework, apply, create(), refused, nil},
	{objchange.RuleInconsistentSensitive, "sdk_inconsistent_sensitive", sdk, apply, create(), excused, nil},
	{objchange.RuleInconsistentNullBlocks, "fw_honest", handmade, apply, create(), weak, []seen{{apply, objchange.RuleStateNullBlocks, tfcheck.Unchecked}}},
	{objchange.RuleInconsistentCount, "fw_inconsistent_count", framework, apply, create(), refused, nil},
	{objchange.RuleInconsistentCount, "sdk_inconsistent_count", sdk, apply, create(), excused, nil},
	{objchange.RuleInconsistentKey, "fw_inconsistent_key", framework, apply, create(), refused, nil},
	{objchange.RuleInconsistentKey, "sdk_inconsistent_key", sdk, apply, create(), excused, nil},
	{objchange.RuleInconsistentKey, "sdk_tags_all", sdk, plan, createFrom("tags"), refused, nil},
	{objchange.RuleInconsistentSetElement, "fw_inconsistent_set_element", framework, apply, create(), refused, nil},
	{objchange.RuleInconsistentSetElement, "sdk_inconsistent_set_element", sdk, apply, create(), excused, nil},

	{objchange.RuleStateUnknown, "fw_state_unknown", framework, apply, create(), refused, nil},
	{objchange.RuleStateUnknown, "sdk_state_unknown", sdk, apply, create(), refused, nil},
	{objchange.RuleStateUnknown, "fw_state_unknown_read", framework, read, create(), refused, nil},
	{objchange.RuleStateUnknown, "fw_state_unknown_imported", framework, importState, then(create(), importing), weak, nil},
	{objchange.RuleStateUnknown, "fw_alias", framework, plan, create(), refused, nil},
	{objchange.RuleStateUnknown, "fw_undecided", framework, data, readData(), refused, nil},
	{objchange.RuleStateNullBlocks, "fw_honest", handmade, read, create(), weak, append(drifts, again...)},
	{objchange.RuleWriteOnlyNotNull, "fw_write_only_not_null", framework, plan, create(), refused, nil},
	{objchange.RuleInconsistentValue, "fw_honest", leaks, apply, create(), refused, leaked},
	{objchange.RuleInconsistentValue, "fw_honest", leaksUpdated, apply, update("name", "b"), refused,
		append(leaked, seen{apply, objchange.RuleInconsistentSetElement, tfcheck.Rejected})},

	{tfcheck.RulePerpetualDiff, "fw_perpetual_diff", framework, plan, create(), weak, nil},
	{tfcheck.RulePerpetualDiff, "sdk_perpetual_diff", sdk, plan, create(), weak, nil},
	{tfcheck.RuleActionChanged, "fw_action_changed", framework, plan, updateFrom("name", "b"), refused,
		[]seen{{plan, objchange.RuleInconsistentUnknown, tfcheck.Rejected}, {plan, objchange.RuleInconsistentSetElement, tfcheck.Rejected}}},
	{objchange.RulePlanNotConfig, "fw_impostor", framework, open, openEphemeral(), refused, nil},
	{tfcheck.RuleDataNull, "fw_nowhere", framework, data, readData(), refused, nil},
	{objchange.RuleInconsistentValue, "sdk_nowhere", sdk, data, readData(), weak, nil}, // an object of nulls
	{tfcheck.RuleDataNull, "fw_spent", framework, open, openEphemeral(), refused, nil},
}

// noted returns a block with a note. The provider chooses the note if it is not configured.
func noted(note any) []any { return []any{map[string]any{"title": "1", "note": note}} }

// unbreakable lists the rules that a response of a provider cannot break.
var unbreakable = map[objchange.Rule]string{
	objchange.RuleInvalidInput:       "without a valid schema there is no value to judge",
	objchange.RuleConfigRequired:     "the configuration is the user's",
	objchange.RuleConfigComputedOnly: "the configuration is the user's",
	objchange.RuleConfigBlockCount:   "the configuration is the user's",
	objchange.RuleConfigUnknown:      "Terraform evaluates the configuration",
	tfcheck.RuleProposedNotCore:      "Terraform proposes the new state",
}

func TestEveryRuleIsBroken(t *testing.T) {
	rules := append(objchange.Rules(), tfcheck.RuleProposedNotCore, tfcheck.RuleActionChanged,
		tfcheck.RulePerpetualDiff, tfcheck.RuleDataNull)
	for _, rule := range rules {
		broken := false
		for _, b := range breaches {
			broken = broken || b.rule == rule
		}
		if _, never := unbreakable[rule]; broken == never {
			t.Errorf("%s: broken by a resource: %v, cannot be broken: %v", rule, broken, never)
		}
	}
}

func TestBreaches(t *testing.T) {
	for _, b := range breaches {
		t.Run(b.name(), func(t *testing.T) {
			found, err := b.run.drive(t, providerOf(t, b.made, b.rule, b.typeName), b.typeName)
			want := append([]seen{{b.rpc, b.rule, b.severity()}}, b.also...)
			if diff := cmp.Diff(want, summaries(found)); diff != "" {
				t.Errorf("findings (-want +got):\n%s%v", diff, found)
			}
			if stopped := err != nil; stopped != (b.verdict == refused) {
				t.Errorf("the run ended with %v", err)
			}
		})
	}
}

// A seen is a violation in a finding, without details.
type seen struct {
	RPC      string
	Rule     objchange.Rule
	Severity tfcheck.Severity
}

// summaries returns each violation once.
func summaries(found []tfcheck.Finding) (all []seen) {
	for _, f := range found {
		for _, v := range f.Violations {
			if s := (seen{f.RPC, v.Rule, f.Severity}); !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all
}
