package objchange_test

import (
	"reflect"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
)

// A mergeRow is a row about the attribute or block type v.
type mergeRow struct {
	name                string
	schema              *configschema.Block
	prior, config, want cty.Value // of v
}

// testMergeRows checks proposals, with v in an object of its own, and beside an id that the proposal
// takes from the prior object.
func testMergeRows(t *testing.T, rows []mergeRow) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got, err := objchange.ProposedNew(Compiled(row.schema), ObjectOf(row.prior), ObjectOf(row.config))
			ExpectValue(t, got, err, ObjectOf(row.want))
			beside := *row.schema
			beside.Attributes = merge(beside.Attributes, Attrs{"id": ComputedLeaf})
			with := func(id, v cty.Value) cty.Value { return Object(Obj{"id": id, "v": v}) }
			got, err = objchange.ProposedNew(Compiled(&beside), with(Str("1"), row.prior), with(NoStr, row.config))
			ExpectValue(t, got, err, with(Str("1"), row.want))
		})
	}
}

// TestProposedNewDropsWhatTheUserRemoved checks an exception in specification.md#31-attributes: a
// prior value that only the user can have set is not kept after the user removes it from the
// configuration.
func TestProposedNewDropsWhatTheUserRemoved(t *testing.T) {
	both, computedOnly := SchemaOf(Nested(configschema.NestingList, "optional computed", ItemAttrs)), SchemaOf(Nested(configschema.NestingList, "computed", ItemAttrs))
	null := NullOf(both)
	// All nested attributes are computed. Only the name in the innermost is not.
	deep := SchemaOf(Nested(configschema.NestingSingle, "optional computed", Attrs{
		"in": Nested(configschema.NestingList, "optional computed", Attrs{"more": Nested(configschema.NestingMap, "computed", ItemAttrs)}),
	}))
	deepVal := func(name cty.Value) cty.Value {
		return Object(Obj{"in": List(Object(Obj{"more": MapOf(Obj{"k": Item(Str("1"), name)})}))})
	}
	// The nested attribute that the user set is inside another nested attribute.
	inner := SchemaOf(Nested(configschema.NestingMap, "optional computed", Attrs{"in": Nested(configschema.NestingList, "optional", Attrs{"id": ComputedLeaf})}))
	innerVal := MapOf(Obj{"k": Object(Obj{"in": cty.ListValEmpty(cty.Object(map[string]cty.Type{"id": cty.String}))})})
	inBlock := SchemaOfBlock(Block(configschema.NestingList, both.Attributes))
	blockVal := func(v cty.Value) cty.Value { return List(Object(Obj{"v": v})) }
	testMergeRows(t, []mergeRow{
		{"only computed attributes set: prior", both, List(Item(Str("1"), NoStr)), null, List(Item(Str("1"), NoStr))},
		{"an attribute that is not computed set: null", both, List(Item(Str("1"), NoStr), Item(Str("2"), Str("p"))), null, null},
		{"not optional: prior", computedOnly, List(Item(Str("1"), Str("p"))), null, List(Item(Str("1"), Str("p")))},
		{"an unknown element contains no configured value: prior", both, List(UnknownItem), null, List(UnknownItem)},
		{"a null element: prior", both, List(NoItem), null, List(NoItem)},
		{"set at depth: null", deep, deepVal(Str("p")), NullOf(deep), NullOf(deep)},
		{"not set at depth: prior", deep, deepVal(NoStr), NullOf(deep), deepVal(NoStr)},
		{"an empty nested attribute set: null", inner, innerVal, NullOf(inner), NullOf(inner)},
		{"in a block", inBlock, blockVal(List(Item(Str("1"), Str("p")))), blockVal(null), blockVal(null)},
	})
}

