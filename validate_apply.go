package objchange

import (
	"math"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/pairing"
	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
)

// AssertPlanConsistent checks the final plan against the initial plan
// (docs/specification.md#11-consistency). Known values must not change. An unknown value may become
// any value that its refinements allow, or stay unknown. The initial plan is the plan that the
// user approved. It was made when a part of the configuration was still unknown.
//
// Both values must conform to the schema. Marks are ignored, but marked values are not shown.
//
// The cost is the same as for one comparison of the values. The time to match set elements grows
// linearly with their number, apart from the sorting in cty, if the elements differ in primitive
// values or in single nested objects. If very many elements that differ in other ways have no
// match, the search stops, and the remaining elements count as matched.
func AssertPlanConsistent(schema *Schema, initial, final cty.Value) (found Violations) {
	defer rescue(&found)
	r := reviewReplan(schema, initial, final)
	return r.violations()
}

// AssertApplyConsistent checks the new state that a provider returned after apply against the
// final plan (docs/specification.md#11-consistency). It makes the checks of
// [AssertPlanConsistent] and the checks of [AssertStateValid]. For an unknown value in the new
// state, it reports only that the value is unknown.
//
// Both values must conform to the schema. Marks are ignored, but marked values are not shown.
// The cost is the same as for AssertPlanConsistent.
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

// unplanned stands for an absent earlier value: nothing was planned here, or the values have
// already been reported as different. Only the later value is then checked.
var unplanned = cty.NilVal

// A consistencyCheck walks an earlier and a later value. At each place, it checks that the
// later value is consistent with the earlier value, and that a state may contain it.
type consistencyCheck struct {
	walk
	unknownRule Rule // the rule for unknown later values; "" for plans
}

// done reports whether there is nothing to check below an earlier value.
func (w *consistencyCheck) done(was cty.Value) bool {
	return w.failed || was == unplanned && w.unknownRule == ""
}

func (w *consistencyCheck) root(n *node, was, now cty.Value) {
	if w.unknownRule == RuleStateUnknown && now.IsKnown() {
		w.writeOnly(n, now)
	}
	w.object(n, was, now)
}

// unknown reports a later value that must be known but is not. It is then not checked further.
func (w *consistencyCheck) unknown(now cty.Value) bool {
	if w.unknownRule == "" || now.IsKnown() {
		return false
	}
	w.report(fault{rule: w.unknownRule})
	return true
}

// earlierPart returns the part of an earlier object.
func earlierPart(was cty.Value, name string) cty.Value {
	if was == unplanned {
		return unplanned
	}
	return was.GetAttr(name)
}

// object checks a root or block object. The values are unmarked.
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
		old, new := earlierPart(was, child.name), now.GetAttr(child.name)
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

// blocks checks all blocks of a type. The values are unmarked.
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

