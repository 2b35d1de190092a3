package objchange

import (
	"slices"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// AssertPlanConsistent holds the final plan against the initial one
// (docs/semantics.md#consistency): known values stay, unknown ones become any
// value that their refinements allow, or stay unknown. The initial plan is the
// one that the user approved, made when some of the configuration was still
// unknown.
//
// Both values must conform to the schema; marks are ignored, but what is marked
// is not shown. Its cost is that of comparing the two values once; set elements
// are matched in time that grows with their number, apart from cty's sorting.
func AssertPlanConsistent(schema *Schema, initial, final cty.Value) (found Violations) {
	defer rescue(&found)
	w := consistencyCheck{judging: true}
	return w.run(schema, argument{name: "initial", value: initial}, argument{name: "final", value: final})
}

// A consistencyCheck walks an earlier value and what became of it.
type consistencyCheck struct {
	walk
	judging bool // hold the later value against the earlier one
	state   bool // the later value must be wholly known
	config  bool // the later value is a configuration
}

func (w *consistencyCheck) run(schema *Schema, was, now argument) Violations {
	args := [...]argument{was, now}
	if f, ok := w.admit(schema, args[:]); ok {
		w.root(f, args[0].value, args[1].value)
	}
	return w.found.sorted()
}

func (w *consistencyCheck) root(f fields, was, now cty.Value) {
	if w.state && w.schema.whole.writeOnly && now.IsKnown() {
		w.writeOnly(f, now)
	}
	w.object(f, was, now)
}

// done reports whether nothing is left to find out.
func (w *consistencyCheck) done() bool { return w.refused || !w.judging && !w.state }

// object checks a root or block object. The values have no marks of their own.
func (w *consistencyCheck) object(f fields, was, now cty.Value) {
	if w.unknownState(now) {
		return
	}
	if w.judging && was.IsNull() != now.IsNull() {
		if was.IsNull() {
			w.violation(RuleInconsistentPresence, "there is an object where none was planned")
		} else {
			w.gone("the planned object is gone")
		}
	}
	if now.IsNull() {
		return
	}
	w.judging = w.judging && !was.IsNull()
	for name, a := range f.attrs {
		if w.done() {
			return
		}
		w.attribute(name, a, part(was, name), now.GetAttr(name))
	}
	for name, nb := range f.blocks {
		if w.done() {
			return
		}
		w.enter(paths.Step{Name: name}, false)
		w.blocks(nb, part(was, name), now.GetAttr(name))
		w.leave()
	}
}

// gone records that an object is not there.
func (w *consistencyCheck) gone(message string) {
	before := len(w.found)
	w.violation(RuleInconsistentPresence, message)
	if len(w.found) > before {
		w.found[before].violation.gone = true
	}
}

// attribute checks an attribute of a block. What is wrong with a sensitive one
// is gathered in one violation that does not tell where.
func (w *consistencyCheck) attribute(name string, a *configschema.Attribute, was, now cty.Value) {
	if settled(was, now) {
		return
	}
	w.enter(paths.Step{Name: name}, isSecret(a))
	before := len(w.found)
	w.whole(w.scope(a), w.schema.attributeHolds(a).dynamic, was, now)
	if len(w.found) > before && (a.Sensitive || values.HoldsMarks(was) || values.HoldsMarks(now)) {
		w.gather(before)
	}
	w.leave()
}

// whole checks a value by the value rules, its type first if that may vary.
func (w *consistencyCheck) whole(s scope, dynamic bool, was, now cty.Value) {
	if w.judging && dynamic && w.changedType(was, now, w.secret(s)) {
		w.stateOnly(s, now)
	} else {
		w.value(s, was, now)
	}
}

// gather makes one violation of those of consistency found since. Their rules are
// the ones that the law excuses in apply.
func (w *consistencyCheck) gather(since int) {
	kept, gathered := w.found[:since], false
	for _, f := range w.found[since:] {
		if slices.Contains(infoOf[f.violation.Rule].Tolerated, PhaseApply) {
			gathered = true
		} else {
			kept = append(kept, f)
		}
	}
	w.found = kept
	if gathered {
		w.violation(RuleInconsistentSensitive, "the sensitive value, or something in it, is not what was planned")
	}
}

// blocks checks all blocks of a type. The values may be marked.
func (w *consistencyCheck) blocks(nb *configschema.NestedBlock, was, now cty.Value) {
	judging := w.judging
	defer func() { w.judging = judging }()
	was, now = values.Unmarked(was), values.Unmarked(now)
	n := blockNest(nb)
	if w.unknownState(now) || !w.shaped(n, now) || !w.shaped(n, was) {
		return
	}
	if w.state && n.shouldBeEmpty(now) {
		w.violation(RuleStateNullBlocks, "the blocks are null where there should be an empty "+n.kind())
	}
	if w.judging {
		w.judging = w.presence(nb, was, now)
	}
	if !w.done() {
		w.members(n, was, now)
	}
}

// presence judges two values of a block type as wholes, and reports whether
// their blocks are to be judged too.
func (w *consistencyCheck) presence(nb *configschema.NestedBlock, was, now cty.Value) bool {
	switch {
	case nb.Computed && blockNest(nb).shouldBeEmpty(now):
		w.violation(RuleInconsistentNullBlocks, "the computed blocks became null")
		return false
	case nb.Computed && !was.IsKnown():
		if secret := w.schema.holds(fieldsOf(&nb.Block)).secret; !w.changedType(was, now, secret) {
			w.promised(was, now, secret)
		}
		return false
	case nb.Nesting.Single():
		return was.IsKnown() || !now.IsNull()
	case was.IsNull() || !was.IsKnown():
		return false
	case now.IsNull():
		w.record(RuleInconsistentNullBlocks, false, "the planned blocks became null")
		return false
	case !now.IsKnown():
		w.record(RuleInconsistentUnknown, nb.Nesting.Keyed(), "the planned blocks became unknown")
		return false
	}
	return true
}

// members checks each block of a type.
func (w *consistencyCheck) members(n nest, was, now cty.Value) {
	nows, olds := n.openIf(now), n.openIf(was)
	nows.load()
	if w.judging && nows.kind == paths.ByElem {
		olds.load()
		m := newMatcher(n.fields, consistency, olds.elems, nows.elems)
		w.set(m, w.schema.holds(n.fields).secret, olds.elems, nows.elems, func(i, j int) { w.object(n.fields, olds.elems[i], nows.elems[j]) })
		w.judging = false
	}
	if w.judging && !w.keys(n.fields, &olds, &nows) {
		w.judging = false
	}
	judging := w.judging
	w.each(&nows, func(i int) {
		old, has := olds.like(&nows, i)
		w.judging = judging && has
		if !w.done() {
			w.object(n.fields, values.Unmarked(old), values.Unmarked(nows.elem(i)))
		}
	})
}

// keys judges how many blocks of a type there are, and at which keys, and
// reports whether those at the same places are to be judged too.
func (w *consistencyCheck) keys(f fields, olds, nows *members) bool {
	if nows.kind != paths.ByAttr && olds.n != nows.n {
		changed := w.elementsChanged(w.schema.holds(f).secret, olds, nows)
		w.violation(RuleInconsistentCount, w.withKeys(w.counts("blocks", olds.n, nows.n), olds, nows)+changed)
		return false
	}
	if nows.kind == paths.ByIndex {
		return true
	}
	shared := 0
	for i := range nows.n {
		if _, has := olds.like(nows, i); has {
			shared++
		}
	}
	if shared != olds.n || shared != nows.n {
		w.record(RuleInconsistentKey, nows.kind == paths.ByAttr, w.keysChanged("the blocks are not under the planned keys", olds, nows))
	}
	return true
}
