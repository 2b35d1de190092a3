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
