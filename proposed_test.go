package objchange_test

import (
	"maps"
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

// testMergeRows checks proposals, with v in an object of its own, and beside other attributes.
func testMergeRows(t *testing.T, rows []mergeRow) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			for _, beside := range []neighbours{{}, kept, changed} {
				got, err := objchange.ProposedNew(compiled(beside.schema(row.schema)), beside.prior(row.prior), beside.config(row.config))
				expectValue(t, got, err, beside.want(row.want))
			}
		})
	}
}

// neighbours are attributes beside v that make the proposed object equal to the configured
// object, to the prior object, or to neither. The proposal for v must not depend on them.
type neighbours struct{ before, configured, after obj }

var (
	kept    = neighbours{obj{"id": str("1"), "name": str("n")}, obj{"id": noStr, "name": str("n")}, obj{"id": str("1"), "name": str("n")}}
	changed = neighbours{obj{"id": noStr, "name": str("n")}, obj{"id": noStr, "name": str("m")}, obj{"id": noStr, "name": str("m")}}
)

func (n neighbours) schema(of *configschema.Block) *configschema.Block {
	beside := *of
	beside.Attributes = maps.Clone(of.Attributes)
	for name := range n.before {
		if beside.Attributes == nil {
			beside.Attributes = attrs{}
		}
		beside.Attributes[name] = itemAttrs[name]
	}
	return &beside
}

