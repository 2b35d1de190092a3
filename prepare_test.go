package objchange_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// Tests of specification.md#52-a-plan-without-provider-logic: the plan of a provider that makes no decisions.

func TestPlanComputedWhole(t *testing.T) {
	schema := &configschema.Block{Attributes: itemAttrs, BlockTypes: blocks{"group": block(configschema.NestingGroup, itemAttrs)}}
	ty := schema.ImpliedType()
	whole := object(obj{"id": str("1"), "name": noStr, "group": item(str("2"), noStr)})
	tests := []struct {
		name     string
		in, want cty.Value
	}{
		{"the untyped null: null", noDynamic, cty.NullVal(ty)},
		{"the untyped unknown: unknown", cty.DynamicVal, cty.UnknownVal(ty)},
		{"nothing to choose: the proposal", whole, whole},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := objchange.PlanComputed(compiled(schema), test.in)
			expectValue(t, got, err, test.want)
		})
	}
}

func TestPlanComputedAttributes(t *testing.T) {
	computedOnly, both := schemaOf(attr(cty.String, "computed")), schemaOf(attr(cty.String, "optional computed"))
	strings := schemaOf(attr(cty.List(cty.String), "optional computed"))
	plain := schemaOf(attr(itemType, "optional computed"))
	writeOnly := schemaOf(attr(cty.String, "optional writeonly"))
	testRewriteRows(t, objchange.PlanComputed, []rewriteRow{
		{"computed, unknown: unchanged", computedOnly, unknownStr.RefineNotNull(), unknownStr.RefineNotNull()},
		{"optional and computed, null: unknown", both, noStr, unknownStr},
		{"optional, null: null", schemaOf(attr(cty.String, "optional")), noStr, noStr},
		{"computed list, null inside: unchanged", strings, list(noStr), list(noStr)},
		{"computed object without a NestedType, null inside: unchanged", plain, item(noStr, noStr), item(noStr, noStr)},
		{"computed and dynamic, null: unknown", schemaOf(attr(cty.DynamicPseudoType, "computed")), noDynamic, cty.DynamicVal},
		{"write-only, unknown: null", writeOnly, unknownStr, noStr},
	})
}

func TestPlanComputedNestedAttributes(t *testing.T) {
	for _, mode := range attributeModes {
		optional, both := schemaOf(nested(mode, "optional", itemAttrs)), schemaOf(nested(mode, "optional computed", itemAttrs))
		null := cty.NullVal(wrapTypeIn(mode, itemType))
		unknown := cty.UnknownVal(null.Type())
		deep := schemaOfBlock(block(configschema.NestingSet, attrs{"in": nested(mode, "optional", attrs{"more": nested(configschema.NestingMap, "optional", itemAttrs)})}))
		deepVal := func(id cty.Value) cty.Value {
			return set(object(obj{"in": wrapIn(mode, object(obj{"more": mapOf(obj{"k": item(id, noStr)})}))}))
		}
		rows := []rewriteRow{
			{"computed, null: unknown as a whole", both, null, unknown},
			{"computed inside, null: unknown", optional, wrapIn(mode, item(noStr, noStr)), wrapIn(mode, item(unknownStr, noStr))},
			{"at depth", deep, deepVal(noStr), deepVal(unknownStr)},
		}
		if mode != configschema.NestingSingle {
			rows = append(rows,
				rewriteRow{"element null: null", optional, wrapIn(mode, noItem), wrapIn(mode, noItem)},
				rewriteRow{"element unknown: unknown", optional, wrapIn(mode, unknownItem), wrapIn(mode, unknownItem)})
		}
		if mode != configschema.NestingSet {
			write := attrs{"w": writeLeaf, "id": computedLeaf}
			in := func(w, id cty.Value) cty.Value { return wrapIn(mode, object(obj{"w": w, "id": id})) }
			rows = append(rows,
				rewriteRow{"write-only inside: null", schemaOf(nested(mode, "optional", write)), in(str("secret"), noStr), in(noStr, unknownStr)})
		}
		t.Run(mode.String(), func(t *testing.T) { testRewriteRows(t, objchange.PlanComputed, rows) })
	}
	lists, sets := schemaOf(nested(configschema.NestingList, "optional", itemAttrs)), schemaOf(nested(configschema.NestingSet, "optional", itemAttrs))
	a, b := item(noStr, str("a")), item(str("1"), str("b"))
	testRewriteRows(t, objchange.PlanComputed, []rewriteRow{
		{"list, each element", lists, list(b, a, b, a), list(b, item(unknownStr, str("a")), b, item(unknownStr, str("a")))},
		{"set, each element", sets, set(a, b), set(item(unknownStr, str("a")), b)},
	})
}

