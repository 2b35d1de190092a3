package objchange_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// TestConsistentSetElementsWithBlocks checks specification.md#113-sets: a violation that is
// not enforced does not make two set elements inconsistent. An enforced violation does.
func TestConsistentSetElementsWithBlocks(t *testing.T) {
	schema := schemaOfBlock(block(configschema.NestingSet, attrs{"name": attr(cty.String, "optional")}, blocks{
		"list": block(configschema.NestingList, itemAttrs), "map": block(configschema.NestingMap, itemAttrs),
		"set": block(configschema.NestingSet, itemAttrs), "group": block(configschema.NestingGroup, itemAttrs), "one": block(configschema.NestingSingle, itemAttrs),
		"own": computed(block(configschema.NestingList, attrs{"id": attr(cty.String, "computed")})),
	}))
	a, b, x := item(unknownStr, str("a")), item(unknownStr, str("b")), item(str("9"), str("x"))
	noList, noMap, noSet := cty.NullVal(cty.List(itemType)), cty.NullVal(cty.Map(itemType)), cty.NullVal(cty.Set(itemType))
	unknownList, unknownMap, unknownSet := cty.UnknownVal(noList.Type()), cty.UnknownVal(noMap.Type()), cty.UnknownVal(noSet.Type())
	own := object(obj{"id": str("1")})
	noOwn, unknownOwn := cty.NullVal(cty.List(own.Type())), cty.UnknownVal(cty.List(own.Type()))
	kl := func(v, w cty.Value) cty.Value { return mapOf(obj{"k": v, "l": w}) }
	base := obj{"list": list(a), "map": kl(a, b), "set": set(a), "group": a, "one": a, "own": list(own)}
	elem := func(name string, changed obj) cty.Value {
		return object(merge(merge(base, changed), obj{"name": str(name)}))
	}
	tests := []struct {
		name     string
		was, now obj
		apart    bool
	}{
		{"unknown values become known", nil, obj{"list": list(item(str("1"), str("a"))), "set": set(item(str("1"), str("a"))), "one": item(str("1"), str("a"))}, false},
		{"a list becomes null", nil, obj{"list": noList}, false},
		{"a list becomes unknown", nil, obj{"list": unknownList}, false},
		{"a list was null", obj{"list": noList}, obj{"list": list(x)}, false},
		{"a list was unknown", obj{"list": unknownList}, obj{"list": list(x, x)}, false},
		{"a map becomes null", nil, obj{"map": noMap}, false},
		{"a map was null", obj{"map": noMap}, obj{"map": kl(x, x)}, false},
		{"a map was unknown", obj{"map": unknownMap}, obj{"map": kl(x, x)}, false},
		{"a map's keys are renamed", nil, obj{"map": mapOf(obj{"m": a, "n": b})}, false},
		{"one key of a map is renamed", nil, obj{"map": mapOf(obj{"k": a, "n": x})}, false},
		{"a set becomes null", nil, obj{"set": noSet}, false},
		{"a set becomes unknown", nil, obj{"set": unknownSet}, false},
		{"a set was null", obj{"set": noSet}, obj{"set": set(x)}, false},
		{"two set elements became one", obj{"set": set(a, item(str("1"), unknownStr))}, obj{"set": set(item(str("1"), str("a")))}, false},
		{"a group was unknown", obj{"group": unknownItem}, obj{"group": noItem}, false},
		{"a single block was unknown", obj{"one": unknownItem}, obj{"one": noItem}, false},
		{"a computed block was unknown", obj{"own": unknownOwn}, nil, false},
		{"a computed block becomes unknown", nil, obj{"own": unknownOwn}, false},
		{"all of these at once", nil, obj{"list": noList, "map": mapOf(obj{"m": a, "n": b}), "set": unknownSet}, false},

		{"a list changes", nil, obj{"list": list(x)}, true},
		{"a list grows", nil, obj{"list": list(a, a)}, true},
		{"a map becomes unknown", nil, obj{"map": unknownMap}, true},
		{"a map changes", nil, obj{"map": kl(a, x)}, true},
		{"one key of a map is renamed, the other element changes", nil, obj{"map": mapOf(obj{"k": x, "n": b})}, true},
		{"a map shrinks", nil, obj{"map": mapOf(obj{"k": a})}, true},
		{"a set changes", nil, obj{"set": set(x)}, true},
		{"a set grows", nil, obj{"set": set(item(str("1"), str("a")), item(str("2"), str("a")))}, true},
		{"a group becomes null", nil, obj{"group": noItem}, true},
		{"a single block becomes null", nil, obj{"one": noItem}, true},
		{"a computed block becomes null", nil, obj{"own": noOwn}, true},
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
				found := objchange.AssertPlanConsistent(compiled(schema), objectOf(set(was...)), objectOf(set(now...)))
				if test.apart {
					expect(t, found, ".v inconsistent-set-element")
				} else {
					expect(t, found)
				}
			})
		}
	}
}

