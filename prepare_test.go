package objchange_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
)

// Tests of specification.md#52-a-plan-without-provider-logic: the plan of a provider that makes no decisions.

// TestPlanComputedOfUnknown checks that an object that is unknown as a whole stays unknown.
func TestPlanComputedOfUnknown(t *testing.T) {
	schema := SchemaOf(ComputedLeaf)
	for _, v := range []cty.Value{cty.DynamicVal, cty.UnknownVal(schema.ImpliedType())} {
		got, err := objchange.PlanComputed(Compiled(schema), v)
		ExpectValue(t, got, err, cty.UnknownVal(schema.ImpliedType()))
	}
}

func TestPlanComputedAttributes(t *testing.T) {
	computedOnly, both := SchemaOf(Attr(cty.String, "computed")), SchemaOf(Attr(cty.String, "optional computed"))
	strings := SchemaOf(Attr(cty.List(cty.String), "optional computed"))
	plain := SchemaOf(Attr(ItemType, "optional computed"))
	writeOnly := SchemaOf(Attr(cty.String, "optional writeonly"))
	testRewriteRows(t, objchange.PlanComputed, []rewriteRow{
		{"computed, unknown: unchanged", computedOnly, UnknownStr.RefineNotNull(), UnknownStr.RefineNotNull()},
		{"optional and computed, null: unknown", both, NoStr, UnknownStr},
		{"optional, null: null", SchemaOf(Attr(cty.String, "optional")), NoStr, NoStr},
		{"computed list, null inside: unchanged", strings, List(NoStr), List(NoStr)},
		{"computed object without a NestedType, null inside: unchanged", plain, Item(NoStr, NoStr), Item(NoStr, NoStr)},
		{"computed and dynamic, null: unknown", SchemaOf(Attr(cty.DynamicPseudoType, "computed")), NoDynamic, cty.DynamicVal},
		{"write-only, unknown: null", writeOnly, UnknownStr, NoStr},
	})
}

func TestPlanComputedNestedAttributes(t *testing.T) {
	both := SchemaOf(Nested(configschema.NestingMap, "optional computed", ItemAttrs))
	write := SchemaOf(Nested(configschema.NestingSingle, "optional", Attrs{"w": WriteLeaf, "id": ComputedLeaf}))
	wide := func(w, id cty.Value) cty.Value { return Object(Obj{"w": w, "id": id}) }
	deep := SchemaOfBlock(Block(configschema.NestingSet, Attrs{"in": Nested(configschema.NestingSingle, "optional", Attrs{"more": Nested(configschema.NestingMap, "optional", ItemAttrs)})}))
	deepVal := func(id cty.Value) cty.Value {
		return Set(Object(Obj{"in": Object(Obj{"more": MapOf(Obj{"k": Item(id, NoStr)})})}))
	}
	lists, sets := SchemaOf(Nested(configschema.NestingList, "optional", ItemAttrs)), SchemaOf(Nested(configschema.NestingSet, "optional", ItemAttrs))
	a, b := Item(NoStr, Str("a")), Item(Str("1"), Str("b"))
	testRewriteRows(t, objchange.PlanComputed, []rewriteRow{
		{"computed, null: unknown as a whole", both, NullOf(both), cty.UnknownVal(NullOf(both).Type())},
		{"computed inside, null: unknown", both, MapOf(Obj{"k": Item(NoStr, NoStr)}), MapOf(Obj{"k": Item(UnknownStr, NoStr)})},
		{"write-only inside: null", write, wide(Str("secret"), NoStr), wide(NoStr, UnknownStr)},
		{"at depth", deep, deepVal(NoStr), deepVal(UnknownStr)},
		{"element null: null", lists, List(NoItem), List(NoItem)},
		{"element unknown: unknown", lists, List(UnknownItem), List(UnknownItem)},
		{"list, each element", lists, List(b, a, b, a), List(b, Item(UnknownStr, Str("a")), b, Item(UnknownStr, Str("a")))},
		{"set, each element", sets, Set(a, b), Set(Item(UnknownStr, Str("a")), b)},
	})
}

