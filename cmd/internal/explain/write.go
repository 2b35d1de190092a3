package explain

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/rulebook"
	"github.com/objchange/objchange/cmd/internal/terminal"
	"github.com/objchange/objchange/cmd/internal/words"
)

// None is the output for a text without such errors.
const None = "The text has no error about what a provider returned. Other errors are not explained."

// JSON returns the errors as a JSON document.
func JSON(all []Error) ([]byte, error) {
	if all == nil {
		all = []Error{}
	}
	return words.JSON(map[string][]Error{"errors": all}, "  ")
}

// A group is a set of errors with the same explanation. They have the same resource, possibly with
// several instances, and the same rule and phase.
type group struct {
	errors  []Error
	heading string // the address, without the keys of instances if there are several
	several bool   // instances
}

// groups returns the errors in groups, in the order of the first error of each group.
func groups(all []Error) (groups []*group) {
	at := map[string]*group{}
	for _, e := range all {
		like := e
		like.Path, like.Message, like.Was, like.Now, like.Address = "", "", "", "", keys.ReplaceAllString(e.Address, "")
		g := at[like.key()]
		if g == nil {
			g = &group{heading: cmp.Or(e.Address, "a resource")}
			at[like.key()], groups = g, append(groups, g)
		}
		if g.errors = append(g.errors, e); e.Address != g.errors[0].Address {
			g.several, g.heading = true, like.Address
		}
	}
	return groups
}

// keys matches the keys of instances in an address.
var keys = regexp.MustCompile(index)

// says returns the text of an error. It has the instance if the group has several.
func (g *group) says(e *Error) string {
	if g.several {
		return e.Address + " " + e.Says()
	}
	return e.Says()
}

// steps returns the steps for all errors, each once.
func (g *group) steps() (all []string) {
	for i := range g.errors[0].Steps {
		for _, e := range g.errors {
			steps := e.Steps
			if g.several {
				steps = e.general
			}
			if step := steps[min(i, len(steps)-1)]; !slices.Contains(all, step) {
				all = append(all, step)
			}
		}
	}
	if g.several {
		all = slices.Insert(all, 0, "Do the following for each instance, with its address in place of ADDRESS.")
	}
	return all
}

// sections returns pairs of a title and a text.
func (e *Error) sections() [][2]string {
	all := [][2]string{{"Fault", e.Fault}, {"Fix in the provider", e.Remedy}}
	if e.Meaning != "" {
		all = slices.Insert(all, 0, [2]string{"Rule", strings.ToUpper(e.Meaning[:1]) + e.Meaning[1:] + "."})
	}
	return slices.DeleteFunc(all, func(s [2]string) bool { return s[1] == "" })
}

// Text writes the errors as text.
func Text(w io.Writer, style *terminal.Terminal, all []Error) error {
	var parts, see []string
	for _, g := range groups(all) {
		parts = append(parts, g.text(style))
		rule := g.errors[0].Rule
		if line := "see: objchange explain " + string(rule); rule != "" && !slices.Contains(see, line) {
			see = append(see, line)
		}
	}
	text := cmp.Or(strings.Join(append(parts, see...), "\n"), None)
	_, err := io.WriteString(w, strings.TrimRight(text, "\n")+"\n")
	return err
}

func (g *group) text(style *terminal.Terminal) string {
	e := &g.errors[0]
	lines := []string{style.Bold(words.Printable(g.heading, ""))}
	if e.Provider != "" {
		lines[0] += "  " + style.Dim("("+words.Printable(e.Provider, "")+")")
	}
	for _, e := range g.errors {
		parts := []string{string(e.Rule), string(e.Phase), words.Printable(g.says(&e), "")}
		parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
		lines = append(lines, style.Wrap("  "+strings.Join(parts, "  "), 6))
	}
	lines = append(lines, "")
	for _, s := range e.sections() {
		lines = append(lines, style.Wrap("  "+style.Bold(s[0]+":")+" "+s[1], 4))
	}
	lines = append(lines, "  "+style.Bold("What you can do:"))
	for i, step := range g.steps() {
		lines = append(lines, style.Wrap(fmt.Sprintf("    %d. %s", i+1, step), 7))
	}
	if e.Report != "" {
		indented := rulebook.Indent(rulebook.Indent(strings.TrimRight(report(g.errors), "\n")))
		lines = append(lines, "  "+style.Bold("Report for the provider:"), indented)
	}
	return strings.Join(lines, "\n") + "\n"
}