// TestConsistentSetOfMixedElements checks elements with unknown values in different attributes.
func TestConsistentSetOfMixedElements(t *testing.T) {
	schema := schemaOfBlock(block(configschema.NestingSet, attrs{"name": attr(cty.String, "optional"), "id": attr(cty.String, "computed")}, blocks{
		"map": block(configschema.NestingMap, itemAttrs), "list": block(configschema.NestingList, itemAttrs)}))
	full := func(name, id cty.Value, key string, blocks cty.Value) cty.Value {
		return object(obj{"name": name, "id": id, "map": mapOf(obj{key: item(noStr, name)}), "list": blocks})
	}
	const n = 100
	var was, now []cty.Value
	for i := range n {
		name := str(fmt.Sprintf("n%02d", i))
		blocks, later := list(item(noStr, name)), list(item(noStr, name))
		switch i % 3 {
		case 1:
			later = cty.NullVal(blocks.Type())
		case 2:
			blocks, later = list(item(unknownStr, name)), list(item(name, name))
		}
		was = append(was, full(name, unknownStr, "k", blocks))
		now = append(now, full(name, name, fmt.Sprintf("key%d", i%4), later))
	}
	expect(t, objchange.AssertPlanConsistent(compiled(schema), objectOf(set(was...)), objectOf(set(now...))))
	changed := slices.Clone(now)
	changed[50] = full(str("x"), str("x"), "k", list(item(noStr, str("x"))))
	found := objchange.AssertPlanConsistent(compiled(schema), objectOf(set(was...)), objectOf(set(changed...)))
	expect(t, found, ".v inconsistent-set-element")
}