func TestPlanComputedBlocks(t *testing.T) {
	for _, mode := range blockModes {
		schema := schemaOfBlock(block(mode, itemAttrs))
		null := cty.NullVal(wrapTypeIn(mode, itemType))
		rows := []rewriteRow{
			{"null: null", schema, null, null},
			{"in a set", schemaOfBlock(block(configschema.NestingSet, nil, blocks{"w": schema.BlockTypes["v"]})),
				set(object(obj{"w": wrapIn(mode, item(noStr, noStr))})), set(object(obj{"w": wrapIn(mode, item(unknownStr, noStr))}))},
		}
		if mode != configschema.NestingSet {
			write := attrs{"w": writeLeaf, "id": computedLeaf}
			in := func(w, id cty.Value) cty.Value { return wrapIn(mode, object(obj{"w": w, "id": id})) }
			rows = append(rows, rewriteRow{"write-only inside: null", schemaOfBlock(block(mode, write)), in(str("secret"), noStr), in(noStr, unknownStr)})
		}
		if mode != configschema.NestingGroup {
			supplied := schemaOfBlock(computed(block(mode, attrs{"id": computedLeaf})))
			ty := wrapTypeIn(mode, cty.Object(map[string]cty.Type{"id": cty.String}))
			one := func(id cty.Value) cty.Value { return wrapIn(mode, object(obj{"id": id})) }
			rows = append(rows,
				rewriteRow{"a computed block type, null: unknown", supplied, cty.NullVal(ty), cty.UnknownVal(ty)},
				rewriteRow{"a computed block type, not null: its blocks", supplied, one(noStr), one(unknownStr)},
				rewriteRow{"a computed block type inside another, null: unknown", schemaOfBlock(block(configschema.NestingList, nil, blocks{"w": supplied.BlockTypes["v"]})),
					list(object(obj{"w": cty.NullVal(ty)})), list(object(obj{"w": cty.UnknownVal(ty)}))})
		}
		t.Run(mode.String(), func(t *testing.T) { testRewriteRows(t, objchange.PlanComputed, rows) })
	}
	dynamic := attrs{"any": attr(cty.DynamicPseudoType, "computed")}
	anyOf := func(v cty.Value) cty.Value { return object(obj{"any": v}) }
	testRewriteRows(t, objchange.PlanComputed, []rewriteRow{
		{"a computed block type, empty: unchanged", schemaOfBlock(computed(block(configschema.NestingList, nil))), cty.ListValEmpty(cty.EmptyObject), cty.ListValEmpty(cty.EmptyObject)},
		{"element null: null", schemaOfBlock(block(configschema.NestingList, itemAttrs)), list(noItem), list(noItem)},
		{"element unknown: its parts are unknown, because a planned block must be known", schemaOfBlock(block(configschema.NestingMap, itemAttrs)), mapOf(obj{"k": unknownItem}), mapOf(obj{"k": item(unknownStr, unknownStr)})},
		{"dynamic map", schemaOfBlock(block(configschema.NestingMap, dynAttrs)), object(obj{"k": item(noStr, num(1))}), object(obj{"k": item(unknownStr, num(1))})},
		{"dynamic and computed inside", schemaOfBlock(block(configschema.NestingList, dynamic)), tuple(anyOf(noDynamic), anyOf(num(1))), tuple(anyOf(cty.DynamicVal), anyOf(num(1)))},
		{"in a list with one element type: unknown of that type", schemaOf(nested(configschema.NestingList, "optional", dynamic)), list(anyOf(noNum), anyOf(num(1))), list(anyOf(unknownNum), anyOf(num(1)))},
		{"dynamic and a computed block type, null: unknown", schemaOfBlock(computed(block(configschema.NestingMap, dynamic))), noDynamic, cty.DynamicVal},
	})
}