func (n neighbours) prior(v cty.Value) cty.Value  { return object(merge(obj{"v": v}, n.before)) }
func (n neighbours) config(v cty.Value) cty.Value { return object(merge(obj{"v": v}, n.configured)) }
func (n neighbours) want(v cty.Value) cty.Value   { return object(merge(obj{"v": v}, n.after)) }

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
		{"both null: null", null, null, null},
		{"config null, a delete: null", prior, null, null},
		{"prior null: nothing is computed yet", null, config, config},
		{"prior null: as with the block's empty value", schema.EmptyValue(), config, config},
		{"config unknown: unknown", prior, unknown, unknown},
		{"prior null, config unknown: unknown", null, unknown, unknown},
		{"the untyped null as prior", noDynamic, config, config},
		{"the untyped null as config", prior, noDynamic, null},
		{"the untyped null as both", noDynamic, noDynamic, null},
		{"the untyped unknown as config", prior, cty.DynamicVal, unknown},
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
	required := schemaOf(attr(cty.String, "required"))
	strings := schemaOf(attr(cty.List(cty.String), "optional computed"))
	plain := schemaOf(attr(itemType, "optional computed"))
	dynamic := schemaOf(attr(cty.DynamicPseudoType, "optional computed"))
	refined := unknownStr.Refine().NotNull().StringPrefix("c-").NewValue()
	testMergeRows(t, []mergeRow{
		{"computed, config null: prior", computedOnly, str("p"), noStr, str("p")},
		{"computed, config null, prior null: null", computedOnly, noStr, noStr, noStr},
		{"computed, config null, prior unknown: unknown", computedOnly, unknownStr, noStr, unknownStr},
		{"optional and computed, config null: prior", both, str("p"), noStr, str("p")},
		{"optional and computed, config set: config", both, str("p"), str("c"), str("c")},
		{"optional and computed, config unknown: unknown", both, str("p"), unknownStr, unknownStr},
		{"an unknown keeps its refinements", both, str("p"), refined, refined},
		{"a prior unknown keeps its refinements", both, refined, noStr, refined},
		{"optional and computed, config empty: config", strings, list(str("p")), cty.ListValEmpty(cty.String), cty.ListValEmpty(cty.String)},
		{"optional, config null: null", optional, str("p"), noStr, noStr},
		{"optional, config set: config", optional, str("p"), str("c"), str("c")},
		{"required: config", required, str("p"), str("c"), str("c")},
		{"write-only: config", schemaOf(attr(cty.String, "optional writeonly")), noStr, str("c"), str("c")},
		{"an object without a NestedType is not merged", plain, item(str("1"), str("p")), item(noStr, str("c")), item(noStr, str("c"))},
		{"a computed object without a NestedType: prior, whoever set it", plain, item(str("1"), str("p")), noItem, item(str("1"), str("p"))},
		{"a collection without a NestedType is not merged", strings, list(str("p"), str("q")), list(str("c")), list(str("c"))},
		{"a dynamic attribute takes prior's type", dynamic, num(1), noDynamic, num(1)},
		{"a dynamic attribute takes config's type", dynamic, num(1), str("c"), str("c")},
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
				{"nothing set: prior", both, wrapIn(mode, item(noStr, noStr)), null, wrapIn(mode, item(noStr, noStr))},
				{"an attribute that is not computed set: null", both, wrapIn(mode, item(str("1"), str("p"))), null, null},
				{"not optional: prior", computedOnly, wrapIn(mode, item(str("1"), str("p"))), null, wrapIn(mode, item(str("1"), str("p")))},
				{"prior null: null", both, null, null, null},
				{"prior unknown: unknown", both, cty.UnknownVal(null.Type()), null, cty.UnknownVal(null.Type())},
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
		{"prior empty: prior", both, emptyItems, null, emptyItems},
		{"in any element", both, list(item(str("1"), noStr), item(str("2"), str("p"))), null, null},
		{"config empty is not null", both, list(item(str("1"), noStr)), emptyItems, emptyItems},
		{"in a block", inBlock, blockVal(list(item(str("1"), str("p")))), blockVal(null), blockVal(null)},
		{"in a block, only computed attributes set", inBlock, blockVal(list(item(str("1"), noStr))), blockVal(null), blockVal(list(item(str("1"), noStr)))},
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
		optional := schemaOf(nested(mode, "optional", itemAttrs))
		both := schemaOf(nested(mode, "optional computed", itemAttrs))
		prior, null := wrapIn(mode, p), cty.NullVal(wrapTypeIn(mode, itemType))
		unknown := cty.UnknownVal(null.Type())
		t.Run(mode.String(), func(t *testing.T) {
			testMergeRows(t, []mergeRow{
				{"config unknown: unknown", optional, prior, unknown, unknown},
				{"computed, config unknown: unknown", both, prior, unknown, unknown},
				{"config null: null", optional, prior, null, null},
				{"computed, config set: merged", both, wrapIn(mode, item(str("1"), str("c"))), wrapIn(mode, c), wrapIn(mode, merged)},
				{"prior null: nothing is computed yet", optional, null, wrapIn(mode, c), wrapIn(mode, c)},
			})
		})
	}
	testMergeRows(t, []mergeRow{
		{"single: merged", single, p, c, merged},
		{"single, prior unknown: merged with unknown", single, unknownItem, c, tracked},
		{"single: prior's other attributes go", single, p, item(noStr, noStr), item(str("1"), noStr)},

		{"list, config empty", lists, list(p), emptyItems, emptyItems},
		{"list: merged per index", lists, list(p, item(str("2"), str("q"))), list(c, item(noStr, str("d"))), list(merged, item(str("2"), str("d")))},
		{"list longer than prior: surplus elements unchanged", lists, list(p), list(c, c), list(merged, c)},
		{"list shorter than prior: surplus prior elements removed", lists, list(p, p), list(c), list(merged)},
		{"list, prior unknown: merged with unknown", lists, cty.UnknownVal(cty.List(itemType)), list(c), list(tracked)},
		{"list, element null in prior: merged with null", lists, list(noItem), list(c), list(c)},
		{"list, element unknown in prior: merged with unknown", lists, list(unknownItem), list(c), list(tracked)},
		{"list, element null: null", lists, list(p), list(noItem), list(noItem)},
		{"list, element null, prior null: null", lists, cty.NullVal(cty.List(itemType)), list(noItem), list(noItem)},
		{"list, element unknown: an object of unknowns", lists, list(p), list(unknownItem), list(hollow)},
		{"list, element unknown, null in prior: an object of unknowns", lists, list(noItem), list(unknownItem), list(hollow)},
		{"list, element unknown, prior unknown: an object of unknowns", lists, cty.UnknownVal(cty.List(itemType)), list(unknownItem), list(hollow)},
		{"list, element unknown, prior null: unchanged", lists, cty.NullVal(cty.List(itemType)), list(unknownItem), list(unknownItem)},
		{"list, element unknown, prior shorter: unchanged", lists, list(p), list(c, unknownItem), list(merged, unknownItem)},
		{"list, element unknown, prior empty: unchanged", lists, emptyItems, list(unknownItem), list(unknownItem)},

		{"map, config empty", maps, k(p), cty.MapValEmpty(itemType), cty.MapValEmpty(itemType)},
		{"map: merged per key", maps, mapOf(obj{"k": p, "l": item(str("2"), str("q"))}), mapOf(obj{"l": item(noStr, str("d")), "k": c}), mapOf(obj{"k": merged, "l": item(str("2"), str("d"))})},
		{"map, key not in prior: merged with null", maps, k(p), mapOf(obj{"k": c, "l": c}), mapOf(obj{"k": merged, "l": c})},
		{"map, key only in prior: removed", maps, mapOf(obj{"k": p, "l": p}), k(c), k(merged)},
		{"map, prior unknown: merged with unknown", maps, cty.UnknownVal(cty.Map(itemType)), k(c), k(tracked)},
		{"map, element unknown in prior: merged with unknown", maps, k(unknownItem), k(c), k(tracked)},
		{"map, element null: null", maps, k(p), k(noItem), k(noItem)},
		{"map, element unknown: an object of unknowns", maps, k(p), k(unknownItem), k(hollow)},
		{"map, element unknown, key not in prior: merged with null", maps, mapOf(obj{"l": p}), k(unknownItem), k(hollow)},
		{"map, element unknown, prior null: merged with null", maps, cty.NullVal(cty.Map(itemType)), k(unknownItem), k(hollow)},
		{"map, element unknown, prior unknown: an object of unknowns", maps, cty.UnknownVal(cty.Map(itemType)), k(unknownItem), k(hollow)},

		{"set, config empty", sets, set(p), cty.SetValEmpty(itemType), cty.SetValEmpty(itemType)},
		{"set: merged with the corresponding element", sets, set(item(str("1"), str("a")), item(str("2"), str("b"))), set(item(noStr, str("b")), item(noStr, str("c"))), set(item(str("2"), str("b")), item(noStr, str("c")))},
		{"set, no correlation: merged with null", sets, set(p), set(c), set(c)},
		{"set, prior unknown: merged with null", sets, cty.UnknownVal(cty.Set(itemType)), set(c), set(c)},
		{"set, element null: null", sets, set(p), set(noItem), set(noItem)},
		{"set, element unknown: an object of unknowns", sets, set(p), set(unknownItem), set(hollow)},
		{"set, element unknown, prior null: an object of unknowns", sets, cty.NullVal(cty.Set(itemType)), set(unknownItem), set(hollow)},
	})
}

