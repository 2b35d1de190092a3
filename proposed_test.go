package objchange_test

import (
	"reflect"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// A mergeRow is a row about the attribute or block type v.
type mergeRow struct {
	name                string
	schema              *configschema.Block
	prior, config, want cty.Value // of v
}

// testMergeRows checks proposals, with v in an object of its own.
func testMergeRows(t *testing.T, rows []mergeRow) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got, err := objchange.ProposedNew(compiled(row.schema), objectOf(row.prior), objectOf(row.config))
			expectValue(t, got, err, objectOf(row.want))
		})
	}
}

func TestProposedNewWhole(t *testing.T) {
	schema := &configschema.Block{
		Attributes: itemAttrs,
		BlockTypes: blocks{"group": block(configschema.NestingGroup, itemAttrs), "list": block(configschema.NestingList, itemAttrs)},
	}
	ty := schema.ImpliedType()
	null, unknown := cty.NullVal(ty), cty.UnknownVal(ty)
	whole := func(id, name, group, list cty.Value) cty.Value {
		return object(obj{"id": id, "name": name, "group": group, "list": list})
	}
	prior := whole(str("1"), str("p"), item(str("2"), str("p")), list(item(str("3"), str("p"))))
	config := whole(noStr, str("c"), item(noStr, str("c")), list(item(noStr, str("c"))))
	tests := []struct {
		name                string
		prior, config, want cty.Value
	}{
		{"config null, a delete: null", prior, null, null},
		{"prior null: nothing is computed yet", null, config, config},
		{"config unknown: unknown", prior, unknown, unknown},
		{"the untyped null as both", noDynamic, noDynamic, null},
		{"both known: each attribute and block", prior, config,
			whole(str("1"), str("c"), item(str("2"), str("c")), list(item(str("3"), str("c"))))},
		{"an empty configuration", prior, schema.EmptyValue(), whole(str("1"), noStr, item(str("2"), noStr), emptyItems)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := objchange.ProposedNew(compiled(schema), test.prior, test.config)
			expectValue(t, got, err, test.want)
		})
	}
}

func TestProposedNewAttributes(t *testing.T) {
	computedOnly := schemaOf(attr(cty.String, "computed"))
	both := schemaOf(attr(cty.String, "optional computed"))
	optional := schemaOf(attr(cty.String, "optional"))
	strings := schemaOf(attr(cty.List(cty.String), "optional computed"))
	plain := schemaOf(attr(itemType, "optional computed"))
	dynamic := schemaOf(attr(cty.DynamicPseudoType, "optional computed"))
	refined := unknownStr.Refine().NotNull().StringPrefix("c-").NewValue()
	testMergeRows(t, []mergeRow{
		{"computed, config null: prior", computedOnly, str("p"), noStr, str("p")},
		{"a prior unknown keeps its refinements", both, refined, noStr, refined},
		{"optional and computed, config empty: config", strings, list(str("p")), cty.ListValEmpty(cty.String), cty.ListValEmpty(cty.String)},
		{"optional, config null: null", optional, str("p"), noStr, noStr},
		{"write-only: config", schemaOf(attr(cty.String, "optional writeonly")), noStr, str("c"), str("c")},
		{"an object without a NestedType is not merged", plain, item(str("1"), str("p")), item(noStr, str("c")), item(noStr, str("c"))},
		{"a computed object without a NestedType: prior, whoever set it", plain, item(str("1"), str("p")), noItem, item(str("1"), str("p"))},
		{"a dynamic attribute, config unknown", dynamic, num(1), cty.DynamicVal, cty.DynamicVal},
	})
}

// TestProposedNewPriorSetByUser checks an exception in specification.md#31-attributes: a
// prior value that only the user can have set is not kept after the user removes it from the
// configuration.
func TestProposedNewPriorSetByUser(t *testing.T) {
	for _, mode := range attributeModes {
		computedOnly := schemaOf(nested(mode, "computed", itemAttrs))
		both := schemaOf(nested(mode, "optional computed", itemAttrs))
		// All nested attributes are computed. Only the name in the innermost is not.
		deep := schemaOf(nested(mode, "optional computed", attrs{
			"in": nested(configschema.NestingList, "optional computed", attrs{"more": nested(configschema.NestingMap, "computed", itemAttrs)}),
		}))
		deepVal := func(name cty.Value) cty.Value {
			return wrapIn(mode, object(obj{"in": list(object(obj{"more": mapOf(obj{"k": item(str("1"), name)})}))}))
		}
		// The nested attribute that the user set is inside another nested attribute.
		inner := schemaOf(nested(mode, "optional computed", attrs{
			"in": nested(configschema.NestingList, "optional", attrs{"id": attr(cty.String, "computed")}),
		}))
		innerVal := wrapIn(mode, object(obj{"in": cty.ListValEmpty(cty.Object(map[string]cty.Type{"id": cty.String}))}))
		null := cty.NullVal(wrapTypeIn(mode, itemType))
		t.Run(mode.String(), func(t *testing.T) {
			testMergeRows(t, []mergeRow{
				{"only computed attributes set: prior", both, wrapIn(mode, item(str("1"), noStr)), null, wrapIn(mode, item(str("1"), noStr))},
				{"an attribute that is not computed set: null", both, wrapIn(mode, item(str("1"), str("p"))), null, null},
				{"not optional: prior", computedOnly, wrapIn(mode, item(str("1"), str("p"))), null, wrapIn(mode, item(str("1"), str("p")))},
				{"an unknown element contains no configured value: prior", both, wrapIn(mode, unknownItem), null, wrapIn(mode, unknownItem)},
				{"a null element: prior", both, wrapIn(mode, noItem), null, wrapIn(mode, noItem)},
				{"set at depth: null", deep, deepVal(str("p")), cty.NullVal(deepVal(noStr).Type()), cty.NullVal(deepVal(noStr).Type())},
				{"not set at depth: prior", deep, deepVal(noStr), cty.NullVal(deepVal(noStr).Type()), deepVal(noStr)},
				{"an empty nested attribute set: null", inner, innerVal, cty.NullVal(innerVal.Type()), cty.NullVal(innerVal.Type())},
			})
		})
	}
	both := schemaOf(nested(configschema.NestingList, "optional computed", itemAttrs))
	null := cty.NullVal(cty.List(itemType))
	inBlock := schemaOfBlock(block(configschema.NestingList, both.Attributes))
	blockVal := func(v cty.Value) cty.Value { return list(object(obj{"v": v})) }
	testMergeRows(t, []mergeRow{
		{"in any element", both, list(item(str("1"), noStr), item(str("2"), str("p"))), null, null},
		{"in a block", inBlock, blockVal(list(item(str("1"), str("p")))), blockVal(null), blockVal(null)},
	})
}

