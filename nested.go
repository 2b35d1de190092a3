package objchange

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
)

// This file implements the nesting modes for values. The value of a block type or a nested
// attribute has members. Members of two values correspond by index, by key, or directly for
// single and group nesting. Elements of sets correspond by content. Each check compares them with
// its own relation, so this file does not.

// absentValue stands for a value that is not present: an attribute of a null object, or an
// element without a counterpart.
var absentValue = cty.NullVal(cty.DynamicPseudoType)

// partOf returns the named attribute of an unmarked object, which may be null or unknown.
func partOf(object cty.Value, name string) cty.Value {
	if object.IsNull() {
		return absentValue
	}
	return object.GetAttr(name)
}

// members are the objects or elements of a value.
type members struct {
	value cty.Value // known, not null, unmarked
	kind  paths.Kind
	self  bool // single or group nesting: the value is its only member, without a step
	n     int
	keys  []cty.Value // for ByKey and ByAttr, after load, in byte order
	elems []cty.Value // for ByKey, ByAttr and ByElem, after load
}

// open returns the members of an unmarked value. A null or unknown collection has no members. A
// single object is its own member, even if it is null or unknown.
func (n *node) open(v cty.Value) members {
	if n.single() {
		return members{value: v, self: true, n: 1}
	}
	return open(v)
}

// open returns the members of an unmarked collection, tuple or object. Call load before using
// keys or set elements.
func open(v cty.Value) members {
	ms := members{value: v}
	switch ty := v.Type(); {
	case v.IsNull() || !v.IsKnown():
		return ms
	case ty.IsMapType():
		ms.kind = paths.ByKey
	case ty.IsObjectType():
		ms.kind = paths.ByAttr
	case ty.IsSetType():
		ms.kind = paths.ByElem
	default:
		ms.kind = paths.ByIndex
	}
	ms.n = v.LengthInt()
	return ms
}

// load reads the keys and set elements once, because cty sorts a set on each iteration, which
// costs thirty times as much as all other work.
func (ms *members) load() {
	switch {
	case ms.self || ms.kind == paths.ByIndex || ms.elems != nil || ms.n == 0:
	case ms.kind == paths.ByElem:
		ms.elems = ms.value.AsValueSlice()
	default:
		ms.keys, ms.elems = make([]cty.Value, 0, ms.n), make([]cty.Value, 0, ms.n)
		for it := ms.value.ElementIterator(); it.Next(); {
			key, elem := it.Element()
			ms.keys, ms.elems = append(ms.keys, key), append(ms.elems, elem)
		}
	}
}

// elem returns a member. Members without an index must be loaded.
func (ms *members) elem(i int) cty.Value {
	switch {
	case ms.self:
		return ms.value
	case ms.kind == paths.ByIndex:
		return ms.value.Index(values.IndexKey(i))
	}
	return ms.elems[i]
}

// step returns the step from the value to the member.
func (ms *members) step(i int) paths.Step {
	switch ms.kind {
	case paths.ByIndex:
		return paths.Step{Kind: paths.ByIndex, Pos: i}
	case paths.ByElem:
		return paths.Step{Kind: paths.ByElem, Pos: i, Elem: ms.elems[i]}
	}
	return paths.Step{Kind: ms.kind, Name: ms.keys[i].AsString()}
}

// like returns the member at the index or key that member i of o has.
func (ms *members) like(o *members, i int) (cty.Value, bool) {
	switch {
	case ms.self:
		return ms.value, true
	case ms.kind == paths.ByIndex:
		if i < ms.n {
			return ms.elem(i), true
		}
	case ms.kind == paths.ByKey:
		if ms.n > 0 && ms.value.HasIndex(o.keys[i]) == cty.True {
			return ms.value.Index(o.keys[i]), true
		}
	case ms.kind == paths.ByAttr:
		if name := o.keys[i].AsString(); ms.n > 0 && ms.value.Type().HasAttribute(name) {
			return ms.value.GetAttr(name), true
		}
	}
	return absentValue, false
}

// shared returns the number of members whose index or key exists in o as well.
func (ms *members) shared(o *members) (count int) {
	if ms.kind == paths.ByIndex || ms.self {
		return min(ms.n, o.n)
	}
	ms.load()
	for i := range ms.n {
		if _, has := o.like(ms, i); has {
			count++
		}
	}
	return count
}

// rebuild returns a collection of the same kind with other members at the same indexes or keys.
// There must be at least one member. It returns false if one collection cannot hold the
// members, because their dynamic types became different.
func (ms *members) rebuild(elems []cty.Value, dynamic bool) (v cty.Value, ok bool) {
	if ms.keys == nil {
		return values.OfElements(ms.value.Type(), elems, dynamic)
	}
	named := make(map[string]cty.Value, len(elems))
	for i, elem := range elems {
		named[ms.keys[i].AsString()] = elem
	}
	return values.OfNames(ms.value.Type(), named, dynamic)
}

// emptyAll returns the value at a node in which nothing is set
// (docs/specification.md#22-empty-value).
func (n *node) emptyAll() cty.Value {
	if n.block {
		return n.blockType.EmptyValue()
	}
	return n.attribute.EmptyValue()
}

// shouldBeEmpty reports whether the value of a block type is null although absent blocks are an
// empty collection or object.
func (n *node) shouldBeEmpty(v cty.Value) bool {
	return v.IsNull() && n.mode != configschema.NestingSingle
}

// unset reports whether the configuration does not set the attribute.
func (n *node) unset(v cty.Value) bool { return v.IsNull() || n.group() && n.nothingSet(v) }

// nothingSet reports whether nothing is set in a value: it is null, a collection without
// elements, or an object in which nothing is set.
func (n *node) nothingSet(v cty.Value) bool {
	v = values.Unmarked(v)
	switch {
	case v.IsNull():
		return true
	case !v.IsKnown() || !n.nested():
		return false
	case !n.single():
		return open(v).n == 0
	}
	for _, child := range n.children {
		if part := v.GetAttr(child.name); child.block && !child.nothingSet(part) || !child.block && !child.unset(part) {
			return false
		}
	}
	return true
}

// unknownMember returns member i of an unknown collection of the type.
func unknownMember(ty cty.Type, i int) cty.Value {
	switch {
	case ty.IsCollectionType():
		return cty.UnknownVal(ty.ElementType())
	case ty.IsTupleType() && i < ty.Length():
		return cty.UnknownVal(ty.TupleElementType(i))
	}
	return cty.DynamicVal
}

// objectOf makes an object from its parts, which are in the order of the children.
func (n *node) objectOf(parts []cty.Value) cty.Value {
	named := make(map[string]cty.Value, len(parts))
	for i, part := range parts {
		named[n.children[i].name] = part
	}
	return cty.ObjectVal(named)
}

// partsOf returns the parts of an object in the order of the children.
func (n *node) partsOf(object cty.Value) []cty.Value {
	parts := make([]cty.Value, len(n.children))
	for i, child := range n.children {
		parts[i] = object.GetAttr(child.name)
	}
	return parts
}
