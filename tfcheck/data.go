package tfcheck

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/objchange/objchange"
	"github.com/zclconf/go-cty/cty"
)

// A Valuer is data that makes its own value. [ValueOf] asks it wherever it finds
// one, with the type of the place, which is cty.DynamicPseudoType where any will
// do.
type Valuer interface {
	CtyValue(cty.Type) (cty.Value, error)
}

// ValueOf returns the value of the schema's implied type that plain data of Go
// stands for:
//
//   - maps with string keys, and structs by the rules and tags of encoding/json,
//     are objects, maps and blocks; slices and arrays are lists, sets, tuples
//     and blocks
//   - strings, bools, all numbers of Go, json.Number and *big.Float are what they
//     are, and convert as Terraform converts them ("8" is also a number);
//     floats are their shortest decimal
//   - nil, also of a pointer, map or slice, is null; pointers are what they
//     point to; other types are what encoding/json makes of them
//   - cty.Value, known or not, marked or not, tftypes.Value, values of
//     terraform-plugin-framework (ToTerraformValue) and a [Valuer] may be
//     anywhere, and need not be complete either; those that are null are null,
//     blocks too
//
// Attributes that are missing are null. Blocks that are missing or nil are their
// empty value: no block, an empty collection, or for group nesting an empty
// block. In a dynamic place, data has the type that comes naturally: objects and
// tuples. Data that is nil is the null of the type.
//
// The error joins a [ValueError] for each problem, each with its place, such as
// .rule[0].port: what is of another kind than its place, an attribute that does
// not exist, two keys that are the same in Unicode
// NFC, numbers that are NaN or beyond 2^4096, the zero cty.Value, an invalid
// schema. It shows no values, and no keys in what is sensitive. Nothing panics,
// whatever a Valuer or the data's own methods do.
func ValueOf(schema *objchange.Block, data any) (v cty.Value, err error) {
	defer rescue(&v, &err)
	if err := usable(schema); err != nil {
		return cty.NilVal, err
	}
	b := builder{format: fromData, way: steps{shown: true}}
	return b.result(b.block(schema, schema.ImpliedType(), data))
}

// block makes one object of a block or nested attribute, whose implied type is
// given: null without data.
func (b *builder) block(schema *objchange.Block, ty cty.Type, data any) cty.Value {
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

// inside opens data that has parts with a schema of their own. It returns the
// data, or else the value if the data is one already; or neither, if there is a
// problem.
func (b *builder) inside(ty cty.Type, data any) (any, cty.Value) {
	data, ok := b.open(ty, data)
	if !ok {
		return nil, cty.NilVal
	}
	switch data.(type) {
	case nil, unknown:
		return nil, b.value(ty, data)
	}
	given, ok := data.(cty.Value)
	switch {
	case !ok:
		return data, cty.NilVal
	case given == cty.NilVal || given.IsMarked() || given.IsNull() || !given.IsKnown() || given.Type().TestConformance(ty) == nil && ty != cty.DynamicPseudoType:
		return nil, b.given(ty, given)
	case !given.CanIterateElements():
		return nil, b.fail("must be %s, not %s", article(ty), article(given.Type()))
	}
	return partsOf(given), cty.NilVal
}

func (b *builder) attribute(attr *objchange.Attribute, data any) cty.Value {
	if attr.Sensitive && b.way.cut == 0 {
		b.way.cut = len(b.way.list)
		defer func() { b.way.cut = 0 }()
	}
	if attr.NestedType == nil {
		return b.value(attr.Type.WithoutOptionalAttributesDeep(), data)
	}
	return b.nest(attr.NestedType.Nesting, attr.ImpliedType(), data, attr.NestedType.Block())
}

func (b *builder) blocks(nb *objchange.NestedBlock, data any) cty.Value {
	ty := nb.ImpliedType()
	if tf, ok := data.(tftypes.Value); ok && tf.Type() != nil && tf.IsNull() {
		return cty.NullVal(ty)
	}
	data, ok := b.open(ty, data)
	switch {
	case !ok:
		return cty.NilVal
	case data == nil:
		return nb.EmptyValue()
	}
	return b.nest(nb.Nesting, ty, data, &nb.Block)
}

// nest makes all objects of a nested attribute or block type, each by the schema.
func (b *builder) nest(mode objchange.NestingMode, ty cty.Type, data any, schema *objchange.Block) cty.Value {
	implied := schema.ImpliedType()
	object := func(data any) cty.Value { return b.block(schema, implied, data) }
	if mode.Single() {
		return object(data)
	}
	data, v := b.inside(ty, data)
	switch {
	case v != cty.NilVal || data == nil:
		return v
	case ty != cty.DynamicPseudoType && mode.Keyed():
		return b.mapping(ty, data, object)
	case ty != cty.DynamicPseudoType:
		return b.list(ty, data, object)
	case mode.Keyed():
		return b.objectOfBlocks(data, object)
	}
	return b.tupleOfBlocks(data, object)
}

// objectOfBlocks makes a map of blocks that may be of several types.
func (b *builder) objectOfBlocks(data any, object func(any) cty.Value) cty.Value {
	entries, ok := data.(map[string]any)
	if !ok {
		return b.mismatch("a map of blocks", data)
	}
	if values, ok := b.entries(freeStep, entries, object); ok {
		return cty.ObjectVal(values)
	}
	return cty.NilVal
}

// tupleOfBlocks makes a list of blocks that may be of several types.
func (b *builder) tupleOfBlocks(data any, object func(any) cty.Value) cty.Value {
	elems, ok := data.([]any)
	if !ok {
		return b.mismatch("a list of blocks", data)
	}
	if values, ok := b.elements(elems, func(_ int, elem any) cty.Value { return object(elem) }); ok {
		return cty.TupleVal(values)
	}
	return cty.NilVal
}
