package tfcheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/objchange/objchange"
)

// Summaries of errors with which Terraform rejects responses.
const (
	inconsistentPlan = "Provider produced inconsistent final plan"
	invalidObject    = "Provider produced invalid object"
	invalidResult    = "Provider returned invalid result object after apply"
	invalidMove      = "Provider returned invalid value"
	invalidImport    = "Import returned a non-null value for a write-only attribute"
	noSuchImport     = "Cannot import non-existent remote object"
)

// summaries lists the summaries of the errors with which Terraform rejects a violation in the
// response of an RPC. The first row that matches applies. If a violation has several summaries, they
// depend on the command or the schema. A summary that ends with a space is the beginning of one.
var summaries = []struct {
	rpc     string         // "" for any RPC
	rule    objchange.Rule // "" for any other rule; a * at the end matches any suffix
	message string         // the end of the message
	texts   []string
}{
	{"", objchange.RuleInvalidInput, "", nil},
	{"", objchange.RuleDeferral, "", []string{"Invalid Deferred Response"}}, // from the SDKs
	{"ImportResourceState", objchange.RuleWriteOnlyNotNull, "", []string{invalidImport}},
	{"ImportResourceState", objchange.RuleImportCount, " null", []string{noSuchImport, "Import returned null resource"}},
	{"ImportResourceState", objchange.RuleImportCount, " 0", []string{"Import returned no resources"}},
	{"ImportResourceState", objchange.RuleImportCount, "", []string{"Multiple import states not supported"}},
	{"ImportResourceState", "", "", nil},
	{"", objchange.RuleTypeMismatch, infiniteMessage, []string{"failed to encode "}},
	{"UpgradeResourceState", "", "", []string{"Invalid resource state upgrade"}},
	{"MoveResourceState", objchange.RuleTypeMismatch, "", []string{invalidMove, "Failed to encode source value"}},
	{"MoveResourceState", "", "", []string{invalidMove}},
	{"ReadResource", "", "", []string{invalidObject}},
	{"PlanResourceChange", objchange.RuleActionChanged, "", []string{inconsistentPlan}},
	{"PlanResourceChange", "inconsistent-*", "", []string{inconsistentPlan}},
	{"PlanResourceChange", "", "", []string{"Provider produced invalid plan"}},
	{"ApplyResourceChange", objchange.RuleTypeMismatch, "", []string{invalidObject}},
	{"ApplyResourceChange", objchange.RuleWriteOnlyNotNull, "", []string{invalidObject}},
	{"ApplyResourceChange", objchange.RuleStateUnknown, "", []string{invalidResult}},
	{"ApplyResourceChange", objchange.RuleInconsistentPresence, " none was planned", []string{invalidResult}},
	{"ApplyResourceChange", "", "", []string{"Provider produced inconsistent result after apply"}},
	{"ReadDataSource", objchange.RuleDataNull, "", []string{"Provider produced null object"}},
	{"ReadDataSource", "", "", []string{invalidObject}},
	{"OpenEphemeralResource", "", "", []string{"Provider produced invalid ephemeral resource instance"}},
	{"CallFunction", "", "", []string{"Error in function call"}},
}

// Summaries returns possible summaries of the error with which Terraform rejects a violation of
// the finding. The summary of the error equals one of them or begins with it. Summaries returns
// nil if Terraform does not reject the violation, or if the summary is not known.
func (f Finding) Summaries(v *objchange.Violation) []string {
	if f.Side != SideResponse || v.Severity != objchange.Rejected && v.Severity != objchange.Tolerated {
		return nil
	}
	rule := v.Rule
	for _, other := range f.Violations { // Terraform does not check a new state further that has such a violation
		stops := other.Rule == objchange.RuleTypeMismatch || other.Rule == objchange.RuleWriteOnlyNotNull
		if f.RPC == "ApplyResourceChange" && stops && v.Message != infiniteMessage {
			rule = other.Rule
		}
	}
	for _, row := range summaries {
		prefix, all := strings.CutSuffix(string(row.rule), "*")
		sameRule := row.rule == "" || row.rule == rule || all && strings.HasPrefix(string(rule), prefix)
		if (row.rpc == "" || row.rpc == f.RPC) && sameRule && strings.HasSuffix(v.Message, row.message) {
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
