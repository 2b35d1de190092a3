package objchange_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
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
			got, err := objchange.IgnoreChanges(compiled(row.schema), objectOf(row.prior), objectOf(row.config), row.paths)
			expectValue(t, got, err, objectOf(row.want))
		})
	}
}

// TestIgnoreChangesWhole checks specification.md#63-ignored-changes: with a null prior value, nothing
// is ignored.
func TestIgnoreChangesWhole(t *testing.T) {
	schema := schemaOf(attr(cty.String, "optional"))
	ty := schema.ImpliedType()
	null, unknown, a, b := cty.NullVal(ty), cty.UnknownVal(ty), objectOf(str("a")), objectOf(str("b"))
	tests := []struct {
		name                string
		prior, config, want cty.Value
		paths               []cty.Path
	}{
		{"prior an untyped null: config", noDynamic, a, a, paths(pathToV)},
		{"prior null, the whole ignored: config", null, a, a, paths(cty.Path{})},
		{"no paths: config", a, b, b, nil},
		{"the whole ignored: prior", a, b, a, paths(cty.Path{})},
		{"config null, a delete: null", a, null, null, paths(pathToV)},
		{"config an untyped unknown: unknown", a, cty.DynamicVal, unknown, paths(pathToV)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := objchange.IgnoreChanges(compiled(schema), test.prior, test.config, test.paths)
			expectValue(t, got, err, test.want)
		})
	}
}

// TestIgnoreChangesPaths checks specification.md#63-ignored-changes: each path that applies to both
// values takes the prior value.
func TestIgnoreChangesPaths(t *testing.T) {
	text, lists := schemaOf(attr(cty.String, "optional")), schemaOf(attr(cty.List(cty.String), "optional"))
	sets, any := schemaOf(attr(cty.Set(cty.String), "optional")), schemaOf(attr(cty.DynamicPseudoType, "optional"))
	a, b, c := str("a"), str("b"), str("c")
	noList := cty.NullVal(cty.List(cty.String))
	first, second := pathToV.Copy().IndexInt(0), pathToV.Copy().IndexInt(1)
	testIgnoreRows(t, []ignoreRow{
		{"prior's value", text, a, b, a, paths(pathToV)},
		{"a path that does not exist in either value", text, a, b, b, paths(cty.GetAttrPath("x"), pathToV.Copy().GetAttr("x"), first)},
		{"list index of prior only", lists, list(a, b), list(c), list(c), paths(second)},
		{"list index of config only", lists, list(a), list(c, c), list(c, c), paths(second)},
		{"list index, config null", lists, list(a), noList, noList, paths(first)},
		{"list index, config unknown", lists, list(a), cty.UnknownVal(cty.List(cty.String)), cty.UnknownVal(cty.List(cty.String)), paths(first)},
		{"list index, negative or no integer", lists, list(a), list(c), list(c), paths(pathToV.Copy().Index(num(-1)), pathToV.Copy().Index(cty.NumberFloatVal(0.5)))},
		{"string index of a list", lists, list(a, b), list(c), list(a, b), paths(pathToV.Copy().IndexString("0"))},
		{"string index of a null value in config", any, object(obj{"x": a}), noDynamic, object(obj{"x": a}), paths(pathToV.Copy().IndexString("x"))},
		{"string index of a null value in prior", any, noDynamic, object(obj{"x": a}), noDynamic, paths(pathToV.Copy().IndexString("x"))},
		{"string index of a map that was an object", any, object(obj{"x": a, "y": a}), mapOf(obj{"x": c, "y": c}), mapOf(obj{"x": a, "y": c}), paths(pathToV.Copy().IndexString("x"))},
		{"string index of an object that was a map", any, mapOf(obj{"x": a, "y": a}), object(obj{"x": c, "y": c}), mapOf(obj{"x": a, "y": a}), paths(pathToV.Copy().IndexString("x"))},
		{"string index in an object in an object", any, object(obj{"x": object(obj{"y": a, "z": a})}), object(obj{"x": object(obj{"y": c, "z": c})}), object(obj{"x": object(obj{"y": a, "z": a})}), paths(pathToV.Copy().GetAttr("x").IndexString("y"))},
		{"the same path twice", lists, list(a, b), list(c, c), list(a, c), paths(first, first)},
		{"one of several paths exists", lists, list(a), list(c, c), list(a, c), paths(second, first)},
		{"string index of a set", sets, set(a, b), set(a, c), set(a, b), paths(pathToV.Copy().Index(c))},
		{"a set element", any, set(num(1)), set(num(2)), set(num(2)), paths(pathToV.Copy().IndexInt(1), pathToV.Copy().IndexInt(2))},
		{"tuple index", any, tuple(a, num(1)), tuple(c, c), tuple(c, num(1)), paths(second)},
		{"attribute of an object that is null in one value", any, object(obj{"y": a}), object(obj{"x": c}), object(obj{"x": c}), paths(pathToV.Copy().GetAttr("x"), pathToV.Copy().GetAttr("y"))},
		{"another type of collection", any, list(a), mapOf(obj{"0": c}), mapOf(obj{"0": c}), paths(first)},
	})
}

