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
	handmade  = "hand-made" // neither SDK passes the fault on; see changed_server_test.go
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

// A reaction is Core's reaction to a breach.
type reaction int

const (
	coreRejects   reaction = iota // Core stops with an error
	coreTolerates                 // Core tolerates it because of the legacy type system
	coreIgnores                   // Core does not check it
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
	reaction reaction
	also     []seen // further findings that it causes
}

// severity returns the severity of the finding.
func (b breach) severity() tfcheck.Severity {
	switch {
	case b.reaction == coreTolerates:
		return tfcheck.Tolerated
	case b.reaction == coreRejects || b.rule == tfcheck.RulePerpetualDiff:
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
	{objchange.RuleTypeMismatch, "fw_honest", handmade, plan, create(), coreRejects, nil},
	{objchange.RuleTypeMismatch, "fw_honest", mistypesUpgraded, upgrade, create(), coreRejects, nil},
	{objchange.RuleTypeMismatch, "fw_honest", mistypesUpdated, apply, update("name", "b"), coreRejects, nil},

	// Infinite numbers, which Terraform cannot write.
	{objchange.RuleTypeMismatch, "fw_infinite_planned", framework, plan, create(), coreRejects, nil},
	{objchange.RuleTypeMismatch, "fw_infinite_applied", framework, apply, create(), coreRejects, nil},
	{objchange.RuleTypeMismatch, "fw_infinite_read", framework, read, create(), coreRejects, nil},

	{objchange.RulePlanAbsent, "fw_plan_absent", framework, plan, create(), coreRejects, nil},
	{objchange.RulePlanPresent, "fw_plan_present", framework, plan, create(), coreRejects, nil},
	{objchange.RulePlanNotConfig, "fw_plan_not_config", framework, plan, create(), coreRejects, nil},
	{objchange.RulePlanNotConfig, "fw_plan_not_config_anew", framework, plan, then(create(), replacing, "name", "b"), coreRejects, nil},
	{objchange.RulePlanNotConfig, "sdk_plan_not_config", sdk, plan, create(), coreTolerates, nil},
	{objchange.RulePlanNotComputed, "fw_plan_not_computed", framework, plan, create(), coreRejects, nil},
	{objchange.RulePlanNotComputed, "sdk_plan_not_computed", sdk, plan, create(), coreTolerates, nil},
	{objchange.RulePlanUnknownNested, "fw_plan_unknown_nested", framework, plan, create(), coreRejects, nil},
	{objchange.RulePlanUnknownBlock, "fw_plan_unknown_block", framework, plan, create(), coreRejects, nil},
	{objchange.RulePlanUnknownBlocks, "fw_plan_unknown_blocks", framework, plan, create(), coreRejects, nil},
	{objchange.RulePlanUnknownBlocks, "sdk_plan_unknown_blocks", sdk, plan, create(), coreTolerates,
		append([]seen{{apply, objchange.RuleStateNullBlocks, tfcheck.Unchecked}}, again...)},
	{objchange.RulePlanNullBlocks, "fw_honest", handmade, plan, create("step", []any{}), coreRejects, nil},
	{objchange.RulePlanDynamicBlock, "fw_plan_dynamic_block", framework, plan, createFrom("step"), coreRejects, nil},
	{objchange.RulePlanCount, "fw_plan_count", framework, plan, create(), coreRejects, nil},
	{objchange.RulePlanCount, "sdk_plan_count", sdk, plan, update("step", []any{}), coreTolerates, nil},
	{objchange.RulePlanKey, "fw_plan_key", framework, plan, create(), coreRejects, nil},
	{objchange.RulePlanSetElement, "fw_plan_set_element", framework, plan, create(), coreIgnores, again},
	{objchange.RulePlanSetElement, "sdk_plan_set_element", sdk, plan, create(), coreIgnores, drifts},

	{objchange.RuleReplacePath, "fw_replace_path", framework, plan, create(), coreRejects, nil},
	{objchange.RulePlanPresent, "fw_honest", plansDestroyed, plan, destroyed(), coreRejects, nil},
	{objchange.RulePlanPresent, "sdk_honest", plansDestroyed, plan, destroyed(), coreRejects, nil}, // not tolerated

	{objchange.RuleInconsistentPresence, "fw_inconsistent_presence", framework, apply, create("log", map[string]any{"target": "x"}), coreRejects, nil},
	{objchange.RuleInconsistentPresence, "sdk_inconsistent_presence", sdk, apply, create(), coreRejects, nil},
	{objchange.RuleInconsistentPresence, "fw_honest", keepsDeleted, apply, destroyed(), coreRejects, nil},
	{objchange.RuleInconsistentPresence, "sdk_honest", keepsDeleted, apply, destroyed(), coreRejects, nil},
	{objchange.RuleInconsistentValue, "fw_inconsistent_value", framework, apply, create(), coreRejects, nil},
	{objchange.RuleInconsistentValue, "fw_inconsistent_chosen", framework, apply, create("step", noted("x")), coreRejects, nil},
	{objchange.RuleInconsistentValue, "sdk_inconsistent_value", sdk, apply, create(), coreTolerates, nil},
	{objchange.RuleInconsistentUnknown, "fw_inconsistent_unknown", framework, plan, createFrom("name"), coreRejects, nil},
	{objchange.RuleInconsistentUnknown, "sdk_inconsistent_unknown", sdk, plan, createFrom("name"), coreRejects, nil},
	{objchange.RuleInconsistentType, "fw_inconsistent_type", framework, apply, create(), coreRejects, nil},
	{objchange.RuleInconsistentRefinement, "fw_honest", handmade, apply, create(), coreRejects, nil},
	{objchange.RuleInconsistentSensitive, "fw_inconsistent_sensitive", framework, apply, create(), coreRejects, nil},
	{objchange.RuleInconsistentSensitive, "sdk_inconsistent_sensitive", sdk, apply, create(), coreTolerates, nil},
	{objchange.RuleInconsistentNullBlocks, "fw_honest", handmade, apply, create(), coreIgnores, []seen{{apply, objchange.RuleStateNullBlocks, tfcheck.Unchecked}}},
	{objchange.RuleInconsistentCount, "fw_inconsistent_count", framework, apply, create(), coreRejects, nil},
	{objchange.RuleInconsistentCount, "sdk_inconsistent_count", sdk, apply, create(), coreTolerates, nil},
	{objchange.RuleInconsistentKey, "fw_inconsistent_key", framework, apply, create(), coreRejects, nil},
	{objchange.RuleInconsistentKey, "sdk_inconsistent_key", sdk, apply, create(), coreTolerates, nil},
	{objchange.RuleInconsistentKey, "sdk_tags_all", sdk, plan, createFrom("tags"), coreRejects, nil},
	{objchange.RuleInconsistentSetElement, "fw_inconsistent_set_element", framework, apply, create(), coreRejects, nil},
	{objchange.RuleInconsistentSetElement, "sdk_inconsistent_set_element", sdk, apply, create(), coreTolerates, nil},

	{objchange.RuleStateUnknown, "fw_state_unknown", framework, apply, create(), coreRejects, nil},
	{objchange.RuleStateUnknown, "sdk_state_unknown", sdk, apply, create(), coreRejects, nil},
	{objchange.RuleStateUnknown, "fw_state_unknown_read", framework, read, create(), coreRejects, nil},
	{objchange.RuleStateUnknown, "fw_state_unknown_imported", framework, importState, then(create(), importing), coreIgnores, nil},
	{objchange.RuleStateUnknown, "fw_alias", framework, plan, create(), coreRejects, nil},
	{objchange.RuleStateUnknown, "fw_undecided", framework, data, readData(), coreRejects, nil},
	{objchange.RuleStateNullBlocks, "fw_honest", handmade, read, create(), coreIgnores, append(drifts, again...)},
	{objchange.RuleWriteOnlyNotNull, "fw_write_only_not_null", framework, plan, create(), coreRejects, nil},
	{objchange.RuleInconsistentValue, "fw_honest", leaks, apply, create(), coreRejects, leaked},
	{objchange.RuleInconsistentValue, "fw_honest", leaksUpdated, apply, update("name", "b"), coreRejects,
		append(leaked, seen{apply, objchange.RuleInconsistentSetElement, tfcheck.Rejected})},

	{tfcheck.RulePerpetualDiff, "fw_perpetual_diff", framework, plan, create(), coreIgnores, nil},
	{tfcheck.RulePerpetualDiff, "sdk_perpetual_diff", sdk, plan, create(), coreIgnores, nil},
	{tfcheck.RuleActionChanged, "fw_action_changed", framework, plan, updateFrom("name", "b"), coreRejects,
		[]seen{{plan, objchange.RuleInconsistentUnknown, tfcheck.Rejected}, {plan, objchange.RuleInconsistentSetElement, tfcheck.Rejected}}},
	{objchange.RulePlanNotConfig, "fw_impostor", framework, open, openEphemeral(), coreRejects, nil},
	{tfcheck.RuleDataNull, "fw_nowhere", framework, data, readData(), coreRejects, nil},
	{objchange.RuleInconsistentValue, "sdk_nowhere", sdk, data, readData(), coreIgnores, nil}, // an object of nulls
	{tfcheck.RuleDataNull, "fw_spent", framework, open, openEphemeral(), coreRejects, nil},
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
			if stopped := err != nil; stopped != (b.reaction == coreRejects) {
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
