package objchange_test

import (
	"fmt"
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
		{"a list becomes unknown", nil, obj{"list": unknownList}, false},
		{"a list was unknown", obj{"list": unknownList}, obj{"list": list(x, x)}, false},
		{"a map was null", obj{"map": noMap}, obj{"map": kl(x, x)}, false},
		{"a map's keys are renamed", nil, obj{"map": mapOf(obj{"m": a, "n": b})}, false},
		{"a set becomes null", nil, obj{"set": noSet}, false},
		{"two set elements became one", obj{"set": set(a, item(str("1"), unknownStr))}, obj{"set": set(item(str("1"), str("a")))}, false},
		{"a group was unknown", obj{"group": unknownItem}, obj{"group": noItem}, false},
		{"a computed block becomes unknown", nil, obj{"own": unknownOwn}, false},
		{"all of these at once", nil, obj{"list": noList, "map": mapOf(obj{"m": a, "n": b}), "set": unknownSet}, false},
		{"a list grows", nil, obj{"list": list(a, a)}, true},
		{"a map becomes unknown", nil, obj{"map": unknownMap}, true},
		{"one key of a map is renamed, the other element changes", nil, obj{"map": mapOf(obj{"k": x, "n": b})}, true},
		{"a map shrinks", nil, obj{"map": mapOf(obj{"k": a})}, true},
		{"a set grows", nil, obj{"set": set(item(str("1"), str("a")), item(str("2"), str("a")))}, true},
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
		{"two missing", set(a, b, c), set(a), `the planned element {id = null, name = "b"} is missing`},
		{"one missing, one new", set(a, c), set(a, b), `the planned element {id = null, name = "c"} is missing; the closest returned element has name = "b"`},
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
