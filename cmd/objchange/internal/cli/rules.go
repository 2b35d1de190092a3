package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/rulebook"
)

func newRulesCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "rules [NAME]",
		Short: "List the rules, or tell one in full",
		Long: `Lists every rule that a command can find broken, in the order of a resource's
life: its name, whether Terraform Core enforces it, and what must hold. With a
NAME, tells that rule in full, with values that break it and what is said of them.

The rules of plans and of consistency bind providers built with the legacy SDK
too, but Core only logs what they break.`,
		Example: `  objchange rules
  objchange rules plan-not-config`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
			if len(args) == 0 {
				for _, e := range rulebook.Entries() {
					names = append(names, cobra.CompletionWithDesc(string(e.Rule), e.Description))
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listRules()
			}
			return a.tellRule(args[0])
		},
	}
}

func (a *app) listRules() error {
	width := 0
	for _, e := range rulebook.Entries() {
		width = max(width, len(e.Rule))
	}
	for _, e := range rulebook.Entries() {
		enforced := fmt.Sprintf("%-15s", e.Enforced)
		if e.Enforced != "enforced" {
			enforced = a.term.Dim(enforced)
		}
		if _, err := fmt.Fprintf(a.out, "%s%s  %s  %s\n", a.term.Bold(string(e.Rule)),
			strings.Repeat(" ", width-len(e.Rule)), enforced, e.Description); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) tellRule(name string) error {
	e, ok := rulebook.Find(objchange.Rule(name))
	if !ok {
		return misused("unknown rule %q%s", name, orDidYouMean(rulebook.Near(name)))
	}
	legacy := ""
	if e.Rule.ExcusedForLegacySDK() && e.Enforced != "not enforced" {
		legacy = "For providers built with the legacy SDK, Core only logs it."
	}
	_, err := fmt.Fprintf(a.out, "%s: %s\n\n%s\n\nExample:\n\n%s\n\nObjchange says:\n\n%s\n", a.term.Bold(name), e.Description,
		a.term.Wrap(strings.TrimSpace(e.Text+" "+legacy), 0), indent(e.Example), indent(e.Message))
	return err
}

func indent(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }

// orDidYouMean asks whether one of the names was meant.
func orDidYouMean(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return ": did you mean " + strings.Join(names, " or ") + "?"
}
