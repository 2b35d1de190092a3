package objchange_test

import (
	"math/big"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
)

// A correlateRow is a row about specification.md#4-set-elements: whether the prior element p may be the
// origin of the configured element c. Both are elements of a set. The test adds a computed
// attribute to each, which is null in c and shows the origin after the merge.
type correlateRow struct {
	name string
	in   configschema.Block // the schema of the elements
	p, c Obj
	want bool
}

func testCorrelateRows(t *testing.T, rows []correlateRow) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			origin := Attrs{"origin": Attr(cty.String, "computed")}
			in := merge(row.in.Attributes, origin)
			from := func(origin cty.Value, parts Obj) cty.Value { return Object(merge(parts, Obj{"origin": origin})) }
			p, c := from(Str("prior"), row.p), from(NoStr, row.c)
			expectPair(t, "block", SchemaOfBlock(Block(configschema.NestingSet, in, row.in.BlockTypes)), Set(p), c, row.want)
			if len(row.in.BlockTypes) == 0 {
				expectPair(t, "attribute", SchemaOf(Nested(configschema.NestingSet, "optional", in)), Set(p), c, row.want)
			}
			// The element is below a map key, also with other elements that do not have the
			// key.
			below := SchemaOfBlock(Block(configschema.NestingSet, origin, Blocks{"m": {Nesting: configschema.NestingMap, Block: row.in}}))
			at := func(key string, parts Obj) Obj { return Obj{"m": MapOf(Obj{key: Object(parts)})} }
			p, c = from(Str("prior"), at("k", row.p)), from(NoStr, at("k", row.c))
			expectPair(t, "in a map", below, Set(p), c, row.want)
			expectPair(t, "in a map, among others", below, Set(p, from(Str("other"), at("i", row.p)), from(Str("other"), at("j", row.p)), from(Str("other"), at("l", row.p))), c, row.want)
		})
	}
}

func expectPair(t *testing.T, what string, schema *configschema.Block, prior, c cty.Value, want bool) {
	t.Helper()
	got, err := objchange.ProposedNew(Compiled(schema), ObjectOf(prior), ObjectOf(Set(c)))
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
	return configschema.Block{Attributes: Attrs{"x": a}}
}

func oneBlock(nb *configschema.NestedBlock) configschema.Block {
	return configschema.Block{BlockTypes: Blocks{"x": nb}}
}

func partX(value cty.Value) Obj { return Obj{"x": value} }

func TestCorrelateAttributes(t *testing.T) {
	optional := oneAttr(Attr(cty.String, "optional"))
	both := oneAttr(Attr(cty.String, "optional computed"))
	strings := oneAttr(Attr(cty.List(cty.String), "optional computed"))
	lists := oneAttr(Attr(cty.List(cty.String), "optional"))
	sets := oneAttr(Attr(cty.Set(cty.String), "computed"))
	listsOfSets := oneAttr(Attr(cty.List(cty.Set(cty.String)), "computed"))
	computedObjects := oneAttr(Attr(ItemType, "optional computed"))
	noSet := cty.NullVal(cty.Set(cty.String))
	refined := UnknownStr.RefineNotNull()
	testCorrelateRows(t, []correlateRow{
		{"null in c, not computed", optional, partX(Str("a")), partX(NoStr), false},
		{"optional, computed and null in c", both, partX(Str("a")), partX(NoStr), true},
		{"optional, computed and null in p", both, partX(NoStr), partX(Str("a")), false},
		{"optional, computed and unknown in c: unknown is not null", both, partX(Str("a")), partX(UnknownStr), false},
		{"unknown in both, refined in one: refinements do not count", optional, partX(UnknownStr), partX(refined), true},
		{"a computed list is not descended into", strings, partX(List(Str("a"))), partX(List(NoStr)), false},
		{"a list, longer in c", lists, partX(List(Str("a"))), partX(List(Str("a"), Str("b"))), false},
		{"a computed object, null inside in c", computedObjects, partX(Item(Str("1"), Str("a"))), partX(Item(NoStr, NoStr)), false},
		{"a computed set, null in c: c's value is of a set type", sets, partX(Set(Str("a"))), partX(noSet), false},
		{"a computed set, the same in both", sets, partX(Set(Str("a"), Str("b"))), partX(Set(Str("b"), Str("a"))), true},
		{"a computed list of sets, null in c", listsOfSets, partX(List(Set(Str("a")))), partX(cty.NullVal(cty.List(cty.Set(cty.String)))), true},
	})
}

