package objchange

import (
	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// fields is what a block and a nested attribute have in common: attributes,
// and for a block also nested blocks.
type fields struct {
	attrs  map[string]*Attribute
	blocks map[string]*NestedBlock
}

// A nest is a nested block type or a nested attribute: fields, and how many
// objects of them there are.
type nest struct {
	fields
	mode  NestingMode
	block bool // a block type, not an attribute
}

func (b *Block) fields() fields { return fields{b.Attributes, b.BlockTypes} }

func (o *Object) nest() nest { return nest{fields{attrs: o.Attributes}, o.Nesting, false} }

func (nb *NestedBlock) nest() nest { return nest{nb.fields(), nb.Nesting, true} }

// ImpliedType returns the type that values of the block have
// (docs/semantics.md#implied-types): an object type with an attribute for each
// attribute and each block type. The implied type of an invalid schema is
// cty.DynamicPseudoType.
//
// It makes a new type with each call, at a cost proportional to the schema.
func (b *Block) ImpliedType() cty.Type {
	if !usable(b) {
		return cty.DynamicPseudoType
	}
	return b.fields().impliedType()
}

// ImpliedType returns the type of the attribute's values: its Type, or what
// its NestedType implies. For an attribute that is invalid it is
// cty.DynamicPseudoType.
func (a *Attribute) ImpliedType() cty.Type {
	if !usableAttribute(a) {
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
	if !usableBlockType(nb) {
		return cty.DynamicPseudoType
	}
	return nb.nest().impliedType()
}

func (a *Attribute) impliedType() cty.Type {
	if a.NestedType != nil {
		return a.NestedType.nest().impliedType()
	}
	return values.WithoutOptional(a.Type)
}

func (f fields) impliedType() cty.Type {
	types := make(map[string]cty.Type, len(f.attrs)+len(f.blocks))
	for name, a := range f.attrs {
		types[name] = a.impliedType()
	}
	for name, nb := range f.blocks {
		types[name] = nb.nest().impliedType()
	}
	return cty.Object(types)
}

// EmptyValue returns the value of a block that sets nothing: every attribute
// null, every nested block its own empty value (docs/semantics.md#empty-values).
// The empty value of an invalid schema is a null of the dynamic type.
func (b *Block) EmptyValue() cty.Value {
	if !usable(b) {
		return absent
	}
	return b.fields().emptyValue()
}

// EmptyValue returns the null of the attribute's type, or for group nesting the
// object whose attributes are empty. For an invalid attribute it is a null of the
// dynamic type.
func (a *Attribute) EmptyValue() cty.Value {
	if !usableAttribute(a) {
		return absent
	}
	return a.emptyValue()
}

// EmptyValue returns the value of a block type without blocks: null for single
// nesting, the empty value of its block for group, an empty collection for
// list, set and map (an empty tuple or empty object where the type is dynamic).
// For an invalid schema it is a null of the dynamic type.
func (nb *NestedBlock) EmptyValue() cty.Value {
	if !usableBlockType(nb) {
		return absent
	}
	return nb.nest().emptyValue()
}

func (f fields) emptyValue() cty.Value {
	return f.objectOf((*Attribute).emptyValue, nest.emptyValue)
}

func (a *Attribute) emptyValue() cty.Value {
	if a.group() {
		return a.NestedType.nest().emptyValue()
	}
	return cty.NullVal(a.impliedType())
}

// objectOf makes an object of a value for each attribute and each block type.
func (f fields) objectOf(attr func(*Attribute) cty.Value, blocks func(nest) cty.Value) cty.Value {
	parts := make(map[string]cty.Value, len(f.attrs)+len(f.blocks))
	for name, a := range f.attrs {
		parts[name] = attr(a)
	}
	for name, nb := range f.blocks {
		parts[name] = blocks(nb.nest())
	}
	return cty.ObjectVal(parts)
}

// AttributeByPath returns the attribute that the path leads to, or nil if it leads
// to anything else: a block, a part of an attribute's value, one element of a
// nested attribute, nothing. Index steps on the way are passed over, whatever
// they hold; the key of a dynamically typed map of blocks is an attribute step.
func (b *Block) AttributeByPath(path cty.Path) *Attribute {
	if b == nil {
		return nil
	}
	return place{nest: root(b.fields())}.attribute(path)
}

// AttributeByPath returns the attribute that a path from one of the objects leads
// to, as that of Block does.
func (o *Object) AttributeByPath(path cty.Path) *Attribute {
	if o == nil {
		return nil
	}
	return place{nest: o.nest()}.attribute(path)
}

// A place is where a path leads in a schema.
type place struct {
	nest             // where the names of the next step are
	attr  *Attribute // what is there, if it is an attribute
	keyed bool       // the next step may be a key, though it is an attribute step
}

func (p place) attribute(path cty.Path) *Attribute {
	steps := paths.Steps(path)
	for i, s := range steps {
		p.into(s, i+1 == len(steps))
	}
	return p.attr
}

// into follows a step.
func (p *place) into(s paths.Step, last bool) {
	keyed := p.keyed
	p.attr, p.keyed = nil, false
	if s.Kind != paths.ByName {
		return
	}
	a, nb := p.attrs[s.Name], p.blocks[s.Name]
	switch {
	case keyed && (!last || a == nil && nb == nil):
	case a != nil && a.NestedType != nil:
		p.attr, p.nest = a, a.NestedType.nest()
	case a != nil:
		p.attr, p.nest = a, nest{}
	case nb != nil:
		p.nest = nb.nest()
		p.keyed = p.mode.Keyed() && usableBlockType(nb) && p.hasDynamic()
	default:
		p.nest = nest{}
	}
}
