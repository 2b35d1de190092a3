// Package rulebook provides all rules that a command can find broken, with their texts from the
// rules reference.
package rulebook

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/docs"
	"github.com/objchange/objchange/internal/spelling"
)

// An Entry is one rule: its data, and its section of the rules reference.
type Entry struct {
	Rule      objchange.Rule     `json:"rule"`
	Phases    []objchange.Phase  `json:"phases"`
	Severity  objchange.Severity `json:"severity"`
	Partly    bool               `json:"partly,omitempty"` // some violations are unchecked
	Tolerated []objchange.Phase  `json:"tolerated,omitempty"`
	Meaning   string             `json:"meaning"` // the requirement of the rule
	Text      string             `json:"text"`    // the same in full
	Remedy    string             `json:"remedy"`
	Steps     []string           `json:"steps"`     // for users of the provider
	Example   string             `json:"example"`   // values that break the rule, as JSON
	Checked   bool               `json:"checked"`   // the example is a document in which check finds the rule broken
	Message   string             `json:"message"`   // the library's message about the example
	Terraform string             `json:"terraform"` // the errors of Terraform, or ""
	Fix       string             `json:"fix"`       // the fix as Markdown, with absolute links
}

// entries reads the rules reference when it is first used, because most commands do not need it.
var entries = sync.OnceValue(func() (all []Entry) {
	for _, page := range docs.Pages() {
		sections := strings.Split(page.Text, "\n## ")
		for _, section := range sections[1:] {
			m := entryText.FindStringSubmatch(section)
			if m == nil {
				panic("rulebook: docs/rules/" + page.Name + ".md: a section without an example: " + section)
			}
			info := objchange.Rule(m[1]).Info()
			terraform, fix := cutTerraform(strings.TrimSpace(m[5]))
			all = append(all, Entry{
				Rule: info.Rule, Phases: info.Phases, Severity: info.Severity, Partly: info.Partly,
				Tolerated: info.Tolerated, Meaning: info.Meaning, Text: strings.Join(paragraphs(m[2]), " "),
				Remedy: info.Remedy, Steps: allSteps(info), Example: m[3], Message: m[4], Terraform: terraform,
				Fix:     withLinks(withSteps(fix, allSteps(info))),
				Checked: inDocument(info.Rule, page.Name),
			})
		}
	}
	return all
})

// cutTerraform splits a section into the errors of Terraform at its beginning, and the rest.
func cutTerraform(section string) (terraform, rest string) {
	if after, ok := strings.CutPrefix(section, "Terraform reports:\n\n```text\n"); ok {
		terraform, rest, _ = strings.Cut(after, "\n```\n\n")
		return terraform, rest
	}
	return "", section
}

// inDocument reports whether check finds the rule broken: a rule of the library, or
// proposed-not-core. A document cannot break the rules for any input: its schema must be valid, and
// its values must have the types of the schema.
func inDocument(rule objchange.Rule, page string) bool {
	return rule == objchange.RuleProposedNotCore || !slices.Contains([]string{"input", "provider", "saved-plan"}, page)
}

// Entries returns all rules. The library's rules come first, in the order of the lifecycle.
func Entries() []Entry { return slices.Clone(entries()) }

// Find returns the entry of the rule.
func Find(name objchange.Rule) (Entry, bool) {
	all := entries()
	i := slices.IndexFunc(all, func(e Entry) bool { return e.Rule == name })
	if i < 0 {
		return Entry{}, false
	}
	return all[i], true
}

var entryText = regexp.MustCompile("(?s)^([a-z-]+)\n\n(.*?)\n\n```json\n(.*?)\n```\n\n```text\n(.*?)\n```(?:\n(.*)|)$")

// Unknown returns the error for an unknown name of a rule.
func Unknown(name string) error {
	var all []string
	for _, e := range entries() {
		all = append(all, string(e.Rule))
	}
	if near := spelling.Nearest(name, all); near != "" {
		return fmt.Errorf("unknown rule %q: did you mean %s?", name, near)
	}
	return fmt.Errorf("unknown rule %q: see objchange explain", name)
}

// userSteps matches the steps for users in a section of the reference: a sentence or a list, up to
// the next paragraph. The reference shortens the steps that several rules share.
var userSteps = regexp.MustCompile(`\*\*As a user:\*\*(?:.+\n)*\n?\n(?:\d+\. .*\n(?:   .*\n)*\n)*`)

// withSteps returns the fix with all steps in full.
func withSteps(fix string, steps []string) string {
	text := " " + steps[0]
	if len(steps) > 1 {
		text = ""
		for i, step := range steps {
			text += fmt.Sprintf("\n\n%d. %s", i+1, step)
		}
	}
	return userSteps.ReplaceAllLiteralString(fix, "**As a user:**"+text+"\n\n")
}
