package objchange_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// semantics.md#legacy-values: what the legacy SDK meant.

func TestNormalizeLegacySDKWhole(t *testing.T) {
	schema := &configschema.Block{Attributes: itemAttrs, BlockTypes: blocks{
		"single": block(configschema.NestingSingle, itemAttrs),
		"list":   block(configschema.NestingList, itemAttrs),
	}}
	ty := schema.ImpliedType()
	stub := item(unknownStr, unknownStr)
	whole := object(obj{"id": unknownStr, "name": unknownStr, "single": stub, "list": list(stub)})
	normal := object(obj{"id": noStr, "name": str("a"), "single": noItem, "list": list(item(str("1"), noStr))})
	tests := []struct {
		name     string
		in, want cty.Value
	}{
		{"null: null", cty.NullVal(ty), cty.NullVal(ty)},
		{"the untyped null: null", noDynamic, cty.NullVal(ty)},
		{"no value: null", cty.NilVal, cty.NullVal(ty)},
		{"unknown: the stub", cty.UnknownVal(ty), whole},
		{"the untyped unknown: the stub", cty.DynamicVal, whole},
		{"normal: as it is", normal, normal},
		{"marked null", cty.NullVal(ty).Mark("m"), cty.NullVal(ty).Mark("m")},
		{"marked unknown", cty.UnknownVal(ty).Mark("m"), whole.Mark("m")},
		{"marked", normal.Mark("m"), normal.Mark("m")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := objchange.NormalizeLegacySDK(compiled(schema), test.in)
			expectValue(t, got, err, test.want)
		})
	}
}

func TestNormalizeLegacySDKAttributesPass(t *testing.T) {
	for _, flags := range []string{"optional", "computed", "optional computed", "optional writeonly"} {
		strings := schemaOf(attr(cty.List(cty.String), flags))
		for _, value := range []cty.Value{
			cty.NullVal(cty.List(cty.String)), cty.UnknownVal(cty.List(cty.String)), cty.ListValEmpty(cty.String), list(str("a"), noStr, unknownStr),
		} {
			testRewritings(t, objchange.NormalizeLegacySDK, []rewriting{{flags, strings, value, value}})
		}
	}
	for _, mode := range attributeModes {
		schema := schemaOf(nested(mode, "optional", itemAttrs))
		ty := typeHeldIn(mode, itemType)
		for _, value := range []cty.Value{cty.NullVal(ty), cty.UnknownVal(ty), heldIn(mode, noItem), heldIn(mode, unknownItem), heldIn(mode, item(noStr, noStr))} {
			testRewritings(t, objchange.NormalizeLegacySDK, []rewriting{{"nested, " + mode.String(), schema, value, value}})
		}
	}
}

func TestNormalizeLegacySDKBlocks(t *testing.T) {
	single, group := schemaOfBlock(block(configschema.NestingSingle, itemAttrs)), schemaOfBlock(block(configschema.NestingGroup, itemAttrs))
	lists, sets := schemaOfBlock(block(configschema.NestingList, itemAttrs)), schemaOfBlock(block(configschema.NestingSet, itemAttrs))
	maps := schemaOfBlock(block(configschema.NestingMap, itemAttrs))
	stub, it := item(unknownStr, unknownStr), item(str("1"), str("a"))
	noList, noSet, noMap := cty.NullVal(cty.List(itemType)), cty.NullVal(cty.Set(itemType)), cty.NullVal(cty.Map(itemType))
	emptySet := cty.SetValEmpty(itemType)
	testRewritings(t, objchange.NormalizeLegacySDK, []rewriting{
		{"single, null: null", single, noItem, noItem},
		{"single, unknown: the stub", single, unknownItem, stub},
		{"single, set: as it is", single, it, it},
		{"single, its attributes: as they are", single, item(noStr, unknownStr), item(noStr, unknownStr)},
		{"group, null: its empty value", group, noItem, item(noStr, noStr)},
		{"group, unknown: the stub", group, unknownItem, stub},
		{"group, set: as it is", group, it, it},
		{"list, null: empty", lists, noList, emptyItems},
		{"list, empty: empty", lists, emptyItems, emptyItems},
		{"list, unknown: one stub", lists, cty.UnknownVal(noList.Type()), list(stub)},
		{"list, set: as it is", lists, list(it, it), list(it, it)},
		{"list, element unknown: a stub", lists, list(it, unknownItem), list(it, stub)},
		{"list, element null: null", lists, list(noItem, it), list(noItem, it)},
		{"set, null: empty", sets, noSet, emptySet},
		{"set, empty: empty", sets, emptySet, emptySet},
		{"set, unknown: one stub", sets, cty.UnknownVal(noSet.Type()), set(stub)},
		{"set, set: as it is", sets, set(it), set(it)},
		{"set, element unknown: a stub", sets, set(it, unknownItem), set(it, stub)},
		{"map, null: null", maps, noMap, noMap},
		{"map, unknown: unknown", maps, cty.UnknownVal(noMap.Type()), cty.UnknownVal(noMap.Type())},
		{"map, element unknown: unknown", maps, mapOf(obj{"k": unknownItem}), mapOf(obj{"k": unknownItem})},
		{"a computed list, null: empty all the same", schemaOfBlock(computed(block(configschema.NestingList, nil))), cty.NullVal(cty.List(cty.EmptyObject)), cty.ListValEmpty(cty.EmptyObject)},
	})
}

