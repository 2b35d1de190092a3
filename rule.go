package objchange

// A Rule identifies one check, such as "plan-not-config". [Rule.Info] describes it.
type Rule string

// The rules, in the order of the lifecycle.
const (
	// RuleInvalidInput: an argument cannot be used.
	RuleInvalidInput Rule = "invalid-input"
	// RuleTypeMismatch: a value does not conform to the type that the schema implies.
	RuleTypeMismatch Rule = "type-mismatch"

	// RuleConfigRequired: a required attribute is null.
	RuleConfigRequired Rule = "config-required"
	// RuleConfigComputedOnly: a read-only attribute is configured.
	RuleConfigComputedOnly Rule = "config-computed-only"
	// RuleConfigBlockCount: there are too few or too many blocks.
	RuleConfigBlockCount Rule = "config-block-count"
	// RuleConfigUnknown: the configuration at apply is not wholly known.
	RuleConfigUnknown Rule = "config-unknown"

	// RulePlanAbsent: the plan is null, but the configuration is not.
	RulePlanAbsent Rule = "plan-absent"
	// RulePlanPresent: the plan has an object that is null in the configuration.
	RulePlanPresent Rule = "plan-present"
	// RulePlanNotConfig: the planned value is neither the configured nor the prior value.
	RulePlanNotConfig Rule = "plan-not-config"
	// RulePlanNotComputed: the plan has a value for an attribute that is neither configured nor
	// computed.
	RulePlanNotComputed Rule = "plan-not-computed"
	// RulePlanUnknownNested: a configured nested attribute is planned unknown as a whole.
	RulePlanUnknownNested Rule = "plan-unknown-nested"
	// RulePlanUnknownBlock: the resource, or one block of a collection, is planned unknown as a
	// whole.
	RulePlanUnknownBlock Rule = "plan-unknown-block"
	// RulePlanUnknownBlocks: all blocks of a type are planned unknown together.
	RulePlanUnknownBlocks Rule = "plan-unknown-blocks"
	// RulePlanNullBlocks: blocks are planned null instead of as an empty collection.
	RulePlanNullBlocks Rule = "plan-null-blocks"
	// RulePlanDynamicBlock: the number of configured blocks is not known yet, but the plan is
	// not unknown.
	RulePlanDynamicBlock Rule = "plan-dynamic-block"
	// RulePlanCount: the plan has another number of elements than the configuration.
	RulePlanCount Rule = "plan-count"
	// RulePlanKey: the plan has other map keys than the configuration.
	RulePlanKey Rule = "plan-key"
	// RulePlanSetElement: a planned set element comes from no configured element, or a
	// configured set element is not planned.
	RulePlanSetElement Rule = "plan-set-element"

	// RuleReplacePath: a path that requires replacement does not exist.
	RuleReplacePath Rule = "replace-path"

	// RuleInconsistentPresence: an object appeared or disappeared.
	RuleInconsistentPresence Rule = "inconsistent-presence"
	// RuleInconsistentValue: a known value changed.
	RuleInconsistentValue Rule = "inconsistent-value"
	// RuleInconsistentUnknown: a known value became unknown.
	RuleInconsistentUnknown Rule = "inconsistent-unknown"
	// RuleInconsistentType: the type of a value changed.
	RuleInconsistentType Rule = "inconsistent-type"
	// RuleInconsistentRefinement: a value violates the refinements of the earlier unknown value.
	RuleInconsistentRefinement Rule = "inconsistent-refinement"
	// RuleInconsistentSensitive: a sensitive attribute, or a value inside it, changed. No
	// details are shown.
	RuleInconsistentSensitive Rule = "inconsistent-sensitive"
	// RuleInconsistentNullBlocks: blocks became null.
	RuleInconsistentNullBlocks Rule = "inconsistent-null-blocks"
	// RuleInconsistentCount: the number of elements changed.
	RuleInconsistentCount Rule = "inconsistent-count"
	// RuleInconsistentKey: keys of a map or indexes of a list appeared or disappeared.
	RuleInconsistentKey Rule = "inconsistent-key"
	// RuleInconsistentSetElement: a set element has no counterpart.
	RuleInconsistentSetElement Rule = "inconsistent-set-element"

	// RuleStateUnknown: a state contains an unknown value.
	RuleStateUnknown Rule = "state-unknown"
	// RuleStateNullBlocks: a state has null blocks instead of an empty collection.
	RuleStateNullBlocks Rule = "state-null-blocks"
	// RuleWriteOnlyNotNull: a write-only attribute is not null in a plan or a state.
	RuleWriteOnlyNotNull Rule = "write-only-not-null"
)

