package repro

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
)

// settings converts everything that a configuration sets to plain data: entries for objects, maps
// and blocks, []any for lists and sets, a secret for each value that must not be shown, a need for
// each value that another resource provides, and a leaf for each other value.
type settings struct {
	scope string // the type name, or Configuration
	hides func(typeName, slot string) bool
	needs []*scenario.Need
}

// A leaf is a value for a place of the type ty.
type leaf struct {
	ty cty.Type
	v  cty.Value
}

// entries are the elements of a map or the fields of an object, by name.
type entries map[string]any

// A secret is an attribute whose value must not be shown.
type secret struct {
	name string
	ty   cty.Type
}

// of returns the data of a whole configuration.
func (s settings) of(block *configschema.Block, v cty.Value) any {
	return s.object("", block.Attributes, block.BlockTypes, v)
}

func (s settings) object(slot string, attrs map[string]*configschema.Attribute, blocks map[string]*configschema.NestedBlock, v cty.Value) any {
	if !v.IsKnown() || v.IsNull() {
		return leaf{v.Type(), v}
	}
	fields := entries{}
	for name, a := range attrs {
		at, part := scenario.Below(slot, name), v.GetAttr(name)
		switch nested := a.NestedType; {
		case part.IsKnown() && part.IsNull() && part.Type().Equals(a.ImpliedType()):
		case s.provided(at, part) != nil:
			fields[name] = s.provided(at, part)
		case part.IsKnown() && !part.IsNull() && s.hides != nil && (a.Sensitive || a.WriteOnly) && s.hides(s.scope, at):
			fields[name] = secret{name, a.ImpliedType()}
		case nested != nil:
			fields[name] = s.nested(at, nested.Nesting, a.ImpliedType(), nested.Attributes, nil, part)
		default:
			fields[name] = leaf{a.Type, part}
		}
	}
	for name, nb := range blocks {
		if part := v.GetAttr(name); !part.RawEquals(nb.EmptyValue()) {
			fields[name] = s.nested(scenario.Below(slot, name), nb.Nesting, nb.ImpliedType(), nb.Attributes, nb.BlockTypes, part)
		}
	}
	return fields
}

// provided returns the need for a value that another resource provides, or a list for a collection
// that contains such values. It returns nil for other values.
func (s settings) provided(slot string, v cty.Value) any {
	if n := scenario.Provided(s.needs, slot, v); n != nil {
		return n
	}
	if !v.IsKnown() || v.IsNull() || !v.Type().IsListType() && !v.Type().IsSetType() {
		return nil
	}
	var all []any
	found := false
	for _, elem := range v.AsValueSlice() {
		n := scenario.Provided(s.needs, slot, elem)
		found = found || n != nil
		if n != nil {
			all = append(all, n)
		} else {
			all = append(all, leaf{v.Type().ElementType(), elem})
		}
	}
	if !found {
		return nil
	}
	return all
}

func (s settings) nested(slot string, mode configschema.NestingMode, ty cty.Type, attrs map[string]*configschema.Attribute, blocks map[string]*configschema.NestedBlock, v cty.Value) any {
	switch {
	case !v.IsKnown() || v.IsNull():
		return leaf{ty, v}
	case mode.Single():
		return s.object(slot, attrs, blocks, v)
	}
	list, keyed := []any{}, entries{}
	for _, e := range pairs(v, cty.NilVal) {
		data := s.object(slot, attrs, blocks, e.value)
		list, keyed[e.key] = append(list, data), data
	}
	if mode.Keyed() {
		return keyed
	}
	return list
}
