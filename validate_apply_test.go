package objchange_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
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
			expect(t, objchange.AssertPlanConsistent(compiled(row.schema), objectOf(row.was), objectOf(row.now)), row.wrong...)
		})
	}
}

// TestConsistentRoot checks rules/apply.md#inconsistent-presence for the root.
func TestConsistentRoot(t *testing.T) {
	schema := schemaOf(attr(cty.String, "optional"))
	null, unknown, a := cty.NullVal(schema.ImpliedType()), cty.UnknownVal(schema.ImpliedType()), objectOf(str("a"))
	tests := []struct {
		name     string
		was, now cty.Value
		wrong    []string
	}{
		{"null, then unknown", null, unknown, wrong(" inconsistent-presence")},
		{"unknown, then null", unknown, null, wrong(" inconsistent-presence")},
		{"known, then unknown: each attribute is unknown", a, unknown, wrong(".v inconsistent-unknown")},
		{"a null attribute, then unknown as a whole", objectOf(noStr), unknown, wrong(".v inconsistent-value")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			expect(t, objchange.AssertPlanConsistent(compiled(schema), test.was, test.now), test.wrong...)
		})
	}
}

// TestConsistentBlocksByMode checks specification.md#111-objects-and-blocks for each nesting mode.
func TestConsistentBlocksByMode(t *testing.T) {
	single := schemaOfBlock(block(configschema.NestingSingle, itemAttrs))
	group := schemaOfBlock(block(configschema.NestingGroup, itemAttrs))
	lists := schemaOfBlock(block(configschema.NestingList, itemAttrs))
	maps := schemaOfBlock(block(configschema.NestingMap, itemAttrs))
	sets := schemaOfBlock(block(configschema.NestingSet, itemAttrs))
	a, b, x := item(unknownStr, str("a")), item(str("2"), str("b")), item(str("9"), str("x"))
	noList, noMap, noSet := nullOf(lists), nullOf(maps), nullOf(sets)
	emptyMap := cty.MapValEmpty(itemType)
	k := func(v cty.Value) cty.Value { return mapOf(obj{"k": v}) }
	kl := func(v, w cty.Value) cty.Value { return mapOf(obj{"k": v, "l": w}) }
	gone := wrong(".v inconsistent-presence")
	testConsistencyRows(t, []consistencyRow{
		{"single: was null, becomes unknown", single, noItem, unknownItem, gone},
		{"group: becomes null", group, a, noItem, gone},
		{"group: becomes unknown", group, a, unknownItem, wrong(".v.name inconsistent-unknown")},

		{"list: null, then not", lists, noList, list(a), nil},
		{"list: becomes null", lists, list(a), noList, wrong(".v inconsistent-null-blocks?")},
		{"list: becomes unknown", lists, list(a), cty.UnknownVal(noList.Type()), wrong(".v inconsistent-unknown?")},
		{"list: longer: only the count", lists, list(a), list(x, x), wrong(".v inconsistent-count")},
		{"list: an unknown block becomes null", lists, list(unknownItem), list(noItem), wrong(".v[0] inconsistent-presence")},
		{"map: becomes unknown, enforced", maps, k(a), cty.UnknownVal(noMap.Type()), wrong(".v inconsistent-unknown")},
		{"map: becomes empty", maps, k(a), emptyMap, wrong(".v inconsistent-count")},
		{"map: other keys, and shared keys", maps, kl(a, b), mapOf(obj{"k": x, "m": b}), wrong(".v inconsistent-key?", `.v["k"].name inconsistent-value`)},
		{"set: becomes unknown", sets, set(a), cty.UnknownVal(noSet.Type()), wrong(".v inconsistent-unknown?")},
		{"set: an element is added: count and element", sets, set(a), set(a, x), wrong(".v inconsistent-count", ".v inconsistent-set-element")},
		{"set: two elements match one, the other planned element is missing", sets, set(a, b), set(item(str("1"), str("a")), item(str("2"), str("a"))), wrong(".v inconsistent-set-element")},
		{"set: one element matches two, another element is new", sets, set(item(str("1"), unknownStr), item(unknownStr, str("b"))), set(item(str("1"), str("b")), x), wrong(".v inconsistent-set-element")},
		{"set: two elements become one", sets, set(item(str("1"), unknownStr), item(unknownStr, str("b"))), set(item(str("1"), str("b"))), nil},
		{"set: an unknown element becomes two", sets, set(unknownItem), set(b, x), wrong(".v inconsistent-count")},
	})
}

