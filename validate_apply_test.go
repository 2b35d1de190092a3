package objchange_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
)

// A consistencyRow is a row about the attribute or block type v: its earlier value, its later value,
// and the violations.
type consistencyRow struct {
	name     string
	schema   *configschema.Block
	was, now cty.Value
	wrong    []string // in the format of summary
}

// testConsistencyRows checks final plans, with v in an object of its own.
func testConsistencyRows(t *testing.T, rows []consistencyRow) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			Expect(t, objchange.AssertPlanConsistent(Compiled(row.schema), ObjectOf(row.was), ObjectOf(row.now)), row.wrong...)
		})
	}
}

// TestApplyConsistent checks both specification.md#12-state and specification.md#11-consistency.
func TestApplyConsistent(t *testing.T) {
	text := SchemaOf(Attr(cty.String, "optional computed"))
	hidden := SchemaOf(Attr(cty.Map(cty.String), "optional sensitive"))
	dynamic := SchemaOf(Attr(cty.DynamicPseudoType, "optional"))
	texts := SchemaOf(Attr(cty.List(cty.String), "optional"))
	textSet := SchemaOf(Attr(cty.Set(cty.String), "optional"))
	lists := SchemaOfBlock(Block(configschema.NestingList, ItemAttrs))
	tuples := SchemaOfBlock(Block(configschema.NestingList, DynAttrs))
	sets := SchemaOfBlock(Block(configschema.NestingSet, ItemAttrs))
	single := SchemaOfBlock(Block(configschema.NestingSingle, ItemAttrs))
	own := SchemaOfBlock(Computed(Block(configschema.NestingMap, Attrs{"id": Attr(cty.String, "computed")})))
	nestedOne := SchemaOf(Nested(configschema.NestingSingle, "optional", ItemAttrs))
	a, b := Item(UnknownStr, Str("a")), Item(Str("2"), Str("b"))
	k := func(v cty.Value) cty.Value { return MapOf(Obj{"k": v}) }
	only := wrong(".v state-unknown")
	rows := []consistencyRow{
		{"the plan filled in", lists, List(a), List(Item(Str("1"), Str("a"))), nil},
		{"a refinement", text, UnknownStr.RefineNotNull(), NoStr, wrong(".v inconsistent-refinement")},
		{"an object was null, and its unknown attribute", single, NoItem, a, wrong(".v inconsistent-presence", ".v.id state-unknown")},
		{"more blocks, and their unknown attributes", lists, List(b), List(b, a), wrong(".v inconsistent-count", ".v[1].id state-unknown")},
		{"more blocks, and the first is of another type", tuples, Tuple(b), Tuple(Item(Str("2"), Num(1)), b), wrong(".v inconsistent-count")},
		{"more elements, and the changed and unknown elements", texts, List(Str("a")), List(Str("b"), UnknownStr), wrong(".v inconsistent-key", ".v[0] inconsistent-value", ".v[1] state-unknown")},
		{"another type, and an unknown value in it", dynamic, Str("a"), Tuple(UnknownStr), wrong(".v inconsistent-type", ".v[0] state-unknown")},
		{"a set element becomes unknown: the planned element is missing", textSet, Set(Str("a")), Set(UnknownStr), wrong(".v inconsistent-set-element", ".v[*] state-unknown")},
		{"a sensitive attribute: one finding, and the unknown value", hidden, MapOf(Obj{"k": Str("a"), "l": Str("b")}), MapOf(Obj{"k": Str("x"), "l": UnknownStr}),
			wrong(".v inconsistent-sensitive", ".v[(sensitive)] state-unknown")},
		{"unknown: an attribute that was null", text, NoStr, UnknownStr, only},
		{"unknown: outside the refinements", SchemaOf(Attr(cty.Number, "computed")), UnknownNum.Refine().NumberRangeUpperBound(Num(1), true).NewValue(),
			UnknownNum.Refine().NumberRangeLowerBound(Num(5), true).NewValue(), only},
		{"unknown: the dynamic type", dynamic, Str("a"), cty.DynamicVal, only},
		{"unknown: a sensitive attribute", hidden, k(Str("a")), cty.UnknownVal(cty.Map(cty.String)), only},
		{"unknown: a nested attribute that was null", nestedOne, NoItem, UnknownItem, only},
		{"unknown: set blocks", sets, Set(a), cty.UnknownVal(cty.Set(ItemType)), only},
		{"unknown: a single block that was null", single, NoItem, UnknownItem, only},
		{"unknown: computed blocks", own, cty.UnknownVal(NullOf(own).Type()).RefineNotNull(), cty.UnknownVal(NullOf(own).Type()), only},
		{"unknown: a block of a list that was null", lists, List(NoItem), List(UnknownItem), wrong(".v[0] state-unknown")},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			Expect(t, objchange.AssertApplyConsistent(Compiled(row.schema), ObjectOf(row.was), ObjectOf(row.now)), row.wrong...)
		})
	}
}

