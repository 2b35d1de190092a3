// Package parts decomposes schemas and values and rebuilds them. Tests use it to generate, change
// and shrink random cases.
package parts

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/values"
)

// Fields contains the parts that blocks and nested attributes share.
type Fields struct {
	Attributes map[string]*configschema.Attribute
	BlockTypes map[string]*configschema.NestedBlock
}

// RootOf returns the schema of a whole resource as a Nested.
func RootOf(b *configschema.Block) Nested {
	return Nested{Fields: Fields{b.Attributes, b.BlockTypes}, Mode: configschema.NestingSingle, Block: true}
}

// A Nested is a block type or a nested attribute.
type Nested struct {
	Fields
	Mode  configschema.NestingMode
	Block bool
	Type  cty.Type // type of the whole value, with all its objects
}

// NestedOf returns the Nested for a nested attribute.
func NestedOf(a *configschema.Attribute) Nested {
	return Nested{Fields{Attributes: a.NestedType.Attributes}, a.NestedType.Nesting, false, a.ImpliedType()}
}

// BlocksOf returns the Nested for a block type.
func BlocksOf(nb *configschema.NestedBlock) Nested {
	return Nested{Fields{nb.Attributes, nb.BlockTypes}, nb.Nesting, true, nb.ImpliedType()}
}

// Single reports whether the value is a single object, not a collection of objects.
func (n Nested) Single() bool {
	return n.Mode == configschema.NestingSingle || n.Mode == configschema.NestingGroup
}

// ObjectType returns the type of one object.
func (n Nested) ObjectType() cty.Type {
	b := configschema.Block{Attributes: n.Attributes, BlockTypes: n.BlockTypes}
	return b.ImpliedType()
}

// A Builder builds a value of the type from elements. If the type is dynamic, the value is a tuple.
type Builder struct {
	Type  cty.Type
	keys  []string
	elems []cty.Value
}

// Add adds an element. Only maps and objects use the key.
func (b *Builder) Add(key string, elem cty.Value) {
	b.keys, b.elems = append(b.keys, key), append(b.elems, elem)
}

// Empty reports whether the builder has no elements.
func (b *Builder) Empty() bool { return len(b.elems) == 0 }

// Value returns the value with all elements.
func (b *Builder) Value() cty.Value {
	if b.Type.IsObjectType() || b.Type.IsMapType() {
		named := map[string]cty.Value{}
		for i, key := range b.keys {
			named[key] = b.elems[i]
		}
		v, _ := values.OfNames(b.Type, named, false)
		return v
	}
	if b.Type == cty.DynamicPseudoType {
		return cty.TupleVal(b.elems)
	}
	v, _ := values.OfElements(b.Type, b.elems, false)
	return v
}

// An Entry is an element of a value, or an attribute of an object.
type Entry struct {
	Key   string
	Step  cty.PathStep
	Value cty.Value
}

// ElementsOf returns the elements of a value. It ignores the marks of the value itself. It returns
// nil for a value that is null or unknown or cannot have elements.
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

// MapElements returns the value with each element replaced.
func MapElements(v cty.Value, replace func(cty.Value) cty.Value) cty.Value {
	b := Builder{Type: v.Type()}
	for _, e := range ElementsOf(v) {
		b.Add(e.Key, replace(e.Value))
	}
	return b.Value()
}

// ChangeAt returns v with the value at the path replaced by the result of change.
func ChangeAt(v cty.Value, path cty.Path, change func(cty.Value) cty.Value) cty.Value {
	if len(path) == 0 {
		return change(v)
	}
	b := Builder{Type: v.Type()}
	for _, e := range ElementsOf(v) {
		if SameStep(e.Step, path[0]) {
			e.Value = ChangeAt(e.Value, path[1:], change)
		}
		b.Add(e.Key, e.Value)
	}
	return b.Value()
}

// A Part is a value inside another value.
type Part struct {
	Path  cty.Path
	Value cty.Value
}

// All returns all parts of a value, at any depth.
func All(v cty.Value) (all []Part) {
	for _, e := range ElementsOf(v) {
		all = append(all, Part{cty.Path{e.Step}, e.Value})
		for _, inner := range All(e.Value) {
			all = append(all, Part{append(cty.Path{e.Step}, inner.Path...), inner.Value})
		}
	}
	return all
}

// SameStep reports whether two steps are equal.
func SameStep(a, b cty.PathStep) bool {
	if i, ok := a.(cty.IndexStep); ok {
		j, ok := b.(cty.IndexStep)
		return ok && i.Key.RawEquals(j.Key)
	}
	return a == b
}
