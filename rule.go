package objchange

// A Rule identifies one check, such as "plan-not-config". [Rule.Info] describes it.
type Rule string

// The rules, in the order of the lifecycle.
const (
	// RuleInvalidInput: an argument is no use at all.
	RuleInvalidInput Rule = "invalid-input"
	// RuleTypeMismatch: a value does not conform to the type that the schema
	// implies.
	RuleTypeMismatch Rule = "type-mismatch"

	// RuleConfigRequired: a required attribute is null.
	RuleConfigRequired Rule = "config-required"
	// RuleConfigComputedOnly: an attribute that only the provider may set is
	// configured.
	RuleConfigComputedOnly Rule = "config-computed-only"
	// RuleConfigBlockCount: there are too few or too many blocks.
	RuleConfigBlockCount Rule = "config-block-count"
	// RuleConfigUnknown: the configuration at apply is not wholly known.
	RuleConfigUnknown Rule = "config-unknown"

	// RulePlanAbsent: planned null where the configuration is not.
	RulePlanAbsent Rule = "plan-absent"
	// RulePlanPresent: planned an object where the configuration has none.
	RulePlanPresent Rule = "plan-present"
	// RulePlanNotConfig: planned neither the configured nor the prior value.
	RulePlanNotConfig Rule = "plan-not-config"
	// RulePlanNotComputed: planned a value for an attribute that is neither
	// configured nor computed.
	RulePlanNotComputed Rule = "plan-not-computed"
	// RulePlanUnknownNested: planned a configured nested attribute unknown as a
	// whole.
	RulePlanUnknownNested Rule = "plan-unknown-nested"
	// RulePlanUnknownBlock: planned the resource, or one block of a collection,
	// unknown as a whole.
	RulePlanUnknownBlock Rule = "plan-unknown-block"
	// RulePlanUnknownBlocks: planned all blocks of a type unknown.
	RulePlanUnknownBlocks Rule = "plan-unknown-blocks"
	// RulePlanNullBlocks: planned null where blocks would be an empty collection.
	RulePlanNullBlocks Rule = "plan-null-blocks"
	// RulePlanDynamicBlock: planned anything but the unknown value for blocks
	// whose number is not known yet.
	RulePlanDynamicBlock Rule = "plan-dynamic-block"
	// RulePlanCount: planned another number of elements than configured.
	RulePlanCount Rule = "plan-count"
	// RulePlanKey: planned other map keys than configured.
	RulePlanKey Rule = "plan-key"
	// RulePlanSetElement: a planned set element comes from no configured one,
	// or the other way round.
	RulePlanSetElement Rule = "plan-set-element"

	// RuleReplacePath: a path that requires replacement leads nowhere.
	RuleReplacePath Rule = "replace-path"

	// RuleInconsistentPresence: an object appeared or vanished.
	RuleInconsistentPresence Rule = "inconsistent-presence"
	// RuleInconsistentValue: a known value changed.
	RuleInconsistentValue Rule = "inconsistent-value"
	// RuleInconsistentUnknown: a known value became unknown.
	RuleInconsistentUnknown Rule = "inconsistent-unknown"
	// RuleInconsistentType: a value's type changed.
	RuleInconsistentType Rule = "inconsistent-type"
	// RuleInconsistentRefinement: a value is outside what its unknown
	// predecessor promised.
	RuleInconsistentRefinement Rule = "inconsistent-refinement"
	// RuleInconsistentSensitive: something at or below a sensitive attribute
	// changed; nothing more is told.
	RuleInconsistentSensitive Rule = "inconsistent-sensitive"
	// RuleInconsistentNullBlocks: blocks became null.
	RuleInconsistentNullBlocks Rule = "inconsistent-null-blocks"
	// RuleInconsistentCount: the number of elements changed.
	RuleInconsistentCount Rule = "inconsistent-count"
	// RuleInconsistentKey: keys of a map or indexes of a list appeared or
	// vanished.
	RuleInconsistentKey Rule = "inconsistent-key"
	// RuleInconsistentSetElement: a set element has no counterpart.
	RuleInconsistentSetElement Rule = "inconsistent-set-element"

	// RuleStateUnknown: a state holds an unknown value.
	RuleStateUnknown Rule = "state-unknown"
	// RuleStateNullBlocks: a state holds null where blocks would be an empty
	// collection.
	RuleStateNullBlocks Rule = "state-null-blocks"
	// RuleWriteOnlyNotNull: a write-only attribute is not null in a plan or a
	// state.
	RuleWriteOnlyNotNull Rule = "write-only-not-null"
)