func TestPlanComputedBlocks(t *testing.T) {
	sets := SchemaOfBlock(Block(configschema.NestingSet, nil, Blocks{"w": Block(configschema.NestingGroup, ItemAttrs)}))
	lists := SchemaOfBlock(Block(configschema.NestingList, Attrs{"w": WriteLeaf, "id": ComputedLeaf}))
	supplied := SchemaOfBlock(Computed(Block(configschema.NestingMap, Attrs{"id": ComputedLeaf})))
	single := SchemaOfBlock(Computed(Block(configschema.NestingSingle, Attrs{"id": ComputedLeaf})))
	inList := SchemaOfBlock(Block(configschema.NestingList, nil, Blocks{"w": supplied.BlockTypes["v"]}))
	one := func(id cty.Value) cty.Value { return MapOf(Obj{"k": Object(Obj{"id": id})}) }
	in := func(w cty.Value) cty.Value { return Object(Obj{"w": w}) }
	wide := func(w, id cty.Value) cty.Value { return List(Object(Obj{"w": w, "id": id})) }
	dynamic := Attrs{"any": Attr(cty.DynamicPseudoType, "computed")}
	anyOf := func(v cty.Value) cty.Value { return Object(Obj{"any": v}) }
	testRewriteRows(t, objchange.PlanComputed, []rewriteRow{
		{"null: null", lists, NullOf(lists), NullOf(lists)},
		{"in a set", sets, Set(in(Item(NoStr, NoStr))), Set(in(Item(UnknownStr, NoStr)))},
		{"write-only inside: null", lists, wide(Str("secret"), NoStr), wide(NoStr, UnknownStr)},
		{"a computed block type, null: unknown", supplied, NullOf(supplied), cty.UnknownVal(NullOf(supplied).Type())},
		{"a computed single block, null: unknown", single, NullOf(single), cty.UnknownVal(NullOf(single).Type())},
		{"a computed block type, not null: its blocks", supplied, one(NoStr), one(UnknownStr)},
		{"a computed block type inside another, null: unknown", inList, List(in(NullOf(supplied))), List(in(cty.UnknownVal(NullOf(supplied).Type())))},
		{"a computed block type, empty: unchanged", SchemaOfBlock(Computed(Block(configschema.NestingList, nil))), cty.ListValEmpty(cty.EmptyObject), cty.ListValEmpty(cty.EmptyObject)},
		{"element null: null", SchemaOfBlock(Block(configschema.NestingList, ItemAttrs)), List(NoItem), List(NoItem)},
		{"element unknown: its parts are unknown, because a planned block must be known", SchemaOfBlock(Block(configschema.NestingMap, ItemAttrs)), MapOf(Obj{"k": UnknownItem}), MapOf(Obj{"k": Item(UnknownStr, UnknownStr)})},
		{"dynamic map", SchemaOfBlock(Block(configschema.NestingMap, DynAttrs)), Object(Obj{"k": Item(NoStr, Num(1))}), Object(Obj{"k": Item(UnknownStr, Num(1))})},
		{"dynamic and computed inside", SchemaOfBlock(Block(configschema.NestingList, dynamic)), Tuple(anyOf(NoDynamic), anyOf(Num(1))), Tuple(anyOf(cty.DynamicVal), anyOf(Num(1)))},
		{"in a list with one element type: unknown of that type", SchemaOf(Nested(configschema.NestingList, "optional", dynamic)), List(anyOf(NoNum), anyOf(Num(1))), List(anyOf(UnknownNum), anyOf(Num(1)))},
		{"dynamic and a computed block type, null: unknown", SchemaOfBlock(Computed(Block(configschema.NestingMap, dynamic))), NoDynamic, cty.DynamicVal},
	})
}

func TestPlanComputedKeepsMarks(t *testing.T) {
	lists, sets := SchemaOfBlock(Block(configschema.NestingList, ItemAttrs)), SchemaOfBlock(Block(configschema.NestingSet, ItemAttrs))
	testRewriteRows(t, objchange.PlanComputed, []rewriteRow{
		{"marks of a value that becomes unknown", SchemaOf(Attr(cty.String, "computed")), NoStr.Mark("m"), UnknownStr.Mark("m")},
		{"marks of a write-only attribute", SchemaOf(WriteLeaf), Str("secret").Mark("m"), NoStr.Mark("m")},
		{"marks of a list and an element", lists, List(Item(NoStr, Str("a")).Mark("n")).Mark("m"), List(Item(UnknownStr, Str("a")).Mark("n")).Mark("m")},
		{"marks of a set", sets, Set(Item(NoStr, Str("a"))).Mark("m"), Set(Item(UnknownStr, Str("a"))).Mark("m")},
	})
	got, err := objchange.PlanComputed(Compiled(lists), ObjectOf(List(Item(NoStr, NoStr))).Mark("m"))
	ExpectValue(t, got, err, ObjectOf(List(Item(UnknownStr, NoStr))).Mark("m"))
}