// What is inside blocks is normal afterwards, except inside map blocks.
func TestNormalizeLegacySDKDeep(t *testing.T) {
	inner := blocks{"list": block(configschema.NestingList, itemAttrs), "group": block(configschema.NestingGroup, itemAttrs)}
	ty := cty.Object(map[string]cty.Type{"list": cty.List(itemType), "group": itemType})
	in := func(list, group cty.Value) cty.Value { return object(obj{"list": list, "group": group}) }
	raw := in(cty.NullVal(cty.List(itemType)), unknownItem)
	normal := in(emptyItems, item(unknownStr, unknownStr))
	for _, mode := range blockModes {
		want := heldIn(mode, normal)
		if mode == configschema.NestingMap {
			want = heldIn(mode, raw) // it passes through
		}
		testRewritings(t, objchange.NormalizeLegacySDK, []rewriting{
			{"inside " + mode.String(), schemaOfBlock(block(mode, nil, inner)), heldIn(mode, raw), want},
		})
	}
	groups := schemaOfBlock(block(configschema.NestingGroup, nil, inner))
	sets := schemaOfBlock(block(configschema.NestingSet, nil, inner))
	testRewritings(t, objchange.NormalizeLegacySDK, []rewriting{
		{"a group, null: its empty value, at depth", groups, cty.NullVal(ty), in(emptyItems, item(noStr, noStr))},
		{"elements of a set become one", sets, set(in(cty.NullVal(cty.List(itemType)), item(noStr, noStr)), in(emptyItems, item(noStr, noStr))), set(in(emptyItems, item(noStr, noStr)))},
	})
}

func TestNormalizeLegacySDKStub(t *testing.T) {
	id := attrs{"id": computedLeaf}
	stub := object(obj{"id": unknownStr})
	ty := stub.Type()
	stubAny := object(obj{"any": cty.DynamicVal})
	dynamic := attrs{"any": dynamicLeaf}
	tests := []struct {
		name   string
		schema *configschema.Block
		want   cty.Value // what an unknown v becomes in an unknown block
	}{
		{"an attribute", schemaOf(leafAttr), unknownStr},
		{"a dynamic attribute", schemaOf(dynamicLeaf), cty.DynamicVal},
		{"a nested attribute", schemaOf(nested(configschema.NestingList, "optional", id)), cty.UnknownVal(cty.List(ty))},
		{"a write-only attribute", schemaOf(writeLeaf), unknownStr},
		{"a single block", schemaOfBlock(block(configschema.NestingSingle, id)), stub},
		{"a group block", schemaOfBlock(block(configschema.NestingGroup, id)), stub},
		{"a list block", schemaOfBlock(block(configschema.NestingList, id)), list(stub)},
		{"a set block", schemaOfBlock(block(configschema.NestingSet, id)), set(stub)},
		{"a map block", schemaOfBlock(block(configschema.NestingMap, id)), cty.MapValEmpty(ty)},
		{"a dynamic single block", schemaOfBlock(block(configschema.NestingSingle, dynamic)), stubAny},
		{"a dynamic group block", schemaOfBlock(block(configschema.NestingGroup, dynamic)), stubAny},
		{"a dynamic list block", schemaOfBlock(block(configschema.NestingList, dynamic)), tuple(stubAny)},
		{"a dynamic map block", schemaOfBlock(block(configschema.NestingMap, dynamic)), cty.EmptyObjectVal},
		{"blocks in blocks", schemaOfBlock(block(configschema.NestingSet, nil, blocks{"w": block(configschema.NestingList, id)})), set(object(obj{"w": list(stub)}))},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := objchange.NormalizeLegacySDK(compiled(test.schema), cty.DynamicVal)
			expectValue(t, got, err, objectOf(test.want))
		})
	}
}

