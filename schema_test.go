package objchange_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
)

func TestNestingModeString(t *testing.T) {
	for mode, want := range map[objchange.NestingMode]string{
		objchange.NestingSingle: "single",
		objchange.NestingGroup:  "group",
		objchange.NestingList:   "list",
		objchange.NestingSet:    "set",
		objchange.NestingMap:    "map",
	} {
		if got := mode.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for _, mode := range []objchange.NestingMode{0, -1, 99} {
		for _, valid := range blockModes {
			if mode.String() == valid.String() {
				t.Errorf("mode %d has the name of a valid one, %q", int(mode), mode)
			}
		}
	}
}

func TestImpliedType(t *testing.T) {
	listOfDyn := block(objchange.NestingList, dynAttrs)
	tests := []struct {
		name   string
		schema *objchange.Block
		want   cty.Type // of v
	}{
		{"an attribute's type", schemaOf(attr(cty.List(cty.Bool), "optional")), cty.List(cty.Bool)},
		{"an attribute's dynamic type", schemaOf(attr(cty.DynamicPseudoType, "optional")), cty.DynamicPseudoType},
		{"a nested attribute, single", schemaOf(nested(objchange.NestingSingle, "optional", itemAttrs)), itemType},
		{"a nested attribute, list", schemaOf(nested(objchange.NestingList, "optional", itemAttrs)), cty.List(itemType)},
		{"a nested attribute, set", schemaOf(nested(objchange.NestingSet, "optional", itemAttrs)), cty.Set(itemType)},
		{"a nested attribute, map", schemaOf(nested(objchange.NestingMap, "optional", itemAttrs)), cty.Map(itemType)},
		{"a block, single", schemaOfBlock(block(objchange.NestingSingle, itemAttrs)), itemType},
		{"a block, group", schemaOfBlock(block(objchange.NestingGroup, itemAttrs)), itemType},
		{"a block, list", schemaOfBlock(block(objchange.NestingList, itemAttrs)), cty.List(itemType)},
		{"a block, set", schemaOfBlock(block(objchange.NestingSet, itemAttrs)), cty.Set(itemType)},
		{"a block, map", schemaOfBlock(block(objchange.NestingMap, itemAttrs)), cty.Map(itemType)},
		{"a block without content", schemaOfBlock(block(objchange.NestingList, nil)), cty.List(cty.EmptyObject)},
		{"blocks in blocks", schemaOfBlock(block(objchange.NestingMap, nil, blocks{"w": block(objchange.NestingSet, itemAttrs)})),
			cty.Map(cty.Object(map[string]cty.Type{"w": cty.Set(itemType)}))},

		{"dynamic in a list of blocks", schemaOfBlock(listOfDyn), cty.DynamicPseudoType},
		{"dynamic in a map of blocks", schemaOfBlock(block(objchange.NestingMap, dynAttrs)), cty.DynamicPseudoType},
		{"dynamic in a single block", schemaOfBlock(block(objchange.NestingSingle, dynAttrs)), dynType},
		{"dynamic in a group block", schemaOfBlock(block(objchange.NestingGroup, dynAttrs)), dynType},
		{"dynamic in the type of an attribute of a list of blocks",
			schemaOfBlock(block(objchange.NestingList, attrs{"a": attr(cty.Map(cty.DynamicPseudoType), "optional")})), cty.DynamicPseudoType},
		{"dynamic in a nested attribute of a list of blocks",
			schemaOfBlock(block(objchange.NestingList, attrs{"a": nested(objchange.NestingMap, "optional", dynAttrs)})), cty.DynamicPseudoType},
		{"dynamic in a block of a map of blocks",
			schemaOfBlock(block(objchange.NestingMap, nil, blocks{"w": block(objchange.NestingSingle, dynAttrs)})), cty.DynamicPseudoType},
		{"a dynamic list of blocks in a list of blocks",
			schemaOfBlock(block(objchange.NestingList, nil, blocks{"w": listOfDyn})), cty.DynamicPseudoType},
		{"a dynamic list of blocks in a single block", schemaOfBlock(block(objchange.NestingSingle, nil, blocks{"w": listOfDyn})),
			cty.Object(map[string]cty.Type{"w": cty.DynamicPseudoType})},
		{"dynamic in a list-nested attribute", schemaOf(nested(objchange.NestingList, "optional", dynAttrs)), cty.List(dynType)},
		{"dynamic in a map-nested attribute", schemaOf(nested(objchange.NestingMap, "optional", dynAttrs)), cty.Map(dynType)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := test.schema.ImpliedType()
			if want := cty.Object(map[string]cty.Type{"v": test.want}); !got.Equals(want) {
				t.Errorf("got  %#v\nwant %#v", got, want)
			}
			if a := test.schema.Attributes["v"]; a == nil {
				got = test.schema.BlockTypes["v"].ImpliedType()
			} else if got = a.ImpliedType(); a.NestedType != nil && !a.NestedType.ImpliedType().Equals(got) {
				t.Errorf("the Object has another type, %#v", a.NestedType.ImpliedType())
			}
			if !got.Equals(test.want) {
				t.Errorf("alone: got  %#v\nwant %#v", got, test.want)
			}
		})
	}
	if got := new(objchange.Block).ImpliedType(); !got.Equals(cty.EmptyObject) {
		t.Errorf("empty schema: got %#v", got)
	}
}