func TestPlanComputedMarks(t *testing.T) {
	lists, sets := schemaOfBlock(block(configschema.NestingList, itemAttrs)), schemaOfBlock(block(configschema.NestingSet, itemAttrs))
	testRewriteRows(t, objchange.PlanComputed, []rewriteRow{
		{"marks of a value that becomes unknown", schemaOf(attr(cty.String, "computed")), noStr.Mark("m"), unknownStr.Mark("m")},
		{"marks of a write-only attribute", schemaOf(writeLeaf), str("secret").Mark("m"), noStr.Mark("m")},
		{"marks of a list and an element", lists, list(item(noStr, str("a")).Mark("n")).Mark("m"), list(item(unknownStr, str("a")).Mark("n")).Mark("m")},
		{"marks of a set", sets, set(item(noStr, str("a"))).Mark("m"), set(item(unknownStr, str("a"))).Mark("m")},
	})
	got, err := objchange.PlanComputed(compiled(lists), objectOf(list(item(noStr, noStr))).Mark("m"))
	expectValue(t, got, err, objectOf(list(item(unknownStr, noStr))).Mark("m"))
}

// Tests of specification.md#61-computed-blocks: empty computed blocks become null.

func TestPrepareComputedBlocks(t *testing.T) {
	id := attrs{"id": computedLeaf}
	idType := cty.Object(map[string]cty.Type{"id": cty.String})
	one := object(obj{"id": noStr})
	collections := []configschema.NestingMode{configschema.NestingList, configschema.NestingSet, configschema.NestingMap}
	for _, mode := range collections {
		schema, plain := schemaOfBlock(computed(block(mode, id))), schemaOfBlock(block(mode, id))
		empty, null := plain.EmptyValue().GetAttr("v"), cty.NullVal(wrapTypeIn(mode, idType))
		rows := []rewriteRow{
			{"empty: null", schema, empty, null},
			{"unknown: unknown", schema, cty.UnknownVal(null.Type()), cty.UnknownVal(null.Type())},
			{"not empty: unchanged", schema, wrapIn(mode, one), wrapIn(mode, one)},
			{"empty but not computed: unchanged", plain, empty, empty},
			{"empty and marked: null and marked", schema, empty.Mark("m"), null.Mark("m")},
			{"a nested attribute, computed and empty: unchanged", schemaOf(nested(mode, "computed", id)), empty, empty},
		}
		for _, outer := range blockModes {
			within := schemaOfBlock(block(outer, nil, blocks{"w": schema.BlockTypes["v"]}))
			rows = append(rows, rewriteRow{"inside " + outer.String(), within, wrapIn(outer, object(obj{"w": empty})), wrapIn(outer, object(obj{"w": null}))})
		}
		t.Run(mode.String(), func(t *testing.T) { testRewriteRows(t, objchange.PrepareComputedBlocks, rows) })
	}
	dynLists := computed(block(configschema.NestingList, attrs{"any": attr(cty.DynamicPseudoType, "computed")}))
	dynMaps := computed(block(configschema.NestingMap, dynLists.Attributes))
	single := computed(block(configschema.NestingSingle, nil))
	lists := computed(block(configschema.NestingList, id))
	noList, emptyList := cty.NullVal(cty.List(idType)), cty.ListValEmpty(idType)
	sets := schemaOfBlock(block(configschema.NestingSet, attrs{"name": leafAttr}, blocks{"w": lists}))
	in := func(name string, w cty.Value) cty.Value { return object(obj{"name": str(name), "w": w}) }
	testRewriteRows(t, objchange.PrepareComputedBlocks, []rewriteRow{
		{"single, without content: unchanged", schemaOfBlock(single), cty.EmptyObjectVal, cty.EmptyObjectVal},
		{"each element of a set", sets, set(in("a", emptyList), in("b", noList), in("c", list(one))), set(in("a", noList), in("b", noList), in("c", list(one)))},
		{"beside elements that are null or unknown", schemaOfBlock(block(configschema.NestingList, nil, blocks{"w": lists})),
			list(cty.NullVal(cty.Object(map[string]cty.Type{"w": cty.List(idType)})), cty.UnknownVal(cty.Object(map[string]cty.Type{"w": cty.List(idType)})), object(obj{"w": emptyList})),
			list(cty.NullVal(cty.Object(map[string]cty.Type{"w": cty.List(idType)})), cty.UnknownVal(cty.Object(map[string]cty.Type{"w": cty.List(idType)})), object(obj{"w": noList}))},
		{"dynamic list, the empty tuple: a null of the dynamic type", schemaOfBlock(dynLists), cty.EmptyTupleVal, noDynamic},
		{"dynamic map, the empty object: a null of the dynamic type", schemaOfBlock(dynMaps), cty.EmptyObjectVal, noDynamic},
		{"dynamic in dynamic", schemaOfBlock(block(configschema.NestingList, nil, blocks{"w": dynMaps})), tuple(object(obj{"w": cty.EmptyObjectVal})), tuple(object(obj{"w": noDynamic}))},
	})
}

