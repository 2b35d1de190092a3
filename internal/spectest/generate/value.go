package generate

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/spectest/parts"
)

// The generators of values derive the values of a resource from each other. Each part of a value is
// either copied from a base value or generated.

// A Role determines the content of a value.
type Role struct {
	Config    bool // read-only attributes are null; write-only attributes may be set
	Unknowns  int  // one value in this many is unknown; 0 means no value
	Changes   int  // one value in this many differs from the base
	Arbitrary bool // includes values that Terraform and correct providers do not send, such as null blocks
}

// AsState and AsConfig are the roles of values that Terraform and correct providers send. Anything
// is the role of arbitrary values.
var (
	AsState  = Role{Changes: 8}
	AsConfig = Role{Changes: 8, Config: true, Unknowns: 12}
	Anything = Role{Changes: 6, Unknowns: 8, Arbitrary: true}
)

// NoValue is the base of values that have no base.
var NoValue = cty.NullVal(cty.DynamicPseudoType)

// Value generates a value of the schema. It copies most parts of the base.
func (d Decider) Value(schema *configschema.Block, base cty.Value, r Role) cty.Value {
	return d.object(parts.RootOf(schema).Fields, base, r, false)
}

// object generates an object. If fixed is true, dynamic attributes are strings, because all objects
// in a collection must have the same type.
func (d Decider) object(f parts.Fields, base cty.Value, r Role, fixed bool) cty.Value {
	made := map[string]cty.Value{}
	for _, name := range sorted(f.Attributes) {
		made[name] = d.attribute(f.Attributes[name], partOf(base, name), r, fixed)
	}
	for _, name := range sorted(f.BlockTypes) {
		made[name] = d.Blocks(f.BlockTypes[name], partOf(base, name), r)
	}
	return cty.ObjectVal(made)
}

// partOf returns an attribute of a value, or NoValue if the value does not have the attribute.
func partOf(v cty.Value, name string) cty.Value {
	if v.IsNull() || !v.IsKnown() || !v.Type().HasAttribute(name) {
		return NoValue
	}
	return v.GetAttr(name)
}

func (d Decider) attribute(a *configschema.Attribute, base cty.Value, r Role, fixed bool) cty.Value {
	ty := typeAt(a.ImpliedType(), fixed || a.NestedType != nil && !parts.NestedOf(a).Single())
	keep := !base.IsNull() && !d.OneIn(r.Changes)
	switch {
	case !r.Arbitrary && (r.Config && a.Computed && !a.Optional || !r.Config && a.WriteOnly):
		return d.null(ty)
	case !keep && (r.Arbitrary || !a.Required) && d.OneIn(3), r.Config && a.Computed && d.OneIn(2):
		return d.null(ty)
	case d.OneIn(r.Unknowns):
		return d.Unknown(ty)
	case a.NestedType != nil:
		return d.nested(parts.NestedOf(a), base, r, fixed)
	case keep && (base.IsWhollyKnown() || r.Unknowns > 0):
		return base
	}
	return d.Plain(a.Type, r, fixed)
}

// null generates a null value. If the type is dynamic, the value may be a null string or number.
func (d Decider) null(ty cty.Type) cty.Value {
	if ty == cty.DynamicPseudoType {
		ty = Pick(d, ty, cty.String, cty.Number)
	}
	return cty.NullVal(ty)
}

// Blocks generates the value of a block type. It copies most parts of the base.
func (d Decider) Blocks(nb *configschema.NestedBlock, base cty.Value, r Role) cty.Value {
	n := parts.BlocksOf(nb)
	switch {
	case d.OneIn(3*r.Unknowns) && (r.Arbitrary || n.Mode != configschema.NestingGroup):
		return d.Unknown(n.Type)
	case n.Mode == configschema.NestingSingle && base.IsNull() && d.OneIn(3), r.Arbitrary && d.OneIn(12):
		return cty.NullVal(n.Type)
	case r.Config && nb.Computed && d.OneIn(2):
		return nb.EmptyValue()
	}
	return d.nested(n, base, r, false)
}

