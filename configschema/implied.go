package configschema

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/values"
)

// ImpliedType returns the type that values of the block have
// (docs/semantics.md#implied-types): an object type with an attribute for each
// attribute and each block type. The implied type of an invalid schema is
// cty.DynamicPseudoType.
//
// It makes a new type with each call, at a cost proportional to the schema.
func (b *Block) ImpliedType() cty.Type {
	if b.Usable() != nil {
		return cty.DynamicPseudoType
	}
	return b.impliedType()
}

// ImpliedType returns the type of the attribute's values: its Type, or what
// its NestedType implies. For an attribute that is invalid it is
// cty.DynamicPseudoType.
func (a *Attribute) ImpliedType() cty.Type {
	if !a.usable() {
		return cty.DynamicPseudoType
	}
	return a.impliedType()
}

// ImpliedType returns the object type, or the collection of it, that values of
// the nested attribute have. For an invalid Object it is cty.DynamicPseudoType.
func (o *Object) ImpliedType() cty.Type {
	if o == nil {
		return cty.DynamicPseudoType
	}
	return (&Attribute{NestedType: o}).ImpliedType()
}

// ImpliedType returns the type of all blocks of this type together: an object
// type for single and group nesting, else a collection of it. A list or map of
// blocks with anything dynamic inside is itself of the dynamic type; its values
// are tuples, or objects with one attribute per key. For an invalid schema it
// is cty.DynamicPseudoType.
func (nb *NestedBlock) ImpliedType() cty.Type {
	if !nb.usable() {
		return cty.DynamicPseudoType
	}
	return nb.impliedType()
}

func (b *Block) impliedType() cty.Type {
	types := make(map[string]cty.Type, len(b.Attributes)+len(b.BlockTypes))
	for name, a := range b.Attributes {
		types[name] = a.impliedType()
	}
	for name, nb := range b.BlockTypes {
		types[name] = nb.impliedType()
	}
	return cty.Object(types)
}

func (a *Attribute) impliedType() cty.Type {
	if a.NestedType != nil {
		return a.NestedType.Nesting.collection(a.NestedType.Block().impliedType())
	}
	return values.WithoutOptional(a.Type)
}

func (nb *NestedBlock) impliedType() cty.Type {
	object := nb.Block.impliedType()
	if !nb.Nesting.Single() && !nb.Nesting.Coalesces() && object.HasDynamicTypes() {
		return cty.DynamicPseudoType
	}
	return nb.Nesting.collection(object)
}

// collection returns the type of all objects of the type together.
func (m NestingMode) collection(object cty.Type) cty.Type {
	switch {
	case m.Single():
		return object
	case m.Coalesces():
		return cty.Set(object)
	case m.Keyed():
		return cty.Map(object)
	}
	return cty.List(object)
}

// EmptyValue returns the value of a block that sets nothing: every attribute
// null, every nested block its own empty value (docs/semantics.md#empty-values).
// The empty value of an invalid schema is a null of the dynamic type.
func (b *Block) EmptyValue() cty.Value {
	if b.Usable() != nil {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	return b.emptyValue()
}

// EmptyValue returns the null of the attribute's type, or for group nesting the
// object whose attributes are empty. For an invalid attribute it is a null of the
// dynamic type.
func (a *Attribute) EmptyValue() cty.Value {
	if !a.usable() {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	return a.emptyValue()
}

// EmptyValue returns the value of a block type without blocks: null for single
// nesting, the empty value of its block for group, an empty collection for
// list, set and map (an empty tuple or empty object where the type is dynamic).
// For an invalid schema it is a null of the dynamic type.
func (nb *NestedBlock) EmptyValue() cty.Value {
	if !nb.usable() {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	return nb.emptyValue()
}

func (b *Block) emptyValue() cty.Value {
	parts := make(map[string]cty.Value, len(b.Attributes)+len(b.BlockTypes))
	for name, a := range b.Attributes {
		parts[name] = a.emptyValue()
	}
	for name, nb := range b.BlockTypes {
		parts[name] = nb.emptyValue()
	}
	return cty.ObjectVal(parts)
}

func (a *Attribute) emptyValue() cty.Value {
	if a.NestedType != nil && a.NestedType.Nesting == NestingGroup {
		return a.NestedType.Block().emptyValue()
	}
	return cty.NullVal(a.impliedType())
}

func (nb *NestedBlock) emptyValue() cty.Value {
	switch ty := nb.impliedType(); {
	case nb.Nesting == NestingSingle:
		return cty.NullVal(ty)
	case nb.Nesting == NestingGroup:
		return nb.Block.emptyValue()
	case ty.IsSetType():
		return cty.SetValEmpty(ty.ElementType())
	case ty.IsListType():
		return cty.ListValEmpty(ty.ElementType())
	case ty.IsMapType():
		return cty.MapValEmpty(ty.ElementType())
	case nb.Nesting.Keyed():
		return cty.EmptyObjectVal
	}
	return cty.EmptyTupleVal
}
