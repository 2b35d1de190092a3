// Package rulebook has every rule that a command can find broken, as the rule
// book tells it.
package rulebook

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agext/levenshtein"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/docs"
	"github.com/objchange/objchange/tfcheck"
)

//go:embed tools.md
var tools string

// An Entry is one rule.
type Entry struct {
	Rule        objchange.Rule
	Description string // in one line, as what must hold
	Enforced    string // by Core: one of the constants
	StrictOnly  bool   // it counts with --strict only
	Text        string // in full
	Example     string // values that break the rule, as JSON
	Message     string // what the library says of them
}

// What Core makes of a rule.
const (
	Enforced       = "enforced"
	NotEnforced    = "not enforced"
	PartlyEnforced = "partly enforced"
	AuditOnly      = "audit's own" // Core does not judge it
)

var entries = slices.Concat(parse(docs.RuleBook), parse(tools))

// Entries returns all rules, the library's in the order of the lifecycle first.
func Entries() []Entry { return slices.Clone(entries) }

// Find returns the entry of the rule.
func Find(name objchange.Rule) (Entry, bool) {
	i := slices.IndexFunc(entries, func(e Entry) bool { return e.Rule == name })
	if i < 0 {
		return Entry{}, false
	}
	return entries[i], true
}

var entryText = regexp.MustCompile("(?s)### ([a-z-]+)\n\n(.*?)\n\n```json\n(.*?)\n```\n\n```text\n(.*?)\n```\n")

func parse(book string) (found []Entry) {
	for _, m := range entryText.FindAllStringSubmatch(book, -1) {
		e := Entry{Rule: objchange.Rule(m[1]), Text: strings.Join(strings.Fields(m[2]), " "), Example: m[3], Message: m[4]}
		e.Enforced = enforced(e.Text)
		e.StrictOnly = strings.Contains(e.Text, "with --strict only") ||
			!tfcheck.Counts(&objchange.Violation{Rule: e.Rule, Enforced: e.Enforced != NotEnforced})
		e.Description = e.Rule.Description()
		if e.Description == "" { // not one of the library's
			e.Description = firstSentence(e.Text)
		}
		found = append(found, e)
	}
	return found
}

// enforced finds what the text says of Core: "Enforced.", "Not enforced" and
// why, "Enforced" with where, or that it does not judge it.
func enforced(text string) string {
	switch {
	case strings.Contains(text, "Core does not judge it"):
		return AuditOnly
	case strings.Contains(text, "Not enforced"):
		return NotEnforced
	case strings.Contains(text, "Enforced."):
		return Enforced
	}
	return PartlyEnforced
}

// firstSentence returns it as the library's descriptions are written.
func firstSentence(text string) string {
	text, _, _ = strings.Cut(text, ". ")
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(first)) + text[size:]
}

// Near returns the names of rules that may have been meant: those with the name
// in theirs, and those that are spelled nearly alike.
func Near(name string) (names []string) {
	const typos = 3
	for _, e := range entries {
		rule := string(e.Rule)
		if name != "" && strings.Contains(rule, name) || levenshtein.Distance(name, rule, nil) <= typos {
			names = append(names, rule)
		}
	}
	return names
}
