package objchange_test

import (
	"math/big"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// A correlateRow is a row about specification.md#4-set-elements: whether the prior element p may be the
// origin of the configured element c. Both are elements of a set. The test adds a computed
// attribute to each, which is null in c and shows the origin after the merge.
type correlateRow struct {
	name string
	in   configschema.Block // the schema of the elements
	p, c obj
	want bool
}

func testCorrelateRows(t *testing.T, rows []correlateRow) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			origin := attrs{"origin": attr(cty.String, "computed")}
			in := merge(row.in.Attributes, origin)
			from := func(origin cty.Value, parts obj) cty.Value { return object(merge(parts, obj{"origin": origin})) }
			p, c := from(str("prior"), row.p), from(noStr, row.c)
			expectPair(t, "block", schemaOfBlock(block(configschema.NestingSet, in, row.in.BlockTypes)), set(p), c, row.want)
			if len(row.in.BlockTypes) == 0 {
				expectPair(t, "attribute", schemaOf(nested(configschema.NestingSet, "optional", in)), set(p), c, row.want)
			}
			// The element is below a map key, also with other elements that do not have the
			// key.
			below := schemaOfBlock(block(configschema.NestingSet, origin, blocks{"m": {Nesting: configschema.NestingMap, Block: row.in}}))
			at := func(key string, parts obj) obj { return obj{"m": mapOf(obj{key: object(parts)})} }
			p, c = from(str("prior"), at("k", row.p)), from(noStr, at("k", row.c))
			expectPair(t, "in a map", below, set(p), c, row.want)
			expectPair(t, "in a map, among others", below, set(p, from(str("other"), at("i", row.p)), from(str("other"), at("j", row.p)), from(str("other"), at("l", row.p))), c, row.want)
		})
	}
}

func expectPair(t *testing.T, what string, schema *configschema.Block, prior, c cty.Value, want bool) {
	t.Helper()
	got, err := objchange.ProposedNew(compiled(schema), objectOf(prior), objectOf(set(c)))
	if err != nil {
		t.Fatal(err)
	}
	origin := got.GetAttr("v").AsValueSlice()[0].GetAttr("origin")
	if came := !origin.IsNull(); came != want || came && origin.AsString() != "prior" {
		t.Errorf("%s: the element corresponds to prior: got %t, want %t", what, came, want)
	}
}

// oneAttr and oneBlock make the schema of elements with one attribute or block type, named x.
func oneAttr(a *configschema.Attribute) configschema.Block {
	return configschema.Block{Attributes: attrs{"x": a}}
}

func oneBlock(nb *configschema.NestedBlock) configschema.Block {
	return configschema.Block{BlockTypes: blocks{"x": nb}}
}

func partX(value cty.Value) obj { return obj{"x": value} }

