package configschema_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
)

func TestImpliedType(t *testing.T) {
	listOfDyn := Block(configschema.NestingList, DynAttrs)
	tests := []struct {
		name   string
		schema *configschema.Block
		want   cty.Type // the implied type of v
	}{
		{"an attribute's type", SchemaOf(Attr(cty.List(cty.Bool), "optional")), cty.List(cty.Bool)},
		{"an attribute's dynamic type", SchemaOf(Attr(cty.DynamicPseudoType, "optional")), cty.DynamicPseudoType},
		{"a nested attribute, single", SchemaOf(Nested(configschema.NestingSingle, "optional", ItemAttrs)), ItemType},
		{"a nested attribute, list", SchemaOf(Nested(configschema.NestingList, "optional", ItemAttrs)), cty.List(ItemType)},
		{"a nested attribute, set", SchemaOf(Nested(configschema.NestingSet, "optional", ItemAttrs)), cty.Set(ItemType)},
		{"a nested attribute, map", SchemaOf(Nested(configschema.NestingMap, "optional", ItemAttrs)), cty.Map(ItemType)},
		{"a block, single", SchemaOfBlock(Block(configschema.NestingSingle, ItemAttrs)), ItemType},
		{"a block, group", SchemaOfBlock(Block(configschema.NestingGroup, ItemAttrs)), ItemType},
		{"a block, list", SchemaOfBlock(Block(configschema.NestingList, ItemAttrs)), cty.List(ItemType)},
		{"a block, set", SchemaOfBlock(Block(configschema.NestingSet, ItemAttrs)), cty.Set(ItemType)},
		{"a block, map", SchemaOfBlock(Block(configschema.NestingMap, ItemAttrs)), cty.Map(ItemType)},
		{"a block without content", SchemaOfBlock(Block(configschema.NestingList, nil)), cty.List(cty.EmptyObject)},
		{"blocks in blocks", SchemaOfBlock(Block(configschema.NestingMap, nil, Blocks{"w": Block(configschema.NestingSet, ItemAttrs)})),
			cty.Map(cty.Object(map[string]cty.Type{"w": cty.Set(ItemType)}))},

		{"dynamic in a list of blocks", SchemaOfBlock(listOfDyn), cty.DynamicPseudoType},
		{"dynamic in a map of blocks", SchemaOfBlock(Block(configschema.NestingMap, DynAttrs)), cty.DynamicPseudoType},
		{"dynamic in a single block", SchemaOfBlock(Block(configschema.NestingSingle, DynAttrs)), DynType},
		{"dynamic in a group block", SchemaOfBlock(Block(configschema.NestingGroup, DynAttrs)), DynType},
		{"dynamic in the type of an attribute of a list of blocks",
			SchemaOfBlock(Block(configschema.NestingList, Attrs{"a": Attr(cty.Map(cty.DynamicPseudoType), "optional")})), cty.DynamicPseudoType},
		{"dynamic in a nested attribute of a list of blocks",
			SchemaOfBlock(Block(configschema.NestingList, Attrs{"a": Nested(configschema.NestingMap, "optional", DynAttrs)})), cty.DynamicPseudoType},
		{"dynamic in a block of a map of blocks",
			SchemaOfBlock(Block(configschema.NestingMap, nil, Blocks{"w": Block(configschema.NestingSingle, DynAttrs)})), cty.DynamicPseudoType},
		{"a dynamic list of blocks in a list of blocks",
			SchemaOfBlock(Block(configschema.NestingList, nil, Blocks{"w": listOfDyn})), cty.DynamicPseudoType},
		{"a dynamic list of blocks in a single block", SchemaOfBlock(Block(configschema.NestingSingle, nil, Blocks{"w": listOfDyn})),
			cty.Object(map[string]cty.Type{"w": cty.DynamicPseudoType})},
		{"dynamic in a list-nested attribute", SchemaOf(Nested(configschema.NestingList, "optional", DynAttrs)), cty.List(DynType)},
		{"dynamic in a map-nested attribute", SchemaOf(Nested(configschema.NestingMap, "optional", DynAttrs)), cty.Map(DynType)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := test.schema.ImpliedType()
			if want := cty.Object(map[string]cty.Type{"v": test.want}); !got.Equals(want) {
				t.Errorf("got  %#v\nwant %#v", got, want)
			}
			if a := test.schema.Attributes["v"]; a == nil {
				got = test.schema.BlockTypes["v"].ImpliedType()
			} else {
				got = a.ImpliedType()
			}
			if !got.Equals(test.want) {
				t.Errorf("type of the part: got  %#v\nwant %#v", got, test.want)
			}
		})
	}
	if got := new(configschema.Block).ImpliedType(); !got.Equals(cty.EmptyObject) {
		t.Errorf("empty schema: got %#v", got)
	}
}

