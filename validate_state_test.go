package objchange_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
)

// A finding is a row about one attribute or block type of a state, named v.
type finding struct {
	name   string
	schema *objchange.Block
	value  cty.Value
	wrong  []string // as brief writes it
}

// testStates checks states, with v in an object of its own: alone, and as what
// came of a plan that is the same.
func testStates(t *testing.T, rows []finding) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			expect(t, objchange.AssertStateValid(row.schema, inV(row.value)), row.wrong...)
			expect(t, objchange.AssertApplyConsistent(row.schema, inV(row.value), inV(row.value)), row.wrong...)
		})
	}
}

// semantics.md#state: the state as a whole.
func TestStateRoot(t *testing.T) {
	schema := withAttr(attr(cty.String, "optional"))
	ty := schema.ImpliedType()
	tests := []struct {
		name  string
		state cty.Value
		wrong []string
	}{
		{"null: the object is gone", cty.NullVal(ty), nil},
		{"the untyped null", noDynamic, nil},
		{"unknown", cty.UnknownVal(ty), wrong(" state-unknown")},
		{"the untyped unknown", cty.DynamicVal, wrong(" state-unknown")},
		{"known", inV(str("a")), nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			expect(t, objchange.AssertStateValid(schema, test.state), test.wrong...)
		})
	}
}

// semantics.md#state-unknown: any unknown, at its path.
func TestStateUnknown(t *testing.T) {
	texts := attr(cty.List(cty.String), "computed")
	deep := withAttr(attr(cty.Map(cty.List(itemType)), "computed"))
	dynamic := withAttr(attr(cty.DynamicPseudoType, "computed"))
	unknown := wrong(".v state-unknown")
	half := item(unknownStr, str("a"))
	rows := []finding{
		{"an attribute", withAttr(attr(cty.String, "computed")), unknownStr, unknown},
		{"refined", withAttr(attr(cty.String, "computed")), unknownStr.RefineNotNull(), unknown},
		{"a list", withAttr(texts), cty.UnknownVal(cty.List(cty.String)), unknown},
		{"an element of a list", withAttr(texts), list(str("a"), unknownStr), wrong(".v[1] state-unknown")},
		{"an element of a map", withAttr(attr(cty.Map(cty.String), "computed")), mapOf(obj{"k": unknownStr}), wrong(`.v["k"] state-unknown`)},
		{"an element of a set", withAttr(attr(cty.Set(cty.String), "computed")), set(str("a"), unknownStr), wrong(".v[*] state-unknown")},
		{"in an element of a set", withAttr(attr(cty.Set(itemType), "computed")), set(half), wrong(".v[*].id state-unknown")},
		{"part of an object", withAttr(attr(itemType, "computed")), half, wrong(".v.id state-unknown")},
		{"deep", deep, mapOf(obj{"k": list(half)}), wrong(`.v["k"][0].id state-unknown`)},
		{"of the dynamic type", dynamic, cty.DynamicVal, unknown},
		{"in a tuple", dynamic, tuple(str("a"), cty.DynamicVal), wrong(".v[1] state-unknown")},
		{"in an object that the data names", dynamic, object(obj{"k": unknownNum}), wrong(".v.k state-unknown")},
		{"blocks of the dynamic type", withBlock(block(objchange.NestingMap, dynAttrs)), object(obj{"k": half, "l": cty.DynamicVal}), wrong(".v.k.id state-unknown", ".v.l state-unknown")},
		{"a computed block", withBlock(computed(block(objchange.NestingList, attrs{"id": attr(cty.String, "computed")}))),
			cty.UnknownVal(cty.List(cty.Object(map[string]cty.Type{"id": cty.String}))), unknown},
	}
	steps := map[objchange.NestingMode]string{objchange.NestingList: "[0]", objchange.NestingMap: `["k"]`, objchange.NestingSet: "[*]"}
	for _, mode := range everyMode {
		schemas := map[string]*objchange.Block{"blocks": withBlock(block(mode, itemAttrs))}
		if mode != objchange.NestingGroup {
			schemas["nested attribute"] = withAttr(nested(mode, "optional", itemAttrs))
		}
		for kind, schema := range schemas {
			name := kind + ", " + mode.String() + ": "
			rows = append(rows,
				finding{name + "the whole", schema, cty.UnknownVal(nullV(schema).Type()), unknown},
				finding{name + "an attribute", schema, inMode(mode, half), wrong(".v" + steps[mode] + ".id state-unknown")},
				finding{name + "an element", schema, inMode(mode, unknownItem), wrong(".v" + steps[mode] + " state-unknown")})
		}
	}
	testStates(t, rows)
}