func TestCorrelateAttributes(t *testing.T) {
	optional := oneAttr(attr(cty.String, "optional"))
	computedOnly := oneAttr(attr(cty.String, "computed"))
	both := oneAttr(attr(cty.String, "optional computed"))
	strings := oneAttr(attr(cty.List(cty.String), "optional computed"))
	lists := oneAttr(attr(cty.List(cty.String), "optional"))
	sets := oneAttr(attr(cty.Set(cty.String), "computed"))
	listsOfSets := oneAttr(attr(cty.List(cty.Set(cty.String)), "computed"))
	objects := oneAttr(attr(itemType, "optional"))
	computedObjects := oneAttr(attr(itemType, "optional computed"))
	noSet, noList := cty.NullVal(cty.Set(cty.String)), cty.NullVal(cty.List(cty.String))
	refined := unknownStr.RefineNotNull()
	testCorrelateRows(t, []correlateRow{
		{"equal", optional, partX(str("a")), partX(str("a")), true},
		{"both null", optional, partX(noStr), partX(noStr), true},
		{"different", optional, partX(str("a")), partX(str("b")), false},
		{"null in c, not computed", optional, partX(str("a")), partX(noStr), false},
		{"null in p", optional, partX(noStr), partX(str("a")), false},
		{"computed and null in c", computedOnly, partX(str("a")), partX(noStr), true},
		{"optional, computed and null in c", both, partX(str("a")), partX(noStr), true},
		{"optional, computed and equal", both, partX(str("a")), partX(str("a")), true},
		{"optional, computed and different", both, partX(str("a")), partX(str("b")), false},
		{"optional, computed and null in p", both, partX(noStr), partX(str("a")), false},
		{"optional, computed and unknown in c: unknown is not null", both, partX(str("a")), partX(unknownStr), false},
		{"unknown in c", optional, partX(str("a")), partX(unknownStr), false},
		{"unknown in p", optional, partX(unknownStr), partX(str("a")), false},
		{"unknown in both", optional, partX(unknownStr), partX(unknownStr), true},
		{"unknown in both, refined in one: refinements do not count", optional, partX(unknownStr), partX(refined), true},
		{"unknown in p, computed and null in c", both, partX(unknownStr), partX(noStr), true},

		{"a computed list, null in c", strings, partX(list(str("a"))), partX(noList), true},
		{"a computed list is not descended into", strings, partX(list(str("a"))), partX(list(noStr)), false},
		{"a list, null in p", lists, partX(noList), partX(list(str("a"))), false},
		{"a list, empty in p", lists, partX(cty.ListValEmpty(cty.String)), partX(list(str("a"))), false},
		{"a list, longer in c", lists, partX(list(str("a"))), partX(list(str("a"), str("b"))), false},
		{"an object is not descended into", objects, partX(item(str("1"), str("a"))), partX(item(noStr, str("a"))), false},
		{"a computed object, null in c", computedObjects, partX(item(str("1"), str("a"))), partX(noItem), true},
		{"a computed object, null inside in c", computedObjects, partX(item(str("1"), str("a"))), partX(item(noStr, noStr)), false},
		{"a computed set, null in c: c's value is of a set type", sets, partX(set(str("a"))), partX(noSet), false},
		{"a computed set, null in both: equal", sets, partX(noSet), partX(noSet), true},
		{"a computed set, the same in both", sets, partX(set(str("a"), str("b"))), partX(set(str("b"), str("a"))), true},
		{"a computed list of sets, null in c", listsOfSets, partX(list(set(str("a")))), partX(cty.NullVal(cty.List(cty.Set(cty.String)))), true},
	})
}

// TestCorrelateEqualValues checks that correlation compares values of every type, at every
// depth, without refinements.
func TestCorrelateEqualValues(t *testing.T) {
	large := cty.MustParseNumberVal("1267650600228229401496703205376") // 2 to the power of 100
	short := cty.NumberVal(new(big.Float).SetPrec(64).Set(large.AsBigFloat()))
	tenth := cty.NumberFloatVal(0.1) // has a smaller precision than the parsed number
	third := cty.MustParseNumberVal("0.333")
	refined := unknownStr.RefineNotNull()
	for _, test := range []struct {
		name        string
		value, same cty.Value // equal values: one as written, one as read back
		other       cty.Value
	}{
		{"string", str("e\u0301"), str("é"), str("e")},
		{"number", third, cty.MustParseNumberVal("0.3330"), cty.MustParseNumberVal("0.334")},
		{"bool", cty.True, cty.True, cty.False},
		{"capsule", box, box, cty.CapsuleVal(boxType, new(int))},
		{"huge number", cty.MustParseNumberVal("1e5000"), cty.MustParseNumberVal("1e5000"), cty.MustParseNumberVal("2e5000")},
		{"number of another precision", cty.MustParseNumberVal("0.1"), tenth, cty.NumberFloatVal(0.11)},
		{"list", list(str("a"), unknownStr), list(str("a"), refined), list(unknownStr, str("a"))},
		{"longer list", list(num(1)), list(num(1)), list(num(1), num(2))},
		{"set", set(num(1), num(2)), set(num(2), num(1)), set(num(1), num(3))},
		{"set with an unknown", set(str("a"), unknownStr), set(refined, str("a")), set(str("b"), unknownStr)},
		{"map", mapOf(obj{"a": unknownStr}), mapOf(obj{"a": refined}), mapOf(obj{"a": noStr})},
		{"map with another key", mapOf(obj{"a": num(1)}), mapOf(obj{"a": num(1)}), mapOf(obj{"b": num(1)})},
		{"map of null elements, with another key", mapOf(obj{"a": noStr}), mapOf(obj{"a": noStr}), mapOf(obj{"b": noStr})},
		{"whole number of another precision", large, short, large.Add(num(1))},
		{"larger map", mapOf(obj{"a": num(1)}), mapOf(obj{"a": num(1)}), mapOf(obj{"a": num(1), "b": num(1)})},
		{"tuple", tuple(num(1), unknownStr), tuple(num(1), refined), tuple(num(1), str("a"))},
		{"object", object(obj{"a": unknownStr}), object(obj{"a": refined}), object(obj{"a": str("a")})},
	} {
		schema := oneAttr(attr(test.value.Type(), "optional computed"))
		testCorrelateRows(t, []correlateRow{
			{test.name + ", equal", schema, partX(test.value), partX(test.same), true},
			{test.name + ", different", schema, partX(test.value), partX(test.other), false},
			{test.name + ", different the other way round", schema, partX(test.other), partX(test.value), false},
		})
	}
}

