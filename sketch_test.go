package objchange_test

import (
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
)

// probeType is a capsule type whose values are all equal. Each element of a large set contains
// one. The number of comparisons of these values shows how often elements are compared.
var (
	compared  int
	probeType = cty.CapsuleWithOps("probe", reflect.TypeFor[int](), &cty.CapsuleOps{
		Equals:    func(a, b any) cty.Value { return cty.True },
		RawEquals: func(a, b any) bool { compared++; return true },
		HashKey:   func(any) string { return "" },
	})
	probe = cty.CapsuleVal(probeType, new(int))
)

// A largeSet is a row about sets with many elements that differ in x: the functions return x of
// element i in the configuration, the plan and the new state.
type largeSet struct {
	name                        string
	x                           configschema.Block
	configured, planned, stored func(i int) cty.Value
	fresh                       bool      // no values from the prior state are proposed
	other                       cty.Value // a value of no element, if it is not the next value
}

const many = 128

// somePairs limits the number of comparisons. It allows cty to sort sets, and is far below the
// number of all pairs.
const somePairs = many * many / 5

func (l largeSet) schema() *configschema.Block {
	return SchemaOfBlock(Block(configschema.NestingSet, merge(l.x.Attributes, Attrs{"probe": Attr(probeType, "optional")}), l.x.BlockTypes))
}

func (l largeSet) elements(x func(i int) cty.Value) []cty.Value {
	return valuesOf(many, func(i int) cty.Value { return Object(Obj{"probe": probe, "x": x(i)}) })
}

// testLargeSets makes all checks for valid sets, counting the comparisons, and for sets in
// which one element differs.
func testLargeSets(t *testing.T, most int, rows []largeSet) {
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			schema := row.schema()
			planned, stored := row.elements(row.planned), row.elements(row.stored)
			other := Object(Obj{"probe": probe, "x": row.stored(many)})
			if row.other != cty.NilVal {
				other = Object(Obj{"probe": probe, "x": row.other})
			}
			was, now := ObjectOf(Set(planned...)), ObjectOf(Set(stored...))
			expectFewComparisons(t, most, func() objchange.Violations { return objchange.AssertPlanConsistent(Compiled(schema), was, now) })
			Expect(t, objchange.AssertPlanConsistent(Compiled(schema), was, ObjectOf(except(stored, many/3, other))), ".v inconsistent-set-element")
			if row.configured == nil {
				return
			}
			configured := row.elements(row.configured)
			config, null := ObjectOf(Set(configured...)), cty.NullVal(schema.ImpliedType())
			expectFewComparisons(t, most, func() objchange.Violations { return objchange.AssertPlanValid(Compiled(schema), null, config, was) })
			Expect(t, objchange.AssertPlanValid(Compiled(schema), null, config, ObjectOf(except(planned, many/3, other))), ".v plan-set-element?")
			want, wantOther := stored, except(stored, many/3, configured[many/3])
			if row.fresh {
				want, wantOther = configured, Set(configured...)
			}
			var got cty.Value
			var err error
			expectFewComparisons(t, most, func() objchange.Violations {
				got, err = objchange.ProposedNew(Compiled(schema), now, config)
				return nil
			})
			ExpectValue(t, got, err, ObjectOf(Set(want...)))
			got, err = objchange.ProposedNew(Compiled(schema), ObjectOf(except(stored, many/3, other)), config)
			ExpectValue(t, got, err, ObjectOf(wantOther))
		})
	}
}

func expectFewComparisons(t *testing.T, most int, op func() objchange.Violations) {
	t.Helper()
	compared = 0
	found := op()
	if Expect(t, found); compared > most {
		t.Errorf("%d comparisons, want %d at most", compared, most)
	}
}

// TestLargeSetsMatchInLinearTime checks that elements of large sets are matched wherever they
// differ, without comparing all pairs.
func TestLargeSetsMatchInLinearTime(t *testing.T) {
	leaf := func(ty cty.Type) configschema.Block { return oneAttr(Attr(ty, "optional")) }
	ones := items(Str("1"))
	rows := []largeSet{
		{name: "strings", x: leaf(cty.String), configured: numbered, planned: numbered, stored: numbered},
		{name: "numbers", x: leaf(cty.Number), configured: counted, planned: counted, stored: counted},
		{name: "fractions", x: leaf(cty.Number), configured: fractions, planned: fractions, stored: fractions},
		{name: "large numbers", x: leaf(cty.Number), configured: largeNumbers, planned: largeNumbers, stored: largeNumbers},
		{name: "objects", x: leaf(ItemType), configured: ones, planned: ones, stored: ones},
		{name: "lists", x: leaf(cty.List(cty.String)), configured: lists, planned: lists, stored: lists},
		{name: "maps", x: leaf(cty.Map(cty.String)), configured: mapsOf, planned: mapsOf, stored: mapsOf},
		{name: "sets", x: leaf(cty.Set(cty.String)), configured: sets, planned: sets, stored: sets},
	}
	for _, mode := range AttributeModes {
		in := func(id cty.Value) func(int) cty.Value {
			return func(i int) cty.Value { return WrapIn(mode, Item(id, numbered(i))) }
		}
		below := func(id cty.Value) func(int) cty.Value {
			return func(i int) cty.Value { return Object(Obj{"y": in(id)(i)}) }
		}
		deep := oneBlock(Block(configschema.NestingSingle, nil, Blocks{"y": Block(mode, ItemAttrs)}))
		fresh := mode == configschema.NestingSet // the ids change the sets
		rows = append(rows,
			largeSet{name: mode.String() + " attribute", x: oneAttr(Nested(mode, "optional", ItemAttrs)), configured: in(NoStr), planned: in(UnknownStr), stored: in(Str("1")), fresh: fresh},
			largeSet{name: mode.String() + " in a block", x: deep, configured: below(NoStr), planned: below(UnknownStr), stored: below(Str("1")), fresh: fresh},
		)
	}
	testLargeSets(t, somePairs, rows)
}

