package configschema_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
)

func TestNestingModeString(t *testing.T) {
	for mode, want := range map[configschema.NestingMode]string{
		configschema.NestingSingle: "single",
		configschema.NestingGroup:  "group",
		configschema.NestingList:   "list",
		configschema.NestingSet:    "set",
		configschema.NestingMap:    "map",
	} {
		if got := mode.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for _, mode := range []configschema.NestingMode{0, -1, 99} {
		for _, valid := range blockModes {
			if mode.String() == valid.String() {
				t.Errorf("mode %d has the name of a valid one, %q", int(mode), mode)
			}
		}
	}
}

func TestImpliedType(t *testing.T) {
	listOfDyn := block(configschema.NestingList, dynAttrs)
	tests := []struct {
		name   string
		schema *configschema.Block
		want   cty.Type // the implied type of v
	}{
		{"an attribute's type", schemaOf(attr(cty.List(cty.Bool), "optional")), cty.List(cty.Bool)},
		{"an attribute's dynamic type", schemaOf(attr(cty.DynamicPseudoType, "optional")), cty.DynamicPseudoType},
		{"a nested attribute, single", schemaOf(nested(configschema.NestingSingle, "optional", itemAttrs)), itemType},
		{"a nested attribute, list", schemaOf(nested(configschema.NestingList, "optional", itemAttrs)), cty.List(itemType)},
		{"a nested attribute, set", schemaOf(nested(configschema.NestingSet, "optional", itemAttrs)), cty.Set(itemType)},
		{"a nested attribute, map", schemaOf(nested(configschema.NestingMap, "optional", itemAttrs)), cty.Map(itemType)},
		{"a block, single", schemaOfBlock(block(configschema.NestingSingle, itemAttrs)), itemType},
		{"a block, group", schemaOfBlock(block(configschema.NestingGroup, itemAttrs)), itemType},
		{"a block, list", schemaOfBlock(block(configschema.NestingList, itemAttrs)), cty.List(itemType)},
		{"a block, set", schemaOfBlock(block(configschema.NestingSet, itemAttrs)), cty.Set(itemType)},
		{"a block, map", schemaOfBlock(block(configschema.NestingMap, itemAttrs)), cty.Map(itemType)},
		{"a block without content", schemaOfBlock(block(configschema.NestingList, nil)), cty.List(cty.EmptyObject)},
		{"blocks in blocks", schemaOfBlock(block(configschema.NestingMap, nil, blocks{"w": block(configschema.NestingSet, itemAttrs)})),
			cty.Map(cty.Object(map[string]cty.Type{"w": cty.Set(itemType)}))},

		{"dynamic in a list of blocks", schemaOfBlock(listOfDyn), cty.DynamicPseudoType},
		{"dynamic in a map of blocks", schemaOfBlock(block(configschema.NestingMap, dynAttrs)), cty.DynamicPseudoType},
		{"dynamic in a single block", schemaOfBlock(block(configschema.NestingSingle, dynAttrs)), dynType},
		{"dynamic in a group block", schemaOfBlock(block(configschema.NestingGroup, dynAttrs)), dynType},
		{"dynamic in the type of an attribute of a list of blocks",
			schemaOfBlock(block(configschema.NestingList, attrs{"a": attr(cty.Map(cty.DynamicPseudoType), "optional")})), cty.DynamicPseudoType},
		{"dynamic in a nested attribute of a list of blocks",
			schemaOfBlock(block(configschema.NestingList, attrs{"a": nested(configschema.NestingMap, "optional", dynAttrs)})), cty.DynamicPseudoType},
		{"dynamic in a block of a map of blocks",
			schemaOfBlock(block(configschema.NestingMap, nil, blocks{"w": block(configschema.NestingSingle, dynAttrs)})), cty.DynamicPseudoType},
		{"a dynamic list of blocks in a list of blocks",
			schemaOfBlock(block(configschema.NestingList, nil, blocks{"w": listOfDyn})), cty.DynamicPseudoType},
		{"a dynamic list of blocks in a single block", schemaOfBlock(block(configschema.NestingSingle, nil, blocks{"w": listOfDyn})),
			cty.Object(map[string]cty.Type{"w": cty.DynamicPseudoType})},
		{"dynamic in a list-nested attribute", schemaOf(nested(configschema.NestingList, "optional", dynAttrs)), cty.List(dynType)},
		{"dynamic in a map-nested attribute", schemaOf(nested(configschema.NestingMap, "optional", dynAttrs)), cty.Map(dynType)},
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
				t.Errorf("type of the part: got  %#v\nwant %#v", got, test.want)
			}
		})
	}
	if got := new(configschema.Block).ImpliedType(); !got.Equals(cty.EmptyObject) {
		t.Errorf("empty schema: got %#v", got)
	}
}