// Tests of specification.md#61-computed-blocks: empty computed blocks become null.

func TestPrepareComputedBlocks(t *testing.T) {
	id := Attrs{"id": ComputedLeaf}
	idType := cty.Object(map[string]cty.Type{"id": cty.String})
	one := Object(Obj{"id": NoStr})
	computed, plain, maps := SchemaOfBlock(Computed(Block(configschema.NestingList, id))), SchemaOfBlock(Block(configschema.NestingList, id)), SchemaOfBlock(Computed(Block(configschema.NestingMap, id)))
	dynLists := Computed(Block(configschema.NestingList, Attrs{"any": Attr(cty.DynamicPseudoType, "computed")}))
	dynMaps := Computed(Block(configschema.NestingMap, dynLists.Attributes))
	single := Computed(Block(configschema.NestingSingle, nil))
	lists := Computed(Block(configschema.NestingList, id))
	noList, emptyList := cty.NullVal(cty.List(idType)), cty.ListValEmpty(idType)
	sets := SchemaOfBlock(Block(configschema.NestingSet, Attrs{"name": LeafAttr}, Blocks{"w": lists}))
	in := func(name string, w cty.Value) cty.Value { return Object(Obj{"name": Str(name), "w": w}) }
	testRewriteRows(t, objchange.PrepareComputedBlocks, []rewriteRow{
		{"empty: null", computed, emptyList, noList},
		{"an empty map: null", maps, cty.MapValEmpty(idType), NullOf(maps)},
		{"unknown: unknown", computed, cty.UnknownVal(noList.Type()), cty.UnknownVal(noList.Type())},
		{"not empty: unchanged", computed, List(one), List(one)},
		{"empty but not computed: unchanged", plain, emptyList, emptyList},
		{"empty and marked: null and marked", computed, emptyList.Mark("m"), noList.Mark("m")},
		{"a nested attribute, computed and empty: unchanged", SchemaOf(Nested(configschema.NestingList, "computed", id)), emptyList, emptyList},
		{"single, without content: unchanged", SchemaOfBlock(single), cty.EmptyObjectVal, cty.EmptyObjectVal},
		{"each element of a set", sets, Set(in("a", emptyList), in("b", noList), in("c", List(one))), Set(in("a", noList), in("b", noList), in("c", List(one)))},
		{"beside elements that are null or unknown", SchemaOfBlock(Block(configschema.NestingList, nil, Blocks{"w": lists})),
			List(cty.NullVal(cty.Object(map[string]cty.Type{"w": cty.List(idType)})), cty.UnknownVal(cty.Object(map[string]cty.Type{"w": cty.List(idType)})), Object(Obj{"w": emptyList})),
			List(cty.NullVal(cty.Object(map[string]cty.Type{"w": cty.List(idType)})), cty.UnknownVal(cty.Object(map[string]cty.Type{"w": cty.List(idType)})), Object(Obj{"w": noList}))},
		{"dynamic list, the empty tuple: a null of the dynamic type", SchemaOfBlock(dynLists), cty.EmptyTupleVal, NoDynamic},
		{"dynamic map, the empty object: a null of the dynamic type", SchemaOfBlock(dynMaps), cty.EmptyObjectVal, NoDynamic},
		{"dynamic in dynamic", SchemaOfBlock(Block(configschema.NestingList, nil, Blocks{"w": dynMaps})), Tuple(Object(Obj{"w": cty.EmptyObjectVal})), Tuple(Object(Obj{"w": NoDynamic}))},
	})
}

// Tests of specification.md#62-values-from-the-legacy-sdk: the values that the legacy SDK means.

