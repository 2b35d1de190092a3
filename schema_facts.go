package objchange

import (
	"reflect"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// facts tell what a schema, or a part of it, holds at any depth.
type facts struct {
	dynamic   bool // a type that it leaves open
	secret    bool // what is never shown
	writeOnly bool
}

func (f *facts) add(o facts) {
	f.dynamic = f.dynamic || o.dynamic
	f.secret = f.secret || o.secret
	f.writeOnly = f.writeOnly || o.writeOnly
}

// knowledge is the facts about a schema. They are asked for with each value, so
// those of a part are found out once, and only where the whole holds any.
type knowledge struct {
	whole facts
	parts map[[2]uintptr]facts // by the maps of its fields
}

// holds tells what the fields of a part of the schema hold.
func (k *knowledge) holds(f fields) (found facts) {
	if k.whole == (facts{}) {
		return facts{}
	}
	id := [2]uintptr{reflect.ValueOf(f.attrs).Pointer(), reflect.ValueOf(f.blocks).Pointer()}
	if found, ok := k.parts[id]; ok {
		return found
	}
	for _, a := range f.attrs {
		found.add(k.attributeHolds(a))
	}
	for _, nb := range f.blocks {
		found.add(k.holds(fieldsOf(&nb.Block)))
	}
	if k.parts == nil {
		k.parts = map[[2]uintptr]facts{}
	}
	k.parts[id] = found
	return found
}

// attributeHolds tells what an attribute is or holds.
func (k *knowledge) attributeHolds(a *configschema.Attribute) (found facts) {
	switch {
	case k.whole == (facts{}):
		return facts{}
	case a.NestedType != nil:
		found = k.holds(nestOf(a.NestedType).fields)
	default:
		found.dynamic = a.Type.HasDynamicTypes()
	}
	found.add(facts{secret: isSecret(a), writeOnly: a.WriteOnly})
	return found
}

// hasDynamic reports whether the object type of the fields contains the dynamic
// pseudo-type, for callers who ask once.
func (f fields) hasDynamic() bool {
	return (&knowledge{whole: facts{dynamic: true}}).holds(f).dynamic
}

// isSecret reports whether values of the attribute are never shown. What may only
// be written is what nobody is to read.
func isSecret(a *configschema.Attribute) bool { return a.Sensitive || a.WriteOnly }

// isDynamic reports whether the schema leaves the type of the attribute open.
func isDynamic(a *configschema.Attribute) bool {
	return a.NestedType == nil && a.Type == cty.DynamicPseudoType
}

// isComputedOnly reports whether only the provider may set the attribute.
func isComputedOnly(a *configschema.Attribute) bool { return a.Computed && !a.Optional }

// isGroup reports whether the attribute is an object that is empty rather than null.
func isGroup(a *configschema.Attribute) bool {
	return a.NestedType != nil && isGroupMode(a.NestedType.Nesting)
}

// isUnset reports whether the configuration says nothing of the attribute.
func isUnset(a *configschema.Attribute, v cty.Value) bool {
	return v.IsNull() || isGroup(a) && nestOf(a.NestedType).allNull(v)
}

// allNull reports whether nothing at all is set in a block, or in any of several.
func (n nest) allNull(v cty.Value) bool {
	v, _ = values.Bare(v)
	if !v.IsKnown() {
		return false
	}
	ms := n.openIf(v)
	ms.load()
	for i := range ms.n {
		object, _ := values.Bare(ms.elem(i))
		if !ms.self || !object.IsKnown() {
			return false // a block is there, whatever is in it
		}
		for name, a := range n.attrs {
			if !isUnset(a, part(object, name)) {
				return false
			}
		}
		for name, nb := range n.blocks {
			if !blockNest(nb).allNull(part(object, name)) {
				return false
			}
		}
	}
	return true
}

// equalAs is equal for two values of one part of a schema. Their types, which may be
// wide, are the same unless the part leaves them open or a value has none.
func equalAs(part facts, a, b cty.Value, how values.Strictness) bool {
	if part.dynamic || a.Type() == cty.DynamicPseudoType || b.Type() == cty.DynamicPseudoType {
		return values.Equal(a, b, how)
	}
	return values.SameContent(a, b, how)
}

// sameNull compares two nulls of the attribute. The untyped null may stand for the
// null of its type: only where the schema leaves the type open is a null of another
// type another value.
func sameNull(a *configschema.Attribute, x, y cty.Value) bool {
	return !isDynamic(a) || values.SameType(x.Type(), y.Type())
}
