package objchange_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
)

// A stateRow is a row about the attribute or block type v of a state.
type stateRow struct {
	name   string
	schema *configschema.Block
	value  cty.Value
	wrong  []string // in the format of summary
}

// testStateRows checks states, with v in an object of its own: with AssertStateValid, and as the
// new state for an equal plan.
func testStateRows(t *testing.T, rows []stateRow) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			Expect(t, objchange.AssertStateValid(Compiled(row.schema), ObjectOf(row.value)), row.wrong...)
			Expect(t, objchange.AssertApplyConsistent(Compiled(row.schema), ObjectOf(row.value), ObjectOf(row.value)), row.wrong...)
		})
	}
}

// TestUnknownStateIsReportedAtItsPath checks rules/state.md#state-unknown: each unknown value is reported at its
// path.
func TestUnknownStateIsReportedAtItsPath(t *testing.T) {
	deep := SchemaOf(Attr(cty.Map(cty.List(ItemType)), "computed"))
	dynamic := SchemaOf(Attr(cty.DynamicPseudoType, "computed"))
	unknown := wrong(".v state-unknown")
	half := Item(UnknownStr, Str("a"))
	testStateRows(t, []stateRow{
		{"an attribute", SchemaOf(Attr(cty.String, "computed")), UnknownStr, unknown},
		{"in an element of a set", SchemaOf(Attr(cty.Set(ItemType), "computed")), Set(half), wrong(".v[*].id state-unknown")},
		{"deep", deep, MapOf(Obj{"k": List(half)}), wrong(`.v["k"][0].id state-unknown`)},
		{"in an object that the data names", dynamic, Object(Obj{"k": UnknownNum}), wrong(".v.k state-unknown")},
		{"blocks of the dynamic type", SchemaOfBlock(Block(configschema.NestingMap, DynAttrs)), Object(Obj{"k": half, "l": cty.DynamicVal}), wrong(".v.k.id state-unknown", ".v.l state-unknown")},
		{"a computed block", SchemaOfBlock(Computed(Block(configschema.NestingList, Attrs{"id": Attr(cty.String, "computed")}))),
			cty.UnknownVal(cty.List(cty.Object(map[string]cty.Type{"id": cty.String}))), unknown},
	})
}

// TestWriteOnlyInStatesMustBeNull checks rules/state.md#write-only-not-null.
func TestWriteOnlyInStatesMustBeNull(t *testing.T) {
	plain := SchemaOf(Attr(cty.String, "optional writeonly"))
	rows := []stateRow{
		{"null", plain, NoStr, nil},
		{"not null", plain, Str("s"), wrong(".v write-only-not-null")},
		{"unknown is not null either", plain, UnknownStr, wrong(".v state-unknown", ".v write-only-not-null")},
		{"nested, write-only itself", SchemaOf(Nested(configschema.NestingSingle, "optional writeonly", ItemAttrs)), Item(NoStr, NoStr), wrong(".v write-only-not-null")},
		{"in blocks of the dynamic type", SchemaOfBlock(Block(configschema.NestingMap, Attrs{"wo": Attr(cty.String, "optional writeonly"), "any": Attr(cty.DynamicPseudoType, "optional")})),
			Object(Obj{"k": Object(Obj{"wo": Str("s"), "any": Num(1)})}), wrong(".v.k.wo write-only-not-null")},
	}
	deep := SchemaOf(Nested(configschema.NestingList, "optional", Attrs{"in": Nested(configschema.NestingMap, "optional", Attrs{"wo": WriteLeaf, "name": LeafAttr})}))
	rows = append(rows, stateRow{"deep", deep, List(Object(Obj{"in": MapOf(Obj{"k": Object(Obj{"wo": Str("s"), "name": NoStr})})})), wrong(`.v[0].in["k"].wo write-only-not-null`)})
	testStateRows(t, rows)

	// The planned value must be null, so the value has changed as well.
	Expect(t, objchange.AssertApplyConsistent(Compiled(plain), ObjectOf(NoStr), ObjectOf(Str("s"))), ".v inconsistent-value", ".v write-only-not-null")
	Expect(t, objchange.AssertApplyConsistent(Compiled(plain), ObjectOf(NoStr), ObjectOf(UnknownStr)), ".v state-unknown", ".v write-only-not-null")
	Expect(t, objchange.AssertApplyConsistent(Compiled(plain), cty.NullVal(plain.ImpliedType()), ObjectOf(Str("s"))), " inconsistent-presence", ".v write-only-not-null")
}

// TestNullBlocksInStatesAreFound checks rules/state.md#state-null-blocks: null blocks instead of an empty
// collection or group.
func TestNullBlocksInStatesAreFound(t *testing.T) {
	null := wrong(".v state-null-blocks?")
	single, group, lists := SchemaOfBlock(Block(configschema.NestingSingle, ItemAttrs)), SchemaOfBlock(Block(configschema.NestingGroup, ItemAttrs)), SchemaOfBlock(Block(configschema.NestingList, ItemAttrs))
	testStateRows(t, []stateRow{
		{"single", single, NoItem, nil},
		{"group", group, NoItem, null},
		{"list", lists, NullOf(lists), null},
		{"list: empty", lists, EmptyItems, nil},
		{"list of the dynamic type", SchemaOfBlock(Block(configschema.NestingList, DynAttrs)), NoDynamic, null},
		{"map of the dynamic type", SchemaOfBlock(Block(configschema.NestingMap, DynAttrs)), NoDynamic, null},
		{"a nested attribute may be null", SchemaOf(Nested(configschema.NestingList, "optional", ItemAttrs)), cty.NullVal(EmptyItems.Type()), nil},
	})
	own := SchemaOfBlock(Computed(Block(configschema.NestingList, Attrs{"id": Attr(cty.String, "computed")})))
	Expect(t, objchange.AssertStateValid(Compiled(own), ObjectOf(NullOf(own))), ".v state-null-blocks?")

	// Together with a plan, both checks report violations.
	Expect(t, objchange.AssertApplyConsistent(Compiled(lists), ObjectOf(EmptyItems), ObjectOf(NullOf(lists))), ".v inconsistent-null-blocks?", ".v state-null-blocks?")
	Expect(t, objchange.AssertApplyConsistent(Compiled(group), ObjectOf(Item(NoStr, NoStr)), ObjectOf(NoItem)), ".v inconsistent-presence", ".v state-null-blocks?")
	Expect(t, objchange.AssertApplyConsistent(Compiled(own), ObjectOf(cty.UnknownVal(NullOf(own).Type())), ObjectOf(NullOf(own))), ".v inconsistent-null-blocks", ".v state-null-blocks?")
}