// Phase names a part of the lifecycle: "config", "upgrade", "import", "read",
// "plan", "replan" or "apply".
type Phase string

// The phases in their order.
const (
	PhaseConfig  Phase = "config"
	PhaseUpgrade Phase = "upgrade"
	PhaseImport  Phase = "import"
	PhaseRead    Phase = "read"
	PhasePlan    Phase = "plan"
	PhaseReplan  Phase = "replan"
	PhaseApply   Phase = "apply"
)

// A RuleInfo is what is known of a rule. Packages with rules of their own use it, too.
type RuleInfo struct {
	Rule Rule
	// Phases are those in which a [Lifecycle] can break the rule, in order. Checks of
	// single values may report it in others.
	Phases []Phase
	// Enforced says that Terraform Core rejects what breaks the rule, and Partly that it
	// does so only in some places, as each [Violation] says. If both are false, it never
	// does.
	Enforced, Partly bool
	// Tolerated are the phases in which Core only logs it for a provider that is built
	// with the legacy SDK. Of the object as a whole it also depends on the action: see
	// [Violation.Tolerated].
	Tolerated []Phase
	// Meaning is one line, written as what must hold.
	Meaning string
	// Remedy is one line for the author of the value: of the provider, of the
	// configuration, or of the program that calls the provider or this package.
	Remedy string
	// Workaround is one line for a user of the provider, until it is mended.
	Workaround string
}

// Rules returns all rules of this package, in the order of the lifecycle.
func Rules() []Rule {
	all := make([]Rule, len(rules))
	for i := range rules {
		all[i] = rules[i].Rule
	}
	return all
}

// Info returns what is known of the rule, or the zero RuleInfo for a name that is no rule
// of this package. Do not change the slices in it.
func (r Rule) Info() RuleInfo { return ruleInfo[r] }

var ruleInfo = func() map[Rule]RuleInfo {
	info := make(map[Rule]RuleInfo, len(rules))
	for _, r := range rules {
		info[r.Rule] = r
	}
	return info
}()

// phases in their order.
var phases = []Phase{PhaseConfig, PhaseUpgrade, PhaseImport, PhaseRead, PhasePlan, PhaseReplan, PhaseApply}

// The phases in which values of a kind are checked.
var (
	inConfig  = []Phase{PhaseConfig}
	inPlan    = []Phase{PhasePlan, PhaseReplan}
	replanned = []Phase{PhaseReplan, PhaseApply}
	twice     = []Phase{PhaseConfig, PhaseReplan, PhaseApply} // of configurations, too
	inState   = []Phase{PhaseUpgrade, PhaseImport, PhaseRead, PhaseApply}
	returned  = []Phase{PhaseUpgrade, PhaseImport, PhaseRead, PhasePlan, PhaseReplan, PhaseApply}
	inApply   = []Phase{PhaseApply}
	nowhere   []Phase
)

