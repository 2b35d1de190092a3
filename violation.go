package objchange

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/paths"
)

// A Violation is one broken rule at one path (docs/specification.md#7-violations). It is an error.
type Violation struct {
	// Rule is the broken rule.
	Rule Rule
	// Path leads to the fault in the checked value. A step into a set contains the element
	// itself, and a step into a map contains the key. Both may be sensitive: use Shown or
	// PathString to show the path.
	Path cty.Path
	// Shown is Path for display: each name or key that must not be shown is a marked key, and each
	// set element is an unknown key. If it is nil, Path may be shown.
	Shown cty.Path
	// Inside continues Path to the difference inside a value that Core compares as a whole, and
	// into the JSON in a string. It is empty if the whole value differs, or if the difference
	// must not be shown.
	Inside cty.Path
	// Message describes the fault in one line, without Path. It names Inside and the values, unless
	// they must not be shown: it never shows a sensitive or marked value. Error returns the
	// message with path and rule.
	Message string
	// Was and Now are the two values that differ, or their types, as text, for other formats than
	// Message: the configured or earlier value, and the planned or later value. They are empty if
	// the rule does not compare two values, or if they must not be shown.
	Was, Now string
	// Severity says how Terraform handles the value. The checks of this package return
	// Rejected and Unchecked, and [Lifecycle.Check] also Tolerated. Input that cannot be used is
	// Rejected, to make sure that it is not overlooked.
	Severity Severity
	// Phase is the phase of the lifecycle in which the rule was broken, or "" if unknown.
	Phase Phase

	gone bool // for inconsistent-presence: the later value is null
}

// PathString returns the path for people, such as `.rule[0].tags["env"]`. A step into a set
// element is `[*]`, and a map key inside a sensitive value is `[(sensitive)]`. The root is "".
func (v *Violation) PathString() string {
	if v == nil {
		return ""
	}
	if v.Shown == nil {
		return PathString(v.Path)
	}
	return PathString(v.Shown)
}

// Error returns the phase, path, message and rule in one line. It omits an empty phase or path.
func (v *Violation) Error() string {
	if v == nil {
		return "no violation"
	}
	var b strings.Builder
	if v.Phase != "" {
		b.WriteString(string(v.Phase) + ": ")
	}
	if p := v.PathString(); p != "" {
		b.WriteString(p + ": ")
	}
	b.WriteString(v.Message + " [" + string(v.Rule) + "]")
	return b.String()
}

// Unwrap returns a cty.PathError with Path and Message, for code that handles the errors of
// other functions over cty values.
func (v *Violation) Unwrap() error {
	if v == nil {
		return nil
	}
	return v.Path.NewErrorf("%s", v.Message)
}

// MarshalJSON returns an object with rule, path (from PathString), inside (Inside as text),
// message, severity and phase. It omits an empty inside or phase.
func (v Violation) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Rule     Rule     `json:"rule"`
		Path     string   `json:"path"`
		Inside   string   `json:"inside,omitempty"`
		Message  string   `json:"message"`
		Severity Severity `json:"severity"`
		Phase    Phase    `json:"phase,omitempty"`
	}{v.Rule, v.PathString(), PathString(v.Inside), v.Message, v.Severity, v.Phase})
}

// Violations are the results of a check. They are empty if the value is valid. They are in
// order of path, then rule, and always the same for the same input (docs/specification.md#72-order).
type Violations []*Violation

// Rejected returns the violations with the severity [Rejected].
func (vs Violations) Rejected() Violations {
	var rejected Violations
	for _, v := range vs {
		if v != nil && v.Severity == Rejected {
			rejected = append(rejected, v)
		}
	}
	return rejected
}

// Err returns nil if there are no violations. Otherwise it returns an error that has one line
// for each violation and unwraps to each of them, so errors.As finds a *Violation. Use
// vs.Rejected().Err() for the result of Terraform Core.
func (vs Violations) Err() error {
	errs := make([]error, len(vs))
	for i, v := range vs {
		errs[i] = v
	}
	return errors.Join(errs...)
}

// An InputError reports input that a function cannot use: a nil Schema, the zero cty.Value, or
// a value that does not conform to the schema.
type InputError struct {
	Problems Violations // of RuleInvalidInput and RuleTypeMismatch, at least one
}

// Error returns the first problem in one line, followed by the paths of the others.
func (e *InputError) Error() string {
	if e == nil || len(e.Problems) == 0 || e.Problems[0] == nil {
		return "no problem"
	}
	text := e.Problems[0].Error()
	for i, v := range e.Problems[1:] {
		if i == maxListed {
			return text + fmt.Sprintf(" and %d more", len(e.Problems)-1-i)
		}
		text += either(i == 0, "; also at ", ", ") + cmp.Or(v.PathString(), "the object")
	}
	return text
}

// maxListed limits the number of paths in an error after the first problem.
const maxListed = 20

// Unwrap returns each problem as a *Violation.
func (e *InputError) Unwrap() []error {
	if e == nil {
		return nil
	}
	var errs []error
	for _, v := range e.Problems {
		if v != nil {
			errs = append(errs, v)
		}
	}
	return errs
}

// placedViolations are violations with their places, in any order.
type placedViolations []placedViolation

type placedViolation struct {
	violation *Violation
	steps     []paths.Step
}

// sorted returns the violations in order of phase, path and rule, each once.
func (fs placedViolations) sorted() Violations {
	if len(fs) == 0 {
		return nil
	}
	slices.SortStableFunc(fs, func(a, b placedViolation) int {
		return cmp.Or(
			cmp.Compare(slices.Index(phases, a.violation.Phase), slices.Index(phases, b.violation.Phase)),
			paths.Compare(a.steps, b.steps), // unlike paths, steps contain the order of set elements
			cmp.Compare(a.violation.Rule, b.violation.Rule))
	})
	var vs Violations
	for i, f := range fs {
		if i > 0 && f.same(fs[i-1]) {
			continue
		}
		vs = append(vs, f.violation)
	}
	return vs
}

func (f placedViolation) same(o placedViolation) bool {
	v, other := f.violation, o.violation
	return v.Phase == other.Phase && v.Rule == other.Rule && v.Path.Equals(other.Path)
}