// TestProposedNewDeepNestedAttributes checks that attributes are merged at depth in every mode.
func TestProposedNewDeepNestedAttributes(t *testing.T) {
	for _, outer := range attributeModes {
		for _, inner := range attributeModes {
			schema := schemaOf(nested(outer, "optional", attrs{"in": nested(inner, "optional", itemAttrs)}))
			value := func(id cty.Value) cty.Value {
				return wrapIn(outer, object(obj{"in": wrapIn(inner, item(id, str("a")))}))
			}
			want := value(str("1"))
			if outer == configschema.NestingSet && inner == configschema.NestingSet {
				want = value(noStr) // the sets inside differ, so the elements do not correlate
			}
			testMergeRows(t, []mergeRow{
				{inner.String() + " in " + outer.String(), schema, value(str("1")), value(noStr), want},
			})
		}
	}
	// The nested attributes of an unknown object are unknown, not objects of unknown values.
	schema := schemaOf(nested(configschema.NestingMap, "optional", attrs{"in": nested(configschema.NestingSingle, "optional", itemAttrs)}))
	ty := cty.Object(map[string]cty.Type{"in": itemType})
	testMergeRows(t, []mergeRow{{"nested in an unknown element", schema,
		mapOf(obj{"k": object(obj{"in": item(str("1"), str("p"))})}), mapOf(obj{"k": cty.UnknownVal(ty)}), mapOf(obj{"k": object(obj{"in": unknownItem})})}})
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
		{"list, all of the prior type", lists, list(anyOf(num(1)), anyOf(num(2))), list(anyOf(noDynamic), anyOf(noDynamic)), list(anyOf(num(1)), anyOf(num(2)))},
		{"list, shorter", lists, list(anyOf(num(1)), anyOf(num(2))), list(anyOf(noDynamic)), list(anyOf(num(1)))},
		{"map, all of the prior type", maps, mapOf(obj{"k": anyOf(num(1))}), mapOf(obj{"k": anyOf(noDynamic)}), mapOf(obj{"k": anyOf(num(1))})},
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
		{"an element of a list", lists, list(anyOf(noDynamic)), list(anyOf(noStr)), list(anyOf(noDynamic))},
		{"an element of a list, after a known element", lists, list(anyOf(str("a")), anyOf(noStr)), list(anyOf(noStr), anyOf(noStr)), list(anyOf(str("a")), anyOf(noStr))},
		{"a new element of a map", maps, mapOf(obj{"k": anyOf(str("a"))}), mapOf(obj{"k": anyOf(noStr), "l": anyOf(noStr)}), mapOf(obj{"k": anyOf(str("a")), "l": anyOf(noStr)})},
		{"an element of a map", maps, mapOf(obj{"k": anyOf(noDynamic)}), mapOf(obj{"k": anyOf(noStr)}), mapOf(obj{"k": anyOf(noDynamic)})},
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

func TestProposedNewTakesPriorNullWithItsTypeInListsAndBlocks(t *testing.T) {
	in := attrs{"any": attr(cty.DynamicPseudoType, "optional computed")}
	schema := &configschema.Block{
		Attributes: attrs{"list": nested(configschema.NestingList, "optional", in)},
		BlockTypes: blocks{"one": block(configschema.NestingSingle, in)},
	}
	whole := func(elem, one cty.Value) cty.Value {
		return object(obj{"list": list(object(obj{"any": elem})), "one": object(obj{"any": one})})
	}
	got, err := objchange.ProposedNew(compiled(schema), whole(noDynamic, noDynamic), whole(noStr, noStr))
	expectValue(t, got, err, whole(noDynamic, noDynamic))
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

// TestProposedNewBlocks checks specification.md#33-block-types.
func TestProposedNewBlocks(t *testing.T) {
	single := schemaOfBlock(block(configschema.NestingSingle, itemAttrs))
	group := schemaOfBlock(block(configschema.NestingGroup, itemAttrs))
	lists := schemaOfBlock(block(configschema.NestingList, itemAttrs))
	maps := schemaOfBlock(block(configschema.NestingMap, itemAttrs))
	sets := schemaOfBlock(block(configschema.NestingSet, itemAttrs))
	c, p, merged := item(noStr, str("c")), item(str("1"), str("p")), item(str("1"), str("c"))
	tracked := item(unknownStr, str("c"))
	k := func(v cty.Value) cty.Value { return mapOf(obj{"k": v}) }
	for _, mode := range blockModes {
		schema := schemaOfBlock(block(mode, itemAttrs))
		null := cty.NullVal(wrapTypeIn(mode, itemType))
		unknown := cty.UnknownVal(null.Type())
		t.Run(mode.String(), func(t *testing.T) {
			testMergeRows(t, []mergeRow{
				{"config unknown: unknown", schema, wrapIn(mode, p), unknown, unknown},
				{"config unknown, prior null: unknown", schema, null, unknown, unknown},
				{"config null: null", schema, wrapIn(mode, p), null, null},
				{"prior null: nothing is computed yet", schema, null, wrapIn(mode, c), wrapIn(mode, c)},
			})
		})
	}
	testMergeRows(t, []mergeRow{
		{"single: merged", single, p, c, merged},
		{"single, prior unknown: merged with unknown", single, unknownItem, c, tracked},
		{"group: merged", group, p, c, merged},
		{"group, config empty: merged", group, p, item(noStr, noStr), item(str("1"), noStr)},
		{"group, prior unknown: merged with unknown", group, unknownItem, c, tracked},
		{"group in group", schemaOfBlock(block(configschema.NestingGroup, nil, blocks{"w": block(configschema.NestingGroup, itemAttrs)})),
			object(obj{"w": p}), object(obj{"w": c}), object(obj{"w": merged})},

		{"list, config empty", lists, list(p), emptyItems, emptyItems},
		{"list: merged per index", lists, list(p, item(str("2"), str("q"))), list(c, item(noStr, str("d"))), list(merged, item(str("2"), str("d")))},
		{"list longer than prior: surplus without prior", lists, list(p), list(c, c), list(merged, c)},
		{"list shorter than prior: surplus prior elements removed", lists, list(p, p), list(c), list(merged)},
		{"list, prior unknown: merged with unknown", lists, cty.UnknownVal(cty.List(itemType)), list(c), list(tracked)},
		{"list, element null in prior: without prior", lists, list(noItem), list(c), list(c)},
		{"list, element unknown in prior: merged with unknown", lists, list(unknownItem), list(c), list(tracked)},
		{"list, element null: null", lists, list(p), list(noItem), list(noItem)},
		{"list, element unknown as a whole: stays unknown", lists, list(p), list(unknownItem), list(unknownItem)},
		{"list, element unknown as a whole, without prior: stays unknown", lists, emptyItems, list(unknownItem), list(unknownItem)},
		{"list, element unknown as a whole, prior unknown: stays unknown", lists, cty.UnknownVal(cty.List(itemType)), list(unknownItem), list(unknownItem)},
		{"list, element unknown as a whole beside others", lists, list(p, p), list(c, unknownItem), list(merged, unknownItem)},

		{"map, config empty", maps, k(p), cty.MapValEmpty(itemType), cty.MapValEmpty(itemType)},
		{"map: merged per key", maps, mapOf(obj{"k": p, "l": item(str("2"), str("q"))}), mapOf(obj{"l": item(noStr, str("d")), "k": c}), mapOf(obj{"k": merged, "l": item(str("2"), str("d"))})},
		{"map, key not in prior: without prior", maps, k(p), mapOf(obj{"k": c, "l": c}), mapOf(obj{"k": merged, "l": c})},
		{"map, key only in prior: removed", maps, mapOf(obj{"k": p, "l": p}), k(c), k(merged)},
		{"map, prior unknown: merged with unknown", maps, cty.UnknownVal(cty.Map(itemType)), k(c), k(tracked)},
		{"map, element null: null", maps, k(p), k(noItem), k(noItem)},
		{"map, element unknown as a whole: stays unknown", maps, k(p), k(unknownItem), k(unknownItem)},
		{"map, element unknown as a whole, without prior: stays unknown", maps, mapOf(obj{"l": p}), k(unknownItem), k(unknownItem)},

		{"set, config empty", sets, set(p), cty.SetValEmpty(itemType), cty.SetValEmpty(itemType)},
		{"set: merged with the corresponding element", sets, set(item(str("1"), str("a")), item(str("2"), str("b"))), set(item(noStr, str("b")), item(noStr, str("c"))), set(item(str("2"), str("b")), item(noStr, str("c")))},
		{"set, no correlation: without prior", sets, set(p), set(c), set(c)},
		{"set, prior unknown: without prior", sets, cty.UnknownVal(cty.Set(itemType)), set(c), set(c)},
		{"set, element null: null", sets, set(p), set(noItem), set(noItem)},
		{"set, element unknown as a whole: stays unknown", sets, set(p), set(unknownItem), set(unknownItem)},
	})
}

// TestProposedNewComputedBlocks checks that computed blocks are proposed like other blocks.
func TestProposedNewComputedBlocks(t *testing.T) {
	p := wrapIn(configschema.NestingList, object(obj{"id": str("1")}))
	schema := schemaOfBlock(computed(block(configschema.NestingList, attrs{"id": attr(cty.String, "optional computed")})))
	testMergeRows(t, []mergeRow{
		{"config null: null", schema, p, cty.NullVal(p.Type()), cty.NullVal(p.Type())},
		{"config empty: empty", schema, p, cty.ListValEmpty(p.Type().ElementType()), cty.ListValEmpty(p.Type().ElementType())},
		{"config set: merged", schema, p, list(object(obj{"id": noStr})), p},
	})
}

// TestProposedNewDynamicBlocks checks blocks with dynamic types: lists stay tuples, and maps
// stay objects with one attribute for each key.
func TestProposedNewDynamicBlocks(t *testing.T) {
	lists := schemaOfBlock(block(configschema.NestingList, dynAttrs))
	maps := schemaOfBlock(block(configschema.NestingMap, dynAttrs))
	chosen := schemaOfBlock(block(configschema.NestingList, attrs{"any": attr(cty.DynamicPseudoType, "optional computed")}))
	single := schemaOfBlock(block(configschema.NestingSingle, dynAttrs))
	group := schemaOfBlock(block(configschema.NestingGroup, dynAttrs))
	within := schemaOfBlock(block(configschema.NestingList, nil, blocks{"w": block(configschema.NestingMap, dynAttrs)}))
	anyOf := func(v cty.Value) cty.Value { return object(obj{"any": v}) }
	testMergeRows(t, []mergeRow{
		{"tuple stays tuple", lists, tuple(item(str("1"), str("p"))), tuple(item(noStr, num(2))), tuple(item(str("1"), num(2)))},
		{"elements of many types", lists, tuple(item(str("1"), str("p")), item(str("2"), num(1))), tuple(item(noStr, num(2)), item(noStr, list(str("c")))),
			tuple(item(str("1"), num(2)), item(str("2"), list(str("c"))))},
		{"tuple longer than prior", lists, tuple(item(str("1"), str("p"))), tuple(item(noStr, num(2)), item(noStr, noDynamic)), tuple(item(str("1"), num(2)), item(noStr, noDynamic))},
		{"tuple shorter than prior", lists, tuple(item(str("1"), str("p")), item(str("2"), num(1))), tuple(item(noStr, num(2))), tuple(item(str("1"), num(2)))},
		{"empty tuple", lists, tuple(item(str("1"), str("p"))), cty.EmptyTupleVal, cty.EmptyTupleVal},
		{"empty tuple in prior", lists, cty.EmptyTupleVal, tuple(item(noStr, num(2))), tuple(item(noStr, num(2)))},
		{"null in prior", lists, noDynamic, tuple(item(noStr, num(2))), tuple(item(noStr, num(2)))},
		{"null", lists, tuple(item(str("1"), str("p"))), noDynamic, noDynamic},
		{"unknown: for_each is unknown", lists, tuple(item(str("1"), str("p"))), cty.DynamicVal, cty.DynamicVal},
		{"element unknown as a whole", lists, tuple(item(str("1"), str("p"))), tuple(cty.UnknownVal(dynType)), tuple(cty.UnknownVal(dynType))},
		{"element unknown as a whole, of unknown type", lists, tuple(item(str("1"), str("p"))), tuple(cty.DynamicVal), tuple(cty.DynamicVal)},
		{"prior's type is taken with its value", chosen, tuple(anyOf(num(1)), anyOf(cty.True)), tuple(anyOf(noDynamic), anyOf(noDynamic)), tuple(anyOf(num(1)), anyOf(cty.True))},

		{"object-typed map stays object", maps, object(obj{"k": item(str("1"), str("p"))}), object(obj{"k": item(noStr, num(2))}), object(obj{"k": item(str("1"), num(2))})},
		{"keys of many types", maps, object(obj{"k": item(str("1"), str("p")), "gone": item(str("2"), num(1))}), object(obj{"k": item(noStr, num(2)), "new": item(noStr, cty.True)}),
			object(obj{"k": item(str("1"), num(2)), "new": item(noStr, cty.True)})},
		{"a key that is no attribute's name", maps, object(obj{"a b": item(str("1"), str("p"))}), object(obj{"a b": item(noStr, num(2))}), object(obj{"a b": item(str("1"), num(2))})},
		{"empty object", maps, object(obj{"k": item(str("1"), str("p"))}), cty.EmptyObjectVal, cty.EmptyObjectVal},
		{"empty object in prior", maps, cty.EmptyObjectVal, object(obj{"k": item(noStr, num(2))}), object(obj{"k": item(noStr, num(2))})},
		{"map null in prior", maps, noDynamic, object(obj{"k": item(noStr, num(2))}), object(obj{"k": item(noStr, num(2))})},
		{"map null", maps, object(obj{"k": item(str("1"), str("p"))}), noDynamic, noDynamic},
		{"map unknown", maps, object(obj{"k": item(str("1"), str("p"))}), cty.DynamicVal, cty.DynamicVal},
		{"map's element unknown as a whole", maps, object(obj{"k": item(str("1"), str("p"))}), object(obj{"k": cty.UnknownVal(dynType)}), object(obj{"k": cty.UnknownVal(dynType)})},

		{"dynamic single", single, item(str("1"), str("p")), item(noStr, num(2)), item(str("1"), num(2))},
		{"dynamic group", group, item(str("1"), str("p")), item(noStr, num(2)), item(str("1"), num(2))},
		{"dynamic in dynamic", within, tuple(object(obj{"w": object(obj{"k": item(str("1"), str("p"))})})), tuple(object(obj{"w": object(obj{"k": item(noStr, num(2))})})),
			tuple(object(obj{"w": object(obj{"k": item(str("1"), num(2))})}))},
	})
}

// TestProposedNewDeepBlocks checks that blocks are merged at depth in every mode.
func TestProposedNewDeepBlocks(t *testing.T) {
	for _, outer := range blockModes {
		for _, inner := range blockModes {
			schema := schemaOfBlock(block(outer, nil, blocks{"w": block(inner, itemAttrs)}))
			value := func(id cty.Value) cty.Value {
				return wrapIn(outer, object(obj{"w": wrapIn(inner, item(id, str("a")))}))
			}
			want := value(str("1"))
			if outer == configschema.NestingSet && inner == configschema.NestingSet {
				want = value(noStr) // the sets inside differ, so the elements do not correlate
			}
			testMergeRows(t, []mergeRow{
				{inner.String() + " in " + outer.String(), schema, value(str("1")), value(noStr), want},
			})
		}
	}
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

func TestPlannedDataResourceAttributes(t *testing.T) {
	testRewriteRows(t, objchange.PlannedDataResource, []rewriteRow{
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
		null := cty.NullVal(wrapTypeIn(mode, itemType))
		id := unknownStr
		if mode == configschema.NestingSet {
			id = noStr // elements of a set have no prior element
		}
		t.Run(mode.String(), func(t *testing.T) {
			testRewriteRows(t, objchange.PlannedDataResource, []rewriteRow{
				{"computed, null: unknown", schemaOf(nested(mode, "computed", itemAttrs)), null, cty.UnknownVal(null.Type())},
				{"optional and computed, null: unknown", schemaOf(nested(mode, "optional computed", itemAttrs)), null, cty.UnknownVal(null.Type())},
				{"optional, null: null", optional, null, null},
				{"unknown: unknown", optional, cty.UnknownVal(null.Type()), cty.UnknownVal(null.Type())},
				{"set: merged", optional, wrapIn(mode, item(noStr, str("c"))), wrapIn(mode, item(id, str("c")))},
				{"optional and computed, set: merged", schemaOf(nested(mode, "optional computed", itemAttrs)),
					wrapIn(mode, item(noStr, str("c"))), wrapIn(mode, item(id, str("c")))},
			})
		})
	}
	lists := schemaOf(nested(configschema.NestingList, "optional", itemAttrs))
	// A null stays null everywhere inside a set element.
	inSet := schemaOf(nested(configschema.NestingSet, "optional", attrs{
		"in": nested(configschema.NestingMap, "optional", itemAttrs), "other": nested(configschema.NestingList, "computed", itemAttrs),
	}))
	element := set(object(obj{"in": mapOf(obj{"k": item(noStr, str("c"))}), "other": cty.NullVal(cty.List(itemType))}))
	testRewriteRows(t, objchange.PlannedDataResource, []rewriteRow{
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
		null := cty.NullVal(wrapTypeIn(mode, itemType))
		id := unknownStr
		if mode == configschema.NestingSet {
			id = noStr
		}
		t.Run(mode.String(), func(t *testing.T) {
			testRewriteRows(t, objchange.PlannedDataResource, []rewriteRow{
				{"null: null", schema, null, null},
				{"unknown: unknown", schema, cty.UnknownVal(null.Type()), cty.UnknownVal(null.Type())},
				{"set: merged", schema, wrapIn(mode, item(noStr, str("c"))), wrapIn(mode, item(id, str("c")))},
				{"in a list", schemaOfBlock(block(configschema.NestingList, nil, blocks{"w": schema.BlockTypes["v"]})),
					list(object(obj{"w": wrapIn(mode, item(noStr, str("c")))})), list(object(obj{"w": wrapIn(mode, item(id, str("c")))}))},
				{"in a set", schemaOfBlock(block(configschema.NestingSet, nil, blocks{"w": schema.BlockTypes["v"]})),
					set(object(obj{"w": wrapIn(mode, item(noStr, str("c")))})), set(object(obj{"w": wrapIn(mode, item(noStr, str("c")))}))},
			})
		})
	}
	lists := schemaOfBlock(block(configschema.NestingList, itemAttrs))
	testRewriteRows(t, objchange.PlannedDataResource, []rewriteRow{
		{"list, empty", lists, emptyItems, emptyItems},
		{"list, element unknown as a whole: stays unknown", lists, list(unknownItem), list(unknownItem)},
		{"set, element unknown as a whole: stays unknown", schemaOfBlock(block(configschema.NestingSet, itemAttrs)), set(unknownItem), set(unknownItem)},
		{"a computed block, null: null", schemaOfBlock(computed(block(configschema.NestingList, nil))), cty.NullVal(cty.List(cty.EmptyObject)), cty.NullVal(cty.List(cty.EmptyObject))},
	})
}

// TestPlannedDataResourceDynamicBlocks checks a value for which Terraform Core panics.
func TestPlannedDataResourceDynamicBlocks(t *testing.T) {
	lists := schemaOfBlock(block(configschema.NestingList, dynAttrs))
	maps := schemaOfBlock(block(configschema.NestingMap, dynAttrs))
	chosen := attrs{"any": attr(cty.DynamicPseudoType, "optional computed")}
	anyOf := func(v cty.Value) cty.Value { return object(obj{"any": v}) }
	testRewriteRows(t, objchange.PlannedDataResource, []rewriteRow{
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

// TestPlannedDataResourceTypesOfUnknowns checks that an unknown value has the type of the
// schema, and in maps the type of the configured element.
func TestPlannedDataResourceTypesOfUnknowns(t *testing.T) {
	in := attrs{"any": attr(cty.DynamicPseudoType, "optional computed")}
	anyOf := func(v cty.Value) cty.Value { return object(obj{"any": v}) }
	of := func(mode configschema.NestingMode) *configschema.Block { return schemaOf(nested(mode, "optional", in)) }
	blocksOf := func(mode configschema.NestingMode) *configschema.Block { return schemaOfBlock(block(mode, in)) }
	testRewriteRows(t, objchange.PlannedDataResource, []rewriteRow{
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
		t.Errorf("elements with one common type: %v", err)
	}
	got, err := objchange.PlannedDataResource(compiled(schemaOf(nested(configschema.NestingList, "optional", attrs{"a": in["any"], "b": in["any"]}))),
		objectOf(list(object(obj{"a": noStr, "b": str("b")}), object(obj{"a": str("a"), "b": str("b")}))))
	expectRefusal(t, got, err, objchange.RuleTypeMismatch, ".v")
}

func TestPlannedDataResourceMarks(t *testing.T) {
	lists := schemaOfBlock(block(configschema.NestingList, itemAttrs))
	sets := schemaOfBlock(block(configschema.NestingSet, itemAttrs))
	testRewriteRows(t, objchange.PlannedDataResource, []rewriteRow{
		{"a configured value", schemaOf(attr(cty.String, "optional computed")), str("c").Mark("m"), str("c").Mark("m")},
		{"a rebuilt list and element", lists, list(item(noStr, str("c")).Mark("n")).Mark("m"), list(item(unknownStr, str("c")).Mark("n")).Mark("m")},
		{"a set", sets, set(item(noStr, str("c"))).Mark("m"), set(item(noStr, str("c"))).Mark("m")},
	})
	got, err := objchange.PlannedDataResource(compiled(lists), objectOf(list(item(noStr, str("c")))).Mark("m"))
	expectValue(t, got, err, objectOf(list(item(unknownStr, str("c")))).Mark("m"))
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
			if isObject(row.prior) && isObject(row.config) {
				testMergeRows(t, []mergeRow{{"beside others", row.schema, row.prior.GetAttr("v"), row.config.GetAttr("v"), row.want.GetAttr("v")}})
			}
			prior, _ := row.prior.UnmarkDeep()
			config, _ := row.config.UnmarkDeep()
			unmarked, _ := got.UnmarkDeep()
			plain, err := objchange.ProposedNew(compiled(row.schema), prior, config)
			expectValue(t, plain, err, unmarked)
		})
	}
}

func isObject(v cty.Value) bool { return v.IsKnown() && !v.IsNull() && !v.IsMarked() }

func TestProposedNewMarksOfAttributes(t *testing.T) {
	leaf := schemaOf(attr(cty.String, "optional computed"))
	strings := schemaOf(attr(cty.List(cty.String), "optional computed"))
	testMarkRows(t, []markRow{
		{"a configured value keeps its mark", leaf, objectOf(str("p")), objectOf(str("c").Mark("m")), objectOf(str("c").Mark("m"))},
		{"a mark of a replaced prior value is removed", leaf, objectOf(str("p").Mark("m")), objectOf(str("c")), objectOf(str("c"))},
		{"a value from prior keeps its mark", leaf, objectOf(str("p").Mark("m")), objectOf(noStr), objectOf(str("p").Mark("m"))},
		{"a mark of a null in config is removed", leaf, objectOf(str("p")), objectOf(noStr.Mark("m")), objectOf(str("p"))},
		{"an unknown keeps its mark", leaf, objectOf(str("p")), objectOf(unknownStr.Mark("m")), objectOf(unknownStr.Mark("m"))},
		{"marks inside a value stay inside", strings, objectOf(list(str("p").Mark("m"))), objectOf(cty.NullVal(cty.List(cty.String))), objectOf(list(str("p").Mark("m")))},
		{"a mark around prior moves to a value from prior", leaf, objectOf(str("p")).Mark("m"), objectOf(noStr), objectOf(str("p").Mark("m"))},
		{"a mark around prior joins the marks of the value", leaf, objectOf(str("p").Mark("n")).Mark("m"), objectOf(noStr), objectOf(str("p").WithMarks(cty.NewValueMarks("m", "n")))},
		{"a mark around prior moves to a null from prior", leaf, objectOf(noStr).Mark("m"), objectOf(noStr), objectOf(noStr.Mark("m"))},
		{"a mark around prior does not move to a configured value", leaf, objectOf(str("p")).Mark("m"), objectOf(str("p")), objectOf(str("p"))},
		{"a mark around config stays where it is", leaf, objectOf(str("p")), objectOf(noStr).Mark("m"), objectOf(str("p")).Mark("m")},
		{"marks around both", leaf, objectOf(str("p")).Mark("m"), objectOf(noStr).Mark("n"), objectOf(str("p").Mark("m")).Mark("n")},
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
					{"on prior's collection", schema, objectOf(wrapIn(mode, p).Mark("m")), objectOf(wrapIn(mode, c)), objectOf(wrapIn(mode, tainted))},
					{"on prior's element", schema, objectOf(wrapIn(mode, p.Mark("m"))), objectOf(wrapIn(mode, c)), objectOf(wrapIn(mode, tainted))},
					{"on prior's attribute", schema, objectOf(wrapIn(mode, item(str("1").Mark("m"), str("p")))), objectOf(wrapIn(mode, c)), objectOf(wrapIn(mode, tainted))},
					{"on prior's other attribute", schema, objectOf(wrapIn(mode, item(str("1"), str("p").Mark("m")))), objectOf(wrapIn(mode, c)), objectOf(wrapIn(mode, merged))},
					{"around config", schema, objectOf(wrapIn(mode, p)), objectOf(wrapIn(mode, c)).Mark("m"), objectOf(wrapIn(mode, merged)).Mark("m")},
					{"on config's collection", schema, objectOf(wrapIn(mode, p)), objectOf(wrapIn(mode, c).Mark("m")), objectOf(wrapIn(mode, merged).Mark("m"))},
					{"on config's element", schema, objectOf(wrapIn(mode, p)), objectOf(wrapIn(mode, c.Mark("m"))), objectOf(wrapIn(mode, merged.Mark("m")))},
					{"on config's attribute", schema, objectOf(wrapIn(mode, p)), objectOf(wrapIn(mode, item(noStr, str("c").Mark("m")))), objectOf(wrapIn(mode, item(str("1"), str("c").Mark("m"))))},
					{"on config's unknown", schema, objectOf(wrapIn(mode, p)), objectOf(cty.UnknownVal(wrapTypeIn(mode, itemType)).Mark("m")), objectOf(cty.UnknownVal(wrapTypeIn(mode, itemType)).Mark("m"))},
					{"no change, config's collection is marked", schema, objectOf(wrapIn(mode, p)), objectOf(wrapIn(mode, item(noStr, str("p"))).Mark("m")), objectOf(wrapIn(mode, p).Mark("m"))},
					{"no change, config's element is marked", schema, objectOf(wrapIn(mode, p)), objectOf(wrapIn(mode, item(noStr, str("p")).Mark("m"))), objectOf(wrapIn(mode, p.Mark("m")))},
					{"no change, all configured, config's element is marked", schema, objectOf(wrapIn(mode, p)), objectOf(wrapIn(mode, p.Mark("m"))), objectOf(wrapIn(mode, p.Mark("m")))},
					{"no change, all configured, prior's collection is marked", schema, objectOf(wrapIn(mode, p).Mark("m")), objectOf(wrapIn(mode, p)), objectOf(wrapIn(mode, p))},
					{"no change, all configured, prior's element is marked", schema, objectOf(wrapIn(mode, p.Mark("m"))), objectOf(wrapIn(mode, p)), objectOf(wrapIn(mode, p))},
					{"no change, all configured, prior's name is marked", schema, objectOf(wrapIn(mode, item(str("1"), str("p").Mark("m")))), objectOf(wrapIn(mode, p)), objectOf(wrapIn(mode, p))},
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
		{"an unknown element's mark", lists, objectOf(list(p)), objectOf(list(unknownItem.Mark("m"))), objectOf(list(unknownItem.Mark("m")))},
		{"an empty collection's mark", lists, objectOf(list(p)), objectOf(emptyItems.Mark("m")), objectOf(emptyItems.Mark("m"))},
		{"an empty collection's mark, empty before", lists, objectOf(emptyItems), objectOf(emptyItems.Mark("m")), objectOf(emptyItems.Mark("m"))},
		{"a prior empty collection's mark", lists, objectOf(emptyItems.Mark("m")), objectOf(emptyItems), objectOf(emptyItems)},
		{"a null element's mark, null before", lists, objectOf(list(noItem)), objectOf(list(noItem.Mark("m"))), objectOf(list(noItem.Mark("m")))},
		{"a prior null element's mark", lists, objectOf(list(noItem.Mark("m"))), objectOf(list(noItem)), objectOf(list(noItem))},
	})
	// Marks do not hide that the user set the prior value.
	computed := schemaOf(nested(configschema.NestingList, "optional computed", itemAttrs))
	none := objectOf(nullOf(computed))
	any := schemaOf(attr(cty.DynamicPseudoType, "optional computed"))
	testMarkRows(t, []markRow{
		{"on a prior collection with a configured value", computed, objectOf(list(p).Mark("m")), none, none},
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
				{"around prior", schema, objectOf(set(p)).Mark("m"), objectOf(set(c)), objectOf(set(merged).Mark("m"))},
				{"on prior's set", schema, objectOf(set(p).Mark("m")), objectOf(set(c)), objectOf(set(merged).Mark("m"))},
				{"in prior's set", schema, objectOf(set(item(str("1").Mark("m"), str("a")))), objectOf(set(c)), objectOf(set(merged).Mark("m"))},
				{"on prior's set without a value in the proposal", schema, objectOf(set(p).Mark("m")), objectOf(set(other)), objectOf(set(other))},
				{"around config", schema, objectOf(set(p)), objectOf(set(c)).Mark("m"), objectOf(set(merged)).Mark("m")},
				{"on config's set", schema, objectOf(set(p)), objectOf(set(c).Mark("m")), objectOf(set(merged).Mark("m"))},
				{"in config's set", schema, objectOf(set(p)), objectOf(set(item(noStr, str("a").Mark("m")))), objectOf(set(merged).Mark("m"))},
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

func TestProposedNewMarksOfDynamicBlocks(t *testing.T) {
	lists := schemaOfBlock(block(configschema.NestingList, dynAttrs))
	maps := schemaOfBlock(block(configschema.NestingMap, dynAttrs))
	p, c := item(str("1"), str("p")), item(noStr, num(2))
	tainted := item(str("1").Mark("m"), num(2))
	k := func(v cty.Value) cty.Value { return object(obj{"k": v}) }
	testMarkRows(t, []markRow{
		{"on prior's tuple", lists, objectOf(tuple(p).Mark("m")), objectOf(tuple(c)), objectOf(tuple(tainted))},
		{"on config's tuple and element", lists, objectOf(tuple(p)), objectOf(tuple(c.Mark("n")).Mark("m")), objectOf(tuple(item(str("1"), num(2)).Mark("n")).Mark("m"))},
		{"on the unknown", lists, objectOf(tuple(p)), objectOf(cty.DynamicVal.Mark("m")), objectOf(cty.DynamicVal.Mark("m"))},
		{"on prior's object", maps, objectOf(k(p).Mark("m")), objectOf(k(c)), objectOf(k(tainted))},
		{"on config's object and element", maps, objectOf(k(p)), objectOf(k(c.Mark("n")).Mark("m")), objectOf(k(item(str("1"), num(2)).Mark("n")).Mark("m"))},
	})
}

// TestProposedNewMarksOfNullAndUnknown checks marks of whole objects that are null or unknown.
func TestProposedNewMarksOfNullAndUnknown(t *testing.T) {
	schema := schemaOf(attr(cty.String, "optional computed"))
	ty := schema.ImpliedType()
	testMarkRows(t, []markRow{
		{"config null", schema, objectOf(str("p")), cty.NullVal(ty).Mark("m"), cty.NullVal(ty).Mark("m")},
		{"config unknown", schema, objectOf(str("p")), cty.UnknownVal(ty).Mark("m"), cty.UnknownVal(ty).Mark("m")},
		{"config an untyped null", schema, objectOf(str("p")), noDynamic.Mark("m"), cty.NullVal(ty).Mark("m")},
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

// testShareRows proposes v beside other attributes that make the whole object the prior object,
// the configuration or neither of them, if v allows.
func testShareRows(t *testing.T, rows []shareRow) {
	t.Helper()
	asBefore := neighbours{obj{"id": str("1")}, obj{"id": noStr}, nil}
	asWritten := neighbours{obj{"name": str("n")}, obj{"name": str("m")}, nil}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			for beside, whole := range map[string]string{"nothing": row.want, "prior": common(row.want, "prior"), "config": common(row.want, "config"), "neither": "neither"} {
				n := map[string]neighbours{"prior": asBefore, "config": asWritten, "neither": kept.and(asWritten)}[beside]
				prior, config := n.prior(row.prior), n.config(row.config)
				got, err := objchange.ProposedNew(compiled(n.schema(row.schema)), prior, config)
				if err != nil {
					t.Fatal(err)
				}
				expectShared(t, "the whole, beside "+beside, got, prior, config, whole)
				expectShared(t, "v, beside "+beside, got.GetAttr("v"), row.prior, row.config, row.want)
			}
		})
	}
}

// and returns the neighbours with other neighbours added.
func (n neighbours) and(o neighbours) neighbours {
	return neighbours{merge(n.before, o.before), merge(n.configured, o.configured), nil}
}

// common returns the argument with which both values share memory.
func common(a, b string) string {
	switch {
	case a == b || b == "both":
		return a
	case a == "both":
		return b
	}
	return "neither"
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
					{"no change, all is configured", schema, in(p), in(p), "both"},
					{"no change, the id is computed", schema, in(p), in(same), "prior"},
					{"the name changes, no id is computed", schema, in(same), in(other), "config"},
					{"the id is configured with another value", schema, in(p), in(item(str("2"), str("a"))), "config"},
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
	single, lists := schemaOf(nested(configschema.NestingSingle, "optional", itemAttrs)), schemaOf(nested(configschema.NestingList, "optional", itemAttrs))
	sets, maps := schemaOfBlock(block(configschema.NestingSet, itemAttrs)), schemaOf(nested(configschema.NestingMap, "optional", itemAttrs))
	tuples := schemaOfBlock(block(configschema.NestingList, dynAttrs))
	deep := schemaOfBlock(block(configschema.NestingSingle, nil, blocks{"v": block(configschema.NestingList, itemAttrs)}))
	open := attrs{"id": attr(cty.String, "computed"), "any": attr(cty.DynamicPseudoType, "optional computed")}
	anyOf := func(id cty.Value) cty.Value { return object(obj{"id": id, "any": noDynamic}) }
	testShareRows(t, []shareRow{
		{"single: a null of no type", schemaOf(nested(configschema.NestingSingle, "optional", open)), anyOf(str("1")), anyOf(noStr), "prior"},
		{"single: null", single, noItem, noItem, "both"},
		{"single: null before", single, noItem, same, "config"},
		{"list: empty", lists, emptyItems, emptyItems, "both"},
		{"list: null", lists, nullOf(lists), nullOf(lists), "both"},
		{"list: no prior elements", lists, emptyItems, list(same), "config"},
		{"list: unknown before, as the configured ids", lists, cty.UnknownVal(cty.List(itemType)), list(item(str("1"), str("a"))), "config"},
		{"list: no change in two elements", lists, list(p, p2), list(same, same2), "prior"},
		{"list: the last changes", lists, list(p, p2), list(same, other2), "neither"},
		{"list: the last changes, no id is computed", lists, list(same, same2), list(same, other2), "config"},
		{"list: the first changes, no id is computed", lists, list(same, same2), list(other, same2), "config"},
		{"list: a null element", lists, list(p, noItem), list(same, noItem), "prior"},
		{"list: a null element, all configured", lists, list(p, noItem), list(p, noItem), "both"},
		{"list: longer", lists, list(same), list(same, other2), "config"},
		{"list: shorter", lists, list(p, p2), list(p), "config"},
		{"map: a null element", maps, mapOf(obj{"k": p, "l": noItem}), mapOf(obj{"k": same, "l": noItem}), "prior"},
		{"set: no change in two elements", sets, set(p, p2), set(same, same2), "prior"},
		{"set: a null element", sets, set(p, noItem), set(same, noItem), "prior"},
		{"set before, and no more", schemaOf(nested(configschema.NestingList, "optional computed", itemAttrs)), list(item(str("1"), str("a"))), nullOf(lists), "config"},
		{"set: one more element, no id is computed", sets, set(same), set(same, other2), "config"},
		{"tuple: no change in two elements", tuples, tuple(p, p2), tuple(same, same2), "prior"},
		{"tuple: the last changes, no id is computed", tuples, tuple(same, same2), tuple(same, item(noStr, num(1))), "config"},
		{"deep: no change", deep, objectOf(list(p, p2)), objectOf(list(same, same2)), "prior"},
		{"deep: no id is computed", deep, objectOf(list(same)), objectOf(list(other)), "config"},
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
