package objchange_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
)

// semantics.md#planned-blocks: nested blocks, by the rule that is the first to
// apply.
func TestPlanValidBlocks(t *testing.T) {
	p, c, n, x := item(str("1"), str("p")), item(noStr, str("c")), item(unknownStr, str("c")), item(unknownStr, str("x"))
	for _, mode := range blockModes {
		schema := schemaOfBlock(block(mode, itemAttrs))
		null := nullOf(schema)
		unknown := cty.UnknownVal(null.Type())
		in := func(v cty.Value) cty.Value { return heldIn(mode, v) }
		t.Run(mode.String(), func(t *testing.T) {
			testPlannings(t, []planning{
				{"2 exactly equal to config", schema, null, in(c), in(c), nil},
				{"2 exactly equal to config: unknown", schema, null, unknown, unknown, nil},
				{"3 config unknown, planned known", schema, null, unknown, in(n), wrong(".v plan-dynamic-block")},
				{"3 config unknown, planned prior", schema, in(p), unknown, in(p), wrong(".v plan-dynamic-block")},
				{"5 planned unknown, config not", schema, in(p), in(c), unknown, wrong(".v plan-unknown-blocks")},
				{"6 computed values filled in", schema, null, in(c), in(n), nil},
				{"6 computed values kept", schema, in(p), in(c), in(item(str("1"), str("c"))), nil},
				{"6 equal to prior part by part", schema, in(p), in(c), in(p), nil},
			})
			if mode != configschema.NestingSet { // sets: validate_plan_set_test.go
				step := map[configschema.NestingMode]string{configschema.NestingList: "[0]", configschema.NestingMap: `["k"]`}[mode]
				testPlannings(t, []planning{
					{"6 neither config nor prior", schema, in(p), in(c), in(x), wrong(".v" + step + ".name plan-not-config")},
					{"6 not computed", schema, null, in(item(noStr, noStr)), in(x), wrong(".v" + step + ".name plan-not-computed")},
					{"6 unknown", schema, null, in(c), in(item(noStr, unknownStr)), wrong(".v" + step + ".name plan-not-config")},
				})
			}
		})
	}
}

// semantics.md#plan-null-blocks: what is null, whatever the configuration says,
// unless the mode is single.
func TestPlanValidNullBlocks(t *testing.T) {
	c := item(noStr, str("c"))
	for _, mode := range blockModes[1:] {
		schema := schemaOfBlock(block(mode, itemAttrs))
		null := nullOf(schema)
		t.Run(mode.String(), func(t *testing.T) {
			testPlannings(t, []planning{
				{"1 config set", schema, null, heldIn(mode, c), null, wrong(".v plan-null-blocks")},
				{"1 config empty", schema, null, schema.EmptyValue().GetAttr("v"), null, wrong(".v plan-null-blocks")},
				{"1 config null too", schema, null, null, null, wrong(".v plan-null-blocks")},
				{"1 config unknown", schema, null, cty.UnknownVal(null.Type()), null, wrong(".v plan-null-blocks")},
			})
		})
	}
	for _, mode := range blockModes[2:] {
		schema := schemaOfBlock(computed(block(mode, attrs{"id": attr(cty.String, "computed")})))
		testPlannings(t, []planning{{"1 computed " + mode.String(), schema, nullOf(schema), nullOf(schema), nullOf(schema), wrong(".v plan-null-blocks")}})
	}
	single := schemaOfBlock(block(configschema.NestingSingle, itemAttrs))
	tuples := schemaOfBlock(block(configschema.NestingList, dynAttrs))
	objects := schemaOfBlock(block(configschema.NestingMap, dynAttrs))
	testPlannings(t, []planning{
		{"1 not single: both null", single, c, noItem, noItem, nil},
		{"1 not single: config set", single, noItem, c, noItem, wrong(".v plan-absent")},
		{"1 not single: config unknown", single, noItem, unknownItem, noItem, wrong(".v plan-dynamic-block")},
		{"1 list of the dynamic type", tuples, noDynamic, tuple(c), noDynamic, wrong(".v plan-null-blocks")},
		{"1 map of the dynamic type", objects, noDynamic, cty.EmptyObjectVal, noDynamic, wrong(".v plan-null-blocks")},
	})
}

