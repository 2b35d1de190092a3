package objchange

import "strings"

// A Rule is the name of one law that a value can break (sections 6 to 12).
type Rule string

// The rules, in the order of the lifecycle.
const (
	// RuleInvalidInput: an argument is no use at all (section 6).
	RuleInvalidInput Rule = "invalid-input"
	// RuleTypeMismatch: a value does not conform to the type that the schema
	// implies (sections 2 and 6).
	RuleTypeMismatch Rule = "type-mismatch"

	// RuleConfigRequired: a required attribute is null (section 11).
	RuleConfigRequired Rule = "config-required"
	// RuleConfigComputedOnly: an attribute that only the provider may set is
	// configured (section 11).
	RuleConfigComputedOnly Rule = "config-computed-only"
	// RuleConfigBlockCount: there are too few or too many blocks (section 11).
	RuleConfigBlockCount Rule = "config-block-count"
	// RuleConfigUnknown: the configuration at apply is not wholly known (section 11).
	RuleConfigUnknown Rule = "config-unknown"

	// RulePlanAbsent: planned null where the configuration is not (section 7).
	RulePlanAbsent Rule = "plan-absent"
	// RulePlanPresent: planned an object where the configuration has none (section 7).
	RulePlanPresent Rule = "plan-present"
	// RulePlanNotConfig: planned neither the configured nor the prior value (section 7).
	RulePlanNotConfig Rule = "plan-not-config"
	// RulePlanNotComputed: planned a value for an attribute that is neither
	// configured nor computed (section 7).
	RulePlanNotComputed Rule = "plan-not-computed"
	// RulePlanUnknownNested: planned a configured nested attribute unknown as a
	// whole (section 7).
	RulePlanUnknownNested Rule = "plan-unknown-nested"
	// RulePlanUnknownBlock: planned the resource, or one block of a collection,
	// unknown as a whole (section 7).
	RulePlanUnknownBlock Rule = "plan-unknown-block"
	// RulePlanUnknownBlocks: planned all blocks of a type unknown (section 7).
	RulePlanUnknownBlocks Rule = "plan-unknown-blocks"
	// RulePlanNullBlocks: planned null where blocks would be an empty collection (section 7).
	RulePlanNullBlocks Rule = "plan-null-blocks"
	// RulePlanDynamicBlock: planned anything but the unknown value for blocks
	// whose number is not known yet (section 7).
	RulePlanDynamicBlock Rule = "plan-dynamic-block"
	// RulePlanCount: planned another number of elements than configured (section 7).
	RulePlanCount Rule = "plan-count"
	// RulePlanKey: planned other map keys than configured (section 7).
	RulePlanKey Rule = "plan-key"
	// RulePlanSetElement: a planned set element comes from no configured one,
	// or the other way round (section 8).
	RulePlanSetElement Rule = "plan-set-element"

	// RuleReplacePath: a path that requires replacement leads nowhere (section 12).
	RuleReplacePath Rule = "replace-path"

	// RuleInconsistentPresence: an object appeared or vanished (section 9).
	RuleInconsistentPresence Rule = "inconsistent-presence"
	// RuleInconsistentValue: a known value changed (section 9).
	RuleInconsistentValue Rule = "inconsistent-value"
	// RuleInconsistentUnknown: a known value became unknown (section 9).
	RuleInconsistentUnknown Rule = "inconsistent-unknown"
	// RuleInconsistentType: a value's type changed (section 9).
	RuleInconsistentType Rule = "inconsistent-type"
	// RuleInconsistentRefinement: a value is outside what its unknown
	// predecessor promised (section 9).
	RuleInconsistentRefinement Rule = "inconsistent-refinement"
	// RuleInconsistentSensitive: something at or below a sensitive attribute
	// changed; nothing more is told (section 9).
	RuleInconsistentSensitive Rule = "inconsistent-sensitive"
	// RuleInconsistentNullBlocks: blocks became null (section 9).
	RuleInconsistentNullBlocks Rule = "inconsistent-null-blocks"
	// RuleInconsistentCount: the number of elements changed (section 9).
	RuleInconsistentCount Rule = "inconsistent-count"
	// RuleInconsistentKey: keys of a map or indexes of a list appeared or
	// vanished (section 9).
	RuleInconsistentKey Rule = "inconsistent-key"
	// RuleInconsistentSetElement: a set element has no counterpart (section 9).
	RuleInconsistentSetElement Rule = "inconsistent-set-element"

	// RuleStateUnknown: a state holds an unknown value (section 10).
	RuleStateUnknown Rule = "state-unknown"
	// RuleStateNullBlocks: a state holds null where blocks would be an empty
	// collection (section 10).
	RuleStateNullBlocks Rule = "state-null-blocks"
	// RuleWriteOnlyNotNull: a write-only attribute is not null in a plan or a
	// state (sections 7 and 10).
	RuleWriteOnlyNotNull Rule = "write-only-not-null"
)