// Rules about requests to a provider, its responses and whole lifecycles. Package tfcheck checks
// them.
const (
	// RuleProposedNotCore: the proposed new state of a request differs from the state that Core
	// proposes. The fault is in the program that called the provider.
	RuleProposedNotCore Rule = "proposed-not-core"
	// RuleDataNull: reading a data source, or opening an ephemeral resource, returned null.
	RuleDataNull Rule = "data-null"
	// RulePerpetualDiff: directly after apply, without any changes, the provider plans a change
	// again. Terraform accepts it, but every acceptance test fails for it.
	RulePerpetualDiff Rule = "perpetual-diff"
	// RuleDeferral: a response is deferred although the request did not allow it, or a plan is
	// deferred only at apply.
	RuleDeferral Rule = "deferral"
	// RuleImportCount: an import returned no object, several objects, or a null object.
	RuleImportCount Rule = "import-count"
	// RuleImportIdentity: an import by identity returned no identity, or a null identity.
	RuleImportIdentity Rule = "import-identity"
	// RuleActionChanged: in the plan at apply, with the whole configuration known, the provider
	// plans a different action than the user approved.
	RuleActionChanged Rule = "action-changed"
	// RuleCrash: the provider exited, or did not respond to a request.
	RuleCrash Rule = "crash"
)

// Rules about plans as JSON documents. Package tfplan checks them.
const (
	// RulePlanAction: the actions of a change do not match its values. Terraform does not check
	// it, but another program has changed the plan.
	RulePlanAction Rule = "plan-action"
	// RulePlanContradiction: two parts of a plan disagree about one object. Terraform does not
	// check it, but another program has changed the plan.
	RulePlanContradiction Rule = "plan-contradiction"
	// RuleWriteOnlyConstant: the configuration, and therefore the plan, contains a write-only
	// value in clear text.
	RuleWriteOnlyConstant Rule = "write-only-constant"
)

// Severity says how serious a broken rule is: how Terraform handles it, or OpenTofu, if the
// value was checked for OpenTofu.
type Severity string

// The severities, most severe first.
const (
	// Rejected: Terraform fails with an error, or what comes next fails: an acceptance test for
	// a perpetual diff, a pipeline for a plan that contradicts itself.
	Rejected Severity = "rejected"
	// Tolerated: Terraform only logs it, because the provider declares that it is built with the
	// legacy SDK. Terraform rejects the same value of another provider.
	Tolerated Severity = "tolerated"
	// Unchecked: the value breaks the documented contract, but Terraform does not check it, or
	// cannot detect it.
	Unchecked Severity = "unchecked"
	// LegacySDK: the legacy SDK itself causes it, and Terraform accepts it. Provider authors can
	// hardly avoid it, so it never counts.
	LegacySDK Severity = "legacy-sdk"
)

// Phase is a phase of the lifecycle: "config", "upgrade", "import", "read", "plan", "replan" or
// "apply". After an apply, the drivers of package tfcheck read and plan again.
type Phase string

// The phases, in order.
const (
	PhaseConfig  Phase = "config"
	PhaseUpgrade Phase = "upgrade"
	PhaseImport  Phase = "import"
	PhaseRead    Phase = "read"
	PhasePlan    Phase = "plan"
	PhaseReplan  Phase = "replan"
	PhaseApply   Phase = "apply"
	PhaseReread  Phase = "read-after-apply"
	PhaseNext    Phase = "plan-after-apply"
)

// A RuleInfo describes a rule.
type RuleInfo struct {
	Rule Rule
	// URL is the address of the rule's section in the rules reference.
	URL string
	// Phases are the phases in which a lifecycle can break the rule, in order. Checks of single
	// values may report the rule in other phases.
	Phases []Phase
	// Severity is Rejected or Unchecked. Partly means that Terraform rejects only some
	// violations of the rule, and the others are Unchecked.
	Severity Severity
	Partly   bool
	// Tolerated are the phases in which Core only logs a violation for a provider that is built
	// with the legacy SDK. For the whole object, it also depends on the action: see
	// [Lifecycle.Tolerates].
	Tolerated []Phase
	// Meaning states the rule in one line.
	Meaning string
	// Remedy is one line for the author of the value: the author of the provider, of the
	// configuration, or of the program that calls the provider or this package.
	Remedy string
	// Workaround has the steps for a user of the provider until the provider is fixed, in order.
	Workaround []Step
}

