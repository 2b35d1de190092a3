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
		{"both null: valid", null, null, null, nil},
		{"both null, a delete: valid", some, null, null, nil},
		{"planned null, config not", null, some, null, wrong(" plan-absent")},
		{"planned null, config unknown", null, unknown, null, wrong(" plan-absent")},
		{"config null, planned not", null, null, some, wrong(" plan-present")},
		{"config null, planned prior", some, null, some, wrong(" plan-present")},
		{"planned unknown", null, some, unknown, wrong(" plan-unknown-block")},
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
	required := schemaOf(attr(cty.String, "required"))
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
		{"1 equal to config", optional, a, b, b, nil},
		{"1 equal to config: both null", optional, a, noStr, noStr, nil},
		{"1 equal to config: both unknown", optional, a, unknownStr, unknownStr, nil},
		{"1 equal to config: refinements do not count", optional, a, refined, unknownStr, nil},
		{"1 equal to config: refinements do not count, more of them", optional, a, unknownStr, refined, nil},
		{"1 equal to config: numbers of another precision", number, noNum, num(1), cty.MustParseNumberVal("1.0"), nil},
		{"1 equal: a null element, whose parts have its types", schemaOf(nested(configschema.NestingList, "optional", attrs{"any": attr(cty.DynamicPseudoType, "optional")})),
			list(typed), list(cty.NullVal(typed.Type())), list(cty.NullVal(typed.Type())), nil},
		{"1 equal to a part of a null element", schemaOf(nested(configschema.NestingList, "optional", attrs{"any": attr(cty.DynamicPseudoType, "optional")})),
			list(typed), list(cty.NullVal(typed.Type())), list(typed), nil},
		{"7 nulls of two types: one untyped", dynamic, a, noDynamic, noNum, wrong(".v plan-not-config")},
		{"7 nulls of two types: both with", dynamic, a, noStr, noNum, wrong(".v plan-not-config")},
		{"7 nulls of two types: as before", dynamic, noNum, noDynamic, noNum, wrong(".v plan-not-config")},
		{"4 nulls of two types: computed", schemaOf(attr(cty.DynamicPseudoType, "optional computed")), a, noDynamic, noNum, nil},
		{"1 equal to config: nulls of one type", dynamic, a, noNum, noNum, nil},
		{"1 not equal: an unknown and a known value", optional, noStr, unknownStr, c, wrong(".v plan-not-config")},
		{"1 not equal: a known and an unknown value", required, noStr, c, unknownStr, wrong(".v plan-not-config")},
		{"1 not equal: another type", dynamic, noDynamic, num(1), str("1"), wrong(".v plan-not-config")},

		{"2 equal to prior", optional, a, b, a, nil},
		{"2 equal to prior: required", required, a, b, a, nil},
		{"2 equal to prior: optional and computed", both, a, b, a, nil},
		{"2 equal to prior: config unknown", optional, a, unknownStr, a, nil},
		{"2 equal to prior: a list", strings, list(a, b), list(b), list(a, b), nil},
		{"2 equal to prior: an object", plain, item(a, b), item(b, a), item(a, b), nil},
		{"2 equal to prior: both unknown", optional, refined, b, unknownStr, nil},
		{"2 not for part of a list", strings, list(a, b), list(b, c), list(a, c), wrong(".v plan-not-config")},
		{"2 not if prior is null", optional, noStr, b, noStr, wrong(".v plan-not-config")},
		{"2 not if config is null", optional, a, noStr, a, wrong(".v plan-not-computed")},
		{"2 not equal: another type", dynamic, num(1), a, str("1"), wrong(".v plan-not-config")},

		{"3 read-only: an unknown", computedOnly, a, noStr, unknownStr, nil},
		{"3 read-only: a value", computedOnly, a, noStr, b, nil},
		{"3 read-only: null", computedOnly, a, noStr, noStr, nil},
		{"3 read-only: valid although config is not null", computedOnly, a, b, c, nil},
		{"3 read-only: null although config is not", computedOnly, a, b, noStr, nil},

		{"4 config null and computed: an unknown", both, a, noStr, unknownStr, nil},
		{"4 config null and computed: a value", both, a, noStr, b, nil},
		{"4 config null and computed: null", both, a, noStr, noStr, nil},

		{"5 config null, not computed: a value", optional, noStr, noStr, b, wrong(".v plan-not-computed")},
		{"5 config null, not computed: an unknown", optional, noStr, noStr, unknownStr, wrong(".v plan-not-computed")},
		{"5 config null, not computed: required", required, noStr, noStr, a, wrong(".v plan-not-computed")},

		{"7 neither config nor prior", optional, a, b, c, wrong(".v plan-not-config")},
		{"7 optional and computed, config set: another value", both, a, b, c, wrong(".v plan-not-config")},
		{"7 optional and computed, config set: an unknown", both, a, b, unknownStr, wrong(".v plan-not-config")},
		{"7 optional and computed, config set: null", both, a, b, noStr, wrong(".v plan-not-config")},
		{"7 a list, at the attribute", strings, list(a), list(b), list(c), wrong(".v plan-not-config")},
		{"7 an object without a NestedType, at the attribute", plain, item(a, a), item(a, b), item(a, c), wrong(".v plan-not-config")},
	})
}