// ruleDescriptions has one line for each rule, in the order of the lifecycle.
var ruleDescriptions = []struct {
	rule Rule
	text string
}{
	{RuleInvalidInput, "the schema and the values must be usable"},
	{RuleTypeMismatch, "a value must conform to the type that its schema implies"},
	{RuleConfigRequired, "a configuration must set every required attribute"},
	{RuleConfigComputedOnly, "a configuration must not set what only the provider may choose"},
	{RuleConfigBlockCount, "a configuration must have as many blocks as the schema allows"},
	{RuleConfigUnknown, "the configuration at apply must be wholly known"},
	{RulePlanAbsent, "a plan must not drop what is configured"},
	{RulePlanPresent, "a plan must not add an object that is not configured"},
	{RulePlanNotConfig, "a plan must hold the configured value, or the prior one"},
	{RulePlanNotComputed, "a plan must leave null what is neither configured nor computed"},
	{RulePlanUnknownNested, "a plan must not make a configured nested attribute unknown as a whole"},
	{RulePlanUnknownBlock, "a plan must not make a resource or a block unknown as a whole"},
	{RulePlanUnknownBlocks, "a plan must not make configured blocks unknown as a whole"},
	{RulePlanNullBlocks, "a plan must hold an empty collection, not null, where there are no blocks"},
	{RulePlanDynamicBlock, "a plan must leave unknown the blocks whose number is not known yet"},
	{RulePlanCount, "a plan must hold as many elements as the configuration"},
	{RulePlanKey, "a plan must hold the map keys of the configuration"},
	{RulePlanSetElement, "each planned set element must come from a configured one, and each configured one must be planned"},
	{RuleReplacePath, "a path that requires replacement must lead to something"},
	{RuleInconsistentPresence, "a planned object must stay, and an absent one must stay absent"},
	{RuleInconsistentValue, "a planned value must stay as it is"},
	{RuleInconsistentUnknown, "a planned value that is known must not become unknown"},
	{RuleInconsistentType, "a planned value must keep its type"},
	{RuleInconsistentRefinement, "a value must be one that its unknown placeholder promised"},
	{RuleInconsistentSensitive, "a planned sensitive value must stay as it is"},
	{RuleInconsistentNullBlocks, "planned blocks must not become null"},
	{RuleInconsistentCount, "the planned number of elements must stay"},
	{RuleInconsistentKey, "planned map keys and list indexes must stay"},
	{RuleInconsistentSetElement, "each planned set element must have its counterpart, and nothing else may be there"},
	{RuleStateUnknown, "a state must be wholly known"},
	{RuleStateNullBlocks, "a state must hold an empty collection, not null, where there are no blocks"},
	{RuleWriteOnlyNotNull, "a write-only attribute must be null in every plan and state"},
}

// Rules returns all rules in the order of the lifecycle.
func Rules() []Rule {
	rules := make([]Rule, len(ruleDescriptions))
	for i, d := range ruleDescriptions {
		rules[i] = d.rule
	}
	return rules
}

// Description returns the rule in one line, written as what must hold, or ""
// for a name that is no rule.
func (r Rule) Description() string {
	for _, d := range ruleDescriptions {
		if d.rule == r {
			return d.text
		}
	}
	return ""
}

// ExcusedForLegacySDK reports whether Terraform Core only logs the rule when it is
// broken in that phase by a provider which says that it is built with the legacy
// SDK, whose type system cannot keep it: the rules of a plan in both plans, and
// those of consistency in the new state, but not between the two plans. Of the
// object as a whole even that is not excused: see Violation.ExcusedForLegacySDK.
// For a name that is no rule of this package it reports false.
func (r Rule) ExcusedForLegacySDK(phase Phase) bool {
	switch phase {
	case PhasePlan, PhaseReplan:
		return r.isPlan() && r.Description() != ""
	case PhaseApply:
		return r.isConsistency() && r.Description() != ""
	}
	return false
}

// isConsistency reports whether the rule is one of section 9.
func (r Rule) isConsistency() bool { return strings.HasPrefix(string(r), "inconsistent-") }

// isPlan reports whether the rule is one of sections 7 and 8.
func (r Rule) isPlan() bool { return strings.HasPrefix(string(r), "plan-") }
