package search

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
)

// A Slot is a place in a schema that a configuration can set: an attribute, a nested block, or a
// place inside one. Its path contains no indexes, because all elements of a collection share the
// learned facts.
type Slot struct {
	Path, Name  string
	parent      *Slot
	description string

	ty      cty.Type                 // dynamic if the schema leaves it open
	none    cty.Value                // value if the configuration does not set the slot
	nesting configschema.NestingMode // how other slots are inside; 0 if none are
	element *Slot                    // of a list, set or map; has the same path
	key     *Slot                    // of a map, if its keys were refused
	load    func() []*Slot           // loads the slots inside an object

	block              bool
	required, settable bool
	declared           bool // required by the schema
	min, max           int  // number of elements; no limit if max is 0

	inside []*Slot
	learned
}

// learned contains the facts about a slot that are not in its schema.
type learned struct {
	guesses  []cty.Value // nil before the first use
	values   []cty.Value // listed in messages
	good     []cty.Value // from accepted configurations
	refused  map[string]bool
	length   limits   // of a string
	patterns []string // regular expressions that a string must match
	keys     []string // of a map, in an accepted configuration
	wanted   bool     // the provider requires the slot
	excludes []*Slot  // slots that cannot be set together with this slot
}

// rootSlot returns the slot of a whole configuration.
func rootSlot(block *configschema.Block) *Slot {
	s := &Slot{ty: plainType(block.ImpliedType()), nesting: configschema.NestingGroup, none: block.EmptyValue(), required: true, settable: true}
	s.load = func() []*Slot { return blockSlots(s, block) }
	return s
}

// TypesIn returns a function that returns the types of a slot in a block: the type of the slot, and
// the types of its elements.
func TypesIn(block *configschema.Block) func(path string) []cty.Type {
	root := rootSlot(block)
	return func(path string) (types []cty.Type) {
		at := root
		for step := range strings.SplitSeq(path, ".") {
			at = objectOf(at).named(step)
		}
		for ; at != nil; at = at.element {
			types = append(types, at.ty)
		}
		return types
	}
}

func plainType(ty cty.Type) cty.Type { return ty.WithoutOptionalAttributesDeep() }

func (s *Slot) inner(name string) *Slot {
	path := name
	if s.Path != "" {
		path = s.Path + "." + name
	}
	return &Slot{Path: path, Name: name, parent: s}
}

// elementSlot adds the slot for the elements of a collection.
func (s *Slot) elementSlot(ty cty.Type, load func(parent *Slot) []*Slot) {
	e := &Slot{Path: s.Path, Name: s.Name, parent: s, description: s.description, ty: ty, none: cty.NullVal(ty), required: true, settable: true}
	if load != nil {
		e.nesting, e.load = configschema.NestingSingle, func() []*Slot { return load(e) }
	}
	s.element = e
}

