package tfcheck

import (
	"slices"

	"github.com/objchange/objchange"
)

// Rules about requests and runs, in addition to the rules of objchange.
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
	// plans another action than the approved one.
	RuleActionChanged objchange.Rule = "action-changed"
	// RuleCrash: the provider exited, or did not respond to a request.
	RuleCrash objchange.Rule = "crash"
)

// Phases of a driver's runs, in addition to the phases of objchange. After an apply, the driver
// reads the object and plans again, to check that no change is left.
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
		Workaround: []objchange.Step{{Text: "Report it to the authors of the program that runs the provider. Nothing in a configuration causes it."}},
	},
	{
		Rule: RuleDataNull, Phases: []objchange.Phase{objchange.PhaseRead}, Enforced: true,
		Meaning:    "the result of a data source or an ephemeral resource must not be null",
		Remedy:     "Return an error if the object cannot be found.",
		Workaround: []objchange.Step{{Text: "Create the object before it is read, with depends_on if another resource creates it. Or correct the arguments of the lookup."}},
	},
	{
		Rule: RulePerpetualDiff, Phases: []objchange.Phase{PhaseReread, PhaseNext},
		Meaning:    "a plan right after apply must not change anything",
		Remedy:     "Keep the applied value in Read if both mean the same, and plan the prior value if nothing must change.",
		Workaround: []objchange.Step{{Text: "Write the value as the provider reads it. Or put the attribute in ignore_changes, which helps if the configuration sets it, and not if the provider plans it unknown each time."}},
	},
	{
		Rule: RuleDeferral, Phases: []objchange.Phase{objchange.PhaseImport, objchange.PhaseRead, objchange.PhasePlan, objchange.PhaseReplan},
		Enforced:   true,
		Meaning:    "a response must not be deferred if the request does not allow it, and never at apply",
		Remedy:     "Defer only if the client's capabilities allow it. Otherwise plan the known values, or return an error.",
		Workaround: []objchange.Step{{Text: "Configure the provider and the resource with values that are known at plan: use -target to first apply the resources that they refer to."}},
	},
	{
		Rule: RuleImportCount, Phases: []objchange.Phase{objchange.PhaseImport}, Enforced: true,
		Meaning:    "an import must return one object",
		Remedy:     "Return the requested object, or an error if it does not exist.",
		Workaround: []objchange.Step{{Text: "Correct the import ID. An ID of several objects cannot be imported."}},
	},
	{
		Rule: RuleImportIdentity, Phases: []objchange.Phase{objchange.PhaseImport}, Enforced: true,
		Meaning:    "an import by identity must return the identity of the object of the object of the object",
		Remedy:     "Return the identity with the object.",
		Workaround: []objchange.Step{{Text: "Import by ID instead of by identity."}},
	},
	{
		Rule: RuleActionChanged, Phases: []objchange.Phase{objchange.PhaseReplan}, Enforced: true,
		Meaning:    "the final plan must have the approved action, or no-op instead of update",
		Remedy:     "Decide about replacement in the first plan, also if values are unknown.",
		Workaround: []objchange.Step{{Text: "Run `terraform apply` again. The unknown values are known now, and the plan shows the action."}},
	},
	{
		Rule: RuleCrash, Phases: []objchange.Phase{objchange.PhaseConfig, objchange.PhaseRead, objchange.PhasePlan, objchange.PhaseReplan, objchange.PhaseApply}, Enforced: true,
		Meaning: "a provider must respond to each request and must not crash",
		Remedy:  "Check that a value is present, and long enough, before using it.",
		Workaround: []objchange.Step{{
			Text:   "Before anything else, look for the object in the service: it may exist although Terraform has no state of it. If it exists, run `terraform import ADDRESS ID`.",
			Phases: []objchange.Phase{objchange.PhaseApply},
		}, {Text: "Change the configuration of the resource: empty blocks, absent blocks, empty lists and negative numbers are the usual causes. `objchange explore` finds the cause."}},
	},
}
