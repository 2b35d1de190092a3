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
	both := oneAttr(attr(cty.String, "optional computed"))
	strings := oneAttr(attr(cty.List(cty.String), "optional computed"))
	lists := oneAttr(attr(cty.List(cty.String), "optional"))
	sets := oneAttr(attr(cty.Set(cty.String), "computed"))
	listsOfSets := oneAttr(attr(cty.List(cty.Set(cty.String)), "computed"))
	computedObjects := oneAttr(attr(itemType, "optional computed"))
	noSet := cty.NullVal(cty.Set(cty.String))
	refined := unknownStr.RefineNotNull()
	testCorrelateRows(t, []correlateRow{
		{"null in c, not computed", optional, partX(str("a")), partX(noStr), false},
		{"optional, computed and null in c", both, partX(str("a")), partX(noStr), true},
		{"optional, computed and null in p", both, partX(noStr), partX(str("a")), false},
		{"optional, computed and unknown in c: unknown is not null", both, partX(str("a")), partX(unknownStr), false},
		{"unknown in both, refined in one: refinements do not count", optional, partX(unknownStr), partX(refined), true},
		{"a computed list is not descended into", strings, partX(list(str("a"))), partX(list(noStr)), false},
		{"a list, longer in c", lists, partX(list(str("a"))), partX(list(str("a"), str("b"))), false},
		{"a computed object, null inside in c", computedObjects, partX(item(str("1"), str("a"))), partX(item(noStr, noStr)), false},
		{"a computed set, null in c: c's value is of a set type", sets, partX(set(str("a"))), partX(noSet), false},
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
		{"capsule", box, box, cty.CapsuleVal(boxType, new(int))},
		{"huge number", cty.MustParseNumberVal("1e5000"), cty.MustParseNumberVal("1e5000"), cty.MustParseNumberVal("2e5000")},
		{"number of another precision", cty.MustParseNumberVal("0.1"), tenth, cty.NumberFloatVal(0.11)},
		{"list", list(str("a"), unknownStr), list(str("a"), refined), list(unknownStr, str("a"))},
		{"set with an unknown", set(str("a"), unknownStr), set(refined, str("a")), set(str("b"), unknownStr)},
		{"map of null elements, with another key", mapOf(obj{"a": noStr}), mapOf(obj{"a": noStr}), mapOf(obj{"b": noStr})},
		{"whole number of another precision", large, short, large.Add(num(1))},
		{"larger map", mapOf(obj{"a": num(1)}), mapOf(obj{"a": num(1)}), mapOf(obj{"a": num(1), "b": num(1)})},
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
				{"list, longer in c, but different before", lists, partX(list(p)), partX(list(other, c)), false},
				{"list, shorter in c than in p", lists, partX(list(p, p)), partX(list(c)), false},
				{"list, empty in c and null in p", lists, partX(cty.NullVal(cty.List(itemType))), partX(emptyItems), true},
				{"list, element null in p: c may hold anything", lists, partX(list(noItem, p)), partX(list(other, c)), true},
				{"list, element unknown in c, all unknown in p", lists, partX(list(item(unknownStr, unknownStr))), partX(list(unknownItem)), true},
				{"list, null element in both", lists, partX(list(noItem)), partX(list(noItem)), true},

				{"map, key only in c", maps, k(p), partX(mapOf(obj{"k": c, "l": other})), true},
				{"map, element null in p, key missing in c", maps, k(noItem), partX(mapOf(obj{"l": other})), false},
				{"map, element null in c", maps, k(p), k(noItem), false},

				{"set, empty in p: of a set type", sets, partX(cty.SetValEmpty(itemType)), partX(set(c)), false},
				{"set, the same elements: equal", sets, partX(set(p, other)), partX(set(other, p)), true},
			})
		})
	}
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
		{"the first p, although a later p is equal", elems{el("x", "", "p1"), el("x", "", "")}, elems{el("x", "", "")},
			elems{el("x", "", "p1")}},
		{"the first of three p that differ only in attributes without configuration", elems{el("x", "1", "p1"), el("x", "2", "p2"), el("x", "3", "p3")}, elems{el("x", "", "")},
			elems{el("x", "1", "p1")}},
		{"each p is used once: the second c gets the second p", elems{el("x", "1", "p1"), el("x", "2", "p2")}, elems{el("x", "2", ""), el("x", "", "")},
			elems{el("x", "1", "p1"), el("x", "2", "p2")}},
		{"the second c gets the remaining p, not the best match", elems{el("x", "y", "p1"), el("x", "z", "p2")}, elems{el("x", "z", ""), el("", "z", "")},
			elems{el("", "z", ""), el("x", "z", "p2")}},
		{"a c without a match leaves all p to the next c", elems{el("x", "y", "p1")}, elems{el("w", "", ""), el("x", "", "")},
			elems{el("w", "", ""), el("x", "y", "p1")}},
		{"more c than p", elems{el("x", "1", "p1")}, elems{el("x", "1", ""), el("y", "", ""), el("z", "", "")},
			elems{el("x", "1", "p1"), el("y", "", ""), el("z", "", "")}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			prior := cty.SetValEmpty(el("", "", "").Type())
			if len(test.prior) > 0 {
				prior = set(test.prior...)
			}
			config := set(test.config...)
			for _, in := range [][2]elems{{prior.AsValueSlice(), test.prior}} {
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

// TestCorrelateNullAndUnknownElements checks elements that are null or unknown as a whole.
func TestCorrelateNullAndUnknownElements(t *testing.T) {
	schema := schemaOfBlock(block(configschema.NestingSet, itemAttrs))
	p, c, merged := item(str("1"), str("a")), item(noStr, str("a")), item(str("1"), str("a"))
	testMergeRows(t, []mergeRow{
		{"an unknown c gets nothing from a p", schema, set(p), set(c, unknownItem), set(merged, unknownItem)},
		{"a null p has no values", schema, set(noItem), set(c), set(c)},
	})
}
