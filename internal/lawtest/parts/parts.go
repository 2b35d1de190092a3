// Package parts takes schemas and values apart, and puts them together again, for tests,
// generators of random cases and what makes cases smaller.
package parts

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
)

// Fields is what blocks and nested attributes have in common.
type Fields struct {
	Attributes map[string]*configschema.Attribute
	BlockTypes map[string]*configschema.NestedBlock
}

// RootOf returns the nest that is a whole resource.
func RootOf(b *configschema.Block) Nest {
	return Nest{Fields: Fields{b.Attributes, b.BlockTypes}, Mode: configschema.NestingSingle, Block: true}
}

// A Nest is a block type or a nested attribute.
type Nest struct {
	Fields
	Mode  configschema.NestingMode
	Block bool
	Type  cty.Type // of all objects together
}

// NestOf returns the nest of a nested attribute.
func NestOf(a *configschema.Attribute) Nest {
	return Nest{Fields{Attributes: a.NestedType.Attributes}, a.NestedType.Nesting, false, a.ImpliedType()}
}

// BlocksOf returns the nest of a block type.
func BlocksOf(nb *configschema.NestedBlock) Nest {
	return Nest{Fields{nb.Attributes, nb.BlockTypes}, nb.Nesting, true, nb.ImpliedType()}
}

// Single reports whether the value of the nest is its one object.
func (n Nest) Single() bool {
	return n.Mode == configschema.NestingSingle || n.Mode == configschema.NestingGroup
}

// ObjectType returns the type of one object.
func (n Nest) ObjectType() cty.Type {
	b := configschema.Block{Attributes: n.Attributes, BlockTypes: n.BlockTypes}
	return b.ImpliedType()
}

// A Bag gathers elements to make a value of the type, or a tuple if that
// is dynamic.
type Bag struct {
	Type  cty.Type
	keys  []string
	elems []cty.Value
}

// Add puts an element into the bag. The key matters for maps and objects alone.
func (b *Bag) Add(key string, elem cty.Value) {
	b.keys, b.elems = append(b.keys, key), append(b.elems, elem)
}

// Empty reports whether nothing is in the bag.
func (b *Bag) Empty() bool { return len(b.elems) == 0 }

// Value returns the value of all elements.
func (b *Bag) Value() cty.Value {
	named := map[string]cty.Value{}
	for i, key := range b.keys {
		named[key] = b.elems[i]
	}
	switch {
	case b.Type.IsObjectType():
		return cty.ObjectVal(named)
	case b.Type == cty.DynamicPseudoType || b.Type.IsTupleType():
		return cty.TupleVal(b.elems)
	case b.Type.IsListType() && len(b.elems) > 0:
		return cty.ListVal(b.elems)
	case b.Type.IsListType():
		return cty.ListValEmpty(b.Type.ElementType())
	case b.Type.IsSetType() && len(b.elems) > 0:
		return cty.SetVal(b.elems)
	case b.Type.IsSetType():
		return cty.SetValEmpty(b.Type.ElementType())
	case len(named) > 0:
		return cty.MapVal(named)
	}
	return cty.MapValEmpty(b.Type.ElementType())
}

// An Entry is one element of a value that has elements.
type Entry struct {
	Key   string
	Step  cty.PathStep
	Value cty.Value
}

// ElementsOf returns the elements of a value, none if it cannot have any.
func ElementsOf(v cty.Value) (entries []Entry) {
	if v, _ = v.Unmark(); v.IsNull() || !v.IsKnown() || !v.CanIterateElements() {
		return nil
	}
	for it := v.ElementIterator(); it.Next(); {
		key, elem := it.Element()
		e := Entry{Step: cty.IndexStep{Key: key}, Value: elem}
		if ty := v.Type(); ty.IsMapType() || ty.IsObjectType() {
			e.Key = key.AsString()
		}
		if v.Type().IsObjectType() {
			e.Step = cty.GetAttrStep{Name: e.Key}
		}
		entries = append(entries, e)
	}
	return entries
}

// MapElements replaces each element of a value.
func MapElements(v cty.Value, replace func(cty.Value) cty.Value) cty.Value {
	b := Bag{Type: v.Type()}
	for _, e := range ElementsOf(v) {
		b.Add(e.Key, replace(e.Value))
	}
	return b.Value()
}

// Leaves returns the paths of all known leaves of a value that are not null.
func Leaves(v cty.Value) (paths []cty.Path) {
	if v.IsKnown() && !v.IsNull() && v.Type().IsPrimitiveType() {
		return []cty.Path{nil}
	}
	for _, e := range ElementsOf(v) {
		for _, path := range Leaves(e.Value) {
			paths = append(paths, append(cty.Path{e.Step}, path...))
		}
	}
	return paths
}

// ChangeAt changes what is at a path.
func ChangeAt(v cty.Value, path cty.Path, change func(cty.Value) cty.Value) cty.Value {
	if len(path) == 0 {
		return change(v)
	}
	b := Bag{Type: v.Type()}
	for _, e := range ElementsOf(v) {
		if SameStep(e.Step, path[0]) {
			e.Value = ChangeAt(e.Value, path[1:], change)
		}
		b.Add(e.Key, e.Value)
	}
	return b.Value()
}

// A Part is a value inside another.
type Part struct {
	Path  cty.Path
	Value cty.Value
}

// All returns all of a value's parts.
func All(v cty.Value) (all []Part) {
	for _, e := range ElementsOf(v) {
		all = append(all, Part{cty.Path{e.Step}, e.Value})
		for _, inner := range All(e.Value) {
			all = append(all, Part{append(cty.Path{e.Step}, inner.Path...), inner.Value})
		}
	}
	return all
}

// SameStep reports whether two steps are the same.
func SameStep(a, b cty.PathStep) bool {
	if i, ok := a.(cty.IndexStep); ok {
		j, ok := b.(cty.IndexStep)
		return ok && i.Key.RawEquals(j.Key)
	}
	return a == b
}
