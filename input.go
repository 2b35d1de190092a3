package objchange

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/spelling"
	"github.com/objchange/objchange/internal/values"
)

// An argument of an exported function.
type argument struct {
	name      string
	value     cty.Value
	mustKnow  bool // the function cannot use it if it is unknown as a whole
	nilIsNull bool // the zero cty.Value means null
}

// A review is one call of a function: schema, arguments and what was found. It makes
// the violations when all is done.
type review struct {
	schema *Schema
	given  [3]cty.Value // the arguments, with their marks
	faults []fault
	// conceals says that a fault in something sensitive does not show where in it, and
	// why: that of a value that became another.
	conceals bool
}

// An inputFault says what is wrong with an argument.
type inputFault struct {
	argument string   // its name; "" where the value was made of several
	problem  problem  // what is wrong
	want     cty.Type // of problems with types
	got      cty.Type
	near     string // the name that may have been meant
}

type problem int

const (
	noSchema problem = iota
	zeroValue
	unknownWhole
	unusableType
	panicked
	noObject      // no object at all
	otherType     // another type than that of the schema
	otherBlocks   // another shape than blocks of the dynamic type have
	missing       // a missing attribute
	missingBlocks // missing blocks
	surplus       // an attribute that the schema does not have
	mixedElements // one collection cannot hold the elements
	noFit         // the prior value does not fit into the collection
)

// admit checks schema and arguments. It strips the arguments' own marks and makes typed
// values of untyped nulls and unknown values. It returns false if there is nothing to
// check: all faults are then in the review.
func (r *review) admit(schema *Schema, args ...*argument) bool {
	r.schema = schema
	for i, a := range args {
		r.given[i] = a.value
	}
	if !schema.compiled() {
		r.reject(&inputFault{problem: noSchema})
		return false
	}
	ok, conforming := true, true
	for _, a := range args {
		if p, wrong := a.settle(schema.root.ty); wrong {
			r.reject(&inputFault{argument: a.name, problem: p})
			ok = false
			continue
		}
		conforming = conforming && schema.root.conforms(a.value.Type())
	}
	if ok && conforming && !schema.root.dynamicBlocks {
		return true
	}
	return r.admitTypes(ok, args)
}

// settle gives the argument its final form, and returns the problem if it cannot be used.
func (a *argument) settle(ty cty.Type) (p problem, wrong bool) {
	if a.value == cty.NilVal {
		if !a.nilIsNull {
			return zeroValue, true
		}
		a.value = absent
	}
	a.value = values.Unmarked(a.value)
	switch {
	case a.mustKnow && !a.value.IsKnown():
		return unknownWhole, true
	case a.value.Type() != cty.DynamicPseudoType:
	case a.value.IsNull():
		a.value = cty.NullVal(ty)
	default:
		a.value = cty.UnknownVal(ty)
	}
	return 0, false
}

// admitTypes finds all mismatches of the arguments.
func (r *review) admitTypes(ok bool, args []*argument) bool {
	for _, a := range args {
		if a.value == cty.NilVal || a.mustKnow && !a.value.IsKnown() {
			continue // rejected before
		}
		if !values.TypeUsable(a.value.Type()) {
			r.reject(&inputFault{argument: a.name, problem: unusableType})
			ok = false
		}
	}
	if !ok {
		return false
	}
	for _, a := range args {
		t := typeCheck{argument: a.name}
		t.nested(r.schema.root, a.value.Type(), a.value)
		r.faults = append(r.faults, t.faults...)
	}
	return len(r.faults) == 0
}

func (r *review) reject(in *inputFault) {
	r.faults = append(r.faults, fault{rule: in.rule(), input: in})
}

func (in *inputFault) rule() Rule {
	if in.problem < noObject {
		return RuleInvalidInput
	}
	return RuleTypeMismatch
}

// conforms reports whether values of the type have the shape of all that is at the node,
// without making the implied type. It takes any usable type for a list or map of blocks
// of the dynamic type: there, the value decides.
func (n *node) conforms(ty cty.Type) bool {
	switch {
	case !n.nested():
		return values.TypeConforms(ty, n.constraint)
	case n.single():
		return n.objectConforms(ty)
	case n.block && n.dynamic && !n.set():
		return values.TypeUsable(ty)
	case n.set():
		return ty.IsSetType() && n.objectConforms(ty.ElementType())
	case n.keyed():
		return ty.IsMapType() && n.objectConforms(ty.ElementType())
	}
	return ty.IsListType() && n.objectConforms(ty.ElementType())
}

func (n *node) objectConforms(ty cty.Type) bool {
	if !ty.IsObjectType() {
		return false
	}
	types := ty.AttributeTypes()
	if len(types) != len(n.children) {
		return false
	}
	for _, child := range n.children {
		if given, ok := types[child.name]; !ok || !child.conforms(given) {
			return false
		}
	}
	return true
}

// A typeCheck finds where an argument does not conform to the schema.
type typeCheck struct {
	walk
	argument string
}