// TestMergedElementsOfDifferentTypesAreRejected checks elements of a list or map whose dynamic
// types become different when they are merged. No list or map can contain them.
func TestMergedElementsOfDifferentTypesAreRejected(t *testing.T) {
	in := Attrs{"any": Attr(cty.DynamicPseudoType, "optional computed")}
	anyOf := func(v cty.Value) cty.Value { return Object(Obj{"any": v}) }
	lists, maps := SchemaOf(Nested(configschema.NestingList, "optional", in)), SchemaOf(Nested(configschema.NestingMap, "optional", in))
	deep := SchemaOfBlock(Block(configschema.NestingMap, lists.Attributes))
	tests := []struct {
		name          string
		schema        *configschema.Block
		prior, config cty.Value // of v
		place         string
	}{
		{"list", lists, List(anyOf(Num(1))), List(anyOf(NoDynamic), anyOf(NoDynamic)), ".v"},
		{"map", maps, MapOf(Obj{"k": anyOf(Num(1))}), MapOf(Obj{"k": anyOf(NoDynamic), "l": anyOf(NoDynamic)}), ".v"},
		{"in a dynamic block", deep, Object(Obj{"k": Object(Obj{"v": List(anyOf(Num(1)))})}), Object(Obj{"k": Object(Obj{"v": List(anyOf(NoDynamic), anyOf(NoDynamic))})}), ".v.k.v"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := objchange.ProposedNew(Compiled(test.schema), ObjectOf(test.prior), ObjectOf(test.config))
			ExpectRefusal(t, got, err, objchange.RuleTypeMismatch, test.place)
		})
	}
	testMergeRows(t, []mergeRow{
		{"list, shorter", lists, List(anyOf(Num(1)), anyOf(Num(2))), List(anyOf(NoDynamic)), List(anyOf(Num(1)))},
	})
	// The error has the path, also after other paths.
	more := &configschema.Block{
		Attributes: Attrs{"fine": Nested(configschema.NestingList, "optional", ItemAttrs), "secret": Nested(configschema.NestingMap, "optional sensitive", in)},
		BlockTypes: Blocks{"v": Block(configschema.NestingSingle, lists.Attributes)},
	}
	two, k := List(anyOf(NoDynamic), anyOf(NoDynamic)), MapOf(Obj{"k": anyOf(NoDynamic), "l": anyOf(NoDynamic)})
	whole := func(secret, v cty.Value) cty.Value {
		return Object(Obj{"fine": EmptyItems, "secret": secret, "v": ObjectOf(v)})
	}
	got, err := objchange.ProposedNew(Compiled(more), whole(MapOf(Obj{"k": anyOf(NoDynamic)}), List(anyOf(Num(1)))), whole(k, two))
	ExpectRefusal(t, got, err, objchange.RuleTypeMismatch, ".v.v")
	got, err = objchange.ProposedNew(Compiled(more), whole(MapOf(Obj{"k": anyOf(Num(1))}), two), whole(k, two))
	ExpectRefusal(t, got, err, objchange.RuleTypeMismatch, ".secret")
	chosen := SchemaOf(Nested(configschema.NestingList, "optional", Attrs{"any": Attr(cty.DynamicPseudoType, "optional computed")}))
	got, err = objchange.ProposedNew(Compiled(chosen), ObjectOf(List(anyOf(NoDynamic))), ObjectOf(List(anyOf(NoStr), anyOf(NoStr))))
	ExpectRefusal(t, got, err, objchange.RuleTypeMismatch, ".v")
	below := SchemaOf(Nested(configschema.NestingMap, "optional", lists.Attributes))
	at := func(v cty.Value) cty.Value { return MapOf(Obj{"k": ObjectOf(v)}) }
	got, err = objchange.ProposedNew(Compiled(below), ObjectOf(at(List(anyOf(Num(1))))), ObjectOf(at(two)))
	ExpectRefusal(t, got, err, objchange.RuleTypeMismatch, `.v["k"].v`)
}

