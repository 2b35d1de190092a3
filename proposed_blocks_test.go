package objchange_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// semantics.md#proposed-blocks.
func TestProposedNewBlocks(t *testing.T) {
	single := schemaOfBlock(block(configschema.NestingSingle, itemAttrs))
	group := schemaOfBlock(block(configschema.NestingGroup, itemAttrs))
	lists := schemaOfBlock(block(configschema.NestingList, itemAttrs))
	maps := schemaOfBlock(block(configschema.NestingMap, itemAttrs))
	sets := schemaOfBlock(block(configschema.NestingSet, itemAttrs))
	c, p, merged := item(noStr, str("c")), item(str("1"), str("p")), item(str("1"), str("c"))
	tracked := item(unknownStr, str("c"))
	k := func(v cty.Value) cty.Value { return mapOf(obj{"k": v}) }
	for _, mode := range blockModes {
		schema := schemaOfBlock(block(mode, itemAttrs))
		null := cty.NullVal(typeHeldIn(mode, itemType))
		unknown := cty.UnknownVal(null.Type())
		t.Run(mode.String(), func(t *testing.T) {
			testMergings(t, []merging{
				{"config unknown: unknown", schema, heldIn(mode, p), unknown, unknown},
				{"config unknown, prior null: unknown", schema, null, unknown, unknown},
				{"config null: null", schema, heldIn(mode, p), null, null},
				{"prior null: nothing is computed yet", schema, null, heldIn(mode, c), heldIn(mode, c)},
			})
		})
	}
	testMergings(t, []merging{
		{"single: merged", single, p, c, merged},
		{"single, prior unknown: merged with unknown", single, unknownItem, c, tracked},
		{"group: merged", group, p, c, merged},
		{"group, config empty: merged", group, p, item(noStr, noStr), item(str("1"), noStr)},
		{"group, prior unknown: merged with unknown", group, unknownItem, c, tracked},
		{"group in group", schemaOfBlock(block(configschema.NestingGroup, nil, blocks{"w": block(configschema.NestingGroup, itemAttrs)})),
			object(obj{"w": p}), object(obj{"w": c}), object(obj{"w": merged})},

		{"list, config empty", lists, list(p), emptyItems, emptyItems},
		{"list: merged per index", lists, list(p, item(str("2"), str("q"))), list(c, item(noStr, str("d"))), list(merged, item(str("2"), str("d")))},
		{"list longer than prior: surplus without prior", lists, list(p), list(c, c), list(merged, c)},
		{"list shorter than prior: prior's surplus goes", lists, list(p, p), list(c), list(merged)},
		{"list, prior unknown: merged with unknown", lists, cty.UnknownVal(cty.List(itemType)), list(c), list(tracked)},
		{"list, element null in prior: without prior", lists, list(noItem), list(c), list(c)},
		{"list, element unknown in prior: merged with unknown", lists, list(unknownItem), list(c), list(tracked)},
		{"list, element null: null", lists, list(p), list(noItem), list(noItem)},
		{"list, element unknown as a whole: stays unknown", lists, list(p), list(unknownItem), list(unknownItem)},
		{"list, element unknown as a whole, without prior: stays unknown", lists, emptyItems, list(unknownItem), list(unknownItem)},
		{"list, element unknown as a whole, prior unknown: stays unknown", lists, cty.UnknownVal(cty.List(itemType)), list(unknownItem), list(unknownItem)},
		{"list, element unknown as a whole beside others", lists, list(p, p), list(c, unknownItem), list(merged, unknownItem)},

		{"map, config empty", maps, k(p), cty.MapValEmpty(itemType), cty.MapValEmpty(itemType)},
		{"map: merged per key", maps, mapOf(obj{"k": p, "l": item(str("2"), str("q"))}), mapOf(obj{"l": item(noStr, str("d")), "k": c}), mapOf(obj{"k": merged, "l": item(str("2"), str("d"))})},
		{"map, key not in prior: without prior", maps, k(p), mapOf(obj{"k": c, "l": c}), mapOf(obj{"k": merged, "l": c})},
		{"map, key only in prior: it goes", maps, mapOf(obj{"k": p, "l": p}), k(c), k(merged)},
		{"map, prior unknown: merged with unknown", maps, cty.UnknownVal(cty.Map(itemType)), k(c), k(tracked)},
		{"map, element null: null", maps, k(p), k(noItem), k(noItem)},
		{"map, element unknown as a whole: stays unknown", maps, k(p), k(unknownItem), k(unknownItem)},
		{"map, element unknown as a whole, without prior: stays unknown", maps, mapOf(obj{"l": p}), k(unknownItem), k(unknownItem)},

		{"set, config empty", sets, set(p), cty.SetValEmpty(itemType), cty.SetValEmpty(itemType)},
		{"set: merged with what it came from", sets, set(item(str("1"), str("a")), item(str("2"), str("b"))), set(item(noStr, str("b")), item(noStr, str("c"))), set(item(str("2"), str("b")), item(noStr, str("c")))},
		{"set, no correlation: without prior", sets, set(p), set(c), set(c)},
		{"set, prior unknown: without prior", sets, cty.UnknownVal(cty.Set(itemType)), set(c), set(c)},
		{"set, element null: null", sets, set(p), set(noItem), set(noItem)},
		{"set, element unknown as a whole: stays unknown", sets, set(p), set(unknownItem), set(unknownItem)},
	})
}

