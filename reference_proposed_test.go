package objchange_test

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
)

// semantics.md#what-is-proposed and semantics.md#set-elements, for ProposedNew.
// The prior value is named p, the configured one c.

// proposal is what ProposedNew is to return.
func proposal(schema *objchange.Block, p, c cty.Value) cty.Value {
	switch {
	case c.IsNull() || !c.IsKnown():
		return c
	case p.IsNull():
		p = schema.EmptyValue()
	}
	return proposedObject(rootOf(schema), p, c, false)
}

// proposedObject is the proposal for one object. In a collection, the types of all
// that is dynamic are fixed by its elements' type.
func proposedObject(n nest, p, c cty.Value, fixed bool) cty.Value {
	parts := obj{}
	for name, a := range n.attrs {
		parts[name] = proposedAttribute(a, under(p, name), under(c, name), fixed)
	}
	for name, nb := range n.blocks {
		parts[name] = proposedNested(blocksOf(nb), under(p, name), under(c, name), fixed)
	}
	return object(parts)
}

func proposedAttribute(a *objchange.Attribute, p, c cty.Value, fixed bool) cty.Value {
	switch {
	case a.Computed && c.IsNull() && a.Optional && a.NestedType != nil && wasConfigured(nestOf(a), p):
		return c
	case a.Computed && c.IsNull() && p.IsNull() && (fixed || a.Type != cty.DynamicPseudoType):
		return cty.NullVal(c.Type())
	case a.Computed && c.IsNull():
		return p
	case a.NestedType == nil:
		return c
	}
	return proposedNested(nestOf(a), p, c, fixed)
}

// wasConfigured reports whether p holds something that only a user sets.
func wasConfigured(n nest, p cty.Value) bool {
	objects := elementsOf(p)
	if n.single() {
		objects = []entry{{value: p}}
	}
	for _, e := range objects {
		for name, a := range n.attrs {
			part := cty.NullVal(cty.DynamicPseudoType)
			if p.IsKnown() && !p.IsNull() {
				part = under(e.value, name)
			}
			if !part.IsNull() && !a.Computed || a.NestedType != nil && wasConfigured(nestOf(a), part) {
				return true
			}
		}
	}
	return false
}

func proposedNested(n nest, p, c cty.Value, fixed bool) cty.Value {
	switch {
	case c.IsNull() || !c.IsKnown():
		return c
	case n.single():
		return proposedElement(n, p, c, fixed)
	}
	fixed = fixed || c.Type().IsCollectionType()
	b := bag{ty: c.Type()}
	from := correlated(n, p, c)
	for i, e := range elementsOf(c) {
		pe, ok := elementAt(p, e.step)
		switch {
		case n.mode == objchange.NestingSet:
			pe = from[i]
		case !p.IsKnown():
			pe = cty.UnknownVal(e.value.Type())
		case !ok && n.mode == objchange.NestingList:
			b.add(e.key, e.value)
			continue
		}
		b.add(e.key, proposedElement(n, pe, e.value, fixed))
	}
	return b.value()
}

func proposedElement(n nest, p, c cty.Value, fixed bool) cty.Value {
	switch {
	case c.IsNull() || n.block && !c.IsKnown():
		return c
	case n.block && p.IsNull():
		b := objchange.Block{Attributes: n.attrs, BlockTypes: n.blocks}
		p = b.EmptyValue()
	}
	return proposedObject(n, p, c, fixed)
}

// correlated is semantics.md#set-elements: for each element of c the one of p
// it is merged with.
func correlated(n nest, p, c cty.Value) []cty.Value {
	prior := elementsOf(p)
	var from []cty.Value
	for _, ce := range elementsOf(c) {
		i := slices.IndexFunc(prior, func(pe entry) bool { return n.cameFrom(pe.value, ce.value) })
		if i < 0 {
			from = append(from, noValue)
			continue
		}
		from = append(from, prior[i].value)
		prior = slices.Delete(prior, i, i+1)
	}
	return from
}

// cameFrom asks whether p, one object of the nest, could have come from c, which
// is cty.NilVal where there is no value.
func (n nest) cameFrom(p, c cty.Value) bool {
	if c == cty.NilVal || equalValues(p, c) {
		return c != cty.NilVal
	}
	for _, name := range sorted(n.attrs) {
		if p.IsKnown() && !p.IsNull() && !attributeCameFrom(n.attrs[name], p.GetAttr(name), inside(c, name)) {
			return false
		}
	}
	for _, name := range sorted(n.blocks) {
		if p.IsKnown() && !p.IsNull() && !blocksOf(n.blocks[name]).allCameFrom(p.GetAttr(name), inside(c, name)) {
			return false
		}
	}
	return true
}

// inside is what c has at an attribute: nothing where it is null.
func inside(c cty.Value, name string) cty.Value {
	if c.IsNull() {
		return cty.NilVal
	}
	return c.GetAttr(name)
}

func attributeCameFrom(a *objchange.Attribute, p, c cty.Value) bool {
	switch {
	case c == cty.NilVal || equalValues(p, c):
		return c != cty.NilVal
	case c.Type().IsSetType():
		return false
	case a.NestedType != nil:
		return nestOf(a).allCameFrom(p, c)
	}
	return a.Computed && c.IsNull()
}

// allCameFrom asks the same of all objects of a block type or nested attribute.
func (n nest) allCameFrom(p, c cty.Value) bool {
	switch {
	case c == cty.NilVal || equalValues(p, c):
		return c != cty.NilVal
	case c.Type().IsSetType():
		return false
	case n.single():
		return n.cameFrom(p, c)
	}
	for _, e := range elementsOf(p) {
		there, ok := elementAt(c, e.step)
		if !c.IsNull() && !c.IsKnown() {
			there = cty.UnknownVal(e.value.Type())
		} else if !ok {
			there = cty.NilVal
		}
		if !n.cameFrom(e.value, there) {
			return false
		}
	}
	return true
}