// TestConsistentSetElementNamed checks specification.md#113-sets: the message names the
// first element of the earlier set without a partner, or else of the later set.
func TestConsistentSetElementNamed(t *testing.T) {
	schemas := map[string]*configschema.Block{
		"block":             schemaOfBlock(block(configschema.NestingSet, itemAttrs)),
		"nested attribute":  schemaOf(nested(configschema.NestingSet, "optional", itemAttrs)),
		"set of objects":    schemaOf(attr(cty.Set(itemType), "optional")),
		"in a list of sets": schemaOf(attr(cty.List(cty.Set(itemType)), "optional")),
	}
	a, b, c, d := item(noStr, str("a")), item(noStr, str("b")), item(noStr, str("c")), item(noStr, str("d"))
	tests := []struct {
		name     string
		was, now cty.Value
		named    string
	}{
		{"one missing", set(a, b), set(a), `the planned element {id = null, name = "b"} is missing`},
		{"two missing", set(a, b, c), set(a), `the planned element {id = null, name = "b"} is missing`},
		{"one missing, one new", set(a, c), set(a, b), `the planned element {id = null, name = "c"} is missing; the closest returned element has name = "b"`},
		{"new", set(a), set(a, b), `got an element that was not planned: {id = null, name = "b"}`},
		{"two new", set(a), set(a, d, c), `got an element that was not planned: {id = null, name = "c"}`},
	}
	for kind, schema := range schemas {
		for _, test := range tests {
			t.Run(kind+" "+test.name, func(t *testing.T) {
				was, now := test.was, test.now
				if kind == "in a list of sets" {
					was, now = list(was), list(now)
				}
				for _, v := range objchange.AssertPlanConsistent(compiled(schema), objectOf(was), objectOf(now)) {
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

// TestConsistentSetElementsByKeys checks elements with maps of blocks. Their keys may change,
// so neither different keys nor their order make two elements inconsistent.
func TestConsistentSetElementsByKeys(t *testing.T) {
	schema := schemaOfBlock(block(configschema.NestingSet, attrs{"zone": attr(cty.String, "computed")}, blocks{"m": block(configschema.NestingMap, itemAttrs)}))
	el := func(zone cty.Value, keys ...string) cty.Value {
		m := obj{}
		for _, key := range keys {
			key, name, _ := strings.Cut(key, "=")
			m[key] = item(noStr, str(name))
		}
		return object(obj{"zone": zone, "m": mapOf(m)})
	}
	z := str("z")
	testConsistencyRows(t, []consistencyRow{
		{"all keys change", schema, set(el(z, "a"), el(z, "b"), el(z, "c"), el(z, "d")), set(el(z, "e"), el(z, "f"), el(z, "g"), el(z, "h")), nil},
		{"one element with another name under its key", schema, set(el(z, "a=1"), el(z, "a=2"), el(z, "a=3")), set(el(z, "a=1"), el(z, "a=2"), el(z, "a=4")), wrong(".v inconsistent-set-element")},
		{"one more element, with another name under its key", schema, set(el(z, "a=1")), set(el(z, "a=1"), el(z, "a=2")), wrong(".v inconsistent-count", ".v inconsistent-set-element")},
		{"two elements that match the first element", schema, set(el(unknownStr, "a=1"), el(z, "a=2"), el(z, "a=3"), el(z, "a=4")),
			set(el(str("x"), "a=1"), el(str("y"), "a=1"), el(z, "a=2"), el(z, "a=3"), el(z, "a=4")), wrong(".v inconsistent-count")},
		{"one more element for one of three unknown zones", schema,
			set(el(unknownStr, "a=1"), el(unknownStr, "a=2"), el(unknownStr, "a=3"), el(z, "a=4"), el(z, "a=5"), el(z, "a=6")),
			set(el(str("x"), "a=1"), el(str("y"), "a=1"), el(str("x"), "a=2"), el(str("x"), "a=3"), el(z, "a=4"), el(z, "a=5"), el(z, "a=6")), wrong(".v inconsistent-count")},
	})
	// One element may have two possible earlier elements with different unknown parts.
	parts := schemaOfBlock(block(configschema.NestingSet, attrs{"size": attr(cty.String, "computed"), "zone": attr(cty.String, "computed")}, blocks{"m": block(configschema.NestingMap, itemAttrs)}))
	var was, now []cty.Value
	for _, name := range []string{"1", "2", "3"} {
		of := func(size, zone cty.Value) cty.Value {
			return object(obj{"size": size, "zone": zone, "m": mapOf(obj{"a": item(noStr, str(name))})})
		}
		was = append(was, of(str("s"), unknownStr), of(unknownStr, z))
		if now = append(now, of(str("s"), str("x")), of(str("r"), z)); name == "1" {
			now = append(now, of(str("s"), z))
		}
	}
	testConsistencyRows(t, []consistencyRow{{"one element that matches two planned elements", parts, set(was...), set(now...), wrong(".v inconsistent-count")}})
	// A known value in a final set may have been unknown in the initial set.
	inner := schemaOfBlock(block(configschema.NestingSet, nil, blocks{"b": block(configschema.NestingSet, itemAttrs)}))
	was, now = nil, nil
	for _, name := range []string{"n", "o", "p"} {
		of := func(elems ...cty.Value) cty.Value { return object(obj{"b": set(elems...)}) }
		was = append(was, of(item(unknownStr, str(name)), unknownItem))
		if now = append(now, of(item(str("1"), str(name)), item(str("2"), str(name)))); name == "n" {
			now = append(now, of(item(str("1"), str(name)), unknownItem))
		}
	}
	testConsistencyRows(t, []consistencyRow{{"one set of two still has an unknown", inner, set(was...), set(now...), wrong(".v inconsistent-count")}})
	rules := setKinds["block"]
	testConsistencyRows(t, []consistencyRow{
		{"three elements that match one planned element", rules, set(rule(unknownStr, str("a"), z)), set(rule(str("1"), str("a"), z), rule(str("2"), str("a"), z), rule(str("3"), str("a"), z)), wrong(".v inconsistent-count")},
		{"three elements, one of them not planned", rules, set(rule(unknownStr, str("a"), z), rule(str("2"), str("a"), str("y")), rule(str("3"), str("b"), z)),
			set(rule(str("1"), str("a"), z), rule(str("2"), str("a"), str("x")), rule(str("3"), str("b"), z)), wrong(".v inconsistent-set-element")},
	})
	// The elements have a map of blocks, in which a block may be null below a key of one
	// element.
	one := schemaOfBlock(block(configschema.NestingSet, nil, blocks{"m": block(configschema.NestingMap, nil, blocks{"one": block(configschema.NestingSingle, itemAttrs)})}))
	k := func(one cty.Value) cty.Value { return set(object(obj{"m": mapOf(obj{"k": object(obj{"one": one})})})) }
	testConsistencyRows(t, []consistencyRow{
		{"below a key: unchanged", one, k(item(noStr, str("a"))), k(item(noStr, str("a"))), nil},
		{"below a key: becomes null", one, k(item(noStr, str("a"))), k(noItem), wrong(".v inconsistent-set-element")},
		{"below a key: was null", one, k(noItem), k(item(noStr, str("a"))), wrong(".v inconsistent-set-element")},
	})
	// Sets are inside maps and maps inside sets. Values inside them must be compared only at
	// their own place.
	t.Run("deeper", func(t *testing.T) {
		tags := attrs{"t": attr(cty.Set(cty.String), "optional")}
		maps := blocks{"m": block(configschema.NestingMap, tags)}
		deep := schemaOfBlock(block(configschema.NestingSet, nil, blocks{"b": block(configschema.NestingSet, tags, maps)}))
		below := schemaOfBlock(block(configschema.NestingSet, nil, maps))
		var inSets, inSetsAfter, certain, certainAfter, inKeys, inKeysAfter []cty.Value
		for _, key := range []string{"a", "b", "c", "d"} {
			of := func(key string, v cty.Value) cty.Value { return mapOf(obj{key: object(obj{"t": set(str("tag"), v)})}) }
			b := func(key string, v cty.Value) cty.Value {
				return object(obj{"b": set(object(obj{"t": set(str(key), v), "m": of(key, v)}))})
			}
			inSets, inSetsAfter = append(inSets, b(key, unknownStr)), append(inSetsAfter, object(obj{"b": set(object(obj{"t": set(str(key), str("x")), "m": of("z", str("x"))}))}))
			open := func(v cty.Value) cty.Value { return object(obj{"t": set(v), "m": of("o", str("x"))}) }
			known := func(k string) cty.Value { return object(obj{"t": set(str(key)), "m": of(k, str("x"))}) }
			certain, certainAfter = append(certain, object(obj{"b": set(known(key), open(unknownStr))})), append(certainAfter, object(obj{"b": set(known("z"), open(str("x")))}))
			inKeys, inKeysAfter = append(inKeys, object(obj{"m": of(key, unknownStr)})), append(inKeysAfter, object(obj{"m": mapOf(obj{key + "2": object(obj{"t": set(str(key))})})}))
		}
		testConsistencyRows(t, []consistencyRow{
			{"in sets", deep, set(inSets...), set(inSetsAfter...), nil},
			{"in sets, one element known", deep, set(certain...), set(certainAfter...), nil},
			{"below keys", below, set(inKeys...), set(inKeysAfter...), nil},
		})
	})
	// In a set inside an element, one element became equal to another.
	in := schemaOfBlock(block(configschema.NestingSet, nil, blocks{"b": block(configschema.NestingSet, itemAttrs)}))
	with := func(elems ...cty.Value) cty.Value { return set(object(obj{"b": set(elems...)})) }
	a1, b2 := item(str("1"), str("a")), item(str("2"), str("b"))
	testConsistencyRows(t, []consistencyRow{
		{"one of three elements became equal to another", in, with(a1, b2, item(unknownStr, str("a"))), with(a1, b2), nil},
	})
}

// TestConsistentSetElementsApartByOnePart checks that one inconsistent part makes two elements
// inconsistent, even if all later parts agree. The elements have sets with several elements.
// The order of parts varies, and many comparisons cover each order.
func TestConsistentSetElementsApartByOnePart(t *testing.T) {
	elems := attr(cty.Set(itemType), "optional computed")
	parts := attrs{"name": attr(cty.String, "computed"), "elems": elems}
	open := set(item(unknownStr, str("a")), item(str("1"), unknownStr), item(unknownStr, unknownStr))
	made := set(item(str("1"), str("a")), item(str("2"), str("a")), item(str("1"), str("b")))
	part := func(name, elems cty.Value) cty.Value { return object(obj{"name": name, "elems": elems}) }
	nameless := func(elems cty.Value) cty.Value { return part(noStr, elems) }
	for _, row := range []struct {
		name string
		x    configschema.Block
		of   func(name, elems cty.Value) cty.Value // the value of x
	}{
		{"attributes of a block", oneBlock(block(configschema.NestingSingle, parts)), part},
		{"blocks beside each other", oneBlock(block(configschema.NestingSingle, nil, blocks{"a": block(configschema.NestingSingle, parts), "b": block(configschema.NestingSingle, parts)})),
			func(name, elems cty.Value) cty.Value {
				return object(obj{"a": part(name, set(item(noStr, noStr))), "b": nameless(elems)})
			}},
		{"blocks of a list", oneBlock(block(configschema.NestingList, parts)),
			func(name, elems cty.Value) cty.Value { return list(part(name, elems), nameless(elems)) }},
		{"attributes of a nested attribute", oneAttr(nested(configschema.NestingSingle, "computed", parts)), part},
		{"attributes of an object", oneAttr(attr(nameless(open).Type(), "computed")), part},
		{"elements of a list", oneAttr(attr(cty.List(elems.Type), "computed")),
			func(name, elems cty.Value) cty.Value { return list(set(item(name, str("x"))), elems) }},
	} {
		schema := schemaOfBlock(block(configschema.NestingSet, row.x.Attributes, row.x.BlockTypes))
		was := set(object(obj{"x": row.of(unknownStr.RefineNotNull(), open)}))
		t.Run(row.name, func(t *testing.T) {
			for range 32 {
				testConsistencyRows(t, []consistencyRow{
					{"as promised", schema, was, set(object(obj{"x": row.of(str("c"), made)})), nil},
					{"broken", schema, was, set(object(obj{"x": row.of(noStr, made)})), wrong(".v inconsistent-set-element")},
				})
			}
		})
	}
}

// TestConsistentSetElementsWithUnknownParts checks that an unknown value may become any value
// with any content, and does not identify an element.
func TestConsistentSetElementsWithUnknownParts(t *testing.T) {
	for name, was := range map[string]cty.Value{
		"list": list(str("a"), str("b")), "tuple": tuple(str("a"), num(1)), "set": set(str("a"), str("b")),
		"map": mapOf(obj{"k": str("a"), "l": str("b")}), "object": item(str("1"), str("a")),
	} {
		for kind, part := range map[string]func(v cty.Value) cty.Value{
			"part":               func(v cty.Value) cty.Value { return object(obj{"x": v}) },
			"element":            func(v cty.Value) cty.Value { return object(obj{"x": set(v)}) },
			"part of an element": func(v cty.Value) cty.Value { return object(obj{"x": set(object(obj{"y": v}))}) },
		} {
			of := schemaOf(attr(cty.Set(part(was).Type()), "computed"))
			testConsistencyRows(t, []consistencyRow{{name + " as " + kind, of, set(part(cty.UnknownVal(was.Type()))), set(part(was)), nil}})
		}
	}
}
