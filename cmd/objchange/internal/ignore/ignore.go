// Package ignore keeps findings from counting that somebody knows of, each for a
// reason.
package ignore

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/rulebook"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
)

// Skipped stands in the place of a rule for subjects that were skipped.
const Skipped = "skipped"

// An Entry is what is not to count. Rule, Address and Path are globs, in which *
// stands for any text, and "" is any.
type Entry struct {
	Rule    string `yaml:"rule"`
	Address string `yaml:"address,omitempty"`
	Path    string `yaml:"path,omitempty"`
	Reason  string `yaml:"reason"`
	Expires Day    `yaml:"expires,omitempty"`

	source string
}

// A Day is the last on which an entry holds, as 2006-01-02, or "" for ever.
type Day string

// Parse reads RULE[:ADDRESS[:PATH]], as a flag has it. Colons in quotes are part of
// an address or a path.
func Parse(text string) (Entry, error) {
	parts, quoted := []string{""}, false
	for _, r := range text {
		if r == '"' {
			quoted = !quoted
		}
		if last := len(parts) - 1; r == ':' && !quoted && last < 2 {
			parts = append(parts, "")
		} else {
			parts[last] += string(r)
		}
	}
	parts = append(parts, "", "")
	e := Entry{Rule: parts[0], Address: parts[1], Path: parts[2], Reason: "--ignore", source: "--ignore"}
	return e, e.check()
}

// check returns what is wrong with the entry.
func (e Entry) check() error {
	if e.Rule == "" {
		return fmt.Errorf("no rule is named: * is any of them")
	}
	if e.Reason == "" {
		return fmt.Errorf("%s is to be ignored without a reason", e)
	}
	if _, err := time.Parse(time.DateOnly, string(e.Expires)); e.Expires != "" && err != nil {
		return fmt.Errorf("%s expires on %q, which is no day as 2006-01-02", e, string(e.Expires))
	}
	matches := func(rule string) bool { return glob(e.Rule).MatchString(rule) }
	if matches(Skipped) || slices.ContainsFunc(rulebook.Entries(), func(r rulebook.Entry) bool { return matches(string(r.Rule)) }) {
		return nil
	}
	if near := rulebook.Near(e.Rule); len(near) > 0 {
		return fmt.Errorf("no rule is called %q: did you mean %s?", e.Rule, strings.Join(near, " or "))
	}
	return fmt.Errorf("no rule is called %q: see objchange rules", e.Rule)
}

// String writes the entry as a flag has it.
func (e Entry) String() string {
	return strings.TrimRight(strings.Join([]string{e.Rule, e.Address, e.Path}, ":"), ":")
}

// Apply notes in the report what is to be ignored on a day, and how often each
// entry was needed.
func Apply(entries []Entry, r *report.Report, today time.Time) {
	matchers := make([]matcher, len(entries))
	for i, e := range entries {
		matchers[i] = e.matcher(today)
	}
	first := func(rule objchange.Rule, address, path string) string {
		for i := range matchers {
			if m := &matchers[i]; m.expired == "" && m.rule.MatchString(string(rule)) && m.address.MatchString(address) && m.path.MatchString(path) {
				m.used++
				return entries[i].Reason
			}
		}
		return ""
	}
	for i := range r.Subjects {
		s := &r.Subjects[i]
		for f := range s.Findings {
			s.Findings[f].Ignored = first(s.Findings[f].Rule, s.Address(r.Command), s.Findings[f].Path)
		}
		if s.Status == report.Skipped && !s.Idle {
			s.Ignored = first(Skipped, s.Address(r.Command), "")
		}
	}
	for i, e := range entries {
		r.Ignores = append(r.Ignores, report.Ignore{
			What: words.Printable(e.String(), ""), Source: e.source, Reason: e.Reason, Expired: matchers[i].expired, Used: matchers[i].used,
		})
	}
}

// A matcher is an entry that is asked often.
type matcher struct {
	rule, address, path *regexp.Regexp
	expired             string
	used                int
}

func (e Entry) matcher(today time.Time) matcher {
	m := matcher{rule: glob(e.Rule), address: glob(e.Address), path: glob(e.Path)}
	if e.Expires != "" && string(e.Expires) < today.Format(time.DateOnly) {
		m.expired = string(e.Expires)
	}
	return m
}

// glob returns what matches whole texts: * is any text, and all else is itself, as
// the brackets of addresses are.
func glob(pattern string) *regexp.Regexp {
	if pattern == "" {
		pattern = "*"
	}
	return regexp.MustCompile(`(?s)^` + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, `.*`) + `$`)
}
