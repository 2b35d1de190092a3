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

// TestConsistentSetElementNamed checks specification.md#113-sets: the message names the first
// element of the earlier set without a partner, or else of the later set.
func TestConsistentSetElementNamed(t *testing.T) {
	schema := SchemaOf(Attr(cty.Set(ItemType), "optional"))
	a, b, c, d := Item(NoStr, Str("a")), Item(NoStr, Str("b")), Item(NoStr, Str("c")), Item(NoStr, Str("d"))
	for _, test := range []struct {
		was, now cty.Value
		named    string
	}{
		{Set(a, b, c), Set(a), `the planned element {id = null, name = "b"} is missing; 1 more is missing`},
		{Set(a, b, c), cty.SetValEmpty(a.Type()), `the planned element {id = null, name = "a"} is missing; 2 more are missing`},
		{Set(a, c), Set(a, b), `the planned element {id = null, name = "c"} is missing; the closest returned element has name = "b" instead of "c"`},
		{Set(a), Set(a, d, c), `got an element that was not planned: {id = null, name = "c"}`},
	} {
		found := objchange.AssertPlanConsistent(Compiled(schema), ObjectOf(test.was), ObjectOf(test.now))
		if last := found[len(found)-1]; last.Message != test.named || last.Rule != objchange.RuleInconsistentSetElement || last.Severity != objchange.Rejected {
			t.Errorf("got %s, want %q", last, test.named)
		}
	}
}
