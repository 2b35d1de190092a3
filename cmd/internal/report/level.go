package report

import "github.com/objchange/objchange/tfcheck"

// These are the levels of findings in SARIF.
const (
	levelError   = "error"
	levelWarning = "warning"
	levelNote    = "note"
)

// level returns error if the finding makes the command fail, and otherwise warning or note.
func (f Finding) level() string {
	switch {
	case f.Counted:
		return levelError
	case f.Ignored != "" || f.Severity == tfcheck.Tolerated || f.Severity == tfcheck.LegacyZero:
		return levelNote
	}
	return levelWarning
}

// level returns the level of a subject that was skipped or failed.
func (s Subject) level(o Options) string {
	switch {
	case s.Counts(o):
		return levelError
	case s.Status == Failed:
		return levelWarning
	}
	return levelNote
}

// A room is the number of findings of each level that a format can still take.
type room map[string]int

// room distributes the places among the levels, the most severe level first.
func (r *Report) room(places int) room {
	found := room{}
	for _, s := range r.Subjects {
		for _, f := range s.Findings {
			found[f.level()]++
		}
	}
	for _, level := range []string{levelError, levelWarning, levelNote} {
		found[level] = min(found[level], places)
		places -= found[level]
	}
	return found
}

// take uses one place of the level, and reports whether there was one.
func (r room) take(level string) bool {
	r[level]--
	return r[level] >= 0
}