// TestConsistentComputedBlocks checks specification.md#111-objects-and-blocks for computed blocks.
func TestConsistentComputedBlocks(t *testing.T) {
	id := attrs{"id": attr(cty.String, "computed")}
	one := object(obj{"id": str("1")})
	for _, mode := range []configschema.NestingMode{configschema.NestingList, configschema.NestingSet, configschema.NestingMap} {
		schema := schemaOfBlock(computed(block(mode, id)))
		null := nullOf(schema)
		unknown := cty.UnknownVal(null.Type())
		lost := ".v inconsistent-unknown?"
		if mode == configschema.NestingMap {
			lost = ".v inconsistent-unknown"
		}
		atLeastTwo := unknown.Refine().CollectionLengthLowerBound(2).NewValue()
		t.Run(mode.String(), func(t *testing.T) {
			testConsistencyRows(t, []consistencyRow{
				{"null stays null, enforced", schema, null, null, wrong(".v inconsistent-null-blocks")},
				{"unknown, becomes a value outside the refinement", schema, atLeastTwo, wrapIn(mode, one), wrong(".v inconsistent-refinement")},
				{"null, becomes known", schema, null, wrapIn(mode, one), nil},
				{"known, becomes unknown", schema, wrapIn(mode, one), unknown, wrong(lost)},
			})
		})
	}
	single := schemaOfBlock(computed(block(configschema.NestingSingle, id)))
	lists := schemaOfBlock(computed(block(configschema.NestingList, id)))
	dynamic := schemaOfBlock(computed(block(configschema.NestingMap, attrs{"id": attr(cty.DynamicPseudoType, "computed")})))
	none, unknownOne := nullOf(single), cty.UnknownVal(one.Type())
	testConsistencyRows(t, []consistencyRow{
		{"single: unknown and not null, becomes null", single, unknownOne.RefineNotNull(), none, wrong(".v inconsistent-refinement")},
		{"map of the dynamic type: becomes null", dynamic, cty.DynamicVal, noDynamic, wrong(".v inconsistent-null-blocks")},
	})

	// All attributes and blocks are checked, with their paths.
	beside := &configschema.Block{Attributes: itemAttrs, BlockTypes: blocks{"list": computed(block(configschema.NestingList, id)), "map": computed(block(configschema.NestingMap, id))}}
	value := func(name, list, mapped cty.Value) cty.Value {
		return object(obj{"id": str("1"), "name": name, "list": list, "map": mapped})
	}
	expect(t, objchange.AssertPlanConsistent(compiled(beside), value(str("a"), list(one), mapOf(obj{"k": one})), value(str("b"), nullOf(lists), cty.UnknownVal(cty.Map(one.Type())))),
		".list inconsistent-null-blocks", ".map inconsistent-unknown", ".name inconsistent-value")
}

// TestConsistentDynamicBlocks checks specification.md#21-implied-type: lists and maps of blocks of
// the dynamic type.
func TestConsistentDynamicBlocks(t *testing.T) {
	lists := schemaOfBlock(block(configschema.NestingList, dynAttrs))
	maps := schemaOfBlock(block(configschema.NestingMap, dynAttrs))
	a, one, x := item(unknownStr, str("a")), item(str("1"), num(1)), item(str("9"), str("x"))
	k := func(v cty.Value) cty.Value { return object(obj{"k": v}) }
	kl := func(v, w cty.Value) cty.Value { return object(obj{"k": v, "l": w}) }
	testConsistencyRows(t, []consistencyRow{
		{"list: another type of attribute", lists, tuple(one), tuple(item(str("1"), str("1"))), wrong(".v[0].name inconsistent-type")},
		{"list: an attribute of unknown type becomes known", lists, tuple(item(noStr, cty.DynamicVal)), tuple(item(noStr, num(1))), nil},
		{"map: a new key, enforced, and shared keys", maps, k(a), kl(x, x), wrong(".v inconsistent-key", ".v.k.name inconsistent-value")},
		{"map: all keys removed", maps, k(a), cty.EmptyObjectVal, wrong(".v inconsistent-key")},
		{"map: a block becomes null", maps, kl(a, one), kl(a, cty.NullVal(one.Type())), wrong(".v.l inconsistent-presence")},
	})
}

