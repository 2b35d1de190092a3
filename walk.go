package objchange

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/paths"
)

// A fault is what a check found: the rule, the place and the values that disagree. It
// has no text, and it decides nothing about what may be shown: see message.go.
type fault struct {
	rule    Rule
	lenient bool // Core does not enforce the rule here, though it does elsewhere
	steps   []paths.Step

	was cty.Value // the configured or the earlier value; zero if there is none
	now cty.Value // the planned or the later value; zero if there is none
	// prior is the value that AssertPlanValid would have accepted as well.
	prior cty.Value
	// configured says that was is the configuration at plan, and nothing was planned.
	configured bool
	// others are the elements without a partner on the other side, where was or now
	// is a set element without one.
	others  []cty.Value
	lengths bool        // of plan-set-element: there are more elements than configured
	input   *inputFault // of invalid-input and type-mismatch
	path    cty.Path    // the path as the caller gave it, if the place is one
}

// enforced reports whether Core rejects the value for the fault.
func (f *fault) enforced() bool {
	info := ruleInfo[f.rule]
	return !f.lenient && (info.Enforced || info.Partly)
}

// A walk is the state of one check: its place, and the faults that it found. A walk
// that probes only remembers whether there was an enforced fault: it answers questions
// such as "could this element be that one?".
type walk struct {
	steps  []paths.Step
	faults []fault

	probing bool
	failed  bool
}

// enter steps down to a member.
func (w *walk) enter(s paths.Step) { w.steps = append(w.steps, s) }

// enterName steps down to an attribute or block type of the schema.
func (w *walk) enterName(name string) { w.steps = append(w.steps, paths.Step{Name: name}) }

// leave steps back up.
func (w *walk) leave() { w.steps = w.steps[:len(w.steps)-1] }

// each visits the members, each at its place.
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

// report records a fault at the place of the walk.
func (w *walk) report(f fault) {
	if w.probing {
		// Core does not check set elements of plans, but here one is compared that
		// holds others.
		w.failed = w.failed || f.enforced() || f.rule == RulePlanSetElement
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

// mark returns where the faults end that were found so far.
func (w *walk) mark() int { return len(w.faults) }

// foundSince reports whether there was a fault after the mark.
func (w *walk) foundSince(mark int) bool { return w.failed || len(w.faults) > mark }

// discardSince removes the faults after the mark. A walk that probes stops at the first
// fault, so that there is none before the mark.
func (w *walk) discardSince(mark int) { w.failed, w.faults = false, w.faults[:mark] }