// TestCorrelateNested checks that nested attributes and nested blocks correlate in the same
// way. The objects have a computed id and an optional name.
func TestCorrelateNested(t *testing.T) {
	p, c, other := item(str("1"), str("a")), item(noStr, str("a")), item(noStr, str("b"))
	for _, mode := range blockModes {
		null := cty.NullVal(wrapTypeIn(mode, itemType))
		unknown := cty.UnknownVal(null.Type())
		schemas := map[string]configschema.Block{
			"block":              oneBlock(block(mode, itemAttrs)),
			"attribute":          oneAttr(nested(mode, "optional", itemAttrs)),
			"computed attribute": oneAttr(nested(mode, "optional computed", itemAttrs)),
		}
		// Sets inside an element must be equal.
		descends := mode != configschema.NestingSet
		for what, schema := range schemas {
			t.Run(mode.String()+" "+what, func(t *testing.T) {
				testCorrelateRows(t, []correlateRow{
					{"equal", schema, partX(wrapIn(mode, p)), partX(wrapIn(mode, p)), true},
					{"computed and null inside c", schema, partX(wrapIn(mode, p)), partX(wrapIn(mode, c)), descends},
					{"different inside", schema, partX(wrapIn(mode, p)), partX(wrapIn(mode, other)), false},
					{"null in both", schema, partX(null), partX(null), true},
					{"p null: c may hold anything", schema, partX(null), partX(wrapIn(mode, other)), descends},
					{"p null: c may be unknown", schema, partX(null), partX(unknown), descends},
					{"p unknown: c may hold anything", schema, partX(unknown), partX(wrapIn(mode, other)), descends},
					{"c null: p has values that c does not have", schema, partX(wrapIn(mode, p)), partX(null), false},
					{"c null: p has no values", schema, partX(wrapIn(mode, item(noStr, noStr))), partX(null), false},
					{"c unknown: its attributes are unknown, not null", schema, partX(wrapIn(mode, p)), partX(unknown), false},
					{"c unknown: its attributes are unknown, not missing", schema, partX(wrapIn(mode, item(unknownStr, unknownStr))), partX(unknown), descends},
					{"both unknown", schema, partX(unknown), partX(unknown), true},
				})
			})
		}
	}
}

// TestCorrelateObjectsThatAreNullOrEmpty checks objects that are absent in c: c then lacks all
// attributes and blocks that p has.
func TestCorrelateObjectsThatAreNullOrEmpty(t *testing.T) {
	nothing, leaf := attrs{}, attrs{"y": attr(cty.String, "computed")}
	inner := blocks{"z": block(configschema.NestingSingle, nothing)}
	for what, x := range map[string]struct {
		nb   *configschema.NestedBlock
		p    cty.Value
		want bool
	}{
		"nothing":                    {block(configschema.NestingSingle, nothing), cty.EmptyObjectVal, true},
		"an attribute":               {block(configschema.NestingSingle, leaf), object(obj{"y": noStr}), false},
		"a block":                    {block(configschema.NestingSingle, nothing, inner), object(obj{"z": cty.EmptyObjectVal}), false},
		"an attribute and a block":   {block(configschema.NestingSingle, leaf, inner), object(obj{"y": noStr, "z": cty.EmptyObjectVal}), false},
		"two attributes and a block": {block(configschema.NestingSingle, itemAttrs, inner), object(obj{"id": noStr, "name": noStr, "z": cty.EmptyObjectVal}), false},
	} {
		testCorrelateRows(t, []correlateRow{{"an object of " + what, oneBlock(x.nb), partX(x.p), partX(cty.NullVal(x.p.Type())), x.want}})
	}
}