var rules = []RuleInfo{
	{RuleInvalidInput, phases, true, false, nowhere,
		"the schema and the values must be usable",
		"Pass a schema from Compile and initialized values.",
		"Nothing in a configuration causes it: report it to the authors of the tool that asked."},
	{RuleTypeMismatch, phases, true, false, nowhere,
		"a value must conform to the type that its schema implies",
		"Make a value of the schema's implied type: every attribute there, null where it has no value, blocks empty where there are none.",
		"Nothing in a configuration causes it: go back to the provider's last good version, with a state that it wrote, and report it. At apply Terraform keeps the state from before: what was created is there all the same, so import it or delete it by hand."},
	{RuleConfigRequired, inConfig, true, false, nowhere,
		"a configuration must set every required attribute",
		"Set the attribute to a value that is not null.",
		"Where a module passes the value on, give its variable a default or nullable = false, so that null never arrives."},
	{RuleConfigComputedOnly, inConfig, true, false, nowhere,
		"a configuration must not set what only the provider may choose",
		"Remove the attribute from the configuration, or make it optional in the schema.",
		"Refer to the attribute elsewhere instead of setting it; to manage what exists already, import it."},
	{RuleConfigBlockCount, inConfig, true, false, nowhere,
		"a configuration must have as many blocks as the schema allows",
		"Write as many blocks as the schema asks for.",
		"Spread the blocks over several resources if the provider allows no more of them in one."},
	{RuleConfigUnknown, inConfig, true, false, nowhere,
		"the configuration at apply must be wholly known",
		"Resolve every unknown value before apply.",
		"Terraform itself never gets there: report it to the authors of the tool that runs the provider."},
	{RulePlanAbsent, inPlan, true, false, inPlan,
		"a plan must not drop what is configured",
		"Plan what is configured; what cannot be kept is an error for the user, not null.",
		"Remove from the configuration what the provider drops, and report it."},
	{RulePlanPresent, inPlan, true, false, inPlan,
		"a plan must not add an object that is not configured",
		"Plan null for an object that is not configured.",
		"Write into the configuration what the provider adds, as it adds it, and report it."},
	{RulePlanNotConfig, inPlan, true, false, inPlan,
		"a plan must hold the configured value, or the prior one",
		"Plan the configured value as it is, or the prior one where both mean the same; mark the attribute computed if the provider is to decide.",
		"Write the value as the message says that it is planned, or do not set it where the provider may choose; and report it."},
	{RulePlanNotComputed, inPlan, true, false, inPlan,
		"a plan must leave null what is neither configured nor computed",
		"Mark the attribute computed, or plan null for it.",
		"Set the attribute in the configuration to the value that is planned, and report it."},
	{RulePlanUnknownNested, inPlan, true, false, inPlan,
		"a plan must not make a configured nested attribute unknown as a whole",
		"Plan the attribute as configured, with unknown values only in what is computed.",
		"Leave the attribute out of the configuration if the provider lets you, or go back to its last good version. Report it."},
	{RulePlanUnknownBlock, inPlan, true, false, inPlan,
		"a plan must not make a resource or a block unknown as a whole",
		"Plan the block as configured, with unknown values only in what is computed.",
		"Leave the blocks out of the configuration if the provider lets you, or go back to its last good version. Report it."},
	{RulePlanUnknownBlocks, inPlan, true, false, inPlan,
		"a plan must not make configured blocks unknown as a whole",
		"Plan the blocks as configured, or mark the block type computed.",
		"Leave the blocks out of the configuration if the provider lets you, or go back to its last good version. Report it."},
	{RulePlanNullBlocks, inPlan, true, false, inPlan,
		"a plan must hold an empty collection, not null, where there are no blocks",
		"Plan an empty collection where there are no blocks.",
		"Write at least one of the blocks if you can; else go back to the provider's last good version. Report it."},
	{RulePlanDynamicBlock, inPlan, true, false, inPlan,
		"a plan must leave unknown the blocks whose number is not known yet",
		"Leave the blocks unknown until the configuration tells their number.",
		"Make the number of blocks known at plan: let for_each of the dynamic block depend on variables only, or apply what it depends on first, with -target."},
	{RulePlanCount, inPlan, true, false, inPlan,
		"a plan must hold as many elements as the configuration",
		"Plan one element for each configured one.",
		"Write each element once, in the number that the provider plans, and report it."},
	{RulePlanKey, inPlan, true, false, inPlan,
		"a plan must hold the map keys of the configuration",
		"Plan the configured keys, and no others.",
		"Write the keys as the provider plans them, and report it."},
	{RulePlanSetElement, inPlan, false, false, inPlan,
		"each planned set element must come from a configured one, and each configured one must be planned",
		"Plan each configured element with nothing changed but what is computed.",
		"Terraform goes on. If the same change is planned again and again, write the element as the provider plans it."},
	{RuleReplacePath, inPlan, true, false, nowhere,
		"a path that requires replacement must lead to something",
		"Name places that exist in the prior or the planned value.",
		"Nothing in a configuration causes it: go back to the provider's last good version, and report it."},
	{RuleInconsistentPresence, replanned, true, false, inApply,
		"a planned object must stay, and an absent one must stay absent",
		"Return the object or block that was planned, and none that was not.",
		"If the object was just created, first run terraform untaint, or the next apply destroys it. Then see whether the object is there: if it is and Terraform has lost it, import it; else apply again. Report it."},
	{RuleInconsistentValue, twice, true, false, inApply,
		"a planned value must stay as it is",
		"Return the planned value, or plan it unknown if it is not known yet.",
		"If the object was just created, first run terraform untaint, or the next apply destroys it. Then write the value as the provider returns it, such as in lower case, and apply again. Report it."},
	{RuleInconsistentUnknown, twice, false, true, inApply,
		"a planned value that is known must not become unknown",
		"Plan the value unknown from the start if it depends on what is not known yet.",
		"If the object was just created, first run terraform untaint, or the next apply destroys it. Then apply what the configuration depends on, with -target, so that all is known when the plan is made. Report it."},
	{RuleInconsistentType, twice, true, false, inApply,
		"a planned value must keep its type",
		"Return a value of the planned type.",
		"If the object was just created, first run terraform untaint, or the next apply destroys it. Then write the value in the type that the provider returns, with tostring, tonumber or quotes, and apply again. Report it."},
	{RuleInconsistentRefinement, twice, true, false, inApply,
		"a value must be one that its unknown placeholder promised",
		"Promise of an unknown value only what will hold.",
		"If the object was just created, first run terraform untaint, or the next apply destroys it. Nothing in a configuration causes it: report it."},
	{RuleInconsistentSensitive, replanned, true, false, inApply,
		"a planned sensitive value must stay as it is",
		"Return the planned value of the sensitive attribute, or plan it unknown.",
		"If the object was just created, first run terraform untaint, or the next apply destroys it. Then write the value as the service keeps it, which its own console may show, and apply again. Report it."},
	{RuleInconsistentNullBlocks, replanned, false, true, inApply,
		"planned blocks must not become null",
		"Return an empty collection where there are no blocks.",
		"Terraform goes on, unless the blocks are computed: then go back to the provider's last good version. Report it."},
	{RuleInconsistentCount, twice, true, false, inApply,
		"the planned number of elements must stay",
		"Return as many elements as were planned.",
		"If the object was just created, first run terraform untaint, or the next apply destroys it. Then write each block once, and also those that the provider adds, and apply again. Report it."},
	{RuleInconsistentKey, twice, false, true, inApply,
		"planned map keys and list indexes must stay",
		"Return the planned keys and indexes, and no others.",
		"If the object was just created, first run terraform untaint, or the next apply destroys it. Then write the keys or elements that the provider adds, or stop what adds them, such as a policy for tags. Report it."},
	{RuleInconsistentSetElement, twice, true, false, inApply,
		"each planned set element must have its counterpart, and nothing else may be there",
		"Return each planned element with nothing but its unknown values filled in.",
		"If the object was just created, first run terraform untaint, or the next apply destroys it. Then write the elements as the provider returns them, and apply again. Report it."},
	{RuleStateUnknown, inState, false, true, nowhere,
		"a state must be wholly known",
		"Set every attribute to a value or to null before returning.",
		"If the object was just created, first run terraform untaint, or the next apply destroys it. Then refresh: at apply Terraform keeps the object, with null for what is unknown. In an upgrade, an import or a read it stores nothing: go back to the provider's last good version. Report it."},
	{RuleStateNullBlocks, inState, false, false, nowhere,
		"a state must hold an empty collection, not null, where there are no blocks",
		"Return an empty collection where there are no blocks.",
		"Terraform goes on, and a plan may show that null becomes nothing, which does no harm. If it does so again and again, write one of the blocks if you can. Do not put them in ignore_changes: that makes them null in the configuration too, and Core may reject the plan."},
	{RuleWriteOnlyNotNull, returned, true, false, nowhere,
		"a write-only attribute must be null in every plan and state",
		"Return null for write-only attributes, always.",
		"Use the attribute beside it that is not write-only, if the secret may be in the state, or leave it out. Report it, and change a secret that leaked. At apply Terraform keeps the state from before: what was created is there all the same, so import it or delete it by hand."},
}
