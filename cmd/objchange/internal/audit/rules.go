package audit

import "github.com/objchange/objchange"

// Rules of plans as documents, beside those of objchange. The rule book tells
// them in full.
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