// TestProposedNewTakesPriorNullWithItsType checks that the prior value is proposed with its own
// type, also if it differs from the type of the configured null. If the prior object is null or
// absent, the schema gives the type. For an absent element of a map, the configured element
// gives the type.
func TestProposedNewTakesPriorNullWithItsType(t *testing.T) {
	in := Attrs{"any": Attr(cty.DynamicPseudoType, "optional computed")}
	anyOf := func(v cty.Value) cty.Value { return Object(Obj{"any": v}) }
	single := SchemaOf(Nested(configschema.NestingSingle, "optional", in))
	lists, maps := SchemaOf(Nested(configschema.NestingList, "optional", in)), SchemaOf(Nested(configschema.NestingMap, "optional", in))
	tuples := SchemaOfBlock(Block(configschema.NestingList, in))
	typed := Attrs{"any": Attr(cty.List(cty.String), "optional computed")}
	noList := cty.NullVal(cty.List(cty.String))
	testMergeRows(t, []mergeRow{
		{"an object", single, anyOf(NoDynamic), anyOf(NoStr), anyOf(NoDynamic)},
		{"an object that was null", single, NullOf(single), anyOf(NoStr), anyOf(NoDynamic)},
		{"an element of a tuple", tuples, Tuple(anyOf(NoDynamic)), Tuple(anyOf(NoStr)), Tuple(anyOf(NoDynamic))},
		{"an element of a list, after a known element", lists, List(anyOf(Str("a")), anyOf(NoStr)), List(anyOf(NoStr), anyOf(NoStr)), List(anyOf(Str("a")), anyOf(NoStr))},
		{"a new element of a map", maps, MapOf(Obj{"k": anyOf(Str("a"))}), MapOf(Obj{"k": anyOf(NoStr), "l": anyOf(NoStr)}), MapOf(Obj{"k": anyOf(Str("a")), "l": anyOf(NoStr)})},
		{"an object in a new element of a map", SchemaOf(Nested(configschema.NestingMap, "optional", single.Attributes)),
			MapOf(Obj{"k": ObjectOf(anyOf(Str("a")))}), MapOf(Obj{"l": ObjectOf(anyOf(NoStr))}), MapOf(Obj{"l": ObjectOf(anyOf(NoStr))})},
		{"a new block of a map", SchemaOfBlock(Block(configschema.NestingMap, in)), Object(Obj{"k": anyOf(NoStr)}), Object(Obj{"l": anyOf(NoStr)}), Object(Obj{"l": anyOf(NoDynamic)})},
		{"a list in a map, unknown before", SchemaOf(Nested(configschema.NestingMap, "optional", lists.Attributes)),
			cty.UnknownVal(cty.Map(cty.Object(map[string]cty.Type{"v": cty.List(cty.Object(map[string]cty.Type{"any": cty.DynamicPseudoType}))}))),
			MapOf(Obj{"k": ObjectOf(List(anyOf(NoStr)))}), MapOf(Obj{"k": ObjectOf(List(anyOf(UnknownStr)))})},
		{"an element of a list that was null", lists, List(cty.NullVal(cty.Object(map[string]cty.Type{"any": cty.DynamicPseudoType}))), List(anyOf(NoStr)), List(anyOf(NoDynamic))},
		{"an object beside a list", SchemaOf(Nested(configschema.NestingSingle, "optional", Attrs{"l": lists.Attributes["v"], "any": in["any"]})),
			Object(Obj{"l": List(anyOf(NoDynamic)), "any": NoDynamic}), Object(Obj{"l": List(anyOf(NoStr)), "any": NoStr}), Object(Obj{"l": List(anyOf(NoDynamic)), "any": NoDynamic})},
		{"a typed attribute of an object that was null", SchemaOf(Nested(configschema.NestingSingle, "optional", typed)), cty.NullVal(cty.Object(map[string]cty.Type{"any": noList.Type()})), anyOf(noList), anyOf(noList)},
	})
}

