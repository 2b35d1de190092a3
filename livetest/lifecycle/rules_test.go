package lifecycle_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/livetest/internal/live"
)

// unbreakable lists the rules that a response of a provider cannot break.
var unbreakable = map[objchange.Rule]string{
	objchange.RuleInvalidInput:       "without a valid schema there is no value to judge",
	objchange.RuleConfigRequired:     "the configuration is the user's",
	objchange.RuleConfigComputedOnly: "the configuration is the user's",
	objchange.RuleConfigBlockCount:   "the configuration is the user's",
	objchange.RuleConfigUnknown:      "Terraform evaluates the configuration",
	objchange.RuleProposedNotCore:    "Terraform proposes the new state",
	objchange.RulePlanAction:         "Terraform chooses the action in a plan",
	objchange.RulePlanContradiction:  "Terraform writes the plan",
	objchange.RuleWriteOnlyConstant:  "Terraform writes the configuration into the plan",
}

// brokenElsewhere names the tests of rules that no breach breaks.
var brokenElsewhere = map[objchange.Rule]string{
	objchange.RuleDeferral:       "TestFindingsHaveTerraformsSummary",
	objchange.RuleImportCount:    "TestFindingsHaveTerraformsSummary",
	objchange.RuleImportIdentity: "TestIdentitiesAreReportedAsRejected of tfcheck",
	objchange.RuleCrash:          "TestTerraformConfirmsPanics of tfcheck/explore",
}

func TestEveryRuleIsBroken(t *testing.T) {
	for _, rule := range objchange.Rules() {
		if brokenElsewhere[rule] != "" {
			continue
		}
		broken := false
		for _, b := range live.Breaches {
			broken = broken || b.Rule == rule
		}
		if _, never := unbreakable[rule]; broken == never {
			t.Errorf("%s: broken by a resource: %v, cannot be broken: %v", rule, broken, never)
		}
	}
}

func TestBreachesAreFound(t *testing.T) {
	for _, b := range live.Breaches {
		t.Run(b.Name(), func(t *testing.T) {
			found, err := b.Run.Drive(t, live.ProviderOf(t, b.Change, b.TypeName), b.TypeName)
			want := append([]live.Summary{live.Saw(b.RPC, b.Rule, b.Severity)}, b.Also...)
			if diff := cmp.Diff(want, live.Summaries(found)); diff != "" {
				t.Errorf("findings (-want +got):\n%s%v", diff, found)
			}
			if stopped := err != nil; stopped != b.Stops() {
				t.Errorf("the run ended with %v", err)
			}
		})
	}
}