// TestPlanValidNestedAttributes checks specification.md#101-attributes for nested attributes.
func TestPlanValidNestedAttributes(t *testing.T) {
	p, c, n := item(str("1"), str("p")), item(noStr, str("c")), item(unknownStr, str("c"))
	x := item(unknownStr, str("x"))
	for _, mode := range attributeModes {
		optional := schemaOf(nested(mode, "optional", itemAttrs))
		both := schemaOf(nested(mode, "optional computed", itemAttrs))
		computedOnly := schemaOf(nested(mode, "computed", itemAttrs))
		null := cty.NullVal(wrapTypeIn(mode, itemType))
		unknown := cty.UnknownVal(null.Type())
		in := func(v cty.Value) cty.Value { return wrapIn(mode, v) }
		t.Run(mode.String(), func(t *testing.T) {
			testPlanRows(t, []planRow{
				{"1 equal to config", optional, in(p), in(c), in(c), nil},
				{"1 equal to config: unknown", optional, in(p), unknown, unknown, nil},
				{"2 equal to prior as a whole", optional, in(p), in(c), in(p), nil},
				{"3 read-only: an unknown", computedOnly, in(p), null, unknown, nil},
				{"3 read-only: any value", computedOnly, in(p), in(c), in(x), nil},
				{"3 read-only: null although config is not", computedOnly, in(p), in(c), null, nil},
				{"4 config null and computed: an unknown", both, in(p), null, unknown, nil},
				{"4 config null and computed: a value", both, in(p), null, in(x), nil},
				{"5 config null, not computed: a value", optional, null, null, in(n), wrong(".v plan-not-computed")},
				{"5 config null, not computed: the prior value", optional, in(p), null, in(p), wrong(".v plan-not-computed")},
				{"5 config null, not computed: an unknown", optional, null, null, unknown, wrong(".v plan-not-computed")},
				{"6 planned null, config not", both, in(p), in(c), null, wrong(".v plan-absent")},
				{"6 planned null, config unknown", optional, in(p), unknown, null, wrong(".v plan-absent")},
				{"6 planned unknown, config not", both, in(p), in(c), unknown, wrong(".v plan-unknown-nested")},
				{"6 computed values filled in", optional, null, in(c), in(n), nil},
				{"6 computed values kept", optional, in(p), in(c), in(item(str("1"), str("c"))), nil},
			})
		})
	}
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
	noMap, unknownMap, emptyMap := cty.NullVal(cty.Map(itemType)), cty.UnknownVal(cty.Map(itemType)), cty.MapValEmpty(itemType)
	a, b, x := item(noStr, str("a")), item(noStr, str("b")), item(noStr, str("x"))
	empty := item(noStr, noStr)
	k := func(v cty.Value) cty.Value { return mapOf(obj{"k": v}) }
	kl := func(v, w cty.Value) cty.Value { return mapOf(obj{"k": v, "l": w}) }
	testPlanRows(t, []planRow{
		{"single: neither config nor prior", single, b, a, x, wrong(".v.name plan-not-config")},
		{"single: not computed", single, b, empty, x, wrong(".v.name plan-not-computed")},
		{"single: a nested value equal to prior", single, item(str("1"), str("x")), a, x, nil},
		{"single: prior null", single, noItem, a, x, wrong(".v.name plan-not-config")},
		{"single: equal to prior as a whole, with a part that would be invalid alone", single, empty, a, empty, nil},
		{"single: prior unknown equals an unknown", single, unknownItem, a, item(noStr, unknownStr), nil},
		{"single: config unknown, each attribute unknown", single, noItem, unknownItem, item(str("1"), unknownStr), nil},
		{"single: config unknown, a known attribute", single, noItem, unknownItem, a, wrong(".v.name plan-not-config")},
		{"single: config unknown, null", single, noItem, unknownItem, empty, wrong(".v.name plan-not-config")},
		{"single: config unknown is not null", both, cty.NullVal(name(noStr).Type()), cty.UnknownVal(name(noStr).Type()), name(str("a")), wrong(".v.name plan-not-config")},

		{"list: longer", lists, noList, list(a), list(a, a), wrong(".v plan-count")},
		{"list: shorter", lists, noList, list(a, a), list(a), wrong(".v plan-count")},
		{"list: another length: only the count", lists, noList, list(a), list(x, x), wrong(".v plan-count")},
		{"list: another length than config and the same as prior", lists, list(x, x), list(a), list(x, x), nil},
		{"list: config unknown", lists, noList, unknownList, list(a), wrong(".v plan-count")},
		{"list: config unknown, planned empty", lists, noList, unknownList, emptyItems, wrong(".v plan-count")},
		{"list: per index", lists, noList, list(a, b), list(x, x), wrong(".v[0].name plan-not-config", ".v[1].name plan-not-config")},
		{"list: per index, in order", lists, noList, list(a, b), list(b, a), wrong(".v[0].name plan-not-config", ".v[1].name plan-not-config")},
		{"list: prior at the index", lists, list(b, x), list(a, a), list(a, x), nil},
		{"list: prior at another index", lists, list(x, b), list(a, a), list(a, x), wrong(".v[1].name plan-not-config")},
		{"list: prior shorter", lists, list(x), list(a, a), list(a, x), wrong(".v[1].name plan-not-config")},
		{"list: an unknown element has unknown attributes", lists, noList, list(a), list(unknownItem), wrong(".v[0].name plan-not-config")},
		{"list: an unknown element for an unknown element", lists, noList, list(a, unknownItem), list(x, unknownItem), wrong(".v[0].name plan-not-config")},
		{"list: an element for an unknown element", lists, noList, list(unknownItem), list(a), wrong(".v[0].name plan-not-config")},
		{"list: a null element has null attributes", lists, noList, list(a), list(noItem), wrong(".v[0].name plan-not-config")},
		{"list: an element for a null element", lists, noList, list(noItem), list(a), wrong(".v[0].name plan-not-computed")},
		{"list: an empty element for a null element", lists, noList, list(noItem, a), list(empty, a), nil},

		{"map: more keys", maps, noMap, k(a), kl(a, a), wrong(".v plan-count")},
		{"map: fewer keys", maps, noMap, kl(a, a), k(a), wrong(".v plan-count")},
		{"map: another size: only the count", maps, noMap, k(a), kl(x, x), wrong(".v plan-count")},
		{"map: another size than config and the same as prior", maps, kl(x, x), k(a), kl(x, x), nil},
		{"map: config unknown", maps, noMap, unknownMap, k(a), wrong(".v plan-count")},
		{"map: config unknown, planned empty", maps, noMap, unknownMap, emptyMap, wrong(".v plan-count")},
		{"map: another key, at the collection", maps, noMap, k(a), mapOf(obj{"x": a}), wrong(".v plan-key")},
		{"map: another key, shared keys as in a list", maps, noMap, kl(a, a), mapOf(obj{"k": x, "m": a}), wrong(".v plan-key", `.v["k"].name plan-not-config`)},
		{"map: per key", maps, noMap, kl(a, b), kl(b, a), wrong(`.v["k"].name plan-not-config`, `.v["l"].name plan-not-config`)},
		{"map: prior at the key", maps, k(x), kl(a, a), kl(x, a), nil},
		{"map: prior at another key", maps, mapOf(obj{"l": x}), kl(a, a), kl(x, a), wrong(`.v["k"].name plan-not-config`)},
		{"map: an unknown element has unknown attributes", maps, noMap, k(a), k(unknownItem), wrong(`.v["k"].name plan-not-config`)},
		{"map: a null element has null attributes", maps, noMap, k(a), k(noItem), wrong(`.v["k"].name plan-not-config`)},
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
		{"as many", schema, null, set(a, b), set(a, b), nil},
		{"fewer", schema, null, set(a, b), set(a), wrong(count, element)},
		{"more", schema, null, set(a), set(a, b), wrong(count, element)},
		{"none", schema, null, set(a), cty.SetValEmpty(itemType), wrong(count, element)},
		{"one element for none", schema, null, cty.SetValEmpty(itemType), set(a), wrong(count, element)},
		{"config unknown: any number", schema, null, unknown, set(a, b), nil},
		{"config unknown: empty", schema, null, unknown, cty.SetValEmpty(itemType), nil},
		{"config unknown with a length: in range", schema, null, between(2, 3), set(a, b), nil},
		{"config unknown with a length: below", schema, null, between(2, 3), set(a), wrong(count)},
		{"config unknown with a length: above", schema, null, between(1, 2), set(a, b, d), wrong(count)},
		{"config unknown with a length: above, but may coalesce", schema, null, between(1, 2), set(a, b, open), nil},
		{"config with an unknown value: fewer", schema, set(a), set(a, open), set(a), nil},
		{"config with an unknown value: empty", schema, null, set(a, open), cty.SetValEmpty(itemType), wrong(count, element)},
		{"config with an unknown value: more", schema, null, set(a, open), set(a, b, d), wrong(count, element)},
		{"config with an unknown element: fewer", schema, null, set(a, b, unknownItem), set(d), nil},
		{"config with an unknown element: more", schema, null, set(a, unknownItem), set(a, b, d), wrong(count, element)},
		{"planned with an unknown value: more", schema, null, set(a), set(tracked, b), wrong(element)},
		{"planned with an unknown value: fewer", schema, null, set(a, b, d, e), set(tracked, b), wrong(count, element)},
		{"both with an unknown value", schema, null, set(open, a, b), set(open, tracked, item(unknownStr, str("b"))), nil},
		{"a single element with an unknown value counts as one", schema, null, set(a, b), set(tracked), wrong(count, element)},
	})
}

