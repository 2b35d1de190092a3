package repro

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
)

// A setting is a value that a configuration sets, and what is inside it. Configurations and Go tests
// print the same settings.
type setting struct {
	key    string                    // name of an attribute or a block type, key of an element, or ""
	slot   string                    // names from the root
	place  cty.Type                  // type in the schema
	v      cty.Value                 // without secrets
	then   cty.Value                 // v during apply, or cty.NilVal
	later  *setting                  // the setting of then, or of null, if v is unknown
	secret bool                      // the value must not be shown
	object *configschema.Block       // schema of the value, or of its elements; nil for other values
	many   bool                      // whether object is the schema of the elements
	block  *configschema.NestedBlock // nil for attributes
	inside []setting                 // attributes and blocks, or elements
}

// A reader reads the settings of configurations.
type reader struct {
	naming Naming
	scope  string // the type name, or Configuration
}

// settings returns everything that a configuration of the schema sets: attributes, then blocks.
func (r reader) settings(schema *objchange.Schema, v, then cty.Value) []setting {
	return r.fields("", schema.Block(), v, then)
}

// arguments returns the arguments of a function.
func (n Naming) arguments(s scenario.Scenario) (all []setting) {
	for i, a := range s.Arguments() {
		all = append(all, reader{naming: n}.read(setting{slot: catalog.Argument(i), place: a.Type, v: a.Value}))
	}
	return all
}

func (r reader) fields(slot string, of *configschema.Block, v, then cty.Value) (all []setting) {
	field := func(name string, place cty.Type) setting {
		at := strings.TrimPrefix(slot+"."+name, ".") // slot is "" for the root
		return setting{key: name, slot: at, place: place, v: v.GetAttr(name), then: part(then, cty.StringVal(name))}
	}
	for _, name := range slices.Sorted(maps.Keys(of.Attributes)) {
		a := of.Attributes[name]
		s := field(name, a.ImpliedType())
		if s.v.IsKnown() && s.v.IsNull() && s.v.Type().Equals(s.place) {
			continue
		}
		if nested := a.NestedType; nested != nil {
			s.object, s.many = nested.Block(), !nested.Nesting.Single()
		}
		s.secret = (a.Sensitive || a.WriteOnly) && r.naming.Hides != nil && r.naming.Hides(r.scope, s.slot)
		all = append(all, r.read(s))
	}
	for _, name := range slices.Sorted(maps.Keys(of.BlockTypes)) {
		nb := of.BlockTypes[name]
		s := field(name, nb.ImpliedType())
		s.block, s.object, s.many = nb, &nb.Block, !nb.Nesting.Single()
		if !s.v.RawEquals(nb.EmptyValue()) {
			all = append(all, r.read(s))
		}
	}
	return all
}

// read adds what is inside the value of the setting, and hides secrets.
func (r reader) read(s setting) setting {
	if !s.v.IsKnown() {
		later := s
		later.v, later.then = cmp.Or(s.then, cty.NullVal(s.v.Type())), cty.NilVal
		later = r.read(later)
		s.later = &later
		return s
	}
	if s.secret && !s.v.IsNull() {
		s.v, s.place, s.object = cty.StringVal(scenario.Secret), cty.String, nil
	}
	switch {
	case s.v.IsNull():
	case s.object != nil && !s.many:
		s.inside = r.fields(s.slot, s.object, s.v, s.then)
	case s.v.CanIterateElements():
		for i, e := range elementsOf(s.v, s.then) {
			e.slot, e.place, e.object = s.slot, typeInside(s.place, i, e.key), s.object
			s.inside = append(s.inside, r.read(e))
		}
	case s.v.Type() == cty.String && r.naming.Hide != nil:
		s.v = cty.StringVal(r.naming.Hide(s.v.AsString()))
	}
	return s
}

// keyed reports whether the value has names or keys.
func (s setting) keyed() bool { return s.v.Type().IsMapType() || s.v.Type().IsObjectType() }

// blocks returns the settings of the blocks of a block type.
func (s setting) blocks() []setting {
	switch {
	case s.v.IsNull():
		return nil
	case !s.many:
		return []setting{s}
	}
	return s.inside
}

// typeInside returns the type of an element or attribute of ty.
func typeInside(ty cty.Type, i int, key string) cty.Type {
	switch {
	case ty.IsCollectionType():
		return ty.ElementType()
	case ty.IsTupleType():
		return ty.TupleElementType(i)
	case ty.IsObjectType():
		return ty.AttributeType(key)
	}
	return cty.DynamicPseudoType
}

// elementsOf returns the elements or attributes of a value, in order. Each has the value that it
// becomes during apply, or cty.NilVal.
func elementsOf(v, then cty.Value) (all []setting) {
	if v.Type().IsSetType() {
		added := newElement(v, then)
		for _, elem := range v.AsValueSlice() {
			all = append(all, setting{v: elem, then: added})
		}
		return all
	}
	for key, value := range v.Elements() {
		s := setting{v: value, then: part(then, key)}
		if key.Type() == cty.String {
			s.key = key.AsString()
		}
		all = append(all, s)
	}
	return all
}

// newElement returns the element of then that the set v does not have, if one element of v is not
// wholly known. It returns cty.NilVal if there are several such elements.
func newElement(v, then cty.Value) cty.Value {
	if then == cty.NilVal || then.IsNull() || !then.CanIterateElements() {
		return cty.NilVal
	}
	elems := v.AsValueSlice()
	has := func(elem cty.Value) bool { return slices.ContainsFunc(elems, elem.RawEquals) }
	added := slices.DeleteFunc(then.AsValueSlice(), has)
	known := slices.DeleteFunc(slices.Clone(elems), func(elem cty.Value) bool { return !elem.IsWhollyKnown() })
	if len(added) != 1 || len(known) != len(elems)-1 {
		return cty.NilVal
	}
	return added[0]
}

// part returns the part of a value with the name, key or index. It returns cty.NilVal if there is no
// such part.
func part(v, key cty.Value) cty.Value {
	if v == cty.NilVal {
		return v
	}
	found, diags := hcl.Index(v, key, nil)
	if diags.HasErrors() {
		return cty.NilVal
	}
	return found
}
