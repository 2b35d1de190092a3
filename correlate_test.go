package objchange_test

import (
	"math/big"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
)

// oneAttr and oneBlock make the schema of elements with one attribute or block type, named x.
func oneAttr(a *configschema.Attribute) configschema.Block {
	return configschema.Block{Attributes: Attrs{"x": a}}
}

func oneBlock(nb *configschema.NestedBlock) configschema.Block {
	return configschema.Block{BlockTypes: Blocks{"x": nb}}
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
		schema := SchemaOfBlock(Block(configschema.NestingSet, Attrs{"id": ComputedLeaf, "x": Attr(test.value.Type(), "optional computed")}))
		in := func(id, x cty.Value) cty.Value { return Set(Object(Obj{"id": id, "x": x})) }
		testMergeRows(t, []mergeRow{
			{test.name + ", equal", schema, in(Str("1"), test.value), in(NoStr, test.same), in(Str("1"), test.same)},
			{test.name + ", different", schema, in(Str("1"), test.value), in(NoStr, test.other), in(NoStr, test.other)},
			{test.name + ", different the other way round", schema, in(Str("1"), test.other), in(NoStr, test.value), in(NoStr, test.value)},
		})
	}
}

// TestElementsCorrelateInSetOrder checks that each c, in set order, takes the first remaining p, in
// set order, that may be its origin. Set order compares objects by their first different attribute,
// by name. Strings are in byte order, and null is last.
func TestElementsCorrelateInSetOrder(t *testing.T) {
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