// present checks two values of a block type as a whole. It reports whether their blocks must be
// compared as well.
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
		w.match(was, now, consistency.matcher(n, set.elems, nows.elems), func(probe *consistencyCheck, i, j int) {
			probe.object(n, set.elems[i], nows.elems[j])
		})
	default:
		olds = n.open(was)
		if !w.keys(&olds, &nows) {
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

// keys checks the number of blocks of a type and their keys. It reports whether blocks with the
// same index or key must be compared.
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

// consistency describes when a later element is consistent with an earlier element: all known
// values are equal. Core does not notice if blocks become null.
var consistency = relation{
	treat: func(n *node, _ cty.Value, _ bool) treatment {
		if n.block {
			return itsParts
		}
		return partsAsValue
	},
	null:    func(bool) treatment { return equalValue },
	nullAll: func(bool) treatment { return anyValue },
}

// match checks that each element of two sets has a consistent partner in the other set. Only
// faults that Core rejects make two elements inconsistent.
func (w *consistencyCheck) match(
	was, now cty.Value, m *pairing.Matcher, check func(probe *consistencyCheck, i, j int),
) {
	probe := &consistencyCheck{}
	probe.probing = true
	gone, appeared := m.Match(func(i, j int) bool {
		probe.failed = false
		check(probe, i, j)
		return !probe.failed
	})
	switch {
	case len(gone) > 0:
		others, more := pick(m.B, appeared), len(gone)-1
		w.report(fault{rule: RuleInconsistentSetElement, was: m.A[gone[0]], others: others, more: more})
	case len(appeared) > 0:
		w.report(fault{rule: RuleInconsistentSetElement, now: m.B[appeared[0]], others: pick(m.A, gone)})
	}
	if len(m.B) > len(m.A) {
		w.report(fault{rule: RuleInconsistentCount, was: was, now: now})
	}
}

// The value rules (docs/specification.md#112-values) apply to attributes and all values
// inside them. For nested attributes, they use only the names in the schema.

// whole checks the value of a node by the value rules. If the schema does not fix the type, it
// checks the type first.
func (w *consistencyCheck) whole(n *node, was, now cty.Value) {
	if was != unplanned && n.dynamic && w.otherType(was, now) {
		was = unplanned
	}
	w.value(n, n.single(), was, now)
}

// otherType reports a changed type, if the schema does not fix the type.
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

// value checks one object of the node if one is set, and otherwise a collection of its objects.
// If the node is not nested, it checks the value or a part of it. Both values may be marked.
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

// bothKnown checks two values as a whole. It reports whether their parts must be compared as
// well.
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

// refined checks a value that was unknown before.
func (w *consistencyCheck) refined(was, now cty.Value) {
	if was.Type() == cty.DynamicPseudoType || unrefined(was) || !values.TypeConforms(now.Type(), was.Type()) {
		return
	}
	if was.Range().Includes(values.UnmarkedDeep(now)) == cty.False {
		w.report(fault{rule: RuleInconsistentRefinement, was: was, now: now})
	}
}

// unrefined reports whether an unknown value is known to have no refinements. It does not
// compare types, which may be large.
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

// parts checks the attributes of a nested object and, for configurations, its blocks.
func (w *consistencyCheck) parts(n *node, was, now cty.Value) {
	for _, child := range n.children {
		if old, new := earlierPart(was, child.name), now.GetAttr(child.name); !w.failed && !settled(old, new) {
			w.enterName(child.name)
			w.value(child, child.single(), old, new)
			w.leave()
		}
	}
}

// plainParts checks the attributes of an object without its own schema.
func (w *consistencyCheck) plainParts(n *node, was, now cty.Value) {
	kind := paths.ByName
	if n.dynamic {
		kind = paths.ByAttr
	}
	for name := range now.Type().AttributeTypes() {
		if old, new := earlierPart(was, name), now.GetAttr(name); !w.failed && !settled(old, new) {
			w.enter(paths.Step{Kind: kind, Name: name})
			w.value(n, false, old, new)
			w.leave()
		}
	}
}

// entries checks the elements of a list, tuple or map, and the objects in a map of blocks with
// dynamic types.
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
		w.match(was, now, valueMatcher(olds, nows.elems), func(probe *consistencyCheck, i, j int) {
			probe.value(n, true, olds[i], nows.elems[j])
		})
	}
	if !w.done(unplanned) {
		w.each(&nows, func(i int) { w.value(n, true, unplanned, nows.elem(i)) })
	}
}

// settled reports whether no rule can be broken: two leaves, or two lists of leaves, are known
// and equal, or an unplanned leaf is known.
func settled(was, now cty.Value) bool {
	ty := now.Type()
	if was == unplanned {
		return ty.IsPrimitiveType() && now.IsKnown()
	}
	if ty.IsPrimitiveType() {
		return was.Type() == ty && now.IsKnown() && values.SameContent(was, now, values.Content)
	}
	if !ty.IsListType() || !ty.ElementType().IsPrimitiveType() || !was.Type().Equals(ty) {
		return false
	}
	if !isPresent(was) || !isPresent(now) {
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

// isPresent reports whether a value is known, not null and unmarked.
func isPresent(v cty.Value) bool { return !v.IsMarked() && v.IsKnown() && !v.IsNull() }