// Blocks with anything dynamic inside pass through, whatever their mode.
func TestNormalizeLegacySDKDynamicBlocks(t *testing.T) {
	inner := blocks{"list": block(configschema.NestingList, itemAttrs)}
	dynamic := attrs{"any": dynamicLeaf}
	raw := object(obj{"any": num(1), "list": cty.NullVal(cty.List(itemType))})
	ty := cty.Object(map[string]cty.Type{"any": cty.DynamicPseudoType, "list": cty.List(itemType)})
	single, group := schemaOfBlock(block(configschema.NestingSingle, dynamic, inner)), schemaOfBlock(block(configschema.NestingGroup, dynamic, inner))
	lists, maps := schemaOfBlock(block(configschema.NestingList, dynamic, inner)), schemaOfBlock(block(configschema.NestingMap, dynamic, inner))
	var rows []rewriting
	for _, group := range []struct {
		name   string
		schema *configschema.Block
		values []cty.Value
	}{
		{"single", single, []cty.Value{cty.NullVal(ty), cty.UnknownVal(ty), raw}},
		{"group", group, []cty.Value{cty.NullVal(ty), cty.UnknownVal(ty), raw}},
		{"list", lists, []cty.Value{noDynamic, cty.DynamicVal, cty.EmptyTupleVal, tuple(raw), tuple(cty.UnknownVal(ty)), tuple(raw).Mark("m")}},
		{"map", maps, []cty.Value{noDynamic, cty.DynamicVal, cty.EmptyObjectVal, object(obj{"k": raw}), object(obj{"k": cty.UnknownVal(ty)})}},
	} {
		for _, value := range group.values {
			rows = append(rows, rewriting{group.name, group.schema, value, value})
		}
	}
	// A static block beside a dynamic one inside the same block passes, too,
	// since the object type of what holds them contains something dynamic.
	around := schemaOfBlock(block(configschema.NestingSingle, nil, blocks{"static": inner["list"], "dyn": lists.BlockTypes["v"]}))
	both := object(obj{"static": cty.NullVal(cty.List(itemType)), "dyn": noDynamic})
	rows = append(rows, rewriting{"a static block inside", around, both, both})
	testRewritings(t, objchange.NormalizeLegacySDK, rows)

	// At the root it does not: the root is not a block type.
	root := &configschema.Block{Attributes: dynamic, BlockTypes: inner}
	got, err := objchange.NormalizeLegacySDK(compiled(root), raw)
	expectValue(t, got, err, object(obj{"any": num(1), "list": emptyItems}))
}

func TestNormalizeLegacySDKMarks(t *testing.T) {
	single, group := schemaOfBlock(block(configschema.NestingSingle, itemAttrs)), schemaOfBlock(block(configschema.NestingGroup, itemAttrs))
	lists, sets := schemaOfBlock(block(configschema.NestingList, itemAttrs)), schemaOfBlock(block(configschema.NestingSet, itemAttrs))
	deep := schemaOfBlock(block(configschema.NestingList, nil, blocks{"w": block(configschema.NestingList, itemAttrs)}))
	in := func(w cty.Value) cty.Value { return object(obj{"w": w}) }
	stub := item(unknownStr, unknownStr)
	noList, noSet := cty.NullVal(cty.List(itemType)), cty.NullVal(cty.Set(itemType))
	testRewritings(t, objchange.NormalizeLegacySDK, []rewriting{
		{"an attribute", schemaOf(leafAttr), str("a").Mark("m"), str("a").Mark("m")},
		{"single, unknown", single, unknownItem.Mark("m"), stub.Mark("m")},
		{"group, null", group, noItem.Mark("m"), item(noStr, noStr).Mark("m")},
		{"list, null", lists, noList.Mark("m"), emptyItems.Mark("m")},
		{"list, unknown", lists, cty.UnknownVal(noList.Type()).Mark("m"), list(stub).Mark("m")},
		{"set, null", sets, noSet.Mark("m"), cty.SetValEmpty(itemType).Mark("m")},
		{"set, unknown", sets, cty.UnknownVal(noSet.Type()).Mark("m"), set(stub).Mark("m")},
		{"around what changes", deep, list(in(noList).Mark("n")).Mark("m"), list(in(emptyItems).Mark("n")).Mark("m")},
	})
}
