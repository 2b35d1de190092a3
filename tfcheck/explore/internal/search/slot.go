package search

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/objchange/objchange/configschema"
)

// A Slot is a place in a schema that a configuration can set: an attribute, a nested block, or a
// place inside one. Its path contains no indexes, because all elements of a collection share the
// learned facts.
type Slot struct {
	Path, Name  string
	parent      *Slot
	description string
	Hidden      bool // it is sensitive or write-only, or inside such a slot

	ty      cty.Type                 // dynamic if the schema leaves it open
	none    cty.Value                // value if the configuration does not set the slot
	nesting configschema.NestingMode // of a nested block, nested attribute or collection
	element *Slot                    // of a list, set or map; has the same path
	schema  *configschema.Block      // of a nested object
	inside  []*Slot                  // of an object; see slots

	block              bool
	required, settable bool // according to the schema and messages
	declared           bool // required by the schema
	min, max           int  // number of elements; no limit if max is 0

	// Facts from messages and accepted configurations.
	guesses  []cty.Value // nil before the first use
	values   []cty.Value // listed in messages
	good     []cty.Value // from accepted configurations
	refused  map[string]bool
	length   limits   // of a string
	patterns []string // regular expressions that a string must match
	keys     []string // of a map, in an accepted configuration
	excludes []*Slot  // slots that cannot be set together with this slot
}

// rootSlot returns the slot of a whole configuration.
func rootSlot(block *configschema.Block) *Slot {
	return &Slot{
		ty: plainType(block.ImpliedType()), none: block.EmptyValue(), schema: block, required: true, settable: true,
	}
}

// Slots returns the slots of a schema. Outer slots come first. The block may be nil.
func Slots(block *configschema.Block) []*Slot {
	if block == nil {
		return nil
	}
	return rootSlot(block).below(math.MaxInt)
}

// below returns the slots in an object, and the slots in the first ones of them.
func (s *Slot) below(first int) []*Slot {
	all := slices.Clone(s.slots())
	for i := 0; i < len(all) && i < first; i++ {
		all = append(all, objectOf(all[i]).slots()...)
	}
	return all
}

func plainType(ty cty.Type) cty.Type { return ty.WithoutOptionalAttributesDeep() }

// slots returns the slots inside an object. They are made when they are used, because a schema may
// repeat its parts many times.
func (s *Slot) slots() []*Slot {
	switch {
	case s.inside != nil || !s.isObject():
	case s.schema != nil:
		for _, name := range slices.Sorted(maps.Keys(s.schema.Attributes)) {
			s.inner(name).attribute(s.schema.Attributes[name])
		}
		for _, name := range slices.Sorted(maps.Keys(s.schema.BlockTypes)) {
			s.inner(name).nestedBlock(s.schema.BlockTypes[name])
		}
	default: // attributes of an object type are required until the provider refuses one
		for _, name := range slices.Sorted(maps.Keys(s.ty.AttributeTypes())) {
			at := s.inner(name)
			at.required, at.settable = true, true
			at.setType(s.ty.AttributeType(name))
		}
	}
	return s.inside
}

// inner adds a slot inside an object.
func (s *Slot) inner(name string) *Slot {
	at := &Slot{Path: strings.TrimPrefix(s.Path+"."+name, "."), Name: name, parent: s, Hidden: s.Hidden}
	s.inside = append(s.inside, at)
	return at
}

func (s *Slot) attribute(a *configschema.Attribute) {
	s.description, s.Hidden = a.Description, s.Hidden || a.Sensitive || a.WriteOnly
	s.required, s.declared, s.settable = a.Required, a.Required, a.Required || a.Optional || !a.Computed
	s.setType(plainType(a.ImpliedType()))
	if a.NestedType != nil {
		s.nest(a.NestedType.Nesting, a.NestedType.Block())
	}
}

func (s *Slot) nestedBlock(nested *configschema.NestedBlock) {
	s.description, s.ty, s.none = nested.Description, plainType(nested.ImpliedType()), nested.EmptyValue()
	s.block, s.settable, s.required = true, true, nested.MinItems > 0
	s.declared, s.min, s.max = s.required, nested.MinItems, nested.MaxItems
	s.nest(nested.Nesting, &nested.Block)
}

func (s *Slot) nest(nesting configschema.NestingMode, block *configschema.Block) {
	s.nesting = nesting
	if nesting.Single() {
		s.schema = block
	} else {
		s.elements(plainType(block.ImpliedType())).schema = block
	}
}