// TestProposedNewNestedAttributes checks specification.md#32-nested-attributes.
func TestProposedNewNestedAttributes(t *testing.T) {
	single := schemaOf(nested(configschema.NestingSingle, "optional", itemAttrs))
	lists := schemaOf(nested(configschema.NestingList, "optional", itemAttrs))
	maps := schemaOf(nested(configschema.NestingMap, "optional", itemAttrs))
	sets := schemaOf(nested(configschema.NestingSet, "optional", itemAttrs))
	c, p, merged := item(noStr, str("c")), item(str("1"), str("p")), item(str("1"), str("c"))
	hollow := item(unknownStr, unknownStr) // the result for an unknown object
	tracked := item(unknownStr, str("c"))  // the result for c with an unknown prior value
	k := func(v cty.Value) cty.Value { return mapOf(obj{"k": v}) }
	for _, mode := range attributeModes {
		both := schemaOf(nested(mode, "optional computed", itemAttrs))
		t.Run(mode.String(), func(t *testing.T) {
			testMergeRows(t, []mergeRow{
				{"computed, config set: merged", both, wrapIn(mode, item(str("1"), str("c"))), wrapIn(mode, c), wrapIn(mode, merged)},
			})
		})
	}
	testMergeRows(t, []mergeRow{
		{"single, prior unknown: merged with unknown", single, unknownItem, c, tracked},
		{"list longer than prior: surplus elements unchanged", lists, list(p), list(c, c), list(merged, c)},
		{"list, element unknown: an object of unknowns", lists, list(p), list(unknownItem), list(hollow)},
		{"list, element unknown, prior null: unchanged", lists, cty.NullVal(cty.List(itemType)), list(unknownItem), list(unknownItem)},
		{"list, element unknown, prior shorter: unchanged", lists, list(p), list(c, unknownItem), list(merged, unknownItem)},
		{"map, prior unknown: merged with unknown", maps, cty.UnknownVal(cty.Map(itemType)), k(c), k(tracked)},
		{"map, element unknown, key not in prior: merged with null", maps, mapOf(obj{"l": p}), k(unknownItem), k(hollow)},
		{"set, prior unknown: merged with null", sets, cty.UnknownVal(cty.Set(itemType)), set(c), set(c)},
		{"set, element unknown: an object of unknowns", sets, set(p), set(unknownItem), set(hollow)},
	})
}

