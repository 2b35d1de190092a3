package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/rulebook"
)

func newExplainCommand(a *app) *cobra.Command {
	format := report.Text // the flag's own: an unknown rule is no report
	cmd := &cobra.Command{
		Use:   "explain [RULE]",
		Short: "Explain a rule and how to fix what breaks it, or list all rules",
		Long: `Explain lists the rules in the order of the lifecycle: the name, whether Terraform
Core enforces the rule, which --fail-on makes it count, and what must hold.

With RULE, it explains the rule: values that break it, the message for them, and how
to fix it, in a provider and as its user, with broken and fixed code for
terraform-plugin-framework and SDK v2.

With --format json, it prints an array of rules for programs. Fields may be added. They are
described in ` + documentation + `formats.md`,
		Example: `  objchange explain
  objchange explain plan-not-config
  objchange explain --format json`,
		Args: wantArgs(cobra.MaximumNArgs(1), "one RULE at most"),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
			if len(args) == 0 {
				for _, e := range rulebook.Entries() {
					names = append(names, cobra.CompletionWithDesc(string(e.Rule), e.Meaning))
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			rules := rulebook.Entries()
			if len(args) > 0 {
				e, ok := rulebook.Find(objchange.Rule(args[0]))
				if !ok {
					return usageError{rulebook.Unknown(args[0])}
				}
				rules = []rulebook.Entry{e}
			}
			switch {
			case format == report.JSON:
				text, err := rulebook.JSON(rules...)
				if err != nil {
					return err
				}
				_, err = a.out.Write(text)
				return err
			case len(args) == 0:
				return a.listRules(rules)
			}
			return a.explainRule(rules[0])
		},
	}
	choose(cmd, &format, "format", "how to print rules", report.Text, report.JSON)
	return cmd
}

// listRules prints each rule in a line.
func (a *app) listRules(rules []rulebook.Entry) error {
	const column = len(rulebook.EnforcedPartly)
	const counts = len("FAIL-ON")
	width := 0
	for _, e := range rules {
		width = max(width, len(e.Rule))
	}
	line := fmt.Sprintf("%-*s  %-*s  %-*s  %s", width, "RULE", column, "TERRAFORM", counts, "FAIL-ON", "MEANING")
	if _, err := fmt.Fprintln(a.out, a.term.Dim(line)); err != nil {
		return err
	}
	for _, e := range rules {
		enforced := fmt.Sprintf("%-*s", column, e.Enforced)
		if e.Enforced != rulebook.EnforcedAlways {
			enforced = a.term.Dim(enforced)
		}
		on := report.FailOnAll
		if e.Counts {
			on = report.FailOnCore
		}
		line := fmt.Sprintf("%s%*s%s  %-*s  %s", a.term.Bold(string(e.Rule)), width-len(e.Rule)+2, "", enforced, counts, on, e.Meaning)
		if _, err := fmt.Fprintln(a.out, a.term.Wrap(line, width+2+column+2+counts+2)); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) explainRule(e rulebook.Entry) error {
	example := "Example:"
	if !e.Checked {
		example = "Example, which is not a document for objchange check:"
	}
	parts := []string{
		a.term.Prose(a.term.Bold(string(e.Rule)) + ": " + e.Meaning),
		a.term.Prose(strings.TrimSpace(e.Text + " " + excuse(e))),
		a.term.Bold(example), rulebook.Indent(e.Example),
		a.term.Bold("Objchange says:"), rulebook.Indent(e.Message),
		a.term.Bold("How to fix:"), e.FixText(a.paragraph),
	}
	_, err := fmt.Fprintln(a.out, strings.Join(parts, "\n\n"))
	return err
}

// paragraph returns one of prose as it is shown, or the line above code.
func (a *app) paragraph(text string) string {
	if strings.HasSuffix(text, ":") {
		return a.term.Bold(text)
	}
	return a.term.Prose(text)
}

// excuse says in which phases Core only logs that a provider of the legacy SDK
// breaks the rule, or "" if there are none.
func excuse(e rulebook.Entry) string {
	if len(e.Tolerated) == 0 || e.Enforced == rulebook.EnforcedNever {
		return ""
	}
	var phases []string
	for _, phase := range e.Tolerated {
		phases = append(phases, string(phase))
	}
	whole := objchange.Violation{Rule: e.Rule, Phase: e.Tolerated[0]} // at the root
	text := "For providers built with the legacy SDK, Core only logs it in the phase " + strings.Join(phases, " and the phase ")
	if !whole.Tolerated(true) {
		text += ", but not of the object as a whole where it is to be deleted"
	}
	return text + "."
}
