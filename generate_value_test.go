package objchange_test

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
)

// Generators of values. All of one world are made near one another: each place
// of a value either stays as in its base, or is made anew.

// A role is what a value stands for, and so what may be in it.
type role struct {
	config   bool // null where only the provider chooses; may set what is write-only
	unknowns int  // one place in so many is unknown
	churn    int  // one place in so many differs from the base
	wild     bool // also what no honest party sends: null blocks, unknown elements, ...
}

var (
	asState  = role{churn: 8}
	asConfig = role{churn: 8, config: true, unknowns: 12}
	anything = role{churn: 6, unknowns: 8, wild: true}
)

// noValue is the base of values made from nothing.
var noValue = cty.NullVal(cty.DynamicPseudoType)

// value makes a value of the schema, near the base.
func (d die) value(schema *objchange.Block, base cty.Value, r role) cty.Value {
	return d.object(rootOf(schema).fields, base, r, false)
}

// object makes one object. Inside a collection all must be of one type, so
// there dynamic places are fixed to be strings.
func (d die) object(f fields, base cty.Value, r role, fixed bool) cty.Value {
	parts := obj{}
	for _, name := range sorted(f.attrs) {
		parts[name] = d.attribute(f.attrs[name], partOf(base, name), r, fixed)
	}
	for _, name := range sorted(f.blocks) {
		parts[name] = d.blocks(f.blocks[name], partOf(base, name), r)
	}
	return object(parts)
}

// partOf returns an attribute of a value that need not have any.
func partOf(v cty.Value, name string) cty.Value {
	if v.IsNull() || !v.IsKnown() || !v.Type().HasAttribute(name) {
		return noValue
	}
	return v.GetAttr(name)
}

func (d die) attribute(a *objchange.Attribute, base cty.Value, r role, fixed bool) cty.Value {
	ty := typeAt(a.ImpliedType(), fixed || a.NestedType != nil && !nestOf(a).single())
	keep := !base.IsNull() && !d.oneIn(r.churn)
	switch {
	case !r.wild && (r.config && a.Computed && !a.Optional || !r.config && a.WriteOnly):
		return d.null(ty)
	case !keep && (r.wild || !a.Required) && d.oneIn(3), r.config && a.Computed && d.oneIn(2):
		return d.null(ty)
	case d.oneIn(r.unknowns):
		return d.unknown(ty)
	case a.NestedType != nil:
		return d.nest(nestOf(a), base, r, fixed)
	case keep && (base.IsWhollyKnown() || r.unknowns > 0):
		return base
	}
	return d.plain(a.Type, r, fixed)
}

// null makes a null, of some type where any will do.
func (d die) null(ty cty.Type) cty.Value {
	if ty == cty.DynamicPseudoType {
		ty = pick(d, ty, cty.String, cty.Number)
	}
	return cty.NullVal(ty)
}

func (d die) blocks(nb *objchange.NestedBlock, base cty.Value, r role) cty.Value {
	n := blocksOf(nb)
	switch {
	case d.oneIn(3*r.unknowns) && (r.wild || n.mode != objchange.NestingGroup):
		return d.unknown(n.ty)
	case n.mode == objchange.NestingSingle && base.IsNull() && d.oneIn(3), r.wild && d.oneIn(12):
		return cty.NullVal(n.ty)
	case r.config && nb.Computed && d.oneIn(2):
		return nb.EmptyValue()
	}
	return d.nest(n, base, r, false)
}

// nest makes the objects of a block type or nested attribute, those of the base
// first and then perhaps others.
func (d die) nest(n nest, base cty.Value, r role, fixed bool) cty.Value {
	if n.single() {
		return d.object(n.fields, base, r, fixed)
	}
	fixed = fixed || n.ty != cty.DynamicPseudoType
	b := bag{ty: n.ty}
	if n.ty != cty.DynamicPseudoType {
		b.ty = typeAt(n.ty, true)
	} else if n.mode == objchange.NestingMap {
		b.ty = cty.EmptyObject
	}
	for _, e := range elementsOf(base) {
		if !d.oneIn(r.churn) {
			b.add(e.key, d.element(n, e.value, r, fixed))
		}
	}
	if len(b.elems) == 0 || d.oneIn(3*r.churn) {
		for range d(4) {
			b.add(pick(d, "k", "l", "m"), d.element(n, noValue, r, fixed))
		}
	}
	return b.value()
}

func (d die) element(n nest, base cty.Value, r role, fixed bool) cty.Value {
	ty := typeAt(n.objectType(), fixed)
	switch {
	case (r.wild || !n.block) && d.oneIn(12):
		return cty.NullVal(ty)
	case (r.wild || !n.block) && d.oneIn(2*r.unknowns):
		return d.unknown(ty)
	}
	return d.object(n.fields, base, r, fixed)
}

