package objchange

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
)

// An argument of an exported function.
type argument struct {
	name      string
	value     cty.Value
	mustKnow  bool // a value that is unknown as a whole is an error
	nilIsNull bool // the zero cty.Value means null
}

// A review is one call of a function: the schema, the arguments and the faults. It turns the
// faults into violations at the end.
type review struct {
	schema *Schema
	given  [3]cty.Value // the arguments, with their marks
	faults []fault
	// conceals means that a fault inside a sensitive value reports neither its place in the
	// value nor its reason. The checks of a plan or state against an earlier plan set it.
	conceals bool
}

// admit checks the schema and the arguments. It removes the marks of the arguments themselves,
// and gives untyped null and unknown values a type. It returns false if the input cannot be
// used, with the faults in the review.
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
			r.reject(&inputFault{name: a.name, problem: p})
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

// settle normalizes the argument. It returns the problem if the argument cannot be used.
func (a *argument) settle(ty cty.Type) (p inputProblem, wrong bool) {
	if a.value == cty.NilVal {
		if !a.nilIsNull {
			return zeroValue, true
		}
		a.value = absentValue
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

// admitTypes records all type mismatches of the arguments.
func (r *review) admitTypes(ok bool, args []*argument) bool {
	for _, a := range args {
		if a.value == cty.NilVal || a.mustKnow && !a.value.IsKnown() {
			continue // already rejected
		}
		if !values.TypeUsable(a.value.Type()) {
			r.reject(&inputFault{name: a.name, problem: unusableType})
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

// conforms reports whether values of the type match the node, without building the implied
// type. For a list or map of blocks of the dynamic type it accepts any usable type, because
// only the value shows whether it matches.
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

// A typeCheck finds the places at which an argument does not conform to the schema.
type typeCheck struct {
	walk
	argument string
}

func (t *typeCheck) problem(p inputProblem, want, got cty.Type) {
	in := &inputFault{name: t.argument, problem: p, want: want, got: got}
	t.report(fault{rule: in.rule(), input: in})
}

// nested checks the type at a node. v is the value there, or the zero cty.Value if the value
// around it is null or unknown.
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

// bareOrNone returns the value without marks, or the zero cty.Value if it is null or unknown.
func bareOrNone(v cty.Value) cty.Value {
	if v == cty.NilVal {
		return v
	}
	if v = values.Unmarked(v); v.IsNull() || !v.IsKnown() {
		return cty.NilVal
	}
	return v
}

// dynamicBlocks checks the value of blocks of the dynamic type. It must be a tuple, or for map
// nesting an object with one attribute for each key. Null and unknown values may have any type.
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
	for _, child := range n.children {
		given, ok := types[child.name]
		t.enterName(child.name)
		switch {
		case !ok && child.block:
			t.problem(missingBlocks, child.ty, cty.NilType)
		case !ok:
			t.problem(missingAttribute, child.ty, cty.NilType)
		case v == cty.NilVal:
			t.nested(child, given, cty.NilVal)
		default:
			t.nested(child, given, v.GetAttr(child.name))
		}
		t.leave()
	}
	for name := range types {
		if n.child(name) == nil {
			t.surplus(name)
		}
	}
}

// surplus reports an attribute that is not in the schema.
func (t *typeCheck) surplus(name string) {
	t.enter(paths.Step{Kind: paths.ByAttr, Name: name})
	t.problem(surplusAttribute, cty.NilType, cty.NilType)
	t.leave()
}

// plain checks a type without its own schema. It reports a mismatch inside objects and tuples
// at the part, and a mismatch inside a collection at the collection.
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
			t.problem(missingAttribute, ty, cty.NilType)
		}
		t.leave()
	}
	for name := range given.AttributeTypes() {
		if !want.HasAttribute(name) {
			t.surplus(name)
		}
	}
}
