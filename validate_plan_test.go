package objchange_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// A planRow is a row about the attribute or block type v: the planned value and the
// violations.
type planRow struct {
	name                   string
	schema                 *configschema.Block
	prior, config, planned cty.Value // of v
	wrong                  []string  // in the format of summary
}

// testPlanRows checks plans, with v in an object of its own.
func testPlanRows(t *testing.T, rows []planRow) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			expect(t, objchange.AssertPlanValid(compiled(row.schema), objectOf(row.prior), objectOf(row.config), objectOf(row.planned)), row.wrong...)
		})
	}
}

// TestPlanValidRoot checks specification.md#10-plan for the root.
func TestPlanValidRoot(t *testing.T) {
	schema := schemaOf(attr(cty.String, "optional"))
	null, unknown, some := cty.NullVal(schema.ImpliedType()), cty.UnknownVal(schema.ImpliedType()), objectOf(str("a"))
	tests := []struct {
		name                   string
		prior, config, planned cty.Value
		wrong                  []string
	}{
		{"both null, a delete: valid", some, null, null, nil},
		{"planned null, config not", null, some, null, wrong(" plan-absent")},
		{"config null, planned prior", some, null, some, wrong(" plan-present")},
		{"planned and config unknown", null, unknown, unknown, wrong(" plan-unknown-block")},
		{"config unknown, an unknown attribute", null, unknown, objectOf(unknownStr), nil},
		{"config unknown, a known attribute", null, unknown, some, wrong(".v plan-not-config")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			expect(t, objchange.AssertPlanValid(compiled(schema), test.prior, test.config, test.planned), test.wrong...)
		})
	}
}

// TestPlanValidAttributes checks specification.md#101-attributes. The rows are in order of the
// first rule that applies.
func TestPlanValidAttributes(t *testing.T) {
	optional := schemaOf(attr(cty.String, "optional"))
	computedOnly := schemaOf(attr(cty.String, "computed"))
	both := schemaOf(attr(cty.String, "optional computed"))
	dynamic := schemaOf(attr(cty.DynamicPseudoType, "optional"))
	strings := schemaOf(attr(cty.List(cty.String), "optional computed"))
	plain := schemaOf(attr(itemType, "optional"))
	number := schemaOf(attr(cty.Number, "optional"))
	refined := unknownStr.Refine().NotNull().StringPrefix("c-").NewValue()
	a, b, c := str("a"), str("b"), str("c")
	typed := object(obj{"any": noStr})
	testPlanRows(t, []planRow{
		{"1 equal to config: refinements do not count", optional, a, refined, unknownStr, nil},
		{"1 equal to config: numbers of another precision", number, noNum, num(1), cty.MustParseNumberVal("1.0"), nil},
		{"1 equal: a null element, whose parts have its types", schemaOf(nested(configschema.NestingList, "optional", attrs{"any": attr(cty.DynamicPseudoType, "optional")})),
			list(typed), list(cty.NullVal(typed.Type())), list(cty.NullVal(typed.Type())), nil},
		{"1 equal to a part of a null element", schemaOf(nested(configschema.NestingList, "optional", attrs{"any": attr(cty.DynamicPseudoType, "optional")})),
			list(typed), list(cty.NullVal(typed.Type())), list(typed), nil},
		{"7 nulls of two types: one untyped", dynamic, a, noDynamic, noNum, wrong(".v plan-not-config")},
		{"1 not equal: another type", dynamic, noDynamic, num(1), str("1"), wrong(".v plan-not-config")},

		{"2 equal to prior", optional, a, b, a, nil},
		{"2 not for part of a list", strings, list(a, b), list(b, c), list(a, c), wrong(".v plan-not-config")},
		{"2 not if config is null", optional, a, noStr, a, wrong(".v plan-not-computed")},
		{"3 read-only: valid although config is not null", computedOnly, a, b, c, nil},
		{"4 config null and computed: a value", both, a, noStr, b, nil},

		{"5 config null, not computed: a value", optional, noStr, noStr, b, wrong(".v plan-not-computed")},
		{"7 optional and computed, config set: an unknown", both, a, b, unknownStr, wrong(".v plan-not-config")},
		{"7 an object without a NestedType, at the attribute", plain, item(a, a), item(a, b), item(a, c), wrong(".v plan-not-config")},
	})
}