func TestCorrelateElements(t *testing.T) {
	p, c, other := item(str("1"), str("a")), item(noStr, str("a")), item(noStr, str("b"))
	for what, in := range map[string]func(configschema.NestingMode) configschema.Block{
		"block":              func(m configschema.NestingMode) configschema.Block { return oneBlock(block(m, itemAttrs)) },
		"attribute":          func(m configschema.NestingMode) configschema.Block { return oneAttr(nested(m, "optional", itemAttrs)) },
		"computed attribute": func(m configschema.NestingMode) configschema.Block { return oneAttr(nested(m, "computed", itemAttrs)) },
	} {
		lists, maps, sets := in(configschema.NestingList), in(configschema.NestingMap), in(configschema.NestingSet)
		k := func(v cty.Value) obj { return partX(mapOf(obj{"k": v})) }
		t.Run(what, func(t *testing.T) {
			testCorrelateRows(t, []correlateRow{
				{"list, empty in p: c may hold anything", lists, partX(emptyItems), partX(list(other)), true},
				{"list, longer in c than in p", lists, partX(list(p)), partX(list(c, other)), true},
				{"list, longer in c, but different before", lists, partX(list(p)), partX(list(other, c)), false},
				{"list, shorter in c than in p", lists, partX(list(p, p)), partX(list(c)), false},
				{"list, empty in c", lists, partX(list(p)), partX(emptyItems), false},
				{"list, empty in c and null in p", lists, partX(cty.NullVal(cty.List(itemType))), partX(emptyItems), true},
				{"list, null in c and empty in p", lists, partX(emptyItems), partX(cty.NullVal(cty.List(itemType))), true},
				{"list in another order", lists, partX(list(p, item(str("2"), str("b")))), partX(list(other, c)), false},
				{"list, element null in p: c may hold anything", lists, partX(list(noItem, p)), partX(list(other, c)), true},
				{"list, element unknown in p: c may hold anything", lists, partX(list(unknownItem, p)), partX(list(other, c)), true},
				{"list, element null in c", lists, partX(list(p)), partX(list(noItem)), false},
				{"list, element unknown in c", lists, partX(list(p)), partX(list(unknownItem)), false},
				{"list, element unknown in c, all unknown in p", lists, partX(list(item(unknownStr, unknownStr))), partX(list(unknownItem)), true},
				{"list, null element in both", lists, partX(list(noItem)), partX(list(noItem)), true},

				{"map, empty in p: c may hold anything", maps, partX(cty.MapValEmpty(itemType)), k(other), true},
				{"map, key only in c", maps, k(p), partX(mapOf(obj{"k": c, "l": other})), true},
				{"map, key missing in c", maps, partX(mapOf(obj{"k": p, "l": p})), k(c), false},
				{"map, empty in c", maps, k(p), partX(cty.MapValEmpty(itemType)), false},
				{"map, key renamed", maps, k(p), partX(mapOf(obj{"l": c})), false},
				{"map, element null in p: c may hold anything", maps, k(noItem), k(other), true},
				{"map, element null in p, key missing in c", maps, k(noItem), partX(mapOf(obj{"l": other})), false},
				{"map, element null in c", maps, k(p), k(noItem), false},

				{"set, empty in p, null in c: of a set type", sets, partX(cty.SetValEmpty(itemType)), partX(cty.NullVal(cty.Set(itemType))), false},
				{"set, empty in p: of a set type", sets, partX(cty.SetValEmpty(itemType)), partX(set(c)), false},
				{"set, empty in both: equal", sets, partX(cty.SetValEmpty(itemType)), partX(cty.SetValEmpty(itemType)), true},
				{"set, the same elements: equal", sets, partX(set(p, other)), partX(set(other, p)), true},
				{"set, more in c", sets, partX(set(c)), partX(set(c, other)), false},
			})
		})
	}
}