// TestMergedElementsOfDifferentTypesAreRefused checks elements of a list or map whose dynamic
// types become different when they are merged. No list or map can contain them.
func TestMergedElementsOfDifferentTypesAreRefused(t *testing.T) {
	in := attrs{"any": attr(cty.DynamicPseudoType, "optional computed")}
	anyOf := func(v cty.Value) cty.Value { return object(obj{"any": v}) }
	lists, maps := schemaOf(nested(configschema.NestingList, "optional", in)), schemaOf(nested(configschema.NestingMap, "optional", in))
	deep := schemaOfBlock(block(configschema.NestingMap, lists.Attributes))
	tests := []struct {
		name          string
		schema        *configschema.Block
		prior, config cty.Value // of v
		place         string
	}{
		{"list", lists, list(anyOf(num(1))), list(anyOf(noDynamic), anyOf(noDynamic)), ".v"},
		{"map", maps, mapOf(obj{"k": anyOf(num(1))}), mapOf(obj{"k": anyOf(noDynamic), "l": anyOf(noDynamic)}), ".v"},
		{"in a dynamic block", deep, object(obj{"k": object(obj{"v": list(anyOf(num(1)))})}), object(obj{"k": object(obj{"v": list(anyOf(noDynamic), anyOf(noDynamic))})}), ".v.k.v"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := objchange.ProposedNew(compiled(test.schema), objectOf(test.prior), objectOf(test.config))
			expectRefusal(t, got, err, objchange.RuleTypeMismatch, test.place)
		})
	}
	testMergeRows(t, []mergeRow{
		{"list, shorter", lists, list(anyOf(num(1)), anyOf(num(2))), list(anyOf(noDynamic)), list(anyOf(num(1)))},
	})
	// The error has the path, also after other paths.
	more := &configschema.Block{
		Attributes: attrs{"fine": nested(configschema.NestingList, "optional", itemAttrs), "secret": nested(configschema.NestingMap, "optional sensitive", in)},
		BlockTypes: blocks{"v": block(configschema.NestingSingle, lists.Attributes)},
	}
	two, k := list(anyOf(noDynamic), anyOf(noDynamic)), mapOf(obj{"k": anyOf(noDynamic), "l": anyOf(noDynamic)})
	whole := func(secret, v cty.Value) cty.Value {
		return object(obj{"fine": emptyItems, "secret": secret, "v": objectOf(v)})
	}
	got, err := objchange.ProposedNew(compiled(more), whole(mapOf(obj{"k": anyOf(noDynamic)}), list(anyOf(num(1)))), whole(k, two))
	expectRefusal(t, got, err, objchange.RuleTypeMismatch, ".v.v")
	got, err = objchange.ProposedNew(compiled(more), whole(mapOf(obj{"k": anyOf(num(1))}), two), whole(k, two))
	expectRefusal(t, got, err, objchange.RuleTypeMismatch, ".secret")
	chosen := schemaOf(nested(configschema.NestingList, "optional", attrs{"any": attr(cty.DynamicPseudoType, "optional computed")}))
	got, err = objchange.ProposedNew(compiled(chosen), objectOf(list(anyOf(noDynamic))), objectOf(list(anyOf(noStr), anyOf(noStr))))
	expectRefusal(t, got, err, objchange.RuleTypeMismatch, ".v")
	below := schemaOf(nested(configschema.NestingMap, "optional", lists.Attributes))
	at := func(v cty.Value) cty.Value { return mapOf(obj{"k": objectOf(v)}) }
	got, err = objchange.ProposedNew(compiled(below), objectOf(at(list(anyOf(num(1))))), objectOf(at(two)))
	expectRefusal(t, got, err, objchange.RuleTypeMismatch, `.v["k"].v`)
}

// TestProposedNewTakesPriorNullWithItsType checks that the prior value is proposed with its own
// type, also if it differs from the type of the configured null. If the prior object is null or
// absent, the schema gives the type. For an absent element of a map, the configured element
// gives the type.
func TestProposedNewTakesPriorNullWithItsType(t *testing.T) {
	in := attrs{"any": attr(cty.DynamicPseudoType, "optional computed")}
	anyOf := func(v cty.Value) cty.Value { return object(obj{"any": v}) }
	single := schemaOf(nested(configschema.NestingSingle, "optional", in))
	lists, maps := schemaOf(nested(configschema.NestingList, "optional", in)), schemaOf(nested(configschema.NestingMap, "optional", in))
	tuples := schemaOfBlock(block(configschema.NestingList, in))
	typed := attrs{"any": attr(cty.List(cty.String), "optional computed")}
	noList := cty.NullVal(cty.List(cty.String))
	testMergeRows(t, []mergeRow{
		{"an object", single, anyOf(noDynamic), anyOf(noStr), anyOf(noDynamic)},
		{"an object that was null", single, nullOf(single), anyOf(noStr), anyOf(noDynamic)},
		{"an element of a tuple", tuples, tuple(anyOf(noDynamic)), tuple(anyOf(noStr)), tuple(anyOf(noDynamic))},
		{"an element of a list, after a known element", lists, list(anyOf(str("a")), anyOf(noStr)), list(anyOf(noStr), anyOf(noStr)), list(anyOf(str("a")), anyOf(noStr))},
		{"a new element of a map", maps, mapOf(obj{"k": anyOf(str("a"))}), mapOf(obj{"k": anyOf(noStr), "l": anyOf(noStr)}), mapOf(obj{"k": anyOf(str("a")), "l": anyOf(noStr)})},
		{"an object in a new element of a map", schemaOf(nested(configschema.NestingMap, "optional", single.Attributes)),
			mapOf(obj{"k": objectOf(anyOf(str("a")))}), mapOf(obj{"l": objectOf(anyOf(noStr))}), mapOf(obj{"l": objectOf(anyOf(noStr))})},
		{"a new block of a map", schemaOfBlock(block(configschema.NestingMap, in)), object(obj{"k": anyOf(noStr)}), object(obj{"l": anyOf(noStr)}), object(obj{"l": anyOf(noDynamic)})},
		{"a list in a map, unknown before", schemaOf(nested(configschema.NestingMap, "optional", lists.Attributes)),
			cty.UnknownVal(cty.Map(cty.Object(map[string]cty.Type{"v": cty.List(cty.Object(map[string]cty.Type{"any": cty.DynamicPseudoType}))}))),
			mapOf(obj{"k": objectOf(list(anyOf(noStr)))}), mapOf(obj{"k": objectOf(list(anyOf(unknownStr)))})},
		{"an element of a list that was null", lists, list(cty.NullVal(cty.Object(map[string]cty.Type{"any": cty.DynamicPseudoType}))), list(anyOf(noStr)), list(anyOf(noDynamic))},
		{"an object beside a list", schemaOf(nested(configschema.NestingSingle, "optional", attrs{"l": lists.Attributes["v"], "any": in["any"]})),
			object(obj{"l": list(anyOf(noDynamic)), "any": noDynamic}), object(obj{"l": list(anyOf(noStr)), "any": noStr}), object(obj{"l": list(anyOf(noDynamic)), "any": noDynamic})},
		{"a typed attribute of an object that was null", schemaOf(nested(configschema.NestingSingle, "optional", typed)), cty.NullVal(cty.Object(map[string]cty.Type{"any": noList.Type()})), anyOf(noList), anyOf(noList)},
	})
}