// TestProposedNewGroupWithoutPrior checks a group in an absent prior object: its prior value is
// null in a nested attribute, and the empty object in a block.
func TestProposedNewGroupWithoutPrior(t *testing.T) {
	group := Attrs{"g": Nested(configschema.NestingGroup, "optional computed", Attrs{"id": Attr(cty.String, "computed")})}
	none, empty := Object(Obj{"g": cty.NullVal(cty.Object(map[string]cty.Type{"id": cty.String}))}), Object(Obj{"g": Object(Obj{"id": NoStr})})
	testMergeRows(t, []mergeRow{
		{"a nested attribute", SchemaOf(Nested(configschema.NestingSingle, "optional", group)), cty.NullVal(none.Type()), none, none},
		{"a block", SchemaOfBlock(Block(configschema.NestingSingle, group)), cty.NullVal(none.Type()), none, empty},
	})
}

// TestProposedNewDistinguishesEmptyFromNull checks that a null, an empty and an unknown prior collection
// give different results.
func TestProposedNewDistinguishesEmptyFromNull(t *testing.T) {
	lists, maps := SchemaOf(Nested(configschema.NestingList, "optional", ItemAttrs)), SchemaOfBlock(Block(configschema.NestingMap, DynAttrs))
	testMergeRows(t, []mergeRow{
		{"empty where null was", lists, NullOf(lists), EmptyItems, EmptyItems},
		{"empty where an unknown was", lists, cty.UnknownVal(cty.List(ItemType)), EmptyItems, EmptyItems},
		{"null where empty was", lists, EmptyItems, NullOf(lists), NullOf(lists)},
		{"a null block at another key", maps, Object(Obj{"k": NoDynamic}), Object(Obj{"l": NoDynamic}), Object(Obj{"l": NoDynamic})},
	})
}

// TestProposedNewSetsCoalesce checks that two elements of a set become one if the computed
// values make them equal.
func TestProposedNewSetsCoalesce(t *testing.T) {
	in := Attrs{"k": LeafAttr}
	schema := SchemaOfBlock(Block(configschema.NestingSet, Attrs{"a": Attr(cty.String, "optional computed"), "in": Nested(configschema.NestingSingle, "optional", in)}))
	k := Object(Obj{"k": Str("v")})
	el := func(a, in cty.Value) cty.Value { return Object(Obj{"a": a, "in": in}) }
	testMergeRows(t, []mergeRow{{"two become one", schema,
		Set(el(Str("x"), k), el(Str("x"), cty.NullVal(k.Type()))), Set(el(Str("x"), k), el(NoStr, k)), Set(el(Str("x"), k))}})
}

