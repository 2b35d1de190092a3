package objchange

import (
	"maps"
	"slices"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// This file knows what the nesting modes mean. Elsewhere three questions are asked
// of them, Single, Coalesces and Keyed, and where nothing is there, nullable and
// group. The value of a nested block type or nested attribute is opened into its
// members, which pair with those of another value by index, by key, or as
// themselves (single and group nesting). Set elements pair by content, each check
// in its own way.

// isNullable reports whether blocks that are not there are null: single nesting. Of
// the other modes, nothing is something empty.
func isNullable(m configschema.NestingMode) bool { return m == configschema.NestingSingle }

// isGroupMode reports whether an object that is not there is one that is empty.
func isGroupMode(m configschema.NestingMode) bool { return m.Single() && !isNullable(m) }

// root is a resource, or whatever else has the fields and is one object.
func root(f fields) nest { return nest{f, configschema.NestingSingle, true} }

// element is one object of the nest.
func (n nest) element() nest { return nest{n.fields, configschema.NestingSingle, n.block} }

// kind names the collection that holds the objects.
func (n nest) kind() string {
	if n.mode.Single() {
		return "object"
	}
	return n.mode.String()
}

// impliedType returns the type of all objects together.
func (n nest) impliedType() cty.Type {
	switch object := n.fields.impliedType(); {
	case n.mode.Single():
		return object
	case n.mode == configschema.NestingSet:
		return cty.Set(object)
	case n.block && object.HasDynamicTypes():
		return cty.DynamicPseudoType
	case n.mode.Keyed():
		return cty.Map(object)
	default:
		return cty.List(object)
	}
}

// conformAll reports whether values of the type have the shape of all objects
// together, without making the implied type. The inside of a dynamically typed
// list or map of blocks is left to conformDynamic.
func (k *knowledge) conformAll(n nest, ty cty.Type) bool {
	switch {
	case n.mode.Single():
		return k.conform(n.fields, ty)
	case n.mode == configschema.NestingSet:
		return ty.IsSetType() && k.conform(n.fields, ty.ElementType())
	case n.block && k.holds(n.fields).dynamic:
		return values.TypeUsable(ty)
	case n.mode.Keyed():
		return ty.IsMapType() && k.conform(n.fields, ty.ElementType())
	}
	return ty.IsListType() && k.conform(n.fields, ty.ElementType())
}

// conformDynamic reports whether the type of a known value is one that a
// dynamically typed list or map of blocks can have: a tuple, or an object with
// an attribute per key, of conforming objects.
func (k *knowledge) conformDynamic(n nest, ty cty.Type) bool {
	var elements []cty.Type
	switch {
	case n.mode.Keyed() && ty.IsObjectType():
		elements = slices.Collect(maps.Values(ty.AttributeTypes()))
	case !n.mode.Keyed() && ty.IsTupleType():
		elements = ty.TupleElementTypes()
	default:
		return false
	}
	return !slices.ContainsFunc(elements, func(element cty.Type) bool {
		return element != cty.DynamicPseudoType && !k.conform(n.fields, element)
	})
}

// emptyValue returns the value where there are no objects.
func (n nest) emptyValue() cty.Value {
	switch ty := n.impliedType(); {
	case isNullable(n.mode):
		return cty.NullVal(ty)
	case n.mode.Single():
		return n.fields.emptyValue()
	case ty.IsSetType():
		return cty.SetValEmpty(ty.ElementType())
	case ty.IsListType():
		return cty.ListValEmpty(ty.ElementType())
	case ty.IsMapType():
		return cty.MapValEmpty(ty.ElementType())
	case n.mode.Keyed():
		return cty.EmptyObjectVal
	default:
		return cty.EmptyTupleVal
	}
}

// shouldBeEmpty reports whether blocks are null where nothing is something empty.
func (n nest) shouldBeEmpty(v cty.Value) bool { return v.IsNull() && !isNullable(n.mode) }

// stub returns one block of unknown values, or no block for a map.
func (n nest) stub() cty.Value {
	if n.mode.Keyed() {
		return n.emptyValue()
	}
	switch object := n.fields.stub(); {
	case n.mode.Single():
		return object
	case n.mode == configschema.NestingSet:
		return cty.SetVal([]cty.Value{object})
	case n.hasDynamic():
		return cty.TupleVal([]cty.Value{object})
	default:
		return cty.ListVal([]cty.Value{object})
	}
}

// members are the objects held by the value of a nest.
type members struct {
	value cty.Value // known, not null, without marks
	kind  paths.Kind
	self  bool        // single or group: the value is its one member, and no step leads to it
	n     int         // how many
	keys  []cty.Value // byKey and byAttr, once loaded: in order of bytes
	elems []cty.Value // byKey, byAttr and byElem, once loaded
}

// open returns the members of a value, which must be known, not null and
// without marks. Keys and set elements are loaded when asked for.
func (n nest) open(v cty.Value) members {
	ty := v.Type()
	switch {
	case n.mode.Single():
		return members{value: v, self: true, n: 1}
	case ty.IsMapType():
		return members{value: v, kind: paths.ByKey, n: v.LengthInt()}
	case ty.IsObjectType():
		return members{value: v, kind: paths.ByAttr, n: v.LengthInt()}
	case ty.IsSetType():
		return members{value: v, kind: paths.ByElem, n: v.LengthInt()}
	}
	return members{value: v, kind: paths.ByIndex, n: v.LengthInt()}
}

// openIf is open for a value that may be null or unknown: a collection then has no
// members, and what is one object is its own member as ever.
func (n nest) openIf(v cty.Value) members {
	if !n.mode.Single() && (v.IsNull() || !v.IsKnown()) {
		return members{value: v}
	}
	return n.open(v)
}

// load fetches keys and set elements. cty sorts a set each time it is asked,
// at some thirty times the cost of all else, so a set is only loaded once.
func (m *members) load() {
	switch {
	case m.self || m.kind == paths.ByIndex || m.elems != nil || m.n == 0:
	case m.kind == paths.ByElem:
		m.elems = m.value.AsValueSlice()
	default:
		m.keys, m.elems = make([]cty.Value, 0, m.n), make([]cty.Value, 0, m.n)
		for it := m.value.ElementIterator(); it.Next(); {
			key, elem := it.Element()
			m.keys, m.elems = append(m.keys, key), append(m.elems, elem)
		}
	}
}

// elem returns a member. Unless they are indexed, members must be loaded.
func (m *members) elem(i int) cty.Value {
	switch {
	case m.self:
		return m.value
	case m.kind == paths.ByIndex:
		return m.value.Index(values.IndexKey(i))
	}
	return m.elems[i]
}

// step returns the way from the value to the member.
func (m *members) step(i int) paths.Step {
	switch m.kind {
	case paths.ByIndex:
		return paths.Step{Kind: paths.ByIndex, Pos: i}
	case paths.ByElem:
		return paths.Step{Kind: paths.ByElem, Pos: i, Elem: m.elems[i]}
	}
	return paths.Step{Kind: m.kind, Name: m.keys[i].AsString()}
}

// like returns the member that is at the same index or key as another value's.
func (m *members) like(o *members, i int) (cty.Value, bool) {
	switch {
	case m.self:
		return m.value, true
	case m.kind == paths.ByIndex:
		if i < m.n {
			return m.elem(i), true
		}
	case m.kind == paths.ByKey:
		if m.value.HasIndex(o.keys[i]) == cty.True {
			return m.value.Index(o.keys[i]), true
		}
	case m.kind == paths.ByAttr:
		if name := o.keys[i].AsString(); m.value.Type().HasAttribute(name) {
			return m.value.GetAttr(name), true
		}
	}
	return absent, false
}

// each visits the members, each at its place.
func (w *walk) each(ms *members, visit func(i int)) {
	if ms.self {
		visit(0)
		return
	}
	ms.load()
	for i := range ms.n {
		w.enter(ms.step(i), false)
		visit(i)
		w.leave()
	}
}

// rebuild returns a collection of the same kind with other members in the same
// places, at least one. Without ok the members cannot be in one collection:
// merging gave a dynamically typed attribute a type of its own in each.
func (k *knowledge) rebuild(n nest, m *members, elems []cty.Value) (v cty.Value, ok bool) {
	switch {
	case m.kind == paths.ByKey || m.kind == paths.ByAttr:
		named := make(map[string]cty.Value, len(elems))
		for i, elem := range elems {
			named[m.keys[i].AsString()] = elem
		}
		if m.kind == paths.ByAttr {
			return cty.ObjectVal(named), true
		}
		if k.holds(n.fields).dynamic && !cty.CanMapVal(named) {
			return cty.NilVal, false
		}
		return cty.MapVal(named), true
	case m.kind == paths.ByElem:
		return cty.SetVal(elems), true
	case m.value.Type().IsTupleType():
		return cty.TupleVal(elems), true
	case k.holds(n.fields).dynamic && !cty.CanListVal(elems):
		return cty.NilVal, false
	}
	return cty.ListVal(elems), true
}
