package objchange_test

import (
	"fmt"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
)

// TestConsistentSetElementsWithBlocks checks specification.md#113-sets: a violation that is
// not enforced does not make two set elements inconsistent. An enforced violation does.
func TestConsistentSetElementsWithBlocks(t *testing.T) {
	schema := SchemaOfBlock(Block(configschema.NestingSet, Attrs{"name": Attr(cty.String, "optional")}, Blocks{
		"list": Block(configschema.NestingList, ItemAttrs), "map": Block(configschema.NestingMap, ItemAttrs),
		"set": Block(configschema.NestingSet, ItemAttrs), "group": Block(configschema.NestingGroup, ItemAttrs), "one": Block(configschema.NestingSingle, ItemAttrs),
		"own": Computed(Block(configschema.NestingList, Attrs{"id": Attr(cty.String, "computed")})),
	}))
	a, b, x := Item(UnknownStr, Str("a")), Item(UnknownStr, Str("b")), Item(Str("9"), Str("x"))
	noList, noMap, noSet := cty.NullVal(cty.List(ItemType)), cty.NullVal(cty.Map(ItemType)), cty.NullVal(cty.Set(ItemType))
	unknownList, unknownMap, unknownSet := cty.UnknownVal(noList.Type()), cty.UnknownVal(noMap.Type()), cty.UnknownVal(noSet.Type())
	own := Object(Obj{"id": Str("1")})
	noOwn, unknownOwn := cty.NullVal(cty.List(own.Type())), cty.UnknownVal(cty.List(own.Type()))
	kl := func(v, w cty.Value) cty.Value { return MapOf(Obj{"k": v, "l": w}) }
	base := Obj{"list": List(a), "map": kl(a, b), "set": Set(a), "group": a, "one": a, "own": List(own)}
	elem := func(name string, changed Obj) cty.Value {
		return Object(merge(merge(base, changed), Obj{"name": Str(name)}))
	}
	tests := []struct {
		name     string
		was, now Obj
		apart    bool
	}{
		{"unknown values become known", nil, Obj{"list": List(Item(Str("1"), Str("a"))), "set": Set(Item(Str("1"), Str("a"))), "one": Item(Str("1"), Str("a"))}, false},
		{"a list becomes unknown", nil, Obj{"list": unknownList}, false},
		{"a list was unknown", Obj{"list": unknownList}, Obj{"list": List(x, x)}, false},
		{"a map was null", Obj{"map": noMap}, Obj{"map": kl(x, x)}, false},
		{"a map's keys are renamed", nil, Obj{"map": MapOf(Obj{"m": a, "n": b})}, false},
		{"a set becomes null", nil, Obj{"set": noSet}, false},
		{"two set elements became one", Obj{"set": Set(a, Item(Str("1"), UnknownStr))}, Obj{"set": Set(Item(Str("1"), Str("a")))}, false},
		{"a group was unknown", Obj{"group": UnknownItem}, Obj{"group": NoItem}, false},
		{"a computed block becomes unknown", nil, Obj{"own": unknownOwn}, false},
		{"all of these at once", nil, Obj{"list": noList, "map": MapOf(Obj{"m": a, "n": b}), "set": unknownSet}, false},
		{"a list grows", nil, Obj{"list": List(a, a)}, true},
		{"a map becomes unknown", nil, Obj{"map": unknownMap}, true},
		{"one key of a map is renamed, the other element changes", nil, Obj{"map": MapOf(Obj{"k": x, "n": b})}, true},
		{"a map shrinks", nil, Obj{"map": MapOf(Obj{"k": a})}, true},
		{"a set grows", nil, Obj{"set": Set(Item(Str("1"), Str("a")), Item(Str("2"), Str("a")))}, true},
		{"a single block becomes null", nil, Obj{"one": NoItem}, true},
		{"a computed block becomes null", nil, Obj{"own": noOwn}, true},
	}
	for _, test := range tests {
		for _, size := range []int{1, 20} {
			t.Run(fmt.Sprintf("%s, %d elements", test.name, size), func(t *testing.T) {
				var was, now []cty.Value
				for i := range size {
					name := fmt.Sprintf("n%02d", i)
					was = append(was, elem(name, test.was))
					now = append(now, elem(name, merge(test.was, test.now)))
				}
				found := objchange.AssertPlanConsistent(Compiled(schema), ObjectOf(Set(was...)), ObjectOf(Set(now...)))
				if test.apart {
					Expect(t, found, ".v inconsistent-set-element")
				} else {
					Expect(t, found)
				}
			})
		}
	}
}