// TestConsistentValues checks specification.md#112-values. The rows are in order of the
// first rule that applies.
func TestConsistentValues(t *testing.T) {
	text := SchemaOf(Attr(cty.String, "optional computed"))
	number := SchemaOf(Attr(cty.Number, "optional computed"))
	dynamic := SchemaOf(Attr(cty.DynamicPseudoType, "optional computed"))
	dynList := SchemaOf(Attr(cty.List(cty.DynamicPseudoType), "optional"))
	part := SchemaOf(Attr(cty.Object(map[string]cty.Type{"a": cty.DynamicPseudoType}), "optional"))
	one := func(v cty.Value) cty.Value { return Object(Obj{"a": v}) }
	a, b := Str("a"), Str("b")
	value, kind := wrong(".v inconsistent-value"), wrong(".v inconsistent-type")
	testConsistencyRows(t, []consistencyRow{
		{"1 of the dynamic type, a set of tuples", dynamic, Set(Tuple(a, UnknownStr), Tuple(b, b)), Set(Tuple(a, a), Tuple(b, b)), nil},
		{"1 of the dynamic type, a set of other tuples", dynamic, Set(Tuple(a, UnknownStr), Tuple(b, b)), Set(Tuple(a, a), Tuple(b, a)), wrong(".v inconsistent-set-element")},
		{"1 of the dynamic type, an empty list of another type", dynamic, cty.ListValEmpty(cty.String), cty.ListValEmpty(cty.Number), kind},
		{"1 of the dynamic type, null, becomes a value", dynamic, NoDynamic, Num(1), nil},
		{"1 part of the dynamic type becomes a value", part, one(cty.DynamicVal), one(Num(1)), nil},
		{"1 another type is checked first: null", dynamic, NoNum, a, kind},
		{"1 another type of null", dynamic, a, NoNum, kind},
		{"1 the dynamic type does not conform to another type: unknown", dynamic, a, cty.DynamicVal, kind},
		{"1 another type of element: the whole does not conform", dynList, List(Num(1)), List(a), kind},
		{"1 tuples of another length are of another type", dynamic, Tuple(a, b), Tuple(a), kind},
		{"1 conforming: a part that was of the dynamic type", dynamic, Tuple(cty.DynamicVal, a), Tuple(Num(1), b), wrong(".v[1] inconsistent-value")},
		{"2 unknown, becomes null", text, UnknownStr, NoStr, nil},
		{"3 null, becomes unknown: only one is null", text, NoStr, UnknownStr, value},
		{"3 becomes unknown", text, a, UnknownStr, wrong(".v inconsistent-unknown")},
		{"4 string: another", text, a, b, value},
		{"4 number: the same, of another precision", number, Num(1), cty.MustParseNumberVal("1.0"), nil},
	})
}

// TestConsistentRefinements checks rules/apply.md#inconsistent-refinement.
func TestConsistentRefinements(t *testing.T) {
	text := SchemaOf(Attr(cty.String, "computed"))
	number := SchemaOf(Attr(cty.Number, "computed"))
	lists := SchemaOf(Attr(cty.List(cty.String), "computed"))

	notNull := UnknownStr.RefineNotNull()
	prefixed := UnknownStr.Refine().StringPrefixFull("a-").NewValue()
	unknownList := cty.UnknownVal(cty.List(cty.String))
	between := func(lo, hi int64) cty.Value {
		return UnknownNum.Refine().NumberRangeInclusive(Num(lo), Num(hi)).NewValue()
	}
	tuples := SchemaOfBlock(Block(configschema.NestingList, Attrs{"n": Attr(cty.Number, "computed"), "d": Attr(cty.DynamicPseudoType, "optional")}))
	long := func(ty cty.Type, lo, hi int) cty.Value {
		return cty.UnknownVal(ty).Refine().CollectionLengthLowerBound(lo).CollectionLengthUpperBound(hi).NewValue()
	}
	a, broken := Str("a"), wrong(".v inconsistent-refinement")

	testConsistencyRows(t, []consistencyRow{
		{"not null: null", text, notNull, NoStr, broken},
		{"a prefix: null is not excluded", text, prefixed, NoStr, nil},
		{"a range: an unknown outside", number, between(1, 3), between(4, 5), broken},
		{"a length: longer", lists, long(unknownList.Type(), 1, 2), List(a, a, a), broken},
		{"a length: at least one, and empty", lists, unknownList.Refine().CollectionLengthLowerBound(1).NewValue(), cty.ListValEmpty(cty.String), broken},
		{"a length: at most one, and two", lists, unknownList.Refine().CollectionLengthUpperBound(1).NewValue(), List(a, a), broken},
		{"in a block that is unknown as a whole, of no type yet", tuples, Tuple(Object(Obj{"n": between(1, 3), "d": Str("a")})), Tuple(cty.DynamicVal), wrong(".v[0].d inconsistent-type")},
	})
}

