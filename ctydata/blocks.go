package ctydata

import (
	"maps"
	"slices"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// block makes one object of a block or nested attribute with the implied type. It is null if
// there is no data.
func (b *builder) block(schema *configschema.Block, ty cty.Type, data any) cty.Value {
	data, ok := b.open(ty, data)
	if !ok {
		return cty.NilVal
	}
	return b.openBlock(schema, ty, data)
}

// openBlock is block for data that open has returned.
func (b *builder) openBlock(schema *configschema.Block, ty cty.Type, data any) cty.Value {
	data, v := b.inside(ty, data)
	if v != cty.NilVal || data == nil {
		return v
	}
	names := slices.Concat(slices.Collect(maps.Keys(schema.Attributes)), slices.Collect(maps.Keys(schema.BlockTypes)))
	slices.Sort(names)
	return b.fields(names, data, func(name string, data any) cty.Value {
		if attr := schema.Attributes[name]; attr != nil {
			return b.attribute(attr, data)
		}
		return b.blocks(schema.BlockTypes[name], data)
	})
}

// inside prepares opened data for a place that has its own schema. It returns either the parts
// of the data, or a finished value. It returns neither if it records a problem.
func (b *builder) inside(ty cty.Type, data any) (any, cty.Value) {
	if typed, ok := data.(TypedData); ok {
		v := b.typed(typed)
		if v == cty.NilVal {
			return nil, v
		}
		data = v
	}
	given, ok := data.(cty.Value)
	switch {
	case data == nil:
		return nil, cty.NullVal(ty)
	case !ok:
		return data, cty.NilVal
	case given == cty.NilVal || given.IsMarked() || given.IsNull() || !given.IsKnown(),
		conforms(given, ty) && ty != cty.DynamicPseudoType:
		return nil, b.given(ty, given)
	case !given.CanIterateElements():
		return nil, b.fail("must be %s, not %s", values.Noun(ty), values.Noun(given.Type()))
	}
	return partsOf(given), cty.NilVal
}

// conforms reports whether a value has the type and its own type is usable.
func conforms(v cty.Value, ty cty.Type) bool {
	return values.TypeUsable(v.Type()) && v.Type().TestConformance(ty) == nil
}

func (b *builder) attribute(attr *configschema.Attribute, data any) cty.Value {
	if (attr.Sensitive || attr.WriteOnly) && b.hide < 0 {
		b.hide = len(b.path)
		defer func() { b.hide = -1 }()
	}
	if attr.NestedType == nil {
		return b.value(attr.Type.WithoutOptionalAttributesDeep(), data)
	}
	ty := attr.ImpliedType()
	data, ok := b.open(ty, data)
	if !ok {
		return cty.NilVal
	}
	return b.nest(attr.NestedType.Nesting, ty, data, attr.NestedType.Block())
}

func (b *builder) blocks(nb *configschema.NestedBlock, data any) cty.Value {
	ty := nb.ImpliedType()
	data, ok := b.open(ty, data)
	switch {
	case !ok:
		return cty.NilVal
	case data == nil:
		return nb.EmptyValue()
	}
	return b.nest(nb.Nesting, ty, data, &nb.Block)
}

// nest makes all objects of a nested attribute or block type from opened data.
func (b *builder) nest(mode configschema.NestingMode, ty cty.Type, data any, schema *configschema.Block) cty.Value {
	implied := schema.ImpliedType()
	object := func(data any) cty.Value { return b.block(schema, implied, data) }
	if mode.Single() {
		return b.openBlock(schema, implied, data)
	}
	data, v := b.inside(ty, data)
	elems, isList := data.([]any)
	entries, isMap := data.(map[string]any)
	switch {
	case v != cty.NilVal || data == nil:
		return v
	case ty != cty.DynamicPseudoType && mode.Keyed():
		return b.mapping(ty, data, object)
	case ty != cty.DynamicPseudoType:
		return b.list(ty, data, object)
	case mode.Keyed() && isMap:
		return b.objectOf(entries, object)
	case mode.Keyed():
		return b.mismatch("a map of blocks", data)
	case isList:
		return b.tupleOf(elems, object)
	}
	return b.mismatch("a list of blocks", data)
}