func TestNormalizeLegacySDKBlocks(t *testing.T) {
	single, group := SchemaOfBlock(Block(configschema.NestingSingle, ItemAttrs)), SchemaOfBlock(Block(configschema.NestingGroup, ItemAttrs))
	lists, sets := SchemaOfBlock(Block(configschema.NestingList, ItemAttrs)), SchemaOfBlock(Block(configschema.NestingSet, ItemAttrs))
	maps := SchemaOfBlock(Block(configschema.NestingMap, ItemAttrs))
	stub, it := Item(UnknownStr, UnknownStr), Item(Str("1"), Str("a"))
	noList, noSet := cty.NullVal(cty.List(ItemType)), cty.NullVal(cty.Set(ItemType))
	testRewriteRows(t, objchange.NormalizeLegacySDK, []rewriteRow{
		{"single, unknown: an object of unknown parts", single, UnknownItem, stub},
		{"group, null: its empty value", group, NoItem, Item(NoStr, NoStr)},
		{"list, unknown: one object of unknown parts", lists, cty.UnknownVal(noList.Type()), List(stub)},
		{"list, element unknown: an object of unknown parts", lists, List(it, UnknownItem), List(it, stub)},
		{"list, element null: null", lists, List(NoItem, it), List(NoItem, it)},
		{"set, unknown: one object of unknown parts", sets, cty.UnknownVal(noSet.Type()), Set(stub)},
		{"map, element unknown: unknown", maps, MapOf(Obj{"k": UnknownItem}), MapOf(Obj{"k": UnknownItem})},
	})
}

// TestNormalizeLegacySDKOfUnknown checks the block of unknown values in an object that is unknown as a
// whole.
func TestNormalizeLegacySDKOfUnknown(t *testing.T) {
	id, dynamic := Attrs{"id": ComputedLeaf}, Attrs{"any": DynamicLeaf}
	one, any := Object(Obj{"id": UnknownStr}), Object(Obj{"any": cty.DynamicVal})
	for name, test := range map[string]struct {
		schema *configschema.Block
		want   cty.Value // of v
	}{
		"a group block":        {SchemaOfBlock(Block(configschema.NestingGroup, id)), one},
		"a list block":         {SchemaOfBlock(Block(configschema.NestingList, id)), List(one)},
		"a set block":          {SchemaOfBlock(Block(configschema.NestingSet, id)), Set(one)},
		"a map block":          {SchemaOfBlock(Block(configschema.NestingMap, id)), cty.MapValEmpty(one.Type())},
		"a dynamic list block": {SchemaOfBlock(Block(configschema.NestingList, dynamic)), Tuple(any)},
		"a dynamic map block":  {SchemaOfBlock(Block(configschema.NestingMap, dynamic)), cty.EmptyObjectVal},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := objchange.NormalizeLegacySDK(Compiled(test.schema), cty.DynamicVal)
			ExpectValue(t, got, err, ObjectOf(test.want))
		})
	}
}

func TestNormalizeLegacySDKMarks(t *testing.T) {
	group := SchemaOfBlock(Block(configschema.NestingGroup, ItemAttrs))
	lists, sets := SchemaOfBlock(Block(configschema.NestingList, ItemAttrs)), SchemaOfBlock(Block(configschema.NestingSet, ItemAttrs))
	deep := SchemaOfBlock(Block(configschema.NestingList, nil, Blocks{"w": Block(configschema.NestingList, ItemAttrs)}))
	in := func(w cty.Value) cty.Value { return Object(Obj{"w": w}) }
	stub := Item(UnknownStr, UnknownStr)
	noList, noSet := cty.NullVal(cty.List(ItemType)), cty.NullVal(cty.Set(ItemType))
	testRewriteRows(t, objchange.NormalizeLegacySDK, []rewriteRow{
		{"an attribute", SchemaOf(LeafAttr), Str("a").Mark("m"), Str("a").Mark("m")},
		{"group, null", group, NoItem.Mark("m"), Item(NoStr, NoStr).Mark("m")},
		{"list, unknown", lists, cty.UnknownVal(noList.Type()).Mark("m"), List(stub).Mark("m")},
		{"set, null", sets, noSet.Mark("m"), cty.SetValEmpty(ItemType).Mark("m")},
		{"around what changes", deep, List(in(noList).Mark("n")).Mark("m"), List(in(EmptyItems).Mark("n")).Mark("m")},
	})
}