// A Step is one action that a user of a provider can take after a violation.
type Step struct {
	// Text is an instruction. Commands in it are in backquotes. ADDRESS in a command stands for
	// the address of the resource instance.
	Text string
	// Phases are the phases in which the step helps. If it is empty, the step helps in all
	// phases.
	Phases []Phase
	// Whole means that the step helps only if the whole object is wrong, and Part that it helps
	// only if a part of the object is wrong. If neither is set, it always helps.
	Whole, Part bool
	// Kind says what the step does, or when it helps, for programs that choose among steps. It is ""
	// for other steps.
	Kind StepKind
}

// A StepKind is the kind of a step.
type StepKind string

// The kinds of steps.
const (
	StepUntaints   StepKind = "untaint"      // helps only if Terraform rejects the new state of a created object
	StepConfigures StepKind = "configure"    // changes the configuration
	StepRecovers   StepKind = "after create" // helps only if the plan was to create or update the object
	StepForgets    StepKind = "after delete" // helps only if the plan was to delete the object
	StepUpgrades   StepKind = "upgrade"      // tries another version of the provider
	StepContinues  StepKind = "continue"     // says that nothing needs to be done
)

// Rules returns all rules: those of this package in the order of the lifecycle, then those of
// packages tfcheck and tfplan.
func Rules() []Rule {
	all := make([]Rule, len(rules))
	for i := range rules {
		all[i] = rules[i].Rule
	}
	return all
}

// Info returns the description of the rule. For a rule that is not in Rules, it returns only the
// rule and the address of the rules reference. Do not change the slices in it.
func (r Rule) Info() RuleInfo {
	if info, ok := ruleInfo[r]; ok {
		return info
	}
	return RuleInfo{Rule: r, URL: reference + "README.md"}
}

// reference is the address of the rules reference.
const reference = "https://github.com/objchange/objchange/blob/main/docs/rules/"

var ruleInfo = func() map[Rule]RuleInfo {
	info := make(map[Rule]RuleInfo, len(rules))
	for _, r := range rules {
		r.URL = reference + r.URL + ".md#" + string(r.Rule)
		info[r.Rule] = r
	}
	return info
}()

// phases are the phases of a Lifecycle, in order.
var phases = []Phase{PhaseConfig, PhaseUpgrade, PhaseImport, PhaseRead, PhasePlan, PhaseReplan, PhaseApply}

// The phases in which rules apply.
var (
	inConfig  = []Phase{PhaseConfig}
	inPlan    = []Phase{PhasePlan, PhaseReplan}
	replanned = []Phase{PhaseReplan, PhaseApply} // rules about two plans, or a plan and the new state
	// reconfigured are the phases of rules that also apply to two configurations.
	reconfigured = []Phase{PhaseConfig, PhaseReplan, PhaseApply}

	inState  = []Phase{PhaseUpgrade, PhaseImport, PhaseRead, PhaseApply}
	returned = []Phase{PhaseUpgrade, PhaseImport, PhaseRead, PhasePlan, PhaseReplan, PhaseApply}
	inApply  = []Phase{PhaseApply}
	nowhere  []Phase

	inImport   = []Phase{PhaseImport}
	inRead     = []Phase{PhaseRead}
	inReplan   = []Phase{PhaseReplan}
	savedPlan  = []Phase{PhasePlan}
	afterApply = []Phase{PhaseReread, PhaseNext}
	deferrable = []Phase{PhaseImport, PhaseRead, PhasePlan, PhaseReplan}
)

// newest is the step about other versions of the provider.
const newest = "Try the newest version of the provider. If it has the same fault, try an earlier version."