// TestApplyConsistent checks both specification.md#12-state and specification.md#11-consistency.
func TestApplyConsistent(t *testing.T) {
	text := schemaOf(attr(cty.String, "optional computed"))
	hidden := schemaOf(attr(cty.Map(cty.String), "optional sensitive"))
	dynamic := schemaOf(attr(cty.DynamicPseudoType, "optional"))
	texts := schemaOf(attr(cty.List(cty.String), "optional"))
	textSet := schemaOf(attr(cty.Set(cty.String), "optional"))
	lists := schemaOfBlock(block(configschema.NestingList, itemAttrs))
	tuples := schemaOfBlock(block(configschema.NestingList, dynAttrs))
	sets := schemaOfBlock(block(configschema.NestingSet, itemAttrs))
	single := schemaOfBlock(block(configschema.NestingSingle, itemAttrs))
	own := schemaOfBlock(computed(block(configschema.NestingMap, attrs{"id": attr(cty.String, "computed")})))
	nestedOne := schemaOf(nested(configschema.NestingSingle, "optional", itemAttrs))
	a, b := item(unknownStr, str("a")), item(str("2"), str("b"))
	k := func(v cty.Value) cty.Value { return mapOf(obj{"k": v}) }
	only := wrong(".v state-unknown")
	rows := []consistencyRow{
		{"the plan filled in", lists, list(a), list(item(str("1"), str("a"))), nil},
		{"a refinement", text, unknownStr.RefineNotNull(), noStr, wrong(".v inconsistent-refinement")},
		{"an object was null, and its unknown attribute", single, noItem, a, wrong(".v inconsistent-presence", ".v.id state-unknown")},
		{"more blocks, and their unknown attributes", lists, list(b), list(b, a), wrong(".v inconsistent-count", ".v[1].id state-unknown")},
		{"more blocks, and the first is of another type", tuples, tuple(b), tuple(item(str("2"), num(1)), b), wrong(".v inconsistent-count")},
		{"more elements, and the changed and unknown elements", texts, list(str("a")), list(str("b"), unknownStr), wrong(".v inconsistent-key", ".v[0] inconsistent-value", ".v[1] state-unknown")},
		{"another type, and an unknown value in it", dynamic, str("a"), tuple(unknownStr), wrong(".v inconsistent-type", ".v[0] state-unknown")},
		{"a set element becomes unknown: the planned element is missing", textSet, set(str("a")), set(unknownStr), wrong(".v inconsistent-set-element", ".v[*] state-unknown")},
		{"a sensitive attribute: one finding, and the unknown value", hidden, mapOf(obj{"k": str("a"), "l": str("b")}), mapOf(obj{"k": str("x"), "l": unknownStr}),
			wrong(".v inconsistent-sensitive", ".v[(sensitive)] state-unknown")},
		{"unknown: an attribute that was null", text, noStr, unknownStr, only},
		{"unknown: outside the refinements", schemaOf(attr(cty.Number, "computed")), unknownNum.Refine().NumberRangeUpperBound(num(1), true).NewValue(),
			unknownNum.Refine().NumberRangeLowerBound(num(5), true).NewValue(), only},
		{"unknown: the dynamic type", dynamic, str("a"), cty.DynamicVal, only},
		{"unknown: a sensitive attribute", hidden, k(str("a")), cty.UnknownVal(cty.Map(cty.String)), only},
		{"unknown: a nested attribute that was null", nestedOne, noItem, unknownItem, only},
		{"unknown: set blocks", sets, set(a), cty.UnknownVal(cty.Set(itemType)), only},
		{"unknown: a single block that was null", single, noItem, unknownItem, only},
		{"unknown: computed blocks", own, cty.UnknownVal(nullOf(own).Type()).RefineNotNull(), cty.UnknownVal(nullOf(own).Type()), only},
		{"unknown: a block of a list that was null", lists, list(noItem), list(unknownItem), wrong(".v[0] state-unknown")},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			expect(t, objchange.AssertApplyConsistent(compiled(row.schema), objectOf(row.was), objectOf(row.now)), row.wrong...)
		})
	}
}

