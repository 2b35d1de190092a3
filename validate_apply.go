package objchange

import (
	"math"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/pairing"
	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
)

// AssertPlanConsistent checks the final plan against the initial one
// (docs/semantics.md#consistency): known values stay, and unknown ones become any value
// that their refinements allow, or stay unknown. The initial plan is the one that the
// user approved, made when some of the configuration was still unknown.
//
// Both values must conform to the schema. Marks are ignored, but marked values are not
// shown. The cost is that of comparing the two values once. Set elements are matched in
// time that grows with their number, apart from cty's sorting, if they differ in
// primitive values or in single nested objects. If very many other ones match nothing, the
// search stops, and the rest counts as matching.
func AssertPlanConsistent(schema *Schema, initial, final cty.Value) (found Violations) {
	defer rescue(&found)
	r := reviewReplan(schema, initial, final)
	return r.violations()
}

// AssertApplyConsistent checks the new state that a provider returned after apply
// against the final plan (docs/semantics.md#state): all that AssertPlanConsistent checks
// of the two, and all that AssertStateValid checks of the new state. Where the new state
// is unknown, only that is reported.
//
// Both values must conform to the schema. Marks are ignored, but marked values are not
// shown. It costs as much as AssertPlanConsistent.
func AssertApplyConsistent(schema *Schema, planned, applied cty.Value) (found Violations) {
	defer rescue(&found)
	r := reviewApply(schema, planned, applied)
	return r.violations()
}

func reviewReplan(schema *Schema, initial, final cty.Value) (r review) {
	r.conceals = true
	was, now := argument{name: "initial", value: initial}, argument{name: "final", value: final}
	if r.admit(schema, &was, &now) {
		var w consistencyCheck
		w.root(schema.root, was.value, now.value)
		r.faults = w.faults
	}
	return r
}

func reviewApply(schema *Schema, planned, applied cty.Value) (r review) {
	r.conceals = true
	was, now := argument{name: "planned", value: planned}, argument{name: "applied", value: applied}
	if r.admit(schema, &was, &now) {
		w := consistencyCheck{unknownRule: RuleStateUnknown}
		w.root(schema.root, was.value, now.value)
		r.faults = w.faults
	}
	return r
}

// unplanned stands for the earlier value where there is none: nothing was planned here,
// or it has been found to differ. What is then left to check is the later value alone.
var unplanned = cty.NilVal

// A consistencyCheck walks an earlier value and what became of it, with two questions at
// each place: is the later value consistent with the earlier one, and may it be there
// at all?
type consistencyCheck struct {
	walk
	unknownRule Rule // what an unknown later value breaks; "" for a plan
}

// done reports whether nothing is left to find out below an earlier value.
func (w *consistencyCheck) done(was cty.Value) bool {
	return w.failed || was == unplanned && w.unknownRule == ""
}

func (w *consistencyCheck) root(n *node, was, now cty.Value) {
	if w.unknownRule == RuleStateUnknown && now.IsKnown() {
		w.writeOnly(n, now)
	}
	w.object(n, was, now)
}

// unknown reports a later value that must be known. Nothing else is checked of it.
func (w *consistencyCheck) unknown(now cty.Value) bool {
	if w.unknownRule == "" || now.IsKnown() {
		return false
	}
	w.report(fault{rule: w.unknownRule})
	return true
}

// planned returns the part of an earlier object.
func planned(was cty.Value, name string) cty.Value {
	if was == unplanned {
		return unplanned
	}
	return was.GetAttr(name)
}

// object checks a root or block object. The values have no marks of their own.
func (w *consistencyCheck) object(n *node, was, now cty.Value) {
	if w.unknown(now) {
		return
	}
	if was != unplanned && was.IsNull() != now.IsNull() {
		w.report(fault{rule: RuleInconsistentPresence, was: was, now: now})
	}
	if now.IsNull() {
		return
	}
	if was != unplanned && was.IsNull() {
		was = unplanned
	}
	for _, child := range n.children {
		if w.done(was) {
			return
		}
		old, new := planned(was, child.name), now.GetAttr(child.name)
		switch {
		case child.block:
			w.enterName(child.name)
			w.blocks(child, values.Unmarked(old), values.Unmarked(new))
			w.leave()
		case !settled(old, new):
			w.enterName(child.name)
			w.whole(child, old, new)
			w.leave()
		}
	}
}

// blocks checks all blocks of a type. The values have no marks of their own.
func (w *consistencyCheck) blocks(n *node, was, now cty.Value) {
	if w.unknown(now) {
		return
	}
	if w.unknownRule != "" && n.shouldBeEmpty(now) {
		w.report(fault{rule: RuleStateNullBlocks})
	}
	if was != unplanned && !w.present(n, was, now) {
		was = unplanned
	}
	if !w.done(was) {
		w.members(n, was, now)
	}
}

