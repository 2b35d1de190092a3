package report

import "github.com/objchange/objchange/tfcheck"

// The levels of what SARIF and GitHub are told.
const (
	levelError   = "error"
	levelWarning = "warning"
	levelNote    = "note"
)

// level is error for what makes the command fail.
func (f Finding) level() string {
	switch {
	case f.Counted:
		return levelError
	case f.Ignored != "" || f.Severity == tfcheck.Tolerated || f.Severity == tfcheck.LegacyZero:
		return levelNote
	}
	return levelWarning
}

// level is that of a subject that was not judged.
func (s Subject) level(o Options) string {
	switch {
	case s.Counts(o):
		return levelError
	case s.Status == Failed:
		return levelWarning
	}
	return levelNote
}

// A room is how many findings of each level a format has room for.
type room map[string]int

// room shares the places among the levels, from the most severe one.
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

// take reports whether there is room for one more of the level, and takes it.
func (r room) take(level string) bool {
	r[level]--
	return r[level] >= 0
}
