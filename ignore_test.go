package objchange_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
)

// An ignoreRow is a row about the attribute or block type v: the configuration that is the
// result of ignoring changes at some paths.
type ignoreRow struct {
	name                string
	schema              *configschema.Block
	prior, config, want cty.Value // of v
	paths               []cty.Path
}

// testIgnoreRows ignores changes, with v in an object of its own.
func testIgnoreRows(t *testing.T, rows []ignoreRow) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got, err := objchange.IgnoreChanges(Compiled(row.schema), ObjectOf(row.prior), ObjectOf(row.config), row.paths)
			ExpectValue(t, got, err, ObjectOf(row.want))
		})
	}
}

// TestIgnoreChangesWhole checks specification.md#63-ignored-changes: with a null prior value, nothing
// is ignored.
func TestIgnoreChangesWhole(t *testing.T) {
	schema := SchemaOf(Attr(cty.String, "optional"))
	ty := schema.ImpliedType()
	null, unknown, a, b := cty.NullVal(ty), cty.UnknownVal(ty), ObjectOf(Str("a")), ObjectOf(Str("b"))
	tests := []struct {
		name                string
		prior, config, want cty.Value
		paths               []cty.Path
	}{
		{"prior an untyped null: config", NoDynamic, a, a, paths(PathToV)},
		{"prior null, the whole ignored: config", null, a, a, paths(cty.Path{})},
		{"no paths: config", a, b, b, nil},
		{"the whole ignored: prior", a, b, a, paths(cty.Path{})},
		{"config null, a delete: null", a, null, null, paths(PathToV)},
		{"config an untyped unknown: unknown", a, cty.DynamicVal, unknown, paths(PathToV)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := objchange.IgnoreChanges(Compiled(schema), test.prior, test.config, test.paths)
			ExpectValue(t, got, err, test.want)
		})
	}
}

// TestIgnoreChangesPaths checks specification.md#63-ignored-changes: each path that applies to both
// values takes the prior value.
func TestIgnoreChangesPaths(t *testing.T) {
	text, lists := SchemaOf(Attr(cty.String, "optional")), SchemaOf(Attr(cty.List(cty.String), "optional"))
	sets, any := SchemaOf(Attr(cty.Set(cty.String), "optional")), SchemaOf(Attr(cty.DynamicPseudoType, "optional"))
	a, b, c := Str("a"), Str("b"), Str("c")

	first, second := PathToV.Copy().IndexInt(0), PathToV.Copy().IndexInt(1)
	testIgnoreRows(t, []ignoreRow{
		{"a path that does not exist in either value", text, a, b, b, paths(cty.GetAttrPath("x"), PathToV.Copy().GetAttr("x"), first)},
		{"list index of prior only", lists, List(a, b), List(c), List(c), paths(second)},
		{"list index, config unknown", lists, List(a), cty.UnknownVal(cty.List(cty.String)), cty.UnknownVal(cty.List(cty.String)), paths(first)},
		{"list index, negative or no integer", lists, List(a), List(c), List(c), paths(PathToV.Copy().Index(Num(-1)), PathToV.Copy().Index(cty.NumberFloatVal(0.5)))},
		{"string index of a list", lists, List(a, b), List(c), List(a, b), paths(PathToV.Copy().IndexString("0"))},
		{"string index of a null value in config", any, Object(Obj{"x": a}), NoDynamic, Object(Obj{"x": a}), paths(PathToV.Copy().IndexString("x"))},
		{"string index of a map that was an object", any, Object(Obj{"x": a, "y": a}), MapOf(Obj{"x": c, "y": c}), MapOf(Obj{"x": a, "y": c}), paths(PathToV.Copy().IndexString("x"))},
		{"string index of an object that was a map", any, MapOf(Obj{"x": a, "y": a}), Object(Obj{"x": c, "y": c}), MapOf(Obj{"x": a, "y": a}), paths(PathToV.Copy().IndexString("x"))},
		{"string index in an object in an object", any, Object(Obj{"x": Object(Obj{"y": a, "z": a})}), Object(Obj{"x": Object(Obj{"y": c, "z": c})}), Object(Obj{"x": Object(Obj{"y": a, "z": a})}), paths(PathToV.Copy().GetAttr("x").IndexString("y"))},
		{"the same path twice", lists, List(a, b), List(c, c), List(a, c), paths(first, first)},
		{"one of several paths exists", lists, List(a), List(c, c), List(a, c), paths(second, first)},
		{"string index of a set", sets, Set(a, b), Set(a, c), Set(a, b), paths(PathToV.Copy().Index(c))},
		{"a set element", any, Set(Num(1)), Set(Num(2)), Set(Num(2)), paths(PathToV.Copy().IndexInt(1), PathToV.Copy().IndexInt(2))},
		{"attribute of an object that is null in one value", any, Object(Obj{"y": a}), Object(Obj{"x": c}), Object(Obj{"x": c}), paths(PathToV.Copy().GetAttr("x"), PathToV.Copy().GetAttr("y"))},
		{"another type of collection", any, List(a), MapOf(Obj{"0": c}), MapOf(Obj{"0": c}), paths(first)},
	})
}

