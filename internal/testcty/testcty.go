// Package testcty contains helpers for tests: functions that build schemas and values, and
// functions that compare results.
package testcty

import (
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
)

type (
	Attrs  = map[string]*configschema.Attribute
	Blocks = map[string]*configschema.NestedBlock
	Obj    = map[string]cty.Value
)

// Attr returns an attribute with flags such as "optional computed sensitive".
func Attr(ty cty.Type, flags string) *configschema.Attribute {
	a := &configschema.Attribute{Type: ty}
	setFlags(a, flags)
	return a
}

// Nested returns a nested attribute.
func Nested(mode configschema.NestingMode, flags string, inner Attrs) *configschema.Attribute {
	a := &configschema.Attribute{NestedType: &configschema.Object{Nesting: mode, Attributes: inner}}
	setFlags(a, flags)
	return a
}

func setFlags(a *configschema.Attribute, flags string) {
	all := map[string]*bool{
		"required": &a.Required, "optional": &a.Optional, "computed": &a.Computed,
		"sensitive": &a.Sensitive, "writeonly": &a.WriteOnly,
	}
	for flag := range strings.FieldsSeq(flags) {
		*all[flag] = true
	}
}

// Block returns a nested block type. The argument more contains the block types nested in it.
func Block(mode configschema.NestingMode, inner Attrs, more ...Blocks) *configschema.NestedBlock {
	nb := &configschema.NestedBlock{Nesting: mode, Block: configschema.Block{Attributes: inner}}
	for _, m := range more {
		nb.BlockTypes = m
	}
	return nb
}

// Computed makes the block type computed and returns it.
func Computed(nb *configschema.NestedBlock) *configschema.NestedBlock {
	nb.Computed = true
	return nb
}

// Short names of functions that return values. MapOf needs at least one part.
var (
	Object = cty.ObjectVal
	MapOf  = cty.MapVal
	Str    = cty.StringVal
	Num    = cty.NumberIntVal
)

// List returns a list of the elements, at least one.
func List(elems ...cty.Value) cty.Value { return cty.ListVal(elems) }

// Set returns a set of the elements, at least one.
func Set(elems ...cty.Value) cty.Value { return cty.SetVal(elems) }

// Tuple returns a tuple of the elements.
func Tuple(elems ...cty.Value) cty.Value { return cty.TupleVal(elems) }

var (
	NoStr      = cty.NullVal(cty.String)
	NoNum      = cty.NullVal(cty.Number)
	UnknownStr = cty.UnknownVal(cty.String)
	UnknownNum = cty.UnknownVal(cty.Number)
)

// ExpectValue compares values, including refinements and marks.
func ExpectValue(t *testing.T, got cty.Value, err error, want cty.Value) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if !want.RawEquals(got) {
		t.Errorf("got  %#v\nwant %#v", got, want)
	}
}

// BlockModes are the nesting modes of blocks. AttributeModes are the nesting modes of nested
// attributes, which do not include group.
var (
	AttributeModes = []configschema.NestingMode{
		configschema.NestingSingle, configschema.NestingList, configschema.NestingSet, configschema.NestingMap,
	}
	BlockModes = append([]configschema.NestingMode{configschema.NestingGroup}, AttributeModes...)
)

// Most tests use objects with an id that the provider chooses and a name that the user may set.
var (
	ItemAttrs   = Attrs{"id": Attr(cty.String, "computed"), "name": Attr(cty.String, "optional")}
	ItemType    = cty.Object(map[string]cty.Type{"id": cty.String, "name": cty.String})
	NoItem      = cty.NullVal(ItemType)
	UnknownItem = cty.UnknownVal(ItemType)
)

// Item returns an object of ItemType.
func Item(id, name cty.Value) cty.Value { return Object(Obj{"id": id, "name": name}) }

// DynAttrs is like ItemAttrs, but the name can have any type.
var (
	DynAttrs   = Attrs{"id": Attr(cty.String, "computed"), "name": Attr(cty.DynamicPseudoType, "optional")}
	DynType    = cty.Object(map[string]cty.Type{"id": cty.String, "name": cty.DynamicPseudoType})
	NoDynamic  = cty.NullVal(cty.DynamicPseudoType)
	EmptyItems = cty.ListValEmpty(ItemType)
)