// semantics.md#planned-blocks: for blocks, equal is not enough.
func TestPlanValidBlocksExactlyEqual(t *testing.T) {
	outer := schemaOfBlock(block(configschema.NestingList, itemAttrs, blocks{"in": block(configschema.NestingList, itemAttrs)}))
	deep := func(name, inner cty.Value) cty.Value {
		return list(object(obj{"id": noStr, "name": name, "in": inner}))
	}
	refined := unknownStr.Refine().NotNull().NewValue()
	null := nullOf(outer)
	noIn := cty.NullVal(cty.List(itemType))
	unknownIn := cty.UnknownVal(cty.List(itemType))
	rows := []planning{
		{"null inside blocks that are exactly equal", outer, null, deep(str("a"), noIn), deep(str("a"), noIn), nil},
		{"null inside blocks that are equal but for a refinement", outer, null, deep(refined, noIn), deep(unknownStr, noIn), wrong(".v[0].in plan-null-blocks")},
		{"null inside blocks that are not equal", outer, null, deep(str("a"), noIn), deep(str("b"), noIn), wrong(".v[0].in plan-null-blocks", ".v[0].name plan-not-config")},
		{"an attribute equal but for a refinement", outer, null, deep(refined, emptyItems), deep(unknownStr, emptyItems), nil},
		{"inner blocks unknown, exactly equal", outer, null, deep(str("a"), unknownIn), deep(str("b"), unknownIn), wrong(".v[0].name plan-not-config")},
		{"inner blocks unknown, equal but for a refinement", outer, null, deep(str("a"), unknownIn.RefineNotNull()), deep(str("a"), unknownIn), wrong(".v[0].in plan-dynamic-block")},
		{"inner block unknown, exactly equal", outer, null, deep(str("a"), list(unknownItem)), deep(str("a"), list(unknownItem)), nil},
		{"inner block unknown, equal but for a refinement", outer, null, deep(str("a"), list(unknownItem.RefineNotNull())), deep(str("a"), list(unknownItem)), wrong(".v[0].in[0] plan-unknown-block")},
	}
	for _, mode := range blockModes {
		schema := schemaOfBlock(block(mode, itemAttrs))
		unknown := cty.UnknownVal(nullOf(schema).Type())
		rows = append(rows,
			planning{mode.String() + " unknown, exactly equal", schema, nullOf(schema), unknown.RefineNotNull(), unknown.RefineNotNull(), nil},
			planning{mode.String() + " unknown, less refined", schema, nullOf(schema), unknown.RefineNotNull(), unknown, wrong(".v plan-dynamic-block")},
			planning{mode.String() + " unknown, more refined", schema, nullOf(schema), unknown, unknown.RefineNotNull(), wrong(".v plan-dynamic-block")})
	}
	for _, mode := range []configschema.NestingMode{configschema.NestingSingle, configschema.NestingGroup} {
		schema := schemaOfBlock(block(mode, itemAttrs, blocks{"in": block(configschema.NestingGroup, itemAttrs)}))
		v := func(name cty.Value) cty.Value { return object(obj{"id": noStr, "name": name, "in": noItem}) }
		rows = append(rows,
			planning{"null inside a " + mode.String() + " block that is exactly equal", schema, nullOf(schema), v(refined), v(refined), nil},
			planning{"null inside a " + mode.String() + " block that is only equal", schema, nullOf(schema), v(refined), v(unknownStr), wrong(".v.in plan-null-blocks")})
	}
	testPlannings(t, rows)
}