// TestIgnoreChangesMapKeys checks specification.md#63-ignored-changes: a path that ends in a string
// index names one key of a map.
func TestIgnoreChangesMapKeys(t *testing.T) {
	maps := schemaOf(attr(cty.Map(cty.String), "optional"))
	ty := cty.Map(cty.String)
	null, unknown, none := cty.NullVal(ty), cty.UnknownVal(ty), cty.MapValEmpty(cty.String)
	a, b, x := str("a"), str("b"), str("x")
	k, l := pathToV.Copy().IndexString("k"), pathToV.Copy().IndexString("l")
	testIgnoreRows(t, []ignoreRow{
		{"changed: prior's element", maps, mapOf(obj{"k": a}), mapOf(obj{"k": x, "l": x}), mapOf(obj{"k": a, "l": x}), paths(k)},
		{"added: removed", maps, mapOf(obj{"l": b}), mapOf(obj{"k": x, "l": x}), mapOf(obj{"l": x}), paths(k)},
		{"added, the only key: empty", maps, mapOf(obj{"l": b}), mapOf(obj{"k": x}), none, paths(k)},
		{"config null: treated as empty", maps, mapOf(obj{"k": a, "l": b}), null, mapOf(obj{"k": a}), paths(k)},
		{"config null, nothing added: stays null", maps, mapOf(obj{"l": b}), null, null, paths(k)},
		{"config empty, nothing added: stays empty", maps, mapOf(obj{"l": b}), none, none, paths(k)},
		{"prior null: treated as empty", maps, null, mapOf(obj{"k": x, "l": x}), mapOf(obj{"l": x}), paths(k)},
		{"both null", maps, null, null, null, paths(k)},
		{"config unknown: unchanged", maps, mapOf(obj{"k": a}), unknown, unknown, paths(k)},
		{"prior unknown: unchanged", maps, unknown, mapOf(obj{"k": x}), mapOf(obj{"k": x}), paths(k)},
		{"several keys, from null and back", maps, mapOf(obj{"k": a}), null, mapOf(obj{"k": a}), paths(l, k, l)},
		{"a number is no key", maps, mapOf(obj{"0": a}), mapOf(obj{"0": x}), mapOf(obj{"0": x}), paths(pathToV.Copy().IndexInt(0))},
		{"an attribute is no key", maps, mapOf(obj{"k": a}), mapOf(obj{"k": x}), mapOf(obj{"k": x}), paths(pathToV.Copy().GetAttr("k"))},
	})

	// Maps of any kind, and nested maps.
	rules := schemaOf(nested(configschema.NestingMap, "optional", itemAttrs))
	listed := schemaOfBlock(block(configschema.NestingList, attrs{"tags": attr(ty, "optional")}))
	inTags := func(v cty.Value) cty.Value { return object(obj{"tags": v}) }
	noTags := cty.ListValEmpty(inTags(null).Type())
	first := pathToV.Copy().IndexInt(0).GetAttr("tags").IndexString("k")
	testIgnoreRows(t, []ignoreRow{
		{"an element of a nested attribute", rules, mapOf(obj{"k": item(noStr, a)}), cty.MapValEmpty(itemType), mapOf(obj{"k": item(noStr, a)}), paths(k)},
		{"an attribute of an element that exists in one value", rules, mapOf(obj{"k": item(noStr, a)}), mapOf(obj{"l": item(b, b)}), mapOf(obj{"l": item(b, b)}), paths(k.Copy().GetAttr("name"), l.Copy().GetAttr("name"))},
		{"in a block", listed, list(inTags(mapOf(obj{"k": a}))), list(inTags(null)), list(inTags(mapOf(obj{"k": a}))), paths(first)},
		{"in a block of prior only", listed, list(inTags(mapOf(obj{"k": x}))), noTags, noTags, paths(first)},
	})
}