// present checks two values of a block type as wholes, and reports whether their blocks
// are to be compared, too.
func (w *consistencyCheck) present(n *node, was, now cty.Value) bool {
	switch {
	case n.computed && n.shouldBeEmpty(now):
		w.report(fault{rule: RuleInconsistentNullBlocks})
		return false
	case n.computed && !was.IsKnown():
		if !w.otherType(was, now) {
			w.refined(was, now)
		}
		return false
	case n.single():
		return was.IsKnown() || !now.IsNull()
	case was.IsNull() || !was.IsKnown():
		return false
	case now.IsNull():
		w.report(fault{rule: RuleInconsistentNullBlocks, lenient: true})
		return false
	case !now.IsKnown():
		w.report(fault{rule: RuleInconsistentUnknown, lenient: !n.keyed()})
		return false
	}
	return true
}

// members checks each block of a type.
func (w *consistencyCheck) members(n *node, was, now cty.Value) {
	nows, olds := n.open(now), members{}
	nows.load()
	switch {
	case was == unplanned:
	case nows.kind == paths.ByElem:
		set := n.open(was)
		set.load()
		w.match(n, was, now, consistency.matcher(n, set.elems, nows.elems), func(probe *consistencyCheck, i, j int) {
			probe.object(n, set.elems[i], nows.elems[j])
		})
	default:
		if olds = n.open(was); !w.keys(&olds, &nows) {
			olds = members{}
		}
	}
	w.each(&nows, func(i int) {
		old, has := olds.like(&nows, i)
		if !has {
			old = unplanned
		}
		if !w.done(old) {
			w.object(n, values.Unmarked(old), values.Unmarked(nows.elem(i)))
		}
	})
}

// keys checks the number of blocks of a type and their keys. It reports whether the
// blocks in the same places are to be compared, too.
func (w *consistencyCheck) keys(olds, nows *members) bool {
	if nows.kind != paths.ByAttr && olds.n != nows.n {
		w.report(fault{rule: RuleInconsistentCount, was: olds.value, now: nows.value})
		return false
	}
	if shared := nows.shared(olds); shared != olds.n || shared != nows.n {
		w.report(fault{rule: RuleInconsistentKey, lenient: nows.kind != paths.ByAttr, was: olds.value, now: nows.value})
	}
	return true
}

// consistency is what the later one of two elements must have of the earlier one: all
// that was known. Blocks may become null without Core noticing.
var consistency = relation{
	treat: func(n *node, _ cty.Value, _ bool) treatment {
		if n.block {
			return inside
		}
		return asValue
	},
	null:    func(bool) treatment { return same },
	nullAll: func(bool) treatment { return anything },
}

// match checks that each element of two sets has a partner in the other that is
// consistent with it, of which only enforced faults count.
func (w *consistencyCheck) match(n *node, was, now cty.Value, m *pairing.Matcher, check func(probe *consistencyCheck, i, j int)) {
	probe := &consistencyCheck{}
	probe.probing = true
	gone, appeared := m.Match(func(i, j int) bool {
		probe.failed = false
		check(probe, i, j)
		return !probe.failed
	})
	switch {
	case len(gone) > 0:
		w.report(fault{rule: RuleInconsistentSetElement, was: m.A[gone[0]], others: pick(m.B, appeared)})
	case len(appeared) > 0:
		w.report(fault{rule: RuleInconsistentSetElement, now: m.B[appeared[0]], others: pick(m.A, gone)})
	}
	if len(m.B) > len(m.A) {
		w.report(fault{rule: RuleInconsistentCount, was: was, now: now})
	}
}

// pick returns the elements with the indexes.
func pick(elems []cty.Value, indexes []int) []cty.Value {
	picked := make([]cty.Value, len(indexes))
	for i, index := range indexes {
		picked[i] = elems[index]
	}
	return picked
}

// The value rules (docs/semantics.md#consistent-values) are those of attributes and of
// all that is in them. They ask of the schema of nested attributes only the names.

// whole checks all that is at a node by the value rules, its type first if that may vary.
func (w *consistencyCheck) whole(n *node, was, now cty.Value) {
	if was != unplanned && n.dynamic && w.otherType(was, now) {
		was = unplanned
	}
	w.value(n, n.single(), was, now)
}

// otherType reports a type that differs, where the schema leaves it open.
func (w *consistencyCheck) otherType(was, now cty.Value) bool {
	switch {
	case was.Type() == cty.DynamicPseudoType || w.unknownRule != "" && !now.IsKnown():
		return false
	case values.TypeConforms(now.Type(), was.Type()):
		return false
	}
	w.report(fault{rule: RuleInconsistentType, was: was, now: now})
	return true
}

// value checks a value, which is one object of the node or a collection of them, or, if
// the node is not nested, part of what is there. Both may be marked.
func (w *consistencyCheck) value(n *node, one bool, was, now cty.Value) {
	was, now = values.Unmarked(was), values.Unmarked(now)
	if w.unknown(now) {
		return
	}
	if was != unplanned && !w.bothKnown(was, now) {
		was = unplanned
	}
	if w.done(was) || now.IsNull() {
		return
	}
	switch ty := now.Type(); {
	case ty.IsPrimitiveType() || ty.IsCapsuleType():
		if was != unplanned && !values.SameContent(was, now, values.Content) {
			w.report(fault{rule: RuleInconsistentValue, was: was, now: now})
		}
	case n.nested() && one:
		w.parts(n, was, now)
	case !n.nested() && ty.IsObjectType():
		w.plainParts(n, was, now)
	case ty.IsSetType():
		w.elements(n, was, now)
	default:
		w.entries(n, was, now)
	}
}

