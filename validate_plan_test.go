package objchange_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
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
			Expect(t, objchange.AssertPlanValid(Compiled(row.schema), ObjectOf(row.prior), ObjectOf(row.config), ObjectOf(row.planned)), row.wrong...)
		})
	}
}

// TestPlanValidAttributes checks specification.md#101-attributes. The rows are in order of the
// first rule that applies.
func TestPlanValidAttributes(t *testing.T) {
	optional := SchemaOf(Attr(cty.String, "optional"))
	computedOnly := SchemaOf(Attr(cty.String, "computed"))
	both := SchemaOf(Attr(cty.String, "optional computed"))
	dynamic := SchemaOf(Attr(cty.DynamicPseudoType, "optional"))
	strings := SchemaOf(Attr(cty.List(cty.String), "optional computed"))
	plain := SchemaOf(Attr(ItemType, "optional"))
	number := SchemaOf(Attr(cty.Number, "optional"))
	refined := UnknownStr.Refine().NotNull().StringPrefix("c-").NewValue()
	a, b, c := Str("a"), Str("b"), Str("c")
	typed := Object(Obj{"any": NoStr})
	testPlanRows(t, []planRow{
		{"1 equal to config: refinements do not count", optional, a, refined, UnknownStr, nil},
		{"1 equal to config: numbers of another precision", number, NoNum, Num(1), cty.MustParseNumberVal("1.0"), nil},
		{"1 equal: a null element, whose parts have its types", SchemaOf(Nested(configschema.NestingList, "optional", Attrs{"any": Attr(cty.DynamicPseudoType, "optional")})),
			List(typed), List(cty.NullVal(typed.Type())), List(cty.NullVal(typed.Type())), nil},
		{"1 equal to a part of a null element", SchemaOf(Nested(configschema.NestingList, "optional", Attrs{"any": Attr(cty.DynamicPseudoType, "optional")})),
			List(typed), List(cty.NullVal(typed.Type())), List(typed), nil},
		{"7 nulls of two types: one untyped", dynamic, a, NoDynamic, NoNum, wrong(".v plan-not-config")},
		{"1 not equal: another type", dynamic, NoDynamic, Num(1), Str("1"), wrong(".v plan-not-config")},

		{"2 equal to prior", optional, a, b, a, nil},
		{"2 not for part of a list", strings, List(a, b), List(b, c), List(a, c), wrong(".v plan-not-config")},
		{"2 not if config is null", optional, a, NoStr, a, wrong(".v plan-not-computed")},
		{"3 read-only: valid although config is not null", computedOnly, a, b, c, nil},
		{"4 config null and computed: a value", both, a, NoStr, b, nil},

		{"5 config null, not computed: a value", optional, NoStr, NoStr, b, wrong(".v plan-not-computed")},
		{"7 optional and computed, config set: an unknown", both, a, b, UnknownStr, wrong(".v plan-not-config")},
		{"7 an object without a NestedType, at the attribute", plain, Item(a, a), Item(a, b), Item(a, c), wrong(".v plan-not-config")},
	})
}

// TestPlanValidLengthsOfSetsWithUnknowns checks rules/plan.md#plan-count for sets whose number
// of elements is open because of unknown values, and then specification.md#103-set-elements.
func TestPlanValidLengthsOfSetsWithUnknowns(t *testing.T) {
	schema := SchemaOf(Nested(configschema.NestingSet, "optional", ItemAttrs))
	null, unknown := cty.NullVal(cty.Set(ItemType)), cty.UnknownVal(cty.Set(ItemType))
	between := func(lo, hi int) cty.Value {
		return unknown.Refine().NotNull().CollectionLengthLowerBound(lo).CollectionLengthUpperBound(hi).NewValue()
	}
	a, b, d, e := Item(NoStr, Str("a")), Item(NoStr, Str("b")), Item(NoStr, Str("d")), Item(NoStr, Str("e"))
	open, tracked := Item(NoStr, UnknownStr), Item(UnknownStr, Str("a"))
	count, element := ".v plan-count", ".v plan-set-element?"
	testPlanRows(t, []planRow{
		{"config unknown with a length: below", schema, null, between(2, 3), Set(a), wrong(count)},
		{"config unknown with a length: above, but may coalesce", schema, null, between(1, 2), Set(a, b, open), nil},
		{"config with an unknown value: fewer", schema, Set(a), Set(a, open), Set(a), nil},
		{"planned with an unknown value: fewer", schema, null, Set(a, b, d, e), Set(tracked, b), wrong(count, element)},
	})
}