// setType sets the type of an attribute, and adds the slots of its elements.
func (s *Slot) setType(ty cty.Type) {
	s.ty, s.none = ty, cty.NullVal(ty)
	switch {
	case ty.IsListType():
		s.nesting = configschema.NestingList
	case ty.IsSetType():
		s.nesting = configschema.NestingSet
	case ty.IsMapType():
		s.nesting = configschema.NestingMap
	default:
		s.refused = map[string]bool{}
		return
	}
	s.elements(ty.ElementType())
}

// elements adds the slot for the elements of a collection.
func (s *Slot) elements(ty cty.Type) *Slot {
	s.element = &Slot{
		Path: s.Path, Name: s.Name, Hidden: s.Hidden,
		parent: s, description: s.description, required: true, settable: true,
	}
	s.element.setType(ty)
	return s.element
}

// isObject reports whether the slot has slots inside.
func (s *Slot) isObject() bool { return s.element == nil && s.ty.IsObjectType() }

// leaf returns the slot of the primitive values in the slot, or nil if the slot contains objects.
func (s *Slot) leaf() *Slot {
	if inner := objectOf(s); !inner.isObject() {
		return inner
	}
	return nil
}

// LeafType returns the type of the values in the slot, or string for any type.
func (s *Slot) LeafType() cty.Type {
	if s.ty == cty.DynamicPseudoType {
		return cty.String
	}
	return s.ty
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

// collect builds a value of the slot from elements. For a map, it generates missing keys. It returns
// the value of a slot that is not set if the elements cannot be in one collection.
func (s *Slot) collect(elements []cty.Value, keys ...string) cty.Value {
	all := cty.TupleVal(elements)
	if s.nesting.Keyed() {
		keys = append(slices.Clip(keys), s.keys[min(len(keys), len(s.keys)):]...)
		keyed := map[string]cty.Value{}
		for i, e := range elements {
			if i >= len(keys) {
				keys = append(keys, "key"+strconv.Itoa(i+1))
			}
			keyed[keys[i]] = e
		}
		all = cty.ObjectVal(keyed)
	}
	v, err := convert.Convert(all, s.ty)
	if err != nil {
		return s.none
	}
	return v
}

// object builds a value of an object from the values of its slots.
func (s *Slot) object(field func(*Slot) cty.Value) cty.Value {
	fields := map[string]cty.Value{}
	for _, at := range s.slots() {
		fields[at.Name] = field(at)
	}
	return cty.ObjectVal(fields)
}

// partsOf returns the elements of a collection in order, and the keys of a map. It returns nil for
// an unknown or null value and for other values without elements.
func partsOf(v cty.Value) (all []cty.Value, keys []string) {
	if !v.IsKnown() || v.IsNull() || !v.CanIterateElements() {
		return nil, nil
	}
	for key, e := range v.Elements() {
		all = append(all, e)
		if v.Type().IsMapType() || v.Type().IsObjectType() {
			keys = append(keys, key.AsString())
		}
	}
	return all, keys
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
			elements, _ := partsOf(v)
			all = append(all, elements...)
		case v.IsKnown() && !v.IsNull():
			all = append(all, v.GetAttr(s.Name))
		}
	}
	return all
}

// setIn reports whether the configuration sets the slot anywhere.
func (s *Slot) setIn(config cty.Value) bool { return slices.ContainsFunc(s.at(config), s.set) }

// A changer returns the new value for an old value and its index in the collection.
type changer func(v cty.Value, i int) cty.Value

func always(v cty.Value) changer { return func(cty.Value, int) cty.Value { return v } }

// change replaces the values of the slot with the results of the function change. If the
// configuration does not set the slot around it, the method calls build for a value, or changes
// nothing if build is nil.
func (s *Slot) change(config cty.Value, build func(*Slot) cty.Value, change changer) cty.Value {
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
		if !v.IsKnown() || v.IsNull() {
			return v
		}
		if s.isElement() {
			elements, keys := partsOf(v)
			for j, e := range elements {
				elements[j] = change(e, j)
			}
			return s.parent.collect(elements, keys...)
		}
		fields := v.AsValueMap()
		fields[s.Name] = change(fields[s.Name], i)
		return cty.ObjectVal(fields)
	})
}
