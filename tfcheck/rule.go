package tfcheck

import (
	"slices"

	"github.com/objchange/objchange"
)

// Rules for requests and lifecycles, in addition to the rules of objchange.
const (
	// RuleProposedNotCore: the proposed new state of a request differs from the state that Core
	// proposes. The fault is in the program that called the provider.
	RuleProposedNotCore objchange.Rule = "proposed-not-core"
	// RuleDataNull: reading a data source, or opening an ephemeral resource, returned null.
	RuleDataNull objchange.Rule = "data-null"
	// RulePerpetualDiff: directly after apply, without any changes, the provider plans a change
	// again.
	RulePerpetualDiff objchange.Rule = "perpetual-diff"
	// RuleDeferral: a response is deferred although the request did not allow it, or a plan is
	// deferred only at apply.
	RuleDeferral objchange.Rule = "deferral"
	// RuleImportCount: an import returned no object, several objects, or a null object.
	RuleImportCount objchange.Rule = "import-count"
	// RuleImportIdentity: an import by identity returned no identity, or a null identity.
	RuleImportIdentity objchange.Rule = "import-identity"
	// RuleActionChanged: in the plan at apply, with the whole configuration known, the provider
	// plans a different action than the user approved.
	RuleActionChanged objchange.Rule = "action-changed"
	// RuleCrash: the provider exited, or did not respond to a request.
	RuleCrash objchange.Rule = "crash"
)

// Phases of a driver, in addition to the phases of objchange. A driver runs them after an apply,
// with an unchanged configuration.
const (
	PhaseReread objchange.Phase = "read-after-apply"
	PhaseNext   objchange.Phase = "plan-after-apply"
)

// Rules returns information about the rules of this package. The caller may modify the slice, but
// not its elements.
func Rules() []objchange.RuleInfo { return slices.Clone(rules) }

var rules = []objchange.RuleInfo{
	{
		Rule: RuleProposedNotCore, Phases: []objchange.Phase{objchange.PhasePlan, objchange.PhaseReplan}, Enforced: true,
		Meaning:    "a request must contain the proposed new state that Core would send",
		Remedy:     "Send the value that ProposedNew5, ProposedNew6 or objchange.ProposedNew returns.",
		Workaround: []objchange.Step{{Text: "Report it to the authors of the program that runs the provider. The configuration is not the cause."}},
	},
	{
		Rule: RuleDataNull, Phases: []objchange.Phase{objchange.PhaseRead}, Enforced: true,
		Meaning:    "the result of a data source or an ephemeral resource must not be null",
		Remedy:     "Return an error if the object cannot be found.",
		Workaround: []objchange.Step{{Text: "Create the object before Terraform reads it. If a resource in the configuration creates it, use depends_on. Or correct the arguments of the data source."}},
	},
	{
		Rule: RulePerpetualDiff, Phases: []objchange.Phase{PhaseReread, PhaseNext},
		Meaning:    "a plan right after apply must not change anything",
		Remedy:     "In Read, keep the applied value if it has the same meaning as the value of the service. Plan the prior value if it does not have to change.",
		Workaround: []objchange.Step{{Text: "Write the value as the provider reads it. Or add the attribute to ignore_changes. This helps only if the configuration sets the attribute, and not if each plan makes it unknown."}},
	},
	{
		Rule: RuleDeferral, Phases: []objchange.Phase{objchange.PhaseImport, objchange.PhaseRead, objchange.PhasePlan, objchange.PhaseReplan},
		Enforced:   true,
		Meaning:    "a response must not be deferred at apply, or if the request does not allow it",
		Remedy:     "Defer only if the client's capabilities allow it. Otherwise plan the known values, or return an error.",
		Workaround: []objchange.Step{{Text: "Configure the provider and the resource with values that are known at plan. If they refer to other resources, apply these resources first, with -target."}},
	},
	{
		Rule: RuleImportCount, Phases: []objchange.Phase{objchange.PhaseImport}, Enforced: true,
		Meaning:    "an import must return one object",
		Remedy:     "Return the requested object, or an error if it does not exist.",
		Workaround: []objchange.Step{{Text: "Correct the import ID. It must identify one object."}},
	},
	{
		Rule: RuleImportIdentity, Phases: []objchange.Phase{objchange.PhaseImport}, Enforced: true,
		Meaning:    "an import by identity must return the identity of the imported object",
		Remedy:     "Return the identity with the object.",
		Workaround: []objchange.Step{{Text: "Import by ID instead of by identity."}},
	},
	{
		Rule: RuleActionChanged, Phases: []objchange.Phase{objchange.PhaseReplan}, Enforced: true,
		Meaning:    "the final plan must have the approved action, or no-op instead of an approved update",
		Remedy:     "If a change of an attribute requires replacement, require it in the initial plan, even if the new value is still unknown.",
		Workaround: []objchange.Step{{Text: "Run `terraform apply` again. The unknown values are known now, so the plan shows the correct action."}},
	},
	{
		Rule: RuleCrash,
		Phases: []objchange.Phase{
			objchange.PhaseConfig, objchange.PhaseUpgrade, objchange.PhaseImport, objchange.PhaseRead,
			objchange.PhasePlan, objchange.PhaseReplan, objchange.PhaseApply,
		},
		Enforced: true,
		Meaning:  "a provider must respond to each request and must not crash",
		Remedy:   "Before using a value, check that it is present and long enough.",
		Workaround: []objchange.Step{
			{Text: "Try the newest version of the provider. If it has the same fault, try an earlier version."},
			{
				Text:   "Before you run Terraform again, look for the object in the service: it may exist although it is not in the state. If it exists, run `terraform import ADDRESS ID`.",
				Phases: []objchange.Phase{objchange.PhaseApply},
			},
			{
				Text:   "Change the configuration of the resource. The usual causes are empty blocks, missing blocks, empty lists and negative numbers. `objchange explore` finds the cause.",
				Phases: []objchange.Phase{objchange.PhaseConfig, objchange.PhasePlan, objchange.PhaseReplan, objchange.PhaseApply},
			},
		},
	},
}