// bothKnown checks two values as wholes, and reports whether their parts are to be
// compared, too.
func (w *consistencyCheck) bothKnown(was, now cty.Value) bool {
	switch {
	case was.Type() == cty.DynamicPseudoType:
		return false
	case !was.IsKnown():
		w.refined(was, now)
		return false
	case was.IsNull() || now.IsNull():
		if was.IsNull() != now.IsNull() {
			w.report(fault{rule: RuleInconsistentValue, was: was, now: now})
		}
		return false
	case !now.IsKnown():
		w.report(fault{rule: RuleInconsistentUnknown})
		return false
	}
	return true
}

// refined checks what became of an unknown value.
func (w *consistencyCheck) refined(was, now cty.Value) {
	if was.Type() == cty.DynamicPseudoType || unrefined(was) || !values.TypeConforms(now.Type(), was.Type()) {
		return
	}
	if was.Range().Includes(values.UnmarkedDeep(now)) == cty.False {
		w.report(fault{rule: RuleInconsistentRefinement, was: was, now: now})
	}
}

// unrefined reports whether an unknown value has no refinements, as far as that is known
// without comparing types, which may be wide.
func unrefined(unknown cty.Value) bool {
	if unknown == cty.UnknownVal(cty.String) {
		return true
	}
	switch r, ty := unknown.Range(), unknown.Type(); {
	case r.DefinitelyNotNull():
		return false
	case ty.IsCollectionType():
		return r.LengthLowerBound() == 0 && r.LengthUpperBound() == math.MaxInt
	default:
		return ty.IsObjectType() || ty.IsTupleType()
	}
}

// parts checks the attributes and, of a configuration, the blocks of a nested object.
func (w *consistencyCheck) parts(n *node, was, now cty.Value) {
	for _, child := range n.children {
		if old, new := planned(was, child.name), now.GetAttr(child.name); !w.failed && !settled(old, new) {
			w.enterName(child.name)
			w.value(child, child.single(), old, new)
			w.leave()
		}
	}
}

// plainParts checks the attributes of an object without a schema of its own.
func (w *consistencyCheck) plainParts(n *node, was, now cty.Value) {
	kind := paths.ByName
	if n.dynamic {
		kind = paths.ByAttr
	}
	for name := range now.Type().AttributeTypes() {
		if old, new := planned(was, name), now.GetAttr(name); !w.failed && !settled(old, new) {
			w.enter(paths.Step{Kind: kind, Name: name})
			w.value(n, false, old, new)
			w.leave()
		}
	}
}

// entries checks the elements of a list, tuple or map, and the objects of a dynamic map
// of blocks.
func (w *consistencyCheck) entries(n *node, was, now cty.Value) {
	nows, olds := open(now), members{}
	if was != unplanned {
		olds = open(was)
	}
	shared := 0
	w.each(&nows, func(i int) {
		old, has := olds.like(&nows, i)
		if has {
			shared++
		} else {
			old = unplanned
		}
		if !w.done(old) {
			w.value(n, true, old, nows.elem(i))
		}
	})
	if was != unplanned && (shared != olds.n || shared != nows.n) {
		w.report(fault{rule: RuleInconsistentKey, was: was, now: now})
	}
}

// elements checks the elements of a set.
func (w *consistencyCheck) elements(n *node, was, now cty.Value) {
	nows := open(now)
	nows.load()
	if was != unplanned {
		olds := was.AsValueSlice()
		w.match(n, was, now, valueMatcher(olds, nows.elems), func(probe *consistencyCheck, i, j int) {
			probe.value(n, true, olds[i], nows.elems[j])
		})
	}
	if !w.done(unplanned) {
		w.each(&nows, func(i int) { w.value(n, true, unplanned, nows.elem(i)) })
	}
}

// settled reports whether two leaves, or two lists of leaves, are known and equal, or a
// leaf that was not planned is known, so that no rule can be broken.
func settled(was, now cty.Value) bool {
	ty := now.Type()
	if was == unplanned {
		return ty.IsPrimitiveType() && now.IsKnown()
	}
	if ty.IsPrimitiveType() {
		return was.Type() == ty && now.IsKnown() && values.SameContent(was, now, values.Content)
	}
	if !ty.IsListType() || !ty.ElementType().IsPrimitiveType() || !present(was) || !present(now) || !was.Type().Equals(ty) {
		return false
	}
	n := now.LengthInt()
	if n != was.LengthInt() {
		return false
	}
	for i := range n {
		if key := values.IndexKey(i); !settled(was.Index(key), now.Index(key)) {
			return false
		}
	}
	return true
}

// present reports whether a value has content and no marks.
func present(v cty.Value) bool { return !v.IsMarked() && v.IsKnown() && !v.IsNull() }