// TestLargeSetsWithOpenPartsMatch checks elements that each have different unknown parts, and
// elements that differ only in parts that not all of them have.
func TestLargeSetsWithOpenPartsMatch(t *testing.T) {
	zones := Attrs{"id": Attr(cty.String, "computed"), "name": Attr(cty.String, "optional"), "zone": Attr(cty.String, "optional computed")}
	zoned := func(id, zone cty.Value) func(int) cty.Value {
		return func(i int) cty.Value {
			if i%2 == 0 {
				return rule(id, numbered(i), Str("z"))
			}
			return rule(id, numbered(i), zone)
		}
	}
	ownKey := func(id cty.Value) func(int) cty.Value {
		return func(i int) cty.Value { return MapOf(Obj{"k" + strconv.Itoa(i): Item(id, Str("a"))}) }
	}
	twoKeys := func(id cty.Value) func(int) cty.Value {
		return func(i int) cty.Value {
			return MapOf(Obj{"k": Item(id, numbered(i)), "l" + strconv.Itoa(i%4): Item(id, Str("a"))})
		}
	}
	longer := func(id cty.Value) func(int) cty.Value {
		return func(i int) cty.Value {
			return List(slices.Repeat([]cty.Value{Item(id, numbered(i))}, 1+i%5)...)
		}
	}
	two := MapOf(Obj{"k": Item(Str("1"), Str("a")), "l": Item(Str("1"), Str("a"))})
	rows := []largeSet{
		{name: "one of two is computed", x: oneBlock(Block(configschema.NestingSingle, zones)),
			configured: zoned(NoStr, NoStr), planned: zoned(UnknownStr, UnknownStr), stored: zoned(Str("1"), Str("y"))},
	}
	for kind, x := range map[string]func(configschema.NestingMode) configschema.Block{
		"blocks": func(mode configschema.NestingMode) configschema.Block { return oneBlock(Block(mode, ItemAttrs)) },
		"attributes": func(mode configschema.NestingMode) configschema.Block {
			return oneAttr(Nested(mode, "optional", ItemAttrs))
		},
	} {
		rows = append(rows,
			largeSet{name: kind + ", each has a key of its own", x: x(configschema.NestingMap), configured: ownKey(NoStr), planned: ownKey(UnknownStr), stored: ownKey(Str("1")), other: two},
			largeSet{name: kind + ", each has one of four keys", x: x(configschema.NestingMap), configured: twoKeys(NoStr), planned: twoKeys(UnknownStr), stored: twoKeys(Str("1"))},
			largeSet{name: kind + ", lists of some length", x: x(configschema.NestingList), configured: longer(NoStr), planned: longer(UnknownStr), stored: longer(Str("1"))},
		)
	}
	// The later value of an unknown element may be any value. The other elements identify it.
	strings := func(v cty.Value) func(int) cty.Value {
		return func(i int) cty.Value { return Set(numbered(i), v) }
	}
	names := func(v cty.Value) func(int) cty.Value {
		return func(i int) cty.Value { return Set(Item(NoStr, numbered(i)), Item(NoStr, v)) }
	}
	ids := func(v cty.Value) func(int) cty.Value {
		return func(i int) cty.Value { return Set(Item(numbered(i), v)) }
	}
	// One value in the row and one in the column identify the element of the grid.
	grid := func(v cty.Value) func(int) cty.Value {
		return func(i int) cty.Value {
			return Object(Obj{"s": Set(named("row", i/16), v), "b": Set(Item(NoStr, named("column", i%16)), Item(NoStr, v))})
		}
	}
	x := Str("x")
	rows = append(rows,
		largeSet{name: "a row and a column", x: oneBlock(Block(configschema.NestingSingle, Attrs{"s": Attr(cty.Set(cty.String), "optional")}, Blocks{"b": Block(configschema.NestingSet, ItemAttrs)})),
			planned: grid(UnknownStr), stored: grid(x)},
		largeSet{name: "a string of each set is unknown", x: oneAttr(Attr(cty.Set(cty.String), "optional")), planned: strings(UnknownStr), stored: strings(x)},
		largeSet{name: "a string of each set is unknown, and then the first", x: oneAttr(Attr(cty.Set(cty.String), "optional")), planned: strings(UnknownStr), stored: strings(Str("a"))},
		largeSet{name: "an attribute in each set is unknown", x: oneAttr(Attr(cty.Set(ItemType), "optional")), planned: names(UnknownStr), stored: names(x)},
		largeSet{name: "a block of each set has an unknown name", x: oneBlock(Block(configschema.NestingSet, ItemAttrs)), planned: names(UnknownStr), stored: names(x)},
		largeSet{name: "each block has an unknown name", x: oneBlock(Block(configschema.NestingSet, ItemAttrs)), planned: ids(UnknownStr), stored: ids(x)},
		largeSet{name: "a nested attribute of each set has an unknown name", x: oneAttr(Nested(configschema.NestingSet, "optional", ItemAttrs)), planned: names(UnknownStr), stored: names(x)},
	)
	testLargeSets(t, many*many, rows)
}