// TestPlanValidBlocksByMode checks specification.md#102-block-types for each nesting mode.
func TestPlanValidBlocksByMode(t *testing.T) {
	single := SchemaOfBlock(Block(configschema.NestingSingle, ItemAttrs))
	lists := SchemaOfBlock(Block(configschema.NestingList, ItemAttrs))
	maps := SchemaOfBlock(Block(configschema.NestingMap, ItemAttrs))
	sets := SchemaOfBlock(Block(configschema.NestingSet, ItemAttrs))
	a, b, x := Item(NoStr, Str("a")), Item(NoStr, Str("b")), Item(NoStr, Str("x"))
	empty := Item(NoStr, NoStr)
	noList, noMap, noSet := NullOf(lists), NullOf(maps), NullOf(sets)
	testPlanRows(t, []planRow{
		{"single: planned, config null", single, a, NoItem, a, wrong(".v plan-present")},
		{"single: equal to prior as a whole is not accepted", single, empty, a, empty, wrong(".v.name plan-not-config")},

		{"list: config null is empty", lists, noList, noList, EmptyItems, nil},
		{"list: as long as prior, not as config", lists, List(a, b), List(a), List(a, b), wrong(".v plan-count")},
		{"list: prior at another index", lists, List(x, b), List(a, a), List(a, x), wrong(".v[1].name plan-not-config")},
		{"list: an unknown block, as configured, beside another block", lists, noList, List(a, UnknownItem), List(Item(Str("1"), Str("a")), UnknownItem), wrong(".v[1] plan-unknown-block")},
		{"list: an unknown attribute for an unknown block", lists, noList, List(UnknownItem), List(Item(NoStr, UnknownStr)), nil},
		{"list: a null block", lists, noList, List(a), List(NoItem), wrong(".v[0] plan-absent")},
		{"list: a block for a null block", lists, noList, List(NoItem, b), List(empty, b), wrong(".v[0] plan-present")},
		{"list: null for null", lists, noList, List(NoItem, a), List(NoItem, x), wrong(".v[1].name plan-not-config")},
		{"map: another key, shared keys as in a list", maps, noMap, MapOf(Obj{"k": a, "l": a, "m": a}), MapOf(Obj{"k": x, "l": UnknownItem, "n": a}),
			wrong(".v plan-key", `.v["k"].name plan-not-config`, `.v["l"] plan-unknown-block`)},
		{"set: unknown blocks as configured, beside another block", sets, noSet, Set(a, UnknownItem), Set(Item(UnknownStr, Str("a")), UnknownItem), wrong(".v[*] plan-unknown-block")},
		{"set: one more unknown block", sets, noSet, Set(a), Set(a, UnknownItem), wrong(".v plan-set-element?", ".v[*] plan-unknown-block")},
	})
}

// Tests of rules/state.md#write-only-not-null: write-only attributes are null in a plan, at every
// depth, regardless of other violations around them.

func TestPlanValidWriteOnlyAttributes(t *testing.T) {
	schema := SchemaOf(Attr(cty.String, "optional writeonly"))
	required := SchemaOf(Attr(cty.String, "required writeonly"))
	nestedOne := SchemaOf(Nested(configschema.NestingSingle, "optional writeonly", ItemAttrs))
	nestedList := SchemaOf(Nested(configschema.NestingList, "optional writeonly", ItemAttrs))
	c, broken := Item(NoStr, Str("c")), wrong(".v write-only-not-null")
	testPlanRows(t, []planRow{
		{"null if config is set: valid", schema, NoStr, Str("c"), NoStr, nil},
		{"equal to config", schema, NoStr, Str("c"), Str("c"), broken},
		{"only one violation: neither config nor prior", required, NoStr, Str("c"), Str("x"), broken},
		{"nested: unknown as a whole", nestedOne, NoItem, c, UnknownItem, broken},
		{"nested list: no violation of the length", nestedList, EmptyItems, List(c), List(c, c), broken},
	})
}

// TestPlanValidWriteOnlyInRoot checks rules/state.md#write-only-not-null in the root, also if the
// plan must be null.
func TestPlanValidWriteOnlyInRoot(t *testing.T) {
	schema := SchemaOf(Attr(cty.String, "optional writeonly"))
	null := cty.NullVal(schema.ImpliedType())
	Expect(t, objchange.AssertPlanValid(Compiled(schema), null, null, ObjectOf(Str("s"))), " plan-present", ".v write-only-not-null")
	Expect(t, objchange.AssertPlanValid(Compiled(schema), null, cty.UnknownVal(schema.ImpliedType()), ObjectOf(UnknownStr)), ".v write-only-not-null")
}
