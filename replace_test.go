package objchange_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
)

// A replaceRow is a row about the attribute or block type v: which paths of the provider require
// replacement, and the violations.
type replaceRow struct {
	name           string
	schema         *configschema.Block
	prior, planned cty.Value // of v
	paths, want    []cty.Path
	wrong          []string // in the format of summary
}

func testReplaceRows(t *testing.T, rows []replaceRow) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got, found := objchange.RequiredReplace(Compiled(row.schema), ObjectOf(row.prior), ObjectOf(row.planned), row.paths)
			expectPaths(t, got, row.want)
			Expect(t, found, row.wrong...)
			Expect(t, found.Rejected(), row.wrong...)
		})
	}
}

func expectPaths(t *testing.T, got, want []cty.Path) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmp.Comparer(cty.Path.Equals)); diff != "" {
		t.Errorf("paths (-want +got):\n%s", diff)
	}
}

// TestRequiredReplace checks specification.md#132-required-replacement: the paths at which prior and
// planned value differ.
func TestRequiredReplace(t *testing.T) {
	text, lists := SchemaOf(Attr(cty.String, "optional")), SchemaOf(Attr(cty.List(cty.String), "optional"))
	maps, sets := SchemaOf(Attr(cty.Map(cty.String), "optional")), SchemaOf(Attr(cty.Set(cty.Number), "optional"))
	any := SchemaOf(Attr(cty.DynamicPseudoType, "optional"))
	a, b := Str("a"), Str("b")
	noList := cty.NullVal(cty.List(cty.String))
	v, k := paths(PathToV), paths(PathToV.Copy().IndexString("k"))
	first, second := PathToV.Copy().IndexInt(0), PathToV.Copy().IndexInt(1)
	elem1, elem2, attrK := PathToV.Copy().IndexInt(1), PathToV.Copy().IndexInt(2), PathToV.Copy().GetAttr("k")
	nowhere := wrong(".v[1] replace-path")
	testReplaceRows(t, []replaceRow{
		{"unknown differs from unknown", text, UnknownStr, UnknownStr, v, v, nil},
		{"marks do not count", text, a, a.Mark("m"), v, nil, nil},
		{"the root", text, a, b, paths(cty.Path{}), paths(cty.Path{}), nil},
		{"list index of prior only", lists, List(a, b), List(a), paths(second), paths(second), nil},
		{"list index that does not exist", lists, List(a), List(b), paths(second), nil, nowhere},
		{"list index, both null", lists, noList, noList, paths(second), nil, nowhere},
		{"map key that exists in one value", maps, MapOf(Obj{"k": a}), cty.MapValEmpty(cty.String), k, k, nil},
		{"list element that is null and new", lists, List(a), List(a, NoStr), paths(second), paths(second), nil},
		{"map key as an attribute", maps, MapOf(Obj{"k": a, "l": a}), MapOf(Obj{"k": b, "l": a}), paths(attrK, PathToV.Copy().GetAttr("l")), paths(attrK), nil},
		{"list index as text", lists, List(a, a), List(a, b), paths(PathToV.Copy().IndexString("1")), paths(PathToV.Copy().IndexString("1")), nil},
		{"list index as text that is no number", lists, List(a), List(b), paths(k[0]), nil, wrong(`.v["k"] replace-path`)},
		{"key of an object", any, Object(Obj{"k": a}), Object(Obj{"k": b}), paths(attrK, k[0]), paths(attrK, k[0]), nil},
		{"nulls of two types", any, NoStr, NoDynamic, v, nil, nil},
		{"tuple element that is null and new", any, Tuple(a), Tuple(a, NoDynamic), paths(second), paths(second), nil},
		{"set element of both", sets, Set(Num(1)), Set(Num(1), Num(2)), paths(elem1), nil, nil},
		{"set element that does not exist", sets, Set(Num(1)), Set(Num(1)), paths(elem2), nil, wrong(".v[*] replace-path")},
		{"set element, set unknown", sets, Set(Num(1)), cty.UnknownVal(cty.Set(cty.Number)), paths(elem1), paths(elem1), nil},

		{"in the given order, each once", lists, List(a, a), List(b, b), paths(second, first, second, PathToV, first), paths(second, first, PathToV), nil},
		{"violations in path order, each once", lists, List(a), List(b), paths(second, PathToV.Copy().GetAttr("x"), cty.GetAttrPath("a"), first, second), paths(first),
			wrong(".a replace-path", ".v.x replace-path", ".v[1] replace-path")},
		{"steps without a key", sets, Set(Num(1)), Set(Num(2)), paths(PathToV.Copy().Index(cty.NilVal)), nil, wrong(".v[*] replace-path")},
		{"a marked element", sets, Set(Num(1)), Set(Num(2)), paths(PathToV.Copy().Index(Num(1).Mark("m"))), paths(PathToV.Copy().Index(Num(1).Mark("m"))), nil},
	})
}

