package objchange_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
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
			expect(t, objchange.AssertStateValid(compiled(row.schema), objectOf(row.value)), row.wrong...)
			expect(t, objchange.AssertApplyConsistent(compiled(row.schema), objectOf(row.value), objectOf(row.value)), row.wrong...)
		})
	}
}

// TestStateRoot checks specification.md#12-state for the root.
func TestStateRoot(t *testing.T) {
	schema := schemaOf(attr(cty.String, "optional"))
	tests := []struct {
		name  string
		state cty.Value
		wrong []string
	}{
		{"the untyped null", noDynamic, nil},
		{"the untyped unknown", cty.DynamicVal, wrong(" state-unknown")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			expect(t, objchange.AssertStateValid(compiled(schema), test.state), test.wrong...)
		})
	}
}

// TestStateUnknown checks rules/state.md#state-unknown: each unknown value is reported at its
// path.
func TestStateUnknown(t *testing.T) {
	texts := attr(cty.List(cty.String), "computed")
	deep := schemaOf(attr(cty.Map(cty.List(itemType)), "computed"))
	dynamic := schemaOf(attr(cty.DynamicPseudoType, "computed"))
	unknown := wrong(".v state-unknown")
	half := item(unknownStr, str("a"))
	rows := []stateRow{
		{"an attribute", schemaOf(attr(cty.String, "computed")), unknownStr, unknown},
		{"refined", schemaOf(attr(cty.String, "computed")), unknownStr.RefineNotNull(), unknown},
		{"a list", schemaOf(texts), cty.UnknownVal(cty.List(cty.String)), unknown},
		{"an element of a list", schemaOf(texts), list(str("a"), unknownStr), wrong(".v[1] state-unknown")},
		{"an element of a map", schemaOf(attr(cty.Map(cty.String), "computed")), mapOf(obj{"k": unknownStr}), wrong(`.v["k"] state-unknown`)},
		{"an element of a set", schemaOf(attr(cty.Set(cty.String), "computed")), set(str("a"), unknownStr), wrong(".v[*] state-unknown")},
		{"in an element of a set", schemaOf(attr(cty.Set(itemType), "computed")), set(half), wrong(".v[*].id state-unknown")},
		{"part of an object", schemaOf(attr(itemType, "computed")), half, wrong(".v.id state-unknown")},
		{"deep", deep, mapOf(obj{"k": list(half)}), wrong(`.v["k"][0].id state-unknown`)},
		{"of the dynamic type", dynamic, cty.DynamicVal, unknown},
		{"in a tuple", dynamic, tuple(str("a"), cty.DynamicVal), wrong(".v[1] state-unknown")},
		{"in an object that the data names", dynamic, object(obj{"k": unknownNum}), wrong(".v.k state-unknown")},
		{"blocks of the dynamic type", schemaOfBlock(block(configschema.NestingMap, dynAttrs)), object(obj{"k": half, "l": cty.DynamicVal}), wrong(".v.k.id state-unknown", ".v.l state-unknown")},
		{"a computed block", schemaOfBlock(computed(block(configschema.NestingList, attrs{"id": attr(cty.String, "computed")}))),
			cty.UnknownVal(cty.List(cty.Object(map[string]cty.Type{"id": cty.String}))), unknown},
	}
	steps := map[configschema.NestingMode]string{configschema.NestingList: "[0]", configschema.NestingMap: `["k"]`, configschema.NestingSet: "[*]"}
	for _, mode := range blockModes {
		schemas := map[string]*configschema.Block{"blocks": schemaOfBlock(block(mode, itemAttrs))}
		if mode != configschema.NestingGroup {
			schemas["nested attribute"] = schemaOf(nested(mode, "optional", itemAttrs))
		}
		for kind, schema := range schemas {
			name := kind + ", " + mode.String() + ": "
			rows = append(rows,
				stateRow{name + "the whole", schema, cty.UnknownVal(nullOf(schema).Type()), unknown},
				stateRow{name + "an attribute", schema, wrapIn(mode, half), wrong(".v" + steps[mode] + ".id state-unknown")},
				stateRow{name + "an element", schema, wrapIn(mode, unknownItem), wrong(".v" + steps[mode] + " state-unknown")})
		}
	}
	testStateRows(t, rows)
}