// TestPlanValidNestedAttributesByMode checks specification.md#101-attributes for each nesting
// mode.
func TestPlanValidNestedAttributesByMode(t *testing.T) {
	single := schemaOf(nested(configschema.NestingSingle, "optional", itemAttrs))
	lists := schemaOf(nested(configschema.NestingList, "optional", itemAttrs))
	maps := schemaOf(nested(configschema.NestingMap, "optional", itemAttrs))
	both := schemaOf(nested(configschema.NestingSingle, "optional", attrs{"name": attr(cty.String, "optional computed")}))
	name := func(v cty.Value) cty.Value { return object(obj{"name": v}) }
	noList, unknownList := cty.NullVal(cty.List(itemType)), cty.UnknownVal(cty.List(itemType))
	noMap := cty.NullVal(cty.Map(itemType))
	a, b, x := item(noStr, str("a")), item(noStr, str("b")), item(noStr, str("x"))
	empty := item(noStr, noStr)
	k := func(v cty.Value) cty.Value { return mapOf(obj{"k": v}) }
	kl := func(v, w cty.Value) cty.Value { return mapOf(obj{"k": v, "l": w}) }
	testPlanRows(t, []planRow{
		{"single: a nested value equal to prior", single, item(str("1"), str("x")), a, x, nil},
		{"single: equal to prior as a whole, with a part that would be invalid alone", single, empty, a, empty, nil},
		{"single: config unknown, a known attribute", single, noItem, unknownItem, a, wrong(".v.name plan-not-config")},
		{"single: config unknown is not null", both, cty.NullVal(name(noStr).Type()), cty.UnknownVal(name(noStr).Type()), name(str("a")), wrong(".v.name plan-not-config")},
		{"list: another length: only the count", lists, noList, list(a), list(x, x), wrong(".v plan-count")},
		{"list: config unknown", lists, noList, unknownList, list(a), wrong(".v plan-count")},
		{"list: prior at another index", lists, list(x, b), list(a, a), list(a, x), wrong(".v[1].name plan-not-config")},
		{"list: an unknown element has unknown attributes", lists, noList, list(a), list(unknownItem), wrong(".v[0].name plan-not-config")},
		{"list: a null element has null attributes", lists, noList, list(a), list(noItem), wrong(".v[0].name plan-not-config")},
		{"map: another key, shared keys as in a list", maps, noMap, kl(a, a), mapOf(obj{"k": x, "m": a}), wrong(".v plan-key", `.v["k"].name plan-not-config`)},
		{"map: prior at the key", maps, k(x), kl(a, a), kl(x, a), nil},
	})
}

// TestPlanValidLengthsOfSetsWithUnknowns checks rules/plan.md#plan-count for sets whose number
// of elements is open because of unknown values, and then specification.md#103-set-elements.
func TestPlanValidLengthsOfSetsWithUnknowns(t *testing.T) {
	schema := schemaOf(nested(configschema.NestingSet, "optional", itemAttrs))
	null, unknown := cty.NullVal(cty.Set(itemType)), cty.UnknownVal(cty.Set(itemType))
	between := func(lo, hi int) cty.Value {
		return unknown.Refine().NotNull().CollectionLengthLowerBound(lo).CollectionLengthUpperBound(hi).NewValue()
	}
	a, b, d, e := item(noStr, str("a")), item(noStr, str("b")), item(noStr, str("d")), item(noStr, str("e"))
	open, tracked := item(noStr, unknownStr), item(unknownStr, str("a"))
	count, element := ".v plan-count", ".v plan-set-element?"
	testPlanRows(t, []planRow{
		{"fewer", schema, null, set(a, b), set(a), wrong(count, element)},
		{"config unknown: any number", schema, null, unknown, set(a, b), nil},
		{"config unknown with a length: below", schema, null, between(2, 3), set(a), wrong(count)},
		{"config unknown with a length: above, but may coalesce", schema, null, between(1, 2), set(a, b, open), nil},
		{"config with an unknown value: fewer", schema, set(a), set(a, open), set(a), nil},
		{"config with an unknown element: more", schema, null, set(a, unknownItem), set(a, b, d), wrong(count, element)},
		{"planned with an unknown value: fewer", schema, null, set(a, b, d, e), set(tracked, b), wrong(count, element)},
		{"a single element with an unknown value counts as one", schema, null, set(a, b), set(tracked), wrong(count, element)},
	})
}