// TestLargeSetsOfPlainValuesMatchInLinearTime checks the same for sets of values without a
// schema.
func TestLargeSetsOfPlainValuesMatchInLinearTime(t *testing.T) {
	for name, value := range map[string]func(i int) cty.Value{"objects": items(NoStr), "strings": numbered, "lists": lists, "maps": mapsOf} {
		t.Run(name, func(t *testing.T) {
			elems := valuesOf(many, func(i int) cty.Value { return Object(Obj{"probe": probe, "x": value(i)}) })
			schema := SchemaOf(Attr(cty.Set(elems[0].Type()), "optional"))
			was := ObjectOf(Set(elems...))
			expectFewComparisons(t, somePairs, func() objchange.Violations { return objchange.AssertPlanConsistent(Compiled(schema), was, was) })
			other := Object(Obj{"probe": probe, "x": value(many)})
			Expect(t, objchange.AssertPlanConsistent(Compiled(schema), was, ObjectOf(except(elems, many/3, other))), ".v inconsistent-set-element")
		})
	}
}

func numbered(i int) cty.Value { return Str("n" + strconv.Itoa(i)) }
func counted(i int) cty.Value  { return Num(int64(i)) }
func fractions(i int) cty.Value {
	return cty.NumberFloatVal(float64(i) + 0.5)
}
func largeNumbers(i int) cty.Value {
	return cty.MustParseNumberVal("1" + strconv.Itoa(100+i) + "0000000000000000000000000")
}
func lists(i int) cty.Value  { return List(Str("a"), numbered(i)) }
func mapsOf(i int) cty.Value { return MapOf(Obj{"k": numbered(i)}) }
func sets(i int) cty.Value   { return Set(Str("a"), numbered(i)) }

func items(id cty.Value) func(i int) cty.Value {
	return func(i int) cty.Value { return Item(id, numbered(i)) }
}

// TestMatchingRefinedUnknownsStopsAtABound checks that unknown elements with different
// refinements are compared pair by pair up to a limit. Beyond it, each remaining element counts
// as matched.
func TestMatchingRefinedUnknownsStopsAtABound(t *testing.T) {
	schema := SchemaOfBlock(Block(configschema.NestingSet, Attrs{"probe": Attr(probeType, "optional"), "x": Attr(cty.String, "optional")}))
	probed := func(xs []cty.Value) cty.Value {
		return ObjectOf(Set(valuesOf(len(xs), func(i int) cty.Value { return Object(Obj{"probe": probe, "x": xs[i]}) })...))
	}
	was, now := refinedUnknowns(many)
	Expect(t, objchange.AssertPlanConsistent(Compiled(schema), probed(was), probed(now)))
	now[0] = Str("other")
	Expect(t, objchange.AssertPlanConsistent(Compiled(schema), probed(was), probed(now)), ".v inconsistent-set-element")
	const count = 500 // 250 000 pairs, of which 100 000 may be compared
	was, now = refinedUnknowns(count)
	expectFewComparisons(t, count*count/2, func() objchange.Violations {
		return objchange.AssertPlanConsistent(Compiled(schema), probed(was), probed(now))
	})
	compared = 0
	objchange.AssertPlanConsistent(Compiled(schema), probed(was), probed(valuesOf(count, func(i int) cty.Value { return named("b", i) })))
	if compared > count*count/2 {
		t.Errorf("%d comparisons of elements without partners", compared)
	}
}

// refinedUnknowns returns unknown strings with different prefixes, in set order, and a known
// string for each.
func refinedUnknowns(n int) (was, now []cty.Value) {
	was = cty.SetVal(valuesOf(n, func(i int) cty.Value {
		return UnknownStr.Refine().NotNull().StringPrefixFull("a" + strconv.Itoa(i) + "-").NewValue()
	})).AsValueSlice()
	return was, valuesOf(n, func(i int) cty.Value { return Str(was[i].Range().StringPrefix()) })
}
