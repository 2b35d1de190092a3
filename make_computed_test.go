package objchange_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// semantics.md#plans-without-opinions: the plan of a provider without opinions.

func TestPlanComputedWhole(t *testing.T) {
	schema := &configschema.Block{Attributes: itemAttrs, BlockTypes: blocks{"group": block(configschema.NestingGroup, itemAttrs)}}
	ty := schema.ImpliedType()
	whole := object(obj{"id": str("1"), "name": noStr, "group": item(str("2"), noStr)})
	tests := []struct {
		name     string
		in, want cty.Value
	}{
		{"null, a delete: null", cty.NullVal(ty), cty.NullVal(ty)},
		{"the untyped null: null", noDynamic, cty.NullVal(ty)},
		{"unknown: unknown", cty.UnknownVal(ty), cty.UnknownVal(ty)},
		{"the untyped unknown: unknown", cty.DynamicVal, cty.UnknownVal(ty)},
		{"nothing left to choose: the proposal", whole, whole},
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
	testRewritings(t, objchange.PlanComputed, []rewriting{
		{"computed, null: unknown", computedOnly, noStr, unknownStr},
		{"computed, set: it stays", computedOnly, str("1"), str("1")},
		{"computed, unknown: it stays", computedOnly, unknownStr.RefineNotNull(), unknownStr.RefineNotNull()},
		{"optional and computed, null: unknown", both, noStr, unknownStr},
		{"optional and computed, set: it stays", both, str("1"), str("1")},
		{"optional, null: null", schemaOf(attr(cty.String, "optional")), noStr, noStr},
		{"optional, unknown: unknown", schemaOf(attr(cty.String, "optional")), unknownStr, unknownStr},
		{"computed list, null: unknown", strings, cty.NullVal(cty.List(cty.String)), cty.UnknownVal(cty.List(cty.String))},
		{"computed list, empty: it stays", strings, cty.ListValEmpty(cty.String), cty.ListValEmpty(cty.String)},
		{"computed list, null inside: it stays", strings, list(noStr), list(noStr)},
		{"computed object without a NestedType, null inside: it stays", plain, item(noStr, noStr), item(noStr, noStr)},
		{"computed and dynamic, null: unknown", schemaOf(attr(cty.DynamicPseudoType, "computed")), noDynamic, cty.DynamicVal},
		{"write-only, set: null", writeOnly, str("secret"), noStr},
		{"write-only, unknown: null", writeOnly, unknownStr, noStr},
		{"write-only, null: null", writeOnly, noStr, noStr},
	})
}

func TestPlanComputedNestedAttributes(t *testing.T) {
	for _, mode := range attributeModes {
		optional, both := schemaOf(nested(mode, "optional", itemAttrs)), schemaOf(nested(mode, "optional computed", itemAttrs))
		null := cty.NullVal(typeHeldIn(mode, itemType))
		unknown := cty.UnknownVal(null.Type())
		deep := schemaOfBlock(block(configschema.NestingSet, attrs{"in": nested(mode, "optional", attrs{"more": nested(configschema.NestingMap, "optional", itemAttrs)})}))
		deepVal := func(id cty.Value) cty.Value {
			return set(object(obj{"in": heldIn(mode, object(obj{"more": mapOf(obj{"k": item(id, noStr)})}))}))
		}
		rows := []rewriting{
			{"computed, null: unknown as a whole", both, null, unknown},
			{"optional, null: null", optional, null, null},
			{"unknown: unknown", optional, unknown, unknown},
			{"computed inside, null: unknown", optional, heldIn(mode, item(noStr, noStr)), heldIn(mode, item(unknownStr, noStr))},
			{"computed inside, set: it stays", optional, heldIn(mode, item(str("1"), noStr)), heldIn(mode, item(str("1"), noStr))},
			{"both levels computed", both, heldIn(mode, item(noStr, str("a"))), heldIn(mode, item(unknownStr, str("a")))},
			{"at depth", deep, deepVal(noStr), deepVal(unknownStr)},
		}
		if mode != configschema.NestingSingle {
			rows = append(rows,
				rewriting{"element null: null", optional, heldIn(mode, noItem), heldIn(mode, noItem)},
				rewriting{"element unknown: unknown", optional, heldIn(mode, unknownItem), heldIn(mode, unknownItem)})
		}
		if mode != configschema.NestingSet {
			write := attrs{"w": writeLeaf, "id": computedLeaf}
			in := func(w, id cty.Value) cty.Value { return heldIn(mode, object(obj{"w": w, "id": id})) }
			rows = append(rows,
				rewriting{"write-only inside: null", schemaOf(nested(mode, "optional", write)), in(str("secret"), noStr), in(noStr, unknownStr)})
		}
		t.Run(mode.String(), func(t *testing.T) { testRewritings(t, objchange.PlanComputed, rows) })
	}
	lists, sets := schemaOf(nested(configschema.NestingList, "optional", itemAttrs)), schemaOf(nested(configschema.NestingSet, "optional", itemAttrs))
	a, b := item(noStr, str("a")), item(str("1"), str("b"))
	testRewritings(t, objchange.PlanComputed, []rewriting{
		{"list, computed and empty: it stays", schemaOf(nested(configschema.NestingList, "computed", itemAttrs)), emptyItems, emptyItems},
		{"list, each element", lists, list(b, a, b, a), list(b, item(unknownStr, str("a")), b, item(unknownStr, str("a")))},
		{"set, each element", sets, set(a, b), set(item(unknownStr, str("a")), b)},
	})
}

func TestPlanComputedBlocks(t *testing.T) {
	for _, mode := range blockModes {
		schema := schemaOfBlock(block(mode, itemAttrs))
		null := cty.NullVal(typeHeldIn(mode, itemType))
		unknown := cty.UnknownVal(null.Type())
		rows := []rewriting{
			{"null: null", schema, null, null},
			{"unknown: unknown", schema, unknown, unknown},
			{"computed inside, null: unknown", schema, heldIn(mode, item(noStr, noStr)), heldIn(mode, item(unknownStr, noStr))},
			{"in a set", schemaOfBlock(block(configschema.NestingSet, nil, blocks{"w": schema.BlockTypes["v"]})),
				set(object(obj{"w": heldIn(mode, item(noStr, noStr))})), set(object(obj{"w": heldIn(mode, item(unknownStr, noStr))}))},
		}
		if mode != configschema.NestingSet {
			write := attrs{"w": writeLeaf, "id": computedLeaf}
			in := func(w, id cty.Value) cty.Value { return heldIn(mode, object(obj{"w": w, "id": id})) }
			rows = append(rows, rewriting{"write-only inside: null", schemaOfBlock(block(mode, write)), in(str("secret"), noStr), in(noStr, unknownStr)})
		}
		if mode != configschema.NestingGroup {
			supplied := schemaOfBlock(computed(block(mode, attrs{"id": computedLeaf})))
			ty := typeHeldIn(mode, cty.Object(map[string]cty.Type{"id": cty.String}))
			one := func(id cty.Value) cty.Value { return heldIn(mode, object(obj{"id": id})) }
			rows = append(rows,
				rewriting{"a computed block type, null: unknown", supplied, cty.NullVal(ty), cty.UnknownVal(ty)},
				rewriting{"a computed block type, not null: its blocks", supplied, one(noStr), one(unknownStr)},
				rewriting{"a computed block type inside another, null: unknown", schemaOfBlock(block(configschema.NestingList, nil, blocks{"w": supplied.BlockTypes["v"]})),
					list(object(obj{"w": cty.NullVal(ty)})), list(object(obj{"w": cty.UnknownVal(ty)}))})
		}
		t.Run(mode.String(), func(t *testing.T) { testRewritings(t, objchange.PlanComputed, rows) })
	}
	dynamic := attrs{"any": attr(cty.DynamicPseudoType, "computed")}
	anyOf := func(v cty.Value) cty.Value { return object(obj{"any": v}) }
	testRewritings(t, objchange.PlanComputed, []rewriting{
		{"a computed block type, empty: it stays", schemaOfBlock(computed(block(configschema.NestingList, nil))), cty.ListValEmpty(cty.EmptyObject), cty.ListValEmpty(cty.EmptyObject)},
		{"element null: null", schemaOfBlock(block(configschema.NestingList, itemAttrs)), list(noItem), list(noItem)},
		{"element unknown: its parts, since a block must not be planned unknown", schemaOfBlock(block(configschema.NestingMap, itemAttrs)), mapOf(obj{"k": unknownItem}), mapOf(obj{"k": item(unknownStr, unknownStr)})},
		{"dynamic list", schemaOfBlock(block(configschema.NestingList, dynAttrs)), tuple(item(noStr, num(1)), item(noStr, str("a"))), tuple(item(unknownStr, num(1)), item(unknownStr, str("a")))},
		{"dynamic map", schemaOfBlock(block(configschema.NestingMap, dynAttrs)), object(obj{"k": item(noStr, num(1))}), object(obj{"k": item(unknownStr, num(1))})},
		{"dynamic and computed inside", schemaOfBlock(block(configschema.NestingList, dynamic)), tuple(anyOf(noDynamic), anyOf(num(1))), tuple(anyOf(cty.DynamicVal), anyOf(num(1)))},
		{"in a list of one type: unknown of that type", schemaOf(nested(configschema.NestingList, "optional", dynamic)), list(anyOf(noNum), anyOf(num(1))), list(anyOf(unknownNum), anyOf(num(1)))},
		{"dynamic and a computed block type, null: unknown", schemaOfBlock(computed(block(configschema.NestingMap, dynamic))), noDynamic, cty.DynamicVal},
	})
}

func TestPlanComputedMarks(t *testing.T) {
	lists, sets := schemaOfBlock(block(configschema.NestingList, itemAttrs)), schemaOfBlock(block(configschema.NestingSet, itemAttrs))
	testRewritings(t, objchange.PlanComputed, []rewriting{
		{"of what becomes unknown", schemaOf(attr(cty.String, "computed")), noStr.Mark("m"), unknownStr.Mark("m")},
		{"of what stays", schemaOf(attr(cty.String, "computed")), str("1").Mark("m"), str("1").Mark("m")},
		{"of a write-only attribute", schemaOf(writeLeaf), str("secret").Mark("m"), noStr.Mark("m")},
		{"of a list and an element", lists, list(item(noStr, str("a")).Mark("n")).Mark("m"), list(item(unknownStr, str("a")).Mark("n")).Mark("m")},
		{"of a set", sets, set(item(noStr, str("a"))).Mark("m"), set(item(unknownStr, str("a"))).Mark("m")},
	})
	got, err := objchange.PlanComputed(compiled(lists), objectOf(list(item(noStr, noStr))).Mark("m"))
	expectValue(t, got, err, objectOf(list(item(unknownStr, noStr))).Mark("m"))
}

// What PlanComputed plans is always valid.
func TestPlanComputedIsValid(t *testing.T) {
	inner := attrs{"id": computedLeaf, "name": attr(cty.String, "optional computed"), "in": nested(configschema.NestingList, "optional computed", itemAttrs)}
	schema := &configschema.Block{
		Attributes: attrs{"id": computedLeaf, "secret": writeLeaf, "map": nested(configschema.NestingMap, "optional", attrs{"id": computedLeaf, "secret": writeLeaf})},
		BlockTypes: blocks{
			"set":      block(configschema.NestingSet, inner),
			"list":     block(configschema.NestingList, inner),
			"group":    block(configschema.NestingGroup, inner),
			"dyn":      block(configschema.NestingMap, dynAttrs),
			"supplied": computed(block(configschema.NestingList, attrs{"id": computedLeaf})),
		},
	}
	noIn, noSupplied := cty.NullVal(cty.List(itemType)), cty.NullVal(cty.List(cty.Object(map[string]cty.Type{"id": cty.String})))
	element := func(id, name, in cty.Value) cty.Value { return object(obj{"id": id, "name": name, "in": in}) }
	whole := func(id, secret, element, it, supplied cty.Value) cty.Value {
		return object(obj{
			"id": id, "secret": secret, "map": mapOf(obj{"k": object(obj{"id": id, "secret": secret})}),
			"set": set(element), "list": list(element, element), "group": element,
			"dyn": object(obj{"k": it}), "supplied": supplied,
		})
	}
	stored := whole(str("1"), noStr, element(str("2"), str("a"), list(item(str("3"), noStr))), item(str("4"), num(1)), list(object(obj{"id": str("5")})))
	written := whole(noStr, str("secret"), element(noStr, str("b"), list(item(noStr, str("x")), item(noStr, noStr))), item(noStr, str("y")), noSupplied)
	left := whole(noStr, noStr, element(noStr, noStr, noIn), item(noStr, noDynamic), noSupplied)
	null := cty.NullVal(schema.ImpliedType())
	for _, test := range []struct {
		name          string
		prior, config cty.Value
	}{
		{"create", null, written},
		{"create, all left to the provider", null, left},
		{"create, from what was stored elsewhere", null, schema.EmptyValue()},
		{"update", stored, written},
		{"update, all left to the provider", stored, left},
		{"delete", stored, null},
	} {
		t.Run(test.name, func(t *testing.T) {
			proposed, err := objchange.ProposedNew(compiled(schema), test.prior, test.config)
			if err != nil {
				t.Fatal(err)
			}
			planned, err := objchange.PlanComputed(compiled(schema), proposed)
			if err != nil {
				t.Fatal(err)
			}
			expect(t, objchange.AssertPlanValid(compiled(schema), test.prior, test.config, planned))
		})
	}
}

// semantics.md#computed-blocks: computed blocks that are empty become null.

func TestPrepareComputedBlocks(t *testing.T) {
	id := attrs{"id": computedLeaf}
	idType := cty.Object(map[string]cty.Type{"id": cty.String})
	one := object(obj{"id": noStr})
	collections := []configschema.NestingMode{configschema.NestingList, configschema.NestingSet, configschema.NestingMap}
	for _, mode := range collections {
		schema, plain := schemaOfBlock(computed(block(mode, id))), schemaOfBlock(block(mode, id))
		empty, null := plain.EmptyValue().GetAttr("v"), cty.NullVal(typeHeldIn(mode, idType))
		rows := []rewriting{
			{"empty: null", schema, empty, null},
			{"null: null", schema, null, null},
			{"unknown: unknown", schema, cty.UnknownVal(null.Type()), cty.UnknownVal(null.Type())},
			{"not empty: it stays", schema, heldIn(mode, one), heldIn(mode, one)},
			{"empty but not computed: it stays", plain, empty, empty},
			{"empty and marked: null and marked", schema, empty.Mark("m"), null.Mark("m")},
			{"a nested attribute, computed and empty: it stays", schemaOf(nested(mode, "computed", id)), empty, empty},
			{"a computed block type inside another", schemaOfBlock(computed(block(configschema.NestingList, nil, blocks{"w": schema.BlockTypes["v"]}))),
				list(object(obj{"w": empty})), list(object(obj{"w": null}))},
		}
		for _, outer := range blockModes {
			within := schemaOfBlock(block(outer, nil, blocks{"w": schema.BlockTypes["v"]}))
			rows = append(rows, rewriting{"inside " + outer.String(), within, heldIn(outer, object(obj{"w": empty})), heldIn(outer, object(obj{"w": null}))})
		}
		t.Run(mode.String(), func(t *testing.T) { testRewritings(t, objchange.PrepareComputedBlocks, rows) })
	}
	dynLists := computed(block(configschema.NestingList, attrs{"any": attr(cty.DynamicPseudoType, "computed")}))
	dynMaps := computed(block(configschema.NestingMap, dynLists.Attributes))
	anything := object(obj{"any": num(1)})
	single := computed(block(configschema.NestingSingle, nil))
	lists := computed(block(configschema.NestingList, id))
	noList, emptyList := cty.NullVal(cty.List(idType)), cty.ListValEmpty(idType)
	sets := schemaOfBlock(block(configschema.NestingSet, attrs{"name": leafAttr}, blocks{"w": lists}))
	in := func(name string, w cty.Value) cty.Value { return object(obj{"name": str(name), "w": w}) }
	testRewritings(t, objchange.PrepareComputedBlocks, []rewriting{
		{"single, without content: it stays", schemaOfBlock(single), cty.EmptyObjectVal, cty.EmptyObjectVal},
		{"single, null: null", schemaOfBlock(single), cty.NullVal(cty.EmptyObject), cty.NullVal(cty.EmptyObject)},
		{"an attribute, computed and empty: it stays", schemaOf(attr(cty.List(cty.String), "computed")), cty.ListValEmpty(cty.String), cty.ListValEmpty(cty.String)},
		{"each element of a set", sets, set(in("a", emptyList), in("b", noList), in("c", list(one))), set(in("a", noList), in("b", noList), in("c", list(one)))},
		{"elements of a set become one", sets, set(in("a", emptyList), in("a", noList)), set(in("a", noList))},
		{"beside elements that are null or unknown", schemaOfBlock(block(configschema.NestingList, nil, blocks{"w": lists})),
			list(cty.NullVal(cty.Object(map[string]cty.Type{"w": cty.List(idType)})), cty.UnknownVal(cty.Object(map[string]cty.Type{"w": cty.List(idType)})), object(obj{"w": emptyList})),
			list(cty.NullVal(cty.Object(map[string]cty.Type{"w": cty.List(idType)})), cty.UnknownVal(cty.Object(map[string]cty.Type{"w": cty.List(idType)})), object(obj{"w": noList}))},
		{"dynamic list, the empty tuple: a null of the dynamic type", schemaOfBlock(dynLists), cty.EmptyTupleVal, noDynamic},
		{"dynamic map, the empty object: a null of the dynamic type", schemaOfBlock(dynMaps), cty.EmptyObjectVal, noDynamic},
		{"dynamic list, null: null", schemaOfBlock(dynLists), noDynamic, noDynamic},
		{"dynamic list, unknown: unknown", schemaOfBlock(dynLists), cty.DynamicVal, cty.DynamicVal},
		{"dynamic list, not empty: it stays", schemaOfBlock(dynLists), tuple(anything), tuple(anything)},
		{"dynamic map, not empty: it stays", schemaOfBlock(dynMaps), object(obj{"k": anything}), object(obj{"k": anything})},
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