// TestPlanValidNullBlocks checks rules/plan.md#plan-null-blocks: null blocks are reported for
// any configuration, except for single nesting.
func TestPlanValidNullBlocks(t *testing.T) {
	c := item(noStr, str("c"))
	for _, mode := range blockModes[1:] {
		schema := schemaOfBlock(block(mode, itemAttrs))
		null := nullOf(schema)
		t.Run(mode.String(), func(t *testing.T) {
			testPlanRows(t, []planRow{
				{"1 config set", schema, null, wrapIn(mode, c), null, wrong(".v plan-null-blocks")},
				{"1 config also null", schema, null, null, null, wrong(".v plan-null-blocks")},
			})
		})
	}
	for _, mode := range blockModes[2:] {
		schema := schemaOfBlock(computed(block(mode, attrs{"id": attr(cty.String, "computed")})))
		testPlanRows(t, []planRow{{"1 computed " + mode.String(), schema, nullOf(schema), nullOf(schema), nullOf(schema), wrong(".v plan-null-blocks")}})
	}
	single := schemaOfBlock(block(configschema.NestingSingle, itemAttrs))
	objects := schemaOfBlock(block(configschema.NestingMap, dynAttrs))
	testPlanRows(t, []planRow{
		{"1 not single: config set", single, noItem, c, noItem, wrong(".v plan-absent")},
		{"1 not single: config unknown", single, noItem, unknownItem, noItem, wrong(".v plan-dynamic-block")},
		{"1 map of the dynamic type", objects, noDynamic, cty.EmptyObjectVal, noDynamic, wrong(".v plan-null-blocks")},
	})
}