// TestProposedNewGroupInNothing checks a group in an absent prior object: its prior value is
// null in a nested attribute, and the empty object in a block.
func TestProposedNewGroupInNothing(t *testing.T) {
	group := attrs{"g": nested(configschema.NestingGroup, "optional computed", attrs{"id": attr(cty.String, "computed")})}
	none, empty := object(obj{"g": cty.NullVal(cty.Object(map[string]cty.Type{"id": cty.String}))}), object(obj{"g": object(obj{"id": noStr})})
	testMergeRows(t, []mergeRow{
		{"a nested attribute", schemaOf(nested(configschema.NestingSingle, "optional", group)), cty.NullVal(none.Type()), none, none},
		{"a block", schemaOfBlock(block(configschema.NestingSingle, group)), cty.NullVal(none.Type()), none, empty},
	})
}

// TestProposedNewEmptyIsNotNothing checks that a null, an empty and an unknown prior collection
// give different results.
func TestProposedNewEmptyIsNotNothing(t *testing.T) {
	lists, maps := schemaOf(nested(configschema.NestingList, "optional", itemAttrs)), schemaOfBlock(block(configschema.NestingMap, dynAttrs))
	testMergeRows(t, []mergeRow{
		{"empty where null was", lists, nullOf(lists), emptyItems, emptyItems},
		{"empty where an unknown was", lists, cty.UnknownVal(cty.List(itemType)), emptyItems, emptyItems},
		{"null where empty was", lists, emptyItems, nullOf(lists), nullOf(lists)},
		{"a null block at another key", maps, object(obj{"k": noDynamic}), object(obj{"l": noDynamic}), object(obj{"l": noDynamic})},
	})
}

// TestProposedNewDynamicBlocks checks blocks with dynamic types: lists stay tuples, and maps
// stay objects with one attribute for each key.
func TestProposedNewDynamicBlocks(t *testing.T) {
	lists := schemaOfBlock(block(configschema.NestingList, dynAttrs))
	maps := schemaOfBlock(block(configschema.NestingMap, dynAttrs))
	chosen := schemaOfBlock(block(configschema.NestingList, attrs{"any": attr(cty.DynamicPseudoType, "optional computed")}))
	within := schemaOfBlock(block(configschema.NestingList, nil, blocks{"w": block(configschema.NestingMap, dynAttrs)}))
	anyOf := func(v cty.Value) cty.Value { return object(obj{"any": v}) }
	testMergeRows(t, []mergeRow{
		{"elements of many types", lists, tuple(item(str("1"), str("p")), item(str("2"), num(1))), tuple(item(noStr, num(2)), item(noStr, list(str("c")))),
			tuple(item(str("1"), num(2)), item(str("2"), list(str("c"))))},
		{"tuple longer than prior", lists, tuple(item(str("1"), str("p"))), tuple(item(noStr, num(2)), item(noStr, noDynamic)), tuple(item(str("1"), num(2)), item(noStr, noDynamic))},
		{"element unknown as a whole, of unknown type", lists, tuple(item(str("1"), str("p"))), tuple(cty.DynamicVal), tuple(cty.DynamicVal)},
		{"prior's type is taken with its value", chosen, tuple(anyOf(num(1)), anyOf(cty.True)), tuple(anyOf(noDynamic), anyOf(noDynamic)), tuple(anyOf(num(1)), anyOf(cty.True))},
		{"keys of many types", maps, object(obj{"k": item(str("1"), str("p")), "gone": item(str("2"), num(1))}), object(obj{"k": item(noStr, num(2)), "new": item(noStr, cty.True)}),
			object(obj{"k": item(str("1"), num(2)), "new": item(noStr, cty.True)})},
		{"a key that is no attribute's name", maps, object(obj{"a b": item(str("1"), str("p"))}), object(obj{"a b": item(noStr, num(2))}), object(obj{"a b": item(str("1"), num(2))})},
		{"dynamic in dynamic", within, tuple(object(obj{"w": object(obj{"k": item(str("1"), str("p"))})})), tuple(object(obj{"w": object(obj{"k": item(noStr, num(2))})})),
			tuple(object(obj{"w": object(obj{"k": item(str("1"), num(2))})}))},
	})
}

// TestProposedNewSetsCoalesce checks that two elements of a set become one if the computed
// values make them equal.
func TestProposedNewSetsCoalesce(t *testing.T) {
	in := attrs{"k": leafAttr}
	schema := schemaOfBlock(block(configschema.NestingSet, attrs{"a": attr(cty.String, "optional computed"), "in": nested(configschema.NestingSingle, "optional", in)}))
	k := object(obj{"k": str("v")})
	el := func(a, in cty.Value) cty.Value { return object(obj{"a": a, "in": in}) }
	testMergeRows(t, []mergeRow{{"two become one", schema,
		set(el(str("x"), k), el(str("x"), cty.NullVal(k.Type()))), set(el(str("x"), k), el(noStr, k)), set(el(str("x"), k))}})
}

