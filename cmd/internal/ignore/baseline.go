package ignore

import (
	"errors"
	"io"

	"go.yaml.in/yaml/v3"

	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/internal/globs"
)

// WriteBaseline writes a file with the kept entries, and with an entry for each finding and subject
// that counts in the report. The new entries have the given reason and last day, which may be "".
func WriteBaseline(w io.Writer, kept []Entry, r *report.Report, o report.Options, reason string, expires Day) error {
	entries, seen := []Entry{}, map[Entry]bool{}
	add := func(e Entry) {
		if !seen[e] {
			entries, seen[e] = append(entries, e), true
		}
	}
	known := func(s report.Subject, rule, path string) Entry {
		e := Entry{
			Rule: rule, Address: globs.Escaped(addressOf(s)), Path: globs.Escaped(path),
			Reason: reason, Expires: expires,
		}
		if r.Command == "audit" { // its files may have the same addresses
			e.File = globs.Escaped(fileOf(s))
		}
		return e
	}
	for _, e := range kept {
		add(e)
	}
	for _, s := range r.Subjects {
		if s.Counts(o) {
			add(known(s, Skipped, ""))
		}
		for _, f := range s.Findings {
			if f.Counts(o.FailOn) {
				add(known(s, string(f.Rule), pathOf(f)))
			}
		}
	}
	enc := yaml.NewEncoder(w)
	enc.SetIndent(2)
	return errors.Join(enc.Encode(map[string][]Entry{"ignore": entries}), enc.Close())
}
