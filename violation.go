package objchange

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/paths"
)

// A Violation is one rule broken at one place (docs/semantics.md#violations). It
// is an error.
type Violation struct {
	// Rule is the rule that was broken.
	Rule Rule
	// Path leads to the place, and applies to the value that was judged: a step
	// into a set holds the element itself, and a step into a map its key. Both
	// may be sensitive; PathString shows neither where they are.
	Path cty.Path
	// Inside leads on from Path, to what differs inside a value that Core looks at
	// as a whole, and on into the JSON that a string holds. It is empty where that is
	// all of it, or must not be shown.
	Inside cty.Path
	// Message says what is wrong, without the path. It never shows a sensitive
	// or marked value.
	Message string
	// Enforced says that Terraform Core itself would reject the answer. A
	// violation that is not enforced breaks the documented contract, but Core
	// does not look, or cannot tell. Input that cannot be used is enforced too,
	// so that it is never overlooked.
	Enforced bool
	// Phase is the part of the resource's lifecycle in which the rule was
	// broken, if that is known.
	Phase Phase

	text    string // Path, redacted
	inside  string // Inside
	gone    bool   // of inconsistent-presence: there is nothing now
	missing bool   // of type-mismatch: there is no such attribute in the value
	surplus bool   // or none in the schema
}

// PathString returns the path as people read it, such as
// `.rule[0].tags["env"]`: a step into a set element is `[*]`, and a map key
// below something sensitive is `[(sensitive)]`. The root is "".
func (v *Violation) PathString() string {
	if v == nil {
		return ""
	}
	if v.text == "" {
		return PathString(v.Path)
	}
	return v.text
}

// InsideString returns Inside as people read it, in the way of PathString.
func (v *Violation) InsideString() string {
	if v == nil {
		return ""
	}
	if v.inside == "" {
		return PathString(v.Inside)
	}
	return v.inside
}

// Error returns phase, path, message and rule in one line, the first two where
// there are any.
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

// Unwrap returns the message as a cty.PathError, with Path: it is what code knows
// that was written for other functions over cty values.
func (v *Violation) Unwrap() error {
	if v == nil {
		return nil
	}
	return v.Path.NewErrorf("%s", v.Message)
}

// Tolerated reports whether Terraform Core only logs the violation when the provider says
// that it is built with the legacy SDK. That depends on rule and phase: see
// [RuleInfo].Tolerated. Of the object as a whole it depends on the action, too: deleting
// says that the configuration is null. No provider may plan anything but null for an
// object to be deleted, keep it after that, or return nothing for an object that it
// created or updated. Without a Phase nothing is tolerated. It may be true for what is
// not Enforced.
func (v *Violation) Tolerated(deleting bool) bool {
	if v == nil || !slices.Contains(ruleInfo[v.Rule].Tolerated, v.Phase) {
		return false
	}
	if len(v.Path) > 0 {
		return true
	}
	switch v.Rule {
	case RulePlanPresent: // where none is configured: a deletion
		return false
	case RulePlanUnknownBlock:
		return !deleting
	case RuleInconsistentPresence:
		return v.gone == deleting
	}
	return true
}

// MarshalJSON writes rule, path and inside (as by PathString and InsideString),
// message, enforced and phase; inside and phase only where there is one.
func (v Violation) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Rule     Rule   `json:"rule"`
		Path     string `json:"path"`
		Inside   string `json:"inside,omitempty"`
		Message  string `json:"message"`
		Enforced bool   `json:"enforced"`
		Phase    Phase  `json:"phase,omitempty"`
	}{v.Rule, v.PathString(), v.InsideString(), v.Message, v.Enforced, v.Phase})
}

// Violations are what a check found: none when all is well. They are in order
// of path, then rule, the same for the same input (docs/semantics.md#order).
type Violations []*Violation

// Enforced returns those that Terraform Core itself would reject.
func (vs Violations) Enforced() Violations {
	var enforced Violations
	for _, v := range vs {
		if v != nil && v.Enforced {
			enforced = append(enforced, v)
		}
	}
	return enforced
}

// Err returns nil if there are no violations, and else one error whose text
// has a line for each and which unwraps to each, so that errors.As finds a
// *Violation in it. Use vs.Enforced().Err() for Core's own verdict.
func (vs Violations) Err() error {
	errs := make([]error, len(vs))
	for i, v := range vs {
		errs[i] = v
	}
	return errors.Join(errs...)
}

// An InputError reports input that a function cannot use: a nil Schema, the zero
// cty.Value, or a value that does not conform to the schema.
type InputError struct {
	Problems Violations // of RuleInvalidInput and RuleTypeMismatch, at least one
}

// Error returns the first problem in one line, with the names of other attributes that are
// missing or not in the schema.
func (e *InputError) Error() string {
	if e == nil || len(e.Problems) == 0 || e.Problems[0] == nil {
		return "no problem"
	}
	var missing, surplus []string
	for _, v := range e.Problems[1:] {
		switch {
		case v == nil:
		case v.missing:
			missing = append(missing, v.PathString())
		case v.surplus:
			surplus = append(surplus, v.PathString())
		}
	}
	first := *e.Problems[0]
	first.Message += listed("; missing as well: ", missing) + listed("; not in the schema: ", surplus)
	return first.Error()
}

// Unwrap returns each problem, a *Violation.
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

// maxListed is how many missing attributes an error names beside the first.
const maxListed = 20

func listed(what string, places []string) string {
	switch more := len(places) - maxListed; {
	case len(places) == 0:
		return ""
	case more > 0:
		return fmt.Sprintf("%s%s and %d more", what, strings.Join(places[:maxListed], ", "), more)
	}
	return what + strings.Join(places, ", ")
}

// findings collects violations in any order.
type findings []finding

type finding struct {
	violation *Violation
	steps     []paths.Step
}

// sorted returns the violations in order of path, then rule, each once.
func (fs findings) sorted() Violations {
	if len(fs) == 0 {
		return nil
	}
	slices.SortStableFunc(fs, func(a, b finding) int {
		if c := paths.Compare(a.steps, b.steps); c != 0 {
			return c
		}
		return strings.Compare(string(a.violation.Rule), string(b.violation.Rule))
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

func (f finding) same(o finding) bool {
	return f.violation.Rule == o.violation.Rule && f.violation.Path.Equals(o.violation.Path)
}