// semantics.md#write-only-not-null: write-only attributes.
func TestStateWriteOnly(t *testing.T) {
	plain := withAttr(attr(cty.String, "optional writeonly"))
	rows := []finding{
		{"null", plain, noStr, nil},
		{"not null", plain, str("s"), wrong(".v write-only-not-null")},
		{"unknown is not null either", plain, unknownStr, wrong(".v state-unknown", ".v write-only-not-null")},
		{"nested, write-only itself", withAttr(nested(objchange.NestingSingle, "optional writeonly", itemAttrs)), item(noStr, noStr), wrong(".v write-only-not-null")},
		{"in blocks of the dynamic type", withBlock(block(objchange.NestingMap, attrs{"wo": attr(cty.String, "optional writeonly"), "any": attr(cty.DynamicPseudoType, "optional")})),
			object(obj{"k": object(obj{"wo": str("s"), "any": num(1)})}), wrong(".v.k.wo write-only-not-null")},
	}
	deep := withAttr(nested(objchange.NestingList, "optional", attrs{"in": nested(objchange.NestingMap, "optional", secretAttrs)}))
	rows = append(rows, finding{"deep", deep, list(object(obj{"in": mapOf(obj{"k": secret(str("s"), noStr)})})), wrong(`.v[0].in["k"].wo write-only-not-null`)})
	steps := map[objchange.NestingMode]string{objchange.NestingSingle: "", objchange.NestingGroup: "", objchange.NestingList: "[0]", objchange.NestingMap: `["k"]`}
	for mode, step := range steps {
		broken := inMode(mode, secret(str("s"), str("n")))
		place := wrong(".v" + step + ".wo write-only-not-null")
		rows = append(rows, finding{"in " + mode.String() + " blocks", withBlock(block(mode, secretAttrs)), broken, place})
		if mode != objchange.NestingGroup {
			rows = append(rows,
				finding{"in a " + mode.String() + " attribute", withAttr(nested(mode, "optional", secretAttrs)), broken, place},
				finding{"in a computed " + mode.String() + " attribute", withAttr(nested(mode, "computed", secretAttrs)), broken, place})
		}
	}
	testStates(t, rows)

	// What was planned null, as it must be, has changed as well.
	expect(t, objchange.AssertApplyConsistent(plain, inV(noStr), inV(str("s"))), ".v inconsistent-value", ".v write-only-not-null")
	expect(t, objchange.AssertApplyConsistent(plain, inV(noStr), inV(unknownStr)), ".v state-unknown", ".v write-only-not-null")
	expect(t, objchange.AssertApplyConsistent(plain, cty.NullVal(plain.ImpliedType()), inV(str("s"))), " inconsistent-presence", ".v write-only-not-null")
}

// semantics.md#state-null-blocks: null where there should be an empty
// collection or group.
func TestStateNullBlocks(t *testing.T) {
	null := wrong(".v state-null-blocks?")
	var rows []finding
	for _, mode := range everyMode {
		want := null
		if mode == objchange.NestingSingle {
			want = nil
		}
		schema := withBlock(block(mode, itemAttrs))
		rows = append(rows,
			finding{mode.String(), schema, nullV(schema), want},
			finding{mode.String() + ": empty", schema, schema.EmptyValue().GetAttr("v"), nil})
		inner := withBlock(block(objchange.NestingSet, nil, blocks{"in": block(mode, itemAttrs)}))
		if want != nil {
			want = wrong(".v[*].in state-null-blocks?")
		}
		rows = append(rows, finding{mode.String() + " in a set", inner, set(object(obj{"in": nullV(schema)})), want})
	}
	testStates(t, append(rows,
		finding{"list of the dynamic type", withBlock(block(objchange.NestingList, dynAttrs)), noDynamic, null},
		finding{"map of the dynamic type", withBlock(block(objchange.NestingMap, dynAttrs)), noDynamic, null},
		finding{"a nested attribute may be null", withAttr(nested(objchange.NestingList, "optional", itemAttrs)), cty.NullVal(emptyItems.Type()), nil},
	))
	own := withBlock(computed(block(objchange.NestingList, attrs{"id": attr(cty.String, "computed")})))
	expect(t, objchange.AssertStateValid(own, inV(nullV(own))), ".v state-null-blocks?")

	// Held against a plan, the two add up.
	lists, group := withBlock(block(objchange.NestingList, itemAttrs)), withBlock(block(objchange.NestingGroup, itemAttrs))
	expect(t, objchange.AssertApplyConsistent(lists, inV(emptyItems), inV(nullV(lists))), ".v inconsistent-null-blocks?", ".v state-null-blocks?")
	expect(t, objchange.AssertApplyConsistent(group, inV(item(noStr, noStr)), inV(noItem)), ".v inconsistent-presence", ".v state-null-blocks?")
	expect(t, objchange.AssertApplyConsistent(own, inV(cty.UnknownVal(nullV(own).Type())), inV(nullV(own))), ".v inconsistent-null-blocks", ".v state-null-blocks?")
}