func TestPrepareComputedBlocksWhole(t *testing.T) {
	schema := schemaOfBlock(computed(block(configschema.NestingList, nil)))
	ty := schema.ImpliedType()
	for _, test := range []struct{ in, want cty.Value }{
		{cty.NullVal(ty), cty.NullVal(ty)},
		{noDynamic, cty.NullVal(ty)},
		{cty.UnknownVal(ty), cty.UnknownVal(ty)},
		{cty.DynamicVal, cty.UnknownVal(ty)},
		{schema.EmptyValue().Mark("m"), objectOf(cty.NullVal(cty.List(cty.EmptyObject))).Mark("m")},
	} {
		got, err := objchange.PrepareComputedBlocks(compiled(schema), test.in)
		expectValue(t, got, err, test.want)
	}
}

// Tests of specification.md#62-values-from-the-legacy-sdk: the values that the legacy SDK means.

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
		{"zero value: null", cty.NilVal, cty.NullVal(ty)},
		{"the untyped unknown: an object of unknown parts", cty.DynamicVal, whole},
		{"normal: unchanged", normal, normal},
		{"marked unknown", cty.UnknownVal(ty).Mark("m"), whole.Mark("m")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := objchange.NormalizeLegacySDK(compiled(schema), test.in)
			expectValue(t, got, err, test.want)
		})
	}
}

func TestNormalizeLegacySDKBlocks(t *testing.T) {
	single, group := schemaOfBlock(block(configschema.NestingSingle, itemAttrs)), schemaOfBlock(block(configschema.NestingGroup, itemAttrs))
	lists, sets := schemaOfBlock(block(configschema.NestingList, itemAttrs)), schemaOfBlock(block(configschema.NestingSet, itemAttrs))
	maps := schemaOfBlock(block(configschema.NestingMap, itemAttrs))
	stub, it := item(unknownStr, unknownStr), item(str("1"), str("a"))
	noList, noSet, noMap := cty.NullVal(cty.List(itemType)), cty.NullVal(cty.Set(itemType)), cty.NullVal(cty.Map(itemType))
	testRewriteRows(t, objchange.NormalizeLegacySDK, []rewriteRow{
		{"single, null: null", single, noItem, noItem},
		{"single, unknown: an object of unknown parts", single, unknownItem, stub},
		{"single, its attributes: as they are", single, item(noStr, unknownStr), item(noStr, unknownStr)},
		{"group, null: its empty value", group, noItem, item(noStr, noStr)},
		{"list, null: empty", lists, noList, emptyItems},
		{"list, unknown: one object of unknown parts", lists, cty.UnknownVal(noList.Type()), list(stub)},
		{"list, element unknown: an object of unknown parts", lists, list(it, unknownItem), list(it, stub)},
		{"list, element null: null", lists, list(noItem, it), list(noItem, it)},
		{"set, unknown: one object of unknown parts", sets, cty.UnknownVal(noSet.Type()), set(stub)},
		{"map, unknown: unknown", maps, cty.UnknownVal(noMap.Type()), cty.UnknownVal(noMap.Type())},
		{"map, element unknown: unknown", maps, mapOf(obj{"k": unknownItem}), mapOf(obj{"k": unknownItem})},
	})
}