func TestImpliedTypeOfInvalidSchema(t *testing.T) {
	cyclic := &objchange.NestedBlock{Nesting: objchange.NestingList}
	cyclic.BlockTypes = blocks{"v": cyclic}
	for name, got := range map[string]cty.Type{
		"nil block":       (*objchange.Block)(nil).ImpliedType(),
		"nil attribute":   (*objchange.Attribute)(nil).ImpliedType(),
		"nil object":      (*objchange.Object)(nil).ImpliedType(),
		"nil block type":  (*objchange.NestedBlock)(nil).ImpliedType(),
		"no type":         (&objchange.Attribute{Optional: true}).ImpliedType(),
		"no nesting mode": (&objchange.Object{}).ImpliedType(),
		"nil inside":      schemaOf(nil).ImpliedType(),
		"cyclic":          schemaOfBlock(cyclic).ImpliedType(),
		"cyclic block":    cyclic.ImpliedType(),
	} {
		if got != cty.DynamicPseudoType {
			t.Errorf("%s: got %#v, want the dynamic type", name, got)
		}
	}
}

func TestEmptyValue(t *testing.T) {
	tests := []struct {
		name   string
		schema *objchange.Block
		want   cty.Value // of v
	}{
		{"an attribute: null", schemaOf(attr(cty.List(cty.Bool), "required")), cty.NullVal(cty.List(cty.Bool))},
		{"a dynamic attribute: null", schemaOf(attr(cty.DynamicPseudoType, "optional")), noDynamic},
		{"a nested attribute, single: null", schemaOf(nested(objchange.NestingSingle, "optional", itemAttrs)), noItem},
		{"a nested attribute, list: null", schemaOf(nested(objchange.NestingList, "optional", itemAttrs)), cty.NullVal(cty.List(itemType))},
		{"a nested attribute, set: null", schemaOf(nested(objchange.NestingSet, "optional", itemAttrs)), cty.NullVal(cty.Set(itemType))},
		{"a nested attribute, map: null", schemaOf(nested(objchange.NestingMap, "optional", itemAttrs)), cty.NullVal(cty.Map(itemType))},
		{"a single block: null", schemaOfBlock(block(objchange.NestingSingle, itemAttrs)), noItem},
		{"a group block: the empty value of its block", schemaOfBlock(block(objchange.NestingGroup, itemAttrs)), item(noStr, noStr)},
		{"a group block in a group block", schemaOfBlock(block(objchange.NestingGroup, nil, blocks{
			"w": block(objchange.NestingGroup, itemAttrs), "x": block(objchange.NestingList, itemAttrs),
		})), object(obj{"w": item(noStr, noStr), "x": emptyItems})},
		{"a list block: empty", schemaOfBlock(block(objchange.NestingList, itemAttrs)), emptyItems},
		{"a set block: empty", schemaOfBlock(block(objchange.NestingSet, itemAttrs)), cty.SetValEmpty(itemType)},
		{"a map block: empty", schemaOfBlock(block(objchange.NestingMap, itemAttrs)), cty.MapValEmpty(itemType)},
		{"a computed list block: empty", schemaOfBlock(computed(block(objchange.NestingList, nil))), cty.ListValEmpty(cty.EmptyObject)},
		{"a dynamic list block: the empty tuple", schemaOfBlock(block(objchange.NestingList, dynAttrs)), cty.EmptyTupleVal},
		{"a dynamic map block: the empty object", schemaOfBlock(block(objchange.NestingMap, dynAttrs)), cty.EmptyObjectVal},
		{"a dynamic single block: null", schemaOfBlock(block(objchange.NestingSingle, dynAttrs)), cty.NullVal(dynType)},
		{"a dynamic group block", schemaOfBlock(block(objchange.NestingGroup, dynAttrs)), item(noStr, noDynamic)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			expectValue(t, test.schema.EmptyValue(), nil, object(obj{"v": test.want}))
			if a := test.schema.Attributes["v"]; a != nil {
				expectValue(t, a.EmptyValue(), nil, test.want)
			} else {
				expectValue(t, test.schema.BlockTypes["v"].EmptyValue(), nil, test.want)
			}
		})
	}
	expectValue(t, new(objchange.Block).EmptyValue(), nil, cty.EmptyObjectVal)
}

