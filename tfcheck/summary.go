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
// depend on the command or the schema. A summary that ends with a space is the beginning of one.
var rejections = []struct {
	rpc   string         // "" for any RPC
	rule  objchange.Rule // "" for any other rule; a * at the end matches any suffix
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
	{"PlanResourceChange", objchange.RuleActionChanged, []string{summaries.InconsistentPlan}},
	{"PlanResourceChange", "inconsistent-*", []string{summaries.InconsistentPlan}},
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
	for _, row := range rejections {
		prefix, all := strings.CutSuffix(string(row.rule), "*")
		sameRule := row.rule == "" || row.rule == rule || all && strings.HasPrefix(string(rule), prefix)
		if (row.rpc == "" || row.rpc == f.RPC) && sameRule {
			return slices.Clone(row.texts)
		}
	}
	return nil
}

// summary returns the first line of the diagnostic for one violation. An error has the summary of
// Terraform's own error, because tests expect that summary, or all possible ones. A warning contains
// the rule, because Terraform shows only one of several warnings with the same summary.
func (f Finding) summary(severity tfprotov6.DiagnosticSeverity, v *objchange.Violation) string {
	if f.Side == SideRequest {
		return fmt.Sprintf("Request violates a rule: %s", v.Rule)
	}
	texts := f.Summaries(v)
	if severity != tfprotov6.DiagnosticSeverityError || len(texts) == 0 || strings.HasSuffix(texts[0], " ") {
		return fmt.Sprintf("Provider violates a rule: %s", v.Rule)
	}
	if len(texts) > 1 {
		return fmt.Sprintf("%s (%s)", texts[0], strings.Join(texts[1:], ", "))
	}
	return texts[0]
}