// TestNormalizeLegacySDKDeep checks that blocks inside blocks are normalized, except inside map
// blocks.
func TestNormalizeLegacySDKDeep(t *testing.T) {
	inner := blocks{"list": block(configschema.NestingList, itemAttrs), "group": block(configschema.NestingGroup, itemAttrs)}
	ty := cty.Object(map[string]cty.Type{"list": cty.List(itemType), "group": itemType})
	in := func(list, group cty.Value) cty.Value { return object(obj{"list": list, "group": group}) }
	raw := in(cty.NullVal(cty.List(itemType)), unknownItem)
	normal := in(emptyItems, item(unknownStr, unknownStr))
	for _, mode := range blockModes {
		want := wrapIn(mode, normal)
		if mode == configschema.NestingMap {
			want = wrapIn(mode, raw) // it does not change
		}
		testRewriteRows(t, objchange.NormalizeLegacySDK, []rewriteRow{
			{"inside " + mode.String(), schemaOfBlock(block(mode, nil, inner)), wrapIn(mode, raw), want},
		})
	}
	groups := schemaOfBlock(block(configschema.NestingGroup, nil, inner))
	sets := schemaOfBlock(block(configschema.NestingSet, nil, inner))
	testRewriteRows(t, objchange.NormalizeLegacySDK, []rewriteRow{
		{"a group, null: its empty value, at depth", groups, cty.NullVal(ty), in(emptyItems, item(noStr, noStr))},
		{"elements of a set become equal", sets, set(in(cty.NullVal(cty.List(itemType)), item(noStr, noStr)), in(emptyItems, item(noStr, noStr))), set(in(emptyItems, item(noStr, noStr)))},
	})
}

// TestNormalizeLegacySDKDynamicBlocks checks that blocks of any mode with dynamic types inside
// do not change.
func TestNormalizeLegacySDKDynamicBlocks(t *testing.T) {
	inner := blocks{"list": block(configschema.NestingList, itemAttrs)}
	dynamic := attrs{"any": dynamicLeaf}
	raw := object(obj{"any": num(1), "list": cty.NullVal(cty.List(itemType))})
	ty := cty.Object(map[string]cty.Type{"any": cty.DynamicPseudoType, "list": cty.List(itemType)})
	single, group := schemaOfBlock(block(configschema.NestingSingle, dynamic, inner)), schemaOfBlock(block(configschema.NestingGroup, dynamic, inner))
	lists, maps := schemaOfBlock(block(configschema.NestingList, dynamic, inner)), schemaOfBlock(block(configschema.NestingMap, dynamic, inner))
	var rows []rewriteRow
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
			rows = append(rows, rewriteRow{group.name, group.schema, value, value})
		}
	}
	// A block without dynamic types does not change either if it is inside the same block as a
	// block with dynamic types, because the object type of the outer block then has a dynamic
	// type.
	around := schemaOfBlock(block(configschema.NestingSingle, nil, blocks{"static": inner["list"], "dyn": lists.BlockTypes["v"]}))
	both := object(obj{"static": cty.NullVal(cty.List(itemType)), "dyn": noDynamic})
	rows = append(rows, rewriteRow{"a static block inside", around, both, both})
	testRewriteRows(t, objchange.NormalizeLegacySDK, rows)

	// At the root it changes, because the root is not a block type.
	root := &configschema.Block{Attributes: dynamic, BlockTypes: inner}
	got, err := objchange.NormalizeLegacySDK(compiled(root), raw)
	expectValue(t, got, err, object(obj{"any": num(1), "list": emptyItems}))
}

func TestNormalizeLegacySDKMarks(t *testing.T) {
	group := schemaOfBlock(block(configschema.NestingGroup, itemAttrs))
	lists, sets := schemaOfBlock(block(configschema.NestingList, itemAttrs)), schemaOfBlock(block(configschema.NestingSet, itemAttrs))
	deep := schemaOfBlock(block(configschema.NestingList, nil, blocks{"w": block(configschema.NestingList, itemAttrs)}))
	in := func(w cty.Value) cty.Value { return object(obj{"w": w}) }
	stub := item(unknownStr, unknownStr)
	noList, noSet := cty.NullVal(cty.List(itemType)), cty.NullVal(cty.Set(itemType))
	testRewriteRows(t, objchange.NormalizeLegacySDK, []rewriteRow{
		{"an attribute", schemaOf(leafAttr), str("a").Mark("m"), str("a").Mark("m")},
		{"group, null", group, noItem.Mark("m"), item(noStr, noStr).Mark("m")},
		{"list, unknown", lists, cty.UnknownVal(noList.Type()).Mark("m"), list(stub).Mark("m")},
		{"set, null", sets, noSet.Mark("m"), cty.SetValEmpty(itemType).Mark("m")},
		{"around what changes", deep, list(in(noList).Mark("n")).Mark("m"), list(in(emptyItems).Mark("n")).Mark("m")},
	})
}