// TestProposedNewShares checks that the proposal shares memory with the configuration or the
// prior value, and limits the number of allocations.
func TestProposedNewShares(t *testing.T) {
	const size = 1000
	value := func(id cty.Value, names ...string) cty.Value {
		elems := make([]cty.Value, size)
		for i := range elems {
			elems[i] = item(id, str(names[i*len(names)/size]))
		}
		return object(obj{"v": list(elems...)})
	}
	stored, written := value(str("1"), "a"), value(noStr, "a")
	none := object(obj{"v": emptyItems})
	tests := []struct {
		name                string
		prior, config, want cty.Value
		least, most         int // limits of the number of allocations
	}{
		{"no change: prior", stored, written, stored, 0, 50},
		{"nothing to be computed: config", written, written, written, 0, 50},
		{"all configured: config", stored, stored, stored, 0, 50},
		{"no prior elements: config", none, written, written, 0, 50},
		{"half the elements are new: the others are shared", stored, value(noStr, "a", "b"), value(str("1"), "a", "b"), size / 2, 10 * size},
		{"all elements are new", stored, value(noStr, "b"), value(str("1"), "b"), size, 20 * size},
	}
	for name, schema := range map[string]*configschema.Block{
		"block":     schemaOfBlock(block(configschema.NestingList, itemAttrs)),
		"attribute": schemaOf(nested(configschema.NestingList, "optional", itemAttrs)),
	} {
		for _, test := range tests {
			t.Run(name+"/"+test.name, func(t *testing.T) {
				got, err := objchange.ProposedNew(compiled(schema), test.prior, test.config)
				if err != nil {
					t.Fatal(err)
				}
				if !got.RawEquals(test.want) {
					t.Error("got another value")
				}
				allocs := int(testing.AllocsPerRun(3, func() { _, _ = objchange.ProposedNew(compiled(schema), test.prior, test.config) }))
				if allocs < test.least || allocs > test.most {
					t.Errorf("%d allocations, want %d to %d", allocs, test.least, test.most)
				}
			})
		}
	}
}

// A rewriteRow is a row about the new value of the attribute or block type v.
type rewriteRow struct {
	name     string
	schema   *configschema.Block
	in, want cty.Value // of v
}

type maker = func(*objchange.Schema, cty.Value) (cty.Value, error)

// testRewriteRows calls the function, with v in an object of its own.
func testRewriteRows(t *testing.T, f maker, rows []rewriteRow) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got, err := f(compiled(row.schema), objectOf(row.in))
			expectValue(t, got, err, objectOf(row.want))
		})
	}
}

// TestPlannedDataResourceWhole checks specification.md#51-data-sources: the result equals the proposal
// for an unknown prior value.
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
		{"the configuration, with unknown values for computed attributes",
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

// TestPlannedDataResourceTypesOfUnknowns checks that an unknown value has the type of the
// schema, and in maps the type of the configured element.
func TestPlannedDataResourceTypesOfUnknowns(t *testing.T) {
	in := attrs{"any": attr(cty.DynamicPseudoType, "optional computed")}
	anyOf := func(v cty.Value) cty.Value { return object(obj{"any": v}) }
	of := func(mode configschema.NestingMode) *configschema.Block { return schemaOf(nested(mode, "optional", in)) }
	blocksOf := func(mode configschema.NestingMode) *configschema.Block { return schemaOfBlock(block(mode, in)) }
	testRewriteRows(t, objchange.PlannedDataResource, []rewriteRow{
		{"a list", of(configschema.NestingList), list(anyOf(noStr)), list(anyOf(cty.DynamicVal))},
		{"a map", of(configschema.NestingMap), mapOf(obj{"k": anyOf(noStr)}), mapOf(obj{"k": anyOf(unknownStr)})},
		{"a list of blocks", blocksOf(configschema.NestingList), tuple(anyOf(noStr)), tuple(anyOf(cty.DynamicVal))},
		{"a list of blocks in a map of blocks", schemaOfBlock(block(configschema.NestingMap, nil, blocks{"l": block(configschema.NestingList, in)})),
			object(obj{"k": object(obj{"l": tuple(anyOf(noDynamic), anyOf(noStr))})}), object(obj{"k": object(obj{"l": tuple(anyOf(cty.DynamicVal), anyOf(unknownStr))})})},
	})
	_, err := objchange.PlannedDataResource(compiled(of(configschema.NestingList)), objectOf(list(anyOf(str("a")), anyOf(str("b")))))
	if err != nil {
		t.Errorf("elements with one common type: %v", err)
	}
	got, err := objchange.PlannedDataResource(compiled(schemaOf(nested(configschema.NestingList, "optional", attrs{"a": in["any"], "b": in["any"]}))),
		objectOf(list(object(obj{"a": noStr, "b": str("b")}), object(obj{"a": str("a"), "b": str("b")}))))
	expectRefusal(t, got, err, objchange.RuleTypeMismatch, ".v")
}

// A markRow is a row about marks at and around the attribute or block type v.
type markRow struct {
	name                string
	schema              *configschema.Block
	prior, config, want cty.Value // whole objects
}

// testMarkRows checks specification.md#34-types-and-marks. For each row, it also checks that the
// result without marks equals the result for arguments without marks.
func testMarkRows(t *testing.T, rows []markRow) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got, err := objchange.ProposedNew(compiled(row.schema), row.prior, row.config)
			expectValue(t, got, err, row.want)
			prior, _ := row.prior.UnmarkDeep()
			config, _ := row.config.UnmarkDeep()
			unmarked, _ := got.UnmarkDeep()
			plain, err := objchange.ProposedNew(compiled(row.schema), prior, config)
			expectValue(t, plain, err, unmarked)
		})
	}
}

