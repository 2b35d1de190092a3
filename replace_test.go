package objchange_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
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
			got, found := objchange.RequiredReplace(compiled(row.schema), objectOf(row.prior), objectOf(row.planned), row.paths)
			expectPaths(t, got, row.want)
			expect(t, found, row.wrong...)
			expect(t, found.Enforced(), row.wrong...)
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
	text, lists := schemaOf(attr(cty.String, "optional")), schemaOf(attr(cty.List(cty.String), "optional"))
	maps, sets := schemaOf(attr(cty.Map(cty.String), "optional")), schemaOf(attr(cty.Set(cty.Number), "optional"))
	any := schemaOf(attr(cty.DynamicPseudoType, "optional"))
	a, b := str("a"), str("b")
	noList := cty.NullVal(cty.List(cty.String))
	v, k := paths(pathToV), paths(pathToV.Copy().IndexString("k"))
	first, second := pathToV.Copy().IndexInt(0), pathToV.Copy().IndexInt(1)
	elem1, elem2, attrK := pathToV.Copy().IndexInt(1), pathToV.Copy().IndexInt(2), pathToV.Copy().GetAttr("k")
	nowhere := wrong(".v[1] replace-path")
	testReplaceRows(t, []replaceRow{
		{"differs", text, a, b, v, v, nil},
		{"equal", text, a, a, v, nil, nil},
		{"unknown differs from unknown", text, unknownStr, unknownStr, v, v, nil},
		{"unknown inside differs", lists, list(a), list(unknownStr), v, v, nil},
		{"marks do not count", text, a, a.Mark("m"), v, nil, nil},
		{"the root", text, a, b, paths(cty.Path{}), paths(cty.Path{}), nil},
		{"list index of planned only", lists, list(a), list(a, b), paths(second), paths(second), nil},
		{"list index of prior only", lists, list(a, b), list(a), paths(second), paths(second), nil},
		{"list index that does not exist", lists, list(a), list(b), paths(second), nil, nowhere},
		{"list index, both null", lists, noList, noList, paths(second), nil, nowhere},
		{"list index, planned unknown", lists, list(a), cty.UnknownVal(noList.Type()), paths(first), paths(first), nil},
		{"map key that exists in one value", maps, mapOf(obj{"k": a}), cty.MapValEmpty(cty.String), k, k, nil},
		{"list element that is null and new", lists, list(a), list(a, noStr), paths(second), paths(second), nil},
		{"null list element that is removed", lists, list(a, noStr), list(a), paths(second), paths(second), nil},
		{"map key as an attribute", maps, mapOf(obj{"k": a, "l": a}), mapOf(obj{"k": b, "l": a}), paths(attrK, pathToV.Copy().GetAttr("l")), paths(attrK), nil},
		{"map key as a number", maps, mapOf(obj{"1": a}), mapOf(obj{"1": b}), paths(second), paths(second), nil},
		{"list index as text", lists, list(a, a), list(a, b), paths(pathToV.Copy().IndexString("1")), paths(pathToV.Copy().IndexString("1")), nil},
		{"list index as text that is no number", lists, list(a), list(b), paths(k[0]), nil, wrong(`.v["k"] replace-path`)},
		{"key of an object", any, object(obj{"k": a}), object(obj{"k": b}), paths(attrK, k[0]), paths(attrK, k[0]), nil},
		{"nulls of two types", any, noStr, noDynamic, v, nil, nil},
		{"tuple element that is null and new", any, tuple(a), tuple(a, noDynamic), paths(second), paths(second), nil},
		{"set element of both", sets, set(num(1)), set(num(1), num(2)), paths(elem1), nil, nil},
		{"set element of prior only", sets, set(num(1), num(2)), set(num(1)), paths(elem2), paths(elem2), nil},
		{"set element that does not exist", sets, set(num(1)), set(num(1)), paths(elem2), nil, wrong(".v[*] replace-path")},
		{"set element, set unknown", sets, set(num(1)), cty.UnknownVal(cty.Set(cty.Number)), paths(elem1), paths(elem1), nil},

		{"in the given order, each once", lists, list(a, a), list(b, b), paths(second, first, second, pathToV, first), paths(second, first, pathToV), nil},
		{"violations in path order, each once", lists, list(a), list(b), paths(second, pathToV.Copy().GetAttr("x"), cty.GetAttrPath("a"), first, second), paths(first),
			wrong(".a replace-path", ".v.x replace-path", ".v[1] replace-path")},
		{"steps without a key", sets, set(num(1)), set(num(2)), paths(pathToV.Copy().Index(cty.NilVal)), nil, wrong(".v[*] replace-path")},
		{"a marked element", sets, set(num(1)), set(num(2)), paths(pathToV.Copy().Index(num(1).Mark("m"))), paths(pathToV.Copy().Index(num(1).Mark("m"))), nil},
	})
}