// TestPartialStateIsAsCoreKeepsIt checks specification.md#134-partial-state: the state that Core
// keeps after a failed apply.
func TestPartialStateIsAsCoreKeepsIt(t *testing.T) {
	schema := &configschema.Block{Attributes: ItemAttrs}
	a, b, open := Item(Str("1"), Str("a")), Item(Str("2"), Str("b")), Item(UnknownStr, Str("b"))
	planned := Item(UnknownStr, Str("b"))
	tests := []struct {
		name                           string
		prior, planned, returned, want cty.Value
		tainted                        bool
	}{
		{"update, unknown values returned", a, planned, open, Item(NoStr, Str("b")), false},
		{"update, unknown as a whole returned: prior", a, planned, UnknownItem, a, false},
		{"update of an unknown plan", a, UnknownItem, b, b, false},
		{"update, the zero value inside returned: prior", a, planned, Item(NoStr, cty.NilVal), a, false},
		{"create, another type returned: null", NoItem, planned, Str("b"), NoItem, true},
		{"prior the zero value", cty.NilVal, planned, b, b, true},
		{"prior with an unknown value, as it was", open, planned, cty.NilVal, open, false},
		{"create, unknown values returned", NoDynamic, planned, open, Item(NoStr, Str("b")), true},
		{"create, null returned: null", NoItem, planned, NoItem, NoItem, true},
		{"delete, a value returned", a, NoItem, b, b, false},
		{"delete, unknown as a whole returned: null", a, NoItem, UnknownItem, NoItem, false},
		{"marks of the returned value", a.Mark("p"), planned, Item(UnknownStr.Mark("m"), Str("b")).Mark("r"), Item(NoStr.Mark("m"), Str("b")).Mark("r"), false},
		{"marks of prior", Item(Str("1").Mark("m"), Str("a")).Mark("p"), planned, NoItem.Mark("r"), Item(Str("1").Mark("m"), Str("a")).Mark("p"), false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, tainted, err := objchange.PartialState(Compiled(schema), test.prior, test.planned, test.returned)
			ExpectValue(t, got, err, test.want)
			if tainted != test.tainted {
				t.Errorf("tainted: %t", tainted)
			}
		})
	}
}

// partialState returns the state after a failed create.
func partialState(schema *objchange.Schema, returned cty.Value) (cty.Value, error) {
	state, _, err := objchange.PartialState(schema, NoDynamic, cty.UnknownVal(schema.ImpliedType()), returned)
	if err == nil && objchange.AssertStateValid(schema, state).Rejected() != nil {
		return state, objchange.AssertStateValid(schema, state).Err()
	}
	return state, err
}

// TestPartialStateAtDepth checks specification.md#134-partial-state: every unknown value becomes null,
// and the state is valid.
func TestPartialStateAtDepth(t *testing.T) {
	deepLists, dynamic := SchemaOf(Attr(cty.List(cty.List(cty.String)), "computed")), SchemaOf(Attr(cty.DynamicPseudoType, "computed"))
	sets := SchemaOf(Attr(cty.Set(cty.String), "computed"))
	lists := SchemaOfBlock(Block(configschema.NestingList, nil, Blocks{"in": Block(configschema.NestingMap, ItemAttrs)}))
	in := func(v cty.Value) cty.Value { return Object(Obj{"in": v}) }
	a, open, closed := Str("a"), Item(UnknownStr, Str("a")), Item(NoStr, Str("a"))
	testRewriteRows(t, partialState, []rewriteRow{
		{"in plain lists", deepLists, List(List(a, UnknownStr), cty.UnknownVal(cty.List(cty.String))), List(List(a, NoStr), cty.NullVal(cty.List(cty.String)))},
		{"in plain lists, marked", deepLists, List(List(a, UnknownStr).Mark("m")).Mark("n"), List(List(a, NoStr).Mark("m")).Mark("n")},
		{"in plain sets", sets, Set(a, UnknownStr, UnknownStr), Set(a, NoStr)},
		{"in a dynamic attribute", dynamic, Tuple(cty.DynamicVal, Object(Obj{"x": UnknownNum})), Tuple(NoDynamic, Object(Obj{"x": NoNum}))},
		{"at depth", lists, List(in(MapOf(Obj{"k": open}))), List(in(MapOf(Obj{"k": closed})))},
		{"blocks at depth", lists, List(in(cty.UnknownVal(cty.Map(ItemType)))), List(in(cty.NullVal(cty.Map(ItemType))))},
		{"dynamic blocks, unknown", SchemaOfBlock(Block(configschema.NestingList, DynAttrs)), cty.DynamicVal, NoDynamic},
	})
	for _, mode := range BlockModes {
		kinds := map[string]*configschema.Block{"block": SchemaOfBlock(Block(mode, ItemAttrs)), "attribute": SchemaOf(Nested(mode, "computed", ItemAttrs))}
		null := cty.NullVal(WrapTypeIn(mode, ItemType))
		for kind, schema := range kinds {
			t.Run(kind+" "+mode.String(), func(t *testing.T) {
				testRewriteRows(t, partialState, []rewriteRow{
					{"unknown inside", schema, WrapIn(mode, open), WrapIn(mode, closed)},
					{"unknown", schema, cty.UnknownVal(null.Type()), null},
					{"unknown element", schema, WrapIn(mode, UnknownItem), WrapIn(mode, NoItem)},
				})
			})
		}
	}
}

