// Package ignore keeps findings from counting that somebody knows of, each for a
// reason.
package ignore

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/objchange/objchange/cmd/objchange/internal/rulebook"
	"github.com/objchange/objchange/internal/globs"
)

// Skipped stands in the place of a rule for subjects that were skipped.
const Skipped = "skipped"

// An Entry is what is not to count. Rule, File, Address and Path are globs, and ""
// is any.
type Entry struct {
	Rule    string `yaml:"rule"`
	File    string `yaml:"file,omitempty"`
	Address string `yaml:"address,omitempty"`
	Path    string `yaml:"path,omitempty"`
	Reason  string `yaml:"reason"`
	Expires Day    `yaml:"expires,omitempty"`

	from string // the flag, or the name of the file
	line int    // in that, or 0
}

// A Day is the last on which an entry holds, as 2006-01-02, or "" for ever.
type Day string

// Check returns an error for what is no day.
func (d Day) Check() error {
	if _, err := time.Parse(time.DateOnly, string(d)); d != "" && err != nil {
		return fmt.Errorf("%q is no day as 2006-01-02", string(d))
	}
	return nil
}

// IsReason reports whether the text says anything.
func IsReason(text string) bool { return strings.TrimSpace(text) != "" }

// Parse reads RULE[:ADDRESS[:PATH]], as a flag has it.
func Parse(text string) (Entry, error) {
	rule, address, path := globs.Split(text)
	e := Entry{Rule: rule, Address: address, Path: path, Reason: "--ignore", from: "--ignore"}
	return e, e.check()
}

// check returns what is wrong with the entry.
func (e Entry) check() error {
	if e.Rule == "" {
		return errors.New("no rule is named: * is any of them")
	}
	if !IsReason(e.Reason) {
		return fmt.Errorf("%s is to be ignored without a reason", e)
	}
	if err := e.Expires.Check(); err != nil {
		return fmt.Errorf("%s expires: %w", e, err)
	}
	if err := globs.CheckPath(e.Path); err != nil {
		return fmt.Errorf("%s: %w", e, err)
	}
	if known(e.Rule) {
		return nil
	}
	if near := rulebook.Near(e.Rule); len(near) > 0 {
		return fmt.Errorf("no rule is called %q: did you mean %s?", e.Rule, strings.Join(near, " or "))
	}
	return fmt.Errorf("no rule is called %q: see objchange explain", e.Rule)
}

// rules are all that an entry can name.
var rules = func() map[string]bool {
	all := map[string]bool{Skipped: true}
	for _, e := range rulebook.Entries() {
		all[string(e.Rule)] = true
	}
	return all
}()

// known reports whether there is a rule that the pattern matches.
func known(pattern string) bool {
	if rules[pattern] {
		return true
	}
	g := globs.New(pattern)
	for rule := range rules {
		if g.Matches(rule) {
			return true
		}
	}
	return false
}

// String writes the entry as a flag has it, and the file that it is for.
func (e Entry) String() string {
	text := strings.TrimRight(strings.Join([]string{e.Rule, e.Address, e.Path}, ":"), ":")
	if e.File != "" {
		text += " in " + e.File
	}
	return text
}

// source says where the entry is written.
func (e Entry) source() string {
	if e.line == 0 {
		return e.from
	}
	return fmt.Sprintf("%s:%d", e.from, e.line)
}
