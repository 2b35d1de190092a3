package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/rulebook"
)

func newExplainCommand(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "explain [RULE]",
		Short: "Explain a rule and how to fix what breaks it, or list all rules",
		Long: `Explain lists the rules in the order of the lifecycle: the name, whether Terraform
Core enforces the rule, and what must hold.

With RULE, it explains the rule: values that break it, the message for them, and how
to fix it, in a provider and as its user, with broken and fixed code for
terraform-plugin-framework and SDK v2.

With --json, it prints an array of rules for programs. Fields may be added. They are
described in ` + documentation + `formats.md`,
		Example: `  objchange explain
  objchange explain plan-not-config
  objchange explain --json`,
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
			switch {
			case asJSON:
				return a.rulesJSON(args)
			case len(args) == 0:
				return a.listRules()
			}
			return a.explainRule(args[0])
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON for programs")
	return cmd
}

func (a *app) rulesJSON(names []string) error {
	entries := rulebook.Entries()
	if len(names) > 0 {
		e, err := ruleNamed(names[0])
		if err != nil {
			return err
		}
		entries = []rulebook.Entry{e}
	}
	text, err := rulebook.JSON(entries...)
	if err != nil {
		return err
	}
	_, err = a.out.Write(text)
	return err
}

func ruleNamed(name string) (rulebook.Entry, error) {
	e, ok := rulebook.Find(objchange.Rule(name))
	if !ok {
		return e, usageError{rulebook.Unknown(name)}
	}
	return e, nil
}

func (a *app) listRules() error {
	width := 0
	for _, e := range rulebook.Entries() {
		width = max(width, len(e.Rule))
	}
	for _, e := range rulebook.Entries() {
		if _, err := fmt.Fprintln(a.out, a.ruleLine(e, width)); err != nil {
			return err
		}
	}
	return nil
}

// ruleLine returns the rule in one line, or in as many as the terminal takes.
func (a *app) ruleLine(e rulebook.Entry, width int) string {
	const column, readable, narrow = len("partly enforced"), 25, 4
	enforced := fmt.Sprintf("%-*s", column, e.Enforced)
	if e.Enforced != rulebook.EnforcedAlways {
		enforced = a.term.Dim(enforced)
	}
	name := a.term.Bold(string(e.Rule))
	used := width + 2 + column + 2
	if room := a.term.Width(); room > 0 && room < used+readable {
		return name + "\n" + a.term.Wrap(fmt.Sprintf("%*s%s: %s", narrow, "", e.Enforced, e.Meaning), narrow)
	}
	return a.term.Wrap(fmt.Sprintf("%s%*s%s  %s", name, width-len(e.Rule)+2, "", enforced, e.Meaning), used)
}

func (a *app) explainRule(name string) error {
	e, err := ruleNamed(name)
	if err != nil {
		return err
	}
	parts := []string{
		a.term.Prose(a.term.Bold(name) + ": " + e.Meaning),
		a.term.Prose(strings.TrimSpace(e.Text + " " + excuse(e))),
		a.term.Bold("Example:"), rulebook.Indent(e.Example),
		a.term.Bold("Objchange says:"), rulebook.Indent(e.Message),
		a.term.Bold("How to fix:"), e.FixText(a.paragraph),
	}
	_, err = fmt.Fprintln(a.out, strings.Join(parts, "\n\n"))
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