// TestPlanValidBlocksExactlyEqual checks specification.md#102-block-types: for blocks, equality by
// content is not sufficient.
func TestPlanValidBlocksExactlyEqual(t *testing.T) {
	outer := schemaOfBlock(block(configschema.NestingList, itemAttrs, blocks{"in": block(configschema.NestingList, itemAttrs)}))
	deep := func(name, inner cty.Value) cty.Value {
		return list(object(obj{"id": noStr, "name": name, "in": inner}))
	}
	refined := unknownStr.Refine().NotNull().NewValue()
	null := nullOf(outer)
	noIn := cty.NullVal(cty.List(itemType))
	unknownIn := cty.UnknownVal(cty.List(itemType))
	rows := []planRow{
		{"null inside blocks that are exactly equal", outer, null, deep(str("a"), noIn), deep(str("a"), noIn), nil},
		{"null inside blocks that are equal except for a refinement", outer, null, deep(refined, noIn), deep(unknownStr, noIn), wrong(".v[0].in plan-null-blocks")},
		{"an attribute equal except for a refinement", outer, null, deep(refined, emptyItems), deep(unknownStr, emptyItems), nil},
		{"inner blocks unknown, equal except for a refinement", outer, null, deep(str("a"), unknownIn.RefineNotNull()), deep(str("a"), unknownIn), wrong(".v[0].in plan-dynamic-block")},
		{"inner block unknown, equal except for a refinement", outer, null, deep(str("a"), list(unknownItem.RefineNotNull())), deep(str("a"), list(unknownItem)), wrong(".v[0].in[0] plan-unknown-block")},
	}
	for _, mode := range blockModes {
		schema := schemaOfBlock(block(mode, itemAttrs))
		unknown := cty.UnknownVal(nullOf(schema).Type())
		rows = append(rows,
			planRow{mode.String() + " unknown, exactly equal", schema, nullOf(schema), unknown.RefineNotNull(), unknown.RefineNotNull(), nil},
			planRow{mode.String() + " unknown, less refined", schema, nullOf(schema), unknown.RefineNotNull(), unknown, wrong(".v plan-dynamic-block")},
			planRow{mode.String() + " unknown, more refined", schema, nullOf(schema), unknown, unknown.RefineNotNull(), wrong(".v plan-dynamic-block")})
	}
	for _, mode := range []configschema.NestingMode{configschema.NestingSingle, configschema.NestingGroup} {
		schema := schemaOfBlock(block(mode, itemAttrs, blocks{"in": block(configschema.NestingGroup, itemAttrs)}))
		v := func(name cty.Value) cty.Value { return object(obj{"id": noStr, "name": name, "in": noItem}) }
		rows = append(rows,
			planRow{"null inside a " + mode.String() + " block that is exactly equal", schema, nullOf(schema), v(refined), v(refined), nil},
			planRow{"null inside a " + mode.String() + " block that is only equal", schema, nullOf(schema), v(refined), v(unknownStr), wrong(".v.in plan-null-blocks")})
	}
	testPlanRows(t, rows)
}

// TestPlanValidBlocksByMode checks specification.md#102-block-types for each nesting mode.
func TestPlanValidBlocksByMode(t *testing.T) {
	single := schemaOfBlock(block(configschema.NestingSingle, itemAttrs))
	lists := schemaOfBlock(block(configschema.NestingList, itemAttrs))
	maps := schemaOfBlock(block(configschema.NestingMap, itemAttrs))
	sets := schemaOfBlock(block(configschema.NestingSet, itemAttrs))
	a, b, x := item(noStr, str("a")), item(noStr, str("b")), item(noStr, str("x"))
	empty := item(noStr, noStr)
	noList, noMap, noSet := nullOf(lists), nullOf(maps), nullOf(sets)
	testPlanRows(t, []planRow{
		{"single: planned, config null", single, a, noItem, a, wrong(".v plan-present")},
		{"single: equal to prior as a whole is not accepted", single, empty, a, empty, wrong(".v.name plan-not-config")},

		{"list: config null is empty", lists, noList, noList, emptyItems, nil},
		{"list: as long as prior, not as config", lists, list(a, b), list(a), list(a, b), wrong(".v plan-count")},
		{"list: prior at another index", lists, list(x, b), list(a, a), list(a, x), wrong(".v[1].name plan-not-config")},
		{"list: an unknown block, as configured, beside another block", lists, noList, list(a, unknownItem), list(item(str("1"), str("a")), unknownItem), wrong(".v[1] plan-unknown-block")},
		{"list: an unknown attribute for an unknown block", lists, noList, list(unknownItem), list(item(noStr, unknownStr)), nil},
		{"list: a null block", lists, noList, list(a), list(noItem), wrong(".v[0] plan-absent")},
		{"list: a block for a null block", lists, noList, list(noItem, b), list(empty, b), wrong(".v[0] plan-present")},
		{"list: null for null", lists, noList, list(noItem, a), list(noItem, x), wrong(".v[1].name plan-not-config")},
		{"map: another key, shared keys as in a list", maps, noMap, mapOf(obj{"k": a, "l": a, "m": a}), mapOf(obj{"k": x, "l": unknownItem, "n": a}),
			wrong(".v plan-key", `.v["k"].name plan-not-config`, `.v["l"] plan-unknown-block`)},
		{"set: unknown blocks as configured, beside another block", sets, noSet, set(a, unknownItem), set(item(unknownStr, str("a")), unknownItem), wrong(".v[*] plan-unknown-block")},
		{"set: one more unknown block", sets, noSet, set(a), set(a, unknownItem), wrong(".v plan-set-element?", ".v[*] plan-unknown-block")},
	})
}

