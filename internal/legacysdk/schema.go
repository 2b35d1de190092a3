package legacysdk

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// Possible reports whether the legacy SDK could have created the schema. If so, Core assumes that it
// did, and normalizes read values.
func Possible(b *configschema.Block) bool {
	for _, a := range b.Attributes {
		if a.NestedType != nil || !possibleType(a.Type) {
			return false
		}
	}
	for _, nb := range b.BlockTypes {
		if nb.Computed || !Possible(&nb.Block) {
			return false
		}
	}
	return true
}

// possibleType reports whether an attribute of the legacy SDK can have the type.
func possibleType(ty cty.Type) bool {
	switch {
	case ty.IsTupleType() || ty.IsObjectType():
		return false
	case ty.IsMapType() && ty.ElementType().IsObjectType():
		return false
	case ty.IsCollectionType() && ty.ElementType().IsCollectionType():
		return ty.ElementType().ElementType().IsPrimitiveType()
	}
	return true
}

// Resource reports whether the schema is probably one of a resource of the legacy SDK, for documents,
// which do not have the SDK's flag: the SDK could have created it, and it has the optional and computed
// attribute id that the SDK adds to each resource.
func Resource(b *configschema.Block) bool {
	id := b.Attributes["id"]
	return id != nil && id.Type == cty.String && id.Optional && id.Computed && Possible(b)
}

// Relaxed returns the schema with each optional attribute computed as well, so that the plan may
// contain a default for it.
func Relaxed(schema *objchange.Schema) *objchange.Schema {
	block := relaxed(schema.Block())
	compiled, err := objchange.Compile(&block)
	if err != nil {
		return schema // cannot happen, because schema is compiled
	}
	return compiled
}

func relaxed(b *configschema.Block) configschema.Block {
	block := *b
	block.Attributes = make(map[string]*configschema.Attribute, len(b.Attributes))
	for name, a := range b.Attributes {
		attr := *a
		attr.Computed = a.Computed || a.Optional
		block.Attributes[name] = &attr
	}
	block.BlockTypes = make(map[string]*configschema.NestedBlock, len(b.BlockTypes))
	for name, nb := range b.BlockTypes {
		nested := *nb
		nested.Block = relaxed(&nb.Block)
		block.BlockTypes[name] = &nested
	}
	return block
}