// A computed block is proposed like any other.
func TestProposedNewComputedBlocks(t *testing.T) {
	p := heldIn(configschema.NestingList, object(obj{"id": str("1")}))
	schema := schemaOfBlock(computed(block(configschema.NestingList, attrs{"id": attr(cty.String, "optional computed")})))
	testMergings(t, []merging{
		{"config null: null", schema, p, cty.NullVal(p.Type()), cty.NullVal(p.Type())},
		{"config empty: empty", schema, p, cty.ListValEmpty(p.Type().ElementType()), cty.ListValEmpty(p.Type().ElementType())},
		{"config set: merged", schema, p, list(object(obj{"id": noStr})), p},
	})
}

// Blocks with a dynamic type inside: lists are tuples, maps are objects with
// one attribute per key, and stay that.
func TestProposedNewDynamicBlocks(t *testing.T) {
	lists := schemaOfBlock(block(configschema.NestingList, dynAttrs))
	maps := schemaOfBlock(block(configschema.NestingMap, dynAttrs))
	chosen := schemaOfBlock(block(configschema.NestingList, attrs{"any": attr(cty.DynamicPseudoType, "optional computed")}))
	single := schemaOfBlock(block(configschema.NestingSingle, dynAttrs))
	group := schemaOfBlock(block(configschema.NestingGroup, dynAttrs))
	within := schemaOfBlock(block(configschema.NestingList, nil, blocks{"w": block(configschema.NestingMap, dynAttrs)}))
	anyOf := func(v cty.Value) cty.Value { return object(obj{"any": v}) }
	testMergings(t, []merging{
		{"tuple stays tuple", lists, tuple(item(str("1"), str("p"))), tuple(item(noStr, num(2))), tuple(item(str("1"), num(2)))},
		{"elements of many types", lists, tuple(item(str("1"), str("p")), item(str("2"), num(1))), tuple(item(noStr, num(2)), item(noStr, list(str("c")))),
			tuple(item(str("1"), num(2)), item(str("2"), list(str("c"))))},
		{"tuple longer than prior", lists, tuple(item(str("1"), str("p"))), tuple(item(noStr, num(2)), item(noStr, noDynamic)), tuple(item(str("1"), num(2)), item(noStr, noDynamic))},
		{"tuple shorter than prior", lists, tuple(item(str("1"), str("p")), item(str("2"), num(1))), tuple(item(noStr, num(2))), tuple(item(str("1"), num(2)))},
		{"empty tuple", lists, tuple(item(str("1"), str("p"))), cty.EmptyTupleVal, cty.EmptyTupleVal},
		{"empty tuple in prior", lists, cty.EmptyTupleVal, tuple(item(noStr, num(2))), tuple(item(noStr, num(2)))},
		{"null in prior", lists, noDynamic, tuple(item(noStr, num(2))), tuple(item(noStr, num(2)))},
		{"null", lists, tuple(item(str("1"), str("p"))), noDynamic, noDynamic},
		{"unknown: for_each is unknown", lists, tuple(item(str("1"), str("p"))), cty.DynamicVal, cty.DynamicVal},
		{"element unknown as a whole", lists, tuple(item(str("1"), str("p"))), tuple(cty.UnknownVal(dynType)), tuple(cty.UnknownVal(dynType))},
		{"element unknown as a whole, of unknown type", lists, tuple(item(str("1"), str("p"))), tuple(cty.DynamicVal), tuple(cty.DynamicVal)},
		{"prior's type is taken with its value", chosen, tuple(anyOf(num(1)), anyOf(cty.True)), tuple(anyOf(noDynamic), anyOf(noDynamic)), tuple(anyOf(num(1)), anyOf(cty.True))},

		{"object-typed map stays object", maps, object(obj{"k": item(str("1"), str("p"))}), object(obj{"k": item(noStr, num(2))}), object(obj{"k": item(str("1"), num(2))})},
		{"keys of many types", maps, object(obj{"k": item(str("1"), str("p")), "gone": item(str("2"), num(1))}), object(obj{"k": item(noStr, num(2)), "new": item(noStr, cty.True)}),
			object(obj{"k": item(str("1"), num(2)), "new": item(noStr, cty.True)})},
		{"a key that is no attribute's name", maps, object(obj{"a b": item(str("1"), str("p"))}), object(obj{"a b": item(noStr, num(2))}), object(obj{"a b": item(str("1"), num(2))})},
		{"empty object", maps, object(obj{"k": item(str("1"), str("p"))}), cty.EmptyObjectVal, cty.EmptyObjectVal},
		{"empty object in prior", maps, cty.EmptyObjectVal, object(obj{"k": item(noStr, num(2))}), object(obj{"k": item(noStr, num(2))})},
		{"map null in prior", maps, noDynamic, object(obj{"k": item(noStr, num(2))}), object(obj{"k": item(noStr, num(2))})},
		{"map null", maps, object(obj{"k": item(str("1"), str("p"))}), noDynamic, noDynamic},
		{"map unknown", maps, object(obj{"k": item(str("1"), str("p"))}), cty.DynamicVal, cty.DynamicVal},
		{"map's element unknown as a whole", maps, object(obj{"k": item(str("1"), str("p"))}), object(obj{"k": cty.UnknownVal(dynType)}), object(obj{"k": cty.UnknownVal(dynType)})},

		{"dynamic single", single, item(str("1"), str("p")), item(noStr, num(2)), item(str("1"), num(2))},
		{"dynamic group", group, item(str("1"), str("p")), item(noStr, num(2)), item(str("1"), num(2))},
		{"dynamic in dynamic", within, tuple(object(obj{"w": object(obj{"k": item(str("1"), str("p"))})})), tuple(object(obj{"w": object(obj{"k": item(noStr, num(2))})})),
			tuple(object(obj{"w": object(obj{"k": item(str("1"), num(2))})}))},
	})
}