// TestProposedNewShares checks that the proposal shares memory with the configuration or the
// prior value, and limits the number of allocations.
func TestProposedNewShares(t *testing.T) {
	const size = 1000
	value := func(id cty.Value, names ...string) cty.Value {
		elems := make([]cty.Value, size)
		for i := range elems {
			elems[i] = Item(id, Str(names[i*len(names)/size]))
		}
		return Object(Obj{"v": List(elems...)})
	}
	stored, written := value(Str("1"), "a"), value(NoStr, "a")
	none := Object(Obj{"v": EmptyItems})
	tests := []struct {
		name                string
		prior, config, want cty.Value
		least, most         int // limits of the number of allocations
	}{
		{"no change: prior", stored, written, stored, 0, 50},
		{"nothing to be computed: config", written, written, written, 0, 50},
		{"all configured: config", stored, stored, stored, 0, 50},
		{"no prior elements: config", none, written, written, 0, 50},
		{"half the elements are new: the others are shared", stored, value(NoStr, "a", "b"), value(Str("1"), "a", "b"), size / 2, 10 * size},
		{"all elements are new", stored, value(NoStr, "b"), value(Str("1"), "b"), size, 20 * size},
	}
	for name, schema := range map[string]*configschema.Block{
		"block":     SchemaOfBlock(Block(configschema.NestingList, ItemAttrs)),
		"attribute": SchemaOf(Nested(configschema.NestingList, "optional", ItemAttrs)),
	} {
		for _, test := range tests {
			t.Run(name+"/"+test.name, func(t *testing.T) {
				got, err := objchange.ProposedNew(Compiled(schema), test.prior, test.config)
				if err != nil {
					t.Fatal(err)
				}
				if !got.RawEquals(test.want) {
					t.Error("got another value")
				}
				allocs := int(testing.AllocsPerRun(3, func() { _, _ = objchange.ProposedNew(Compiled(schema), test.prior, test.config) }))
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
			got, err := f(Compiled(row.schema), ObjectOf(row.in))
			ExpectValue(t, got, err, ObjectOf(row.want))
		})
	}
}

// TestPlannedDataResourceTypesOfUnknowns checks that an unknown value has the type of the
// schema, and in maps the type of the configured element.
func TestPlannedDataResourceTypesOfUnknowns(t *testing.T) {
	in := Attrs{"any": Attr(cty.DynamicPseudoType, "optional computed")}
	anyOf := func(v cty.Value) cty.Value { return Object(Obj{"any": v}) }
	of := func(mode configschema.NestingMode) *configschema.Block { return SchemaOf(Nested(mode, "optional", in)) }
	blocksOf := func(mode configschema.NestingMode) *configschema.Block { return SchemaOfBlock(Block(mode, in)) }
	testRewriteRows(t, objchange.PlannedDataResource, []rewriteRow{
		{"a list", of(configschema.NestingList), List(anyOf(NoStr)), List(anyOf(cty.DynamicVal))},
		{"a map", of(configschema.NestingMap), MapOf(Obj{"k": anyOf(NoStr)}), MapOf(Obj{"k": anyOf(UnknownStr)})},
		{"a list of blocks", blocksOf(configschema.NestingList), Tuple(anyOf(NoStr)), Tuple(anyOf(cty.DynamicVal))},
		{"a list of blocks in a map of blocks", SchemaOfBlock(Block(configschema.NestingMap, nil, Blocks{"l": Block(configschema.NestingList, in)})),
			Object(Obj{"k": Object(Obj{"l": Tuple(anyOf(NoDynamic), anyOf(NoStr))})}), Object(Obj{"k": Object(Obj{"l": Tuple(anyOf(cty.DynamicVal), anyOf(UnknownStr))})})},
	})
	_, err := objchange.PlannedDataResource(Compiled(of(configschema.NestingList)), ObjectOf(List(anyOf(Str("a")), anyOf(Str("b")))))
	if err != nil {
		t.Errorf("elements with one common type: %v", err)
	}
	got, err := objchange.PlannedDataResource(Compiled(SchemaOf(Nested(configschema.NestingList, "optional", Attrs{"a": in["any"], "b": in["any"]}))),
		ObjectOf(List(Object(Obj{"a": NoStr, "b": Str("b")}), Object(Obj{"a": Str("a"), "b": Str("b")}))))
	ExpectRefusal(t, got, err, objchange.RuleTypeMismatch, ".v")
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
			got, err := objchange.ProposedNew(Compiled(row.schema), row.prior, row.config)
			ExpectValue(t, got, err, row.want)
			prior, _ := row.prior.UnmarkDeep()
			config, _ := row.config.UnmarkDeep()
			unmarked, _ := got.UnmarkDeep()
			plain, err := objchange.ProposedNew(Compiled(row.schema), prior, config)
			ExpectValue(t, plain, err, unmarked)
		})
	}
}

func TestProposedNewMarksOfAttributes(t *testing.T) {
	leaf := SchemaOf(Attr(cty.String, "optional computed"))
	strings := SchemaOf(Attr(cty.List(cty.String), "optional computed"))
	testMarkRows(t, []markRow{
		{"a mark of a replaced prior value is removed", leaf, ObjectOf(Str("p").Mark("m")), ObjectOf(Str("c")), ObjectOf(Str("c"))},
		{"a mark of a null in config is removed", leaf, ObjectOf(Str("p")), ObjectOf(NoStr.Mark("m")), ObjectOf(Str("p"))},
		{"marks inside a value stay inside", strings, ObjectOf(List(Str("p").Mark("m"))), ObjectOf(cty.NullVal(cty.List(cty.String))), ObjectOf(List(Str("p").Mark("m")))},
		{"a mark around prior joins the marks of the value", leaf, ObjectOf(Str("p").Mark("n")).Mark("m"), ObjectOf(NoStr), ObjectOf(Str("p").WithMarks(cty.NewValueMarks("m", "n")))},
		{"a mark around prior does not move to a configured value", leaf, ObjectOf(Str("p")).Mark("m"), ObjectOf(Str("p")), ObjectOf(Str("p"))},
		{"a mark around config stays where it is", leaf, ObjectOf(Str("p")), ObjectOf(NoStr).Mark("m"), ObjectOf(Str("p")).Mark("m")},
	})
}

