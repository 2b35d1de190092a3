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
	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/docs"
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

// A Style formats text for a terminal.
type Style interface {
	Bold(string) string
	Dim(string) string
	// Wrap wraps a long line, and indents the following lines.
	Wrap(line string, indent int) string
}

// A group is a set of errors with the same explanation. They have the same resource, possibly with
// several instances, and the same rule and phase.
type group []Error

// instances returns the addresses in the group.
func (g group) instances() (all []string) {
	for _, e := range g {
		if !slices.Contains(all, e.Address) {
			all = append(all, e.Address)
		}
	}
	return all
}

// heading returns the address of the only instance. If there are several, it returns the address of
// the resource without the keys of instances.
func (g group) heading() string {
	if len(g.instances()) == 1 {
		return cmp.Or(g[0].Address, "a resource")
	}
	return keys.ReplaceAllString(g[0].Address, "")
}

// keys matches the keys of instances in an address.
var keys = regexp.MustCompile(index)

// says returns the text of an error. It has the instance if the group has several.
func (g group) says(e *Error) string {
	if len(g.instances()) == 1 {
		return e.Says()
	}
	return e.Address + " " + e.Says()
}

// steps returns the steps for all instances.
func (g group) steps() []string {
	if len(g.instances()) == 1 {
		return g[0].Steps
	}
	var all []string
	for _, step := range g[0].Steps {
		all = append(all, strings.ReplaceAll(step, words.ShellWord(g[0].Address), "ADDRESS"))
	}
	if slices.ContainsFunc(all, func(step string) bool { return strings.Contains(step, "ADDRESS") }) {
		all = slices.Insert(all, 0, "Do the following for each instance, with its address in place of ADDRESS.")
	}
	return all
}

// groups returns the errors in groups, in the order of the first error of each group.
func groups(all []Error) (groups []group) {
	at := map[key]int{}
	for _, e := range all {
		one := e.key()
		one.path, one.message, one.address = "", "", keys.ReplaceAllString(one.address, "")
		i, ok := at[one]
		if !ok {
			i = len(groups)
			at[one] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], e)
	}
	return groups
}

// Text writes the errors as text.
func Text(w io.Writer, style Style, all []Error) error {
	var b strings.Builder
	for _, g := range groups(all) {
		g.text(&b, style)
	}
	for _, f := range fixes(all) {
		fmt.Fprintf(&b, "%s\n\n%s\n\n", style.Bold("How the author of the provider fixes "+f.title()+":"), rulebook.Indent(f.text))
	}
	for _, rule := range rules(all) {
		fmt.Fprintf(&b, "see: objchange explain %s\n", rule)
	}
	if len(all) == 0 {
		b.WriteString(None + "\n")
	}
	_, err := io.WriteString(w, strings.TrimRight(b.String(), "\n")+"\n")
	return err
}

func (g group) text(b *strings.Builder, style Style) {
	e := &g[0]
	heading := style.Bold(words.Printable(g.heading(), ""))
	if e.Provider != "" {
		heading += "  " + style.Dim("("+words.Printable(e.Provider, "")+")")
	}
	b.WriteString(heading + "\n")
	rule := cmp.Or(string(e.Rule), "(unknown rule)") + "  "
	if e.Phase != "" {
		rule += string(e.Phase) + "  "
	}
	for _, e := range g {
		b.WriteString(style.Wrap("  "+rule+words.Printable(g.says(&e), ""), 6) + "\n")
	}
	b.WriteString("\n")
	section := func(title, text string) {
		if text != "" {
			b.WriteString(style.Wrap("  "+style.Bold(title+":")+" "+text, 4) + "\n")
		}
	}
	section("Rule", sentenceOf(e.Meaning))
	section("Fault", e.Fault)
	section("Fix in the provider", e.Remedy)
	b.WriteString("  " + style.Bold("What you can do:") + "\n")
	for i, step := range g.steps() {
		b.WriteString(style.Wrap(fmt.Sprintf("    %d. %s", i+1, step), 7) + "\n")
	}
	if e.Report != "" {
		b.WriteString("  " + style.Bold("Report for the provider:") + "\n" + indented(reportOf(g), "    ") + "\n")
	}
	b.WriteString("\n")
}

// sentenceOf returns the meaning of a rule as a sentence.
func sentenceOf(meaning string) string {
	if meaning == "" {
		return ""
	}
	return strings.ToUpper(meaning[:1]) + meaning[1:] + "."
}

func indented(text, by string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = by + line
		}
	}
	return strings.Join(lines, "\n")
}

// A fix is the fix for a rule with an SDK.
type fix struct {
	rule objchange.Rule
	sdk  SDK
	code string // in Markdown
	text string
}

func (f fix) title() string { return fmt.Sprintf("%s with %s", f.rule, f.sdk) }

// fixes returns the code for each rule and SDK of the errors, without duplicates.
func fixes(all []Error) (fixes []fix) {
	seen := map[string]bool{}
	for _, e := range all {
		f := fix{rule: e.Rule, sdk: e.SDK}
		entry, ok := rulebook.Find(e.Rule)
		if !ok || e.SDK == "" || seen[f.title()] {
			continue
		}
		seen[f.title()] = true
		if f.code = entry.Code(string(e.SDK)); f.code != "" {
			f.text = rulebook.Entry{Fix: f.code}.FixText(strings.TrimSpace)
			fixes = append(fixes, f)
		}
	}
	return fixes
}

// rules returns the rules of the errors, without duplicates.
func rules(all []Error) (rules []objchange.Rule) {
	for _, e := range all {
		if e.Rule != "" && !slices.Contains(rules, e.Rule) {
			rules = append(rules, e.Rule)
		}
	}
	return rules
}

// Markdown returns the errors as Markdown for comments in issues.
func Markdown(all []Error) string {
	if len(all) == 0 {
		return None + "\n"
	}
	var b strings.Builder
	for _, g := range groups(all) {
		g.markdown(&b)
	}
	for _, f := range fixes(all) {
		details(&b, "How the author of the provider fixes "+f.title(), f.code)
	}
	return b.String()
}

func (g group) markdown(b *strings.Builder) {
	e := &g[0]
	heading := words.Span(g.heading())
	if e.Provider != "" {
		heading += " of " + words.Span(e.Provider)
	}
	fmt.Fprintf(b, "### %s\n\n", heading)
	for _, e := range g {
		rule := ""
		if e.Rule != "" {
			rule = fmt.Sprintf("[%s](%s) ", e.Rule, docs.RuleURL(e.Rule))
		}
		fmt.Fprintf(b, "- %s%s\n", rule, words.Span(g.says(&e)))
	}
	b.WriteString("\n")
	for _, s := range [][2]string{{"Rule", sentenceOf(e.Meaning)}, {"Fault", e.Fault}, {"Fix in the provider", e.Remedy}} {
		if s[1] != "" {
			fmt.Fprintf(b, "**%s:** %s\n\n", s[0], s[1])
		}
	}
	b.WriteString("**What you can do:**\n\n")
	for i, step := range g.steps() {
		fmt.Fprintf(b, "%d. %s\n", i+1, step)
	}
	b.WriteString("\n")
	if e.Report != "" {
		details(b, "Report for the provider", fenced(reportOf(g), "markdown"))
	}
}

func details(b *strings.Builder, summary, text string) {
	fmt.Fprintf(b, "<details><summary>%s</summary>\n\n%s\n\n</details>\n\n", summary, text)
}