// TestPartialState checks specification.md#134-partial-state: the state that Core keeps after a failed
// apply.
func TestPartialState(t *testing.T) {
	schema := &configschema.Block{Attributes: itemAttrs}
	a, b, open := item(str("1"), str("a")), item(str("2"), str("b")), item(unknownStr, str("b"))
	planned := item(unknownStr, str("b"))
	tests := []struct {
		name                           string
		prior, planned, returned, want cty.Value
		tainted                        bool
	}{
		{"update, a value returned", a, planned, b, b, false},
		{"update, unknown values returned", a, planned, open, item(noStr, str("b")), false},
		{"update, an untyped null returned: prior", a, planned, noDynamic, a, false},
		{"update, unknown as a whole returned: prior", a, planned, unknownItem, a, false},
		{"update of an unknown plan", a, unknownItem, b, b, false},
		{"update, another type inside returned: prior", a, planned, item(noStr, num(1)), a, false},
		{"update, the zero value inside returned: prior", a, planned, item(noStr, cty.NilVal), a, false},
		{"create, another type returned: null", noItem, planned, str("b"), noItem, true},
		{"prior the zero value", cty.NilVal, planned, b, b, true},
		{"prior with an unknown value, as it was", open, planned, cty.NilVal, open, false},
		{"create, unknown values returned", noDynamic, planned, open, item(noStr, str("b")), true},
		{"create, null returned: null", noItem, planned, noItem, noItem, true},
		{"delete, null returned: null", a, noItem, noItem, noItem, false},
		{"delete, a value returned", a, noItem, b, b, false},
		{"delete, unknown as a whole returned: null", a, noItem, unknownItem, noItem, false},
		{"marks of the returned value", a.Mark("p"), planned, item(unknownStr.Mark("m"), str("b")).Mark("r"), item(noStr.Mark("m"), str("b")).Mark("r"), false},
		{"marks of prior", item(str("1").Mark("m"), str("a")).Mark("p"), planned, noItem.Mark("r"), item(str("1").Mark("m"), str("a")).Mark("p"), false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, tainted, err := objchange.PartialState(compiled(schema), test.prior, test.planned, test.returned)
			expectValue(t, got, err, test.want)
			if tainted != test.tainted {
				t.Errorf("tainted: %t", tainted)
			}
		})
	}
}

// partialState returns the state after a failed create.
func partialState(schema *objchange.Schema, returned cty.Value) (cty.Value, error) {
	state, _, err := objchange.PartialState(schema, noDynamic, cty.UnknownVal(schema.ImpliedType()), returned)
	if err == nil && objchange.AssertStateValid(schema, state).Enforced() != nil {
		return state, objchange.AssertStateValid(schema, state).Err()
	}
	return state, err
}

