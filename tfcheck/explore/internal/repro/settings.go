package repro

import (
	"cmp"
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
)

// A setting is a value that a configuration sets, and what is inside it. Configurations and Go tests
// print the same settings.
type setting struct {
	key    string                    // name of an attribute or a block type, key of an element, or ""
	slot   string                    // names from the root
	place  cty.Type                  // type in the schema
	v      cty.Value                 // without secrets
	then   cty.Value                 // v during apply, or cty.NilVal
	later  *setting                  // the setting of then, if v is unknown and then is wholly known
	secret bool                      // the value must not be shown
	object *objectSchema             // schema of the value, or of its elements; nil for other values
	block  *configschema.NestedBlock // nil for attributes
	inside []setting                 // attributes and blocks, or elements
}

// An objectSchema is the schema of a block or of a nested attribute.
type objectSchema struct {
	attrs  map[string]*configschema.Attribute
	blocks map[string]*configschema.NestedBlock
	single bool // the value is such an object, and not a collection of them
}

// hiddenText is in place of the value of a sensitive attribute, whatever its type is. The user has to
// replace it.
const hiddenText = "(secret)"

// A reader reads the settings of configurations.
type reader struct {
	Naming
	scope string // the type name, or Configuration
}

// settings returns everything that a configuration of the schema sets: attributes, then blocks.
func (r reader) settings(schema *objchange.Schema, v, then cty.Value) []setting {
	return r.fields("", &objectSchema{schema.Block().Attributes, schema.Block().BlockTypes, true}, v, then)
}

func (r reader) fields(slot string, of *objectSchema, v, then cty.Value) (all []setting) {
	field := func(name string, place cty.Type) setting {
		at := scenario.Below(slot, name)
		return setting{key: name, slot: at, place: place, v: v.GetAttr(name), then: part(then, name)}
	}
	for _, name := range slices.Sorted(maps.Keys(of.attrs)) {
		a := of.attrs[name]
		s := field(name, a.ImpliedType())
		if s.v.IsKnown() && s.v.IsNull() && s.v.Type().Equals(s.place) {
			continue
		}
		if nested := a.NestedType; nested != nil {
			s.object = &objectSchema{nested.Attributes, nil, nested.Nesting.Single()}
		}
		s.secret = (a.Sensitive || a.WriteOnly) && r.Hides != nil && r.Hides(r.scope, s.slot)
		all = append(all, r.read(s))
	}
	for _, name := range slices.Sorted(maps.Keys(of.blocks)) {
		nb := of.blocks[name]
		s := field(name, nb.ImpliedType())
		s.block, s.object = nb, &objectSchema{nb.Attributes, nb.BlockTypes, nb.Nesting.Single()}
		if !s.v.RawEquals(nb.EmptyValue()) {
			all = append(all, r.read(s))
		}
	}
	return all
}

// read adds what is inside the value of the setting, and hides secrets.
func (r reader) read(s setting) setting {
	if then := s.then; !s.v.IsKnown() && then != cty.NilVal && then.IsWhollyKnown() {
		later := s
		later.v, later.then = then, cty.NilVal
		later = r.read(later)
		s.later = &later
		return s
	}
	if s.secret && s.v.IsKnown() && !s.v.IsNull() {
		s.v, s.place, s.object = cty.StringVal(hiddenText), cty.String, nil
	}
	switch {
	case !s.v.IsKnown() || s.v.IsNull():
	case s.object != nil && s.object.single:
		s.inside = r.fields(s.slot, s.object, s.v, s.then)
	case s.v.CanIterateElements():
		for i, e := range pairs(s.v, s.then) {
			e.slot, e.place = s.slot, typeInside(s.place, i, e.key)
			if s.object != nil {
				e.object = &objectSchema{s.object.attrs, s.object.blocks, true}
			}
			s.inside = append(s.inside, r.read(e))
		}
	case r.Hide != nil:
		s.v = r.Hide(s.v)
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
	case s.object.single:
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

// pairs returns the elements or attributes of a value, in order. Each has the value that it becomes
// during apply, or cty.NilVal. In a set, known elements come first.
func pairs(v, then cty.Value) (all []setting) {
	continues := then != cty.NilVal && then.IsKnown() && !then.IsNull() && then.CanIterateElements()
	if v.Type().IsSetType() {
		var rest []cty.Value
		if continues {
			rest = then.AsValueSlice()
		}
		return setPairs(v.AsValueSlice(), rest)
	}
	for key, value := range v.Elements() {
		s := setting{v: value}
		switch {
		case v.Type().IsMapType() || v.Type().IsObjectType():
			s.key = key.AsString()
			s.then = part(then, s.key)
		case continues && (then.Type().IsListType() || then.Type().IsTupleType()) && then.HasIndex(key).True():
			s.then = then.Index(key)
		}
		all = append(all, s)
	}
	return all
}

// setPairs pairs each element of a set with a value that it may become. It uses different values if
// possible.
func setPairs(elems, then []cty.Value) (all []setting) {
	slices.SortStableFunc(elems, func(a, b cty.Value) int { return cmp.Compare(unknowns(a), unknowns(b)) })
	rest := slices.Clone(then)
	for _, value := range elems {
		s, fits := setting{v: value}, func(v cty.Value) bool { return becomes(value, v) }
		if i := slices.IndexFunc(rest, fits); i >= 0 {
			s.then = rest[i]
			rest = slices.Delete(rest, i, i+1)
		} else if i := slices.IndexFunc(then, fits); i >= 0 {
			s.then = then[i]
		}
		all = append(all, s)
	}
	return all
}

// unknowns returns 1 if the value is not wholly known, and 0 otherwise.
func unknowns(v cty.Value) int {
	if v.IsWhollyKnown() {
		return 0
	}
	return 1
}

// part returns an attribute of an object or an element of a map. It returns cty.NilVal if there is
// no such part.
func part(v cty.Value, name string) cty.Value {
	switch {
	case v == cty.NilVal || !v.IsKnown() || v.IsNull():
	case v.Type().IsObjectType() && v.Type().HasAttribute(name):
		return v.GetAttr(name)
	case v.Type().IsMapType() && v.HasIndex(cty.StringVal(name)).True():
		return v.Index(cty.StringVal(name))
	}
	return cty.NilVal
}

// becomes reports whether v may become the value then during apply. A set that is not wholly known
// may become any value.
func becomes(v, then cty.Value) bool {
	switch {
	case v.IsWhollyKnown():
		return v.RawEquals(then)
	case !v.IsKnown() || v.Type().IsSetType():
		return true
	case then.IsNull() || v.LengthInt() != then.LengthInt():
		return false
	}
	return !slices.ContainsFunc(pairs(v, then), func(s setting) bool {
		return s.then == cty.NilVal || !becomes(s.v, s.then)
	})
}
