package tfcheck

import (
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/objchange/objchange"
)

// Summaries of the errors with which Terraform rejects a response.
const (
	invalidPlan        = "Provider produced invalid plan"
	invalidObject      = "Provider produced invalid object"
	invalidResult      = "Provider returned invalid result object after apply"
	inconsistentResult = "Provider produced inconsistent result after apply"
	invalidUpgrade     = "Invalid resource state upgrade"
	invalidEphemeral   = "Provider produced invalid ephemeral resource instance"
	nullObject         = "Provider produced null object"
)

// summary returns the first line of the diagnostic of one violation. An error has the
// summary with which Terraform itself rejects it, because tests expect that. A warning
// names the rule: of warnings with one summary, Terraform shows one.
func (f Finding) summary(severity tfprotov6.DiagnosticSeverity, v *objchange.Violation) string {
	if f.Side == SideRequest {
		return fmt.Sprintf("Request is not one of Terraform's: %s", v.Rule)
	}
	if severity == tfprotov6.DiagnosticSeverityError && f.Side == SideResponse && v.Enforced {
		if summary := f.summaryOfTerraform(v); summary != "" {
			return summary
		}
	}
	return fmt.Sprintf("Provider broke its contract: %s", v.Rule)
}

// summaryOfTerraform returns "" for what Terraform rejects in other words each time, such
// as infinite numbers and imports.
func (f Finding) summaryOfTerraform(v *objchange.Violation) string {
	switch {
	case v.Rule == objchange.RuleInvalidInput || v.Rule == RuleDeferral || v.Message == infiniteMessage:
		return ""
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

func (f Finding) summaryOfApply(v *objchange.Violation) string {
	left := v.Rule == objchange.RuleInconsistentPresence && !v.Tolerated(true) // by a delete
	switch {
	case slices.ContainsFunc(f.Violations, func(v *objchange.Violation) bool {
		return v.Rule == objchange.RuleTypeMismatch || v.Rule == objchange.RuleWriteOnlyNotNull
	}): // Terraform looks no further
		return invalidObject
	case left || v.Rule == objchange.RuleStateUnknown:
		return invalidResult
	}
	return inconsistentResult
}