// semantics.md#planned-blocks: the provider may supply computed blocks as it
// likes.
func TestPlanValidComputedBlocks(t *testing.T) {
	id := attrs{"id": attr(cty.String, "computed"), "name": attr(cty.String, "optional computed")}
	a := item(str("1"), str("a"))
	for _, mode := range blockModes {
		if mode == configschema.NestingGroup {
			continue
		}
		schema := schemaOfBlock(computed(block(mode, id)))
		null := nullOf(schema)
		unknown := cty.UnknownVal(null.Type())
		testPlannings(t, []planning{
			{"4 config null, " + mode.String() + ": unknown", schema, null, null, unknown, nil},
			{"4 config null, " + mode.String() + ": known", schema, null, null, heldIn(mode, a), nil},
			{"4 config null, " + mode.String() + ": prior", schema, heldIn(mode, a), null, heldIn(mode, a), nil},
			{"config set, " + mode.String() + ": unknown", schema, null, heldIn(mode, a), unknown, wrong(".v plan-unknown-blocks")},
			{"config unknown, " + mode.String() + ": known", schema, null, unknown, heldIn(mode, a), wrong(".v plan-dynamic-block")},
		})
	}
	lists := schemaOfBlock(computed(block(configschema.NestingList, id)))
	sets := schemaOfBlock(computed(block(configschema.NestingSet, id)))
	single := schemaOfBlock(computed(block(configschema.NestingSingle, id)))
	testPlannings(t, []planning{
		{"4 config null, single: null", single, a, noItem, noItem, nil},
		{"4 config null, list: an unknown block", lists, nullOf(lists), nullOf(lists), list(unknownItem), nil},
		{"4 config null, set: an unknown block", sets, nullOf(sets), nullOf(sets), set(unknownItem), nil},
		{"config empty, not null", lists, nullOf(lists), emptyItems, list(a), wrong(".v plan-count")},
		{"config set: other values", lists, nullOf(lists), list(a), list(item(unknownStr, str("x"))), wrong(".v[0].name plan-not-config")},
	})
}

// semantics.md#planned-blocks: what each nesting mode asks for.
func TestPlanValidBlocksByMode(t *testing.T) {
	single := schemaOfBlock(block(configschema.NestingSingle, itemAttrs))
	lists := schemaOfBlock(block(configschema.NestingList, itemAttrs))
	maps := schemaOfBlock(block(configschema.NestingMap, itemAttrs))
	sets := schemaOfBlock(block(configschema.NestingSet, itemAttrs))
	a, b, x := item(noStr, str("a")), item(noStr, str("b")), item(noStr, str("x"))
	empty := item(noStr, noStr)
	noList, noMap, noSet := nullOf(lists), nullOf(maps), nullOf(sets)
	emptyMap, emptySet := cty.MapValEmpty(itemType), cty.SetValEmpty(itemType)
	k := func(v cty.Value) cty.Value { return mapOf(obj{"k": v}) }
	kl := func(v, w cty.Value) cty.Value { return mapOf(obj{"k": v, "l": w}) }
	testPlannings(t, []planning{
		{"single: planned, config null", single, a, noItem, a, wrong(".v plan-present")},
		{"single: planned unknown, config null", single, noItem, noItem, unknownItem, wrong(".v plan-unknown-blocks")},
		{"single: equal to prior as a whole is not enough", single, empty, a, empty, wrong(".v.name plan-not-config")},
		{"single: prior null", single, noItem, a, x, wrong(".v.name plan-not-config")},

		{"list: config null is empty", lists, noList, noList, emptyItems, nil},
		{"list: config null, planned one", lists, noList, noList, list(a), wrong(".v plan-count")},
		{"list: config null, planned unknown", lists, noList, noList, cty.UnknownVal(noList.Type()), wrong(".v plan-unknown-blocks")},
		{"list: longer, nothing more", lists, noList, list(a), list(x, unknownItem), wrong(".v plan-count")},
		{"list: shorter, nothing more", lists, noList, list(a, b), list(x), wrong(".v plan-count")},
		{"list: as long as prior, not as config", lists, list(a, b), list(a), list(a, b), wrong(".v plan-count")},
		{"list: per index", lists, noList, list(a, b), list(b, a), wrong(".v[0].name plan-not-config", ".v[1].name plan-not-config")},
		{"list: prior at the index", lists, list(b, x), list(a, a), list(a, x), nil},
		{"list: prior at another index", lists, list(x, b), list(a, a), list(a, x), wrong(".v[1].name plan-not-config")},
		{"list: prior shorter", lists, list(x), list(a, a), list(a, x), wrong(".v[1].name plan-not-config")},
		{"list: an unknown block", lists, noList, list(a, b), list(x, unknownItem), wrong(".v[0].name plan-not-config", ".v[1] plan-unknown-block")},
		{"list: an unknown block, as configured, beside another", lists, noList, list(a, unknownItem), list(item(str("1"), str("a")), unknownItem), wrong(".v[1] plan-unknown-block")},
		{"list: a block for an unknown one", lists, noList, list(unknownItem), list(a), wrong(".v[0].name plan-not-config")},
		{"list: an unknown attribute for an unknown block", lists, noList, list(unknownItem), list(item(noStr, unknownStr)), nil},
		{"list: a null block", lists, noList, list(a), list(noItem), wrong(".v[0] plan-absent")},
		{"list: a block for a null one", lists, noList, list(noItem, b), list(empty, b), wrong(".v[0] plan-present")},
		{"list: null for null", lists, noList, list(noItem, a), list(noItem, x), wrong(".v[1].name plan-not-config")},

		{"map: config null is empty", maps, noMap, noMap, emptyMap, nil},
		{"map: config null, planned one", maps, noMap, noMap, k(a), wrong(".v plan-count")},
		{"map: more keys and nothing more", maps, noMap, k(a), kl(x, unknownItem), wrong(".v plan-count")},
		{"map: fewer keys and nothing more", maps, noMap, kl(a, b), mapOf(obj{"m": x}), wrong(".v plan-count")},
		{"map: another key, at the collection", maps, noMap, k(a), mapOf(obj{"x": a}), wrong(".v plan-key")},
		{"map: another key, shared ones as list", maps, noMap, mapOf(obj{"k": a, "l": a, "m": a}), mapOf(obj{"k": x, "l": unknownItem, "n": a}),
			wrong(".v plan-key", `.v["k"].name plan-not-config`, `.v["l"] plan-unknown-block`)},
		{"map: per key", maps, noMap, kl(a, b), kl(b, a), wrong(`.v["k"].name plan-not-config`, `.v["l"].name plan-not-config`)},
		{"map: prior at the key", maps, k(x), kl(a, a), kl(x, a), nil},
		{"map: prior at another key", maps, mapOf(obj{"l": x}), kl(a, a), kl(x, a), wrong(`.v["k"].name plan-not-config`)},
		{"map: a null block", maps, noMap, k(a), k(noItem), wrong(`.v["k"] plan-absent`)},

		{"set: config null is empty", sets, noSet, noSet, emptySet, nil},
		{"set: config null, planned one", sets, noSet, noSet, set(a), wrong(".v plan-set-element?")},
		{"set: each unknown block", sets, noSet, set(a, b), set(a, unknownItem), wrong(".v[*] plan-unknown-block")},
		{"set: unknown blocks as configured", sets, noSet, set(a, unknownItem), set(a, unknownItem), nil},
		{"set: unknown blocks as configured, beside another", sets, noSet, set(a, unknownItem), set(item(unknownStr, str("a")), unknownItem), wrong(".v[*] plan-unknown-block")},
		{"set: an unknown block more", sets, noSet, set(a), set(a, unknownItem), wrong(".v plan-set-element?", ".v[*] plan-unknown-block")},
	})
}