// TestCorrelateEqualValues checks that correlation compares values of every type, at every
// depth, without refinements.
func TestCorrelateEqualValues(t *testing.T) {
	large := cty.MustParseNumberVal("1267650600228229401496703205376") // 2 to the power of 100
	short := cty.NumberVal(new(big.Float).SetPrec(64).Set(large.AsBigFloat()))
	tenth := cty.NumberFloatVal(0.1) // has a smaller precision than the parsed number
	third := cty.MustParseNumberVal("0.333")
	refined := UnknownStr.RefineNotNull()
	for _, test := range []struct {
		name        string
		value, same cty.Value // equal values: one as written, one as read back
		other       cty.Value
	}{
		{"string", Str("e\u0301"), Str("é"), Str("e")},
		{"number", third, cty.MustParseNumberVal("0.3330"), cty.MustParseNumberVal("0.334")},
		{"capsule", Box, Box, cty.CapsuleVal(BoxType, new(int))},
		{"huge number", cty.MustParseNumberVal("1e5000"), cty.MustParseNumberVal("1e5000"), cty.MustParseNumberVal("2e5000")},
		{"number of another precision", cty.MustParseNumberVal("0.1"), tenth, cty.NumberFloatVal(0.11)},
		{"list", List(Str("a"), UnknownStr), List(Str("a"), refined), List(UnknownStr, Str("a"))},
		{"set with an unknown", Set(Str("a"), UnknownStr), Set(refined, Str("a")), Set(Str("b"), UnknownStr)},
		{"map of null elements, with another key", MapOf(Obj{"a": NoStr}), MapOf(Obj{"a": NoStr}), MapOf(Obj{"b": NoStr})},
		{"whole number of another precision", large, short, large.Add(Num(1))},
		{"larger map", MapOf(Obj{"a": Num(1)}), MapOf(Obj{"a": Num(1)}), MapOf(Obj{"a": Num(1), "b": Num(1)})},
		{"object", Object(Obj{"a": UnknownStr}), Object(Obj{"a": refined}), Object(Obj{"a": Str("a")})},
	} {
		schema := oneAttr(Attr(test.value.Type(), "optional computed"))
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
	nothing, leaf := Attrs{}, Attrs{"y": Attr(cty.String, "computed")}
	inner := Blocks{"z": Block(configschema.NestingSingle, nothing)}
	for what, x := range map[string]struct {
		nb   *configschema.NestedBlock
		p    cty.Value
		want bool
	}{
		"nothing":                    {Block(configschema.NestingSingle, nothing), cty.EmptyObjectVal, true},
		"an attribute":               {Block(configschema.NestingSingle, leaf), Object(Obj{"y": NoStr}), false},
		"a block":                    {Block(configschema.NestingSingle, nothing, inner), Object(Obj{"z": cty.EmptyObjectVal}), false},
		"an attribute and a block":   {Block(configschema.NestingSingle, leaf, inner), Object(Obj{"y": NoStr, "z": cty.EmptyObjectVal}), false},
		"two attributes and a block": {Block(configschema.NestingSingle, ItemAttrs, inner), Object(Obj{"id": NoStr, "name": NoStr, "z": cty.EmptyObjectVal}), false},
	} {
		testCorrelateRows(t, []correlateRow{{"an object of " + what, oneBlock(x.nb), partX(x.p), partX(cty.NullVal(x.p.Type())), x.want}})
	}
}

func TestCorrelateElements(t *testing.T) {
	p, c, other := Item(Str("1"), Str("a")), Item(NoStr, Str("a")), Item(NoStr, Str("b"))
	for what, in := range map[string]func(configschema.NestingMode) configschema.Block{
		"block":              func(m configschema.NestingMode) configschema.Block { return oneBlock(Block(m, ItemAttrs)) },
		"attribute":          func(m configschema.NestingMode) configschema.Block { return oneAttr(Nested(m, "optional", ItemAttrs)) },
		"computed attribute": func(m configschema.NestingMode) configschema.Block { return oneAttr(Nested(m, "computed", ItemAttrs)) },
	} {
		lists, maps, sets := in(configschema.NestingList), in(configschema.NestingMap), in(configschema.NestingSet)
		k := func(v cty.Value) Obj { return partX(MapOf(Obj{"k": v})) }
		t.Run(what, func(t *testing.T) {
			testCorrelateRows(t, []correlateRow{
				{"list, longer in c, but different before", lists, partX(List(p)), partX(List(other, c)), false},
				{"list, shorter in c than in p", lists, partX(List(p, p)), partX(List(c)), false},
				{"list, empty in c and null in p", lists, partX(cty.NullVal(cty.List(ItemType))), partX(EmptyItems), true},
				{"list, element null in p: c may hold anything", lists, partX(List(NoItem, p)), partX(List(other, c)), true},
				{"list, element unknown in c, all unknown in p", lists, partX(List(Item(UnknownStr, UnknownStr))), partX(List(UnknownItem)), true},
				{"list, null element in both", lists, partX(List(NoItem)), partX(List(NoItem)), true},

				{"map, key only in c", maps, k(p), partX(MapOf(Obj{"k": c, "l": other})), true},
				{"map, element null in p, key missing in c", maps, k(NoItem), partX(MapOf(Obj{"l": other})), false},
				{"map, element null in c", maps, k(p), k(NoItem), false},

				{"set, empty in p: of a set type", sets, partX(cty.SetValEmpty(ItemType)), partX(Set(c)), false},
				{"set, the same elements: equal", sets, partX(Set(p, other)), partX(Set(other, p)), true},
			})
		})
	}
}

// TestCorrelateTakesTheFirstThatIsLeft checks that each c, in set order, takes the first
// remaining p, in set order, that may be its origin. Set order compares objects by their first
// different attribute, by name. Strings are in byte order, and null is last.
func TestCorrelateTakesTheFirstThatIsLeft(t *testing.T) {
	schema := SchemaOfBlock(Block(configschema.NestingSet, Attrs{
		"a": Attr(cty.String, "optional computed"), "b": Attr(cty.String, "optional computed"), "id": Attr(cty.String, "computed"),
	}))
	el := func(a, b, id string) cty.Value {
		leaf := func(s string) cty.Value {
			if s == "" {
				return NoStr
			}
			return Str(s)
		}
		return Object(Obj{"a": leaf(a), "b": leaf(b), "id": leaf(id)})
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
				prior = Set(test.prior...)
			}
			config := Set(test.config...)
			for _, in := range [][2]elems{{prior.AsValueSlice(), test.prior}} {
				for i, v := range in[0] {
					if !v.RawEquals(in[1][i]) {
						t.Fatalf("the row is not in set order: %#v", in[1])
					}
				}
			}
			got, err := objchange.ProposedNew(Compiled(schema), ObjectOf(prior), ObjectOf(config))
			ExpectValue(t, got, err, ObjectOf(Set(test.want...)))
		})
	}
}

// TestCorrelateNullAndUnknownElements checks elements that are null or unknown as a whole.
func TestCorrelateNullAndUnknownElements(t *testing.T) {
	schema := SchemaOfBlock(Block(configschema.NestingSet, ItemAttrs))
	p, c, merged := Item(Str("1"), Str("a")), Item(NoStr, Str("a")), Item(Str("1"), Str("a"))
	testMergeRows(t, []mergeRow{
		{"an unknown c gets nothing from a p", schema, Set(p), Set(c, UnknownItem), Set(merged, UnknownItem)},
		{"a null p has no values", schema, Set(NoItem), Set(c), Set(c)},
	})
}