// TestPlanValidDynamicBlocks checks specification.md#21-implied-type: lists of blocks of the dynamic
// type are tuples, and maps are objects with one attribute for each key.
func TestPlanValidDynamicBlocks(t *testing.T) {
	lists := schemaOfBlock(block(configschema.NestingList, dynAttrs))
	maps := schemaOfBlock(block(configschema.NestingMap, dynAttrs))
	supplied := schemaOfBlock(computed(block(configschema.NestingMap, attrs{"id": attr(cty.String, "computed"), "name": attr(cty.DynamicPseudoType, "computed")})))
	open := schemaOfBlock(block(configschema.NestingList, attrs{"any": attr(cty.DynamicPseudoType, "optional"), "in": nested(configschema.NestingList, "optional", itemAttrs)}))
	a, one, x := item(noStr, str("a")), item(noStr, num(1)), item(noStr, cty.True)
	tracked := item(unknownStr, str("a"))
	null, none := noDynamic, cty.EmptyObjectVal
	k := func(v cty.Value) cty.Value { return object(obj{"k": v}) }
	kl := func(v, w cty.Value) cty.Value { return object(obj{"k": v, "l": w}) }
	testPlanRows(t, []planRow{
		{"list: computed values filled in", lists, null, tuple(a, one), tuple(tracked, one), nil},
		{"list: another type of attribute", lists, null, tuple(a, one), tuple(a, item(noStr, str("1"))), wrong(".v[1].name plan-not-config")},
		{"list: prior of another type at the index", lists, tuple(one), tuple(a), tuple(one), nil},
		{"list: an unknown attribute where the block has no type yet", open, null, tuple(cty.DynamicVal), tuple(object(obj{"any": str("a"), "in": cty.UnknownVal(cty.List(itemType))})),
			wrong(".v[0].any plan-not-config", ".v[0].in plan-unknown-nested")},
		{"list: an unknown block of unknown type", lists, null, tuple(a), tuple(cty.DynamicVal), wrong(".v[0] plan-unknown-block")},
		{"map: config null is empty", maps, null, null, none, nil},
		{"map: more keys: the rule for keys, not for the count, and shared keys", maps, null, k(a), kl(x, a), wrong(".v plan-key", ".v.k.name plan-not-config")},
		{"map: a null block", maps, null, kl(a, one), kl(noDynamic, one), wrong(".v.k plan-absent")},
		{"map: computed", supplied, null, null, k(a), nil},
	})
}

// Tests of rules/state.md#write-only-not-null: write-only attributes are null in a plan, at every
// depth, regardless of other violations around them.

func TestPlanValidWriteOnlyAttributes(t *testing.T) {
	schema := schemaOf(attr(cty.String, "optional writeonly"))
	required := schemaOf(attr(cty.String, "required writeonly"))
	nestedOne := schemaOf(nested(configschema.NestingSingle, "optional writeonly", itemAttrs))
	nestedList := schemaOf(nested(configschema.NestingList, "optional writeonly", itemAttrs))
	c, broken := item(noStr, str("c")), wrong(".v write-only-not-null")
	testPlanRows(t, []planRow{
		{"null if config is set: valid", schema, noStr, str("c"), noStr, nil},
		{"equal to config", schema, noStr, str("c"), str("c"), broken},
		{"only one violation: neither config nor prior", required, noStr, str("c"), str("x"), broken},
		{"nested: unknown as a whole", nestedOne, noItem, c, unknownItem, broken},
		{"nested list: no violation of the length", nestedList, emptyItems, list(c), list(c, c), broken},
	})
}

