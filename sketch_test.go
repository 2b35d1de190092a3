package objchange_test

import (
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
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
	return schemaOfBlock(block(configschema.NestingSet, merge(l.x.Attributes, attrs{"probe": attr(probeType, "optional")}), l.x.BlockTypes))
}

func (l largeSet) elements(x func(i int) cty.Value) []cty.Value {
	return valuesOf(many, func(i int) cty.Value { return object(obj{"probe": probe, "x": x(i)}) })
}

// testLargeSets makes all checks for valid sets, counting the comparisons, and for sets in
// which one element differs.
func testLargeSets(t *testing.T, most int, rows []largeSet) {
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			schema := row.schema()
			planned, stored := row.elements(row.planned), row.elements(row.stored)
			other := object(obj{"probe": probe, "x": row.stored(many)})
			if row.other != cty.NilVal {
				other = object(obj{"probe": probe, "x": row.other})
			}
			was, now := objectOf(set(planned...)), objectOf(set(stored...))
			expectFewComparisons(t, most, func() objchange.Violations { return objchange.AssertPlanConsistent(compiled(schema), was, now) })
			expect(t, objchange.AssertPlanConsistent(compiled(schema), was, objectOf(except(stored, many/3, other))), ".v inconsistent-set-element")
			if row.configured == nil {
				return
			}
			configured := row.elements(row.configured)
			config, null := objectOf(set(configured...)), cty.NullVal(schema.ImpliedType())
			expectFewComparisons(t, most, func() objchange.Violations { return objchange.AssertPlanValid(compiled(schema), null, config, was) })
			expect(t, objchange.AssertPlanValid(compiled(schema), null, config, objectOf(except(planned, many/3, other))), ".v plan-set-element?")
			want, wantOther := stored, except(stored, many/3, configured[many/3])
			if row.fresh {
				want, wantOther = configured, set(configured...)
			}
			var got cty.Value
			var err error
			expectFewComparisons(t, most, func() objchange.Violations {
				got, err = objchange.ProposedNew(compiled(schema), now, config)
				return nil
			})
			expectValue(t, got, err, objectOf(set(want...)))
			got, err = objchange.ProposedNew(compiled(schema), objectOf(except(stored, many/3, other)), config)
			expectValue(t, got, err, objectOf(wantOther))
		})
	}
}

func expectFewComparisons(t *testing.T, most int, op func() objchange.Violations) {
	t.Helper()
	compared = 0
	found := op()
	if expect(t, found); compared > most {
		t.Errorf("%d comparisons, want %d at most", compared, most)
	}
}

// TestLargeSetsMatchInLinearTime checks that elements of large sets are matched wherever they
// differ, without comparing all pairs.
func TestLargeSetsMatchInLinearTime(t *testing.T) {
	leaf := func(ty cty.Type) configschema.Block { return oneAttr(attr(ty, "optional")) }
	ones := items(str("1"))
	rows := []largeSet{
		{name: "strings", x: leaf(cty.String), configured: numbered, planned: numbered, stored: numbered},
		{name: "numbers", x: leaf(cty.Number), configured: counted, planned: counted, stored: counted},
		{name: "fractions", x: leaf(cty.Number), configured: fractions, planned: fractions, stored: fractions},
		{name: "large numbers", x: leaf(cty.Number), configured: largeNumbers, planned: largeNumbers, stored: largeNumbers},
		{name: "objects", x: leaf(itemType), configured: ones, planned: ones, stored: ones},
		{name: "lists", x: leaf(cty.List(cty.String)), configured: lists, planned: lists, stored: lists},
		{name: "maps", x: leaf(cty.Map(cty.String)), configured: mapsOf, planned: mapsOf, stored: mapsOf},
		{name: "sets", x: leaf(cty.Set(cty.String)), configured: sets, planned: sets, stored: sets},
	}
	for _, mode := range attributeModes {
		in := func(id cty.Value) func(int) cty.Value {
			return func(i int) cty.Value { return wrapIn(mode, item(id, numbered(i))) }
		}
		below := func(id cty.Value) func(int) cty.Value {
			return func(i int) cty.Value { return object(obj{"y": in(id)(i)}) }
		}
		deep := oneBlock(block(configschema.NestingSingle, nil, blocks{"y": block(mode, itemAttrs)}))
		fresh := mode == configschema.NestingSet // the ids change the sets
		rows = append(rows,
			largeSet{name: mode.String() + " attribute", x: oneAttr(nested(mode, "optional", itemAttrs)), configured: in(noStr), planned: in(unknownStr), stored: in(str("1")), fresh: fresh},
			largeSet{name: mode.String() + " in a block", x: deep, configured: below(noStr), planned: below(unknownStr), stored: below(str("1")), fresh: fresh},
		)
	}
	testLargeSets(t, somePairs, rows)
}

