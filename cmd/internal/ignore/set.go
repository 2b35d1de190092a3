package ignore

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/internal/globs"
)

// A Set is a set of entries for a given day. It counts how often each entry was used.
type Set []*matcher

// A matcher is an entry with compiled globs, and how often it was used.
type matcher struct {
	entry                     Entry
	rule, file, address, path globs.Glob
	use                       report.Ignore
}

// NewSet returns the set of the entries for the day.
func NewSet(entries []Entry, today time.Time) (set Set) {
	for _, e := range entries {
		m := &matcher{
			entry: e, rule: globs.New(e.Rule), file: globs.New(strings.TrimPrefix(e.File, "./")),
			address: globs.New(e.Address), path: globs.New(e.Path),
			use: report.Ignore{What: words.Printable(e.String(), ""), Source: e.source(), Reason: e.Reason},
		}
		if string(e.Expires) < today.Format(time.DateOnly) {
			m.use.Expired = string(e.Expires) // "" does not expire
		}
		set = append(set, m)
	}
	return set
}

// Apply marks the ignored findings and skipped subjects in the report. It keeps existing marks.
func (set Set) Apply(r *report.Report) {
	for i := range r.Subjects {
		s := &r.Subjects[i]
		file, address := fileOf(*s), addressOf(*s)
		for i := range s.Findings {
			f := &s.Findings[i]
			if f.Severity != objchange.LegacySDK { // which never counts, so it needs no entry
				reason := set.reason(string(f.Rule), file, address, pathOf(*f))
				f.Ignored = cmp.Or(reason, f.Ignored)
			}
		}
		if s.Status == report.Skipped && !s.Idle {
			reason := set.reason(Skipped, file, address, "")
			s.Ignored = cmp.Or(reason, s.Ignored)
		}
	}
}

// Knows reports whether a finding of a subject is ignored. It does not count as a use.
func (set Set) Knows(s report.Subject, f report.Finding) bool {
	return slices.ContainsFunc(set, func(m *matcher) bool {
		return m.holds(string(f.Rule), fileOf(s), addressOf(s), pathOf(f))
	})
}

// reason returns the reason of the first entry that matches, or "". All matching entries are used.
func (set Set) reason(rule, file, address, path string) (reason string) {
	for _, m := range set {
		if !m.holds(rule, file, address, path) {
			continue
		}
		m.use.Used++
		reason = cmp.Or(reason, m.entry.Reason)
	}
	return reason
}

// holds reports whether the entry matches and has not expired.
func (m *matcher) holds(rule, file, address, path string) bool {
	return m.use.Expired == "" && m.rule.Matches(rule) && m.file.Matches(file) &&
		m.address.Matches(address) && m.path.Matches(path)
}

// Uses returns the entries with the number of their uses.
func (set Set) Uses() (uses []report.Ignore) {
	for _, m := range set {
		uses = append(uses, m.use)
	}
	return uses
}

// Kept returns the entries of a file that have not expired. Unless all is true, it returns only
// used ones.
func (set Set) Kept(file string, all bool) (kept []Entry) {
	for _, m := range set {
		if e := m.entry; e.from == file && m.use.Expired == "" && (all || m.use.Used > 0) {
			e.from, e.line = "", 0
			kept = append(kept, e)
		}
	}
	return kept
}

// fileOf returns the file of a subject, with slashes on every system.
func fileOf(s report.Subject) string {
	if s.Group == "" {
		return ""
	}
	return path.Clean(filepath.ToSlash(words.Valid(s.Group)))
}

func addressOf(s report.Subject) string { return words.Valid(s.KnownBy()) }

func pathOf(f report.Finding) string {
	if f.Path == "" {
		return globs.Root
	}
	return words.Valid(f.Path)
}