// TestApplyConsistentRoot checks rules/apply.md#inconsistent-presence for the root of the planned
// and the applied value.
func TestApplyConsistentRoot(t *testing.T) {
	schema := schemaOf(attr(cty.String, "computed"))
	null, unknown := cty.NullVal(schema.ImpliedType()), cty.UnknownVal(schema.ImpliedType())
	a := objectOf(str("a"))
	tests := []struct {
		name             string
		planned, applied cty.Value
		wrong            []string
	}{
		{"a delete", null, null, nil},
		{"unchanged", null, a, wrong(" inconsistent-presence")},
		{"not null, and unknown inside", null, objectOf(unknownStr), wrong(" inconsistent-presence", ".v state-unknown")},
		{"gone", a, null, wrong(" inconsistent-presence")},
		{"unknown", a, unknown, wrong(" state-unknown")},
		{"unknown instead of null", null, unknown, wrong(" state-unknown")},
		{"the untyped unknown instead of null", null, cty.DynamicVal, wrong(" state-unknown")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			expect(t, objchange.AssertApplyConsistent(compiled(schema), test.planned, test.applied), test.wrong...)
		})
	}
}

// TestOfAnAbsentObjectOnlyPresenceIsReported checks that nothing else is reported for an object
// that appeared or disappeared.
func TestOfAnAbsentObjectOnlyPresenceIsReported(t *testing.T) {
	schema := &configschema.Block{
		Attributes: itemAttrs,
		BlockTypes: blocks{"one": block(configschema.NestingSingle, itemAttrs), "group": block(configschema.NestingGroup, itemAttrs), "list": block(configschema.NestingList, itemAttrs)},
	}
	a := item(str("1"), str("a"))
	null, there := cty.NullVal(schema.ImpliedType()), object(obj{"id": str("1"), "name": str("a"), "one": a, "group": a, "list": list(a)})
	expect(t, objchange.AssertPlanConsistent(compiled(schema), null, there), " inconsistent-presence")
	expect(t, objchange.AssertApplyConsistent(compiled(schema), null, there), " inconsistent-presence")
	expect(t, objchange.AssertPlanConsistent(compiled(schema), there, null), " inconsistent-presence")
}

// TestConsistentValues checks specification.md#112-values. The rows are in order of the
// first rule that applies.
func TestConsistentValues(t *testing.T) {
	text := schemaOf(attr(cty.String, "optional computed"))
	number := schemaOf(attr(cty.Number, "optional computed"))
	dynamic := schemaOf(attr(cty.DynamicPseudoType, "optional computed"))
	dynList := schemaOf(attr(cty.List(cty.DynamicPseudoType), "optional"))
	part := schemaOf(attr(cty.Object(map[string]cty.Type{"a": cty.DynamicPseudoType}), "optional"))
	one := func(v cty.Value) cty.Value { return object(obj{"a": v}) }
	a, b := str("a"), str("b")
	value, kind := wrong(".v inconsistent-value"), wrong(".v inconsistent-type")
	testConsistencyRows(t, []consistencyRow{
		{"1 of the dynamic type, a set of tuples", dynamic, set(tuple(a, unknownStr), tuple(b, b)), set(tuple(a, a), tuple(b, b)), nil},
		{"1 of the dynamic type, a set of other tuples", dynamic, set(tuple(a, unknownStr), tuple(b, b)), set(tuple(a, a), tuple(b, a)), wrong(".v inconsistent-set-element")},
		{"1 of the dynamic type, an empty list of another type", dynamic, cty.ListValEmpty(cty.String), cty.ListValEmpty(cty.Number), kind},
		{"1 of the dynamic type, null, becomes a value", dynamic, noDynamic, num(1), nil},
		{"1 part of the dynamic type becomes a value", part, one(cty.DynamicVal), one(num(1)), nil},
		{"1 another type is checked first: null", dynamic, noNum, a, kind},
		{"1 another type of null", dynamic, a, noNum, kind},
		{"1 the dynamic type does not conform to another type: unknown", dynamic, a, cty.DynamicVal, kind},
		{"1 another type of element: the whole does not conform", dynList, list(num(1)), list(a), kind},
		{"1 tuples of another length are of another type", dynamic, tuple(a, b), tuple(a), kind},
		{"1 conforming: a part that was of the dynamic type", dynamic, tuple(cty.DynamicVal, a), tuple(num(1), b), wrong(".v[1] inconsistent-value")},
		{"2 unknown, becomes null", text, unknownStr, noStr, nil},
		{"3 null, becomes unknown: only one is null", text, noStr, unknownStr, value},
		{"3 becomes unknown", text, a, unknownStr, wrong(".v inconsistent-unknown")},
		{"4 string: another", text, a, b, value},
		{"4 number: the same, of another precision", number, num(1), cty.MustParseNumberVal("1.0"), nil},
	})
}