// TestPartialStateWriteOnly checks specification.md#134-partial-state: a value with a write-only value
// in it is not kept.
func TestPartialStateWriteOnly(t *testing.T) {
	plain := SchemaOf(Attr(cty.String, "optional writeonly"))
	inner := Attrs{"id": Attr(cty.String, "computed"), "name": Attr(cty.String, "optional writeonly")}
	lists, maps := SchemaOfBlock(Block(configschema.NestingList, inner)), SchemaOf(Nested(configschema.NestingMap, "optional", inner))
	full, open, none := Item(Str("1"), Str("secret")), Item(Str("1"), UnknownStr), Item(Str("1"), NoStr)
	for _, test := range []struct {
		name                  string
		schema                *configschema.Block
		prior, returned, want cty.Value // of v
	}{
		{"set", plain, NoStr, Str("secret"), NoStr},
		{"unknown in a list of blocks", lists, List(none), List(open, none), List(none)},
		{"null in a list of blocks", lists, List(none), List(none, none), List(none, none)},
		{"in a map of nested attributes", maps, MapOf(Obj{"k": none}), MapOf(Obj{"l": full}), MapOf(Obj{"k": none})},
		{"in an unknown nested attribute", maps, MapOf(Obj{"k": none}), MapOf(Obj{"l": UnknownItem}), MapOf(Obj{"k": none})},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, tainted, err := objchange.PartialState(Compiled(test.schema), ObjectOf(test.prior), ObjectOf(test.prior), ObjectOf(test.returned))
			ExpectValue(t, got, err, ObjectOf(test.want))
			if tainted {
				t.Error("tainted")
			}
		})
	}
}

// TestPartialStateOfUnusableInputIsNotTainted checks that the results for unusable input are
// the zero value and not tainted.
func TestPartialStateOfUnusableInputIsNotTainted(t *testing.T) {
	a := ObjectOf(Str("a"))
	state, tainted, err := objchange.PartialState(Compiled(SchemaOf(LeafAttr)), a, cty.NilVal, a)
	ExpectRefusal(t, state, err, objchange.RuleInvalidInput, "")
	if tainted {
		t.Error("tainted")
	}
}

// TestPreparedValuesThatDoNotChangeAreNotCopied checks that values in which nothing is replaced are
// returned without a copy.
func TestPreparedValuesThatDoNotChangeAreNotCopied(t *testing.T) {
	schema := Compiled(SchemaOfBlock(Block(configschema.NestingList, ItemAttrs)))
	value := ObjectOf(WrapIn(configschema.NestingList, Item(Str("1"), Str("a"))))
	for name, prepare := range map[string]func(*objchange.Schema, cty.Value) (cty.Value, error){
		"PrepareComputedBlocks": objchange.PrepareComputedBlocks, "NormalizeLegacySDK": objchange.NormalizeLegacySDK,
	} {
		if allocs := testing.AllocsPerRun(10, func() { must(prepare(schema, value)) }); allocs > 5 {
			t.Errorf("%s makes %.0f allocations", name, allocs)
		}
	}
}