func TestIgnoreChangesBlocks(t *testing.T) {
	a, b := item(str("1"), str("a")), item(noStr, str("b"))
	single, lists := schemaOfBlock(block(configschema.NestingSingle, itemAttrs)), schemaOfBlock(block(configschema.NestingList, itemAttrs))
	tuples, objects := schemaOfBlock(block(configschema.NestingList, dynAttrs)), schemaOfBlock(block(configschema.NestingMap, dynAttrs))
	testIgnoreRows(t, []ignoreRow{
		{"single, of prior only", single, a, noItem, a, paths(pathToV)},
		{"an attribute of a single block, of prior only", single, a, noItem, noItem, paths(pathToV.Copy().GetAttr("name"))},
		{"one block of a list", lists, list(a, a), list(b, b), list(b, a), paths(pathToV.Copy().IndexInt(1))},
		{"for_each unknown, one block of the list", lists, list(a), cty.UnknownVal(cty.List(itemType)), cty.UnknownVal(cty.List(itemType)), paths(pathToV.Copy().IndexInt(0).GetAttr("name"))},
		{"dynamic, one block of a list", tuples, tuple(item(noStr, num(1))), tuple(b, b), tuple(item(noStr, num(1)), b), paths(pathToV.Copy().IndexInt(0))},
		{"dynamic, of a key of prior only", objects, object(obj{"k": a}), object(obj{"l": b}), object(obj{"l": b}), paths(pathToV.Copy().GetAttr("k"))},
	})
}

// TestIgnoreChangesMarks checks that each value keeps its marks, and that a value from prior
// also gets the marks of the containers around it.
func TestIgnoreChangesMarks(t *testing.T) {
	lists, maps := schemaOf(attr(cty.List(cty.String), "optional")), schemaOf(attr(cty.Map(cty.String), "optional"))
	a, x := str("a"), str("x")
	k, first := pathToV.Copy().IndexString("k"), pathToV.Copy().IndexInt(0)
	testIgnoreRows(t, []ignoreRow{
		{"marks of prior's value are kept", lists, list(a).Mark("p"), list(x), list(a).Mark("p"), paths(pathToV)},
		{"marks of prior's list", lists, list(a, a).Mark("p"), list(x, x), list(a.Mark("p"), x), paths(first)},
		{"marks of config's list", lists, list(a, a), list(x, x.Mark("e")).Mark("c"), list(a, x.Mark("e")).Mark("c"), paths(first)},
		{"marks of prior's map", maps, mapOf(obj{"k": a.Mark("e")}).Mark("p"), mapOf(obj{"l": x.Mark("c")}), mapOf(obj{"k": a.WithMarks(cty.NewValueMarks("e", "p")), "l": x.Mark("c")}), paths(k)},
		{"marks of config's map that becomes empty", maps, cty.MapValEmpty(cty.String), mapOf(obj{"k": x}).Mark("c"), cty.MapValEmpty(cty.String).Mark("c"), paths(k)},
		{"marks of config's null map without a new key", maps, mapOf(obj{"l": a}), cty.NullVal(cty.Map(cty.String)).Mark("c"), cty.NullVal(cty.Map(cty.String)).Mark("c"), paths(k)},
		{"marks of a key in a path", maps, mapOf(obj{"k": a}), mapOf(obj{"k": x}), mapOf(obj{"k": a}), paths(pathToV.Copy().Index(str("k").Mark("s")))},
	})
	got, err := objchange.IgnoreChanges(compiled(lists), objectOf(list(a)).Mark("p"), objectOf(list(x)).Mark("c"), paths(pathToV))
	expectValue(t, got, err, objectOf(list(a).Mark("p")).Mark("c"))
	got, err = objchange.IgnoreChanges(compiled(lists), cty.NullVal(lists.ImpliedType()).Mark("p"), objectOf(list(x)).Mark("c"), paths(pathToV))
	expectValue(t, got, err, objectOf(list(x)).Mark("c"))
}

// TestIgnoredPartsThatDoNotFitAreRefused checks specification.md#8-invalid-input: unusable input is an
// error, never a panic.
func TestIgnoredPartsThatDoNotFitAreRefused(t *testing.T) {
	refused := func(name string, schema *configschema.Block, prior, config cty.Value, place string, ps ...cty.Path) {
		t.Run(name, func(t *testing.T) {
			got, err := objchange.IgnoreChanges(compiled(schema), prior, config, ps)
			expectRefusal(t, got, err, objchange.RuleTypeMismatch, place)
		})
	}

	// Prior and config may have different types if the schema has the dynamic type, but one
	// list or map can have only one type.
	lists, maps := schemaOf(attr(cty.List(cty.DynamicPseudoType), "optional")), schemaOf(attr(cty.Map(cty.DynamicPseudoType), "optional"))
	inner := schemaOf(nested(configschema.NestingMap, "optional", dynAttrs))
	one, b := num(1), str("b")
	refused("an element that does not fit into the list", lists, objectOf(list(one, one)), objectOf(list(b, b)).Mark("m"), ".v[(sensitive)]", pathToV.Copy().IndexInt(0))
	refused("an element that does not fit into the map", maps, objectOf(mapOf(obj{"k": one})), objectOf(mapOf(obj{"l": b})), `.v["k"]`, pathToV.Copy().IndexString("k"))
	refused("an attribute that does not fit into the map", inner, objectOf(mapOf(obj{"k": item(noStr, one)})), objectOf(mapOf(obj{"k": item(noStr, b), "l": item(noStr, b)})),
		`.v["k"].name`, pathToV.Copy().IndexString("k").GetAttr("name"))
	testIgnoreRows(t, []ignoreRow{
		{"all elements of the list", lists, list(one), list(b), list(one), paths(pathToV.Copy().IndexInt(0))},
		{"all elements of the map", maps, mapOf(obj{"k": one}), mapOf(obj{"k": b}), mapOf(obj{"k": one}), paths(pathToV.Copy().IndexString("k"))},
		{"steps without a key", lists, list(one), list(b), list(b), paths(cty.Path{nil}, cty.Path{cty.IndexStep{}}, pathToV.Copy().Index(cty.NilVal), pathToV.Copy().Index(unknownStr), pathToV.Copy().Index(noStr))},
	})
}