func (t *typeCheck) problem(p problem, want, got cty.Type) {
	in := &inputFault{argument: t.argument, problem: p, want: want, got: got}
	t.report(fault{rule: in.rule(), input: in})
}

// nested checks the type at a node. The value is the one there, or the zero cty.Value
// where a value has no part of its own, since it is null or unknown.
func (t *typeCheck) nested(n *node, ty cty.Type, v cty.Value) {
	v = bareOrNone(v)
	switch {
	case n.block && n.ty == cty.DynamicPseudoType:
		t.dynamicBlocks(n, ty, v)
	case !n.nested():
		t.plain(n.constraint, ty)
	case n.single() && ty.IsObjectType():
		t.object(n, ty, v)
	case !n.conforms(ty):
		p := otherType
		if len(t.steps) == 0 {
			p = noObject
		}
		t.problem(p, n.ty, ty)
	}
}

// bareOrNone returns the value without marks if it has parts, or else the zero value.
func bareOrNone(v cty.Value) cty.Value {
	if v == cty.NilVal {
		return v
	}
	if v = values.Unmarked(v); v.IsNull() || !v.IsKnown() {
		return cty.NilVal
	}
	return v
}

// dynamicBlocks checks the value of blocks of the dynamic type: a tuple, or an object
// with an attribute for each key. Null and unknown may have any type.
func (t *typeCheck) dynamicBlocks(n *node, ty cty.Type, v cty.Value) {
	if v == cty.NilVal {
		return
	}
	if ty.IsTupleType() == n.keyed() || ty.IsObjectType() != n.keyed() {
		t.problem(otherBlocks, n.ty, ty)
		return
	}
	ms := open(v)
	ms.load()
	for i := range ms.n {
		if elem := ms.elem(i); elem.Type() != cty.DynamicPseudoType && !n.objectConforms(elem.Type()) {
			t.problem(otherBlocks, n.ty, ty)
			return
		}
	}
	t.each(&ms, func(i int) {
		if elem := bareOrNone(ms.elem(i)); elem != cty.NilVal {
			t.object(n, elem.Type(), elem)
		}
	})
}

func (t *typeCheck) object(n *node, ty cty.Type, v cty.Value) {
	types := ty.AttributeTypes()
	var absent []string
	for _, child := range n.children {
		given, ok := types[child.name]
		t.enterName(child.name)
		switch {
		case !ok && child.block:
			t.problem(missingBlocks, child.ty, cty.NilType)
		case !ok:
			t.problem(missing, child.ty, cty.NilType)
		case v == cty.NilVal:
			t.nested(child, given, cty.NilVal)
		default:
			t.nested(child, given, v.GetAttr(child.name))
		}
		t.leave()
		if !ok {
			absent = append(absent, child.name)
		}
	}
	for name := range types {
		if n.child(name) == nil {
			t.surplus(name, absent)
		}
	}
}

// surplus reports an attribute that the schema does not have, and which of the missing
// ones it may be.
func (t *typeCheck) surplus(name string, absent []string) {
	in := &inputFault{argument: t.argument, problem: surplus, near: spelling.Nearest(name, absent)}
	t.enter(paths.Step{Kind: paths.ByAttr, Name: name})
	t.report(fault{rule: in.rule(), input: in})
	t.leave()
}

// plain checks a type without a schema of its own. It reports a mismatch inside objects
// and tuples at the part, and one inside a collection at the collection.
func (t *typeCheck) plain(want, given cty.Type) {
	switch {
	case want.IsObjectType() && given.IsObjectType():
		t.plainObject(want, given)
	case want.IsTupleType() && given.IsTupleType() && want.Length() == given.Length():
		for i, element := range want.TupleElementTypes() {
			t.enter(paths.Step{Kind: paths.ByIndex, Pos: i})
			t.plain(element, given.TupleElementType(i))
			t.leave()
		}
	case !values.TypeConforms(given, want):
		t.problem(otherType, want, given)
	}
}

func (t *typeCheck) plainObject(want, given cty.Type) {
	for name, ty := range want.AttributeTypes() {
		t.enterName(name)
		if given.HasAttribute(name) {
			t.plain(ty, given.AttributeType(name))
		} else {
			t.problem(missing, ty, cty.NilType)
		}
		t.leave()
	}
	for name := range given.AttributeTypes() {
		if !want.HasAttribute(name) {
			t.surplus(name, nil)
		}
	}
}

// rescue turns a panic of a capsule type's own operations into a violation. What the
// panic says may hold a value, and is not shown.
func rescue(found *Violations) {
	if recover() != nil {
		*found = panicViolation()
	}
}

func panicViolation() Violations {
	var r review
	r.reject(&inputFault{problem: panicked})
	return r.violations()
}

// rescueError turns such a panic into an error.
func rescueError(v *cty.Value, err *error) {
	if recover() != nil {
		*v, *err = cty.NilVal, &InputError{Problems: panicViolation()}
	}
}