func TestImpliedTypeOfInvalidSchema(t *testing.T) {
	cyclic := &configschema.NestedBlock{Nesting: configschema.NestingList}
	cyclic.BlockTypes = blocks{"v": cyclic}
	for name, got := range map[string]cty.Type{
		"nil block":       (*configschema.Block)(nil).ImpliedType(),
		"nil attribute":   (*configschema.Attribute)(nil).ImpliedType(),
		"nil object":      (*configschema.Object)(nil).ImpliedType(),
		"nil block type":  (*configschema.NestedBlock)(nil).ImpliedType(),
		"no type":         (&configschema.Attribute{Optional: true}).ImpliedType(),
		"no nesting mode": (&configschema.Object{}).ImpliedType(),
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
		schema *configschema.Block
		want   cty.Value // the empty value of v
	}{
		{"an attribute: null", schemaOf(attr(cty.List(cty.Bool), "required")), cty.NullVal(cty.List(cty.Bool))},
		{"a dynamic attribute: null", schemaOf(attr(cty.DynamicPseudoType, "optional")), noDynamic},
		{"a nested attribute, single: null", schemaOf(nested(configschema.NestingSingle, "optional", itemAttrs)), noItem},
		{"a nested attribute, list: null", schemaOf(nested(configschema.NestingList, "optional", itemAttrs)), cty.NullVal(cty.List(itemType))},
		{"a nested attribute, set: null", schemaOf(nested(configschema.NestingSet, "optional", itemAttrs)), cty.NullVal(cty.Set(itemType))},
		{"a nested attribute, map: null", schemaOf(nested(configschema.NestingMap, "optional", itemAttrs)), cty.NullVal(cty.Map(itemType))},
		{"a single block: null", schemaOfBlock(block(configschema.NestingSingle, itemAttrs)), noItem},
		{"a group block: the empty value of its block", schemaOfBlock(block(configschema.NestingGroup, itemAttrs)), item(noStr, noStr)},
		{"a group block in a group block", schemaOfBlock(block(configschema.NestingGroup, nil, blocks{
			"w": block(configschema.NestingGroup, itemAttrs), "x": block(configschema.NestingList, itemAttrs),
		})), object(obj{"w": item(noStr, noStr), "x": emptyItems})},
		{"a list block: empty", schemaOfBlock(block(configschema.NestingList, itemAttrs)), emptyItems},
		{"a set block: empty", schemaOfBlock(block(configschema.NestingSet, itemAttrs)), cty.SetValEmpty(itemType)},
		{"a map block: empty", schemaOfBlock(block(configschema.NestingMap, itemAttrs)), cty.MapValEmpty(itemType)},
		{"a computed list block: empty", schemaOfBlock(computed(block(configschema.NestingList, nil))), cty.ListValEmpty(cty.EmptyObject)},
		{"a dynamic list block: the empty tuple", schemaOfBlock(block(configschema.NestingList, dynAttrs)), cty.EmptyTupleVal},
		{"a dynamic map block: the empty object", schemaOfBlock(block(configschema.NestingMap, dynAttrs)), cty.EmptyObjectVal},
		{"a dynamic single block: null", schemaOfBlock(block(configschema.NestingSingle, dynAttrs)), cty.NullVal(dynType)},
		{"a dynamic group block", schemaOfBlock(block(configschema.NestingGroup, dynAttrs)), item(noStr, noDynamic)},
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
	expectValue(t, new(configschema.Block).EmptyValue(), nil, cty.EmptyObjectVal)
}

func TestEmptyValueOfInvalidSchema(t *testing.T) {
	expectValue(t, (*configschema.Block)(nil).EmptyValue(), nil, noDynamic)
	expectValue(t, (*configschema.Attribute)(nil).EmptyValue(), nil, noDynamic)
	expectValue(t, (*configschema.NestedBlock)(nil).EmptyValue(), nil, noDynamic)
	expectValue(t, schemaOfBlock(block(0, itemAttrs)).EmptyValue(), nil, noDynamic)
}

func TestAttributeByPath(t *testing.T) {
	leaf := func() *configschema.Attribute { return attr(cty.String, "optional") }
	plain := attr(cty.Map(cty.String), "optional")
	inSingle, inList, inSet, inMap, deep := leaf(), leaf(), leaf(), leaf(), leaf()
	single := nested(configschema.NestingSingle, "optional", attrs{"a": inSingle})
	deeper := nested(configschema.NestingMap, "optional", attrs{"a": deep})
	nestedList := nested(configschema.NestingList, "optional", attrs{"a": inList, "b": deeper})
	dynamic := attr(cty.DynamicPseudoType, "optional")
	schema := &configschema.Block{
		Attributes: attrs{"plain": plain, "single": single, "list": nestedList},
		BlockTypes: blocks{
			"group": block(configschema.NestingGroup, nil, blocks{"set": block(configschema.NestingSet, attrs{"a": inSet})}),
			"map":   block(configschema.NestingMap, attrs{"a": inMap}),
			"dyn":   block(configschema.NestingMap, attrs{"a": dynamic}),
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
		{"a name that does not exist", at("nothing"), nil},
		{"a nested name that does not exist", at("list").IndexInt(0).GetAttr("nothing"), nil},
		{"a name after a name that does not exist", at("nothing").GetAttr("plain"), nil},
		{"an index of a value that is not a collection", at("group").IndexInt(0).GetAttr("set").GetAttr("a"), inSet},
		{"an index at the root", cty.IndexIntPath(0), nil},
		{"an index before an attribute of the root", cty.IndexIntPath(0).GetAttr("plain"), plain},
		{"an attribute of a dynamic map of blocks without a key", at("dyn").GetAttr("a"), dynamic},
		{"a key that is named like an attribute", at("dyn").GetAttr("a").GetAttr("a"), dynamic},
		{"a key alone", at("dyn").GetAttr("k"), nil},
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
	if got := (*configschema.Object)(nil).AttributeByPath(at("plain")); got != nil {
		t.Errorf("nil object: got %v", got)
	}
	if got := nestedList.NestedType.AttributeByPath(at("b").IndexString("k").GetAttr("a")); got != deep {
		t.Errorf("from an object: got %v", got)
	}
}