// TestPlanValidDeepNestedAttributes checks nested attributes inside nested attributes.
func TestPlanValidDeepNestedAttributes(t *testing.T) {
	steps := map[configschema.NestingMode]string{configschema.NestingSingle: "", configschema.NestingList: "[0]", configschema.NestingMap: `["k"]`}
	for outer, first := range steps {
		for inner, second := range steps {
			schema := schemaOf(nested(outer, "optional", attrs{"in": nested(inner, "optional", itemAttrs)}))
			deep := func(v cty.Value) cty.Value { return wrapIn(outer, object(obj{"in": wrapIn(inner, v)})) }
			null := cty.NullVal(deep(noItem).Type())
			noInner := wrapIn(outer, object(obj{"in": cty.NullVal(wrapTypeIn(inner, itemType))}))
			unknownInner := wrapIn(outer, object(obj{"in": cty.UnknownVal(wrapTypeIn(inner, itemType))}))
			c, n, x := item(noStr, str("c")), item(unknownStr, str("c")), item(unknownStr, str("x"))
			t.Run(outer.String()+" of "+inner.String(), func(t *testing.T) {
				testPlanRows(t, []planRow{
					{"as configured", schema, null, deep(c), deep(n), nil},
					{"neither config nor prior", schema, null, deep(c), deep(x), wrong(".v" + first + ".in" + second + ".name plan-not-config")},
					{"equal to prior", schema, deep(item(str("1"), str("x"))), deep(c), deep(x), nil},
					{"absent", schema, null, deep(c), noInner, wrong(".v" + first + ".in plan-absent")},
					{"unknown", schema, null, deep(c), unknownInner, wrong(".v" + first + ".in plan-unknown-nested")},
					{"not computed", schema, null, noInner, deep(n), wrong(".v" + first + ".in plan-not-computed")},
				})
			})
		}
	}
}