func TestProposedNewMarksOfAttributes(t *testing.T) {
	leaf := schemaOf(attr(cty.String, "optional computed"))
	strings := schemaOf(attr(cty.List(cty.String), "optional computed"))
	testMarkRows(t, []markRow{
		{"a mark of a replaced prior value is removed", leaf, objectOf(str("p").Mark("m")), objectOf(str("c")), objectOf(str("c"))},
		{"a mark of a null in config is removed", leaf, objectOf(str("p")), objectOf(noStr.Mark("m")), objectOf(str("p"))},
		{"marks inside a value stay inside", strings, objectOf(list(str("p").Mark("m"))), objectOf(cty.NullVal(cty.List(cty.String))), objectOf(list(str("p").Mark("m")))},
		{"a mark around prior joins the marks of the value", leaf, objectOf(str("p").Mark("n")).Mark("m"), objectOf(noStr), objectOf(str("p").WithMarks(cty.NewValueMarks("m", "n")))},
		{"a mark around prior does not move to a configured value", leaf, objectOf(str("p")).Mark("m"), objectOf(str("p")), objectOf(str("p"))},
		{"a mark around config stays where it is", leaf, objectOf(str("p")), objectOf(noStr).Mark("m"), objectOf(str("p")).Mark("m")},
	})
}

func TestProposedNewMarksOfContainers(t *testing.T) {
	p, c, merged := item(str("1"), str("p")), item(noStr, str("c")), item(str("1"), str("c"))
	tainted := item(str("1").Mark("m"), str("c")) // the id comes from a marked value
	for _, mode := range blockModes {
		if mode == configschema.NestingSet {
			continue
		}
		schemas := map[string]*configschema.Block{"block": schemaOfBlock(block(mode, itemAttrs)), "attribute": schemaOf(nested(mode, "optional", itemAttrs))}
		for what, schema := range schemas {
			t.Run(mode.String()+" "+what, func(t *testing.T) {
				testMarkRows(t, []markRow{
					{"around prior", schema, objectOf(wrapIn(mode, p)).Mark("m"), objectOf(wrapIn(mode, c)), objectOf(wrapIn(mode, tainted))},
					{"on prior's element", schema, objectOf(wrapIn(mode, p.Mark("m"))), objectOf(wrapIn(mode, c)), objectOf(wrapIn(mode, tainted))},
					{"on prior's other attribute", schema, objectOf(wrapIn(mode, item(str("1"), str("p").Mark("m")))), objectOf(wrapIn(mode, c)), objectOf(wrapIn(mode, merged))},
					{"on config's collection", schema, objectOf(wrapIn(mode, p)), objectOf(wrapIn(mode, c).Mark("m")), objectOf(wrapIn(mode, merged).Mark("m"))},
					{"on config's element", schema, objectOf(wrapIn(mode, p)), objectOf(wrapIn(mode, c.Mark("m"))), objectOf(wrapIn(mode, merged.Mark("m")))},
					{"on config's unknown", schema, objectOf(wrapIn(mode, p)), objectOf(cty.UnknownVal(wrapTypeIn(mode, itemType)).Mark("m")), objectOf(cty.UnknownVal(wrapTypeIn(mode, itemType)).Mark("m"))},
					{"no change, config's element is marked", schema, objectOf(wrapIn(mode, p)), objectOf(wrapIn(mode, item(noStr, str("p")).Mark("m"))), objectOf(wrapIn(mode, p.Mark("m")))},
					{"no change, all configured, prior's collection is marked", schema, objectOf(wrapIn(mode, p).Mark("m")), objectOf(wrapIn(mode, p)), objectOf(wrapIn(mode, p))},
					{"no change, prior is marked", schema, objectOf(wrapIn(mode, p).Mark("m")), objectOf(wrapIn(mode, item(noStr, str("p")))), objectOf(wrapIn(mode, item(str("1").Mark("m"), str("p"))))},
				})
			})
		}
	}
	lists := schemaOfBlock(block(configschema.NestingList, itemAttrs))
	testMarkRows(t, []markRow{
		{"all the containers' marks together", lists, objectOf(list(item(str("1").Mark("d"), noStr).Mark("c")).Mark("b")).Mark("a"), objectOf(list(c)),
			objectOf(list(item(str("1").WithMarks(cty.NewValueMarks("a", "b", "c", "d")), str("c"))))},
		{"only of the element that is merged", lists, objectOf(list(p.Mark("m"), p)), objectOf(list(c, c)), objectOf(list(tainted, merged))},
		{"a null element's mark", lists, objectOf(list(p)), objectOf(list(noItem.Mark("m"))), objectOf(list(noItem.Mark("m")))},
		{"an empty collection's mark, empty before", lists, objectOf(emptyItems), objectOf(emptyItems.Mark("m")), objectOf(emptyItems.Mark("m"))},
		{"a prior null element's mark", lists, objectOf(list(noItem.Mark("m"))), objectOf(list(noItem)), objectOf(list(noItem))},
	})
	// Marks do not hide that the user set the prior value.
	computed := schemaOf(nested(configschema.NestingList, "optional computed", itemAttrs))
	none := objectOf(nullOf(computed))
	any := schemaOf(attr(cty.DynamicPseudoType, "optional computed"))
	testMarkRows(t, []markRow{
		{"on a prior element with a configured value", computed, objectOf(list(p.Mark("m"))), none, none},
		{"on a prior collection without a configured value", computed, objectOf(list(item(str("1"), noStr)).Mark("m")), none, objectOf(list(item(str("1"), noStr)).Mark("m"))},
		{"on a prior null of no type", any, objectOf(noDynamic.Mark("m")), objectOf(noDynamic), objectOf(noDynamic.Mark("m"))},
	})
}