// TestIgnoreChangesMapKeys checks specification.md#63-ignored-changes: a path that ends in a string
// index names one key of a map.
func TestIgnoreChangesMapKeys(t *testing.T) {
	maps := SchemaOf(Attr(cty.Map(cty.String), "optional"))
	ty := cty.Map(cty.String)
	null, unknown, none := cty.NullVal(ty), cty.UnknownVal(ty), cty.MapValEmpty(cty.String)
	a, b, x := Str("a"), Str("b"), Str("x")
	k, l := PathToV.Copy().IndexString("k"), PathToV.Copy().IndexString("l")
	testIgnoreRows(t, []ignoreRow{
		{"added: removed", maps, MapOf(Obj{"l": b}), MapOf(Obj{"k": x, "l": x}), MapOf(Obj{"l": x}), paths(k)},
		{"added, the only key: empty", maps, MapOf(Obj{"l": b}), MapOf(Obj{"k": x}), none, paths(k)},
		{"config null: treated as empty", maps, MapOf(Obj{"k": a, "l": b}), null, MapOf(Obj{"k": a}), paths(k)},
		{"config null, nothing added: stays null", maps, MapOf(Obj{"l": b}), null, null, paths(k)},
		{"config empty, nothing added: stays empty", maps, MapOf(Obj{"l": b}), none, none, paths(k)},
		{"prior null: treated as empty", maps, null, MapOf(Obj{"k": x, "l": x}), MapOf(Obj{"l": x}), paths(k)},
		{"config unknown: unchanged", maps, MapOf(Obj{"k": a}), unknown, unknown, paths(k)},
		{"prior unknown: unchanged", maps, unknown, MapOf(Obj{"k": x}), MapOf(Obj{"k": x}), paths(k)},
		{"several keys, from null and back", maps, MapOf(Obj{"k": a}), null, MapOf(Obj{"k": a}), paths(l, k, l)},
		{"a number is no key", maps, MapOf(Obj{"0": a}), MapOf(Obj{"0": x}), MapOf(Obj{"0": x}), paths(PathToV.Copy().IndexInt(0))},
	})

	// Maps of any kind, and nested maps.
	rules := SchemaOf(Nested(configschema.NestingMap, "optional", ItemAttrs))
	listed := SchemaOfBlock(Block(configschema.NestingList, Attrs{"tags": Attr(ty, "optional")}))
	inTags := func(v cty.Value) cty.Value { return Object(Obj{"tags": v}) }

	first := PathToV.Copy().IndexInt(0).GetAttr("tags").IndexString("k")
	testIgnoreRows(t, []ignoreRow{
		{"an element of a nested attribute", rules, MapOf(Obj{"k": Item(NoStr, a)}), cty.MapValEmpty(ItemType), MapOf(Obj{"k": Item(NoStr, a)}), paths(k)},
		{"an attribute of an element that exists in one value", rules, MapOf(Obj{"k": Item(NoStr, a)}), MapOf(Obj{"l": Item(b, b)}), MapOf(Obj{"l": Item(b, b)}), paths(k.Copy().GetAttr("name"), l.Copy().GetAttr("name"))},
		{"in a block", listed, List(inTags(MapOf(Obj{"k": a}))), List(inTags(null)), List(inTags(MapOf(Obj{"k": a}))), paths(first)},
	})
}