func TestCorrelateDeep(t *testing.T) {
	inner := blocks{"list": block(configschema.NestingList, attrs{"map": nested(configschema.NestingMap, "optional", itemAttrs)})}
	schema := oneBlock(block(configschema.NestingSingle, nil, inner))
	ty := cty.Object(map[string]cty.Type{"map": cty.Map(itemType)})
	deep := func(id, name cty.Value) obj {
		return partX(object(obj{"list": list(object(obj{"map": mapOf(obj{"k": item(id, name)})}))}))
	}
	none := partX(object(obj{"list": cty.ListValEmpty(ty)}))
	empty := partX(object(obj{"list": list(object(obj{"map": cty.MapValEmpty(itemType)}))}))
	setInside := oneBlock(block(configschema.NestingList, nil, blocks{"set": block(configschema.NestingSet, itemAttrs)}))
	in := func(id cty.Value) obj { return partX(list(object(obj{"set": set(item(id, str("a")))}))) }
	testCorrelateRows(t, []correlateRow{
		{"computed and null in c", schema, deep(str("1"), str("a")), deep(noStr, str("a")), true},
		{"different", schema, deep(str("1"), str("a")), deep(noStr, str("b")), false},
		{"p with an empty outer list", schema, none, deep(noStr, str("b")), true},
		{"p with an empty inner map", schema, empty, deep(noStr, str("b")), true},
		{"c with an empty outer list", schema, deep(str("1"), str("a")), none, false},
		{"an equal inner set", setInside, in(str("1")), in(str("1")), true},
		{"an inner set that differs in a computed attribute", setInside, in(str("1")), in(noStr), false},
	})
}

// TestCorrelateTakesTheFirstThatIsLeft checks that each c, in set order, takes the first
// remaining p, in set order, that may be its origin. Set order compares objects by their first
// different attribute, by name. Strings are in byte order, and null is last.
func TestCorrelateTakesTheFirstThatIsLeft(t *testing.T) {
	schema := schemaOfBlock(block(configschema.NestingSet, attrs{
		"a": attr(cty.String, "optional computed"), "b": attr(cty.String, "optional computed"), "id": attr(cty.String, "computed"),
	}))
	el := func(a, b, id string) cty.Value {
		leaf := func(s string) cty.Value {
			if s == "" {
				return noStr
			}
			return str(s)
		}
		return object(obj{"a": leaf(a), "b": leaf(b), "id": leaf(id)})
	}
	type elems = []cty.Value // in set order
	tests := []struct {
		name                string
		prior, config, want elems
	}{
		{"the first p of two", elems{el("x", "1", "p1"), el("x", "2", "p2")}, elems{el("x", "", "")},
			elems{el("x", "1", "p1")}},
		{"the first p of two that are equal in all but the id", elems{el("x", "1", "p1"), el("x", "1", "p2")}, elems{el("x", "1", "")},
			elems{el("x", "1", "p1")}},
		{"the first p that matches, not the first of all", elems{el("w", "1", "p1"), el("x", "2", "p2"), el("x", "3", "p3")}, elems{el("x", "", "")},
			elems{el("x", "2", "p2")}},
		{"the first p, although a later p is equal", elems{el("x", "", "p1"), el("x", "", "")}, elems{el("x", "", "")},
			elems{el("x", "", "p1")}},
		{"the first of three p that differ only in attributes without configuration", elems{el("x", "1", "p1"), el("x", "2", "p2"), el("x", "3", "p3")}, elems{el("x", "", "")},
			elems{el("x", "1", "p1")}},
		{"the first c of two", elems{el("x", "1", "p1")}, elems{el("x", "1", ""), el("x", "", "")},
			elems{el("x", "1", "p1"), el("x", "", "")}},
		{"each p is used once: the second c gets the second p", elems{el("x", "1", "p1"), el("x", "2", "p2")}, elems{el("x", "2", ""), el("x", "", "")},
			elems{el("x", "1", "p1"), el("x", "2", "p2")}},
		{"the first c gets the only p that the second c matches", elems{el("x", "y", "p1"), el("x", "z", "p2")}, elems{el("x", "", ""), el("", "y", "")},
			elems{el("x", "y", "p1"), el("", "y", "")}},
		{"the second c gets the remaining p, not the best match", elems{el("x", "y", "p1"), el("x", "z", "p2")}, elems{el("x", "z", ""), el("", "z", "")},
			elems{el("", "z", ""), el("x", "z", "p2")}},
		{"a c without a match leaves all p to the next c", elems{el("x", "y", "p1")}, elems{el("w", "", ""), el("x", "", "")},
			elems{el("w", "", ""), el("x", "y", "p1")}},
		{"more c than p", elems{el("x", "1", "p1")}, elems{el("x", "1", ""), el("y", "", ""), el("z", "", "")},
			elems{el("x", "1", "p1"), el("y", "", ""), el("z", "", "")}},
		{"no p", nil, elems{el("x", "", ""), el("", "y", "")}, elems{el("x", "", ""), el("", "y", "")}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			prior := cty.SetValEmpty(el("", "", "").Type())
			if len(test.prior) > 0 {
				prior = set(test.prior...)
			}
			config := set(test.config...)
			for _, in := range [][2]elems{{prior.AsValueSlice(), test.prior}, {config.AsValueSlice(), test.config}} {
				for i, v := range in[0] {
					if !v.RawEquals(in[1][i]) {
						t.Fatalf("the row is not in set order: %#v", in[1])
					}
				}
			}
			got, err := objchange.ProposedNew(compiled(schema), objectOf(prior), objectOf(config))
			expectValue(t, got, err, objectOf(set(test.want...)))
		})
	}
}