// TestLargeSetsWithOpenPartsMatch checks elements that each have different unknown parts, and
// elements that differ only in parts that not all of them have.
func TestLargeSetsWithOpenPartsMatch(t *testing.T) {
	zones := attrs{"id": attr(cty.String, "computed"), "name": attr(cty.String, "optional"), "zone": attr(cty.String, "optional computed")}
	zoned := func(id, zone cty.Value) func(int) cty.Value {
		return func(i int) cty.Value {
			if i%2 == 0 {
				return rule(id, numbered(i), str("z"))
			}
			return rule(id, numbered(i), zone)
		}
	}
	ownKey := func(id cty.Value) func(int) cty.Value {
		return func(i int) cty.Value { return mapOf(obj{"k" + strconv.Itoa(i): item(id, str("a"))}) }
	}
	twoKeys := func(id cty.Value) func(int) cty.Value {
		return func(i int) cty.Value {
			return mapOf(obj{"k": item(id, numbered(i)), "l" + strconv.Itoa(i%4): item(id, str("a"))})
		}
	}
	longer := func(id cty.Value) func(int) cty.Value {
		return func(i int) cty.Value {
			return list(slices.Repeat([]cty.Value{item(id, numbered(i))}, 1+i%5)...)
		}
	}
	two := mapOf(obj{"k": item(str("1"), str("a")), "l": item(str("1"), str("a"))})
	rows := []largeSet{
		{name: "one of two is computed", x: oneBlock(block(configschema.NestingSingle, zones)),
			configured: zoned(noStr, noStr), planned: zoned(unknownStr, unknownStr), stored: zoned(str("1"), str("y"))},
	}
	for kind, x := range map[string]func(configschema.NestingMode) configschema.Block{
		"blocks": func(mode configschema.NestingMode) configschema.Block { return oneBlock(block(mode, itemAttrs)) },
		"attributes": func(mode configschema.NestingMode) configschema.Block {
			return oneAttr(nested(mode, "optional", itemAttrs))
		},
	} {
		rows = append(rows,
			largeSet{name: kind + ", each has a key of its own", x: x(configschema.NestingMap), configured: ownKey(noStr), planned: ownKey(unknownStr), stored: ownKey(str("1")), other: two},
			largeSet{name: kind + ", each has one of four keys", x: x(configschema.NestingMap), configured: twoKeys(noStr), planned: twoKeys(unknownStr), stored: twoKeys(str("1"))},
			largeSet{name: kind + ", lists of some length", x: x(configschema.NestingList), configured: longer(noStr), planned: longer(unknownStr), stored: longer(str("1"))},
		)
	}
	// The later value of an unknown element may be any value. The other elements identify it.
	strings := func(v cty.Value) func(int) cty.Value {
		return func(i int) cty.Value { return set(numbered(i), v) }
	}
	names := func(v cty.Value) func(int) cty.Value {
		return func(i int) cty.Value { return set(item(noStr, numbered(i)), item(noStr, v)) }
	}
	ids := func(v cty.Value) func(int) cty.Value {
		return func(i int) cty.Value { return set(item(numbered(i), v)) }
	}
	// One value in the row and one in the column identify the element of the grid.
	grid := func(v cty.Value) func(int) cty.Value {
		return func(i int) cty.Value {
			return object(obj{"s": set(named("row", i/16), v), "b": set(item(noStr, named("column", i%16)), item(noStr, v))})
		}
	}
	x := str("x")
	rows = append(rows,
		largeSet{name: "a row and a column", x: oneBlock(block(configschema.NestingSingle, attrs{"s": attr(cty.Set(cty.String), "optional")}, blocks{"b": block(configschema.NestingSet, itemAttrs)})),
			planned: grid(unknownStr), stored: grid(x)},
		largeSet{name: "a string of each set is unknown", x: oneAttr(attr(cty.Set(cty.String), "optional")), planned: strings(unknownStr), stored: strings(x)},
		largeSet{name: "a string of each set is unknown, and then the first", x: oneAttr(attr(cty.Set(cty.String), "optional")), planned: strings(unknownStr), stored: strings(str("a"))},
		largeSet{name: "an attribute in each set is unknown", x: oneAttr(attr(cty.Set(itemType), "optional")), planned: names(unknownStr), stored: names(x)},
		largeSet{name: "a block of each set has an unknown name", x: oneBlock(block(configschema.NestingSet, itemAttrs)), planned: names(unknownStr), stored: names(x)},
		largeSet{name: "each block has an unknown name", x: oneBlock(block(configschema.NestingSet, itemAttrs)), planned: ids(unknownStr), stored: ids(x)},
		largeSet{name: "a nested attribute of each set has an unknown name", x: oneAttr(nested(configschema.NestingSet, "optional", itemAttrs)), planned: names(unknownStr), stored: names(x)},
	)
	testLargeSets(t, many*many, rows)
}

