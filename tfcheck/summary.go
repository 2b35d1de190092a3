package tfcheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/objchange/objchange"
)

// Summaries of the errors with which Terraform rejects a response.
const (
	invalidPlan        = "Provider produced invalid plan"
	inconsistentPlan   = "Provider produced inconsistent final plan"
	invalidObject      = "Provider produced invalid object"
	invalidResult      = "Provider returned invalid result object after apply"
	inconsistentResult = "Provider produced inconsistent result after apply"
	invalidUpgrade     = "Invalid resource state upgrade"
	invalidEphemeral   = "Provider produced invalid ephemeral resource instance"
	nullObject         = "Provider produced null object"
)

// summary returns the first line of the diagnostic for one violation. An error has the summary of
// Terraform's own error, because tests expect that summary. A warning contains the rule, because
// Terraform shows only one of several warnings with the same summary.
func (f Finding) summary(severity tfprotov6.DiagnosticSeverity, v *objchange.Violation) string {
	if f.Side == SideRequest {
		return fmt.Sprintf("Request violates a rule: %s", v.Rule)
	}
	if severity == tfprotov6.DiagnosticSeverityError && f.Side == SideResponse && v.Enforced {
		if summary := f.summaryOfTerraform(v); summary != "" {
			return summary
		}
	}
	return fmt.Sprintf("Provider violates a rule: %s", v.Rule)
}

// Summaries returns possible summaries of the error with which Terraform rejects a violation of
// the finding. The summary of the error equals one of them or begins with it. Summaries returns
// nil if Terraform does not reject the violation, or if the summary is not known.
func (f Finding) Summaries(v *objchange.Violation) []string {
	switch {
	case f.Side != SideResponse || !v.Enforced:
		return nil
	case v.Message == infiniteMessage:
		return []string{"failed to encode "}
	case v.Rule == RuleDeferral: // the SDKs report this error before Terraform can
		return []string{"Invalid Deferred Response"}
	case v.Rule == RuleImportCount:
		return importSummaries(v.Message)
	case f.RPC == "CallFunction":
		return []string{"Error in function call"}
	}
	if summary := f.summaryOfTerraform(v); summary != "" {
		return []string{summary}
	}
	return nil
}

// importSummaries returns the summaries of the errors about the number of imported objects. The
// message ends with that number.
func importSummaries(message string) []string {
	switch {
	case strings.HasSuffix(message, " null"):
		return []string{"Import returned null resource", "Cannot import non-existent remote object"}
	case strings.HasSuffix(message, " 0"):
		return []string{"Import returned no resources"}
	}
	return []string{"Multiple import states not supported"}
}

// summaryOfTerraform returns the summary of Terraform's error. It returns "" if the summary
// varies, as for infinite numbers and imports.
func (f Finding) summaryOfTerraform(v *objchange.Violation) string {
	switch {
	case v.Rule == objchange.RuleInvalidInput || v.Rule == RuleDeferral || v.Message == infiniteMessage:
		return ""
	case f.RPC == "PlanResourceChange" && comparesPlans(v):
		return inconsistentPlan
	case f.RPC == "PlanResourceChange":
		return invalidPlan
	case f.RPC == "ApplyResourceChange":
		return f.summaryOfApply(v)
	case f.RPC == "UpgradeResourceState":
		return invalidUpgrade
	case f.RPC == "OpenEphemeralResource":
		return invalidEphemeral
	case f.RPC == "ReadDataSource" && v.Rule == RuleDataNull:
		return nullObject
	case f.RPC == "ReadResource" || f.RPC == "ReadDataSource":
		return invalidObject
	}
	return ""
}

// comparesPlans reports whether the violation is a difference between two plans.
func comparesPlans(v *objchange.Violation) bool {
	return v.Phase == objchange.PhaseReplan && (v.Rule == RuleActionChanged || strings.HasPrefix(string(v.Rule), "inconsistent-"))
}

func (f Finding) summaryOfApply(v *objchange.Violation) string {
	left := v.Rule == objchange.RuleInconsistentPresence && !v.Tolerated(true) // by a delete
	switch {
	case slices.ContainsFunc(f.Violations, func(v *objchange.Violation) bool {
		return v.Rule == objchange.RuleTypeMismatch || v.Rule == objchange.RuleWriteOnlyNotNull
	}): // Terraform does not check further
		return invalidObject
	case left || v.Rule == objchange.RuleStateUnknown:
		return invalidResult
	}
	return inconsistentResult
}