// TestConsistentRefinements checks rules/apply.md#inconsistent-refinement.
func TestConsistentRefinements(t *testing.T) {
	text := schemaOf(attr(cty.String, "computed"))
	number := schemaOf(attr(cty.Number, "computed"))
	lists := schemaOf(attr(cty.List(cty.String), "computed"))
	items := schemaOf(nested(configschema.NestingList, "computed", itemAttrs))
	notNull := unknownStr.RefineNotNull()
	prefixed := unknownStr.Refine().StringPrefixFull("a-").NewValue()
	unknownList := cty.UnknownVal(cty.List(cty.String))
	between := func(lo, hi int64) cty.Value {
		return unknownNum.Refine().NumberRangeInclusive(num(lo), num(hi)).NewValue()
	}
	tuples := schemaOfBlock(block(configschema.NestingList, attrs{"n": attr(cty.Number, "computed"), "d": attr(cty.DynamicPseudoType, "optional")}))
	long := func(ty cty.Type, lo, hi int) cty.Value {
		return cty.UnknownVal(ty).Refine().CollectionLengthLowerBound(lo).CollectionLengthUpperBound(hi).NewValue()
	}
	a, broken := str("a"), wrong(".v inconsistent-refinement")
	a1 := item(noStr, a)
	testConsistencyRows(t, []consistencyRow{
		{"not null: null", text, notNull, noStr, broken},
		{"not null: an unknown that may be null", text, notNull, unknownStr, nil},
		{"a prefix: without it", text, prefixed, str("b-1"), broken},
		{"a prefix: null is not excluded", text, prefixed, noStr, nil},
		{"a range: above", number, between(1, 3), num(4), broken},
		{"a range: below", number, between(1, 3), num(0), broken},
		{"a range: an unknown that may be inside", number, between(1, 3), between(3, 5), nil},
		{"a range: an unknown outside", number, between(1, 3), between(4, 5), broken},
		{"a length: longer", lists, long(unknownList.Type(), 1, 2), list(a, a, a), broken},
		{"a length: an unknown outside", lists, long(unknownList.Type(), 1, 2), long(unknownList.Type(), 3, 4), broken},
		{"a length: at least one, and that", lists, unknownList.Refine().CollectionLengthLowerBound(1).NewValue(), list(a), nil},
		{"a length: at least one, and empty", lists, unknownList.Refine().CollectionLengthLowerBound(1).NewValue(), cty.ListValEmpty(cty.String), broken},
		{"a length: at most one, and two", lists, unknownList.Refine().CollectionLengthUpperBound(1).NewValue(), list(a, a), broken},
		{"in a block that is unknown as a whole, of no type yet", tuples, tuple(object(obj{"n": between(1, 3), "d": str("a")})), tuple(cty.DynamicVal), wrong(".v[0].d inconsistent-type")},
		{"a nested attribute: longer", items, long(emptyItems.Type(), 1, 1), list(a1, a1), broken},
	})
}

// TestConsistentCollections checks specification.md#112-values for collections and objects.
func TestConsistentCollections(t *testing.T) {
	lists := schemaOf(attr(cty.List(cty.String), "optional"))
	maps := schemaOf(attr(cty.Map(cty.String), "optional"))
	sets := schemaOf(attr(cty.Set(cty.String), "optional"))
	plain := schemaOf(attr(itemType, "optional"))
	dynamic := schemaOf(attr(cty.DynamicPseudoType, "optional"))
	deep := schemaOf(attr(cty.Map(cty.List(itemType)), "optional"))
	a, b, x := str("a"), str("b"), str("x")
	kl := func(v, w cty.Value) cty.Value { return mapOf(obj{"k": v, "l": w}) }
	k := func(v cty.Value) cty.Value { return mapOf(obj{"k": v}) }
	key, element := ".v inconsistent-key", ".v inconsistent-set-element"
	testConsistencyRows(t, []consistencyRow{
		{"list: an index missing, and the others", lists, list(a, b), list(x), wrong(key, ".v[0] inconsistent-value")},
		{"list: emptied", lists, list(a), cty.ListValEmpty(cty.String), wrong(key)},
		{"list: null, then empty", lists, cty.NullVal(cty.List(cty.String)), cty.ListValEmpty(cty.String), wrong(".v inconsistent-value")},
		{"map: a key missing, at the collection, and the others", maps, kl(a, b), k(x), wrong(key, `.v["k"] inconsistent-value`)},

		{"tuple: by index", dynamic, tuple(a, num(1)), tuple(b, num(2)), wrong(".v[0] inconsistent-value", ".v[1] inconsistent-value")},
		{"object: by attribute", plain, item(a, b), item(a, x), wrong(".v.name inconsistent-value")},
		{"object that the data names: by attribute", dynamic, object(obj{"p": a, "q": b}), object(obj{"p": a, "q": a}), wrong(".v.q inconsistent-value")},
		{"set: an unknown element becomes equal to another", sets, set(a, unknownStr), set(a), nil},
		{"set: an unknown becomes two: only the count", sets, set(unknownStr), set(a, b), wrong(".v inconsistent-count")},
		{"set: partners both ways", sets, set(unknownStr.Refine().StringPrefixFull("a").NewValue(), b), set(b, x), wrong(element)},
		{"set: emptied", sets, set(a), cty.SetValEmpty(cty.String), wrong(element)},

		{"deep", deep, k(list(item(a, b))), k(list(item(a, x))), wrong(`.v["k"][0].name inconsistent-value`)},
	})
}

