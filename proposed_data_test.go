package objchange_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// A rewriting is a row about what becomes of one attribute or block type,
// named v.
type rewriting struct {
	name     string
	schema   *configschema.Block
	in, want cty.Value // of v
}

type maker = func(*objchange.Schema, cty.Value) (cty.Value, error)

// testRewritings calls the function, with v in an object of its own.
func testRewritings(t *testing.T, f maker, rows []rewriting) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got, err := f(compiled(row.schema), objectOf(row.in))
			expectValue(t, got, err, objectOf(row.want))
		})
	}
}

// semantics.md#data-sources: the proposal for an unknown prior.
func TestPlannedDataResourceWhole(t *testing.T) {
	schema := &configschema.Block{Attributes: itemAttrs, BlockTypes: blocks{"group": block(configschema.NestingGroup, itemAttrs)}}
	ty := schema.ImpliedType()
	tests := []struct {
		name         string
		config, want cty.Value
	}{
		{"null: null", cty.NullVal(ty), cty.NullVal(ty)},
		{"the untyped null: null", noDynamic, cty.NullVal(ty)},
		{"unknown: unknown", cty.UnknownVal(ty), cty.UnknownVal(ty)},
		{"the untyped unknown: unknown", cty.DynamicVal, cty.UnknownVal(ty)},
		{"the configuration, with unknown for what it leaves to the provider",
			object(obj{"id": noStr, "name": str("c"), "group": item(noStr, noStr)}),
			object(obj{"id": unknownStr, "name": str("c"), "group": item(unknownStr, noStr)})},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := objchange.PlannedDataResource(compiled(schema), test.config)
			expectValue(t, got, err, test.want)
		})
	}
}

func TestPlannedDataResourceAttributes(t *testing.T) {
	testRewritings(t, objchange.PlannedDataResource, []rewriting{
		{"computed, null: unknown", schemaOf(attr(cty.String, "computed")), noStr, unknownStr},
		{"optional and computed, null: unknown", schemaOf(attr(cty.String, "optional computed")), noStr, unknownStr},
		{"optional and computed, set: config", schemaOf(attr(cty.String, "optional computed")), str("c"), str("c")},
		{"optional, null: null", schemaOf(attr(cty.String, "optional")), noStr, noStr},
		{"required, unknown: unknown", schemaOf(attr(cty.String, "required")), unknownStr, unknownStr},
		{"computed list, null: unknown", schemaOf(attr(cty.List(cty.String), "computed")), cty.NullVal(cty.List(cty.String)), cty.UnknownVal(cty.List(cty.String))},
		{"computed and dynamic, null: unknown", schemaOf(attr(cty.DynamicPseudoType, "computed")), noDynamic, cty.DynamicVal},
	})
}

func TestPlannedDataResourceNestedAttributes(t *testing.T) {
	for _, mode := range attributeModes {
		optional := schemaOf(nested(mode, "optional", itemAttrs))
		null := cty.NullVal(typeHeldIn(mode, itemType))
		id := unknownStr
		if mode == configschema.NestingSet {
			id = noStr // the elements of a set have no prior to come from
		}
		t.Run(mode.String(), func(t *testing.T) {
			testRewritings(t, objchange.PlannedDataResource, []rewriting{
				{"computed, null: unknown", schemaOf(nested(mode, "computed", itemAttrs)), null, cty.UnknownVal(null.Type())},
				{"optional and computed, null: unknown", schemaOf(nested(mode, "optional computed", itemAttrs)), null, cty.UnknownVal(null.Type())},
				{"optional, null: null", optional, null, null},
				{"unknown: unknown", optional, cty.UnknownVal(null.Type()), cty.UnknownVal(null.Type())},
				{"set: merged", optional, heldIn(mode, item(noStr, str("c"))), heldIn(mode, item(id, str("c")))},
				{"optional and computed, set: merged", schemaOf(nested(mode, "optional computed", itemAttrs)),
					heldIn(mode, item(noStr, str("c"))), heldIn(mode, item(id, str("c")))},
			})
		})
	}
	lists := schemaOf(nested(configschema.NestingList, "optional", itemAttrs))
	// What is null stays null everywhere inside a set element.
	inSet := schemaOf(nested(configschema.NestingSet, "optional", attrs{
		"in": nested(configschema.NestingMap, "optional", itemAttrs), "other": nested(configschema.NestingList, "computed", itemAttrs),
	}))
	element := set(object(obj{"in": mapOf(obj{"k": item(noStr, str("c"))}), "other": cty.NullVal(cty.List(itemType))}))
	testRewritings(t, objchange.PlannedDataResource, []rewriting{
		{"list, empty", lists, emptyItems, emptyItems},
		{"list, each element", lists, list(item(noStr, str("c")), item(noStr, noStr)), list(item(unknownStr, str("c")), item(unknownStr, noStr))},
		{"list, element null: null", lists, list(noItem), list(noItem)},
		{"list, element unknown: an object of unknowns", lists, list(unknownItem), list(item(unknownStr, unknownStr))},
		{"deep inside a set", inSet, element, element},
	})
}