func TestProposedNewMarksOfContainers(t *testing.T) {
	p, c, merged := Item(Str("1"), Str("p")), Item(NoStr, Str("c")), Item(Str("1"), Str("c"))
	tainted := Item(Str("1").Mark("m"), Str("c")) // the id comes from a marked value
	for _, mode := range BlockModes {
		if mode == configschema.NestingSet {
			continue
		}
		schemas := map[string]*configschema.Block{"block": SchemaOfBlock(Block(mode, ItemAttrs)), "attribute": SchemaOf(Nested(mode, "optional", ItemAttrs))}
		for what, schema := range schemas {
			t.Run(mode.String()+" "+what, func(t *testing.T) {
				testMarkRows(t, []markRow{
					{"around prior", schema, ObjectOf(WrapIn(mode, p)).Mark("m"), ObjectOf(WrapIn(mode, c)), ObjectOf(WrapIn(mode, tainted))},
					{"on prior's element", schema, ObjectOf(WrapIn(mode, p.Mark("m"))), ObjectOf(WrapIn(mode, c)), ObjectOf(WrapIn(mode, tainted))},
					{"on prior's other attribute", schema, ObjectOf(WrapIn(mode, Item(Str("1"), Str("p").Mark("m")))), ObjectOf(WrapIn(mode, c)), ObjectOf(WrapIn(mode, merged))},
					{"on config's collection", schema, ObjectOf(WrapIn(mode, p)), ObjectOf(WrapIn(mode, c).Mark("m")), ObjectOf(WrapIn(mode, merged).Mark("m"))},
					{"on config's element", schema, ObjectOf(WrapIn(mode, p)), ObjectOf(WrapIn(mode, c.Mark("m"))), ObjectOf(WrapIn(mode, merged.Mark("m")))},
					{"on config's unknown", schema, ObjectOf(WrapIn(mode, p)), ObjectOf(cty.UnknownVal(WrapTypeIn(mode, ItemType)).Mark("m")), ObjectOf(cty.UnknownVal(WrapTypeIn(mode, ItemType)).Mark("m"))},
					{"no change, config's element is marked", schema, ObjectOf(WrapIn(mode, p)), ObjectOf(WrapIn(mode, Item(NoStr, Str("p")).Mark("m"))), ObjectOf(WrapIn(mode, p.Mark("m")))},
					{"no change, all configured, prior's collection is marked", schema, ObjectOf(WrapIn(mode, p).Mark("m")), ObjectOf(WrapIn(mode, p)), ObjectOf(WrapIn(mode, p))},
					{"no change, prior is marked", schema, ObjectOf(WrapIn(mode, p).Mark("m")), ObjectOf(WrapIn(mode, Item(NoStr, Str("p")))), ObjectOf(WrapIn(mode, Item(Str("1").Mark("m"), Str("p"))))},
				})
			})
		}
	}
	lists := SchemaOfBlock(Block(configschema.NestingList, ItemAttrs))
	testMarkRows(t, []markRow{
		{"all the containers' marks together", lists, ObjectOf(List(Item(Str("1").Mark("d"), NoStr).Mark("c")).Mark("b")).Mark("a"), ObjectOf(List(c)),
			ObjectOf(List(Item(Str("1").WithMarks(cty.NewValueMarks("a", "b", "c", "d")), Str("c"))))},
		{"only of the element that is merged", lists, ObjectOf(List(p.Mark("m"), p)), ObjectOf(List(c, c)), ObjectOf(List(tainted, merged))},
		{"a null element's mark", lists, ObjectOf(List(p)), ObjectOf(List(NoItem.Mark("m"))), ObjectOf(List(NoItem.Mark("m")))},
		{"an empty collection's mark, empty before", lists, ObjectOf(EmptyItems), ObjectOf(EmptyItems.Mark("m")), ObjectOf(EmptyItems.Mark("m"))},
		{"a prior null element's mark", lists, ObjectOf(List(NoItem.Mark("m"))), ObjectOf(List(NoItem)), ObjectOf(List(NoItem))},
	})
	// Marks do not hide that the user set the prior value.
	computed := SchemaOf(Nested(configschema.NestingList, "optional computed", ItemAttrs))
	none := ObjectOf(NullOf(computed))
	any := SchemaOf(Attr(cty.DynamicPseudoType, "optional computed"))
	testMarkRows(t, []markRow{
		{"on a prior element with a configured value", computed, ObjectOf(List(p.Mark("m"))), none, none},
		{"on a prior collection without a configured value", computed, ObjectOf(List(Item(Str("1"), NoStr)).Mark("m")), none, ObjectOf(List(Item(Str("1"), NoStr)).Mark("m"))},
		{"on a prior null of no type", any, ObjectOf(NoDynamic.Mark("m")), ObjectOf(NoDynamic), ObjectOf(NoDynamic.Mark("m"))},
	})
}