// Merging goes down through every mode.
func TestProposedNewDeepBlocks(t *testing.T) {
	for _, outer := range blockModes {
		for _, inner := range blockModes {
			schema := schemaOfBlock(block(outer, nil, blocks{"w": block(inner, itemAttrs)}))
			value := func(id cty.Value) cty.Value {
				return heldIn(outer, object(obj{"w": heldIn(inner, item(id, str("a")))}))
			}
			want := value(str("1"))
			if outer == configschema.NestingSet && inner == configschema.NestingSet {
				want = value(noStr) // the sets inside differ, so the elements do not correlate
			}
			testMergings(t, []merging{
				{inner.String() + " in " + outer.String(), schema, value(str("1")), value(noStr), want},
			})
		}
	}
}

// Sets may coalesce: once what is computed is filled in, two elements are one.
func TestProposedNewSetsCoalesce(t *testing.T) {
	in := attrs{"k": leafAttr}
	schema := schemaOfBlock(block(configschema.NestingSet, attrs{"a": attr(cty.String, "optional computed"), "in": nested(configschema.NestingSingle, "optional", in)}))
	k := object(obj{"k": str("v")})
	el := func(a, in cty.Value) cty.Value { return object(obj{"a": a, "in": in}) }
	testMergings(t, []merging{{"two become one", schema,
		set(el(str("x"), k), el(str("x"), cty.NullVal(k.Type()))), set(el(str("x"), k), el(noStr, k)), set(el(str("x"), k))}})
}

// Where nothing differs from the configuration or from the prior value, that
// very value comes back, whatever its size. What is rebuilt shares its parts.
func TestProposedNewShares(t *testing.T) {
	const size = 1000
	value := func(id cty.Value, names ...string) cty.Value {
		elems := make([]cty.Value, size)
		for i := range elems {
			elems[i] = item(id, str(names[i*len(names)/size]))
		}
		return object(obj{"v": list(elems...)})
	}
	stored, written := value(str("1"), "a"), value(noStr, "a")
	none := object(obj{"v": emptyItems})
	tests := []struct {
		name                string
		prior, config, want cty.Value
		least, most         int // allocations
	}{
		{"nothing new: prior", stored, written, stored, 0, 50},
		{"nothing to be computed: config", written, written, written, 0, 50},
		{"all configured: config", stored, stored, stored, 0, 50},
		{"nothing before: config", none, written, written, 0, 50},
		{"half the elements are new: the others are shared", stored, value(noStr, "a", "b"), value(str("1"), "a", "b"), size / 2, 10 * size},
		{"all elements are new", stored, value(noStr, "b"), value(str("1"), "b"), size, 20 * size},
	}
	for name, schema := range map[string]*configschema.Block{
		"block":     schemaOfBlock(block(configschema.NestingList, itemAttrs)),
		"attribute": schemaOf(nested(configschema.NestingList, "optional", itemAttrs)),
	} {
		for _, test := range tests {
			t.Run(name+"/"+test.name, func(t *testing.T) {
				got, err := objchange.ProposedNew(compiled(schema), test.prior, test.config)
				if err != nil {
					t.Fatal(err)
				}
				if !got.RawEquals(test.want) {
					t.Error("got another value")
				}
				allocs := int(testing.AllocsPerRun(3, func() { _, _ = objchange.ProposedNew(compiled(schema), test.prior, test.config) }))
				if allocs < test.least || allocs > test.most {
					t.Errorf("%d allocations, want %d to %d", allocs, test.least, test.most)
				}
			})
		}
	}
}
