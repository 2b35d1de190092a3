// Package live has the providers, the breaches of rules and the commands that several packages of
// tests use.
package live

import (
	"slices"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
)

// RPCs in which a broken rule is found.
const (
	Plan  = "PlanResourceChange"
	Apply = "ApplyResourceChange"
	Read  = "ReadResource"
	Data  = "ReadDataSource"

	Upgrade     = "UpgradeResourceState"
	ImportState = "ImportResourceState"
	Open        = "OpenEphemeralResource"
)

// Again is the finding about a plan with a change directly after apply.
var Again = []Summary{{Plan, objchange.RulePerpetualDiff, rejected}}

// Drifts is the finding about an object whose read values differ from the applied values.
var Drifts = []Summary{{Read, objchange.RulePerpetualDiff, rejected}}

// leaked is the finding about a write-only attribute in a new state.
var leaked = []Summary{{Apply, objchange.RuleWriteOnlyNotNull, rejected}}

// A Breach is one way in which a resource breaks a rule.
type Breach struct {
	Rule     objchange.Rule
	TypeName string
	Change   *Change // nil if an SDK passes the fault on
	RPC      string  // in which the broken rule is found
	Run      Operation
	Severity objchange.Severity // of the finding
	Also     []Summary          // further findings that it causes
}

// Stops reports whether Core stops with an error. Core does not compare a plan with an earlier apply.
func (b Breach) Stops() bool {
	return b.Severity == objchange.Rejected && b.Rule != objchange.RulePerpetualDiff
}

// Name returns the name of a test of the breach.
func (b Breach) Name() string {
	name := string(b.Rule) + "/" + b.TypeName
	if b.Change == nil {
		return name
	}
	return name + "/" + b.Change.Name
}

const (
	rejected  = objchange.Rejected
	tolerated = objchange.Tolerated // because of the legacy type system
	legacy    = objchange.LegacySDK // tolerated, and the legacy SDK itself causes it
	unchecked = objchange.Unchecked
)

