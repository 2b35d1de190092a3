package objchange

import "github.com/zclconf/go-cty/cty"

// Facts about a schema, each found in one recursion.

// any reports whether an attribute is such, at any depth.
func (f fields) any(such func(*Attribute) bool) bool {
	for _, a := range f.attrs {
		if such(a) || a.NestedType != nil && a.NestedType.nest().any(such) {
			return true
		}
	}
	for _, nb := range f.blocks {
		if nb.fields().any(such) {
			return true
		}
	}
	return false
}

// holdsSensitive reports whether anything inside is never shown.
func (f fields) holdsSensitive() bool { return f.any((*Attribute).secret) }

// holdsWriteOnly reports whether anything inside is write-only.
func (f fields) holdsWriteOnly() bool { return f.any(func(a *Attribute) bool { return a.WriteOnly }) }

// hasDynamic reports whether the object type of the fields contains the dynamic
// pseudo-type, without making that type.
func (f fields) hasDynamic() bool {
	return f.any(func(a *Attribute) bool { return a.NestedType == nil && a.Type.HasDynamicTypes() })
}

// secret reports whether values of the attribute are never shown. What may only
// be written is what nobody is to read.
func (a *Attribute) secret() bool { return a.Sensitive || a.WriteOnly }

// holdsSensitive reports whether the attribute or anything inside is secret.
func (a *Attribute) holdsSensitive() bool {
	return a.secret() || a.NestedType != nil && a.NestedType.nest().holdsSensitive()
}

// dynamic reports whether the schema leaves the type of the attribute open.
func (a *Attribute) dynamic() bool { return a.NestedType == nil && a.Type == cty.DynamicPseudoType }

// impliesDynamic reports whether it leaves any of it open.
func (a *Attribute) impliesDynamic() bool {
	if a.NestedType != nil {
		return a.NestedType.nest().hasDynamic()
	}
	return a.Type.HasDynamicTypes()
}

// computedOnly reports whether only the provider may set the attribute.
func (a *Attribute) computedOnly() bool { return a.Computed && !a.Optional }

// group reports whether the attribute is an object that is empty rather than null.
func (a *Attribute) group() bool { return a.NestedType != nil && a.NestedType.Nesting.group() }

// unset reports whether the configuration says nothing of the attribute.
func (a *Attribute) unset(v cty.Value) bool {
	return v.IsNull() || a.group() && a.NestedType.nest().allNull(v)
}

// allNull reports whether nothing at all is set in a block, or in any of several.
func (n nest) allNull(v cty.Value) bool {
	v, _ = bare(v)
	if !v.IsKnown() {
		return false
	}
	ms := n.openIf(v)
	ms.load()
	for i := range ms.n {
		object, _ := bare(ms.elem(i))
		if !ms.self || !object.IsKnown() {
			return false // a block is there, whatever is in it
		}
		for name, a := range n.attrs {
			if !a.unset(part(object, name)) {
				return false
			}
		}
		for name, nb := range n.blocks {
			if !nb.nest().allNull(part(object, name)) {
				return false
			}
		}
	}
	return true
}
