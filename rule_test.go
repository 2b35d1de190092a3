package objchange_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/objchange/objchange"
)

// TestUntaintComesFirst checks that the steps for users begin with untaint. If Terraform
// rejects a new object at apply, it taints the object, and the next apply destroys it.
// livetest tests that Terraform taints it.
func TestUntaintComesFirst(t *testing.T) {
	untainted := map[objchange.Rule]string{
		objchange.RuleInvalidInput:           "no provider can break it",
		objchange.RuleTypeMismatch:           "Terraform keeps the state from before, without the object",
		objchange.RuleWriteOnlyNotNull:       "Terraform keeps the state from before, without the object",
		objchange.RuleInconsistentNullBlocks: "enforced for computed blocks only, which the protocol does not have",
		objchange.RuleStateNullBlocks:        "not enforced",
		objchange.RuleCrash:                  "whether there is an object is not known",
	}
	for _, rule := range objchange.Rules() {
		info := rule.Info()
		untaints := func(s objchange.Step) bool { return s.Kind == objchange.StepUntaints }
		switch at := slices.IndexFunc(info.Workaround, untaints); {
		case at > 0 || at == 0 && !slices.Equal(info.Workaround[0].Phases, []objchange.Phase{objchange.PhaseApply}):
			t.Errorf("%s: untaint is not the first step, or not only after apply: %v", rule, info.Workaround)
		case !slices.Contains(info.Phases, objchange.PhaseApply):
			if at == 0 {
				t.Errorf("%s advises untaint, but its apply does not create an object", rule)
			}
		case (at < 0) != (untainted[rule] != ""):
			t.Errorf("%s: the steps are %v, but no object is tainted: %q", rule, info.Workaround, untainted[rule])
		}
	}
}

// TestStepsHaveTheirKind checks that steps with the words of a kind have that kind, and no others.
// Programs that choose among steps go by the kind.
func TestStepsHaveTheirKind(t *testing.T) {
	words := map[objchange.StepKind]*regexp.Regexp{
		objchange.StepUntaints:   regexp.MustCompile("`terraform untaint ADDRESS`"),
		objchange.StepConfigures: regexp.MustCompile("^(Leave|Write|Set|Remove|If a nested) "),
		objchange.StepRecovers:   regexp.MustCompile("^If the plan was to create or update "),
		objchange.StepForgets:    regexp.MustCompile("^If the plan was to delete "),
		objchange.StepUpgrades:   regexp.MustCompile("newest version of the provider"),
		objchange.StepContinues:  regexp.MustCompile("^Continue: "),
	}
	for _, rule := range objchange.Rules() {
		for _, s := range rule.Info().Workaround {
			for kind, text := range words {
				if text.MatchString(s.Text) != (s.Kind == kind) {
					t.Errorf("%s: the kind of %q is %q", rule, s.Text, s.Kind)
				}
			}
		}
	}
}

// TestEachRuleHasStepsInEachPhase checks that each rule has steps for users in each of its phases,
// and that each step helps in a phase.
func TestEachRuleHasStepsInEachPhase(t *testing.T) {
	for _, rule := range objchange.Rules() {
		info := rule.Info()
		for _, phase := range info.Phases {
			if !slices.ContainsFunc(info.Workaround, helpsIn(phase)) {
				t.Errorf("%s: no step in the phase %s", rule, phase)
			}
		}
		for _, s := range info.Workaround {
			if !slices.ContainsFunc(info.Phases, func(phase objchange.Phase) bool { return helpsIn(phase)(s) }) || !strings.HasSuffix(s.Text, ".") {
				t.Errorf("%s: step %v", rule, s)
			}
		}
	}
}

// helpsIn returns a function that reports whether a step helps in the phase.
func helpsIn(phase objchange.Phase) func(objchange.Step) bool {
	return func(s objchange.Step) bool { return len(s.Phases) == 0 || slices.Contains(s.Phases, phase) }
}

// TestInfoIsTotal checks that each rule has an address, a severity and texts, and that an unknown
// rule has the address of the reference.
func TestInfoIsTotal(t *testing.T) {
	for _, rule := range objchange.Rules() {
		info := rule.Info()
		if info.Rule != rule || !strings.HasSuffix(info.URL, ".md#"+string(rule)) || info.Meaning == "" || info.Remedy == "" {
			t.Errorf("%s: %+v", rule, info)
		}
		if info.Severity != objchange.Rejected && (info.Severity != objchange.Unchecked || info.Partly) {
			t.Errorf("%s is %s, partly %t", rule, info.Severity, info.Partly)
		}
	}
	if info := objchange.Rule("of-mine").Info(); info.Rule != "of-mine" || !strings.HasSuffix(info.URL, "/docs/rules/README.md") {
		t.Errorf("an unknown rule: %+v", info)
	}
}
