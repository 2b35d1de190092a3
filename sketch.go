package objchange

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/pairing"
	"github.com/objchange/objchange/internal/values"
)

// A relation describes the conditions under which a check accepts two set elements as a pair,
// as far as they help to find candidates: see package pairing. Each check declares its relation
// beside its rule. The first element of a pair is the configured or the earlier element.
type relation struct {
	// treat returns the treatment of the value of an attribute or block type.
	treat func(n *node, v cty.Value, first bool) treatment
	// null returns the treatment of a null object. nullAll returns the treatment of a nested
	// attribute or block type that is null as a whole.
	null, nullAll func(first bool) treatment
}

// A treatment says which value the other element must have at the same place.
type treatment uint8

const (
	equalValue   treatment = iota // an equal value
	anyValue                      // any value
	notCompared                   // not compared
	itsParts                      // compare the parts
	partsAsValue                  // compare the parts, with the value rules
)

// matcher returns the matcher for two sets of objects.
func (r relation) matcher(n *node, first, second []cty.Value) *pairing.Matcher {
	sketch := func(isFirst bool) func(*pairing.Sketch, cty.Value) {
		return func(s *pairing.Sketch, elem cty.Value) {
			sketcher{r, isFirst, s}.object(pairing.Root, n, elem)
		}
	}
	return pairing.New(first, second, sketch(true), sketch(false))
}

// valueMatcher returns the matcher for two sets under the value rules.
func valueMatcher(was, now []cty.Value) *pairing.Matcher {
	sketch := func(isFirst bool) func(*pairing.Sketch, cty.Value) {
		return func(s *pairing.Sketch, elem cty.Value) {
			sketcher{relation{}, isFirst, s}.value(pairing.Root, elem)
		}
	}
	return pairing.New(was, now, sketch(true), sketch(false))
}

// A sketcher sketches the elements of one side.
type sketcher struct {
	relation relation
	first    bool
	sketch   *pairing.Sketch
}

const (
	hashPresent uint64 = iota + 1000
	hashSize
)

// treated records a value whose parts are not compared. It returns false if the parts are
// compared.
func (s sketcher) treated(t treatment, place uint64, v cty.Value) bool {
	switch t {
	case equalValue:
		s.sketch.Add(place, values.Hash(v))
	case anyValue:
		s.sketch.Gap(place)
	case notCompared:
	default:
		return false
	}
	return true
}

func (s sketcher) object(place uint64, n *node, v cty.Value) {
	switch {
	case !v.IsKnown():
		s.sketch.Gap(place)
	case v.IsNull():
		s.treated(s.relation.null(s.first), place, v)
	default:
		i := s.sketch.Open(place, values.Nothing)
		for _, child := range n.children {
			s.child(pairing.Below(place, child.name), child, v.GetAttr(child.name))
		}
		s.sketch.Close(i)
	}
}

func (s sketcher) child(place uint64, n *node, v cty.Value) {
	switch t := s.relation.treat(n, v, s.first); {
	case s.treated(t, place, v):
	case t == partsAsValue:
		s.value(place, v)
	case n.single():
		s.object(place, n, v)
	case !v.IsKnown():
		s.sketch.Gap(place)
	case v.IsNull() && s.treated(s.relation.nullAll(s.first), place, v):
	case n.set():
		ms := n.open(v) // null blocks count as no blocks
		ms.load()
		s.elements(place, ms.elems, func(place uint64, elem cty.Value) { s.object(place, n, elem) })
	default:
		s.collection(place, n, v)
	}
}

// elements records the elements of a set, all at the same place.
func (s sketcher) elements(place uint64, elems []cty.Value, record func(place uint64, elem cty.Value)) {
	set, below := s.sketch.OpenSet(place), pairing.Below(place, "")
	for _, elem := range elems {
		i := s.sketch.Open(place, values.Nothing)
		record(below, elem)
		s.sketch.Close(i)
	}
	s.sketch.Close(set)
}

// collection records the objects of a list or map. They count only for a collection with the
// same keys, because keys may differ in some relations.
func (s sketcher) collection(place uint64, n *node, v cty.Value) {
	ms := n.open(v) // null blocks count as no blocks
	ms.load()
	keys := hashSize + uint64(ms.n)
	for _, key := range ms.keys {
		keys += values.HashString(key.AsString())
	}
	i := s.sketch.OpenKeys(place, keys)
	for j := range ms.n {
		if ms.keys == nil {
			s.object(values.Mix(place, uint64(j)+1), n, ms.elem(j))
		} else {
			s.object(pairing.Below(place, ms.keys[j].AsString()), n, ms.elem(j))
		}
	}
	s.sketch.Close(i)
}

// value records a value under the value rules. An earlier value that is not wholly known allows
// anything.
func (s sketcher) value(place uint64, v cty.Value) {
	switch ty := v.Type(); {
	case ty.IsObjectType() && v.IsKnown() && !v.IsNull():
		i := s.sketch.Open(place, hashPresent)
		for name := range ty.AttributeTypes() {
			s.value(pairing.Below(place, name), v.GetAttr(name))
		}
		s.sketch.Close(i)
	case v.IsKnown() && !v.IsNull() && (ty.IsListType() || ty.IsTupleType() || ty.IsMapType()):
		i := s.sketch.Open(place, hashSize+uint64(v.LengthInt()))
		for key, elem := range v.Elements() {
			s.value(values.Mix(place, values.Hash(key)), elem)
		}
		s.sketch.Close(i)
	case v.IsKnown() && !v.IsNull() && ty.IsSetType():
		s.elements(place, v.AsValueSlice(), s.value)
	case s.first && (!v.IsWhollyKnown() || ty.HasDynamicTypes()):
		s.sketch.Gap(place)
	default:
		s.sketch.Add(place, values.Hash(v))
	}
}

// pick returns the elements with the given indexes.
func pick(elems []cty.Value, indexes []int) []cty.Value {
	picked := make([]cty.Value, len(indexes))
	for i, index := range indexes {
		picked[i] = elems[index]
	}
	return picked
}

// firstOf returns the first of n indexes for which right returns true, or -1.
func firstOf(n int, right func(int) bool) int {
	for i := range n {
		if right(i) {
			return i
		}
	}
	return -1
}