// TestIgnoreAllChanges checks specification.md#63-ignored-changes: for all, the result is the prior
// value in which every read-only attribute is null, at every depth.
func TestIgnoreAllChanges(t *testing.T) {
	testRewriteRows(t, objchange.IgnoreAllChanges, []rewriteRow{
		{"read-only: null", schemaOf(attr(cty.String, "computed")), str("1"), noStr},
		{"optional and computed: unchanged", schemaOf(attr(cty.String, "optional computed")), str("1"), str("1")},
		{"optional, unknown: unchanged", schemaOf(attr(cty.String, "optional")), unknownStr, unknownStr},
		{"read-only and dynamic: null", schemaOf(attr(cty.DynamicPseudoType, "computed")), num(1), noNum},
		{"marks stay", schemaOf(attr(cty.String, "computed")), str("1").Mark("m"), noStr.Mark("m")},
	})
	for _, mode := range blockModes {
		full, want := item(str("1"), str("a")), item(noStr, str("a"))
		null := cty.NullVal(wrapTypeIn(mode, itemType))
		t.Run(mode.String(), func(t *testing.T) {
			schema := schemaOfBlock(block(mode, itemAttrs))
			testRewriteRows(t, objchange.IgnoreAllChanges, []rewriteRow{
				{"block", schema, wrapIn(mode, full), wrapIn(mode, want)},
				{"block, marked", schema, wrapIn(mode, full).Mark("m"), wrapIn(mode, want).Mark("m")},
			})
			testRewriteRows(t, objchange.IgnoreAllChanges, []rewriteRow{
				{"nested attribute", schemaOf(nested(mode, "optional", itemAttrs)), wrapIn(mode, full), wrapIn(mode, want)},
				{"nested attribute that is read-only", schemaOf(nested(mode, "computed", itemAttrs)), wrapIn(mode, full), null},
			})
		})
	}
	deep := schemaOfBlock(block(configschema.NestingList, nil, blocks{"in": block(configschema.NestingSet, itemAttrs)}))
	testRewriteRows(t, objchange.IgnoreAllChanges, []rewriteRow{
		{"at depth, and elements coalesce", deep, list(object(obj{"in": set(item(str("1"), str("a")), item(str("2"), str("a")))})), list(object(obj{"in": set(item(noStr, str("a")))}))},
		{"dynamic blocks", schemaOfBlock(block(configschema.NestingList, dynAttrs)), tuple(item(str("1"), num(1))), tuple(item(noStr, num(1)))},
	})

	schema := schemaOf(attr(cty.String, "computed"))
	for name, v := range map[string]cty.Value{"null": cty.NullVal(schema.ImpliedType()), "unknown": cty.UnknownVal(schema.ImpliedType())} {
		got, err := objchange.IgnoreAllChanges(compiled(schema), v)
		t.Run(name, func(t *testing.T) { expectValue(t, got, err, v) })
	}
	got, err := objchange.IgnoreAllChanges(compiled(schema), objectOf(num(1)))
	expectRefusal(t, got, err, objchange.RuleTypeMismatch, ".v")
}

// TestIgnoreChangesNullBlocks checks that ignoring null blocks of a state puts them into the
// configuration, and so into the plan, which Core rejects.
func TestIgnoreChangesNullBlocks(t *testing.T) {
	lists := schemaOfBlock(block(configschema.NestingList, itemAttrs))
	none := objectOf(cty.NullVal(cty.List(itemType)))
	config, err := objchange.IgnoreChanges(compiled(lists), none, objectOf(cty.ListValEmpty(itemType)), paths(pathToV))
	if err != nil || !config.RawEquals(none) {
		t.Fatal(err, config)
	}
	proposed, err := objchange.ProposedNew(compiled(lists), none, config)
	if err != nil {
		t.Fatal(err)
	}
	found := objchange.AssertPlanValid(compiled(lists), none, config, proposed).Enforced()
	if len(found) != 1 || found[0].Rule != objchange.RulePlanNullBlocks {
		t.Errorf("found %v", found)
	}
}