// TestPlanValidWriteOnlyInUnknownElements checks rules/state.md#write-only-not-null: an unknown
// element of a nested attribute has unknown attributes.
func TestPlanValidWriteOnlyInUnknownElements(t *testing.T) {
	lists := schemaOf(nested(configschema.NestingList, "optional computed", secretAttrs))
	deep := schemaOf(nested(configschema.NestingList, "computed", attrs{"in": nested(configschema.NestingSingle, "computed", secretAttrs)}))
	noList := cty.NullVal(cty.List(secretType))
	c := secret(noStr, str("n"))
	innerType := cty.Object(map[string]cty.Type{"in": secretType})
	testPlanRows(t, []planRow{
		{"list, configured", lists, noList, list(c), list(unknownSecret), wrong(".v[0].name plan-not-config", ".v[0].wo write-only-not-null")},
		{"a null element has no attributes", lists, noList, noList, list(cty.NullVal(secretType)), nil},
		{"an unknown element is checked one level deep", deep, cty.NullVal(cty.List(innerType)), cty.NullVal(cty.List(innerType)), list(cty.UnknownVal(innerType)), nil},
		{"an unknown value inside a known element is not checked inside", deep, cty.NullVal(cty.List(innerType)), cty.NullVal(cty.List(innerType)), list(object(obj{"in": unknownSecret})), nil},
	})
}

func TestPlanValidWriteOnlyInBlocksByMode(t *testing.T) {
	single := schemaOfBlock(block(configschema.NestingSingle, secretAttrs))
	lists := schemaOfBlock(block(configschema.NestingList, secretAttrs))
	maps := schemaOfBlock(block(configschema.NestingMap, secretAttrs))
	dynAttrs := attrs{"wo": attr(cty.String, "optional writeonly"), "name": attr(cty.DynamicPseudoType, "optional")}
	objects := schemaOfBlock(block(configschema.NestingMap, dynAttrs))
	supplied := schemaOfBlock(computed(block(configschema.NestingList, attrs{"conf": nested(configschema.NestingSingle, "computed", secretAttrs)})))
	s, n, x := secret(noStr, str("n")), secret(str("s"), str("n")), secret(str("s"), num(1))
	noList, noMap, noSecret := cty.NullVal(cty.List(secretType)), cty.NullVal(cty.Map(secretType)), cty.NullVal(secretType)
	conf := list(object(obj{"conf": n}))
	testPlanRows(t, []planRow{
		{"a block that is not configured", single, noSecret, noSecret, n, wrong(".v plan-present", ".v.wo write-only-not-null")},
		{"other keys", maps, noMap, mapOf(obj{"k": s}), mapOf(obj{"l": n}), wrong(".v plan-key", `.v["l"].wo write-only-not-null`)},
		{"an unknown block has no attributes", lists, noList, list(s), list(unknownSecret), wrong(".v[0] plan-unknown-block")},
		{"map of the dynamic type", objects, noDynamic, object(obj{"k": x}), object(obj{"k": x}), wrong(".v.k.wo write-only-not-null")},
		{"in a value that the provider supplies for a computed block", supplied, cty.NullVal(conf.Type()), cty.NullVal(conf.Type()), conf, wrong(".v[0].conf.wo write-only-not-null")},
	})
}

// TestPlanValidWriteOnlyInRoot checks rules/state.md#write-only-not-null in the root, also if the
// plan must be null.
func TestPlanValidWriteOnlyInRoot(t *testing.T) {
	schema := schemaOf(attr(cty.String, "optional writeonly"))
	null := cty.NullVal(schema.ImpliedType())
	expect(t, objchange.AssertPlanValid(compiled(schema), null, null, objectOf(str("s"))), " plan-present", ".v write-only-not-null")
	expect(t, objchange.AssertPlanValid(compiled(schema), null, cty.UnknownVal(schema.ImpliedType()), objectOf(unknownStr)), ".v write-only-not-null")
}