// Steps of several rules.
var (
	untaint = does("If this apply created the object, run `terraform untaint ADDRESS` before anything else. "+
		"Terraform has marked the new object as tainted: without this command, "+
		"the next apply destroys it and creates it again.", PhaseApply).of(StepUntaints)
	again = does("Run `terraform apply` again, because the unknown values are known now. The object is unchanged. "+
		"Exception: if the plan replaces the object, the old object may already be destroyed.", PhaseReplan)
	lost = does("Before anything else, run `terraform state show ADDRESS`. "+
		"If Terraform does not have the object, look for it in the service, and run `terraform import ADDRESS ID`. "+
		"Without the import, the next apply creates a second object.", PhaseApply)
	other   = does(newest).of(StepUpgrades)
	restore = does("Terraform has stored nothing. "+newest, PhaseUpgrade, PhaseImport, PhaseRead).of(StepUpgrades)
	// otherElse is other for the phases of other steps than restore.
	otherElse = does(newest, PhaseConfig, PhasePlan, PhaseReplan, PhaseApply).of(StepUpgrades)
)

// planAgain is the step for a plan that another program has changed.
var planAgain = does("Do not apply a saved plan with this finding. Run `terraform plan -out` again.")

// does returns a step that helps in the phases, or in all phases if there are none.
func does(text string, phases ...Phase) Step { return Step{Text: text, Phases: phases} }

// configures returns a step that changes the configuration.
func configures(text string, phases ...Phase) Step { return does(text, phases...).of(StepConfigures) }

// of returns the step with the kind.
func (s Step) of(kind StepKind) Step {
	s.Kind = kind
	return s
}

// ofWhole returns the step for a whole object.
func (s Step) ofWhole() Step {
	s.Whole = true
	return s
}

// ofPart returns the step for a part of an object.
func (s Step) ofPart() Step {
	s.Part = true
	return s
}