// plain makes a value of an attribute's type that is not null.
func (d die) plain(ty cty.Type, r role, fixed bool) cty.Value {
	switch {
	case ty == cty.DynamicPseudoType:
		ty = cty.String
		if !fixed {
			ty = pick(d, plainTypes...)
		}
		return d.plain(ty, r, fixed)
	case ty == cty.String:
		return str(pick(d, "a", "b", "ab"))
	case ty == cty.Bool:
		return cty.BoolVal(d.oneIn(2))
	case ty == cty.Number:
		return pick(d, num(0), num(1), cty.NumberFloatVal(0.1), cty.MustParseNumberVal("0.1"), cty.MustParseNumberVal("1e30"))
	case ty.IsObjectType():
		parts := obj{}
		for _, name := range sorted(ty.AttributeTypes()) {
			parts[name] = d.inner(ty.AttributeType(name), r, fixed)
		}
		return object(parts)
	}
	b := bag{ty: ty}
	if ty.IsTupleType() {
		for _, elem := range ty.TupleElementTypes() {
			b.add("", d.inner(elem, r, fixed))
		}
		return b.value()
	}
	b.ty = typeAt(ty, true)
	for range d(3) {
		b.add(pick(d, "k", "l", "m"), d.inner(ty.ElementType(), r, true))
	}
	return b.value()
}

// inner makes a part of an attribute's value, which may be null.
func (d die) inner(ty cty.Type, r role, fixed bool) cty.Value {
	if at := typeAt(ty, fixed); d.oneIn(8) {
		return cty.NullVal(at)
	} else if d.oneIn(2 * r.unknowns) {
		return d.unknown(at)
	}
	return d.plain(ty, r, fixed)
}

// unknown makes an unknown value with or without refinements.
func (d die) unknown(ty cty.Type) cty.Value {
	v := cty.UnknownVal(ty)
	if ty == cty.DynamicPseudoType || d.oneIn(2) {
		return v
	}
	b := v.Refine()
	if d.oneIn(2) {
		b = b.NotNull()
	}
	switch {
	case d.oneIn(2):
	case ty == cty.String:
		b = b.StringPrefixFull("a")
	case ty == cty.Number:
		b = b.NumberRangeInclusive(num(0), num(1))
	case ty.IsCollectionType():
		b = b.CollectionLengthLowerBound(1).CollectionLengthUpperBound(3)
	}
	return b.NewValue()
}

// typeAt returns the type that values have at a place: where it is fixed,
// strings stand for whatever is dynamic.
func typeAt(ty cty.Type, fixed bool) cty.Type {
	switch {
	case !fixed || !ty.HasDynamicTypes():
		return ty
	case ty == cty.DynamicPseudoType:
		return cty.String
	case ty.IsListType():
		return cty.List(typeAt(ty.ElementType(), true))
	case ty.IsMapType():
		return cty.Map(typeAt(ty.ElementType(), true))
	case ty.IsTupleType():
		var elems []cty.Type
		for _, elem := range ty.TupleElementTypes() {
			elems = append(elems, typeAt(elem, true))
		}
		return cty.Tuple(elems)
	}
	parts := map[string]cty.Type{}
	for name, part := range ty.AttributeTypes() {
		parts[name] = typeAt(part, true)
	}
	return cty.Object(parts)
}

// A bag gathers elements to make a value of the type, or a tuple if that
// is dynamic.
type bag struct {
	ty    cty.Type
	keys  []string
	elems []cty.Value
}

func (b *bag) add(key string, elem cty.Value) {
	b.keys, b.elems = append(b.keys, key), append(b.elems, elem)
}

func (b *bag) value() cty.Value {
	named := obj{}
	for i, key := range b.keys {
		named[key] = b.elems[i]
	}
	switch {
	case b.ty.IsObjectType():
		return object(named)
	case b.ty == cty.DynamicPseudoType || b.ty.IsTupleType():
		return tuple(b.elems...)
	case b.ty.IsListType() && len(b.elems) > 0:
		return list(b.elems...)
	case b.ty.IsListType():
		return cty.ListValEmpty(b.ty.ElementType())
	case b.ty.IsSetType() && len(b.elems) > 0:
		return set(b.elems...)
	case b.ty.IsSetType():
		return cty.SetValEmpty(b.ty.ElementType())
	case len(named) > 0:
		return mapOf(named)
	}
	return cty.MapValEmpty(b.ty.ElementType())
}

// An entry is one element of a value that has elements.
type entry struct {
	key   string
	step  cty.PathStep
	value cty.Value
}

// elementsOf returns the elements of a value, none if it cannot have any.
func elementsOf(v cty.Value) (entries []entry) {
	if v, _ = v.Unmark(); v.IsNull() || !v.IsKnown() || !v.CanIterateElements() {
		return nil
	}
	for it := v.ElementIterator(); it.Next(); {
		key, elem := it.Element()
		e := entry{step: cty.IndexStep{Key: key}, value: elem}
		if ty := v.Type(); ty.IsMapType() || ty.IsObjectType() {
			e.key = key.AsString()
		}
		if v.Type().IsObjectType() {
			e.step = cty.GetAttrStep{Name: e.key}
		}
		entries = append(entries, e)
	}
	return entries
}