func TestPlannedDataResourceBlocks(t *testing.T) {
	for _, mode := range blockModes {
		schema := schemaOfBlock(block(mode, itemAttrs))
		null := cty.NullVal(typeHeldIn(mode, itemType))
		id := unknownStr
		if mode == configschema.NestingSet {
			id = noStr
		}
		t.Run(mode.String(), func(t *testing.T) {
			testRewritings(t, objchange.PlannedDataResource, []rewriting{
				{"null: null", schema, null, null},
				{"unknown: unknown", schema, cty.UnknownVal(null.Type()), cty.UnknownVal(null.Type())},
				{"set: merged", schema, heldIn(mode, item(noStr, str("c"))), heldIn(mode, item(id, str("c")))},
				{"in a list", schemaOfBlock(block(configschema.NestingList, nil, blocks{"w": schema.BlockTypes["v"]})),
					list(object(obj{"w": heldIn(mode, item(noStr, str("c")))})), list(object(obj{"w": heldIn(mode, item(id, str("c")))}))},
				{"in a set", schemaOfBlock(block(configschema.NestingSet, nil, blocks{"w": schema.BlockTypes["v"]})),
					set(object(obj{"w": heldIn(mode, item(noStr, str("c")))})), set(object(obj{"w": heldIn(mode, item(noStr, str("c")))}))},
			})
		})
	}
	lists := schemaOfBlock(block(configschema.NestingList, itemAttrs))
	testRewritings(t, objchange.PlannedDataResource, []rewriting{
		{"list, empty", lists, emptyItems, emptyItems},
		{"list, element unknown as a whole: stays unknown", lists, list(unknownItem), list(unknownItem)},
		{"set, element unknown as a whole: stays unknown", schemaOfBlock(block(configschema.NestingSet, itemAttrs)), set(unknownItem), set(unknownItem)},
		{"a computed block, null: null", schemaOfBlock(computed(block(configschema.NestingList, nil))), cty.NullVal(cty.List(cty.EmptyObject)), cty.NullVal(cty.List(cty.EmptyObject))},
	})
}

// A value where Terraform Core panics.
func TestPlannedDataResourceDynamicBlocks(t *testing.T) {
	lists := schemaOfBlock(block(configschema.NestingList, dynAttrs))
	maps := schemaOfBlock(block(configschema.NestingMap, dynAttrs))
	chosen := attrs{"any": attr(cty.DynamicPseudoType, "optional computed")}
	anyOf := func(v cty.Value) cty.Value { return object(obj{"any": v}) }
	testRewritings(t, objchange.PlannedDataResource, []rewriting{
		{"tuple", lists, tuple(item(noStr, num(2)), item(noStr, list(str("c")))), tuple(item(unknownStr, num(2)), item(unknownStr, list(str("c"))))},
		{"empty tuple", lists, cty.EmptyTupleVal, cty.EmptyTupleVal},
		{"null", lists, noDynamic, noDynamic},
		{"unknown", lists, cty.DynamicVal, cty.DynamicVal},
		{"element unknown as a whole", lists, tuple(cty.DynamicVal), tuple(cty.DynamicVal)},
		{"object", maps, object(obj{"k": item(noStr, num(2)), "l": item(noStr, cty.True)}), object(obj{"k": item(unknownStr, num(2)), "l": item(unknownStr, cty.True)})},
		{"empty object", maps, cty.EmptyObjectVal, cty.EmptyObjectVal},
		{"single", schemaOfBlock(block(configschema.NestingSingle, dynAttrs)), item(noStr, num(2)), item(unknownStr, num(2))},
		{"group", schemaOfBlock(block(configschema.NestingGroup, dynAttrs)), item(noStr, num(2)), item(unknownStr, num(2))},
		{"in another dynamic block", schemaOfBlock(block(configschema.NestingMap, nil, blocks{"w": lists.BlockTypes["v"]})),
			object(obj{"k": object(obj{"w": tuple(item(noStr, num(2)))})}), object(obj{"k": object(obj{"w": tuple(item(unknownStr, num(2)))})})},
		{"a value of unknown type, in a tuple", schemaOfBlock(block(configschema.NestingList, chosen)), tuple(anyOf(noDynamic), anyOf(num(1))), tuple(anyOf(cty.DynamicVal), anyOf(num(1)))},
		{"a value of unknown type, in an object", schemaOfBlock(block(configschema.NestingMap, chosen)), object(obj{"k": anyOf(noDynamic)}), object(obj{"k": anyOf(cty.DynamicVal)})},
	})
}