// TestMarkedAttributeIsReportedAsOne checks rules/apply.md#inconsistent-sensitive: all violations
// at or below a sensitive attribute of a block are reported as one, and also if either value
// contains a mark.
func TestMarkedAttributeIsReportedAsOne(t *testing.T) {
	secretText := Attr(cty.String, "optional computed sensitive")
	secretList := SchemaOf(Attr(cty.List(cty.String), "optional sensitive"))

	plainList := SchemaOf(Attr(cty.List(cty.String), "optional"))
	plainSet := SchemaOf(Attr(cty.Set(cty.String), "optional"))
	holding := SchemaOf(Nested(configschema.NestingList, "optional", Attrs{"name": Attr(cty.String, "optional"), "secret": secretText}))
	inBlock := SchemaOfBlock(Block(configschema.NestingList, Attrs{"name": Attr(cty.String, "optional"), "secret": secretText}))
	nestedInBlock := SchemaOfBlock(Block(configschema.NestingList, Attrs{"in": Nested(configschema.NestingMap, "optional", Attrs{"secret": secretText})}))
	held := func(name, secret cty.Value) cty.Value { return Object(Obj{"name": name, "secret": secret}) }
	in := func(s cty.Value) cty.Value { return List(Object(Obj{"in": MapOf(Obj{"k": Object(Obj{"secret": s})})})) }
	a, b, x := Str("a"), Str("b"), Str("x")
	gathered := wrong(".v inconsistent-sensitive")
	testConsistencyRows(t, []consistencyRow{
		{"a refinement", SchemaOf(secretText), UnknownStr.RefineNotNull(), NoStr, gathered},
		{"several elements at the attribute", secretList, List(a, b), List(x, x, x), gathered},
		{"marked before", plainList, List(a, b).Mark("m"), List(x, x), gathered},
		{"a mark inside after, at another element", plainList, List(a, b), List(x, b.Mark("m")), gathered},
		{"a mark inside, no violation", plainList, List(a, b.Mark("m")), List(a, b), nil},
		{"a mark in a set", plainSet, Set(a, b.Mark("m")), Set(a, x), gathered},

		{"a sensitive attribute inside a NestedType does not gather", holding, List(held(a, a), held(b, b)), List(held(a, b), held(x, b)),
			wrong(".v[0].secret inconsistent-value", ".v[1].name inconsistent-value")},
		{"a sensitive attribute inside a NestedType of a block does not gather", nestedInBlock, in(a), in(b), wrong(`.v[0].in["k"].secret inconsistent-value`)},
		{"a sensitive attribute of a block gathers, other attributes do not", inBlock, List(held(a, a), held(b, b)), List(held(a, b), held(x, b)),
			wrong(".v[0].secret inconsistent-sensitive", ".v[1].name inconsistent-value")},
	})
}

// TestConsistentSetElementNamed checks specification.md#113-sets: the message names the
// first element of the earlier set without a partner, or else of the later set.
func TestConsistentSetElementNamed(t *testing.T) {
	schema := SchemaOf(Attr(cty.Set(ItemType), "optional"))
	a, b, c, d := Item(NoStr, Str("a")), Item(NoStr, Str("b")), Item(NoStr, Str("c")), Item(NoStr, Str("d"))
	for _, test := range []struct {
		was, now cty.Value
		named    string
	}{
		{Set(a, b, c), Set(a), `the planned element {id = null, name = "b"} is missing; 1 more is missing`},
		{Set(a, b, c), cty.SetValEmpty(a.Type()), `the planned element {id = null, name = "a"} is missing; 2 more are missing`},
		{Set(a, c), Set(a, b), `the planned element {id = null, name = "c"} is missing; the closest returned element has name = "b"`},
		{Set(a), Set(a, d, c), `got an element that was not planned: {id = null, name = "c"}`},
	} {
		found := objchange.AssertPlanConsistent(Compiled(schema), ObjectOf(test.was), ObjectOf(test.now))
		if last := found[len(found)-1]; last.Message != test.named || last.Rule != objchange.RuleInconsistentSetElement || last.Severity != objchange.Rejected {
			t.Errorf("got %s, want %q", last, test.named)
		}
	}
}