// Markdown returns the errors as Markdown for comments in issues.
func Markdown(all []Error) string {
	var b strings.Builder
	for _, g := range groups(all) {
		e := &g.errors[0]
		heading := words.Span(g.heading)
		if e.Provider != "" {
			heading += " of " + words.Span(e.Provider)
		}
		fmt.Fprintf(&b, "### %s\n\n", heading)
		for _, e := range g.errors {
			rule := ""
			if e.Rule != "" {
				rule = fmt.Sprintf("[%s](%s) ", e.Rule, e.Rule.Info().URL)
			}
			fmt.Fprintf(&b, "- %s%s\n", rule, words.Span(g.says(&e)))
		}
		b.WriteString("\n")
		for _, s := range e.sections() {
			fmt.Fprintf(&b, "**%s:** %s\n\n", s[0], s[1])
		}
		b.WriteString("**What you can do:**\n\n")
		for i, step := range g.steps() {
			fmt.Fprintf(&b, "%d. %s\n", i+1, step)
		}
		b.WriteString("\n")
		if e.Report != "" {
			code := words.Fenced(report(g.errors), "markdown")
			fmt.Fprintf(&b, "<details><summary>Report for the provider</summary>\n\n%s\n\n</details>\n\n", code)
		}
	}
	return cmp.Or(b.String(), None+"\n")
}

// verbs has the words for both values of an error in a phase.
var verbs = map[objchange.Phase][2]string{
	objchange.PhasePlan: {"configured", "planned"}, objchange.PhaseReplan: {"first planned", "then planned"},
	objchange.PhaseRead: {"configured", "returned"}, objchange.PhaseApply: {"planned", "returned"},
}

// Says returns the error on one line: the path, and the values.
func (e *Error) Says() string {
	place, verb := cmp.Or(e.Path, "the object"), verbs[e.Phase]
	switch {
	case e.Rule == "":
		return cmp.Or(e.Summary, e.Sentence)
	case e.Frame != nil:
		return fmt.Sprintf("panic: %s, in %s", e.Panic, strings.TrimSpace(e.Frame.Function+" "+e.Frame.At))
	case e.Panic != "":
		return "panic: " + e.Panic
	case e.Was != "" && e.Now != "" && verb[0] != "":
		return fmt.Sprintf("%s: %s %s, %s %s", place, verb[0], e.Was, verb[1], e.Now)
	case e.Now != "" && verb[1] != "":
		return fmt.Sprintf("%s: %s %s", place, verb[1], e.Now)
	}
	return fmt.Sprintf("%s: %s", place, cmp.Or(e.Message, e.Meaning))
}

// report returns an issue in Markdown for the authors of the provider, about errors of one resource
// and rule.
func report(all []Error) string {
	e := &all[0]
	title := cmp.Or(ofType().ReplaceAllString(e.Address, "$1"), "a resource") + ": " + cmp.Or(e.Summary, string(e.Rule))
	if e.Path != "" {
		title += " (" + words.Span(e.Path) + ")"
	}
	verb, sentences := "says", []string{e.Summary}
	if e.Severity == objchange.Tolerated {
		verb, sentences = "logs", nil
	}
	for _, o := range all {
		if o.Sentence != "" {
			sentences = append(sentences, o.Sentence)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s %s:\n\n", title, e.program.name, verb)
	fmt.Fprintf(&b, "%s\n\n", words.Fenced(strings.Join(sentences, "\n\n"), "text"))
	if e.trace != "" {
		fmt.Fprintf(&b, "The stack trace:\n\n%s\n\n", words.Fenced(e.trace, "text"))
	}
	if e.Rule != "" {
		fmt.Fprintf(&b, "The rule [%s](%s): %s. %s\n\n", e.Rule, e.Rule.Info().URL, e.Meaning, e.Remedy)
	}
	b.WriteString(strings.ReplaceAll(toFillIn, "terraform ", e.program.command+" "))
	return words.Printable(b.String(), "\n")
}

// toFillIn is the part of an issue that the user completes.
const toFillIn = `Remove secret values from the text above before you publish it.

## To reproduce

The configuration of the resource:

(insert it here)

(attach the folder that "objchange watch --record recording --redact -- terraform apply" writes; it has no values)

## Versions

(insert here what "terraform version" prints)
`

// ofType matches an address, with groups for the type and the name of the resource.
var ofType = lazy(`^(?:.*\.)?(` + name + `)\.(` + name + `)(?:` + index + `)?$`)