// TestMarkedAttributeIsReportedAsOne checks rules/apply.md#inconsistent-sensitive: all violations
// at or below a sensitive attribute of a block are reported as one, and also if either value
// contains a mark.
func TestMarkedAttributeIsReportedAsOne(t *testing.T) {
	secretText := attr(cty.String, "optional computed sensitive")
	secretList := schemaOf(attr(cty.List(cty.String), "optional sensitive"))
	secretItems := schemaOf(nested(configschema.NestingList, "optional sensitive", itemAttrs))
	plainList := schemaOf(attr(cty.List(cty.String), "optional"))
	plainSet := schemaOf(attr(cty.Set(cty.String), "optional"))
	holding := schemaOf(nested(configschema.NestingList, "optional", attrs{"name": attr(cty.String, "optional"), "secret": secretText}))
	inBlock := schemaOfBlock(block(configschema.NestingList, attrs{"name": attr(cty.String, "optional"), "secret": secretText}))
	nestedInBlock := schemaOfBlock(block(configschema.NestingList, attrs{"in": nested(configschema.NestingMap, "optional", attrs{"secret": secretText})}))
	held := func(name, secret cty.Value) cty.Value { return object(obj{"name": name, "secret": secret}) }
	in := func(s cty.Value) cty.Value { return list(object(obj{"in": mapOf(obj{"k": object(obj{"secret": s})})})) }
	a, b, x := str("a"), str("b"), str("x")
	gathered := wrong(".v inconsistent-sensitive")
	testConsistencyRows(t, []consistencyRow{
		{"becomes unknown", schemaOf(secretText), a, unknownStr, gathered},
		{"a refinement", schemaOf(secretText), unknownStr.RefineNotNull(), noStr, gathered},
		{"several elements at the attribute", secretList, list(a, b), list(x, x, x), gathered},
		{"a nested attribute", secretItems, list(item(a, a)), list(item(b, b), item(b, b)), gathered},
		{"marked before", plainList, list(a, b).Mark("m"), list(x, x), gathered},
		{"marked after", plainList, list(a, b), list(x, x).Mark("m"), gathered},
		{"a mark inside after, at another element", plainList, list(a, b), list(x, b.Mark("m")), gathered},
		{"a mark inside, no violation", plainList, list(a, b.Mark("m")), list(a, b), nil},
		{"a mark in a set", plainSet, set(a, b.Mark("m")), set(a, x), gathered},
		{"a mark in a nested attribute with a sensitive attribute", holding, list(held(a.Mark("m"), a)), list(held(a, b)), gathered},

		{"a sensitive attribute inside a NestedType does not gather", holding, list(held(a, a), held(b, b)), list(held(a, b), held(x, b)),
			wrong(".v[0].secret inconsistent-value", ".v[1].name inconsistent-value")},
		{"a sensitive attribute inside a NestedType of a block does not gather", nestedInBlock, in(a), in(b), wrong(`.v[0].in["k"].secret inconsistent-value`)},
		{"a sensitive attribute of a block gathers, other attributes do not", inBlock, list(held(a, a), held(b, b)), list(held(a, b), held(x, b)),
			wrong(".v[0].secret inconsistent-sensitive", ".v[1].name inconsistent-value")},
	})
}