// rules is the table of all rules. Its column URL has the name of a page of the reference.
var rules = []RuleInfo{
	{RuleInvalidInput, "input", phases, Rejected, false, nowhere,
		"the schema and the values must be usable",
		"Pass what the message says: a schema from Compile, and values that are objects of its type, or null.",
		[]Step{does("Report it to the authors of the program that called the function. " +
			"The configuration is not the cause.")}},
	{RuleTypeMismatch, "input", phases, Rejected, false, nowhere,
		"a value must conform to the type that its schema implies",
		"Make a value of the schema's implied type. Include every attribute, with null if it has no value. " +
			"If there are no blocks, use an empty collection.",
		[]Step{lost, restore, otherElse}},
	{RuleConfigRequired, "config", inConfig, Rejected, false, nowhere,
		"a configuration must set every required attribute",
		"Set the attribute to a value that is not null.",
		[]Step{
			configures("Set the attribute."),
			does("If the value comes from a variable of a module, set nullable = false in the variable, " +
				"or give the variable a default other than null."),
		}},
	{RuleConfigComputedOnly, "config", inConfig, Rejected, false, nowhere,
		"a configuration must not set a read-only attribute",
		"Remove the attribute from the configuration, or make it optional in the schema.",
		[]Step{
			configures("Remove the attribute from the configuration. Other resources can still refer to it."),
			does("To manage an existing object, import it."),
		}},
	{RuleConfigBlockCount, "config", inConfig, Rejected, false, nowhere,
		"the number of blocks in a configuration must be within the limits of the schema",
		"Write a number of blocks that the schema allows.",
		[]Step{configures("Write a number of blocks that the provider allows. " +
			"If you need more blocks, use several resources.")}},
	{RuleConfigUnknown, "config", inConfig, Rejected, false, nowhere,
		"the configuration at apply must be wholly known",
		"Resolve every unknown value before apply.",
		[]Step{does("Report it to the authors of the program that runs the provider. Terraform never does this.")}},
	{RulePlanAbsent, "plan", inPlan, Rejected, false, inPlan,
		"a plan must not be null for a configured object",
		"Plan the configured object. If it cannot be kept, return an error to the user instead of null.",
		[]Step{configures("Remove from the configuration the object that is missing in the plan."), other}},
	{RulePlanPresent, "plan", inPlan, Rejected, false, inPlan,
		"a plan must not contain an object that is not configured",
		"Plan null for an object that is not configured.",
		[]Step{
			configures("Write into the configuration the object that the provider plans.").ofPart(),
			does("To destroy the object, run `terraform state rm ADDRESS`, and delete the object by hand.").ofWhole(),
			other,
		}},
	{RulePlanNotConfig, "plan", inPlan, Rejected, false, inPlan,
		"a plan must contain each configured value unchanged, or the prior value",
		"Plan the configured value unchanged, or the prior value if both values have the same meaning. " +
			"Make the attribute computed if the provider must choose the value.",
		[]Step{
			configures("Write the value as the provider plans it. Or, if the attribute is optional and computed, " +
				"leave it out of the configuration: the provider then chooses the value."),
			other,
		}},
	{RulePlanNotComputed, "plan", inPlan, Rejected, false, inPlan,
		"a plan must be null for an attribute that is neither configured nor computed",
		"Make the attribute computed, or plan null for it.",
		[]Step{configures("Set the attribute in the configuration to the value that the provider plans."), other}},
	{RulePlanUnknownNested, "plan", inPlan, Rejected, false, inPlan,
		"a plan must not make a configured nested attribute unknown as a whole",
		"Plan the attribute as configured, with unknown values only for computed attributes.",
		[]Step{configures("Leave the attribute out of the configuration, if it is optional."), other}},
	{RulePlanUnknownBlock, "plan", inPlan, Rejected, false, inPlan,
		"a plan must not make a resource or a block unknown as a whole",
		"Plan the block as configured, with unknown values only for computed attributes.",
		[]Step{configures("Leave the blocks out of the configuration, if they are optional."), other}},
	{RulePlanUnknownBlocks, "plan", inPlan, Rejected, false, inPlan,
		"a plan must not make configured blocks unknown as a whole",
		"Plan the blocks as configured, or make the block type computed.",
		[]Step{
			configures("Leave the blocks out of the configuration, if they are optional and the provider then plans no " +
				"blocks."),
			other,
		}},
	{RulePlanNullBlocks, "plan", inPlan, Rejected, false, inPlan,
		"a plan must contain an empty collection, not null, if there are no blocks",
		"Plan an empty collection if there are no blocks.",
		[]Step{configures("Write at least one of the blocks. This helps if the provider then plans the block."), other}},
	{RulePlanDynamicBlock, "plan", inPlan, Rejected, false, inPlan,
		"a plan must leave blocks unknown while their number is unknown",
		"Leave the blocks unknown until their number is known.",
		[]Step{
			does("Make the number of blocks known at plan. If for_each of the dynamic block refers to resources, " +
				"apply these resources first, with -target. Or let for_each refer to variables only."),
			other,
		}},
	{RulePlanCount, "plan", inPlan, Rejected, false, inPlan,
		"a plan must contain as many elements as the configuration",
		"Plan one element for each configured element.",
		[]Step{
			configures("Write the elements that the provider plans: without duplicates, " +
				"and with the elements that it adds. Or leave the attribute or the blocks out of the configuration, " +
				"if they are optional."),
			other,
		}},
	{RulePlanKey, "plan", inPlan, Rejected, false, inPlan,
		"a plan must contain the same map keys as the configuration",
		"Plan the configured keys, and no others.",
		[]Step{configures("Write the keys as the provider plans them."), other}},
	{RulePlanSetElement, "plan", inPlan, Unchecked, false, inPlan,
		"each planned set element must come from a configured element, and each configured element must be planned",
		"Plan each configured element, and change only computed attributes.",
		[]Step{
			does("Continue: Terraform does not check this. If each plan shows the same change again, " +
				"write the element as the provider plans it.").of(StepContinues),
			other,
		}},
	{RuleReplacePath, "plan", inPlan, Rejected, false, nowhere,
		"a path that requires replacement must exist in the prior or the planned value",
		"Return only paths that exist in the prior or the planned value.",
		[]Step{other}},
	{RuleInconsistentPresence, "apply", replanned, Rejected, false, inApply,
		"a planned object must stay present, and an absent object must stay absent",
		"Return the planned object or block, and no other.",
		[]Step{
			untaint.ofPart(), again,
			does("If the plan was to create or update the object, Terraform no longer has it. "+
				"Look for the object in the service. If it exists, run `terraform import ADDRESS ID` before "+
				"anything else.", PhaseApply).ofWhole().of(StepRecovers),
			does("If the plan was to delete the object, look for it in the service. "+
				"Delete it if it exists, and run `terraform state rm ADDRESS`.", PhaseApply).ofWhole().of(StepForgets),
			configures("If a nested object or a block is missing in the new state, remove it from the configuration. "+
				"If the provider added one, write it into the configuration. "+
				"Then run `terraform apply`.", PhaseApply).ofPart(),
			other,
		}},
	{RuleInconsistentValue, "apply", reconfigured, Rejected, false, inApply,
		"a planned value must not change",
		"Return the planned value, or plan it unknown if it is not known yet.",
		[]Step{
			untaint, again,
			configures("Leave the attribute out of the configuration if it is optional and computed: "+
				"the provider then chooses the value. Otherwise write the value in the form that the provider "+
				"returns. Then run `terraform apply`.", PhaseApply),
			other,
		}},
	{RuleInconsistentUnknown, "apply", reconfigured, Rejected, true, inApply,
		"a planned value that is known must not become unknown",
		"In the initial plan, make a value unknown if it depends on an unknown value.",
		[]Step{
			untaint, again,
			does("If the apply fails again, first apply the resources that the configuration refers to, "+
				"with -target. Then the plan contains no unknown values.", PhaseReplan),
			other,
		}},
	{RuleInconsistentType, "apply", reconfigured, Rejected, false, inApply,
		"a planned value must keep its type",
		"Return a value of the planned type.",
		[]Step{
			untaint, again,
			configures("Leave the attribute out of the configuration, if it is optional. "+
				"Otherwise write the value in the type that the provider returns, with tostring, "+
				"tonumber or quotes. Then run `terraform apply`.", PhaseApply),
			other,
		}},
	{RuleInconsistentRefinement, "apply", reconfigured, Rejected, false, inApply,
		"a value must match the refinements of its unknown planned value",
		"Add only refinements that the later value will match.",
		[]Step{untaint, again, other}},
	{RuleInconsistentSensitive, "apply", replanned, Rejected, false, inApply,
		"a planned sensitive value must not change",
		"Return the planned value of the sensitive attribute, or plan it unknown.",
		[]Step{
			untaint, again,
			configures("Write the value that the service stores. The console of the service may show it. "+
				"Or leave the attribute out of the configuration if it is optional and computed: "+
				"the provider then chooses the value. Then run `terraform apply`.", PhaseApply),
			other,
		}},
	{RuleInconsistentNullBlocks, "apply", replanned, Rejected, true, inApply,
		"planned blocks must not become null",
		"Return an empty collection if there are no blocks.",
		[]Step{does("Continue: Terraform checks this for computed blocks only.").of(StepContinues), other}},
	{RuleInconsistentCount, "apply", reconfigured, Rejected, false, inApply,
		"the planned number of elements must not change",
		"Return as many elements as were planned.",
		[]Step{
			untaint, again,
			configures("Write the blocks that the provider returns: without duplicates, and with the blocks that it adds. "+
				"Or leave the blocks out of the configuration, if they are optional. "+
				"Then run `terraform apply`.", PhaseApply),
			other,
		}},
	{RuleInconsistentKey, "apply", reconfigured, Rejected, true, inApply,
		"planned map keys and list indexes must not change",
		"Return the planned keys and indexes, and no others.",
		[]Step{
			untaint, again,
			configures("Write the keys and elements as the provider returns them. "+
				"Or switch off the feature that adds them, such as a policy for tags. "+
				"Then run `terraform apply`.", PhaseApply),
			other,
		}},
	{RuleInconsistentSetElement, "apply", reconfigured, Rejected, false, inApply,
		"each planned set element must have a counterpart in the new value, and no other element may appear",
		"Return each planned element, and fill in only its unknown values.",
		[]Step{
			untaint, again,
			configures("Write the elements as the provider returns them. "+
				"Or leave the elements out of the configuration, if they are optional. "+
				"Then run `terraform apply`.", PhaseApply),
			other,
		}},
	{RuleStateUnknown, "state", inState, Rejected, true, nowhere,
		"a state must be wholly known",
		"Set every attribute to a value or to null before returning.",
		[]Step{
			untaint,
			does("Run `terraform apply -refresh-only`. Terraform has kept the object, "+
				"with null for each unknown value. This command reads the values.", PhaseApply),
			restore, otherElse,
		}},
	{RuleStateNullBlocks, "state", inState, Unchecked, false, nowhere,
		"a state must contain an empty collection, not null, if there are no blocks",
		"Return an empty collection if there are no blocks.",
		[]Step{
			does("Continue: Terraform does not check this. A plan may show a change from null to an empty " +
				"collection, which does no harm. If each plan shows it again, write one of the blocks. " +
				"Do not add the blocks to ignore_changes: this makes them null in the configuration too, " +
				"and Terraform may reject the plan.").of(StepContinues),
			other,
		}},
	{RuleWriteOnlyNotNull, "state", returned, Rejected, false, nowhere,
		"a write-only attribute must be null in every plan and state",
		"Always return null for write-only attributes.",
		[]Step{
			lost,
			configures("Leave the attribute out of the configuration. " +
				"If the secret may be in the state, you can use the attribute of the resource that is not " +
				"write-only instead."),
			does("Change the secret if others may have seen it."),
			other,
		}},
	{RuleProposedNotCore, "provider", inPlan, Rejected, false, nowhere,
		"a request must contain the proposed new state that Core would send",
		"Send the value that ProposedNew5, ProposedNew6 or objchange.ProposedNew returns.",
		[]Step{does("Report it to the authors of the program that runs the provider. " +
			"The configuration is not the cause.")}},
	{RuleDataNull, "provider", inRead, Rejected, false, nowhere,
		"the result of a data source or an ephemeral resource must not be null",
		"Return an error if the object cannot be found.",
		[]Step{does("Create the object before Terraform reads it. " +
			"If a resource in the configuration creates it, use depends_on. " +
			"Or correct the arguments of the data source.")}},
	{RulePerpetualDiff, "provider", afterApply, Rejected, false, nowhere,
		"a plan right after apply must not change anything",
		"In Read, keep the applied value if it has the same meaning as the value of the service. " +
			"Plan the prior value if it does not have to change.",
		[]Step{configures("Write the value as the provider reads it. Or add the attribute to ignore_changes. " +
			"This helps only if the configuration sets the attribute, and not if each plan makes it unknown.")}},
	{RuleDeferral, "provider", deferrable, Rejected, false, nowhere,
		"a response must not be deferred at apply, or if the request does not allow it",
		"Defer only if the client's capabilities allow it. Otherwise plan the known values, or return an error.",
		[]Step{does("Configure the provider and the resource with values that are known at plan. " +
			"If they refer to other resources, apply these resources first, with -target.")}},
	{RuleImportCount, "provider", inImport, Rejected, false, nowhere,
		"an import must return one object",
		"Return the requested object, or an error if it does not exist.",
		[]Step{does("Correct the import ID. It must identify one object.")}},
	{RuleImportIdentity, "provider", inImport, Rejected, false, nowhere,
		"an import by identity must return the identity of the imported object",
		"Return the identity with the object.",
		[]Step{does("Import by ID instead of by identity.")}},
	{RuleActionChanged, "provider", inReplan, Rejected, false, nowhere,
		"the final plan must have the approved action, or no-op instead of an approved update",
		"If a change of an attribute requires replacement, require it in the initial plan, " +
			"even if the new value is still unknown.",
		[]Step{does("Run `terraform apply` again. The unknown values are known now, " +
			"so the plan shows the correct action.")}},
	{RuleCrash, "provider", phases, Rejected, false, nowhere,
		"a provider must respond to each request and must not crash",
		"Before using a value, check that it is present and long enough.",
		[]Step{
			other,
			does("Before you run Terraform again, look for the object in the service: "+
				"it may exist although it is not in the state. "+
				"If it exists, run `terraform import ADDRESS ID`.", PhaseApply),
			does("Change the configuration of the resource. The usual causes are empty blocks, missing blocks, "+
				"empty lists and negative numbers. `objchange explore` finds the "+
				"cause.", PhaseConfig, PhasePlan, PhaseReplan, PhaseApply),
		}},
	{RulePlanAction, "saved-plan", savedPlan, Rejected, false, nowhere,
		"the actions of a change must match its values",
		"Create the plan again. Correct the program that wrote or changed the document.",
		[]Step{planAgain}},
	{RulePlanContradiction, "saved-plan", savedPlan, Rejected, false, nowhere,
		"the parts of a plan must agree about an object",
		"Create the plan again. Correct the program that wrote or changed the document.",
		[]Step{planAgain}},
	{RuleWriteOnlyConstant, "saved-plan", savedPlan, Unchecked, false, nowhere,
		"a write-only attribute must not be a constant in the configuration",
		"Set the attribute to an ephemeral value, such as an ephemeral variable.",
		[]Step{does("Protect the plan as you protect the secret. Change the secret if others have read the plan.")}},
}
