package objchange

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/values"
)

// fields is what a block and a nested attribute have in common: attributes,
// and for a block also nested blocks.
type fields struct {
	attrs  map[string]*configschema.Attribute
	blocks map[string]*configschema.NestedBlock
}

// A nest is a nested block type or a nested attribute: fields, and how many
// objects of them there are.
type nest struct {
	fields
	mode  configschema.NestingMode
	block bool // a block type, not an attribute
}

func fieldsOf(b *configschema.Block) fields { return fields{b.Attributes, b.BlockTypes} }

func nestOf(o *configschema.Object) nest { return nest{fields{attrs: o.Attributes}, o.Nesting, false} }

func blockNest(nb *configschema.NestedBlock) nest { return nest{fieldsOf(&nb.Block), nb.Nesting, true} }

func impliedType(a *configschema.Attribute) cty.Type {
	if a.NestedType != nil {
		return nestOf(a.NestedType).impliedType()
	}
	return values.WithoutOptional(a.Type)
}

func (f fields) impliedType() cty.Type {
	types := make(map[string]cty.Type, len(f.attrs)+len(f.blocks))
	for name, a := range f.attrs {
		types[name] = impliedType(a)
	}
	for name, nb := range f.blocks {
		types[name] = blockNest(nb).impliedType()
	}
	return cty.Object(types)
}

func (f fields) emptyValue() cty.Value {
	return f.objectOf(emptyValue, nest.emptyValue)
}

func emptyValue(a *configschema.Attribute) cty.Value {
	if isGroup(a) {
		return nestOf(a.NestedType).emptyValue()
	}
	return cty.NullVal(impliedType(a))
}

// objectOf makes an object of a value for each attribute and each block type.
func (f fields) objectOf(attr func(*configschema.Attribute) cty.Value, blocks func(nest) cty.Value) cty.Value {
	parts := make(map[string]cty.Value, len(f.attrs)+len(f.blocks))
	for name, a := range f.attrs {
		parts[name] = attr(a)
	}
	for name, nb := range f.blocks {
		parts[name] = blocks(blockNest(nb))
	}
	return cty.ObjectVal(parts)
}

// factsOf tells what the fields hold.
func factsOf(f fields) (found facts) {
	for _, a := range f.attrs {
		found.add(facts{secret: isSecret(a), writeOnly: a.WriteOnly})
		if a.NestedType != nil {
			found.add(factsOf(nestOf(a.NestedType).fields))
		} else if a.Type.HasDynamicTypes() {
			found.dynamic = true
		}
	}
	for _, nb := range f.blocks {
		found.add(factsOf(fieldsOf(&nb.Block)))
	}
	return found
}

// maxDepthOld is how deep differences are looked for.
const maxDepthOld = 64