// TestCorrelateTakesTheFirstWhateverIsOpen checks that the computed parts of each p do not
// change which p is first.
func TestCorrelateTakesTheFirstWhateverIsOpen(t *testing.T) {
	schema := schemaOfBlock(block(configschema.NestingSet, attrs{
		"a": leafAttr, "b": attr(cty.String, "computed"), "in": nested(configschema.NestingSingle, "optional", itemAttrs),
	}))
	el := func(a string, b, in cty.Value) cty.Value { return object(obj{"a": str(a), "b": b, "in": in}) }
	it := item(noStr, str("k"))
	testMergeRows(t, []mergeRow{
		{"null before an object", schema, set(el("w", str("0"), it), el("x", str("1"), noItem), el("x", str("2"), it)),
			set(el("x", noStr, it)), set(el("x", str("1"), it))},
		{"an object before null", schema, set(el("w", str("0"), noItem), el("x", str("1"), it), el("x", str("2"), noItem)),
			set(el("x", noStr, it)), set(el("x", str("1"), it))},
		{"null before an object, and then the object", schema, set(el("w", str("0"), it), el("x", str("1"), noItem), el("x", str("2"), it)),
			set(el("x", noStr, it), el("x", noStr, item(str("9"), str("l")))), set(el("x", str("1"), item(str("9"), str("l"))), el("x", str("2"), it))},
	})
}

// TestCorrelateOnlyWithinTheSamePlace checks that elements correlate only with elements of the
// prior set at the same path.
func TestCorrelateOnlyWithinTheSamePlace(t *testing.T) {
	schema := schemaOfBlock(block(configschema.NestingMap, nil, blocks{"w": block(configschema.NestingSet, itemAttrs)}))
	in := func(elems ...cty.Value) cty.Value { return object(obj{"w": set(elems...)}) }
	testMergeRows(t, []mergeRow{
		{"only in the map element with the same key", schema,
			mapOf(obj{"k": in(item(str("1"), str("a"))), "l": in(item(str("2"), str("b")))}),
			mapOf(obj{"k": in(item(noStr, str("b"))), "l": in(item(noStr, str("a")), item(noStr, str("b")))}),
			mapOf(obj{"k": in(item(noStr, str("b"))), "l": in(item(noStr, str("a")), item(str("2"), str("b")))})},
	})
}