// TestIgnoreChangesKeepsMarks checks that each value keeps its marks, and that a value from prior
// also gets the marks of the containers around it.
func TestIgnoreChangesKeepsMarks(t *testing.T) {
	lists, maps := SchemaOf(Attr(cty.List(cty.String), "optional")), SchemaOf(Attr(cty.Map(cty.String), "optional"))
	a, x := Str("a"), Str("x")
	k, first := PathToV.Copy().IndexString("k"), PathToV.Copy().IndexInt(0)
	testIgnoreRows(t, []ignoreRow{
		{"marks of prior's value are kept", lists, List(a).Mark("p"), List(x), List(a).Mark("p"), paths(PathToV)},
		{"marks of prior's list", lists, List(a, a).Mark("p"), List(x, x), List(a.Mark("p"), x), paths(first)},
		{"marks of config's list", lists, List(a, a), List(x, x.Mark("e")).Mark("c"), List(a, x.Mark("e")).Mark("c"), paths(first)},
		{"marks of prior's map", maps, MapOf(Obj{"k": a.Mark("e")}).Mark("p"), MapOf(Obj{"l": x.Mark("c")}), MapOf(Obj{"k": a.WithMarks(cty.NewValueMarks("e", "p")), "l": x.Mark("c")}), paths(k)},
		{"marks of config's map that becomes empty", maps, cty.MapValEmpty(cty.String), MapOf(Obj{"k": x}).Mark("c"), cty.MapValEmpty(cty.String).Mark("c"), paths(k)},
		{"marks of config's null map without a new key", maps, MapOf(Obj{"l": a}), cty.NullVal(cty.Map(cty.String)).Mark("c"), cty.NullVal(cty.Map(cty.String)).Mark("c"), paths(k)},
		{"marks of a key in a path", maps, MapOf(Obj{"k": a}), MapOf(Obj{"k": x}), MapOf(Obj{"k": a}), paths(PathToV.Copy().Index(Str("k").Mark("s")))},
	})
	got, err := objchange.IgnoreChanges(Compiled(lists), ObjectOf(List(a)).Mark("p"), ObjectOf(List(x)).Mark("c"), paths(PathToV))
	ExpectValue(t, got, err, ObjectOf(List(a).Mark("p")).Mark("c"))
	got, err = objchange.IgnoreChanges(Compiled(lists), cty.NullVal(lists.ImpliedType()).Mark("p"), ObjectOf(List(x)).Mark("c"), paths(PathToV))
	ExpectValue(t, got, err, ObjectOf(List(x)).Mark("c"))
}

// TestIgnoredPartsThatDoNotFitAreRejected checks specification.md#8-invalid-input: unusable input is an
// error, never a panic.
func TestIgnoredPartsThatDoNotFitAreRejected(t *testing.T) {
	refused := func(name string, schema *configschema.Block, prior, config cty.Value, place string, ps ...cty.Path) {
		t.Run(name, func(t *testing.T) {
			got, err := objchange.IgnoreChanges(Compiled(schema), prior, config, ps)
			ExpectRefusal(t, got, err, objchange.RuleTypeMismatch, place)
		})
	}

	// Prior and config may have different types if the schema has the dynamic type, but one
	// list or map can have only one type.
	lists, maps := SchemaOf(Attr(cty.List(cty.DynamicPseudoType), "optional")), SchemaOf(Attr(cty.Map(cty.DynamicPseudoType), "optional"))
	inner := SchemaOf(Nested(configschema.NestingMap, "optional", DynAttrs))
	one, b := Num(1), Str("b")
	refused("an element that does not fit into the list", lists, ObjectOf(List(one, one)), ObjectOf(List(b, b)).Mark("m"), ".v[(sensitive)]", PathToV.Copy().IndexInt(0))
	refused("an element that does not fit into the map", maps, ObjectOf(MapOf(Obj{"k": one})), ObjectOf(MapOf(Obj{"l": b})), `.v["k"]`, PathToV.Copy().IndexString("k"))
	refused("an attribute that does not fit into the map", inner, ObjectOf(MapOf(Obj{"k": Item(NoStr, one)})), ObjectOf(MapOf(Obj{"k": Item(NoStr, b), "l": Item(NoStr, b)})),
		`.v["k"].name`, PathToV.Copy().IndexString("k").GetAttr("name"))
	testIgnoreRows(t, []ignoreRow{
		{"all elements of the list", lists, List(one), List(b), List(one), paths(PathToV.Copy().IndexInt(0))},
		{"all elements of the map", maps, MapOf(Obj{"k": one}), MapOf(Obj{"k": b}), MapOf(Obj{"k": one}), paths(PathToV.Copy().IndexString("k"))},
		{"steps without a key", lists, List(one), List(b), List(b), paths(cty.Path{nil}, cty.Path{cty.IndexStep{}}, PathToV.Copy().Index(cty.NilVal), PathToV.Copy().Index(UnknownStr), PathToV.Copy().Index(NoStr))},
	})
}

