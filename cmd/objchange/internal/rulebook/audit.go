package rulebook

import "github.com/objchange/objchange"

// Rules of plans as documents, beside those of objchange.
const (
	// RulePlanAction: the actions are not what the values say.
	RulePlanAction objchange.Rule = "plan-action"
	// RulePlanContradiction: two parts of a plan say different things of one
	// object.
	RulePlanContradiction objchange.Rule = "plan-contradiction"
	// RuleWriteOnlyConstant: the configuration has a write-only attribute in
	// clear, and so has the plan.
	RuleWriteOnlyConstant objchange.Rule = "write-only-constant"
)

var ofPlan = []objchange.Phase{objchange.PhasePlan}

// auditRules are the rules that audit checks and Core does not.
var auditRules = []objchange.RuleInfo{
	{
		Rule: RulePlanAction, Phases: ofPlan,
		Meaning:    "the actions of a change must be what its values say, and have the values that they need",
		Remedy:     "Make the plan again; what made or changed the document is wrong.",
		Workaround: "Do not apply a saved plan that says so: terraform plan -out writes another.",
	},
	{
		Rule: RulePlanContradiction, Phases: ofPlan,
		Meaning:    "the parts of a plan must say the same of one object",
		Remedy:     "Make the plan again; what made or changed the document is wrong.",
		Workaround: "Do not apply a saved plan that says so: terraform plan -out writes another.",
	},
	{
		Rule: RuleWriteOnlyConstant, Phases: ofPlan,
		Meaning:    "a write-only attribute must not be a constant in the configuration",
		Remedy:     "Give the attribute an ephemeral value, such as that of an ephemeral variable.",
		Workaround: "Keep the plan as you would keep the secret, and change the secret if others have read it.",
	},
}
