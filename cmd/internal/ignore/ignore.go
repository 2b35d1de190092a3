// Package ignore implements ignored findings. Each entry needs a reason.
package ignore

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/objchange/objchange/cmd/internal/rulebook"
	"github.com/objchange/objchange/internal/globs"
)

// Skipped is the name for skipped subjects in place of a rule.
const Skipped = "skipped"

// An Entry selects findings that do not count. Rule, File, Address and Path are globs, and ""
// matches everything.
type Entry struct {
	Rule    string `yaml:"rule"`
	File    string `yaml:"file,omitempty"`
	Address string `yaml:"address,omitempty"`
	Path    string `yaml:"path,omitempty"`
	Reason  string `yaml:"reason"`
	Expires Day    `yaml:"expires,omitempty"`

	from string // the flag, or the name of the file
	line int    // in the file, or 0
}

// A Day is the last day of an entry's validity, as 2006-01-02, or "" if the entry does not expire.
type Day string

// Check returns an error if the text is not a valid day.
func (d Day) Check() error {
	if _, err := time.Parse(time.DateOnly, string(d)); d != "" && err != nil {
		return fmt.Errorf("%q is not a day such as 2006-01-02", string(d))
	}
	return nil
}

// IsReason reports whether the text is not blank.
func IsReason(text string) bool { return strings.TrimSpace(text) != "" }

// Parse parses RULE[:ADDRESS[:PATH]], which is the value of a flag.
func Parse(text string) (Entry, error) {
	rule, address, path := globs.Split(text)
	e := Entry{Rule: rule, Address: address, Path: path, Reason: "--ignore", from: "--ignore"}
	return e, e.check()
}

func (e Entry) check() error {
	if e.Rule == "" {
		return errors.New("the rule is missing; use * for any rule")
	}
	if !IsReason(e.Reason) {
		return fmt.Errorf("%s needs a reason", e)
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
	return rulebook.Unknown(e.Rule)
}

// known reports whether the pattern matches any rule.
func known(pattern string) bool {
	g := globs.New(pattern)
	return g.Matches(Skipped) || slices.ContainsFunc(rulebook.Entries(), func(e rulebook.Entry) bool {
		return g.Matches(string(e.Rule))
	})
}

// String returns the entry in the form of a flag, with its file.
func (e Entry) String() string {
	text := strings.TrimRight(strings.Join([]string{e.Rule, e.Address, e.Path}, ":"), ":")
	if e.File != "" {
		text += " in " + e.File
	}
	return text
}

func (e Entry) source() string {
	if e.line == 0 {
		return e.from
	}
	return fmt.Sprintf("%s:%d", e.from, e.line)
}