func TestEmptyValueOfInvalidSchema(t *testing.T) {
	expectValue(t, (*objchange.Block)(nil).EmptyValue(), nil, noDynamic)
	expectValue(t, (*objchange.Attribute)(nil).EmptyValue(), nil, noDynamic)
	expectValue(t, (*objchange.NestedBlock)(nil).EmptyValue(), nil, noDynamic)
	expectValue(t, schemaOfBlock(block(0, itemAttrs)).EmptyValue(), nil, noDynamic)
}

func TestAttributeByPath(t *testing.T) {
	leaf := func() *objchange.Attribute { return attr(cty.String, "optional") }
	plain := attr(cty.Map(cty.String), "optional")
	inSingle, inList, inSet, inMap, deep := leaf(), leaf(), leaf(), leaf(), leaf()
	single := nested(objchange.NestingSingle, "optional", attrs{"a": inSingle})
	deeper := nested(objchange.NestingMap, "optional", attrs{"a": deep})
	nestedList := nested(objchange.NestingList, "optional", attrs{"a": inList, "b": deeper})
	dynamic := attr(cty.DynamicPseudoType, "optional")
	schema := &objchange.Block{
		Attributes: attrs{"plain": plain, "single": single, "list": nestedList},
		BlockTypes: blocks{
			"group": block(objchange.NestingGroup, nil, blocks{"set": block(objchange.NestingSet, attrs{"a": inSet})}),
			"map":   block(objchange.NestingMap, attrs{"a": inMap}),
			"dyn":   block(objchange.NestingMap, attrs{"a": dynamic}),
		},
	}
	at := cty.GetAttrPath
	tests := []struct {
		name string
		path cty.Path
		want *objchange.Attribute
	}{
		{"an attribute", at("plain"), plain},
		{"inside an attribute's value", at("plain").IndexString("k"), nil},
		{"an attribute step inside an attribute's value", at("plain").GetAttr("k"), nil},
		{"a nested attribute", at("single"), single},
		{"inside a single-nested attribute", at("single").GetAttr("a"), inSingle},
		{"an element of a nested attribute", at("list").IndexInt(0), nil},
		{"an index into single nesting is passed over", at("single").IndexInt(0).GetAttr("a"), inSingle},
		{"without the index", at("list").GetAttr("a"), inList},
		{"with two", at("list").IndexInt(0).IndexString("x").GetAttr("a"), inList},
		{"inside a list-nested attribute", at("list").IndexInt(7).GetAttr("a"), inList},
		{"nested in nested", at("list").IndexInt(0).GetAttr("b").IndexString("k").GetAttr("a"), deep},
		{"a set element's attribute", at("group").GetAttr("set").Index(object(obj{"a": str("x")})).GetAttr("a"), inSet},
		{"in a map of blocks", at("map").IndexString("k").GetAttr("a"), inMap},
		{"the key of a dynamic map of blocks is an attribute step", at("dyn").GetAttr("k").GetAttr("a"), dynamic},
		{"the root is no attribute", nil, nil},
		{"a block is no attribute", at("group"), nil},
		{"an element of a block is no attribute", at("map").IndexString("k"), nil},
		{"a name that is not there", at("nothing"), nil},
		{"a nested name that is not there", at("list").IndexInt(0).GetAttr("nothing"), nil},
		{"a name behind one that is not there", at("nothing").GetAttr("plain"), nil},
		{"an index where there is no collection", at("group").IndexInt(0).GetAttr("set").GetAttr("a"), inSet},
		{"an index at the root", cty.IndexIntPath(0), nil},
		{"an index before the root's", cty.IndexIntPath(0).GetAttr("plain"), plain},
		{"the attribute where a dynamic map of blocks has no key", at("dyn").GetAttr("a"), dynamic},
		{"a key that is named like an attribute", at("dyn").GetAttr("a").GetAttr("a"), dynamic},
		{"a key alone", at("dyn").GetAttr("k"), nil},
		{"a step that is none", cty.Path{nil}, nil},
	}
	for _, test := range tests {
		if got := schema.AttributeByPath(test.path); got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
	if got := (*objchange.Block)(nil).AttributeByPath(at("plain")); got != nil {
		t.Errorf("nil schema: got %v", got)
	}
	if got := (*objchange.Object)(nil).AttributeByPath(at("plain")); got != nil {
		t.Errorf("nil object: got %v", got)
	}
	if got := nestedList.NestedType.AttributeByPath(at("b").IndexString("k").GetAttr("a")); got != deep {
		t.Errorf("from an object: got %v", got)
	}
}
