package rulebook

import (
	"slices"
	"strings"

	"github.com/objchange/objchange"
)

// tolerable is the first step about what Terraform tolerates.
const tolerable = "Continue: Terraform tolerates this. Take the next steps only if another error follows, " +
	"or if each plan shows the same change again."

// A Case is a violation of a rule. Values are texts for display, or "" if they are not known.
type Case struct {
	Rule     objchange.Rule
	Phase    objchange.Phase
	Path     string
	Was, Now string             // the configured or planned value, and the planned or returned value
	Severity objchange.Severity // nothing is tainted if it is Tolerated
}

// Steps returns the steps for a user. ADDRESS in a command stands for the address of the resource.
func Steps(c Case) (all []objchange.Step) {
	info, tolerated := c.Rule.Info(), c.Severity == objchange.Tolerated
	for _, s := range info.Workaround {
		other := s.Part && c.Path == "" || s.Whole && c.Path != ""
		if helpsIn(s, c.Phase) && !other && !(tolerated && s.Kind == objchange.StepUntaints) {
			all = append(all, c.ofValues(s))
		}
	}
	if tolerated && !(len(all) > 0 && all[0].Kind == objchange.StepContinues) {
		all = slices.Insert(all, 0, objchange.Step{Text: tolerable})
	}
	for _, text := range reported(info, c.Phase) {
		all = append(all, objchange.Step{Text: text})
	}
	return all
}

// helpsIn reports whether the step helps in the phase. The phase "" matches all steps.
func helpsIn(s objchange.Step, phase objchange.Phase) bool {
	return phase == "" || len(s.Phases) == 0 || slices.Contains(s.Phases, phase)
}

// allSteps returns all steps of a rule, each with its phases and extent.
func allSteps(info objchange.RuleInfo) (all []string) {
	for _, s := range info.Workaround {
		var in []string
		for _, phase := range info.Phases {
			if helpsIn(s, phase) {
				in = append(in, whenIn[phase])
			}
		}
		if len(in) == len(info.Phases) {
			in = nil
		}
		when := joinOr(in)
		switch {
		case s.Whole:
			when += ", when the whole object is affected"
		case s.Part:
			when += ", when a part of the object is affected"
		}
		text := s.Text
		when = strings.TrimPrefix(when, ", ")
		if when != "" {
			text = strings.ToUpper(when[:1]) + when[1:] + ": " + text
		}
		all = append(all, text)
	}
	return append(all, reported(info, "")...)
}

func joinOr(words []string) string {
	if len(words) < 3 {
		return strings.Join(words, " or ")
	}
	return strings.Join(words[:len(words)-1], ", ") + ", or " + words[len(words)-1]
}

// whenIn has a description of each phase.
var whenIn = map[objchange.Phase]string{
	objchange.PhaseConfig: "in the configuration", objchange.PhaseUpgrade: "on upgrade",
	objchange.PhaseImport: "on import", objchange.PhaseRead: "on read", objchange.PhasePlan: "at plan",
	objchange.PhaseReplan: "when Terraform plans again at apply", objchange.PhaseApply: "after apply",
}

// unbreakable lists the rules that no provider can break, besides those about configurations.
var unbreakable = []objchange.Rule{
	objchange.RuleInvalidInput, objchange.RuleProposedNotCore,
	objchange.RulePlanAction, objchange.RulePlanContradiction, objchange.RuleWriteOnlyConstant,
}

// reported returns the step to report the violation, if a provider can break the rule.
func reported(info objchange.RuleInfo, phase objchange.Phase) []string {
	ofProvider := func(phase objchange.Phase) bool { return phase != objchange.PhaseConfig }
	if slices.Contains(unbreakable, info.Rule) || !slices.ContainsFunc(info.Phases, ofProvider) {
		return nil
	}
	command := "plan"
	switch phase {
	case "", objchange.PhaseReplan, objchange.PhaseApply:
		command = "apply"
	case objchange.PhaseImport:
		command = "import ADDRESS ID"
	}
	return []string{"Report it to the authors of the provider. This needs the configuration that fails again: " +
		"restore it, and run `objchange watch --record recording --redact -- terraform " + command + "`. " +
		"Attach the folder recording, the configuration of the resource, and the output of `terraform version`."}
}