// SchemaOf returns a schema with one attribute, named v.
func SchemaOf(a *configschema.Attribute) *configschema.Block {
	return &configschema.Block{Attributes: Attrs{"v": a}}
}

// SchemaOfBlock returns a schema with one block type, named v.
func SchemaOfBlock(nb *configschema.NestedBlock) *configschema.Block {
	return &configschema.Block{BlockTypes: Blocks{"v": nb}}
}

// WrapIn returns a value of the nesting mode that contains one object.
func WrapIn(mode configschema.NestingMode, v cty.Value) cty.Value {
	switch mode {
	case configschema.NestingList:
		return List(v)
	case configschema.NestingSet:
		return Set(v)
	case configschema.NestingMap:
		return MapOf(Obj{"k": v})
	}
	return v
}

// WrapTypeIn returns the type of values of the nesting mode.
func WrapTypeIn(mode configschema.NestingMode, ty cty.Type) cty.Type {
	return WrapIn(mode, cty.UnknownVal(ty)).Type()
}

// ObjectOf returns a value of a schema of SchemaOf or SchemaOfBlock, for a value of v.
func ObjectOf(v cty.Value) cty.Value { return Object(Obj{"v": v}) }

// NullOf returns the null of v.
func NullOf(schema *configschema.Block) cty.Value {
	return cty.NullVal(schema.ImpliedType().AttributeType("v"))
}

// PathToV is the path of v.
var PathToV = cty.GetAttrPath("v")

// Attributes for tests that do not depend on the details of the attribute.
var (
	LeafAttr     = Attr(cty.String, "optional")
	ComputedLeaf = Attr(cty.String, "computed")
	DynamicLeaf  = Attr(cty.DynamicPseudoType, "optional")
	WriteLeaf    = Attr(cty.String, "optional writeonly")
)

// Bounded sets a block type's MinItems and MaxItems and returns it.
func Bounded(nb *configschema.NestedBlock, low, high int) *configschema.NestedBlock {
	nb.MinItems, nb.MaxItems = low, high
	return nb
}

// Levels returns a schema of n single blocks inside each other.
func Levels(n int) *configschema.Block {
	b := Block(configschema.NestingSingle, ItemAttrs)
	for range n - 1 {
		b = Block(configschema.NestingSingle, nil, Blocks{"v": b})
	}
	return SchemaOfBlock(b)
}

// NestedLevels returns a schema of n nested attributes inside each other.
func NestedLevels(n int) *configschema.Block {
	a := Attr(cty.String, "optional")
	for range n {
		a = Nested(configschema.NestingSingle, "optional", Attrs{"v": a})
	}
	return SchemaOf(a)
}

// Cyclic returns a block type that contains itself under each name.
func Cyclic(mode configschema.NestingMode, names ...string) *configschema.NestedBlock {
	nb := Block(mode, nil, Blocks{})
	for _, name := range names {
		nb.BlockTypes[name] = nb
	}
	return nb
}

// Box is a value of a capsule type. PanicValue is a value of a capsule type that panics when it
// is compared.
var (
	BoxType         = cty.Capsule("box", reflect.TypeOf(0))
	PanicType       = cty.CapsuleWithOps("panic", reflect.TypeOf(0), panicOps)
	Box, PanicValue = cty.CapsuleVal(BoxType, new(int)), cty.CapsuleVal(PanicType, new(int))
	panicOps        = &cty.CapsuleOps{
		Equals:    func(a, b any) cty.Value { panic("Equals") },
		RawEquals: func(a, b any) bool { panic("RawEquals") },
	}
)

// SimilarSchema is the schema of a set whose elements have a map of blocks, m, a set of strings, s,
// and a set of blocks, b. Its elements differ only in these.
var SimilarSchema = SchemaOfBlock(Block(configschema.NestingSet,
	Attrs{"s": Attr(cty.Set(cty.String), "optional")},
	Blocks{"m": Block(configschema.NestingMap, ItemAttrs), "b": Block(configschema.NestingSet, ItemAttrs)},
))

// SimilarElement returns an element of SimilarSchema with the given parts. All other parts are
// empty.
func SimilarElement(parts Obj) cty.Value {
	element := Obj{"s": cty.SetValEmpty(cty.String), "m": cty.MapValEmpty(ItemType), "b": cty.SetValEmpty(ItemType)}
	maps.Copy(element, parts)
	return Object(element)
}
