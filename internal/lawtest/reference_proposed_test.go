package lawtest

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/lawtest/generate"
	"github.com/objchange/objchange/internal/lawtest/parts"
)

// semantics.md#what-is-proposed and semantics.md#set-elements, for ProposedNew.
// The prior value is named p, the configured one c.

// proposal is what ProposedNew is to return.
func proposal(schema *configschema.Block, p, c cty.Value) cty.Value {
	switch {
	case c.IsNull() || !c.IsKnown():
		return c
	case p.IsNull():
		p = schema.EmptyValue()
	}
	return proposedObject(parts.RootOf(schema), p, c)
}

func proposedObject(n parts.Nest, p, c cty.Value) cty.Value {
	made := obj{}
	for name, a := range n.Attributes {
		made[name] = proposedAttribute(a, under(p, name), under(c, name))
	}
	for name, nb := range n.BlockTypes {
		made[name] = proposedNested(parts.BlocksOf(nb), under(p, name), under(c, name))
	}
	return object(made)
}

func proposedAttribute(a *configschema.Attribute, p, c cty.Value) cty.Value {
	switch {
	case a.Computed && c.IsNull() && a.Optional && a.NestedType != nil && wasConfigured(parts.NestOf(a), p):
		return c
	case a.Computed && c.IsNull() && p.RawEquals(generate.NoValue):
		return cty.NullVal(a.ImpliedType())
	case a.Computed && c.IsNull():
		return p
	case a.NestedType == nil:
		return c
	}
	return proposedNested(parts.NestOf(a), p, c)
}

// wasConfigured reports whether p holds something that only a user sets.
func wasConfigured(n parts.Nest, p cty.Value) bool {
	objects := parts.ElementsOf(p)
	if n.Single() {
		objects = []parts.Entry{{Value: p}}
	}
	for _, e := range objects {
		if !e.Value.IsKnown() || e.Value.IsNull() {
			continue
		}
		for name, a := range n.Attributes {
			part := e.Value.GetAttr(name)
			if !part.IsNull() && !a.Computed || a.NestedType != nil && wasConfigured(parts.NestOf(a), part) {
				return true
			}
		}
	}
	return false
}

func proposedNested(n parts.Nest, p, c cty.Value) cty.Value {
	switch {
	case c.IsNull() || !c.IsKnown():
		return c
	case n.Single():
		return proposedElement(n, p, c)
	}
	b := parts.Bag{Type: c.Type()}
	from := correlated(n, p, c)
	for i, e := range parts.ElementsOf(c) {
		pe, ok := elementAt(p, e.Step)
		keyed := n.Mode == configschema.NestingMap
		switch {
		case n.Mode == configschema.NestingSet:
			pe = from[i]
		case !p.IsKnown() && keyed:
			pe = cty.UnknownVal(e.Value.Type())
		case !p.IsKnown() && p.Type().IsListType():
			pe = cty.UnknownVal(p.Type().ElementType())
		case !p.IsKnown() && p.Type().IsTupleType():
			pe = p.Index(e.Step.(cty.IndexStep).Key)
		case !p.IsKnown():
			pe = cty.UnknownVal(n.ObjectType())
		case !ok && keyed:
			pe = cty.NullVal(e.Value.Type())
		case !ok:
			b.Add(e.Key, e.Value)
			continue
		}
		b.Add(e.Key, proposedElement(n, pe, e.Value))
	}
	return b.Value()
}

func proposedElement(n parts.Nest, p, c cty.Value) cty.Value {
	switch {
	case c.IsNull() || n.Block && !c.IsKnown():
		return c
	case n.Block && p.IsNull():
		b := configschema.Block{Attributes: n.Attributes, BlockTypes: n.BlockTypes}
		p = b.EmptyValue()
	}
	return proposedObject(n, p, c)
}

// correlated is semantics.md#set-elements: for each element of c the one of p
// it is merged with.
func correlated(n parts.Nest, p, c cty.Value) []cty.Value {
	prior := parts.ElementsOf(p)
	var from []cty.Value
	for _, ce := range parts.ElementsOf(c) {
		i := slices.IndexFunc(prior, func(pe parts.Entry) bool { return cameFrom(n, pe.Value, ce.Value) })
		if i < 0 {
			from = append(from, generate.NoValue)
			continue
		}
		from = append(from, prior[i].Value)
		prior = slices.Delete(prior, i, i+1)
	}
	return from
}

// cameFrom asks whether p, one object of the nest, could have come from c, which
// is cty.NilVal where there is no value.
func cameFrom(n parts.Nest, p, c cty.Value) bool {
	if c == cty.NilVal || equalValues(p, c) {
		return c != cty.NilVal
	}
	for _, name := range sorted(n.Attributes) {
		if p.IsKnown() && !p.IsNull() && !attributeCameFrom(n.Attributes[name], p.GetAttr(name), inside(c, name)) {
			return false
		}
	}
	for _, name := range sorted(n.BlockTypes) {
		if p.IsKnown() && !p.IsNull() && !allCameFrom(parts.BlocksOf(n.BlockTypes[name]), p.GetAttr(name), inside(c, name)) {
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

func attributeCameFrom(a *configschema.Attribute, p, c cty.Value) bool {
	switch {
	case c == cty.NilVal || equalValues(p, c):
		return c != cty.NilVal
	case c.Type().IsSetType():
		return false
	case a.NestedType != nil:
		return allCameFrom(parts.NestOf(a), p, c)
	}
	return a.Computed && c.IsNull()
}

// allCameFrom asks the same of all objects of a block type or nested attribute.
func allCameFrom(n parts.Nest, p, c cty.Value) bool {
	switch {
	case c == cty.NilVal || equalValues(p, c):
		return c != cty.NilVal
	case c.Type().IsSetType():
		return false
	case n.Single():
		return cameFrom(n, p, c)
	}
	for _, e := range parts.ElementsOf(p) {
		there, ok := elementAt(c, e.Step)
		if !c.IsNull() && !c.IsKnown() {
			there = cty.UnknownVal(e.Value.Type())
		} else if !ok {
			there = cty.NilVal
		}
		if !cameFrom(n, e.Value, there) {
			return false
		}
	}
	return true
}
