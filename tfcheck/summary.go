package tfcheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/summaries"
	"github.com/objchange/objchange/tfcheck/internal/values"
)

// rejections lists the summaries of the errors with which Terraform rejects a violation in the
// response of an RPC. The first row that matches applies. If a violation has several summaries, they
// depend on the command or the schema.
var rejections = []struct {
	rpc   string         // "" for any RPC
	rule  objchange.Rule // "" for any other rule
	texts []string
}{
	{"", objchange.RuleInvalidInput, nil},
	{"", objchange.RuleDeferral, []string{summaries.InvalidDeferral}},
	{"ImportResourceState", objchange.RuleWriteOnlyNotNull, []string{summaries.ImportedWriteOnly}},
	{"ImportResourceState", objchange.RuleImportCount, []string{summaries.ImportedSeveral}},
	{"ImportResourceState", "", nil},
	{"UpgradeResourceState", "", []string{summaries.InvalidUpgrade}},
	{"MoveResourceState", objchange.RuleTypeMismatch, []string{summaries.InvalidMove, summaries.NotEncodedMove}},
	{"MoveResourceState", "", []string{summaries.InvalidMove}},
	{"ReadResource", "", []string{summaries.InvalidObject}},
	{"PlanResourceChange", "", []string{summaries.InvalidPlan}},
	{"ApplyResourceChange", objchange.RuleTypeMismatch, []string{summaries.InvalidObject}},
	{"ApplyResourceChange", objchange.RuleWriteOnlyNotNull, []string{summaries.InvalidObject}},
	{"ApplyResourceChange", objchange.RuleStateUnknown, []string{summaries.InvalidResult}},
	{"ApplyResourceChange", "", []string{summaries.InconsistentResult}},
	{"ReadDataSource", objchange.RuleDataNull, []string{summaries.NullObject}},
	{"ReadDataSource", "", []string{summaries.InvalidObject}},
	{"OpenEphemeralResource", "", []string{summaries.InvalidEphemeral}},
	{"CallFunction", "", []string{summaries.InvalidCall}},
}

// special returns the summaries for violations of a response that depend on its values.
func (x Exchange) special(vs objchange.Violations) map[*objchange.Violation][]string {
	all := map[*objchange.Violation][]string{}
	for _, v := range vs {
		switch {
		case v.Rule == objchange.RuleTypeMismatch && isSet(x.Response) && values.HasInfinity(x.Response):
			all[v] = []string{summaries.NotEncoded}
		case v.Rule == objchange.RuleInconsistentPresence && isSet(x.Planned) && x.Planned.IsNull():
			all[v] = []string{summaries.InvalidResult}
		case v.Rule == objchange.RuleImportCount && isSet(x.Response):
			all[v] = []string{summaries.ImportedNothing, summaries.ImportedNull}
		}
	}
	return all
}

// Summaries returns possible summaries of the error with which Terraform rejects a violation of
// the finding. The summary of the error equals one of them or begins with it. Summaries returns
// nil if Terraform does not reject the violation, or if the summary is not known.
func (f Finding) Summaries(v *objchange.Violation) []string {
	if f.Side != SideResponse || v.Severity != objchange.Rejected && v.Severity != objchange.Tolerated {
		return nil
	}
	if texts := f.special[v]; texts != nil {
		return slices.Clone(texts)
	}
	rule := v.Rule
	for _, other := range f.Violations { // Terraform does not check a new state further that has such a violation
		ends := other.Rule == objchange.RuleTypeMismatch || other.Rule == objchange.RuleWriteOnlyNotNull
		if f.RPC == "ApplyResourceChange" && ends {
			rule = other.Rule
		}
	}
	if f.RPC == "PlanResourceChange" && comparesPlans(rule) {
		return []string{summaries.InconsistentPlan}
	}
	for _, row := range rejections {
		if (row.rpc == "" || row.rpc == f.RPC) && (row.rule == "" || row.rule == rule) {
			return slices.Clone(row.texts)
		}
	}
	return nil
}

// comparesPlans reports whether a plan can break the rule only by a difference to an earlier plan.
func comparesPlans(rule objchange.Rule) bool {
	phases := rule.Info().Phases
	return slices.Contains(phases, objchange.PhaseReplan) && !slices.Contains(phases, objchange.PhasePlan)
}

// summary returns the first line of the diagnostic for one violation. An error has the summary of
// Terraform's own error, because tests expect that summary, or all possible ones. A warning contains
// the rule, because Terraform shows only one of several warnings with the same summary.
func (f Finding) summary(severity tfprotov6.DiagnosticSeverity, v *objchange.Violation) string {
	if f.Side == SideRequest {
		return fmt.Sprintf("Request violates a rule: %s", v.Rule)
	}
	texts := f.Summaries(v)
	if severity != tfprotov6.DiagnosticSeverityError || len(texts) == 0 || texts[0] == summaries.NotEncoded {
		return fmt.Sprintf("Provider violates a rule: %s", v.Rule)
	}
	if len(texts) > 1 {
		return fmt.Sprintf("%s (%s)", texts[0], strings.Join(texts[1:], ", "))
	}
	return texts[0]
}
