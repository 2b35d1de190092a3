package objchange

import (
	"fmt"
	"slices"
	"strings"

	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// absent stands for a value that is not there: an attribute of a null object,
// an element without a counterpart.
var absent = cty.NullVal(cty.DynamicPseudoType)

// A walk is the state of one check: where it stands, and what it found. Every
// check embeds one. It costs nothing until it steps into something nested.
type walk struct {
	// The place is the steps above and then the top one, which is kept apart so
	// that a flat object is walked without allocating.
	above []paths.Step
	top   paths.Step
	depth int // how many steps there are
	// hide is the number of steps down to the outermost place above that is
	// sensitive by the schema, or -1.
	hide int
	// given are the arguments with their marks, and elsewhere other values of
	// the same resource: what one of them marks is hidden at the same place.
	given     [3]cty.Value
	elsewhere []cty.Value
	ways      []*paths.Place // into given, once somebody's path is told
	// asking says that the walk only answers yes or no: the first enforced
	// violation sets refused and nothing is recorded.
	asking  bool
	refused bool
	found   findings

	schema knowledge
}

// enter steps down to an attribute, a block type or an element.
func (w *walk) enter(s paths.Step, sensitive bool) {
	if w.depth > 0 {
		w.above = append(w.above, w.top)
	}
	w.top = s
	w.depth++
	if sensitive && w.hide < 0 {
		w.hide = w.depth
	}
}

// leave steps back up.
func (w *walk) leave() {
	w.depth--
	if w.depth > 0 {
		w.top = w.above[w.depth-1]
		w.above = w.above[:w.depth-1]
	}
	if w.hide > w.depth {
		w.hide = -1
	}
}

// steps returns the way to the place where the walk stands.
func (w *walk) steps() []paths.Step {
	if w.depth == 0 {
		return nil
	}
	return append(slices.Clone(w.above), w.top)
}

// secrecy tells what may not be shown of the place where the walk stands: names
// and keys from the step hide on, unless it is negative, and if secret, values.
// Schema and marks are looked at when something is to be told, not before.
func (w *walk) secrecy() (hide int, secret bool) {
	hide = w.hide
	for _, values := range [][]cty.Value{w.given[:], w.elsewhere} {
		for _, v := range values {
			depth, inside := w.markedAt(v)
			if depth >= 0 && (hide < 0 || depth < hide) {
				hide = depth
			}
			secret = secret || inside
		}
	}
	return hide, secret || hide >= 0
}

// markedAt follows the walk's way into a value. It returns how many steps down
// the first mark is, or -1, and whether there is any on the way, at the place or
// inside it.
func (w *walk) markedAt(v cty.Value) (depth int, inside bool) {
	for depth, s := range append(w.steps(), paths.Step{}) {
		if v.IsMarked() {
			return depth, true
		}
		if depth == w.depth {
			break
		}
		var ok bool
		if v, ok = s.Fit(v.Type()).Into(v); !ok {
			return -1, false
		}
	}
	return -1, values.HoldsMarks(v)
}

// violation records a broken rule at the place where the walk stands. It is
// enforced as its RuleInfo says.
func (w *walk) violation(rule Rule, message string) {
	w.record(rule, infoOf[rule].Enforced || infoOf[rule].Partly, message)
}

// record is violation for rules that are enforced in part.
func (w *walk) record(rule Rule, enforced bool, message string) {
	if w.asking {
		w.refused = w.refused || enforced
		return
	}
	steps := w.steps()
	hide, _ := w.secrecy()
	w.found = append(w.found, finding{
		violation: &Violation{
			Rule: rule, Path: paths.Path(steps), Message: message, Enforced: enforced,
			text: paths.Text(steps, hide),
		},
		steps: steps,
	})
}

// err returns what was found as the error of a function that makes a value, or nil.
func (w *walk) err() error {
	if vs := w.found.sorted(); len(vs) > 0 {
		return &InputError{vs}
	}
	return nil
}

func listed(what string, places []string) string {
	switch more := len(places) - maxMissing; {
	case len(places) == 0:
		return ""
	case more > 0:
		return fmt.Sprintf("%s%s and %d more", what, strings.Join(places[:maxMissing], ", "), more)
	}
	return what + strings.Join(places, ", ")
}

// maxMissing is how many missing attributes an error names beside the first.
const maxMissing = 20

// part returns the named attribute of an object without marks that may be null
// or unknown.
func part(object cty.Value, name string) cty.Value {
	if object.IsNull() {
		return absent
	}
	return object.GetAttr(name)
}

// rescueValue turns a panic into an error. None is known; custom operations of
// capsule types could.
func rescueValue(v *cty.Value, err *error) {
	if recover() != nil {
		*v, *err = cty.NilVal, &InputError{Violations{panicked()}}
	}
}

// rescue turns a panic into a violation.
func rescue(vs *Violations) {
	if recover() != nil {
		*vs = Violations{panicked()}
	}
}

// panicked does not tell what the panic said, since that may hold a value.
func panicked() *Violation {
	return &Violation{Rule: RuleInvalidInput, Message: internalError, Enforced: true}
}

const internalError = "an operation on the values panicked"
