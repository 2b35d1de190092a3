package configschema

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/values"
)

// ImpliedType returns the type of the block's values (docs/specification.md#21-implied-type): an
// object type with an attribute for each attribute and each block type. It returns
// cty.DynamicPseudoType if the schema is not usable (see [Block.Usable]).
//
// Each call makes a new type, at a cost proportional to the schema.
func (b *Block) ImpliedType() cty.Type {
	if b.Usable() != nil {
		return cty.DynamicPseudoType
	}
	return b.impliedType()
}

// ImpliedType returns the type of the attribute's values: its Type, or the type implied by its
// NestedType. It returns cty.DynamicPseudoType if the attribute is not usable.
func (a *Attribute) ImpliedType() cty.Type {
	if !a.usable() {
		return cty.DynamicPseudoType
	}
	return a.impliedType()
}

// ImpliedType returns the type of all blocks of this block type together. For single and group
// nesting it is an object type. For list, set and map nesting it is a collection of objects.
//
// For list and map nesting it is cty.DynamicPseudoType if the content of the blocks has a
// dynamic type. The values are then tuples, or for map nesting objects with one attribute for
// each key. ImpliedType also returns cty.DynamicPseudoType if the block type is not usable.
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
	return a.Type.WithoutOptionalAttributesDeep()
}

func (nb *NestedBlock) impliedType() cty.Type {
	object := nb.Block.impliedType()
	if (nb.Nesting == NestingList || nb.Nesting == NestingMap) && object.HasDynamicTypes() {
		return cty.DynamicPseudoType
	}
	return nb.Nesting.collection(object)
}

// collection returns the type of a value that has objects of the given type in this mode.
func (m NestingMode) collection(object cty.Type) cty.Type {
	switch m {
	case NestingList:
		return cty.List(object)
	case NestingSet:
		return cty.Set(object)
	case NestingMap:
		return cty.Map(object)
	}
	return object
}

// EmptyValue returns the value of a block in which nothing is set: null for each attribute, and the
// empty value of each block type (docs/specification.md#22-empty-value). It returns a null of the
// dynamic type if the schema is not usable (see [Block.Usable]).
func (b *Block) EmptyValue() cty.Value {
	if b.Usable() != nil {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	return b.emptyValue()
}

// EmptyValue returns a null of the attribute's type. For group nesting it returns an object
// with the empty values of the nested attributes. It returns a null of the dynamic type if the
// attribute is not usable.
func (a *Attribute) EmptyValue() cty.Value {
	if !a.usable() {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	return a.emptyValue()
}

// EmptyValue returns the value of a block type without blocks: null for single nesting, the
// empty value of the block for group nesting, and an empty collection for list, set and map
// nesting. The collection is an empty tuple or an empty object if the implied type is dynamic.
// It returns a null of the dynamic type if the block type is not usable.
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
	case ty.IsCollectionType():
		return values.Empty(ty)
	case nb.Nesting == NestingMap:
		return cty.EmptyObjectVal
	}
	return cty.EmptyTupleVal
}