// TestCorrelateNullAndUnknownElements checks elements that are null or unknown as a whole.
func TestCorrelateNullAndUnknownElements(t *testing.T) {
	schema := schemaOfBlock(block(configschema.NestingSet, itemAttrs))
	p, c, merged := item(str("1"), str("a")), item(noStr, str("a")), item(str("1"), str("a"))
	testMergeRows(t, []mergeRow{
		{"a null c gets nothing from a p that is not null", schema, set(p), set(c, noItem), set(merged, noItem)},
		{"an unknown c gets nothing from a p", schema, set(p), set(c, unknownItem), set(merged, unknownItem)},
		{"a null p is after the other p", schema, set(p, noItem), set(c), set(merged)},
		{"a null p has no values", schema, set(noItem), set(c), set(c)},
	})
}

// TestCorrelateByKeys checks that only the keys in p count for maps. It checks elements with
// many and with few keys.
func TestCorrelateByKeys(t *testing.T) {
	one := block(configschema.NestingSingle, itemAttrs)
	schema := schemaOfBlock(block(configschema.NestingSet, attrs{"origin": attr(cty.String, "computed")}, blocks{"m": block(configschema.NestingMap, itemAttrs), "one": one}))
	keys := func(id cty.Value, keys ...string) cty.Value {
		m := obj{}
		for _, key := range keys {
			m[key] = item(id, str(key))
		}
		return mapOf(m)
	}
	el := func(origin, m, one cty.Value) cty.Value { return object(obj{"origin": origin, "m": m, "one": one}) }
	p := func(origin string, one cty.Value, k ...string) cty.Value {
		return el(str(origin), keys(str("1"), k...), one)
	}
	c := func(one cty.Value, k ...string) cty.Value { return el(noStr, keys(noStr, k...), one) }
	there := item(noStr, str("a"))
	testMergeRows(t, []mergeRow{
		{"a key that several p have", schema, set(p("1", noItem, "a"), p("2", noItem, "b")), set(c(noItem, "a"), el(noStr, mapOf(obj{"a": item(noStr, str("x")), "b": item(noStr, str("b"))}), noItem)),
			set(p("1", noItem, "a"), el(str("2"), mapOf(obj{"a": item(noStr, str("x")), "b": item(str("1"), str("b"))}), noItem))},
		{"the second group of p with the same null parts", schema,
			set(p("1", noItem, "a"), p("2", noItem, "b"), p("3", noItem, "c"), p("4", there, "d"), p("5", there, "e"), p("6", there, "f")), set(c(there, "e")), set(p("5", there, "e"))},
		{"the first group of p with the same null parts", schema,
			set(p("1", there, "a"), p("2", there, "b"), p("3", there, "c"), p("4", noItem, "d"), p("5", noItem, "e"), p("6", noItem, "f")), set(c(there, "b")), set(p("2", there, "b"))},
		{"the key that the fewest p have", schema, set(p("1", noItem, "a", "k"), p("2", noItem, "b", "k"), p("3", noItem, "c", "k")), set(c(noItem, "b", "k")), set(p("2", noItem, "b", "k"))},
		{"p without keys", schema, set(el(str("1"), cty.MapValEmpty(itemType), there), p("2", there, "b"), p("3", there, "c"), p("4", there, "d")), set(c(there, "k")),
			set(el(str("1"), keys(noStr, "k"), there))},
	})
	// The value below an unknown block is unknown, with its keys.
	below := schemaOfBlock(block(configschema.NestingSet, attrs{"origin": attr(cty.String, "computed")}, blocks{"one": block(configschema.NestingSingle, nil, blocks{"m": block(configschema.NestingMap, itemAttrs)})}))
	in := func(origin, m cty.Value) cty.Value { return object(obj{"origin": origin, "one": m}) }
	var prior []cty.Value
	for _, key := range []string{"a", "b", "c", "d"} {
		prior = append(prior, in(str(key), object(obj{"m": mapOf(obj{key: item(unknownStr, unknownStr)})})))
	}
	unknown := cty.UnknownVal(prior[0].Type().AttributeType("one"))
	testMergeRows(t, []mergeRow{{"keys below what is unknown", below, set(prior...), set(in(noStr, unknown)), set(in(str("a"), unknown))}})
}