// TestPlanValidBlocks checks specification.md#102-block-types. The rows are in order of the first
// rule that applies.
func TestPlanValidBlocks(t *testing.T) {
	p, c, n, x := item(str("1"), str("p")), item(noStr, str("c")), item(unknownStr, str("c")), item(unknownStr, str("x"))
	for _, mode := range blockModes {
		schema := schemaOfBlock(block(mode, itemAttrs))
		null := nullOf(schema)
		unknown := cty.UnknownVal(null.Type())
		in := func(v cty.Value) cty.Value { return wrapIn(mode, v) }
		t.Run(mode.String(), func(t *testing.T) {
			testPlanRows(t, []planRow{
				{"2 exactly equal to config", schema, null, in(c), in(c), nil},
				{"2 exactly equal to config: unknown", schema, null, unknown, unknown, nil},
				{"3 config unknown, planned known", schema, null, unknown, in(n), wrong(".v plan-dynamic-block")},
				{"3 config unknown, planned prior", schema, in(p), unknown, in(p), wrong(".v plan-dynamic-block")},
				{"5 planned unknown, config not", schema, in(p), in(c), unknown, wrong(".v plan-unknown-blocks")},
				{"6 computed values filled in", schema, null, in(c), in(n), nil},
				{"6 computed values kept", schema, in(p), in(c), in(item(str("1"), str("c"))), nil},
				{"6 equal to prior part by part", schema, in(p), in(c), in(p), nil},
			})
			if mode != configschema.NestingSet { // for sets, see validate_plan_set_test.go
				step := map[configschema.NestingMode]string{configschema.NestingList: "[0]", configschema.NestingMap: `["k"]`}[mode]
				testPlanRows(t, []planRow{
					{"6 neither config nor prior", schema, in(p), in(c), in(x), wrong(".v" + step + ".name plan-not-config")},
					{"6 not computed", schema, null, in(item(noStr, noStr)), in(x), wrong(".v" + step + ".name plan-not-computed")},
					{"6 unknown", schema, null, in(c), in(item(noStr, unknownStr)), wrong(".v" + step + ".name plan-not-config")},
				})
			}
		})
	}
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
				{"1 config empty", schema, null, schema.EmptyValue().GetAttr("v"), null, wrong(".v plan-null-blocks")},
				{"1 config also null", schema, null, null, null, wrong(".v plan-null-blocks")},
				{"1 config unknown", schema, null, cty.UnknownVal(null.Type()), null, wrong(".v plan-null-blocks")},
			})
		})
	}
	for _, mode := range blockModes[2:] {
		schema := schemaOfBlock(computed(block(mode, attrs{"id": attr(cty.String, "computed")})))
		testPlanRows(t, []planRow{{"1 computed " + mode.String(), schema, nullOf(schema), nullOf(schema), nullOf(schema), wrong(".v plan-null-blocks")}})
	}
	single := schemaOfBlock(block(configschema.NestingSingle, itemAttrs))
	tuples := schemaOfBlock(block(configschema.NestingList, dynAttrs))
	objects := schemaOfBlock(block(configschema.NestingMap, dynAttrs))
	testPlanRows(t, []planRow{
		{"1 not single: both null", single, c, noItem, noItem, nil},
		{"1 not single: config set", single, noItem, c, noItem, wrong(".v plan-absent")},
		{"1 not single: config unknown", single, noItem, unknownItem, noItem, wrong(".v plan-dynamic-block")},
		{"1 list of the dynamic type", tuples, noDynamic, tuple(c), noDynamic, wrong(".v plan-null-blocks")},
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
		{"null inside blocks that are not equal", outer, null, deep(str("a"), noIn), deep(str("b"), noIn), wrong(".v[0].in plan-null-blocks", ".v[0].name plan-not-config")},
		{"an attribute equal except for a refinement", outer, null, deep(refined, emptyItems), deep(unknownStr, emptyItems), nil},
		{"inner blocks unknown, exactly equal", outer, null, deep(str("a"), unknownIn), deep(str("b"), unknownIn), wrong(".v[0].name plan-not-config")},
		{"inner blocks unknown, equal except for a refinement", outer, null, deep(str("a"), unknownIn.RefineNotNull()), deep(str("a"), unknownIn), wrong(".v[0].in plan-dynamic-block")},
		{"inner block unknown, exactly equal", outer, null, deep(str("a"), list(unknownItem)), deep(str("a"), list(unknownItem)), nil},
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

// TestPlanValidComputedBlocks checks specification.md#102-block-types: the provider may supply any
// computed blocks.
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
		testPlanRows(t, []planRow{
			{"4 config null, " + mode.String() + ": unknown", schema, null, null, unknown, nil},
			{"4 config null, " + mode.String() + ": known", schema, null, null, wrapIn(mode, a), nil},
			{"4 config null, " + mode.String() + ": prior", schema, wrapIn(mode, a), null, wrapIn(mode, a), nil},
			{"config set, " + mode.String() + ": unknown", schema, null, wrapIn(mode, a), unknown, wrong(".v plan-unknown-blocks")},
			{"config unknown, " + mode.String() + ": known", schema, null, unknown, wrapIn(mode, a), wrong(".v plan-dynamic-block")},
		})
	}
	lists := schemaOfBlock(computed(block(configschema.NestingList, id)))
	sets := schemaOfBlock(computed(block(configschema.NestingSet, id)))
	single := schemaOfBlock(computed(block(configschema.NestingSingle, id)))
	testPlanRows(t, []planRow{
		{"4 config null, single: null", single, a, noItem, noItem, nil},
		{"4 config null, list: an unknown block", lists, nullOf(lists), nullOf(lists), list(unknownItem), nil},
		{"4 config null, set: an unknown block", sets, nullOf(sets), nullOf(sets), set(unknownItem), nil},
		{"config empty, not null", lists, nullOf(lists), emptyItems, list(a), wrong(".v plan-count")},
		{"config set: other values", lists, nullOf(lists), list(a), list(item(unknownStr, str("x"))), wrong(".v[0].name plan-not-config")},
	})
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
	emptyMap, emptySet := cty.MapValEmpty(itemType), cty.SetValEmpty(itemType)
	k := func(v cty.Value) cty.Value { return mapOf(obj{"k": v}) }
	kl := func(v, w cty.Value) cty.Value { return mapOf(obj{"k": v, "l": w}) }
	testPlanRows(t, []planRow{
		{"single: planned, config null", single, a, noItem, a, wrong(".v plan-present")},
		{"single: planned unknown, config null", single, noItem, noItem, unknownItem, wrong(".v plan-unknown-blocks")},
		{"single: equal to prior as a whole is not accepted", single, empty, a, empty, wrong(".v.name plan-not-config")},
		{"single: prior null", single, noItem, a, x, wrong(".v.name plan-not-config")},

		{"list: config null is empty", lists, noList, noList, emptyItems, nil},
		{"list: config null, one block planned", lists, noList, noList, list(a), wrong(".v plan-count")},
		{"list: config null, planned unknown", lists, noList, noList, cty.UnknownVal(noList.Type()), wrong(".v plan-unknown-blocks")},
		{"list: longer: only the count", lists, noList, list(a), list(x, unknownItem), wrong(".v plan-count")},
		{"list: shorter: only the count", lists, noList, list(a, b), list(x), wrong(".v plan-count")},
		{"list: as long as prior, not as config", lists, list(a, b), list(a), list(a, b), wrong(".v plan-count")},
		{"list: per index", lists, noList, list(a, b), list(b, a), wrong(".v[0].name plan-not-config", ".v[1].name plan-not-config")},
		{"list: prior at the index", lists, list(b, x), list(a, a), list(a, x), nil},
		{"list: prior at another index", lists, list(x, b), list(a, a), list(a, x), wrong(".v[1].name plan-not-config")},
		{"list: prior shorter", lists, list(x), list(a, a), list(a, x), wrong(".v[1].name plan-not-config")},
		{"list: an unknown block", lists, noList, list(a, b), list(x, unknownItem), wrong(".v[0].name plan-not-config", ".v[1] plan-unknown-block")},
		{"list: an unknown block, as configured, beside another block", lists, noList, list(a, unknownItem), list(item(str("1"), str("a")), unknownItem), wrong(".v[1] plan-unknown-block")},
		{"list: a block for an unknown block", lists, noList, list(unknownItem), list(a), wrong(".v[0].name plan-not-config")},
		{"list: an unknown attribute for an unknown block", lists, noList, list(unknownItem), list(item(noStr, unknownStr)), nil},
		{"list: a null block", lists, noList, list(a), list(noItem), wrong(".v[0] plan-absent")},
		{"list: a block for a null block", lists, noList, list(noItem, b), list(empty, b), wrong(".v[0] plan-present")},
		{"list: null for null", lists, noList, list(noItem, a), list(noItem, x), wrong(".v[1].name plan-not-config")},

		{"map: config null is empty", maps, noMap, noMap, emptyMap, nil},
		{"map: config null, one block planned", maps, noMap, noMap, k(a), wrong(".v plan-count")},
		{"map: more keys: only the count", maps, noMap, k(a), kl(x, unknownItem), wrong(".v plan-count")},
		{"map: fewer keys: only the count", maps, noMap, kl(a, b), mapOf(obj{"m": x}), wrong(".v plan-count")},
		{"map: another key, at the collection", maps, noMap, k(a), mapOf(obj{"x": a}), wrong(".v plan-key")},
		{"map: another key, shared keys as in a list", maps, noMap, mapOf(obj{"k": a, "l": a, "m": a}), mapOf(obj{"k": x, "l": unknownItem, "n": a}),
			wrong(".v plan-key", `.v["k"].name plan-not-config`, `.v["l"] plan-unknown-block`)},
		{"map: per key", maps, noMap, kl(a, b), kl(b, a), wrong(`.v["k"].name plan-not-config`, `.v["l"].name plan-not-config`)},
		{"map: prior at the key", maps, k(x), kl(a, a), kl(x, a), nil},
		{"map: prior at another key", maps, mapOf(obj{"l": x}), kl(a, a), kl(x, a), wrong(`.v["k"].name plan-not-config`)},
		{"map: a null block", maps, noMap, k(a), k(noItem), wrong(`.v["k"] plan-absent`)},

		{"set: config null is empty", sets, noSet, noSet, emptySet, nil},
		{"set: config null, one block planned", sets, noSet, noSet, set(a), wrong(".v plan-set-element?")},
		{"set: each unknown block", sets, noSet, set(a, b), set(a, unknownItem), wrong(".v[*] plan-unknown-block")},
		{"set: unknown blocks as configured", sets, noSet, set(a, unknownItem), set(a, unknownItem), nil},
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
	null, unknown, none := noDynamic, cty.DynamicVal, cty.EmptyObjectVal
	k := func(v cty.Value) cty.Value { return object(obj{"k": v}) }
	kl := func(v, w cty.Value) cty.Value { return object(obj{"k": v, "l": w}) }
	testPlanRows(t, []planRow{
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
		{"map: config null, one block planned: the rule for keys, not for the count", maps, null, null, k(a), wrong(".v plan-key")},
		{"map: more keys: the rule for keys, not for the count, and shared keys", maps, null, k(a), kl(x, a), wrong(".v plan-key", ".v.k.name plan-not-config")},
		{"map: fewer keys: the rule for keys, not for the count, and shared keys", maps, null, kl(a, one), k(x), wrong(".v plan-key", ".v.k.name plan-not-config")},
		{"map: another key, and shared keys", maps, null, kl(a, one), object(obj{"k": x, "m": a}), wrong(".v plan-key", ".v.k.name plan-not-config")},
		{"map: another type of attribute", maps, null, kl(a, one), kl(a, item(noStr, str("1"))), wrong(".v.l.name plan-not-config")},
		{"map: prior at the key", maps, object(obj{"m": a, "k": x}), kl(a, one), kl(x, one), nil},
		{"map: an unknown block", maps, null, kl(a, one), kl(cty.DynamicVal, one), wrong(".v.k plan-unknown-block")},
		{"map: a null block", maps, null, kl(a, one), kl(noDynamic, one), wrong(".v.k plan-absent")},
		{"map: computed", supplied, null, null, k(a), nil},
		{"map: config unknown", maps, null, unknown, k(a), wrong(".v plan-dynamic-block")},
	})
}

// TestPlanValidDeepBlocks checks blocks in blocks, and nested attributes in blocks.
func TestPlanValidDeepBlocks(t *testing.T) {
	inner := blocks{"in": block(configschema.NestingMap, attrs{"conf": nested(configschema.NestingList, "optional", itemAttrs)})}
	lists := schemaOfBlock(block(configschema.NestingList, nil, inner))
	groups := schemaOfBlock(block(configschema.NestingGroup, nil, inner))
	deep := func(name string) cty.Value {
		return object(obj{"in": mapOf(obj{"k": object(obj{"conf": list(item(noStr, str(name)))})})})
	}
	testPlanRows(t, []planRow{
		{"in a list", lists, nullOf(lists), list(deep("a"), deep("b")), list(deep("a"), deep("x")), wrong(`.v[1].in["k"].conf[0].name plan-not-config`)},
		{"in a list, prior at the same place", lists, list(deep("a"), deep("x")), list(deep("a"), deep("b")), list(deep("a"), deep("x")), nil},
		{"in a list, prior at another place", lists, list(deep("x"), deep("a")), list(deep("a"), deep("b")), list(deep("a"), deep("x")), wrong(`.v[1].in["k"].conf[0].name plan-not-config`)},
		{"in a group", groups, nullOf(groups), deep("a"), deep("x"), wrong(`.v.in["k"].conf[0].name plan-not-config`)},
		{"in a group, prior null", groups, cty.NullVal(deep("a").Type()), deep("a"), deep("a"), nil},
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
		{"null if config is unknown", schema, noStr, unknownStr, noStr, nil},
		{"null if config is null", schema, noStr, noStr, noStr, nil},
		{"required", required, noStr, str("c"), noStr, nil},
		{"equal to config", schema, noStr, str("c"), str("c"), broken},
		{"equal to prior", schema, str("p"), str("c"), str("p"), broken},
		{"equal to an unknown config: unknown is not null", schema, noStr, unknownStr, unknownStr, broken},
		{"only one violation: not configured", schema, noStr, noStr, str("x"), broken},
		{"only one violation: neither config nor prior", required, noStr, str("c"), str("x"), broken},
		{"only one violation: unknown", required, noStr, str("c"), unknownStr, broken},

		{"nested: null if config is set", nestedOne, noItem, c, noItem, nil},
		{"nested: no violation of a nested attribute", nestedOne, noItem, c, item(noStr, str("x")), broken},
		{"nested: unknown as a whole", nestedOne, noItem, c, unknownItem, broken},
		{"nested list: no violation of the length", nestedList, emptyItems, list(c), list(c, c), broken},
	})
}

// TestPlanValidWriteOnlyInNestedAttributes checks rules/state.md#write-only-not-null in nested
// attributes, also in computed ones and in those that equal the configuration.
func TestPlanValidWriteOnlyInNestedAttributes(t *testing.T) {
	steps := map[configschema.NestingMode]string{configschema.NestingSingle: "", configschema.NestingList: "[0]", configschema.NestingMap: `["k"]`}
	s, n := str("s"), str("n")
	for mode, step := range steps {
		optional := schemaOf(nested(mode, "optional", secretAttrs))
		computedOnly := schemaOf(nested(mode, "computed", secretAttrs))
		both := schemaOf(nested(mode, "optional computed", secretAttrs))
		null := cty.NullVal(wrapTypeIn(mode, secretType))
		unknown := cty.UnknownVal(null.Type())
		in := func(v cty.Value) cty.Value { return wrapIn(mode, v) }
		place := ".v" + step + ".wo write-only-not-null"
		t.Run(mode.String(), func(t *testing.T) {
			testPlanRows(t, []planRow{
				{"null", optional, null, in(secret(s, n)), in(secret(noStr, n)), nil},
				{"the attribute is equal to config", optional, null, in(secret(s, n)), in(secret(s, n)), wrong(place)},
				{"the attribute is equal to prior", optional, in(secret(s, n)), in(secret(noStr, s)), in(secret(s, n)), wrong(place)},
				{"the attribute is not configured", optional, null, null, in(secret(s, n)), wrong(".v plan-not-computed", place)},
				{"read-only", computedOnly, null, null, in(secret(s, n)), wrong(place)},
				{"optional and computed, config null", both, null, null, in(secret(s, n)), wrong(place)},
				{"unknown is not null", optional, null, in(secret(s, n)), in(secret(unknownStr, n)), wrong(place)},
				{"beside another violation", optional, null, in(secret(s, n)), in(secret(s, s)),
					wrong(".v"+step+".name plan-not-config", place)},
				{"an attribute unknown as a whole is not checked inside", both, null, null, unknown, nil},
				{"a configured attribute unknown as a whole is not checked inside", optional, null, in(secret(s, n)), unknown, wrong(".v plan-unknown-nested")},
			})
		})
	}
}

// TestPlanValidWriteOnlyInUnknownElements checks rules/state.md#write-only-not-null: an unknown
// element of a nested attribute has unknown attributes.
func TestPlanValidWriteOnlyInUnknownElements(t *testing.T) {
	lists := schemaOf(nested(configschema.NestingList, "optional computed", secretAttrs))
	maps := schemaOf(nested(configschema.NestingMap, "optional computed", secretAttrs))
	deep := schemaOf(nested(configschema.NestingList, "computed", attrs{"in": nested(configschema.NestingSingle, "computed", secretAttrs)}))
	noList, noMap := cty.NullVal(cty.List(secretType)), cty.NullVal(cty.Map(secretType))
	c := secret(noStr, str("n"))
	innerType := cty.Object(map[string]cty.Type{"in": secretType})
	testPlanRows(t, []planRow{
		{"list", lists, noList, noList, list(c, unknownSecret), wrong(".v[1].wo write-only-not-null")},
		{"list, config also unknown", lists, noList, list(unknownSecret), list(unknownSecret), wrong(".v[0].wo write-only-not-null")},
		{"list, configured", lists, noList, list(c), list(unknownSecret), wrong(".v[0].name plan-not-config", ".v[0].wo write-only-not-null")},
		{"map", maps, noMap, noMap, mapOf(obj{"k": unknownSecret}), wrong(`.v["k"].wo write-only-not-null`)},
		{"a null element has no attributes", lists, noList, noList, list(cty.NullVal(secretType)), nil},
		{"an unknown element is checked one level deep", deep, cty.NullVal(cty.List(innerType)), cty.NullVal(cty.List(innerType)), list(cty.UnknownVal(innerType)), nil},
		{"an unknown value inside a known element is not checked inside", deep, cty.NullVal(cty.List(innerType)), cty.NullVal(cty.List(innerType)), list(object(obj{"in": unknownSecret})), nil},
	})
}

// TestPlanValidWriteOnlyInBlocks checks rules/state.md#write-only-not-null in blocks, also in
// blocks without other violations.
func TestPlanValidWriteOnlyInBlocks(t *testing.T) {
	steps := map[configschema.NestingMode]string{configschema.NestingSingle: "", configschema.NestingGroup: "", configschema.NestingList: "[0]", configschema.NestingMap: `["k"]`}
	s, n := str("s"), str("n")
	for mode, step := range steps {
		schema := schemaOfBlock(block(mode, secretAttrs))
		deep := schemaOfBlock(block(configschema.NestingSingle, nil, blocks{"in": block(mode, secretAttrs)}))
		null := cty.NullVal(wrapTypeIn(mode, secretType))
		unknown := cty.UnknownVal(null.Type())
		in := func(v cty.Value) cty.Value { return wrapIn(mode, v) }
		inner := func(v cty.Value) cty.Value { return object(obj{"in": v}) }
		place := ".v" + step + ".wo write-only-not-null"
		t.Run(mode.String(), func(t *testing.T) {
			testPlanRows(t, []planRow{
				{"null", schema, null, in(secret(s, n)), in(secret(noStr, n)), nil},
				{"blocks equal to config", schema, null, in(secret(s, n)), in(secret(s, n)), wrong(place)},
				{"blocks equal to config, deeper", deep, nullOf(deep), inner(in(secret(s, n))), inner(in(secret(s, n))),
					wrong(".v.in" + step + ".wo write-only-not-null")},
				{"the number of blocks is unknown", schema, null, unknown, in(secret(s, n)), wrong(".v plan-dynamic-block", place)},
				{"blocks unknown as a whole are not checked inside", schema, null, in(secret(s, n)), unknown, wrong(".v plan-unknown-blocks")},
				{"beside another violation", schema, null, in(secret(s, n)), in(secret(s, s)), wrong(".v"+step+".name plan-not-config", place)},
			})
		})
	}
}

func TestPlanValidWriteOnlyInBlocksByMode(t *testing.T) {
	single := schemaOfBlock(block(configschema.NestingSingle, secretAttrs))
	lists := schemaOfBlock(block(configschema.NestingList, secretAttrs))
	maps := schemaOfBlock(block(configschema.NestingMap, secretAttrs))
	dynAttrs := attrs{"wo": attr(cty.String, "optional writeonly"), "name": attr(cty.DynamicPseudoType, "optional")}
	tuples := schemaOfBlock(block(configschema.NestingList, dynAttrs))
	objects := schemaOfBlock(block(configschema.NestingMap, dynAttrs))
	supplied := schemaOfBlock(computed(block(configschema.NestingList, attrs{"conf": nested(configschema.NestingSingle, "computed", secretAttrs)})))
	s, n, x := secret(noStr, str("n")), secret(str("s"), str("n")), secret(str("s"), num(1))
	noList, noMap, noSecret := cty.NullVal(cty.List(secretType)), cty.NullVal(cty.Map(secretType)), cty.NullVal(secretType)
	conf := list(object(obj{"conf": n}))
	testPlanRows(t, []planRow{
		{"a block that is not configured", single, noSecret, noSecret, n, wrong(".v plan-present", ".v.wo write-only-not-null")},
		{"another number of blocks", lists, noList, list(s), list(s, n), wrong(".v plan-count", ".v[1].wo write-only-not-null")},
		{"other keys", maps, noMap, mapOf(obj{"k": s}), mapOf(obj{"l": n}), wrong(".v plan-key", `.v["l"].wo write-only-not-null`)},
		{"an unknown block has no attributes", lists, noList, list(s), list(unknownSecret), wrong(".v[0] plan-unknown-block")},
		{"an unknown block equal to config has no attributes", lists, noList, list(unknownSecret), list(unknownSecret), nil},
		{"a null block has no attributes", lists, noList, list(noSecret), list(noSecret), nil},
		{"list of the dynamic type", tuples, noDynamic, tuple(x), tuple(x), wrong(".v[0].wo write-only-not-null")},
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