// TestProposedNewMarksOfSets checks that marks inside a set move to the set.
func TestProposedNewMarksOfSets(t *testing.T) {
	p, c, merged := item(str("1"), str("a")), item(noStr, str("a")), item(str("1"), str("a"))
	other := item(str("2"), str("b"))
	for name, schema := range map[string]*configschema.Block{
		"block":     schemaOfBlock(block(configschema.NestingSet, itemAttrs)),
		"attribute": schemaOf(nested(configschema.NestingSet, "optional", itemAttrs)),
	} {
		t.Run(name, func(t *testing.T) {
			testMarkRows(t, []markRow{
				{"in prior's set", schema, objectOf(set(item(str("1").Mark("m"), str("a")))), objectOf(set(c)), objectOf(set(merged).Mark("m"))},
				{"on prior's set without a value in the proposal", schema, objectOf(set(p).Mark("m")), objectOf(set(other)), objectOf(set(other))},
				{"around config", schema, objectOf(set(p)), objectOf(set(c)).Mark("m"), objectOf(set(merged)).Mark("m")},
				{"on both", schema, objectOf(set(p).Mark("m")), objectOf(set(c).Mark("n")), objectOf(set(merged).WithMarks(cty.NewValueMarks("m", "n")))},
			})
		})
	}
	deep := schemaOfBlock(block(configschema.NestingSet, attrs{"in": nested(configschema.NestingList, "optional", itemAttrs)}))
	in := func(v cty.Value) cty.Value { return set(object(obj{"in": list(v)})) }
	testMarkRows(t, []markRow{
		{"from deep inside", deep, objectOf(in(p).Mark("m")), objectOf(in(c)), objectOf(in(merged).Mark("m"))},
	})
}

// TestProposedNewMarksOfNullAndUnknown checks marks of whole objects that are null or unknown.
func TestProposedNewMarksOfNullAndUnknown(t *testing.T) {
	schema := schemaOf(attr(cty.String, "optional computed"))
	ty := schema.ImpliedType()
	testMarkRows(t, []markRow{
		{"config null", schema, objectOf(str("p")), cty.NullVal(ty).Mark("m"), cty.NullVal(ty).Mark("m")},
		{"config an untyped unknown", schema, objectOf(str("p")), cty.DynamicVal.Mark("m"), cty.UnknownVal(ty).Mark("m")},
		{"prior null", schema, cty.NullVal(ty).Mark("m"), objectOf(str("c")), objectOf(str("c"))},
	})
}

// TestProposedNewMarksDoNotHideEquality checks that elements of sets correlate in spite of
// their marks.
func TestProposedNewMarksDoNotHideEquality(t *testing.T) {
	schema := schemaOfBlock(block(configschema.NestingSet, itemAttrs))
	a, b := item(str("1"), str("a")), item(str("2"), str("b"))
	testMarkRows(t, []markRow{
		{"prior marked", schema, objectOf(set(a, b)), objectOf(set(item(noStr, str("b").Mark("m")), item(noStr, str("c")))), objectOf(set(b, item(noStr, str("c"))).Mark("m"))},
		{"config marked", schema, objectOf(set(a, b).Mark("m")), objectOf(set(item(noStr, str("b")))), objectOf(set(b).Mark("m"))},
	})
}

// A shareRow is a row about the attribute or block type v. It says which argument the proposed v
// shares all its memory with: "prior", "config", "both" if either is correct, or "neither".
type shareRow struct {
	name          string
	schema        *configschema.Block
	prior, config cty.Value // of v
	want          string
}

func testShareRows(t *testing.T, rows []shareRow) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			prior, config := objectOf(row.prior), objectOf(row.config)
			got, err := objchange.ProposedNew(compiled(row.schema), prior, config)
			if err != nil {
				t.Fatal(err)
			}
			expectShared(t, "the whole", got, prior, config, row.want)
			expectShared(t, "v", got.GetAttr("v"), row.prior, row.config, row.want)
		})
	}
}

func expectShared(t *testing.T, what string, got, prior, config cty.Value, want string) {
	t.Helper()
	is := map[string]bool{"prior": sameMemory(got, prior), "config": sameMemory(got, config)}
	is["both"], is["neither"] = is["prior"] || is["config"], !is["prior"] && !is["config"]
	if !is[want] {
		t.Errorf("%s: want %s, got %v", what, want, is)
	}
}