// nested generates the objects of a block type or nested attribute. It uses the objects of the base
// first, and may add others.
func (d Decider) nested(n parts.Nested, base cty.Value, r Role, fixed bool) cty.Value {
	if n.Single() {
		return d.object(n.Fields, base, r, fixed)
	}
	fixed = fixed || n.Type != cty.DynamicPseudoType
	b := parts.Builder{Type: n.Type}
	if n.Type != cty.DynamicPseudoType {
		b.Type = typeAt(n.Type, true)
	} else if n.Mode == configschema.NestingMap {
		b.Type = cty.EmptyObject
	}
	for _, e := range parts.ElementsOf(base) {
		if !d.OneIn(r.Changes) {
			b.Add(e.Key, d.element(n, e.Value, r, fixed))
		}
	}
	if b.Empty() || d.OneIn(3*r.Changes) {
		for range d(4) {
			b.Add(Pick(d, "k", "l", "m"), d.element(n, NoValue, r, fixed))
		}
	}
	return b.Value()
}

func (d Decider) element(n parts.Nested, base cty.Value, r Role, fixed bool) cty.Value {
	ty := typeAt(n.ObjectType(), fixed)
	switch {
	case (r.Arbitrary || !n.Block) && d.OneIn(12):
		return cty.NullVal(ty)
	case (r.Arbitrary || !n.Block) && d.OneIn(2*r.Unknowns):
		return d.Unknown(ty)
	}
	return d.object(n.Fields, base, r, fixed)
}

// Plain generates a value of an attribute's type. The value is not null.
func (d Decider) Plain(ty cty.Type, r Role, fixed bool) cty.Value {
	switch {
	case ty == cty.DynamicPseudoType:
		ty = cty.String
		if !fixed {
			ty = Pick(d, plainTypes...)
		}
		return d.Plain(ty, r, fixed)
	case ty == cty.String:
		return cty.StringVal(Pick(d, "a", "b", "ab"))
	case ty == cty.Bool:
		return cty.BoolVal(d.OneIn(2))
	case ty == cty.Number:
		decimal, large := cty.MustParseNumberVal("0.1"), cty.MustParseNumberVal("1e30")
		return Pick(d, cty.NumberIntVal(0), cty.NumberIntVal(1), cty.NumberFloatVal(0.1), decimal, large)
	case ty.IsObjectType():
		made := map[string]cty.Value{}
		for _, name := range sorted(ty.AttributeTypes()) {
			made[name] = d.inner(ty.AttributeType(name), r, fixed)
		}
		return cty.ObjectVal(made)
	}
	b := parts.Builder{Type: ty}
	if ty.IsTupleType() {
		for _, elem := range ty.TupleElementTypes() {
			b.Add("", d.inner(elem, r, fixed))
		}
		return b.Value()
	}
	b.Type = typeAt(ty, true)
	for range d(3) {
		b.Add(Pick(d, "k", "l", "m"), d.inner(ty.ElementType(), r, true))
	}
	return b.Value()
}

// inner generates a part of an attribute's value. The part may be null.
func (d Decider) inner(ty cty.Type, r Role, fixed bool) cty.Value {
	if at := typeAt(ty, fixed); d.OneIn(8) {
		return cty.NullVal(at)
	} else if d.OneIn(2 * r.Unknowns) {
		return d.Unknown(at)
	}
	return d.Plain(ty, r, fixed)
}

// Unknown generates an unknown value with or without refinements.
func (d Decider) Unknown(ty cty.Type) cty.Value {
	v := cty.UnknownVal(ty)
	if ty == cty.DynamicPseudoType || d.OneIn(2) {
		return v
	}
	b := v.Refine()
	if d.OneIn(2) {
		b = b.NotNull()
	}
	switch {
	case d.OneIn(2):
	case ty == cty.String:
		b = b.StringPrefixFull("a")
	case ty == cty.Number:
		b = b.NumberRangeInclusive(cty.NumberIntVal(0), cty.NumberIntVal(1))
	case ty.IsCollectionType():
		b = b.CollectionLengthLowerBound(1).CollectionLengthUpperBound(3)
	}
	return b.NewValue()
}

// typeAt returns the type of a generated value. If fixed is true, strings replace dynamic types.
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
	made := map[string]cty.Type{}
	for name, part := range ty.AttributeTypes() {
		made[name] = typeAt(part, true)
	}
	return cty.Object(made)
}
