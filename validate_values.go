package objchange

import (
	"fmt"
	"math"
	"strings"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// The rules of consistent values (docs/semantics.md#consistent-values), for
// attributes and what is in them. Nested attributes follow them too: their
// schema only says what is sensitive.

// consistency is what a later element has of the earlier one: all that was known.
var consistency = relation{
	attribute: func(*configschema.Attribute, cty.Value, bool) treatment { return asValue },
	block:     func(*configschema.NestedBlock, cty.Value, bool) treatment { return inside },
	null:      func(bool) treatment { return same },
	nullAll:   func(bool) treatment { return anything },
	shared:    true,
}

// A scope is what the schema says of a value under the value rules: the
// attribute that it belongs to or is part of or, for the blocks of a
// configuration, their fields.
type scope struct {
	attr   *configschema.Attribute
	block  *configschema.NestedBlock
	nested bool // objects at or in the value have fields
	fields fields
	keyed  bool // what is an object is a map of such objects
	names  paths.Kind
}

func (w *consistencyCheck) scope(a *configschema.Attribute) scope {
	if a.NestedType == nil {
		if w.schema.attributeHolds(a).dynamic {
			return scope{attr: a, names: paths.ByAttr}
		}
		return scope{attr: a}
	}
	return scope{attr: a, nested: true, fields: nestOf(a.NestedType).fields}
}

// blockScope is the one of all blocks of the type.
func (w *consistencyCheck) blockScope(nb *configschema.NestedBlock) scope {
	return scope{block: nb, nested: true, fields: fieldsOf(&nb.Block), keyed: nb.Nesting.Keyed()}
}

// secret reports whether there is something secret in a value, beside what the way
// to it says.
func (w *consistencyCheck) secret(s scope) bool { return w.schema.holds(s.fields).secret }

// value checks a value. Both may be marked.
func (w *consistencyCheck) value(a scope, was, now cty.Value) {
	was, now = values.Unmarked(was), values.Unmarked(now)
	if w.unknownState(now) {
		return
	}
	if w.judging && !w.judge(a, was, now) {
		w.stateOnly(a, now)
		return
	}
	if now.IsNull() {
		return
	}
	switch ty := now.Type(); {
	case ty.IsPrimitiveType() || ty.IsCapsuleType():
		if w.judging && !values.SameContent(was, now, values.Content) {
			w.changed(a, was, now)
		}
	case ty.IsObjectType() && !a.keyed:
		w.parts(a, was, now)
	case ty.IsSetType():
		w.elements(a, was, now)
	default:
		a.keyed = false
		w.entries(a, was, now)
	}
}

// judge applies the rules for whole values, and reports whether the parts of
// both are to be judged too.
func (w *consistencyCheck) judge(a scope, was, now cty.Value) bool {
	switch {
	case was.Type() == cty.DynamicPseudoType:
		return false
	case !was.IsKnown():
		w.promised(was, now, w.secret(a))
		return false
	case was.IsNull() && now.IsNull():
		return false
	case was.IsNull() || now.IsNull():
		w.changed(a, was, now)
		return false
	case !now.IsKnown():
		w.violation(RuleInconsistentUnknown, "the planned value became unknown")
		return false
	}
	return true
}

// changedType judges the type of a value that may be dynamic, and in which the schema has
// something secret or not.
func (w *consistencyCheck) changedType(was, now cty.Value, secret bool) bool {
	if was.Type() == cty.DynamicPseudoType || w.state && !now.IsKnown() {
		return false
	}
	if values.TypeConforms(now.Type(), was.Type()) {
		return false
	}
	way, planned, is := typesOf(was, now, func(was, now cty.Type) bool { return values.TypeConforms(now, was) })
	if _, marked := w.secrecy(); (secret || marked) && len(way) > 0 { // the way may have keys that are secret
		way, planned, is = nil, values.TypeName(was.Type()), values.TypeName(now.Type())
	}
	message := fmt.Sprintf("the type was planned to be %s and is %s", planned, is)
	if len(way) > 0 {
		message = "at " + paths.Text(way, -1) + ", " + message
	}
	w.violation(RuleInconsistentType, message)
	return true
}

// promised judges what became of an unknown value.
func (w *consistencyCheck) promised(was, now cty.Value, secret bool) {
	if was.Type() == cty.DynamicPseudoType || promisesNothing(was) {
		return
	}
	if !values.TypeConforms(now.Type(), was.Type()) {
		return // told elsewhere
	}
	if was.Range().Includes(values.UnmarkedDeep(now)) == cty.False {
		w.tellDifference(RuleInconsistentRefinement, secret, "the value is not one that its unknown placeholder promised", was, now, becameAnother)
	}
}

// promisesNothing reports whether an unknown value has no refinements, as far as
// that is told without comparing types, which may be wide.
func promisesNothing(unknown cty.Value) bool {
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

func (w *consistencyCheck) changed(a scope, was, now cty.Value) {
	w.tellDifference(RuleInconsistentValue, w.secret(a), "the value is not the planned one", was, now, becameAnother)
}

func becameAnother(d *difference) string {
	planned, is := d.texts()
	return "was planned to be " + planned + " and is " + is
}

// parts checks the attributes of an object. What admit found to be no part of the
// schema is not in its fields.
func (w *consistencyCheck) parts(a scope, was, now cty.Value) {
	if !a.nested {
		for name := range now.Type().AttributeTypes() {
			if old, new := w.at(name, was, now); !settled(old, new) {
				w.part(a, paths.Step{Kind: a.names, Name: name}, old, new)
			}
		}
		return
	}
	for name, attr := range a.fields.attrs {
		if old, new := w.at(name, was, now); !settled(old, new) {
			w.part(w.scope(attr), paths.Step{Name: name}, old, new)
		}
	}
	for name, nb := range a.fields.blocks {
		old, new := w.at(name, was, now)
		w.part(w.blockScope(nb), paths.Step{Name: name}, old, new)
	}
}

// at returns both values of an attribute.
func (w *consistencyCheck) at(name string, was, now cty.Value) (old, new cty.Value) {
	if !w.judging {
		return absent, now.GetAttr(name)
	}
	return was.GetAttr(name), now.GetAttr(name)
}

func (w *consistencyCheck) part(inner scope, to paths.Step, old, new cty.Value) {
	if w.refused {
		return
	}
	w.enter(to, inner.attr != nil && isSecret(inner.attr))
	if w.fits(inner, old, new) {
		w.value(inner, old, new)
	}
	w.leave()
}

// settled reports whether two leaves, or two lists of leaves, are known and equal, so
// that no rule has anything to say of them.
func settled(was, now cty.Value) bool {
	ty := now.Type()
	if ty.IsPrimitiveType() {
		return was.Type() == ty && now.IsKnown() && values.SameContent(was, now, values.Content)
	}
	if !ty.IsListType() || !ty.ElementType().IsPrimitiveType() || !isThere(was) || !isThere(now) || !was.Type().Equals(ty) {
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

// isThere reports whether a value has content and no marks.
func isThere(v cty.Value) bool { return !v.IsMarked() && v.IsKnown() && !v.IsNull() }

// fits reports whether two values of a block type have the shape that its
// dynamic type leaves open.
func (w *consistencyCheck) fits(s scope, was, now cty.Value) bool {
	return s.block == nil || w.shaped(blockNest(s.block), values.Unmarked(was)) && w.shaped(blockNest(s.block), values.Unmarked(now))
}

// plainNest opens values that have no schema of their own as collections.
var plainNest = nest{mode: configschema.NestingList}

// entries checks the elements of a list, tuple or map.
func (w *consistencyCheck) entries(a scope, was, now cty.Value) {
	nows, olds := plainNest.open(now), members{}
	if w.judging {
		olds = plainNest.open(was)
	}
	shared := 0
	w.each(&nows, func(i int) {
		old, has := olds.like(&nows, i)
		if has {
			shared++
		}
		if !w.done() {
			w.value(a, old, nows.elem(i))
		}
	})
	if w.judging && (shared != olds.n || shared != nows.n) {
		w.violation(RuleInconsistentKey, w.surplus(w.secret(a), &olds, &nows))
	}
}

// surplus says how the keys of a list, tuple or map changed.
func (w *consistencyCheck) surplus(secret bool, olds, nows *members) string {
	if w.asking || nows.kind == paths.ByIndex {
		return w.counts("elements", olds.n, nows.n) + w.elementsChanged(secret, olds, nows)
	}
	return w.keysChanged("the elements are not under the planned keys", olds, nows)
}

func (w *consistencyCheck) counts(what string, was, now int) string {
	if w.asking {
		return ""
	}
	if now == 1 {
		return fmt.Sprintf("there is one %s where the plan has %d", strings.TrimSuffix(what, "s"), was)
	}
	return fmt.Sprintf("there are %d %s where the plan has %d", now, what, was)
}

// elements checks the elements of a set.
func (w *consistencyCheck) elements(a scope, was, now cty.Value) {
	nows := now.AsValueSlice()
	if w.judging {
		olds := was.AsValueSlice()
		w.set(newValueMatcher(olds, nows), w.secret(a), olds, nows, func(i, j int) { w.value(a, olds[i], nows[j]) })
	}
	for i, elem := range nows {
		w.enter(paths.Step{Kind: paths.ByElem, Pos: i, Elem: elem}, false)
		w.stateOnly(a, elem)
		w.leave()
	}
}

// set judges whether each element of two sets has a partner in the other that
// is consistent with it. The pair is judged by check, of which only enforced
// violations count. Elements that hold something secret are not shown.
func (w *consistencyCheck) set(m *matcher, secret bool, olds, nows []cty.Value, check func(i, j int)) {
	oldOK, nowOK := m.match(func(i, j int) bool {
		return w.ask(func() { check(i, j) })
	})
	if i := firstFalse(oldOK); i >= 0 {
		w.tellElement(fields{}, RuleInconsistentSetElement, secret, "a planned element is gone or has changed", "the planned element %s is gone",
			olds[i], remaining(nows, nowOK), "nearest there is")
	} else if j := firstFalse(nowOK); j >= 0 {
		w.tellElement(fields{}, RuleInconsistentSetElement, secret, "there is an element that was not planned", "there is an element that was not planned: %s",
			nows[j], remaining(olds, oldOK), "nearest that was")
	}
	if len(nows) > len(olds) {
		w.violation(RuleInconsistentCount, w.counts("elements", len(olds), len(nows)))
	}
}

// ask reports whether a check finds nothing enforced, and records nothing.
func (w *consistencyCheck) ask(check func()) bool {
	asking, state := w.asking, w.state
	w.asking, w.state = true, false
	check()
	ok := !w.refused
	w.asking, w.refused, w.judging, w.state = asking, false, true, state
	return ok
}

// remaining are the elements that have no partner.
func remaining(elems []cty.Value, ok []bool) (left []cty.Value) {
	for i, elem := range elems {
		if !ok[i] {
			left = append(left, elem)
		}
	}
	return left
}

func firstFalse(oks []bool) int {
	for i, ok := range oks {
		if !ok {
			return i
		}
	}
	return -1
}