// TestLargeSetsOfPlainValuesMatchInLinearTime checks the same for sets of values without a
// schema.
func TestLargeSetsOfPlainValuesMatchInLinearTime(t *testing.T) {
	for name, value := range map[string]func(i int) cty.Value{"objects": items(noStr), "strings": numbered, "lists": lists, "maps": mapsOf} {
		t.Run(name, func(t *testing.T) {
			elems := valuesOf(many, func(i int) cty.Value { return object(obj{"probe": probe, "x": value(i)}) })
			schema := schemaOf(attr(cty.Set(elems[0].Type()), "optional"))
			was := objectOf(set(elems...))
			expectFewComparisons(t, somePairs, func() objchange.Violations { return objchange.AssertPlanConsistent(compiled(schema), was, was) })
			other := object(obj{"probe": probe, "x": value(many)})
			expect(t, objchange.AssertPlanConsistent(compiled(schema), was, objectOf(except(elems, many/3, other))), ".v inconsistent-set-element")
		})
	}
}

func numbered(i int) cty.Value { return str("n" + strconv.Itoa(i)) }
func counted(i int) cty.Value  { return num(int64(i)) }
func fractions(i int) cty.Value {
	return cty.NumberFloatVal(float64(i) + 0.5)
}
func largeNumbers(i int) cty.Value {
	return cty.MustParseNumberVal("1" + strconv.Itoa(100+i) + "0000000000000000000000000")
}
func lists(i int) cty.Value  { return list(str("a"), numbered(i)) }
func mapsOf(i int) cty.Value { return mapOf(obj{"k": numbered(i)}) }
func sets(i int) cty.Value   { return set(str("a"), numbered(i)) }

func items(id cty.Value) func(i int) cty.Value {
	return func(i int) cty.Value { return item(id, numbered(i)) }
}

// TestMatchingRefinedUnknownsStopsAtABound checks that unknown elements with different
// refinements are compared pair by pair up to a limit. Beyond it, each remaining element counts
// as matched.
func TestMatchingRefinedUnknownsStopsAtABound(t *testing.T) {
	schema := schemaOfBlock(block(configschema.NestingSet, attrs{"probe": attr(probeType, "optional"), "x": attr(cty.String, "optional")}))
	probed := func(xs []cty.Value) cty.Value {
		return objectOf(set(valuesOf(len(xs), func(i int) cty.Value { return object(obj{"probe": probe, "x": xs[i]}) })...))
	}
	was, now := refinedUnknowns(many)
	expect(t, objchange.AssertPlanConsistent(compiled(schema), probed(was), probed(now)))
	now[0] = str("other")
	expect(t, objchange.AssertPlanConsistent(compiled(schema), probed(was), probed(now)), ".v inconsistent-set-element")
	const count = 1000
	was, now = refinedUnknowns(count)
	expectFewComparisons(t, count*count/5, func() objchange.Violations {
		return objchange.AssertPlanConsistent(compiled(schema), probed(was), probed(now))
	})
	compared = 0
	objchange.AssertPlanConsistent(compiled(schema), probed(was), probed(valuesOf(count, func(i int) cty.Value { return named("b", i) })))
	if compared > count*count/5 {
		t.Errorf("%d comparisons of elements without partners", compared)
	}
}

// refinedUnknowns returns unknown strings with different prefixes, in set order, and a known
// string for each.
func refinedUnknowns(n int) (was, now []cty.Value) {
	was = cty.SetVal(valuesOf(n, func(i int) cty.Value {
		return unknownStr.Refine().NotNull().StringPrefixFull("a" + strconv.Itoa(i) + "-").NewValue()
	})).AsValueSlice()
	return was, valuesOf(n, func(i int) cty.Value { return str(was[i].Range().StringPrefix()) })
}
