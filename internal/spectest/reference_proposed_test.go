package spectest

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/spectest/generate"
	"github.com/objchange/objchange/internal/spectest/parts"
	. "github.com/objchange/objchange/internal/testcty"
)

// Sections 3 and 4 of docs/specification.md, for ProposedNew. The prior value is named p, and the
// configured value is named c.

// proposal returns the expected result of ProposedNew.
func proposal(schema *configschema.Block, p, c cty.Value) cty.Value {
	switch {
	case c.IsNull():
		cite("P-3.1")
		return c
	case !c.IsKnown():
		cite("P-3.2")
		return c
	case p.IsNull():
		cite("P-3.3")
		p = schema.EmptyValue()
	default:
		cite("P-3.4")
	}
	return proposedObject(parts.RootOf(schema), p, c)
}

func proposedObject(n parts.Nested, p, c cty.Value) cty.Value {
	made := Obj{}
	for name, a := range n.Attributes {
		made[name] = proposedAttribute(a, attributeOf(p, name), attributeOf(c, name))
	}
	for name, nb := range n.BlockTypes {
		made[name] = proposedNested(parts.BlocksOf(nb), attributeOf(p, name), attributeOf(c, name))
	}
	return Object(made)
}

func proposedAttribute(a *configschema.Attribute, p, c cty.Value) cty.Value {
	switch {
	case a.Computed && c.IsNull() && a.Optional && a.NestedType != nil && wasConfigured(parts.NestedOf(a), p):
		cite("P-3.7")
		return c
	case a.Computed && c.IsNull() && p.RawEquals(generate.NoValue):
		return cty.NullVal(a.ImpliedType())
	case a.Computed && c.IsNull():
		citeIf(!p.IsNull(), "P-3.8")
		return p
	case a.NestedType == nil:
		cite("P-3.10")
		return c
	}
	cite("P-3.9")
	return proposedNested(parts.NestedOf(a), p, c)
}

// wasConfigured reports whether p contains a value that only a user can have set.
func wasConfigured(n parts.Nested, p cty.Value) bool {
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
			if !part.IsNull() && !a.Computed || a.NestedType != nil && wasConfigured(parts.NestedOf(a), part) {
				return true
			}
		}
	}
	return false
}

func proposedNested(n parts.Nested, p, c cty.Value) cty.Value {
	switch {
	case c.IsNull() || !c.IsKnown():
		citeNested(n, "P-3.11", "P-3.19")
		return c
	case n.Single():
		citeNested(n, "P-3.12", "P-3.20")
		return proposedElement(n, p, c)
	}
	citeIf(!n.Block && c.LengthInt() == 0, "P-3.11")
	citeIf(n.Block, "P-3.20")
	citeIf(c.Type().IsTupleType() || c.Type().IsObjectType(), "P-3.24")
	b := parts.Builder{Type: c.Type()}
	from := correlated(n, p, c)
	for i, e := range parts.ElementsOf(c) {
		pe, ok := elementAt(p, e.Step)
		keyed := n.Mode == configschema.NestingMap
		switch {
		case n.Mode == configschema.NestingSet:
			citeIf(!n.Block, "P-3.16")
			citeIf(!p.IsKnown(), "P-5.3")
			pe = from[i]
		case !p.IsKnown() && keyed:
			cite("P-3.17")
			citeIf(e.Value.Type().HasDynamicTypes() || n.ObjectType().HasDynamicTypes(), "P-3.28")
			pe = cty.UnknownVal(e.Value.Type())
		case !p.IsKnown() && p.Type().IsListType():
			cite("P-3.17")
			pe = cty.UnknownVal(p.Type().ElementType())
		case !p.IsKnown() && p.Type().IsTupleType():
			pe = p.Index(e.Step.(cty.IndexStep).Key)
		case !p.IsKnown():
			cite("P-3.17")
			pe = cty.UnknownVal(n.ObjectType())
		case !ok && keyed:
			citeIf(!n.Block, "P-3.15")
			citeIf(!n.Block && n.ObjectType().HasDynamicTypes(), "P-3.27")
			pe = cty.NullVal(e.Value.Type())
		case !ok:
			cite("P-3.14")
			b.Add(e.Key, e.Value)
			continue
		case keyed:
			citeIf(!n.Block, "P-3.15")
		default:
			citeIf(!n.Block, "P-3.13")
			citeIf(n.ObjectType().HasDynamicTypes() && (!pe.IsKnown() || pe.IsNull()), "P-3.30")
		}
		b.Add(e.Key, proposedElement(n, pe, e.Value))
	}
	return b.Value()
}