// semantics.md#implied-types: lists and maps of blocks of the dynamic type are
// tuples, and objects with an attribute for each key.
func TestPlanValidDynamicBlocks(t *testing.T) {
	lists := schemaOfBlock(block(configschema.NestingList, dynAttrs))
	maps := schemaOfBlock(block(configschema.NestingMap, dynAttrs))
	supplied := schemaOfBlock(computed(block(configschema.NestingMap, attrs{"id": attr(cty.String, "computed"), "name": attr(cty.DynamicPseudoType, "computed")})))
	open := schemaOfBlock(block(configschema.NestingList, attrs{"any": attr(cty.DynamicPseudoType, "optional"), "in": nested(configschema.NestingList, "optional", itemAttrs)}))
	a, one, x := item(noStr, str("a")), item(noStr, num(1)), item(noStr, cty.True)
	tracked := item(unknownStr, str("a"))
	null, unknown, none := noDynamic, cty.DynamicVal, cty.EmptyObjectVal
	k := func(v cty.Value) cty.Value { return object(obj{"k": v}) }
	kl := func(v, w cty.Value) cty.Value { return object(obj{"k": v, "l": w}) }
	testPlannings(t, []planning{
		{"list: exactly equal", lists, null, tuple(a, one), tuple(a, one), nil},
		{"list: computed values filled in", lists, null, tuple(a, one), tuple(tracked, one), nil},
		{"list: config null is empty", lists, null, null, cty.EmptyTupleVal, nil},
		{"list: config unknown", lists, null, unknown, tuple(a), wrong(".v plan-dynamic-block")},
		{"list: both unknown", lists, null, unknown, unknown, nil},
		{"list: planned unknown", lists, null, tuple(a), unknown, wrong(".v plan-unknown-blocks")},
		{"list: another length", lists, null, tuple(a), tuple(x, x), wrong(".v plan-count")},
		{"list: another type of attribute", lists, null, tuple(a, one), tuple(a, item(noStr, str("1"))), wrong(".v[1].name plan-not-config")},
		{"list: prior of another type at the index", lists, tuple(one), tuple(a), tuple(one), nil},
		{"list: an unknown attribute where the block has no type yet", open, null, tuple(cty.DynamicVal), tuple(object(obj{"any": str("a"), "in": cty.UnknownVal(cty.List(itemType))})),
			wrong(".v[0].any plan-not-config", ".v[0].in plan-unknown-nested")},
		{"list: an unknown block", lists, null, tuple(a), tuple(cty.UnknownVal(a.Type())), wrong(".v[0] plan-unknown-block")},
		{"list: an unknown block of unknown type", lists, null, tuple(a), tuple(cty.DynamicVal), wrong(".v[0] plan-unknown-block")},

		{"map: exactly equal", maps, null, kl(a, one), kl(a, one), nil},
		{"map: computed values filled in", maps, null, kl(a, one), kl(tracked, one), nil},
		{"map: config null is empty", maps, null, null, none, nil},
		{"map: config null, planned one: a key, not a count", maps, null, null, k(a), wrong(".v plan-key")},
		{"map: more keys: a key, not a count, and shared ones", maps, null, k(a), kl(x, a), wrong(".v plan-key", ".v.k.name plan-not-config")},
		{"map: fewer keys: a key, not a count, and shared ones", maps, null, kl(a, one), k(x), wrong(".v plan-key", ".v.k.name plan-not-config")},
		{"map: another key, and shared ones", maps, null, kl(a, one), object(obj{"k": x, "m": a}), wrong(".v plan-key", ".v.k.name plan-not-config")},
		{"map: another type of attribute", maps, null, kl(a, one), kl(a, item(noStr, str("1"))), wrong(".v.l.name plan-not-config")},
		{"map: prior at the key", maps, object(obj{"m": a, "k": x}), kl(a, one), kl(x, one), nil},
		{"map: an unknown block", maps, null, kl(a, one), kl(cty.DynamicVal, one), wrong(".v.k plan-unknown-block")},
		{"map: a null block", maps, null, kl(a, one), kl(noDynamic, one), wrong(".v.k plan-absent")},
		{"map: computed", supplied, null, null, k(a), nil},
		{"map: config unknown", maps, null, unknown, k(a), wrong(".v plan-dynamic-block")},
	})
}