// An unknown value has the type of the schema. In maps it has the type of the configured
// element.
func TestPlannedDataResourceTypesOfUnknowns(t *testing.T) {
	in := attrs{"any": attr(cty.DynamicPseudoType, "optional computed")}
	anyOf := func(v cty.Value) cty.Value { return object(obj{"any": v}) }
	of := func(mode configschema.NestingMode) *configschema.Block { return schemaOf(nested(mode, "optional", in)) }
	blocksOf := func(mode configschema.NestingMode) *configschema.Block { return schemaOfBlock(block(mode, in)) }
	testRewritings(t, objchange.PlannedDataResource, []rewriting{
		{"an object", of(configschema.NestingSingle), anyOf(noStr), anyOf(cty.DynamicVal)},
		{"a list", of(configschema.NestingList), list(anyOf(noStr)), list(anyOf(cty.DynamicVal))},
		{"a map", of(configschema.NestingMap), mapOf(obj{"k": anyOf(noStr)}), mapOf(obj{"k": anyOf(unknownStr)})},
		{"a block", blocksOf(configschema.NestingSingle), anyOf(noStr), anyOf(cty.DynamicVal)},
		{"a list of blocks", blocksOf(configschema.NestingList), tuple(anyOf(noStr)), tuple(anyOf(cty.DynamicVal))},
		{"a map of blocks", blocksOf(configschema.NestingMap), object(obj{"k": anyOf(noStr)}), object(obj{"k": anyOf(unknownStr)})},
		{"a list of blocks in a map of blocks", schemaOfBlock(block(configschema.NestingMap, nil, blocks{"l": block(configschema.NestingList, in)})),
			object(obj{"k": object(obj{"l": tuple(anyOf(noDynamic), anyOf(noStr))})}), object(obj{"k": object(obj{"l": tuple(anyOf(cty.DynamicVal), anyOf(unknownStr))})})},
	})
	_, err := objchange.PlannedDataResource(compiled(of(configschema.NestingList)), objectOf(list(anyOf(str("a")), anyOf(str("b")))))
	if err != nil {
		t.Errorf("elements of one type: %v", err)
	}
	got, err := objchange.PlannedDataResource(compiled(schemaOf(nested(configschema.NestingList, "optional", attrs{"a": in["any"], "b": in["any"]}))),
		objectOf(list(object(obj{"a": noStr, "b": str("b")}), object(obj{"a": str("a"), "b": str("b")}))))
	expectRefusal(t, got, err, objchange.RuleTypeMismatch, ".v")
}

func TestPlannedDataResourceMarks(t *testing.T) {
	lists := schemaOfBlock(block(configschema.NestingList, itemAttrs))
	sets := schemaOfBlock(block(configschema.NestingSet, itemAttrs))
	testRewritings(t, objchange.PlannedDataResource, []rewriting{
		{"a configured value", schemaOf(attr(cty.String, "optional computed")), str("c").Mark("m"), str("c").Mark("m")},
		{"a rebuilt list and element", lists, list(item(noStr, str("c")).Mark("n")).Mark("m"), list(item(unknownStr, str("c")).Mark("n")).Mark("m")},
		{"a set", sets, set(item(noStr, str("c"))).Mark("m"), set(item(noStr, str("c"))).Mark("m")},
	})
	got, err := objchange.PlannedDataResource(compiled(lists), objectOf(list(item(noStr, str("c")))).Mark("m"))
	expectValue(t, got, err, objectOf(list(item(unknownStr, str("c")))).Mark("m"))
}
