// Package severity has the order of severities and their texts in reports.
package severity

import (
	"iter"
	"slices"

	"github.com/objchange/objchange"
)

// All are all severities, most severe first.
var All = []objchange.Severity{objchange.Rejected, objchange.Tolerated, objchange.Unchecked, objchange.LegacySDK}

// Groups returns the violations of each severity, most severe first. It omits severities without
// violations.
func Groups(found objchange.Violations) iter.Seq2[objchange.Severity, objchange.Violations] {
	return func(yield func(objchange.Severity, objchange.Violations) bool) {
		for _, s := range All {
			of := slices.DeleteFunc(slices.Clone(found), func(v *objchange.Violation) bool { return v.Severity != s })
			if len(of) > 0 && !yield(s, of) {
				return
			}
		}
	}
}

// Note returns the text that messages add to a finding of the severity, with a leading space. It
// returns "" for Rejected.
func Note(s objchange.Severity) string {
	switch s {
	case objchange.Tolerated:
		return " (tolerated: legacy type system)"
	case objchange.Unchecked:
		return " (unchecked)"
	case objchange.LegacySDK:
		return " (caused by the legacy SDK)"
	}
	return ""
}