func TestRequiredReplaceNested(t *testing.T) {
	lists, sets := schemaOfBlock(block(configschema.NestingList, itemAttrs)), schemaOf(nested(configschema.NestingSet, "optional", itemAttrs))
	single := schemaOfBlock(block(configschema.NestingSingle, itemAttrs))
	objects := schemaOfBlock(block(configschema.NestingMap, dynAttrs))
	a, b := item(noStr, str("a")), item(noStr, str("b"))
	name := pathToV.Copy().GetAttr("name")
	second := pathToV.Copy().IndexInt(1).GetAttr("name")
	inA := pathToV.Copy().Index(a).GetAttr("name")
	attrK := pathToV.Copy().GetAttr("k").GetAttr("name")
	testReplaceRows(t, []replaceRow{
		{"in a single block that was null, attribute null", single, noItem, item(noStr, noStr), paths(name), paths(name), nil},
		{"in a single block that becomes null, attribute null", single, item(noStr, noStr), noItem, paths(name), paths(name), nil},
		{"in a single block that is null in both values", single, noItem, noItem, paths(name), nil, wrong(".v.name replace-path")},
		{"in a block that is new", lists, list(a), list(a, b), paths(second), paths(second), nil},
		{"in a set element that is removed", sets, set(a), set(b), paths(inA), paths(inA), nil},
		{"in a set element that does not exist", sets, set(b), set(b), paths(inA), nil, wrong(".v[*].name replace-path")},
		{"in dynamic blocks of a map", objects, object(obj{"k": item(noStr, num(1))}), object(obj{"k": b}), paths(attrK), paths(attrK), nil},
		{"for_each unknown", lists, list(a, a), cty.UnknownVal(cty.List(itemType)), paths(second), paths(second), nil},
	})
}

// TestRequiredReplaceWriteOnly checks specification.md#132-required-replacement: a path of a write-only
// attribute always requires replacement, because its changes are not visible.
func TestRequiredReplaceWriteOnly(t *testing.T) {
	schema := schemaOf(attr(cty.String, "optional writeonly"))
	lists := schemaOfBlock(block(configschema.NestingList, attrs{"secret": attr(cty.String, "optional writeonly")}))
	secret := object(obj{"secret": noStr})
	second := pathToV.Copy().IndexInt(1).GetAttr("secret")
	testReplaceRows(t, []replaceRow{
		{"twice", schema, noStr, noStr, paths(pathToV, pathToV), paths(pathToV), nil},
		{"in a block that exists in one value", lists, list(secret), list(secret, secret), paths(second), paths(second), nil},
		{"in a block that does not exist", lists, list(secret), list(secret), paths(second), nil, wrong(".v[1].secret replace-path")},
	})
}

// TestRequiredReplaceWhole checks specification.md#132-required-replacement: with a null prior value,
// nothing requires replacement.
func TestRequiredReplaceWhole(t *testing.T) {
	schema := schemaOf(attr(cty.String, "optional"))
	null, unknown, a := cty.NullVal(schema.ImpliedType()), cty.UnknownVal(schema.ImpliedType()), objectOf(str("a"))
	tests := []struct {
		name           string
		prior, planned cty.Value
		want           []cty.Path
		wrong          []string
	}{
		{"a create", null, a, nil, nil},
		{"a create of an untyped null", noDynamic, a, nil, nil},
		{"both null", null, null, nil, nil},
		{"a delete", a, null, paths(pathToV), wrong(".x replace-path")},
		{"planned unknown", a, unknown, paths(pathToV), wrong(".x replace-path")},
		{"prior the zero value", cty.NilVal, a, nil, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, found := objchange.RequiredReplace(compiled(schema), test.prior, test.planned, paths(pathToV, cty.GetAttrPath("x")))
			expectPaths(t, got, test.want)
			expect(t, found, test.wrong...)
		})
	}
	secret := schemaOf(attr(cty.Map(cty.String), "optional sensitive"))
	_, found := objchange.RequiredReplace(compiled(secret), objectOf(mapOf(obj{"k": str("a")})), objectOf(mapOf(obj{"k": str("a")})), paths(pathToV.Copy().IndexString("canary")))
	expect(t, found, ".v[(sensitive)] replace-path")
}

// TestPlanAction checks specification.md#131-action: the action of a plan.
func TestPlanAction(t *testing.T) {
	a, b, open := item(str("1"), str("a")), item(str("1"), str("b")), item(unknownStr, str("a"))
	tests := []struct {
		name           string
		prior, planned cty.Value
		plain, replace objchange.Action // without and with required replacement
	}{
		{"both null, of different types", noItem, noDynamic, objchange.ActionNoOp, objchange.ActionNoOp},
		{"prior null, planned unknown", noDynamic, unknownItem, objchange.ActionCreate, objchange.ActionCreate},
		{"prior the zero value", cty.NilVal, a, objchange.ActionCreate, objchange.ActionCreate},
		{"planned the zero value", a, cty.NilVal, objchange.ActionDelete, objchange.ActionDelete},
		{"equal and wholly known", a, a, objchange.ActionNoOp, objchange.ActionReplace},
		{"equal except for marks", a.Mark("m"), item(str("1").Mark("m"), str("a")), objchange.ActionNoOp, objchange.ActionReplace},
		{"different", a, b, objchange.ActionUpdate, objchange.ActionReplace},
		{"equal, but unknown inside", open, open, objchange.ActionUpdate, objchange.ActionReplace},
		{"null inside, of different types", item(noStr, noDynamic), item(noStr, noStr), objchange.ActionUpdate, objchange.ActionReplace},
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
