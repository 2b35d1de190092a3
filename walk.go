package objchange

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
)

// A fault is a broken rule: the rule, the place and the values that disagree. It has no text
// and does not decide which values may be shown: see message.go.
type fault struct {
	rule    Rule
	lenient bool // Core does not check the rule at this place, although it does elsewhere
	steps   []paths.Step

	was cty.Value // the configured or the earlier value; zero if absent
	now cty.Value // the planned or the later value; zero if absent
	// prior is the prior value, which AssertPlanValid would also have accepted.
	prior cty.Value
	// configured means that was is the configuration at plan, not a plan.
	configured bool
	// others are the unpaired elements of the other set, if was or now is a set element.
	others  []cty.Value
	more    int         // the number of other elements that are missing
	lengths bool        // for plan-set-element: the plan has more elements than the configuration
	input   *inputFault // for invalid-input and type-mismatch
	path    cty.Path    // the path from the caller, if the fault is in a path
}

// An inputFault is a problem of an argument.
type inputFault struct {
	name    string // the name of the argument; "" for a value that was merged from several arguments
	problem inputProblem
	want    cty.Type // for problems with types
	got     cty.Type
}

type inputProblem int

const (
	noSchema inputProblem = iota
	zeroValue
	unknownWhole
	unusableType
	panicked
	noObject         // the root is not an object
	otherType        // the type differs from the schema's type
	otherBlocks      // the value is not a tuple or object of blocks, for blocks of the dynamic type
	missingAttribute // an attribute of the schema is missing
	missingBlocks    // a block type of the schema is missing
	surplusAttribute // an attribute is not in the schema
	mixedElements    // one collection cannot hold the elements
	noFit            // the prior value does not fit into the collection
)

func (in *inputFault) rule() Rule {
	if in.problem < noObject {
		return RuleInvalidInput
	}
	return RuleTypeMismatch
}

// severity returns the severity of the fault.
func (f *fault) severity() Severity {
	if f.lenient {
		return Unchecked
	}
	return ruleInfo[f.rule].Severity
}

// A walk is the state of one check: its current path and its faults. A probing walk only
// records whether there is a fault that is Rejected. It tests whether two set elements are a pair.
type walk struct {
	steps  []paths.Step
	faults []fault

	probing bool
	failed  bool
}

// enter appends a step to the path.
func (w *walk) enter(s paths.Step) { w.steps = append(w.steps, s) }

// enterName appends the step to an attribute or block type of the schema.
func (w *walk) enterName(name string) { w.steps = append(w.steps, paths.Step{Name: name}) }

// leave removes the last step from the path.
func (w *walk) leave() { w.steps = w.steps[:len(w.steps)-1] }

// each calls visit for each member, with the step to the member in the path.
func (w *walk) each(ms *members, visit func(i int)) {
	if ms.self {
		visit(0)
		return
	}
	ms.load()
	for i := range ms.n {
		w.enter(ms.step(i))
		visit(i)
		w.leave()
	}
}

// report records a fault at the current path.
func (w *walk) report(f fault) {
	if w.probing {
		// Core does not check set elements in plans, but two elements are not a pair if sets
		// inside them differ.
		w.failed = w.failed || f.severity() == Rejected || f.rule == RulePlanSetElement
		return
	}
	f.steps = slices.Clone(w.steps)
	w.faults = append(w.faults, f)
}

// reportAt records a fault at the named attribute or block type.
func (w *walk) reportAt(name string, f fault) {
	w.enterName(name)
	w.report(f)
	w.leave()
}

// mark returns the number of faults so far.
func (w *walk) mark() int { return len(w.faults) }

// foundSince reports whether there are faults after the mark.
func (w *walk) foundSince(mark int) bool { return w.failed || len(w.faults) > mark }

// discardSince removes the faults recorded after the mark. A probing walk stops at its first
// fault, so no fault can precede the mark.
func (w *walk) discardSince(mark int) { w.failed, w.faults = false, w.faults[:mark] }

// writeOnly reports the write-only attributes of an unmarked object that are not null, at every
// depth. An unknown element of a nested attribute has unknown attributes, which are not null.
func (w *walk) writeOnly(n *node, object cty.Value) {
	if object.IsNull() || !n.writeInside {
		return
	}
	for _, child := range n.children {
		switch {
		case child.writeOnly:
			if !object.GetAttr(child.name).IsNull() {
				w.reportAt(child.name, fault{rule: RuleWriteOnlyNotNull})
			}
		case child.writeInside:
			w.enterName(child.name)
			w.writeOnlyInside(child, values.Unmarked(object.GetAttr(child.name)))
			w.leave()
		}
	}
}

func (w *walk) writeOnlyInside(n *node, v cty.Value) {
	if v.IsNull() || !v.IsKnown() {
		return
	}
	ms := n.open(v)
	w.each(&ms, func(i int) {
		if elem := values.Unmarked(ms.elem(i)); elem.IsKnown() || !n.block {
			w.writeOnly(n, elem)
		}
	})
}
