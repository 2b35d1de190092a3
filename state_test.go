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

// semantics.md#consistency alone asks nothing of a semantics.md#state.
func TestPlanConsistentIsNotState(t *testing.T) {
	wo := withAttr(attr(cty.String, "optional writeonly"))
	lists := withBlock(block(objchange.NestingList, itemAttrs))
	testBecomings(t, []becoming{
		{"a write-only attribute", wo, str("s"), str("s"), nil},
		{"a write-only attribute that was unknown", wo, unknownStr, str("s"), nil},
		{"an unknown", withAttr(attr(cty.String, "computed")), unknownStr, unknownStr, nil},
		{"null blocks", lists, nullV(lists), nullV(lists), nil},
	})
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

// semantics.md#state and semantics.md#consistency: both the plan and the state.
func TestApplyConsistent(t *testing.T) {
	text := withAttr(attr(cty.String, "optional computed"))
	hidden := withAttr(attr(cty.Map(cty.String), "optional sensitive"))
	dynamic := withAttr(attr(cty.DynamicPseudoType, "optional"))
	texts := withAttr(attr(cty.List(cty.String), "optional"))
	textSet := withAttr(attr(cty.Set(cty.String), "optional"))
	lists := withBlock(block(objchange.NestingList, itemAttrs))
	maps := withBlock(block(objchange.NestingMap, itemAttrs))
	sets := withBlock(block(objchange.NestingSet, itemAttrs))
	single := withBlock(block(objchange.NestingSingle, itemAttrs))
	group := withBlock(block(objchange.NestingGroup, itemAttrs))
	own := withBlock(computed(block(objchange.NestingMap, attrs{"id": attr(cty.String, "computed")})))
	nestedOne := withAttr(nested(objchange.NestingSingle, "optional", itemAttrs))
	a, b, x := item(unknownStr, str("a")), item(str("2"), str("b")), item(str("9"), str("x"))
	k := func(v cty.Value) cty.Value { return mapOf(obj{"k": v}) }
	only := wrong(".v state-unknown")
	rows := []becoming{
		{"the plan filled in", lists, list(a), list(item(str("1"), str("a"))), nil},
		{"a value changes", lists, list(b), list(x), wrong(".v[0].id inconsistent-value", ".v[0].name inconsistent-value")},
		{"an element changes", sets, set(b), set(x), wrong(".v inconsistent-set-element")},
		{"a refinement", text, unknownStr.RefineNotNull(), noStr, wrong(".v inconsistent-refinement")},
		{"an object appears, and what is in it", single, noItem, a, wrong(".v inconsistent-presence", ".v.id state-unknown")},
		{"more blocks, and what is in them", lists, list(b), list(b, a), wrong(".v inconsistent-count", ".v[1].id state-unknown")},
		{"more elements, and what is in them", texts, list(str("a")), list(str("b"), unknownStr), wrong(".v inconsistent-key", ".v[0] inconsistent-value", ".v[1] state-unknown")},
		{"another type, and what is in it", dynamic, str("a"), tuple(unknownStr), wrong(".v inconsistent-type", ".v[0] state-unknown")},
		{"a set element unknown: the known set lacks what was planned", textSet, set(str("a")), set(unknownStr), wrong(".v inconsistent-set-element", ".v[*] state-unknown")},
		{"a sensitive attribute: the unknown beside what is gathered", hidden, mapOf(obj{"k": str("a"), "l": str("b")}), mapOf(obj{"k": str("x"), "l": unknownStr}),
			wrong(".v inconsistent-sensitive", ".v[(sensitive)] state-unknown")},

		{"unknown: an attribute that was known", text, str("a"), unknownStr, only},
		{"unknown: an attribute that was null", text, noStr, unknownStr, only},
		{"unknown: an attribute that was unknown", text, unknownStr, unknownStr, only},
		{"unknown: outside the refinements", withAttr(attr(cty.Number, "computed")), unknownNum.Refine().NumberRangeUpperBound(num(1), true).NewValue(),
			unknownNum.Refine().NumberRangeLowerBound(num(5), true).NewValue(), only},
		{"unknown: another type", dynamic, str("a"), unknownNum, only},
		{"unknown: the dynamic type", dynamic, str("a"), cty.DynamicVal, only},
		{"unknown: an element", texts, list(str("a"), str("b")), list(unknownStr, str("b")), wrong(".v[0] state-unknown")},
		{"unknown: a sensitive attribute", hidden, k(str("a")), cty.UnknownVal(cty.Map(cty.String)), only},
		{"unknown: a marked attribute", texts, list(str("a")).Mark("m"), cty.UnknownVal(cty.List(cty.String)), only},
		{"unknown: a nested attribute", nestedOne, b, unknownItem, only},
		{"unknown: a nested attribute that was null", nestedOne, noItem, unknownItem, only},
		{"unknown: list blocks", lists, list(a), cty.UnknownVal(emptyItems.Type()), only},
		{"unknown: map blocks", maps, k(a), cty.UnknownVal(cty.Map(itemType)), only},
		{"unknown: set blocks", sets, set(a), cty.UnknownVal(cty.Set(itemType)), only},
		{"unknown: a single block", single, b, unknownItem, only},
		{"unknown: a single block that was null", single, noItem, unknownItem, only},
		{"unknown: a group block", group, b, unknownItem, only},
		{"unknown: computed blocks", own, cty.UnknownVal(nullV(own).Type()).RefineNotNull(), cty.UnknownVal(nullV(own).Type()), only},
		{"unknown: a block of a list", lists, list(b, x), list(unknownItem, x), wrong(".v[0] state-unknown")},
		{"unknown: a block of a list that was null", lists, list(noItem), list(unknownItem), wrong(".v[0] state-unknown")},
		{"unknown: a block of a map that was null", maps, k(noItem), k(unknownItem), wrong(`.v["k"] state-unknown`)},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			expect(t, objchange.AssertApplyConsistent(row.schema, inV(row.was), inV(row.now)), row.wrong...)
		})
	}
}

// semantics.md#inconsistent-presence: the root of what was planned and applied.
func TestApplyConsistentRoot(t *testing.T) {
	schema := withAttr(attr(cty.String, "computed"))
	null, unknown := cty.NullVal(schema.ImpliedType()), cty.UnknownVal(schema.ImpliedType())
	a := inV(str("a"))
	tests := []struct {
		name             string
		planned, applied cty.Value
		wrong            []string
	}{
		{"a delete", null, null, nil},
		{"still there", null, a, wrong(" inconsistent-presence")},
		{"still there, and unknown inside", null, inV(unknownStr), wrong(" inconsistent-presence", ".v state-unknown")},
		{"gone", a, null, wrong(" inconsistent-presence")},
		{"unknown", a, unknown, wrong(" state-unknown")},
		{"unknown where it should be gone", null, unknown, wrong(" state-unknown")},
		{"the untyped unknown where it should be gone", null, cty.DynamicVal, wrong(" state-unknown")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			expect(t, objchange.AssertApplyConsistent(schema, test.planned, test.applied), test.wrong...)
		})
	}
}
