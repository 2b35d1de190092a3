package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/explain"
	"github.com/objchange/objchange/cmd/internal/files"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/rulebook"
	"github.com/objchange/objchange/cmd/internal/words"
)

func newExplainCommand(a *app) *cobra.Command {
	format := report.Text // not the app's, because an unknown rule is not written as a report
	cmd := &cobra.Command{
		Use:   "explain [flags] [RULE | FILE...]",
		Short: "Explain an error of Terraform, or a rule and its fix",
		Long: `Find and explain errors of Terraform or OpenTofu about what a provider returned, such as
"Provider produced inconsistent result after apply". FILE is the output of a command, a
log or an issue. Pass - for standard input.

For each error, print the resource, the provider, the path, the change, the rule, the
steps that you can take now, the fix in the provider, and an issue for the provider.
Explain ignores other errors. If standard error is a terminal, explain copies standard
input to it.

With RULE, explain the rule: values that break it, the messages of Terraform and of
objchange, and how to fix it, with code. Without arguments, list the rules.

The exit status is 0, or 2 if a file cannot be read or the rule does not exist.
Details: ` + documentation + `explain.md`,
		Example: `  terraform apply 2>&1 | objchange explain -
  objchange explain --format markdown cmd/objchange/testdata/example/apply.txt
  objchange explain plan-not-config
  objchange explain`,
		ValidArgsFunction: completeRules,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.explainRules(format, rulebook.Entries())
			}
			if e, ok := rulebook.Find(objchange.Rule(args[0])); ok && len(args) == 1 {
				return a.explainRules(format, []rulebook.Entry{e})
			}
			return a.explainErrors(format, args)
		},
	}
	choose(cmd, &format, "format", "the `FORMAT` of the output", report.Text, report.JSON, report.Markdown)
	return cmd
}

// completeRules completes the name of a rule as the first argument.
func completeRules(_ *cobra.Command, args []string, _ string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
	if len(args) == 0 {
		for _, e := range rulebook.Entries() {
			names = append(names, cobra.CompletionWithDesc(string(e.Rule), e.Meaning))
		}
	}
	return names, cobra.ShellCompDirectiveDefault
}

// explainRules prints one rule, or the list of all rules.
func (a *app) explainRules(format report.Format, rules []rulebook.Entry) error {
	switch {
	case format == report.JSON:
		return a.print(words.JSON(rules, "  "))
	case format == report.Markdown:
		return misused("--format markdown is only for errors in files, not for rules")
	case len(rules) == 1:
		a.explainRule(rules[0])
	default:
		a.listRules(rules)
	}
	return nil // the output keeps its error
}

func (a *app) print(text []byte, err error) error {
	if err == nil {
		_, err = a.out.Write(text)
	}
	return err
}

// maxExplained is the maximum size of a text.
const maxExplained = 64 << 20

func (a *app) explainErrors(format report.Format, names []string) error {
	var all []explain.Error
	for _, name := range names {
		text, err := a.readText(name)
		if errors.Is(err, fs.ErrNotExist) && len(names) == 1 && !strings.ContainsAny(name, `./\`) {
			err = misused("no such file, and %w", rulebook.Unknown(name))
		}
		if err != nil {
			return err
		}
		all = append(all, explain.Find(text)...)
	}
	switch format {
	case report.JSON:
		return a.print(explain.JSON(all))
	case report.Markdown:
		return a.print([]byte(explain.Markdown(all)), nil)
	}
	return explain.Text(a.out, a.term, all)
}

func (a *app) readText(name string) (string, error) {
	file, err := a.open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	in := files.Limit(file, maxExplained)
	if name == "-" {
		in = a.term.Mirror(in) // shows Terraform's question whether to apply
	}
	text, err := io.ReadAll(in)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return string(text), nil
}

func (a *app) listRules(rules []rulebook.Entry) {
	const column = len("partly rejected")
	width := 0
	for _, e := range rules {
		width = max(width, len(e.Rule))
	}
	line := fmt.Sprintf("%-*s  %-*s  %s", width, "RULE", column, "SEVERITY", "MEANING")
	fmt.Fprintln(a.out, a.term.Dim(line))
	for _, e := range rules {
		severity := string(e.Severity)
		if e.Partly {
			severity = "partly " + severity
		}
		severity = fmt.Sprintf("%-*s", column, severity)
		if e.Severity != objchange.Rejected || e.Partly {
			severity = a.term.Dim(severity)
		}
		line := a.term.Bold(fmt.Sprintf("%-*s", width, e.Rule)) + "  " + severity + "  " + e.Meaning
		fmt.Fprintln(a.out, a.term.Wrap(line, width+2+column+2))
	}
}

func (a *app) explainRule(e rulebook.Entry) {
	example := "Example:"
	if !e.Checked {
		example = "Example (not a document for objchange check):"
	}
	parts := []string{
		a.term.Prose(a.term.Bold(string(e.Rule)) + ": " + e.Meaning),
		a.term.Prose(strings.TrimSpace(e.Text + " " + toleratedPhases(e))),
		a.term.Bold(example), rulebook.Indent(e.Example),
		a.term.Bold("Objchange says:"), rulebook.Indent(e.Message),
	}
	if e.Terraform != "" {
		parts = append(parts, a.term.Bold("Terraform says:"), rulebook.Indent(e.Terraform))
	}
	parts = append(parts, a.term.Bold("How to fix:"), e.FixText(a.paragraph))
	fmt.Fprintln(a.out, strings.Join(parts, "\n\n"))
}

// paragraph formats a paragraph of text, or the line above code.
func (a *app) paragraph(text string) string {
	if strings.HasSuffix(text, ":") {
		return a.term.Bold(text)
	}
	return a.term.Prose(text)
}

// toleratedPhases returns a sentence about the phases in which Terraform only logs violations of the rule
// by providers with the legacy SDK. It returns "" if there are no such phases.
func toleratedPhases(e rulebook.Entry) string {
	if len(e.Tolerated) == 0 || e.Severity == objchange.Unchecked {
		return ""
	}
	var phases []string
	for _, phase := range e.Tolerated {
		phases = append(phases, "the phase "+string(phase))
	}
	text := "For providers built with the legacy SDK, Core only logs this violation in " + strings.Join(phases, " and ")
	whole := &objchange.Violation{Rule: e.Rule, Severity: e.Severity, Phase: e.Tolerated[0]} // at the root
	deletion := objchange.Lifecycle{Config: cty.NullVal(cty.DynamicPseudoType)}
	if !deletion.Tolerates(whole) {
		text += ", but not for a whole object that is deleted"
	}
	return text + "."
}