func TestEmptyValue(t *testing.T) {
	tests := []struct {
		name   string
		schema *configschema.Block
		want   cty.Value // the empty value of v
	}{
		{"an attribute: null", SchemaOf(Attr(cty.List(cty.Bool), "required")), cty.NullVal(cty.List(cty.Bool))},
		{"a nested attribute, single: null", SchemaOf(Nested(configschema.NestingSingle, "optional", ItemAttrs)), NoItem},
		{"a single block: null", SchemaOfBlock(Block(configschema.NestingSingle, ItemAttrs)), NoItem},
		{"a group block: the empty value of its block", SchemaOfBlock(Block(configschema.NestingGroup, ItemAttrs)), Item(NoStr, NoStr)},
		{"a group block in a group block", SchemaOfBlock(Block(configschema.NestingGroup, nil, Blocks{
			"w": Block(configschema.NestingGroup, ItemAttrs), "x": Block(configschema.NestingList, ItemAttrs),
		})), Object(Obj{"w": Item(NoStr, NoStr), "x": EmptyItems})},
		{"a list block: empty", SchemaOfBlock(Block(configschema.NestingList, ItemAttrs)), EmptyItems},
		{"a set block: empty", SchemaOfBlock(Block(configschema.NestingSet, ItemAttrs)), cty.SetValEmpty(ItemType)},
		{"a map block: empty", SchemaOfBlock(Block(configschema.NestingMap, ItemAttrs)), cty.MapValEmpty(ItemType)},
		{"a dynamic list block: the empty tuple", SchemaOfBlock(Block(configschema.NestingList, DynAttrs)), cty.EmptyTupleVal},
		{"a dynamic map block: the empty object", SchemaOfBlock(Block(configschema.NestingMap, DynAttrs)), cty.EmptyObjectVal},
		{"a dynamic group block", SchemaOfBlock(Block(configschema.NestingGroup, DynAttrs)), Item(NoStr, NoDynamic)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ExpectValue(t, test.schema.EmptyValue(), nil, Object(Obj{"v": test.want}))
			if a := test.schema.Attributes["v"]; a != nil {
				ExpectValue(t, a.EmptyValue(), nil, test.want)
			} else {
				ExpectValue(t, test.schema.BlockTypes["v"].EmptyValue(), nil, test.want)
			}
		})
	}
	ExpectValue(t, new(configschema.Block).EmptyValue(), nil, cty.EmptyObjectVal)
}

// TestInvalidPartHasDynamicType checks that an invalid part of a schema has the dynamic type, and null as the
// empty value. TestInvalidSchemasAreRejected checks whole schemas.
func TestInvalidPartHasDynamicType(t *testing.T) {
	cyclic := &configschema.NestedBlock{Nesting: configschema.NestingList}
	cyclic.BlockTypes = Blocks{"v": cyclic}
	for name, part := range map[string]interface {
		ImpliedType() cty.Type
		EmptyValue() cty.Value
	}{
		"nil attribute":   (*configschema.Attribute)(nil),
		"nil block type":  (*configschema.NestedBlock)(nil),
		"no type":         &configschema.Attribute{Optional: true},
		"no nesting mode": &configschema.Attribute{NestedType: &configschema.Object{}},
		"cyclic block":    cyclic,
	} {
		if got := part.ImpliedType(); got != cty.DynamicPseudoType {
			t.Errorf("%s: got %#v, want the dynamic type", name, got)
		}
		ExpectValue(t, part.EmptyValue(), nil, NoDynamic)
	}
}

func TestAttributeByPath(t *testing.T) {
	leaf := func() *configschema.Attribute { return Attr(cty.String, "optional") }
	plain := Attr(cty.Map(cty.String), "optional")
	inSingle, inList, inSet, inMap, deep := leaf(), leaf(), leaf(), leaf(), leaf()
	single := Nested(configschema.NestingSingle, "optional", Attrs{"a": inSingle})
	nestedList := Nested(configschema.NestingList, "optional", Attrs{"a": inList, "b": Nested(configschema.NestingMap, "optional", Attrs{"a": deep})})
	dynamic := Attr(cty.DynamicPseudoType, "optional")
	schema := &configschema.Block{
		Attributes: Attrs{"plain": plain, "single": single, "list": nestedList},
		BlockTypes: Blocks{
			"group": Block(configschema.NestingGroup, nil, Blocks{"set": Block(configschema.NestingSet, Attrs{"a": inSet})}),
			"map":   Block(configschema.NestingMap, Attrs{"a": inMap}),
			"dyn":   Block(configschema.NestingMap, Attrs{"a": dynamic}),
		},
	}
	at := cty.GetAttrPath
	tests := []struct {
		name string
		path cty.Path
		want *configschema.Attribute
	}{
		{"an attribute", at("plain"), plain},
		{"inside an attribute's value", at("plain").IndexString("k"), nil},
		{"an attribute step inside an attribute's value", at("plain").GetAttr("k"), nil},
		{"a nested attribute", at("single"), single},
		{"inside a single-nested attribute", at("single").GetAttr("a"), inSingle},
		{"an index into single nesting is passed over", at("single").IndexInt(0).GetAttr("a"), inSingle},
		{"without the index", at("list").GetAttr("a"), inList},
		{"inside a list-nested attribute", at("list").IndexInt(7).GetAttr("a"), inList},
		{"two levels inside", at("list").IndexInt(0).GetAttr("b").IndexString("k").GetAttr("a"), deep},
		{"a set element's attribute", at("group").GetAttr("set").Index(Object(Obj{"a": Str("x")})).GetAttr("a"), inSet},
		{"in a map of blocks", at("map").IndexString("k").GetAttr("a"), inMap},
		{"the key of a dynamic map of blocks is an attribute step", at("dyn").GetAttr("k").GetAttr("a"), dynamic},
		{"the root is no attribute", nil, nil},
		{"a name that does not exist", at("nothing"), nil},
		{"an index of a value that is not a collection", at("group").IndexInt(0).GetAttr("set").GetAttr("a"), inSet},
		{"an index before an attribute of the root", cty.IndexIntPath(0).GetAttr("plain"), plain},
		{"an attribute of a dynamic map of blocks without a key", at("dyn").GetAttr("a"), dynamic},
		{"a key that is named like an attribute", at("dyn").GetAttr("a").GetAttr("a"), dynamic},
		{"a nil step", cty.Path{nil}, nil},
	}
	for _, test := range tests {
		if got := schema.AttributeByPath(test.path); got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
	if got := (*configschema.Block)(nil).AttributeByPath(at("plain")); got != nil {
		t.Errorf("nil schema: got %v", got)
	}
}