// TestConsistentSetElementNamed checks specification.md#113-sets: the message names the
// first element of the earlier set without a partner, or else of the later set.
func TestConsistentSetElementNamed(t *testing.T) {
	schemas := map[string]*configschema.Block{
		"block":             SchemaOfBlock(Block(configschema.NestingSet, ItemAttrs)),
		"nested attribute":  SchemaOf(Nested(configschema.NestingSet, "optional", ItemAttrs)),
		"set of objects":    SchemaOf(Attr(cty.Set(ItemType), "optional")),
		"in a list of sets": SchemaOf(Attr(cty.List(cty.Set(ItemType)), "optional")),
	}
	a, b, c, d := Item(NoStr, Str("a")), Item(NoStr, Str("b")), Item(NoStr, Str("c")), Item(NoStr, Str("d"))
	tests := []struct {
		name     string
		was, now cty.Value
		named    string
	}{
		{"two missing", Set(a, b, c), Set(a), `the planned element {id = null, name = "b"} is missing`},
		{"one missing, one new", Set(a, c), Set(a, b), `the planned element {id = null, name = "c"} is missing; the closest returned element has name = "b"`},
		{"two new", Set(a), Set(a, d, c), `got an element that was not planned: {id = null, name = "c"}`},
	}
	for kind, schema := range schemas {
		for _, test := range tests {
			t.Run(kind+" "+test.name, func(t *testing.T) {
				was, now := test.was, test.now
				if kind == "in a list of sets" {
					was, now = List(was), List(now)
				}
				for _, v := range objchange.AssertPlanConsistent(Compiled(schema), ObjectOf(was), ObjectOf(now)) {
					if v.Rule == objchange.RuleInconsistentSetElement {
						if v.Message != test.named || !v.Enforced {
							t.Errorf("got %s, want %q", v, test.named)
						}
						return
					}
				}
				t.Error("no inconsistent-set-element")
			})
		}
	}
}

// TestConsistentSetElementsApartByOnePart checks that one inconsistent part makes two elements
// inconsistent, even if all later parts agree. The elements have sets with several elements.
// The order of parts varies, and many comparisons cover each order.
func TestConsistentSetElementsApartByOnePart(t *testing.T) {
	elems := Attr(cty.Set(ItemType), "optional computed")
	parts := Attrs{"name": Attr(cty.String, "computed"), "elems": elems}
	open := Set(Item(UnknownStr, Str("a")), Item(Str("1"), UnknownStr), Item(UnknownStr, UnknownStr))
	made := Set(Item(Str("1"), Str("a")), Item(Str("2"), Str("a")), Item(Str("1"), Str("b")))
	part := func(name, elems cty.Value) cty.Value { return Object(Obj{"name": name, "elems": elems}) }
	nameless := func(elems cty.Value) cty.Value { return part(NoStr, elems) }
	for _, row := range []struct {
		name string
		x    configschema.Block
		of   func(name, elems cty.Value) cty.Value // the value of x
	}{
		{"attributes of a block", oneBlock(Block(configschema.NestingSingle, parts)), part},
		{"blocks beside each other", oneBlock(Block(configschema.NestingSingle, nil, Blocks{"a": Block(configschema.NestingSingle, parts), "b": Block(configschema.NestingSingle, parts)})),
			func(name, elems cty.Value) cty.Value {
				return Object(Obj{"a": part(name, Set(Item(NoStr, NoStr))), "b": nameless(elems)})
			}},
		{"blocks of a list", oneBlock(Block(configschema.NestingList, parts)),
			func(name, elems cty.Value) cty.Value { return List(part(name, elems), nameless(elems)) }},
		{"attributes of a nested attribute", oneAttr(Nested(configschema.NestingSingle, "computed", parts)), part},
		{"attributes of an object", oneAttr(Attr(nameless(open).Type(), "computed")), part},
		{"elements of a list", oneAttr(Attr(cty.List(elems.Type), "computed")),
			func(name, elems cty.Value) cty.Value { return List(Set(Item(name, Str("x"))), elems) }},
	} {
		schema := SchemaOfBlock(Block(configschema.NestingSet, row.x.Attributes, row.x.BlockTypes))
		was := Set(Object(Obj{"x": row.of(UnknownStr.RefineNotNull(), open)}))
		t.Run(row.name, func(t *testing.T) {
			for range 32 {
				testConsistencyRows(t, []consistencyRow{
					{"as promised", schema, was, Set(Object(Obj{"x": row.of(Str("c"), made)})), nil},
					{"broken", schema, was, Set(Object(Obj{"x": row.of(NoStr, made)})), wrong(".v inconsistent-set-element")},
				})
			}
		})
	}
}