// TestPartialStateAtDepth checks specification.md#134-partial-state: every unknown value becomes null,
// and the state is valid.
func TestPartialStateAtDepth(t *testing.T) {
	deepLists, dynamic := schemaOf(attr(cty.List(cty.List(cty.String)), "computed")), schemaOf(attr(cty.DynamicPseudoType, "computed"))
	sets := schemaOf(attr(cty.Set(cty.String), "computed"))
	lists := schemaOfBlock(block(configschema.NestingList, nil, blocks{"in": block(configschema.NestingMap, itemAttrs)}))
	in := func(v cty.Value) cty.Value { return object(obj{"in": v}) }
	a, open, closed := str("a"), item(unknownStr, str("a")), item(noStr, str("a"))
	testRewriteRows(t, partialState, []rewriteRow{
		{"in plain lists", deepLists, list(list(a, unknownStr), cty.UnknownVal(cty.List(cty.String))), list(list(a, noStr), cty.NullVal(cty.List(cty.String)))},
		{"in plain lists, marked", deepLists, list(list(a, unknownStr).Mark("m")).Mark("n"), list(list(a, noStr).Mark("m")).Mark("n")},
		{"in plain sets", sets, set(a, unknownStr, unknownStr), set(a, noStr)},
		{"in a dynamic attribute", dynamic, tuple(cty.DynamicVal, object(obj{"x": unknownNum})), tuple(noDynamic, object(obj{"x": noNum}))},
		{"at depth", lists, list(in(mapOf(obj{"k": open}))), list(in(mapOf(obj{"k": closed})))},
		{"blocks at depth", lists, list(in(cty.UnknownVal(cty.Map(itemType)))), list(in(cty.NullVal(cty.Map(itemType))))},
		{"dynamic blocks, unknown", schemaOfBlock(block(configschema.NestingList, dynAttrs)), cty.DynamicVal, noDynamic},
	})
	for _, mode := range blockModes {
		kinds := map[string]*configschema.Block{"block": schemaOfBlock(block(mode, itemAttrs)), "attribute": schemaOf(nested(mode, "computed", itemAttrs))}
		null := cty.NullVal(wrapTypeIn(mode, itemType))
		for kind, schema := range kinds {
			t.Run(kind+" "+mode.String(), func(t *testing.T) {
				testRewriteRows(t, partialState, []rewriteRow{
					{"unknown inside", schema, wrapIn(mode, open), wrapIn(mode, closed)},
					{"unknown", schema, cty.UnknownVal(null.Type()), null},
					{"unknown element", schema, wrapIn(mode, unknownItem), wrapIn(mode, noItem)},
				})
			})
		}
	}
}

// TestPartialStateWriteOnly checks specification.md#134-partial-state: a value with a write-only value
// in it is not kept.
func TestPartialStateWriteOnly(t *testing.T) {
	plain := schemaOf(attr(cty.String, "optional writeonly"))
	inner := attrs{"id": attr(cty.String, "computed"), "name": attr(cty.String, "optional writeonly")}
	lists, maps := schemaOfBlock(block(configschema.NestingList, inner)), schemaOf(nested(configschema.NestingMap, "optional", inner))
	full, open, none := item(str("1"), str("secret")), item(str("1"), unknownStr), item(str("1"), noStr)
	for _, test := range []struct {
		name                  string
		schema                *configschema.Block
		prior, returned, want cty.Value // of v
	}{
		{"set", plain, noStr, str("secret"), noStr},
		{"unknown in a list of blocks", lists, list(none), list(open, none), list(none)},
		{"null in a list of blocks", lists, list(none), list(none, none), list(none, none)},
		{"in a map of nested attributes", maps, mapOf(obj{"k": none}), mapOf(obj{"l": full}), mapOf(obj{"k": none})},
		{"in an unknown nested attribute", maps, mapOf(obj{"k": none}), mapOf(obj{"l": unknownItem}), mapOf(obj{"k": none})},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, tainted, err := objchange.PartialState(compiled(test.schema), objectOf(test.prior), objectOf(test.prior), objectOf(test.returned))
			expectValue(t, got, err, objectOf(test.want))
			if tainted {
				t.Error("tainted")
			}
		})
	}
}

// TestPartialStateOfUnusableInputIsNotTainted checks that the results for unusable input are
// the zero value and not tainted.
func TestPartialStateOfUnusableInputIsNotTainted(t *testing.T) {
	a := objectOf(str("a"))
	state, tainted, err := objchange.PartialState(compiled(schemaOf(leafAttr)), a, cty.NilVal, a)
	expectRefusal(t, state, err, objchange.RuleInvalidInput, "")
	if tainted {
		t.Error("tainted")
	}
}

// TestPreparingWithoutNeedMakesNothing checks that values in which nothing is replaced are
// returned without a copy.
func TestPreparingWithoutNeedMakesNothing(t *testing.T) {
	schema := compiled(schemaOfBlock(block(configschema.NestingList, itemAttrs)))
	value := objectOf(wrapIn(configschema.NestingList, item(str("1"), str("a"))))
	for name, prepare := range map[string]func(*objchange.Schema, cty.Value) (cty.Value, error){
		"PrepareComputedBlocks": objchange.PrepareComputedBlocks, "NormalizeLegacySDK": objchange.NormalizeLegacySDK,
	} {
		if allocs := testing.AllocsPerRun(10, func() { must(prepare(schema, value)) }); allocs > 5 {
			t.Errorf("%s makes %.0f allocations", name, allocs)
		}
	}
}