// sameMemory reports whether two values are identical in memory, not only equal.
func sameMemory(a, b cty.Value) bool {
	x, y := reflect.ValueOf(a).FieldByName("v").Elem(), reflect.ValueOf(b).FieldByName("v").Elem()
	for _, v := range []*reflect.Value{&x, &y} {
		if v.Kind() == reflect.Struct {
			*v = v.Field(0) // a set: its elements by hash
		}
	}
	switch {
	case x.Kind() != y.Kind():
		return false
	case x.Kind() == reflect.Map || x.Kind() == reflect.Slice:
		return x.Pointer() == y.Pointer()
	}
	return a.RawEquals(b)
}

// TestProposedNewReturnsTheVeryValue checks that the prior or the configured value itself is
// returned, at every depth, if nothing differs from it.
func TestProposedNewReturnsTheVeryValue(t *testing.T) {
	p, same, other := item(str("1"), str("a")), item(noStr, str("a")), item(noStr, str("b"))
	for _, mode := range blockModes {
		schemas := map[string]*configschema.Block{"block": schemaOfBlock(block(mode, itemAttrs)), "attribute": schemaOf(nested(mode, "optional", itemAttrs))}
		for kind, schema := range schemas {
			t.Run(mode.String()+" "+kind, func(t *testing.T) {
				in := func(v cty.Value) cty.Value { return wrapIn(mode, v) }
				testShareRows(t, []shareRow{
					{"no change, nothing is computed", schema, in(same), in(same), "both"},
					{"no change, the id is computed", schema, in(p), in(same), "prior"},
					{"the name changes, no id is computed", schema, in(same), in(other), "config"},
				})
				if mode == configschema.NestingSet {
					return
				}
				testShareRows(t, []shareRow{
					{"the name changes, the id is computed", schema, in(p), in(other), "neither"},
				})
			})
		}
	}
	p2, same2, other2 := item(str("2"), str("c")), item(noStr, str("c")), item(noStr, str("d"))
	lists := schemaOf(nested(configschema.NestingList, "optional", itemAttrs))
	sets, maps := schemaOfBlock(block(configschema.NestingSet, itemAttrs)), schemaOf(nested(configschema.NestingMap, "optional", itemAttrs))
	tuples := schemaOfBlock(block(configschema.NestingList, dynAttrs))
	deep := schemaOfBlock(block(configschema.NestingSingle, nil, blocks{"v": block(configschema.NestingList, itemAttrs)}))
	open := attrs{"id": attr(cty.String, "computed"), "any": attr(cty.DynamicPseudoType, "optional computed")}
	anyOf := func(id cty.Value) cty.Value { return object(obj{"id": id, "any": noDynamic}) }
	testShareRows(t, []shareRow{
		{"single: a null of no type", schemaOf(nested(configschema.NestingSingle, "optional", open)), anyOf(str("1")), anyOf(noStr), "prior"},
		{"list: empty", lists, emptyItems, emptyItems, "both"},
		{"list: unknown before, as the configured ids", lists, cty.UnknownVal(cty.List(itemType)), list(item(str("1"), str("a"))), "config"},
		{"list: the last changes", lists, list(p, p2), list(same, other2), "neither"},
		{"list: the first changes, no id is computed", lists, list(same, same2), list(other, same2), "config"},
		{"list: a null element", lists, list(p, noItem), list(same, noItem), "prior"},
		{"list: longer", lists, list(same), list(same, other2), "config"},
		{"map: a null element", maps, mapOf(obj{"k": p, "l": noItem}), mapOf(obj{"k": same, "l": noItem}), "prior"},
		{"set: no change in two elements", sets, set(p, p2), set(same, same2), "prior"},
		{"set: one more element, no id is computed", sets, set(same), set(same, other2), "config"},
		{"tuple: no change in two elements", tuples, tuple(p, p2), tuple(same, same2), "prior"},
		{"deep: no change", deep, objectOf(list(p, p2)), objectOf(list(same, same2)), "prior"},
	})
}

// TestProposedNewNumbersAsConfigured checks that a configured number is proposed with its
// encoding in the configuration, although equal numbers may have different encodings.
func TestProposedNewNumbersAsConfigured(t *testing.T) {
	schema := schemaOf(nested(configschema.NestingSingle, "optional", attrs{"n": attr(cty.Number, "optional"), "id": attr(cty.String, "computed"), "name": attr(cty.String, "optional")}))
	of := func(n cty.Value, id, name string) cty.Value {
		v := obj{"n": n, "id": noStr, "name": str(name)}
		if id != "" {
			v["id"] = str(id)
		}
		return objectOf(cty.ObjectVal(v))
	}
	float, decimal := cty.NumberFloatVal(0.1), cty.MustParseNumberVal("0.1")
	if !float.RawEquals(decimal) {
		t.Fatal("the results are not equal")
	}
	for range 50 { // the order of attributes varies
		for _, name := range []string{"a", "b"} {
			got, err := objchange.ProposedNew(compiled(schema), of(float, "1", "a"), of(decimal, "", name))
			if err != nil {
				t.Fatal(err)
			}
			v := got.GetAttr("v")
			if v.GetAttr("n").AsBigFloat().Cmp(decimal.AsBigFloat()) != 0 || !v.GetAttr("id").RawEquals(str("1")) {
				t.Fatalf("%s: proposed %#v", name, v)
			}
		}
	}
}