// TestProposedNewMarksOfSets checks that marks inside a set move to the set.
func TestProposedNewMarksOfSets(t *testing.T) {
	p, c, merged := Item(Str("1"), Str("a")), Item(NoStr, Str("a")), Item(Str("1"), Str("a"))
	other := Item(Str("2"), Str("b"))
	for name, schema := range map[string]*configschema.Block{
		"block":     SchemaOfBlock(Block(configschema.NestingSet, ItemAttrs)),
		"attribute": SchemaOf(Nested(configschema.NestingSet, "optional", ItemAttrs)),
	} {
		t.Run(name, func(t *testing.T) {
			testMarkRows(t, []markRow{
				{"in prior's set", schema, ObjectOf(Set(Item(Str("1").Mark("m"), Str("a")))), ObjectOf(Set(c)), ObjectOf(Set(merged).Mark("m"))},
				{"on prior's set without a value in the proposal", schema, ObjectOf(Set(p).Mark("m")), ObjectOf(Set(other)), ObjectOf(Set(other))},
				{"around config", schema, ObjectOf(Set(p)), ObjectOf(Set(c)).Mark("m"), ObjectOf(Set(merged)).Mark("m")},
				{"on both", schema, ObjectOf(Set(p).Mark("m")), ObjectOf(Set(c).Mark("n")), ObjectOf(Set(merged).WithMarks(cty.NewValueMarks("m", "n")))},
			})
		})
	}
	deep := SchemaOfBlock(Block(configschema.NestingSet, Attrs{"in": Nested(configschema.NestingList, "optional", ItemAttrs)}))
	in := func(v cty.Value) cty.Value { return Set(Object(Obj{"in": List(v)})) }
	testMarkRows(t, []markRow{
		{"from deep inside", deep, ObjectOf(in(p).Mark("m")), ObjectOf(in(c)), ObjectOf(in(merged).Mark("m"))},
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
			prior, config := ObjectOf(row.prior), ObjectOf(row.config)
			got, err := objchange.ProposedNew(Compiled(row.schema), prior, config)
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

// TestProposedNewReturnsUnchangedValuesThemselves checks that the prior or the configured value itself is
// returned, at every depth, if nothing differs from it.
func TestProposedNewReturnsUnchangedValuesThemselves(t *testing.T) {
	p, same, other := Item(Str("1"), Str("a")), Item(NoStr, Str("a")), Item(NoStr, Str("b"))
	for _, mode := range BlockModes {
		schemas := map[string]*configschema.Block{"block": SchemaOfBlock(Block(mode, ItemAttrs)), "attribute": SchemaOf(Nested(mode, "optional", ItemAttrs))}
		for kind, schema := range schemas {
			t.Run(mode.String()+" "+kind, func(t *testing.T) {
				in := func(v cty.Value) cty.Value { return WrapIn(mode, v) }
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
	p2, same2, other2 := Item(Str("2"), Str("c")), Item(NoStr, Str("c")), Item(NoStr, Str("d"))
	lists := SchemaOf(Nested(configschema.NestingList, "optional", ItemAttrs))
	sets, maps := SchemaOfBlock(Block(configschema.NestingSet, ItemAttrs)), SchemaOf(Nested(configschema.NestingMap, "optional", ItemAttrs))
	tuples := SchemaOfBlock(Block(configschema.NestingList, DynAttrs))
	deep := SchemaOfBlock(Block(configschema.NestingSingle, nil, Blocks{"v": Block(configschema.NestingList, ItemAttrs)}))
	open := Attrs{"id": Attr(cty.String, "computed"), "any": Attr(cty.DynamicPseudoType, "optional computed")}
	anyOf := func(id cty.Value) cty.Value { return Object(Obj{"id": id, "any": NoDynamic}) }
	testShareRows(t, []shareRow{
		{"single: a null of no type", SchemaOf(Nested(configschema.NestingSingle, "optional", open)), anyOf(Str("1")), anyOf(NoStr), "prior"},
		{"list: empty", lists, EmptyItems, EmptyItems, "both"},
		{"list: unknown before, as the configured ids", lists, cty.UnknownVal(cty.List(ItemType)), List(Item(Str("1"), Str("a"))), "config"},
		{"list: the last changes", lists, List(p, p2), List(same, other2), "neither"},
		{"list: the first changes, no id is computed", lists, List(same, same2), List(other, same2), "config"},
		{"list: a null element", lists, List(p, NoItem), List(same, NoItem), "prior"},
		{"list: longer", lists, List(same), List(same, other2), "config"},
		{"map: a null element", maps, MapOf(Obj{"k": p, "l": NoItem}), MapOf(Obj{"k": same, "l": NoItem}), "prior"},
		{"set: no change in two elements", sets, Set(p, p2), Set(same, same2), "prior"},
		{"set: one more element, no id is computed", sets, Set(same), Set(same, other2), "config"},
		{"tuple: no change in two elements", tuples, Tuple(p, p2), Tuple(same, same2), "prior"},
		{"deep: no change", deep, ObjectOf(List(p, p2)), ObjectOf(List(same, same2)), "prior"},
	})
}

// TestProposedNewNumbersAsConfigured checks that a configured number is proposed with its
// encoding in the configuration, although equal numbers may have different encodings.
func TestProposedNewNumbersAsConfigured(t *testing.T) {
	schema := SchemaOf(Nested(configschema.NestingSingle, "optional", Attrs{"n": Attr(cty.Number, "optional"), "id": Attr(cty.String, "computed"), "name": Attr(cty.String, "optional")}))
	of := func(n cty.Value, id, name string) cty.Value {
		v := Obj{"n": n, "id": NoStr, "name": Str(name)}
		if id != "" {
			v["id"] = Str(id)
		}
		return ObjectOf(cty.ObjectVal(v))
	}
	float, decimal := cty.NumberFloatVal(0.1), cty.MustParseNumberVal("0.1")
	if !float.RawEquals(decimal) {
		t.Fatal("the results are not equal")
	}
	for range 50 { // the order of attributes varies
		for _, name := range []string{"a", "b"} {
			got, err := objchange.ProposedNew(Compiled(schema), of(float, "1", "a"), of(decimal, "", name))
			if err != nil {
				t.Fatal(err)
			}
			v := got.GetAttr("v")
			if v.GetAttr("n").AsBigFloat().Cmp(decimal.AsBigFloat()) != 0 || !v.GetAttr("id").RawEquals(Str("1")) {
				t.Fatalf("%s: proposed %#v", name, v)
			}
		}
	}
}
