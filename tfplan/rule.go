package tfplan

import (
	"slices"

	"github.com/objchange/objchange"
)

// Rules for plan documents, in addition to the rules of package objchange.
const (
	// RulePlanAction: the actions of a change do not match its values.
	RulePlanAction objchange.Rule = "plan-action"
	// RulePlanContradiction: two parts of a plan disagree about one object.
	RulePlanContradiction objchange.Rule = "plan-contradiction"
	// RuleWriteOnlyConstant: the configuration, and therefore the plan, contains a write-only value
	// in clear text.
	RuleWriteOnlyConstant objchange.Rule = "write-only-constant"
)

// Rules returns the descriptions of the rules of this package. The caller may change the slice, but
// not its elements.
func Rules() []objchange.RuleInfo { return slices.Clone(rules) }

var ofPlan = []objchange.Phase{objchange.PhasePlan}

var rules = []objchange.RuleInfo{
	{
		Rule: RulePlanAction, Phases: ofPlan,
		Meaning:    "the actions of a change must match its values",
		Remedy:     "Create the plan again. Correct the program that wrote or changed the document.",
		Workaround: []objchange.Step{{Text: "Do not apply a saved plan with this finding. Run `terraform plan -out` again."}},
	},
	{
		Rule: RulePlanContradiction, Phases: ofPlan,
		Meaning:    "the parts of a plan must agree about an object",
		Remedy:     "Create the plan again. Correct the program that wrote or changed the document.",
		Workaround: []objchange.Step{{Text: "Do not apply a saved plan with this finding. Run `terraform plan -out` again."}},
	},
	{
		Rule: RuleWriteOnlyConstant, Phases: ofPlan,
		Meaning:    "a write-only attribute must not be a constant in the configuration",
		Remedy:     "Set the attribute to an ephemeral value, such as an ephemeral variable.",
		Workaround: []objchange.Step{{Text: "Protect the plan as you protect the secret. Change the secret if others have read the plan."}},
	},
}
