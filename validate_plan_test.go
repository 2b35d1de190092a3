package objchange_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// A planning is a row about one attribute or block type, named v: what a
// provider planned for it, and what is wrong with that.
type planning struct {
	name                   string
	schema                 *configschema.Block
	prior, config, planned cty.Value // of v
	wrong                  []string  // as summary writes it
}

// testPlannings checks plans, with v in an object of its own.
func testPlannings(t *testing.T, rows []planning) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			expect(t, objchange.AssertPlanValid(compiled(row.schema), objectOf(row.prior), objectOf(row.config), objectOf(row.planned)), row.wrong...)
		})
	}
}

// semantics.md#the-plan: the root.
func TestPlanValidRoot(t *testing.T) {
	schema := schemaOf(attr(cty.String, "optional"))
	null, unknown, some := cty.NullVal(schema.ImpliedType()), cty.UnknownVal(schema.ImpliedType()), objectOf(str("a"))
	tests := []struct {
		name                   string
		prior, config, planned cty.Value
		wrong                  []string
	}{
		{"both null: fine", null, null, null, nil},
		{"both null, a delete: fine", some, null, null, nil},
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

// semantics.md#planned-attributes: attributes, by the rule that is the first to
// apply.
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
	testPlannings(t, []planning{
		{"1 equal to config", optional, a, b, b, nil},
		{"1 equal to config: both null", optional, a, noStr, noStr, nil},
		{"1 equal to config: both unknown", optional, a, unknownStr, unknownStr, nil},
		{"1 equal to config: refinements do not count", optional, a, refined, unknownStr, nil},
		{"1 equal to config: refinements do not count, more of them", optional, a, unknownStr, refined, nil},
		{"1 equal to config: numbers of another precision", number, noNum, num(1), cty.MustParseNumberVal("1.0"), nil},
		{"7 nulls of two types: one without", dynamic, a, noDynamic, noNum, wrong(".v plan-not-config")},
		{"7 nulls of two types: both with", dynamic, a, noStr, noNum, wrong(".v plan-not-config")},
		{"7 nulls of two types: as before", dynamic, noNum, noDynamic, noNum, wrong(".v plan-not-config")},
		{"4 nulls of two types: computed", schemaOf(attr(cty.DynamicPseudoType, "optional computed")), a, noDynamic, noNum, nil},
		{"1 equal to config: nulls of one type", dynamic, a, noNum, noNum, nil},
		{"1 not equal: an unknown and a known", optional, noStr, unknownStr, c, wrong(".v plan-not-config")},
		{"1 not equal: a known and an unknown", required, noStr, c, unknownStr, wrong(".v plan-not-config")},
		{"1 not equal: another type", dynamic, noDynamic, num(1), str("1"), wrong(".v plan-not-config")},

		{"2 equal to prior", optional, a, b, a, nil},
		{"2 equal to prior: required", required, a, b, a, nil},
		{"2 equal to prior: optional and computed", both, a, b, a, nil},
		{"2 equal to prior: config unknown", optional, a, unknownStr, a, nil},
		{"2 equal to prior: a list", strings, list(a, b), list(b), list(a, b), nil},
		{"2 equal to prior: an object", plain, item(a, b), item(b, a), item(a, b), nil},
		{"2 equal to prior: both unknown", optional, refined, b, unknownStr, nil},
		{"2 not for part of a list", strings, list(a, b), list(b, c), list(a, c), wrong(".v plan-not-config")},
		{"2 not where prior is null", optional, noStr, b, noStr, wrong(".v plan-not-config")},
		{"2 not where config is null", optional, a, noStr, a, wrong(".v plan-not-computed")},
		{"2 not equal: another type", dynamic, num(1), a, str("1"), wrong(".v plan-not-config")},

		{"3 computed-only: an unknown", computedOnly, a, noStr, unknownStr, nil},
		{"3 computed-only: a value", computedOnly, a, noStr, b, nil},
		{"3 computed-only: null", computedOnly, a, noStr, noStr, nil},
		{"3 computed-only: fine though config is not null", computedOnly, a, b, c, nil},
		{"3 computed-only: null though config is not", computedOnly, a, b, noStr, nil},

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

// semantics.md#planned-attributes: nested attributes.
func TestPlanValidNestedAttributes(t *testing.T) {
	p, c, n := item(str("1"), str("p")), item(noStr, str("c")), item(unknownStr, str("c"))
	x := item(unknownStr, str("x"))
	for _, mode := range attributeModes {
		optional := schemaOf(nested(mode, "optional", itemAttrs))
		both := schemaOf(nested(mode, "optional computed", itemAttrs))
		computedOnly := schemaOf(nested(mode, "computed", itemAttrs))
		null := cty.NullVal(typeHeldIn(mode, itemType))
		unknown := cty.UnknownVal(null.Type())
		in := func(v cty.Value) cty.Value { return heldIn(mode, v) }
		t.Run(mode.String(), func(t *testing.T) {
			testPlannings(t, []planning{
				{"1 equal to config", optional, in(p), in(c), in(c), nil},
				{"1 equal to config: unknown", optional, in(p), unknown, unknown, nil},
				{"2 equal to prior as a whole", optional, in(p), in(c), in(p), nil},
				{"3 computed-only: an unknown", computedOnly, in(p), null, unknown, nil},
				{"3 computed-only: anything", computedOnly, in(p), in(c), in(x), nil},
				{"3 computed-only: null though config is not", computedOnly, in(p), in(c), null, nil},
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

// semantics.md#planned-attributes: what each nesting mode asks for.
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
	testPlannings(t, []planning{
		{"single: neither config nor prior", single, b, a, x, wrong(".v.name plan-not-config")},
		{"single: not computed", single, b, empty, x, wrong(".v.name plan-not-computed")},
		{"single: a nested value equal to prior", single, item(str("1"), str("x")), a, x, nil},
		{"single: prior null", single, noItem, a, x, wrong(".v.name plan-not-config")},
		{"single: equal to prior as a whole, where a part would not be fine", single, empty, a, empty, nil},
		{"single: prior unknown equals an unknown", single, unknownItem, a, item(noStr, unknownStr), nil},
		{"single: of an unknown config each attribute is unknown", single, noItem, unknownItem, item(str("1"), unknownStr), nil},
		{"single: config unknown, a known attribute", single, noItem, unknownItem, a, wrong(".v.name plan-not-config")},
		{"single: config unknown, null", single, noItem, unknownItem, empty, wrong(".v.name plan-not-config")},
		{"single: config unknown is not null", both, cty.NullVal(name(noStr).Type()), cty.UnknownVal(name(noStr).Type()), name(str("a")), wrong(".v.name plan-not-config")},

		{"list: longer", lists, noList, list(a), list(a, a), wrong(".v plan-count")},
		{"list: shorter", lists, noList, list(a, a), list(a), wrong(".v plan-count")},
		{"list: another length and nothing more", lists, noList, list(a), list(x, x), wrong(".v plan-count")},
		{"list: another length than config and the same as prior", lists, list(x, x), list(a), list(x, x), nil},
		{"list: config unknown", lists, noList, unknownList, list(a), wrong(".v plan-count")},
		{"list: config unknown, planned empty", lists, noList, unknownList, emptyItems, wrong(".v plan-count")},
		{"list: per index", lists, noList, list(a, b), list(x, x), wrong(".v[0].name plan-not-config", ".v[1].name plan-not-config")},
		{"list: per index, in order", lists, noList, list(a, b), list(b, a), wrong(".v[0].name plan-not-config", ".v[1].name plan-not-config")},
		{"list: prior at the index", lists, list(b, x), list(a, a), list(a, x), nil},
		{"list: prior at another index", lists, list(x, b), list(a, a), list(a, x), wrong(".v[1].name plan-not-config")},
		{"list: prior shorter", lists, list(x), list(a, a), list(a, x), wrong(".v[1].name plan-not-config")},
		{"list: an unknown element has unknown attributes", lists, noList, list(a), list(unknownItem), wrong(".v[0].name plan-not-config")},
		{"list: an unknown element for an unknown one", lists, noList, list(a, unknownItem), list(x, unknownItem), wrong(".v[0].name plan-not-config")},
		{"list: an element for an unknown one", lists, noList, list(unknownItem), list(a), wrong(".v[0].name plan-not-config")},
		{"list: a null element has null attributes", lists, noList, list(a), list(noItem), wrong(".v[0].name plan-not-config")},
		{"list: an element for a null one", lists, noList, list(noItem), list(a), wrong(".v[0].name plan-not-computed")},
		{"list: an empty element for a null one", lists, noList, list(noItem, a), list(empty, a), nil},

		{"map: more keys", maps, noMap, k(a), kl(a, a), wrong(".v plan-count")},
		{"map: fewer keys", maps, noMap, kl(a, a), k(a), wrong(".v plan-count")},
		{"map: another size and nothing more", maps, noMap, k(a), kl(x, x), wrong(".v plan-count")},
		{"map: another size than config and the same as prior", maps, kl(x, x), k(a), kl(x, x), nil},
		{"map: config unknown", maps, noMap, unknownMap, k(a), wrong(".v plan-count")},
		{"map: config unknown, planned empty", maps, noMap, unknownMap, emptyMap, wrong(".v plan-count")},
		{"map: another key, at the collection", maps, noMap, k(a), mapOf(obj{"x": a}), wrong(".v plan-key")},
		{"map: another key, shared ones as list", maps, noMap, kl(a, a), mapOf(obj{"k": x, "m": a}), wrong(".v plan-key", `.v["k"].name plan-not-config`)},
		{"map: per key", maps, noMap, kl(a, b), kl(b, a), wrong(`.v["k"].name plan-not-config`, `.v["l"].name plan-not-config`)},
		{"map: prior at the key", maps, k(x), kl(a, a), kl(x, a), nil},
		{"map: prior at another key", maps, mapOf(obj{"l": x}), kl(a, a), kl(x, a), wrong(`.v["k"].name plan-not-config`)},
		{"map: an unknown element has unknown attributes", maps, noMap, k(a), k(unknownItem), wrong(`.v["k"].name plan-not-config`)},
		{"map: a null element has null attributes", maps, noMap, k(a), k(noItem), wrong(`.v["k"].name plan-not-config`)},
	})
}

// semantics.md#plan-count: the number of elements of a set, which unknown
// values leave open, and then semantics.md#planned-set-elements.
func TestPlanValidNestedSetLengths(t *testing.T) {
	schema := schemaOf(nested(configschema.NestingSet, "optional", itemAttrs))
	null, unknown := cty.NullVal(cty.Set(itemType)), cty.UnknownVal(cty.Set(itemType))
	between := func(lo, hi int) cty.Value {
		return unknown.Refine().NotNull().CollectionLengthLowerBound(lo).CollectionLengthUpperBound(hi).NewValue()
	}
	a, b, d, e := item(noStr, str("a")), item(noStr, str("b")), item(noStr, str("d")), item(noStr, str("e"))
	open, tracked := item(noStr, unknownStr), item(unknownStr, str("a"))
	count, element := ".v plan-count", ".v plan-set-element?"
	testPlannings(t, []planning{
		{"as many", schema, null, set(a, b), set(a, b), nil},
		{"fewer", schema, null, set(a, b), set(a), wrong(count, element)},
		{"more", schema, null, set(a), set(a, b), wrong(count, element)},
		{"none", schema, null, set(a), cty.SetValEmpty(itemType), wrong(count, element)},
		{"some for none", schema, null, cty.SetValEmpty(itemType), set(a), wrong(count, element)},
		{"config unknown: any number", schema, null, unknown, set(a, b), nil},
		{"config unknown: none", schema, null, unknown, cty.SetValEmpty(itemType), nil},
		{"config unknown with a length: in range", schema, null, between(2, 3), set(a, b), nil},
		{"config unknown with a length: below", schema, null, between(2, 3), set(a), wrong(count)},
		{"config unknown with a length: above", schema, null, between(1, 2), set(a, b, d), wrong(count)},
		{"config unknown with a length: above, but may coalesce", schema, null, between(1, 2), set(a, b, open), nil},
		{"config holding an unknown: fewer", schema, set(a), set(a, open), set(a), nil},
		{"config holding an unknown: none", schema, null, set(a, open), cty.SetValEmpty(itemType), wrong(count, element)},
		{"config holding an unknown: more", schema, null, set(a, open), set(a, b, d), wrong(count, element)},
		{"config holding an unknown element: fewer", schema, null, set(a, b, unknownItem), set(d), nil},
		{"config holding an unknown element: more", schema, null, set(a, unknownItem), set(a, b, d), wrong(count, element)},
		{"planned holding an unknown: more", schema, null, set(a), set(tracked, b), wrong(element)},
		{"planned holding an unknown: fewer", schema, null, set(a, b, d, e), set(tracked, b), wrong(count, element)},
		{"both holding an unknown", schema, null, set(open, a, b), set(open, tracked, item(unknownStr, str("b"))), nil},
		{"a single element holding an unknown is one", schema, null, set(a, b), set(tracked), wrong(count, element)},
	})
}

// Nested attributes in nested attributes.
func TestPlanValidDeepNestedAttributes(t *testing.T) {
	steps := map[configschema.NestingMode]string{configschema.NestingSingle: "", configschema.NestingList: "[0]", configschema.NestingMap: `["k"]`}
	for outer, first := range steps {
		for inner, second := range steps {
			schema := schemaOf(nested(outer, "optional", attrs{"in": nested(inner, "optional", itemAttrs)}))
			deep := func(v cty.Value) cty.Value { return heldIn(outer, object(obj{"in": heldIn(inner, v)})) }
			null := cty.NullVal(deep(noItem).Type())
			noInner := heldIn(outer, object(obj{"in": cty.NullVal(typeHeldIn(inner, itemType))}))
			unknownInner := heldIn(outer, object(obj{"in": cty.UnknownVal(typeHeldIn(inner, itemType))}))
			c, n, x := item(noStr, str("c")), item(unknownStr, str("c")), item(unknownStr, str("x"))
			t.Run(outer.String()+" of "+inner.String(), func(t *testing.T) {
				testPlannings(t, []planning{
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