// TestIgnoreAllChanges checks specification.md#63-ignored-changes: for all, the result is the prior
// value in which every read-only attribute is null, at every depth.
func TestIgnoreAllChanges(t *testing.T) {
	testRewriteRows(t, objchange.IgnoreAllChanges, []rewriteRow{
		{"read-only: null", SchemaOf(Attr(cty.String, "computed")), Str("1"), NoStr},
		{"optional and computed: unchanged", SchemaOf(Attr(cty.String, "optional computed")), Str("1"), Str("1")},
		{"optional, unknown: unchanged", SchemaOf(Attr(cty.String, "optional")), UnknownStr, UnknownStr},
		{"read-only and dynamic: null", SchemaOf(Attr(cty.DynamicPseudoType, "computed")), Num(1), NoNum},
		{"marks stay", SchemaOf(Attr(cty.String, "computed")), Str("1").Mark("m"), NoStr.Mark("m")},
	})
	for _, mode := range BlockModes {
		full, want := Item(Str("1"), Str("a")), Item(NoStr, Str("a"))
		null := cty.NullVal(WrapTypeIn(mode, ItemType))
		t.Run(mode.String(), func(t *testing.T) {
			schema := SchemaOfBlock(Block(mode, ItemAttrs))
			testRewriteRows(t, objchange.IgnoreAllChanges, []rewriteRow{
				{"block", schema, WrapIn(mode, full), WrapIn(mode, want)},
				{"block, marked", schema, WrapIn(mode, full).Mark("m"), WrapIn(mode, want).Mark("m")},
			})
			testRewriteRows(t, objchange.IgnoreAllChanges, []rewriteRow{
				{"nested attribute", SchemaOf(Nested(mode, "optional", ItemAttrs)), WrapIn(mode, full), WrapIn(mode, want)},
				{"nested attribute that is read-only", SchemaOf(Nested(mode, "computed", ItemAttrs)), WrapIn(mode, full), null},
			})
		})
	}
	deep := SchemaOfBlock(Block(configschema.NestingList, nil, Blocks{"in": Block(configschema.NestingSet, ItemAttrs)}))
	testRewriteRows(t, objchange.IgnoreAllChanges, []rewriteRow{
		{"at depth, and elements coalesce", deep, List(Object(Obj{"in": Set(Item(Str("1"), Str("a")), Item(Str("2"), Str("a")))})), List(Object(Obj{"in": Set(Item(NoStr, Str("a")))}))},
		{"dynamic blocks", SchemaOfBlock(Block(configschema.NestingList, DynAttrs)), Tuple(Item(Str("1"), Num(1))), Tuple(Item(NoStr, Num(1)))},
	})

	schema := SchemaOf(Attr(cty.String, "computed"))
	for name, v := range map[string]cty.Value{"null": cty.NullVal(schema.ImpliedType()), "unknown": cty.UnknownVal(schema.ImpliedType())} {
		got, err := objchange.IgnoreAllChanges(Compiled(schema), v)
		t.Run(name, func(t *testing.T) { ExpectValue(t, got, err, v) })
	}
	got, err := objchange.IgnoreAllChanges(Compiled(schema), ObjectOf(Num(1)))
	ExpectRefusal(t, got, err, objchange.RuleTypeMismatch, ".v")
}

// TestIgnoreChangesNullBlocks checks that ignoring null blocks of a state puts them into the
// configuration, and so into the plan, which Core rejects.
func TestIgnoreChangesNullBlocks(t *testing.T) {
	lists := SchemaOfBlock(Block(configschema.NestingList, ItemAttrs))
	none := ObjectOf(cty.NullVal(cty.List(ItemType)))
	config, err := objchange.IgnoreChanges(Compiled(lists), none, ObjectOf(cty.ListValEmpty(ItemType)), paths(PathToV))
	if err != nil || !config.RawEquals(none) {
		t.Fatal(err, config)
	}
	proposed, err := objchange.ProposedNew(Compiled(lists), none, config)
	if err != nil {
		t.Fatal(err)
	}
	found := objchange.AssertPlanValid(Compiled(lists), none, config, proposed).Rejected()
	if len(found) != 1 || found[0].Rule != objchange.RulePlanNullBlocks {
		t.Errorf("found %v", found)
	}
}