func TestRequiredReplaceNested(t *testing.T) {
	lists, sets := SchemaOfBlock(Block(configschema.NestingList, ItemAttrs)), SchemaOf(Nested(configschema.NestingSet, "optional", ItemAttrs))
	single := SchemaOfBlock(Block(configschema.NestingSingle, ItemAttrs))
	objects := SchemaOfBlock(Block(configschema.NestingMap, DynAttrs))
	a, b := Item(NoStr, Str("a")), Item(NoStr, Str("b"))
	name := PathToV.Copy().GetAttr("name")
	second := PathToV.Copy().IndexInt(1).GetAttr("name")
	inA := PathToV.Copy().Index(a).GetAttr("name")
	attrK := PathToV.Copy().GetAttr("k").GetAttr("name")
	testReplaceRows(t, []replaceRow{
		{"in a single block that was null, attribute null", single, NoItem, Item(NoStr, NoStr), paths(name), paths(name), nil},
		{"in a single block that becomes null, attribute null", single, Item(NoStr, NoStr), NoItem, paths(name), paths(name), nil},
		{"in a single block that is null in both values", single, NoItem, NoItem, paths(name), nil, wrong(".v.name replace-path")},
		{"in a block that is new", lists, List(a), List(a, b), paths(second), paths(second), nil},
		{"in a set element that is removed", sets, Set(a), Set(b), paths(inA), paths(inA), nil},
		{"in a set element that does not exist", sets, Set(b), Set(b), paths(inA), nil, wrong(".v[*].name replace-path")},
		{"in dynamic blocks of a map", objects, Object(Obj{"k": Item(NoStr, Num(1))}), Object(Obj{"k": b}), paths(attrK), paths(attrK), nil},
		{"for_each unknown", lists, List(a, a), cty.UnknownVal(cty.List(ItemType)), paths(second), paths(second), nil},
	})
}

// TestRequiredReplaceWriteOnly checks specification.md#132-required-replacement: a path of a write-only
// attribute always requires replacement, because its changes are not visible.
func TestRequiredReplaceWriteOnly(t *testing.T) {
	schema := SchemaOf(Attr(cty.String, "optional writeonly"))
	lists := SchemaOfBlock(Block(configschema.NestingList, Attrs{"secret": Attr(cty.String, "optional writeonly")}))
	secret := Object(Obj{"secret": NoStr})
	second := PathToV.Copy().IndexInt(1).GetAttr("secret")
	testReplaceRows(t, []replaceRow{
		{"twice", schema, NoStr, NoStr, paths(PathToV, PathToV), paths(PathToV), nil},
		{"in a block that exists in one value", lists, List(secret), List(secret, secret), paths(second), paths(second), nil},
		{"in a block that does not exist", lists, List(secret), List(secret), paths(second), nil, wrong(".v[1].secret replace-path")},
	})
}

// TestRequiredReplaceWhole checks specification.md#132-required-replacement: with a null prior value,
// nothing requires replacement.
func TestRequiredReplaceWhole(t *testing.T) {
	schema := SchemaOf(Attr(cty.String, "optional"))
	null, unknown, a := cty.NullVal(schema.ImpliedType()), cty.UnknownVal(schema.ImpliedType()), ObjectOf(Str("a"))
	tests := []struct {
		name           string
		prior, planned cty.Value
		want           []cty.Path
		wrong          []string
	}{
		{"a create", null, a, nil, nil},
		{"a create of an untyped null", NoDynamic, a, nil, nil},
		{"both null", null, null, nil, nil},
		{"a delete", a, null, paths(PathToV), wrong(".x replace-path")},
		{"planned unknown", a, unknown, paths(PathToV), wrong(".x replace-path")},
		{"prior the zero value", cty.NilVal, a, nil, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, found := objchange.RequiredReplace(Compiled(schema), test.prior, test.planned, paths(PathToV, cty.GetAttrPath("x")))
			expectPaths(t, got, test.want)
			Expect(t, found, test.wrong...)
		})
	}
	secret := SchemaOf(Attr(cty.Map(cty.String), "optional sensitive"))
	_, found := objchange.RequiredReplace(Compiled(secret), ObjectOf(MapOf(Obj{"k": Str("a")})), ObjectOf(MapOf(Obj{"k": Str("a")})), paths(PathToV.Copy().IndexString("canary")))
	Expect(t, found, ".v[(sensitive)] replace-path")
}

// TestPlanAction checks specification.md#131-action: the action of a plan.
func TestPlanAction(t *testing.T) {
	a, open := Item(Str("1"), Str("a")), Item(UnknownStr, Str("a"))
	tests := []struct {
		name           string
		prior, planned cty.Value
		plain, replace objchange.Action // without and with required replacement
	}{
		{"both null, of different types", NoItem, NoDynamic, objchange.ActionNoOp, objchange.ActionNoOp},
		{"prior null, planned unknown", NoDynamic, UnknownItem, objchange.ActionCreate, objchange.ActionCreate},
		{"prior the zero value", cty.NilVal, a, objchange.ActionCreate, objchange.ActionCreate},
		{"equal and wholly known", a, a, objchange.ActionNoOp, objchange.ActionReplace},
		{"equal except for marks", a.Mark("m"), Item(Str("1").Mark("m"), Str("a")), objchange.ActionNoOp, objchange.ActionReplace},
		{"equal, but unknown inside", open, open, objchange.ActionUpdate, objchange.ActionReplace},
		{"null inside, of different types", Item(NoStr, NoDynamic), Item(NoStr, NoStr), objchange.ActionUpdate, objchange.ActionReplace},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := objchange.PlanAction(test.prior, test.planned, false); got != test.plain {
				t.Errorf("got %s, want %s", got, test.plain)
			}
			if got := objchange.PlanAction(test.prior, test.planned, true); got != test.replace {
				t.Errorf("with replace: got %s, want %s", got, test.replace)
			}
		})
	}
}

func paths(ps ...cty.Path) []cty.Path { return ps }