func proposedElement(n parts.Nested, p, c cty.Value) cty.Value {
	switch {
	case c.IsNull() || n.Block && !c.IsKnown():
		citeNested(n, "P-3.18", "P-3.22")
		return c
	case n.Block && p.IsNull():
		cite("P-3.21")
		citeIf(n.ObjectType().HasDynamicTypes(), "P-3.29")
		b := configschema.Block{Attributes: n.Attributes, BlockTypes: n.BlockTypes}
		p = b.EmptyValue()
	case !n.Block && (!c.IsKnown() || p.IsNull()):
		cite("P-3.18")
	}
	return proposedObject(n, p, c)
}

// correlated returns the element of p that corresponds to each element of c (P-4.1).
func correlated(n parts.Nested, p, c cty.Value) []cty.Value {
	prior := parts.ElementsOf(p)
	if n.Mode == configschema.NestingSet {
		citeOrder(prior)
		citeOrder(parts.ElementsOf(c))
	}
	var from []cty.Value
	for _, ce := range parts.ElementsOf(c) {
		i := slices.IndexFunc(prior, func(pe parts.Entry) bool { return cameFrom(n, pe.Value, ce.Value) })
		if i < 0 {
			from = append(from, generate.NoValue)
			continue
		}
		citeIf(n.Mode == configschema.NestingSet, "P-4.1")
		citeIf(n.Mode == configschema.NestingSet && i < len(prior)-1 && !equalValues(prior[i].Value, ce.Value), "P-4.2")
		from = append(from, prior[i].Value)
		prior = slices.Delete(prior, i, i+1)
	}
	return from
}

// cameFrom reports whether the object p of the nested value could have come from c. If the value is
// absent, c is cty.NilVal.
func cameFrom(n parts.Nested, p, c cty.Value) bool {
	if c == cty.NilVal || equalValues(p, c) {
		citeAbsentOrEqual(c)
		return c != cty.NilVal
	}
	cite("P-4.6")
	citeIf(!p.IsKnown() || p.IsNull(), "P-4.8")
	for _, name := range sorted(n.Attributes) {
		if p.IsKnown() && !p.IsNull() && !attributeCameFrom(n.Attributes[name], p.GetAttr(name), attributeOrAbsent(c, name)) {
			return false
		}
	}
	for _, name := range sorted(n.BlockTypes) {
		if p.IsKnown() && !p.IsNull() && !allCameFrom(parts.BlocksOf(n.BlockTypes[name]), p.GetAttr(name), attributeOrAbsent(c, name)) {
			return false
		}
	}
	return true
}

// attributeOrAbsent returns the value of c at an attribute, or cty.NilVal if c is null.
func attributeOrAbsent(c cty.Value, name string) cty.Value {
	if c.IsNull() {
		return cty.NilVal
	}
	return c.GetAttr(name)
}

func attributeCameFrom(a *configschema.Attribute, p, c cty.Value) bool {
	switch {
	case c == cty.NilVal || equalValues(p, c):
		citeAbsentOrEqual(c)
		return c != cty.NilVal
	case c.Type().IsSetType():
		cite("P-4.5")
		return false
	case a.NestedType != nil:
		return allCameFrom(parts.NestedOf(a), p, c)
	}
	cite("P-4.7")
	return a.Computed && c.IsNull()
}

// allCameFrom is like cameFrom, but for all objects of a block type or nested attribute.
func allCameFrom(n parts.Nested, p, c cty.Value) bool {
	switch {
	case c == cty.NilVal || equalValues(p, c):
		citeAbsentOrEqual(c)
		return c != cty.NilVal
	case c.Type().IsSetType():
		cite("P-4.5")
		return false
	case n.Single():
		return cameFrom(n, p, c)
	}
	citeIf(len(parts.ElementsOf(p)) == 0, "P-4.8")
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
