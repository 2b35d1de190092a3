package rulebook

import (
	"slices"
	"strings"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfplan"
)

// tolerable is the first step about what Terraform tolerates.
const tolerable = "Go on: Terraform tolerates it. Do more only if another error follows, or if each plan shows the same change again."

// Steps returns the steps for a user if the rule is broken in the phase. If Terraform tolerates the
// violation, nothing is tainted. ADDRESS in a command stands for the address of the resource.
func Steps(rule objchange.Rule, phase objchange.Phase, of objchange.Extent, tolerated bool) (all []string) {
	info := known[rule]
	for _, s := range info.Workaround {
		if s.In(phase, of) && !(tolerated && strings.Contains(s.Text, "terraform untaint")) {
			all = append(all, s.Text)
		}
	}
	if tolerated && !(len(all) > 0 && strings.HasPrefix(all[0], "Go on")) {
		all = slices.Insert(all, 0, tolerable)
	}
	return append(all, reported(info, phase)...)
}

// allSteps returns all steps of a rule, each with its phases and extent.
func allSteps(info objchange.RuleInfo) (all []string) {
	for _, s := range info.Workaround {
		var in []string
		for _, phase := range info.Phases {
			if s.In(phase, objchange.Anything) {
				in = append(in, whenIn[phase])
			}
		}
		if len(in) == len(info.Phases) {
			in = nil
		}
		if when := strings.TrimSpace(joinOr(in) + ofExtent[s.Extent]); when != "" {
			all = append(all, strings.ToUpper(when[:1])+when[1:]+": "+s.Text)
		} else {
			all = append(all, s.Text)
		}
	}
	return append(all, reported(info, "")...)
}

// joinOr joins the words to a list.
func joinOr(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// whenIn has a description of each phase.
var whenIn = map[objchange.Phase]string{
	objchange.PhaseConfig: "in the configuration", objchange.PhaseUpgrade: "in an upgrade", objchange.PhaseImport: "in an import",
	objchange.PhaseRead: "in a read", objchange.PhasePlan: "at plan", objchange.PhaseReplan: "when Terraform plans again at apply", objchange.PhaseApply: "after apply",
}

// ofExtent has a description of each extent.
var ofExtent = map[objchange.Extent]string{objchange.WholeObject: " for the whole object", objchange.Part: " for a part of the object"}

// reported returns the step to report the violation, if a provider can break the rule.
func reported(info objchange.RuleInfo, phase objchange.Phase) []string {
	ofProvider := func(phase objchange.Phase) bool { return phase != objchange.PhaseConfig }
	of := func(other objchange.RuleInfo) bool { return other.Rule == info.Rule }
	if info.Rule == objchange.RuleInvalidInput || info.Rule == tfcheck.RuleProposedNotCore ||
		!slices.ContainsFunc(info.Phases, ofProvider) || slices.ContainsFunc(tfplan.Rules(), of) {
		return nil
	}
	command := "apply"
	switch phase {
	case objchange.PhaseConfig, objchange.PhaseUpgrade, objchange.PhaseRead, objchange.PhasePlan:
		command = "plan"
	case objchange.PhaseImport:
		command = "import ADDRESS ID"
	}
	return []string{"Report it to the authors of the provider: with the configuration that fails, run `objchange watch --record recording --redact -- terraform " + command +
		"`, and attach the folder recording, the configuration of the resource, and what `terraform version` prints."}
}