// Breaches lists, for each rule, the resources that break it.
var Breaches = []Breach{
	{objchange.RuleTypeMismatch, "fw_honest", mistypesPlanned, Plan, Create(), rejected, nil},
	{objchange.RuleTypeMismatch, "fw_honest", mistypesUpgraded, Upgrade, Create(), rejected, nil},
	{objchange.RuleTypeMismatch, "fw_honest", mistypesUpdated, Apply, Update("name", "b"), rejected, nil},

	// Infinite numbers, which Terraform cannot write.
	{objchange.RuleTypeMismatch, "fw_infinite_planned", nil, Plan, Create(), rejected, nil},
	{objchange.RuleTypeMismatch, "fw_infinite_applied", nil, Apply, Create(), rejected, nil},
	{objchange.RuleTypeMismatch, "fw_infinite_read", nil, Read, Create(), rejected, nil},

	{objchange.RulePlanAbsent, "fw_plan_absent", nil, Plan, Create(), rejected, nil},
	{objchange.RulePlanPresent, "fw_plan_present", nil, Plan, Create(), rejected, nil},
	{objchange.RulePlanNotConfig, "fw_plan_not_config", nil, Plan, Create(), rejected, nil},
	{objchange.RulePlanNotConfig, "fw_plan_not_config_anew", nil, Plan,
		Then(Create(), Replacing, "name", "b"), rejected, nil},
	{objchange.RulePlanNotConfig, "sdk_plan_not_config", nil, Plan, Create(), tolerated, nil},
	{objchange.RulePlanNotComputed, "fw_plan_not_computed", nil, Plan, Create(), rejected, nil},
	{objchange.RulePlanNotComputed, "sdk_plan_not_computed", nil, Plan, Create(), legacy, nil},
	{objchange.RulePlanUnknownNested, "fw_plan_unknown_nested", nil, Plan, Create(), rejected, nil},
	{objchange.RulePlanUnknownBlock, "fw_plan_unknown_block", nil, Plan, Create(), rejected, nil},
	{objchange.RulePlanUnknownBlocks, "fw_plan_unknown_blocks", nil, Plan, Create(), rejected, nil},
	{objchange.RulePlanUnknownBlocks, "sdk_plan_unknown_blocks", nil, Plan, Create(), tolerated,
		append([]Summary{{Apply, objchange.RuleStateNullBlocks, unchecked}}, Again...)},
	{objchange.RulePlanNullBlocks, "fw_honest", plansNullBlocks, Plan, Create("step", []any{}), rejected, nil},
	{objchange.RulePlanDynamicBlock, "fw_plan_dynamic_block", nil, Plan, Create().late("step"), rejected, nil},
	{objchange.RulePlanCount, "fw_plan_count", nil, Plan, Create(), rejected, nil},
	{objchange.RulePlanCount, "sdk_plan_count", nil, Plan, Update("step", []any{}), tolerated, nil},
	{objchange.RulePlanKey, "fw_plan_key", nil, Plan, Create(), rejected, nil},
	{objchange.RulePlanSetElement, "fw_plan_set_element", nil, Plan, Create(), unchecked, Again},
	{objchange.RulePlanSetElement, "sdk_plan_set_element", nil, Plan, Create(), unchecked, Drifts},

	{objchange.RuleReplacePath, "fw_replace_path", nil, Plan, Create(), rejected, nil},
	{objchange.RulePlanPresent, "fw_honest", plansDestroyed, Plan, Destroyed(), rejected, nil},
	{objchange.RulePlanPresent, "sdk_honest", plansDestroyed, Plan, Destroyed(), rejected, nil}, // not tolerated

	{objchange.RuleInconsistentPresence, "fw_inconsistent_presence", nil, Apply,
		Create("log", map[string]any{"target": "x"}), rejected, nil},
	{objchange.RuleInconsistentPresence, "sdk_inconsistent_presence", nil, Apply, Create(), rejected, nil},
	{objchange.RuleInconsistentPresence, "fw_honest", KeepsDeleted, Apply, Destroyed(), rejected, nil},
	{objchange.RuleInconsistentPresence, "sdk_honest", KeepsDeleted, Apply, Destroyed(), rejected, nil},
	{objchange.RuleInconsistentValue, "fw_inconsistent_value", nil, Apply, Create(), rejected, nil},
	{objchange.RuleInconsistentValue, "fw_inconsistent_chosen", nil, Apply, Create("step", Noted("x")), rejected, nil},
	{objchange.RuleInconsistentValue, "sdk_inconsistent_value", nil, Apply, Create(), tolerated, nil},
	{objchange.RuleInconsistentUnknown, "fw_inconsistent_unknown", nil, Plan, Create().late("name"), rejected, nil},
	{objchange.RuleInconsistentUnknown, "sdk_inconsistent_unknown", nil, Plan, Create().late("name"), rejected, nil},
	{objchange.RuleInconsistentType, "fw_inconsistent_type", nil, Apply, Create(), rejected, nil},
	{objchange.RuleInconsistentRefinement, "fw_honest", refines, Apply, Create(), rejected, nil},
	{objchange.RuleInconsistentSensitive, "fw_inconsistent_sensitive", nil, Apply, Create(), rejected, nil},
	{objchange.RuleInconsistentSensitive, "sdk_inconsistent_sensitive", nil, Apply, Create(), tolerated, nil},
	{objchange.RuleInconsistentNullBlocks, "fw_honest", appliesNullBlocks, Apply, Create(), unchecked,
		[]Summary{{Apply, objchange.RuleStateNullBlocks, unchecked}}},
	{objchange.RuleInconsistentCount, "fw_inconsistent_count", nil, Apply, Create(), rejected, nil},
	{objchange.RuleInconsistentCount, "sdk_inconsistent_count", nil, Apply, Create(), tolerated, nil},
	{objchange.RuleInconsistentKey, "fw_inconsistent_key", nil, Apply, Create(), rejected, nil},
	{objchange.RuleInconsistentKey, "sdk_inconsistent_key", nil, Apply, Create(), tolerated, nil},
	{objchange.RuleInconsistentKey, "sdk_tags_all", nil, Plan, Create().late("tags"), rejected, nil},
	{objchange.RuleInconsistentSetElement, "fw_inconsistent_set_element", nil, Apply, Create(), rejected, nil},
	{objchange.RuleInconsistentSetElement, "sdk_inconsistent_set_element", nil, Apply, Create(), tolerated, nil},

	{objchange.RuleStateUnknown, "fw_state_unknown", nil, Apply, Create(), rejected, nil},
	{objchange.RuleStateUnknown, "sdk_state_unknown", nil, Apply, Create(), rejected, nil},
	{objchange.RuleStateUnknown, "fw_state_unknown_read", nil, Read, Create(), rejected, nil},
	{objchange.RuleStateUnknown, "fw_state_unknown_imported", nil, ImportState,
		Then(Create(), Importing), unchecked, nil},
	{objchange.RuleStateUnknown, "fw_alias", nil, Plan, Create(), rejected, nil},
	{objchange.RuleStateUnknown, "fw_undecided", nil, Data, ReadData(), rejected, nil},
	{objchange.RuleStateNullBlocks, "fw_honest", readsNullBlocks, Read, Create(), unchecked, append(Drifts, Again...)},
	{objchange.RuleWriteOnlyNotNull, "fw_write_only_not_null", nil, Plan, Create(), rejected, nil},
	{objchange.RuleInconsistentValue, "fw_honest", Leaks, Apply, Create(), rejected, leaked},
	{objchange.RuleInconsistentValue, "fw_honest", LeaksUpdated, Apply, Update("name", "b"), rejected,
		append(leaked, Summary{Apply, objchange.RuleInconsistentSetElement, rejected})},

	{objchange.RulePerpetualDiff, "fw_perpetual_diff", nil, Plan, Create(), rejected, nil},
	{objchange.RulePerpetualDiff, "sdk_perpetual_diff", nil, Plan, Create(), rejected, nil},
	{objchange.RuleActionChanged, "fw_action_changed", nil, Plan, Update("name", "b").late("name"), rejected,
		[]Summary{
			{Plan, objchange.RuleInconsistentUnknown, rejected},
			{Plan, objchange.RuleInconsistentSetElement, rejected},
		}},
	{objchange.RulePlanNotConfig, "fw_impostor", nil, Open, OpenEphemeral(), rejected, nil},
	{objchange.RuleDataNull, "fw_nowhere", nil, Data, ReadData(), rejected, nil},
	{objchange.RuleInconsistentValue, "sdk_nowhere", nil, Data, ReadData(), unchecked, nil}, // an object of nulls
	{objchange.RuleDataNull, "fw_spent", nil, Open, OpenEphemeral(), rejected, nil},
}

// Noted returns a block with a note. The provider chooses the note if it is not configured.
func Noted(note any) []any { return []any{map[string]any{"title": "1", "note": note}} }

// A Summary is a violation in a finding without its details.
type Summary struct {
	RPC      string
	Rule     objchange.Rule
	Severity objchange.Severity
}

// Saw returns the summary of a violation.
func Saw(rpc string, rule objchange.Rule, severity objchange.Severity) Summary {
	return Summary{rpc, rule, severity}
}

// Summaries returns each violation once.
func Summaries(found []tfcheck.Finding) (all []Summary) {
	for _, f := range found {
		for _, v := range f.Violations {
			if s := (Summary{f.RPC, v.Rule, f.Severity}); !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all
}

// SupportedSince lists the resource types with faults that Terraform 1.11 does not know, and the
// version that does.
var SupportedSince = map[string]string{
	"fw_alias": "1.12", // identities
}

// OfTwoPlans is a fault that needs two exchanges to find.
const OfTwoPlans = "Provider produced inconsistent final plan"