// TestStateWriteOnly checks rules/state.md#write-only-not-null.
func TestStateWriteOnly(t *testing.T) {
	plain := schemaOf(attr(cty.String, "optional writeonly"))
	rows := []stateRow{
		{"null", plain, noStr, nil},
		{"not null", plain, str("s"), wrong(".v write-only-not-null")},
		{"unknown is not null either", plain, unknownStr, wrong(".v state-unknown", ".v write-only-not-null")},
		{"nested, write-only itself", schemaOf(nested(configschema.NestingSingle, "optional writeonly", itemAttrs)), item(noStr, noStr), wrong(".v write-only-not-null")},
		{"in blocks of the dynamic type", schemaOfBlock(block(configschema.NestingMap, attrs{"wo": attr(cty.String, "optional writeonly"), "any": attr(cty.DynamicPseudoType, "optional")})),
			object(obj{"k": object(obj{"wo": str("s"), "any": num(1)})}), wrong(".v.k.wo write-only-not-null")},
	}
	deep := schemaOf(nested(configschema.NestingList, "optional", attrs{"in": nested(configschema.NestingMap, "optional", secretAttrs)}))
	rows = append(rows, stateRow{"deep", deep, list(object(obj{"in": mapOf(obj{"k": secret(str("s"), noStr)})})), wrong(`.v[0].in["k"].wo write-only-not-null`)})
	steps := map[configschema.NestingMode]string{configschema.NestingSingle: "", configschema.NestingGroup: "", configschema.NestingList: "[0]", configschema.NestingMap: `["k"]`}
	for mode, step := range steps {
		broken := wrapIn(mode, secret(str("s"), str("n")))
		place := wrong(".v" + step + ".wo write-only-not-null")
		rows = append(rows, stateRow{"in " + mode.String() + " blocks", schemaOfBlock(block(mode, secretAttrs)), broken, place})
		if mode != configschema.NestingGroup {
			rows = append(rows,
				stateRow{"in a " + mode.String() + " attribute", schemaOf(nested(mode, "optional", secretAttrs)), broken, place},
				stateRow{"in a computed " + mode.String() + " attribute", schemaOf(nested(mode, "computed", secretAttrs)), broken, place})
		}
	}
	testStateRows(t, rows)

	// The planned value must be null, so the value has changed as well.
	expect(t, objchange.AssertApplyConsistent(compiled(plain), objectOf(noStr), objectOf(str("s"))), ".v inconsistent-value", ".v write-only-not-null")
	expect(t, objchange.AssertApplyConsistent(compiled(plain), objectOf(noStr), objectOf(unknownStr)), ".v state-unknown", ".v write-only-not-null")
	expect(t, objchange.AssertApplyConsistent(compiled(plain), cty.NullVal(plain.ImpliedType()), objectOf(str("s"))), " inconsistent-presence", ".v write-only-not-null")
}

// TestStateNullBlocks checks rules/state.md#state-null-blocks: null blocks instead of an empty
// collection or group.
func TestStateNullBlocks(t *testing.T) {
	null := wrong(".v state-null-blocks?")
	var rows []stateRow
	for _, mode := range blockModes {
		want := null
		if mode == configschema.NestingSingle {
			want = nil
		}
		schema := schemaOfBlock(block(mode, itemAttrs))
		rows = append(rows,
			stateRow{mode.String(), schema, nullOf(schema), want},
			stateRow{mode.String() + ": empty", schema, schema.EmptyValue().GetAttr("v"), nil})
		inner := schemaOfBlock(block(configschema.NestingSet, nil, blocks{"in": block(mode, itemAttrs)}))
		if want != nil {
			want = wrong(".v[*].in state-null-blocks?")
		}
		rows = append(rows, stateRow{mode.String() + " in a set", inner, set(object(obj{"in": nullOf(schema)})), want})
	}
	testStateRows(t, append(rows,
		stateRow{"list of the dynamic type", schemaOfBlock(block(configschema.NestingList, dynAttrs)), noDynamic, null},
		stateRow{"map of the dynamic type", schemaOfBlock(block(configschema.NestingMap, dynAttrs)), noDynamic, null},
		stateRow{"a nested attribute may be null", schemaOf(nested(configschema.NestingList, "optional", itemAttrs)), cty.NullVal(emptyItems.Type()), nil},
	))
	own := schemaOfBlock(computed(block(configschema.NestingList, attrs{"id": attr(cty.String, "computed")})))
	expect(t, objchange.AssertStateValid(compiled(own), objectOf(nullOf(own))), ".v state-null-blocks?")

	// Together with a plan, both checks report violations.
	lists, group := schemaOfBlock(block(configschema.NestingList, itemAttrs)), schemaOfBlock(block(configschema.NestingGroup, itemAttrs))
	expect(t, objchange.AssertApplyConsistent(compiled(lists), objectOf(emptyItems), objectOf(nullOf(lists))), ".v inconsistent-null-blocks?", ".v state-null-blocks?")
	expect(t, objchange.AssertApplyConsistent(compiled(group), objectOf(item(noStr, noStr)), objectOf(noItem)), ".v inconsistent-presence", ".v state-null-blocks?")
	expect(t, objchange.AssertApplyConsistent(compiled(own), objectOf(cty.UnknownVal(nullOf(own).Type())), objectOf(nullOf(own))), ".v inconsistent-null-blocks", ".v state-null-blocks?")
}

// TestUnknownObjectIsReportedOnce checks that the attributes of an unknown object are not
// reported.
func TestUnknownObjectIsReportedOnce(t *testing.T) {
	schema := schemaOf(attr(cty.String, "optional writeonly"))
	unknown := cty.UnknownVal(schema.ImpliedType())
	expect(t, objchange.AssertStateValid(compiled(schema), unknown), " state-unknown")
	expect(t, objchange.AssertApplyConsistent(compiled(schema), objectOf(noStr), unknown), " state-unknown")
}