// Blocks in blocks, and nested attributes in blocks.
func TestPlanValidDeepBlocks(t *testing.T) {
	inner := blocks{"in": block(configschema.NestingMap, attrs{"conf": nested(configschema.NestingList, "optional", itemAttrs)})}
	lists := schemaOfBlock(block(configschema.NestingList, nil, inner))
	groups := schemaOfBlock(block(configschema.NestingGroup, nil, inner))
	deep := func(name string) cty.Value {
		return object(obj{"in": mapOf(obj{"k": object(obj{"conf": list(item(noStr, str(name)))})})})
	}
	testPlannings(t, []planning{
		{"in a list", lists, nullOf(lists), list(deep("a"), deep("b")), list(deep("a"), deep("x")), wrong(`.v[1].in["k"].conf[0].name plan-not-config`)},
		{"in a list, prior at the same place", lists, list(deep("a"), deep("x")), list(deep("a"), deep("b")), list(deep("a"), deep("x")), nil},
		{"in a list, prior at another place", lists, list(deep("x"), deep("a")), list(deep("a"), deep("b")), list(deep("a"), deep("x")), wrong(`.v[1].in["k"].conf[0].name plan-not-config`)},
		{"in a group", groups, nullOf(groups), deep("a"), deep("x"), wrong(`.v.in["k"].conf[0].name plan-not-config`)},
		{"in a group, prior null", groups, cty.NullVal(deep("a").Type()), deep("a"), deep("a"), nil},
	})
}