func blockSlots(parent *Slot, block *configschema.Block) (inside []*Slot) {
	for _, name := range slices.Sorted(maps.Keys(block.Attributes)) {
		inside = append(inside, attributeSlot(parent.inner(name), block.Attributes[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(block.BlockTypes)) {
		inside = append(inside, nestedSlot(parent.inner(name), block.BlockTypes[name]))
	}
	return inside
}

func nestedSlot(s *Slot, nested *configschema.NestedBlock) *Slot {
	s.description, s.ty, s.none, s.nesting = nested.Description, plainType(nested.ImpliedType()), nested.EmptyValue(), nested.Nesting
	s.block, s.settable, s.required = true, true, nested.MinItems > 0
	s.declared, s.min, s.max = s.required, nested.MinItems, nested.MaxItems
	load := func(parent *Slot) []*Slot { return blockSlots(parent, &nested.Block) }
	if s.nesting.Single() {
		s.load = func() []*Slot { return load(s) }
	} else {
		s.elementSlot(plainType(nested.Block.ImpliedType()), load)
	}
	return s
}

func attributeSlot(s *Slot, a *configschema.Attribute) *Slot {
	s.description = a.Description
	s.required, s.declared, s.settable = a.Required, a.Required, a.Required || a.Optional || !a.Computed
	if a.NestedType == nil {
		return typeSlot(s, plainType(a.Type))
	}
	s.ty, s.nesting = plainType(a.ImpliedType()), a.NestedType.Nesting
	s.none = cty.NullVal(s.ty)
	object := a.NestedType.Block()
	load := func(parent *Slot) []*Slot { return blockSlots(parent, object) }
	if s.nesting.Single() {
		s.load = func() []*Slot { return load(s) }
	} else {
		s.elementSlot(plainType(object.ImpliedType()), load)
	}
	return s
}

// typeSlot derives the slots of an attribute from its type. Attributes of an object type have no
// schema. They are considered required until the provider refuses one.
func typeSlot(s *Slot, ty cty.Type) *Slot {
	s.ty, s.none = ty, cty.NullVal(ty)
	switch {
	case ty.IsObjectType():
		s.nesting, s.load = configschema.NestingSingle, func() (inside []*Slot) {
			for _, name := range slices.Sorted(maps.Keys(ty.AttributeTypes())) {
				at := s.inner(name)
				at.required, at.settable = true, true
				inside = append(inside, typeSlot(at, ty.AttributeType(name)))
			}
			return inside
		}
	case ty.IsCollectionType():
		s.nesting = nestingOf(ty)
		s.elementSlot(ty.ElementType(), nil)
		typeSlot(s.element, ty.ElementType())
	}
	return s
}

// nestingOf returns the nesting mode for a collection type.
func nestingOf(ty cty.Type) configschema.NestingMode {
	switch {
	case ty.IsListType():
		return configschema.NestingList
	case ty.IsSetType():
		return configschema.NestingSet
	}
	return configschema.NestingMap
}

// slots returns the slots inside an object.
func (s *Slot) slots() []*Slot {
	if s.inside == nil && s.load != nil {
		s.inside = s.load()
	}
	return s.inside
}

// leaf returns the slot of the primitive values in the slot, or nil if the slot contains objects.
func (s *Slot) leaf() *Slot {
	if s = objectOf(s); s.load != nil {
		return nil
	}
	return s
}

// objectOf returns the slot of the objects or primitive values inside collections.
func objectOf(s *Slot) *Slot {
	for s.element != nil {
		s = s.element
	}
	return s
}

// isElement reports whether the slot is for the elements of a collection.
func (s *Slot) isElement() bool { return s.parent != nil && s.parent.element == s }

// optional reports whether a configuration may omit the slot, according to the known facts.
func (s *Slot) optional() bool { return s.settable && !s.declared && !s.isElement() }

// depth returns the number of slots above, without element slots.
func (s *Slot) depth() int { return strings.Count(s.Path, ".") }

// set reports whether the slot counts as set with the value v.
func (s *Slot) set(v cty.Value) bool {
	return !v.IsKnown() || !v.IsNull() && !(s.block && v.RawEquals(s.none))
}

// collect builds a value of the slot from elements. It drops the elements after the first element
// with a different type. For a map, it generates missing keys.
func (s *Slot) collect(elements []cty.Value, keys ...string) cty.Value {
	for i, e := range elements {
		if s.ty != cty.DynamicPseudoType && !e.Type().Equals(elements[0].Type()) {
			elements = elements[:i]
			break
		}
	}
	keys = append(slices.Clip(keys), s.keys[min(len(keys), len(s.keys)):]...)
	keyed := make(map[string]cty.Value, len(elements))
	for i, e := range elements {
		if i >= len(keys) {
			keys = append(keys, "key"+strconv.Itoa(i+1))
		}
		keyed[keys[i]] = e
	}
	dynamic, ty := s.ty == cty.DynamicPseudoType, s.element.ty
	switch {
	case dynamic && s.nesting.Keyed():
		return cty.ObjectVal(keyed)
	case dynamic:
		return cty.TupleVal(elements)
	case s.nesting.Keyed() && len(elements) == 0:
		return cty.MapValEmpty(ty)
	case s.nesting.Keyed():
		return cty.MapVal(keyed)
	case s.nesting.Coalesces() && len(elements) == 0:
		return cty.SetValEmpty(ty)
	case s.nesting.Coalesces():
		return cty.SetVal(elements)
	case len(elements) == 0:
		return cty.ListValEmpty(ty)
	}
	return cty.ListVal(elements)
}

// elements returns the elements of a collection, in order. It returns nil for an unknown or null
// value and for other values without elements.
func elements(v cty.Value) []cty.Value {
	if !v.IsKnown() || v.IsNull() || !v.CanIterateElements() {
		return nil
	}
	var all []cty.Value
	for it := v.ElementIterator(); it.Next(); {
		_, e := it.Element()
		all = append(all, e)
	}
	return all
}

// keysOf returns the keys of a map, in order.
func keysOf(v cty.Value) (keys []string) {
	if !v.IsKnown() || v.IsNull() || !v.CanIterateElements() {
		return nil
	}
	for it := v.ElementIterator(); it.Next(); {
		key, _ := it.Element()
		keys = append(keys, key.AsString())
	}
	return keys
}

// at returns all values of the slot in the configuration, in order.
func (s *Slot) at(config cty.Value) []cty.Value {
	if s.parent == nil {
		return []cty.Value{config}
	}
	var all []cty.Value
	for _, v := range s.parent.at(config) {
		switch {
		case s.isElement():
			all = append(all, elements(v)...)
		case v.IsKnown() && !v.IsNull():
			all = append(all, v.GetAttr(s.Name))
		}
	}
	return all
}

// setIn reports whether the configuration sets the slot anywhere.
func (s *Slot) setIn(config cty.Value) bool { return slices.ContainsFunc(s.at(config), s.set) }

// change replaces the values of the slot with the results of the function change. The function gets
// the old value and its index in the collection. If the configuration does not set the slot around
// it, the method calls build for a value, or changes nothing if build is nil.
func (s *Slot) change(config cty.Value, build func(*Slot) cty.Value, change func(v cty.Value, i int) cty.Value) cty.Value {
	if s.parent == nil {
		return change(config, 0)
	}
	return s.parent.change(config, build, func(v cty.Value, i int) cty.Value {
		if s.parent.parent != nil && (!v.IsKnown() || v.IsNull() || s.isElement() && v.LengthInt() == 0) {
			if build == nil {
				return v
			}
			v = build(s.parent)
		}
		if s.isElement() {
			return mapElements(s.parent, v, change)
		}
		if !v.IsKnown() || v.IsNull() || !v.Type().IsObjectType() {
			return v
		}
		fields := v.AsValueMap()
		fields[s.Name] = change(fields[s.Name], i)
		return cty.ObjectVal(fields)
	})
}

// mapElements changes the elements of a collection, and keeps the keys of a map.
func mapElements(s *Slot, v cty.Value, change func(v cty.Value, i int) cty.Value) cty.Value {
	if !v.IsKnown() || v.IsNull() || v.LengthInt() == 0 {
		return v
	}
	all := elements(v)
	for i, e := range all {
		all[i] = change(e, i)
	}
	if !s.nesting.Keyed() {
		return s.collect(all)
	}
	return s.collect(all, keysOf(v)...)
}
