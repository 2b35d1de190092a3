// Package live has the providers, the breaches of rules and the commands that several packages of
// tests use.
package live

import (
	"slices"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
)

// These are kinds of providers. changed_server.go has more.
const (
	Framework = "framework"
	SDK       = "sdk"       // the legacy type system makes Core tolerate its plans and new states
	Handmade  = "hand-made" // the SDKs do not pass its fault on; see withChanges
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

// A Reaction is Core's reaction to a breach.
type Reaction int

// Core's reactions.
const (
	CoreRejects   Reaction = iota // Core stops with an error
	CoreTolerates                 // Core tolerates it because of the legacy type system
	CoreIgnores                   // Core does not check it
	LegacyCauses                  // Core tolerates it, and the legacy SDK itself causes it
)

// Again is the finding about a plan with a change directly after apply.
var Again = []Summary{{Plan, objchange.RulePerpetualDiff, objchange.Rejected}}

// Drifts is the finding about an object whose read values differ from the applied values.
var Drifts = []Summary{{Read, objchange.RulePerpetualDiff, objchange.Rejected}}

// leaked is the finding about a write-only attribute in a new state.
var leaked = []Summary{{Apply, objchange.RuleWriteOnlyNotNull, objchange.Rejected}}

// A Breach is one way in which a resource breaks a rule.
type Breach struct {
	Rule     objchange.Rule
	TypeName string
	Made     string // the kind of the provider
	RPC      string // in which the broken rule is found
	Run      Operation
	Reaction Reaction
	Also     []Summary // further findings that it causes
}

// Severity returns the severity of the finding.
func (b Breach) Severity() objchange.Severity {
	switch {
	case b.Reaction == CoreTolerates:
		return objchange.Tolerated
	case b.Reaction == LegacyCauses:
		return objchange.LegacySDK
	case b.Reaction == CoreRejects || b.Rule == objchange.RulePerpetualDiff:
		return objchange.Rejected
	}
	return objchange.Unchecked
}

// Name returns the name of a test of the breach.
func (b Breach) Name() string {
	name := string(b.Rule) + "/" + b.TypeName
	if b.Made == Framework || b.Made == SDK {
		return name
	}
	return name + "/" + b.Made
}

// Breaches lists, for each rule, the resources that break it, the kind of provider, the RPC in
// which it is found, and Core's reaction.
var Breaches = []Breach{
	{objchange.RuleTypeMismatch, "fw_honest", Handmade, Plan, Create(), CoreRejects, nil},
	{objchange.RuleTypeMismatch, "fw_honest", mistypesUpgraded, Upgrade, Create(), CoreRejects, nil},
	{objchange.RuleTypeMismatch, "fw_honest", MistypesUpdated, Apply, Update("name", "b"), CoreRejects, nil},

	// Infinite numbers, which Terraform cannot write.
	{objchange.RuleTypeMismatch, "fw_infinite_planned", Framework, Plan, Create(), CoreRejects, nil},
	{objchange.RuleTypeMismatch, "fw_infinite_applied", Framework, Apply, Create(), CoreRejects, nil},
	{objchange.RuleTypeMismatch, "fw_infinite_read", Framework, Read, Create(), CoreRejects, nil},

	{objchange.RulePlanAbsent, "fw_plan_absent", Framework, Plan, Create(), CoreRejects, nil},
	{objchange.RulePlanPresent, "fw_plan_present", Framework, Plan, Create(), CoreRejects, nil},
	{objchange.RulePlanNotConfig, "fw_plan_not_config", Framework, Plan, Create(), CoreRejects, nil},
	{objchange.RulePlanNotConfig, "fw_plan_not_config_anew", Framework, Plan,
		Then(Create(), Replacing, "name", "b"), CoreRejects, nil},
	{objchange.RulePlanNotConfig, "sdk_plan_not_config", SDK, Plan, Create(), CoreTolerates, nil},
	{objchange.RulePlanNotComputed, "fw_plan_not_computed", Framework, Plan, Create(), CoreRejects, nil},
	{objchange.RulePlanNotComputed, "sdk_plan_not_computed", SDK, Plan, Create(), LegacyCauses, nil},
	{objchange.RulePlanUnknownNested, "fw_plan_unknown_nested", Framework, Plan, Create(), CoreRejects, nil},
	{objchange.RulePlanUnknownBlock, "fw_plan_unknown_block", Framework, Plan, Create(), CoreRejects, nil},
	{objchange.RulePlanUnknownBlocks, "fw_plan_unknown_blocks", Framework, Plan, Create(), CoreRejects, nil},
	{objchange.RulePlanUnknownBlocks, "sdk_plan_unknown_blocks", SDK, Plan, Create(), CoreTolerates,
		append([]Summary{{Apply, objchange.RuleStateNullBlocks, objchange.Unchecked}}, Again...)},
	{objchange.RulePlanNullBlocks, "fw_honest", Handmade, Plan, Create("step", []any{}), CoreRejects, nil},
	{objchange.RulePlanDynamicBlock, "fw_plan_dynamic_block", Framework, Plan, createFrom("step"), CoreRejects, nil},
	{objchange.RulePlanCount, "fw_plan_count", Framework, Plan, Create(), CoreRejects, nil},
	{objchange.RulePlanCount, "sdk_plan_count", SDK, Plan, Update("step", []any{}), CoreTolerates, nil},
	{objchange.RulePlanKey, "fw_plan_key", Framework, Plan, Create(), CoreRejects, nil},
	{objchange.RulePlanSetElement, "fw_plan_set_element", Framework, Plan, Create(), CoreIgnores, Again},
	{objchange.RulePlanSetElement, "sdk_plan_set_element", SDK, Plan, Create(), CoreIgnores, Drifts},

	{objchange.RuleReplacePath, "fw_replace_path", Framework, Plan, Create(), CoreRejects, nil},
	{objchange.RulePlanPresent, "fw_honest", PlansDestroyed, Plan, Destroyed(), CoreRejects, nil},
	{objchange.RulePlanPresent, "sdk_honest", PlansDestroyed, Plan, Destroyed(), CoreRejects, nil}, // not tolerated

	{objchange.RuleInconsistentPresence, "fw_inconsistent_presence", Framework, Apply,
		Create("log", map[string]any{"target": "x"}), CoreRejects, nil},
	{objchange.RuleInconsistentPresence, "sdk_inconsistent_presence", SDK, Apply, Create(), CoreRejects, nil},
	{objchange.RuleInconsistentPresence, "fw_honest", KeepsDeleted, Apply, Destroyed(), CoreRejects, nil},
	{objchange.RuleInconsistentPresence, "sdk_honest", KeepsDeleted, Apply, Destroyed(), CoreRejects, nil},
	{objchange.RuleInconsistentValue, "fw_inconsistent_value", Framework, Apply, Create(), CoreRejects, nil},
	{objchange.RuleInconsistentValue, "fw_inconsistent_chosen", Framework, Apply,
		Create("step", Noted("x")), CoreRejects, nil},
	{objchange.RuleInconsistentValue, "sdk_inconsistent_value", SDK, Apply, Create(), CoreTolerates, nil},
	{objchange.RuleInconsistentUnknown, "fw_inconsistent_unknown", Framework, Plan,
		createFrom("name"), CoreRejects, nil},
	{objchange.RuleInconsistentUnknown, "sdk_inconsistent_unknown", SDK, Plan, createFrom("name"), CoreRejects, nil},
	{objchange.RuleInconsistentType, "fw_inconsistent_type", Framework, Apply, Create(), CoreRejects, nil},
	{objchange.RuleInconsistentRefinement, "fw_honest", Handmade, Apply, Create(), CoreRejects, nil},
	{objchange.RuleInconsistentSensitive, "fw_inconsistent_sensitive", Framework, Apply, Create(), CoreRejects, nil},
	{objchange.RuleInconsistentSensitive, "sdk_inconsistent_sensitive", SDK, Apply, Create(), CoreTolerates, nil},
	{objchange.RuleInconsistentNullBlocks, "fw_honest", Handmade, Apply, Create(), CoreIgnores,
		[]Summary{{Apply, objchange.RuleStateNullBlocks, objchange.Unchecked}}},
	{objchange.RuleInconsistentCount, "fw_inconsistent_count", Framework, Apply, Create(), CoreRejects, nil},
	{objchange.RuleInconsistentCount, "sdk_inconsistent_count", SDK, Apply, Create(), CoreTolerates, nil},
	{objchange.RuleInconsistentKey, "fw_inconsistent_key", Framework, Apply, Create(), CoreRejects, nil},
	{objchange.RuleInconsistentKey, "sdk_inconsistent_key", SDK, Apply, Create(), CoreTolerates, nil},
	{objchange.RuleInconsistentKey, "sdk_tags_all", SDK, Plan, createFrom("tags"), CoreRejects, nil},
	{objchange.RuleInconsistentSetElement, "fw_inconsistent_set_element", Framework, Apply, Create(), CoreRejects, nil},
	{objchange.RuleInconsistentSetElement, "sdk_inconsistent_set_element", SDK, Apply, Create(), CoreTolerates, nil},

	{objchange.RuleStateUnknown, "fw_state_unknown", Framework, Apply, Create(), CoreRejects, nil},
	{objchange.RuleStateUnknown, "sdk_state_unknown", SDK, Apply, Create(), CoreRejects, nil},
	{objchange.RuleStateUnknown, "fw_state_unknown_read", Framework, Read, Create(), CoreRejects, nil},
	{objchange.RuleStateUnknown, "fw_state_unknown_imported", Framework, ImportState,
		Then(Create(), Importing), CoreIgnores, nil},
	{objchange.RuleStateUnknown, "fw_alias", Framework, Plan, Create(), CoreRejects, nil},
	{objchange.RuleStateUnknown, "fw_undecided", Framework, Data, ReadData(), CoreRejects, nil},
	{objchange.RuleStateNullBlocks, "fw_honest", Handmade, Read, Create(), CoreIgnores, append(Drifts, Again...)},
	{objchange.RuleWriteOnlyNotNull, "fw_write_only_not_null", Framework, Plan, Create(), CoreRejects, nil},
	{objchange.RuleInconsistentValue, "fw_honest", Leaks, Apply, Create(), CoreRejects, leaked},
	{objchange.RuleInconsistentValue, "fw_honest", LeaksUpdated, Apply, Update("name", "b"), CoreRejects,
		append(leaked, Summary{Apply, objchange.RuleInconsistentSetElement, objchange.Rejected})},

	{objchange.RulePerpetualDiff, "fw_perpetual_diff", Framework, Plan, Create(), CoreIgnores, nil},
	{objchange.RulePerpetualDiff, "sdk_perpetual_diff", SDK, Plan, Create(), CoreIgnores, nil},
	{objchange.RuleActionChanged, "fw_action_changed", Framework, Plan, updateFrom("name", "b"), CoreRejects,
		[]Summary{
			{Plan, objchange.RuleInconsistentUnknown, objchange.Rejected},
			{Plan, objchange.RuleInconsistentSetElement, objchange.Rejected},
		}},
	{objchange.RulePlanNotConfig, "fw_impostor", Framework, Open, OpenEphemeral(), CoreRejects, nil},
	{objchange.RuleDataNull, "fw_nowhere", Framework, Data, ReadData(), CoreRejects, nil},
	{objchange.RuleInconsistentValue, "sdk_nowhere", SDK, Data, ReadData(), CoreIgnores, nil}, // an object of nulls
	{objchange.RuleDataNull, "fw_spent", Framework, Open, OpenEphemeral(), CoreRejects, nil},
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
