package objchange_test

import (
	"maps"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// A merging is a row about one attribute or block type, named v.
type merging struct {
	name                string
	schema              *configschema.Block
	prior, config, want cty.Value // of v
}

// testMergings proposes, with v in an object of its own, and beside others.
func testMergings(t *testing.T, rows []merging) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			for _, beside := range []neighbours{{}, kept, changed} {
				got, err := objchange.ProposedNew(compiled(beside.schema(row.schema)), beside.prior(row.prior), beside.config(row.config))
				expectValue(t, got, err, beside.want(row.want))
			}
		})
	}
}

// neighbours are attributes beside v: what is proposed for v must not depend on
// whether they have the object be the configured one, the prior one or neither.
type neighbours struct{ before, configured, after obj }

var (
	kept    = neighbours{obj{"id": str("1"), "name": str("n")}, obj{"id": noStr, "name": str("n")}, obj{"id": str("1"), "name": str("n")}}
	changed = neighbours{obj{"id": noStr, "name": str("n")}, obj{"id": noStr, "name": str("m")}, obj{"id": noStr, "name": str("m")}}
)

func (n neighbours) schema(of *configschema.Block) *configschema.Block {
	beside := *of
	beside.Attributes = maps.Clone(of.Attributes)
	for name := range n.before {
		if beside.Attributes == nil {
			beside.Attributes = attrs{}
		}
		beside.Attributes[name] = itemAttrs[name]
	}
	return &beside
}

func (n neighbours) prior(v cty.Value) cty.Value  { return object(merge(obj{"v": v}, n.before)) }
func (n neighbours) config(v cty.Value) cty.Value { return object(merge(obj{"v": v}, n.configured)) }
func (n neighbours) want(v cty.Value) cty.Value   { return object(merge(obj{"v": v}, n.after)) }

func TestProposedNewWhole(t *testing.T) {
	schema := &configschema.Block{
		Attributes: itemAttrs,
		BlockTypes: blocks{"group": block(configschema.NestingGroup, itemAttrs), "list": block(configschema.NestingList, itemAttrs)},
	}
	ty := schema.ImpliedType()
	null, unknown := cty.NullVal(ty), cty.UnknownVal(ty)
	whole := func(id, name, group, list cty.Value) cty.Value {
		return object(obj{"id": id, "name": name, "group": group, "list": list})
	}
	prior := whole(str("1"), str("p"), item(str("2"), str("p")), list(item(str("3"), str("p"))))
	config := whole(noStr, str("c"), item(noStr, str("c")), list(item(noStr, str("c"))))
	tests := []struct {
		name                string
		prior, config, want cty.Value
	}{
		{"both null: null", null, null, null},
		{"config null, a delete: null", prior, null, null},
		{"prior null: nothing is computed yet", null, config, config},
		{"prior null: as with the block's empty value", schema.EmptyValue(), config, config},
		{"config unknown: unknown", prior, unknown, unknown},
		{"prior null, config unknown: unknown", null, unknown, unknown},
		{"the untyped null as prior", noDynamic, config, config},
		{"the untyped null as config", prior, noDynamic, null},
		{"the untyped null as both", noDynamic, noDynamic, null},
		{"the untyped unknown as config", prior, cty.DynamicVal, unknown},
		{"both there: each attribute and block", prior, config,
			whole(str("1"), str("c"), item(str("2"), str("c")), list(item(str("3"), str("c"))))},
		{"an empty configuration", prior, schema.EmptyValue(), whole(str("1"), noStr, item(str("2"), noStr), emptyItems)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := objchange.ProposedNew(compiled(schema), test.prior, test.config)
			expectValue(t, got, err, test.want)
		})
	}
}

func TestProposedNewAttributes(t *testing.T) {
	computedOnly := schemaOf(attr(cty.String, "computed"))
	both := schemaOf(attr(cty.String, "optional computed"))
	optional := schemaOf(attr(cty.String, "optional"))
	required := schemaOf(attr(cty.String, "required"))
	strings := schemaOf(attr(cty.List(cty.String), "optional computed"))
	plain := schemaOf(attr(itemType, "optional computed"))
	dynamic := schemaOf(attr(cty.DynamicPseudoType, "optional computed"))
	refined := unknownStr.Refine().NotNull().StringPrefix("c-").NewValue()
	testMergings(t, []merging{
		{"computed, config null: prior", computedOnly, str("p"), noStr, str("p")},
		{"computed, config null, prior null: null", computedOnly, noStr, noStr, noStr},
		{"computed, config null, prior unknown: unknown", computedOnly, unknownStr, noStr, unknownStr},
		{"optional and computed, config null: prior", both, str("p"), noStr, str("p")},
		{"optional and computed, config set: config", both, str("p"), str("c"), str("c")},
		{"optional and computed, config unknown: unknown", both, str("p"), unknownStr, unknownStr},
		{"an unknown keeps its refinements", both, str("p"), refined, refined},
		{"a prior unknown keeps its refinements", both, refined, noStr, refined},
		{"optional and computed, config empty: config", strings, list(str("p")), cty.ListValEmpty(cty.String), cty.ListValEmpty(cty.String)},
		{"optional, config null: null", optional, str("p"), noStr, noStr},
		{"optional, config set: config", optional, str("p"), str("c"), str("c")},
		{"required: config", required, str("p"), str("c"), str("c")},
		{"write-only: config", schemaOf(attr(cty.String, "optional writeonly")), noStr, str("c"), str("c")},
		{"an object without a NestedType is not merged", plain, item(str("1"), str("p")), item(noStr, str("c")), item(noStr, str("c"))},
		{"a computed object without a NestedType: prior, whoever set it", plain, item(str("1"), str("p")), noItem, item(str("1"), str("p"))},
		{"a collection without a NestedType is not merged", strings, list(str("p"), str("q")), list(str("c")), list(str("c"))},
		{"a dynamic attribute takes prior's type", dynamic, num(1), noDynamic, num(1)},
		{"a dynamic attribute takes config's type", dynamic, num(1), str("c"), str("c")},
		{"a dynamic attribute, config unknown", dynamic, num(1), cty.DynamicVal, cty.DynamicVal},
	})
}

// semantics.md#proposed-attributes, with one exception: what the user must have
// set before is not taken from prior when the user no longer sets it.
func TestProposedNewPriorSetByUser(t *testing.T) {
	for _, mode := range attributeModes {
		computedOnly := schemaOf(nested(mode, "computed", itemAttrs))
		both := schemaOf(nested(mode, "optional computed", itemAttrs))
		// All on the way down is computed; only the name at the bottom is not.
		deep := schemaOf(nested(mode, "optional computed", attrs{
			"in": nested(configschema.NestingList, "optional computed", attrs{"more": nested(configschema.NestingMap, "computed", itemAttrs)}),
		}))
		deepVal := func(name cty.Value) cty.Value {
			return heldIn(mode, object(obj{"in": list(object(obj{"more": mapOf(obj{"k": item(str("1"), name)})}))}))
		}
		// The nested attribute that the user set is itself nested.
		inner := schemaOf(nested(mode, "optional computed", attrs{
			"in": nested(configschema.NestingList, "optional", attrs{"id": attr(cty.String, "computed")}),
		}))
		innerVal := heldIn(mode, object(obj{"in": cty.ListValEmpty(cty.Object(map[string]cty.Type{"id": cty.String}))}))
		null := cty.NullVal(typeHeldIn(mode, itemType))
		t.Run(mode.String(), func(t *testing.T) {
			testMergings(t, []merging{
				{"only computed ones set: prior", both, heldIn(mode, item(str("1"), noStr)), null, heldIn(mode, item(str("1"), noStr))},
				{"nothing set: prior", both, heldIn(mode, item(noStr, noStr)), null, heldIn(mode, item(noStr, noStr))},
				{"one that is not computed set: null", both, heldIn(mode, item(str("1"), str("p"))), null, null},
				{"not optional: prior all the same", computedOnly, heldIn(mode, item(str("1"), str("p"))), null, heldIn(mode, item(str("1"), str("p")))},
				{"prior null: null", both, null, null, null},
				{"prior unknown: unknown", both, cty.UnknownVal(null.Type()), null, cty.UnknownVal(null.Type())},
				{"an unknown element holds nothing configured: prior", both, heldIn(mode, unknownItem), null, heldIn(mode, unknownItem)},
				{"a null element: prior", both, heldIn(mode, noItem), null, heldIn(mode, noItem)},
				{"set at depth: null", deep, deepVal(str("p")), cty.NullVal(deepVal(noStr).Type()), cty.NullVal(deepVal(noStr).Type())},
				{"not set at depth: prior", deep, deepVal(noStr), cty.NullVal(deepVal(noStr).Type()), deepVal(noStr)},
				{"a nested one set, empty: null", inner, innerVal, cty.NullVal(innerVal.Type()), cty.NullVal(innerVal.Type())},
			})
		})
	}
	both := schemaOf(nested(configschema.NestingList, "optional computed", itemAttrs))
	null := cty.NullVal(cty.List(itemType))
	inBlock := schemaOfBlock(block(configschema.NestingList, both.Attributes))
	blockVal := func(v cty.Value) cty.Value { return list(object(obj{"v": v})) }
	testMergings(t, []merging{
		{"prior empty: prior", both, emptyItems, null, emptyItems},
		{"in any element", both, list(item(str("1"), noStr), item(str("2"), str("p"))), null, null},
		{"config empty is not null", both, list(item(str("1"), noStr)), emptyItems, emptyItems},
		{"in a block", inBlock, blockVal(list(item(str("1"), str("p")))), blockVal(null), blockVal(null)},
		{"in a block, only computed ones set", inBlock, blockVal(list(item(str("1"), noStr))), blockVal(null), blockVal(list(item(str("1"), noStr)))},
	})
}

// semantics.md#proposed-nested-attributes.
func TestProposedNewNestedAttributes(t *testing.T) {
	single := schemaOf(nested(configschema.NestingSingle, "optional", itemAttrs))
	lists := schemaOf(nested(configschema.NestingList, "optional", itemAttrs))
	maps := schemaOf(nested(configschema.NestingMap, "optional", itemAttrs))
	sets := schemaOf(nested(configschema.NestingSet, "optional", itemAttrs))
	c, p, merged := item(noStr, str("c")), item(str("1"), str("p")), item(str("1"), str("c"))
	hollow := item(unknownStr, unknownStr) // what becomes of an unknown object
	tracked := item(unknownStr, str("c"))  // what becomes of c with an unknown prior
	k := func(v cty.Value) cty.Value { return mapOf(obj{"k": v}) }
	for _, mode := range attributeModes {
		optional := schemaOf(nested(mode, "optional", itemAttrs))
		both := schemaOf(nested(mode, "optional computed", itemAttrs))
		prior, null := heldIn(mode, p), cty.NullVal(typeHeldIn(mode, itemType))
		unknown := cty.UnknownVal(null.Type())
		t.Run(mode.String(), func(t *testing.T) {
			testMergings(t, []merging{
				{"config unknown: unknown", optional, prior, unknown, unknown},
				{"computed, config unknown: unknown", both, prior, unknown, unknown},
				{"config null: null", optional, prior, null, null},
				{"computed, config set: merged", both, heldIn(mode, item(str("1"), str("c"))), heldIn(mode, c), heldIn(mode, merged)},
				{"prior null: nothing is computed yet", optional, null, heldIn(mode, c), heldIn(mode, c)},
			})
		})
	}
	testMergings(t, []merging{
		{"single: merged", single, p, c, merged},
		{"single, prior unknown: merged with unknown", single, unknownItem, c, tracked},
		{"single: prior's other attributes go", single, p, item(noStr, noStr), item(str("1"), noStr)},

		{"list, config empty", lists, list(p), emptyItems, emptyItems},
		{"list: merged per index", lists, list(p, item(str("2"), str("q"))), list(c, item(noStr, str("d"))), list(merged, item(str("2"), str("d")))},
		{"list longer than prior: surplus as it stands", lists, list(p), list(c, c), list(merged, c)},
		{"list shorter than prior: prior's surplus goes", lists, list(p, p), list(c), list(merged)},
		{"list, prior unknown: merged with unknown", lists, cty.UnknownVal(cty.List(itemType)), list(c), list(tracked)},
		{"list, element null in prior: merged with null", lists, list(noItem), list(c), list(c)},
		{"list, element unknown in prior: merged with unknown", lists, list(unknownItem), list(c), list(tracked)},
		{"list, element null: null", lists, list(p), list(noItem), list(noItem)},
		{"list, element null, prior null: null", lists, cty.NullVal(cty.List(itemType)), list(noItem), list(noItem)},
		{"list, element unknown: an object of unknowns", lists, list(p), list(unknownItem), list(hollow)},
		{"list, element unknown, null in prior: an object of unknowns", lists, list(noItem), list(unknownItem), list(hollow)},
		{"list, element unknown, prior unknown: an object of unknowns", lists, cty.UnknownVal(cty.List(itemType)), list(unknownItem), list(hollow)},
		{"list, element unknown, prior null: as it stands", lists, cty.NullVal(cty.List(itemType)), list(unknownItem), list(unknownItem)},
		{"list, element unknown, prior shorter: as it stands", lists, list(p), list(c, unknownItem), list(merged, unknownItem)},
		{"list, element unknown, prior empty: as it stands", lists, emptyItems, list(unknownItem), list(unknownItem)},

		{"map, config empty", maps, k(p), cty.MapValEmpty(itemType), cty.MapValEmpty(itemType)},
		{"map: merged per key", maps, mapOf(obj{"k": p, "l": item(str("2"), str("q"))}), mapOf(obj{"l": item(noStr, str("d")), "k": c}), mapOf(obj{"k": merged, "l": item(str("2"), str("d"))})},
		{"map, key not in prior: merged with null", maps, k(p), mapOf(obj{"k": c, "l": c}), mapOf(obj{"k": merged, "l": c})},
		{"map, key only in prior: it goes", maps, mapOf(obj{"k": p, "l": p}), k(c), k(merged)},
		{"map, prior unknown: merged with unknown", maps, cty.UnknownVal(cty.Map(itemType)), k(c), k(tracked)},
		{"map, element unknown in prior: merged with unknown", maps, k(unknownItem), k(c), k(tracked)},
		{"map, element null: null", maps, k(p), k(noItem), k(noItem)},
		{"map, element unknown: an object of unknowns", maps, k(p), k(unknownItem), k(hollow)},
		{"map, element unknown, key not in prior: merged with null", maps, mapOf(obj{"l": p}), k(unknownItem), k(hollow)},
		{"map, element unknown, prior null: merged with null", maps, cty.NullVal(cty.Map(itemType)), k(unknownItem), k(hollow)},
		{"map, element unknown, prior unknown: an object of unknowns", maps, cty.UnknownVal(cty.Map(itemType)), k(unknownItem), k(hollow)},

		{"set, config empty", sets, set(p), cty.SetValEmpty(itemType), cty.SetValEmpty(itemType)},
		{"set: merged with what it came from", sets, set(item(str("1"), str("a")), item(str("2"), str("b"))), set(item(noStr, str("b")), item(noStr, str("c"))), set(item(str("2"), str("b")), item(noStr, str("c")))},
		{"set, no correlation: merged with null", sets, set(p), set(c), set(c)},
		{"set, prior unknown: merged with null", sets, cty.UnknownVal(cty.Set(itemType)), set(c), set(c)},
		{"set, element null: null", sets, set(p), set(noItem), set(noItem)},
		{"set, element unknown: an object of unknowns", sets, set(p), set(unknownItem), set(hollow)},
		{"set, element unknown, prior null: an object of unknowns", sets, cty.NullVal(cty.Set(itemType)), set(unknownItem), set(hollow)},
	})
}

// Merging goes down through every mode.
func TestProposedNewDeepNestedAttributes(t *testing.T) {
	for _, outer := range attributeModes {
		for _, inner := range attributeModes {
			schema := schemaOf(nested(outer, "optional", attrs{"in": nested(inner, "optional", itemAttrs)}))
			value := func(id cty.Value) cty.Value {
				return heldIn(outer, object(obj{"in": heldIn(inner, item(id, str("a")))}))
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
	// An unknown object's nested attributes are unknown, not objects of unknowns.
	schema := schemaOf(nested(configschema.NestingMap, "optional", attrs{"in": nested(configschema.NestingSingle, "optional", itemAttrs)}))
	ty := cty.Object(map[string]cty.Type{"in": itemType})
	testMergings(t, []merging{{"nested in an unknown element", schema,
		mapOf(obj{"k": object(obj{"in": item(str("1"), str("p"))})}), mapOf(obj{"k": cty.UnknownVal(ty)}), mapOf(obj{"k": object(obj{"in": unknownItem})})}})
}

// The elements of a nested attribute are in a list or map, which cannot hold
// what a dynamically typed attribute makes of them once it has merged.
func TestMergedElementsOfDifferentTypesAreRefused(t *testing.T) {
	in := attrs{"any": attr(cty.DynamicPseudoType, "optional computed")}
	anyOf := func(v cty.Value) cty.Value { return object(obj{"any": v}) }
	lists, maps := schemaOf(nested(configschema.NestingList, "optional", in)), schemaOf(nested(configschema.NestingMap, "optional", in))
	deep := schemaOfBlock(block(configschema.NestingMap, lists.Attributes))
	tests := []struct {
		name          string
		schema        *configschema.Block
		prior, config cty.Value // of v
		place         string
	}{
		{"list", lists, list(anyOf(num(1))), list(anyOf(noDynamic), anyOf(noDynamic)), ".v"},
		{"map", maps, mapOf(obj{"k": anyOf(num(1))}), mapOf(obj{"k": anyOf(noDynamic), "l": anyOf(noDynamic)}), ".v"},
		{"in a dynamic block", deep, object(obj{"k": object(obj{"v": list(anyOf(num(1)))})}), object(obj{"k": object(obj{"v": list(anyOf(noDynamic), anyOf(noDynamic))})}), ".v.k.v"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := objchange.ProposedNew(compiled(test.schema), objectOf(test.prior), objectOf(test.config))
			expectRefusal(t, got, err, objchange.RuleTypeMismatch, test.place)
		})
	}
	testMergings(t, []merging{
		{"list, all of the prior type", lists, list(anyOf(num(1)), anyOf(num(2))), list(anyOf(noDynamic), anyOf(noDynamic)), list(anyOf(num(1)), anyOf(num(2)))},
		{"list, shorter", lists, list(anyOf(num(1)), anyOf(num(2))), list(anyOf(noDynamic)), list(anyOf(num(1)))},
		{"map, all of the prior type", maps, mapOf(obj{"k": anyOf(num(1))}), mapOf(obj{"k": anyOf(noDynamic)}), mapOf(obj{"k": anyOf(num(1))})},
	})
	// The place is told as what it is, and after others.
	more := &configschema.Block{
		Attributes: attrs{"fine": nested(configschema.NestingList, "optional", itemAttrs), "secret": nested(configschema.NestingMap, "optional sensitive", in)},
		BlockTypes: blocks{"v": block(configschema.NestingSingle, lists.Attributes)},
	}
	two, k := list(anyOf(noDynamic), anyOf(noDynamic)), mapOf(obj{"k": anyOf(noDynamic), "l": anyOf(noDynamic)})
	whole := func(secret, v cty.Value) cty.Value {
		return object(obj{"fine": emptyItems, "secret": secret, "v": objectOf(v)})
	}
	got, err := objchange.ProposedNew(compiled(more), whole(mapOf(obj{"k": anyOf(noDynamic)}), list(anyOf(num(1)))), whole(k, two))
	expectRefusal(t, got, err, objchange.RuleTypeMismatch, ".v.v")
	got, err = objchange.ProposedNew(compiled(more), whole(mapOf(obj{"k": anyOf(num(1))}), two), whole(k, two))
	expectRefusal(t, got, err, objchange.RuleTypeMismatch, ".secret")
	chosen := schemaOf(nested(configschema.NestingList, "optional", attrs{"any": attr(cty.DynamicPseudoType, "optional computed")}))
	got, err = objchange.ProposedNew(compiled(chosen), objectOf(list(anyOf(noDynamic))), objectOf(list(anyOf(noStr), anyOf(noStr))))
	expectRefusal(t, got, err, objchange.RuleTypeMismatch, ".v")
	below := schemaOf(nested(configschema.NestingMap, "optional", lists.Attributes))
	at := func(v cty.Value) cty.Value { return mapOf(obj{"k": objectOf(v)}) }
	got, err = objchange.ProposedNew(compiled(below), objectOf(at(list(anyOf(num(1))))), objectOf(at(two)))
	expectRefusal(t, got, err, objchange.RuleTypeMismatch, `.v["k"].v`)
}

// The prior value is proposed with its type, whatever the type of the configured
// null. Where the prior object is null or absent, the schema gives the type; in an
// element of a map that is absent, the configured element does.
func TestProposedNewTakesPriorNullWithItsType(t *testing.T) {
	in := attrs{"any": attr(cty.DynamicPseudoType, "optional computed")}
	anyOf := func(v cty.Value) cty.Value { return object(obj{"any": v}) }
	single := schemaOf(nested(configschema.NestingSingle, "optional", in))
	lists, maps := schemaOf(nested(configschema.NestingList, "optional", in)), schemaOf(nested(configschema.NestingMap, "optional", in))
	tuples := schemaOfBlock(block(configschema.NestingList, in))
	typed := attrs{"any": attr(cty.List(cty.String), "optional computed")}
	noList := cty.NullVal(cty.List(cty.String))
	testMergings(t, []merging{
		{"an object", single, anyOf(noDynamic), anyOf(noStr), anyOf(noDynamic)},
		{"an object that was not there", single, nullOf(single), anyOf(noStr), anyOf(noDynamic)},
		{"an element of a tuple", tuples, tuple(anyOf(noDynamic)), tuple(anyOf(noStr)), tuple(anyOf(noDynamic))},
		{"an element of a list", lists, list(anyOf(noDynamic)), list(anyOf(noStr)), list(anyOf(noDynamic))},
		{"an element of a list, after one that was known", lists, list(anyOf(str("a")), anyOf(noStr)), list(anyOf(noStr), anyOf(noStr)), list(anyOf(str("a")), anyOf(noStr))},
		{"an element of a map that was not there", maps, mapOf(obj{"k": anyOf(str("a"))}), mapOf(obj{"k": anyOf(noStr), "l": anyOf(noStr)}), mapOf(obj{"k": anyOf(str("a")), "l": anyOf(noStr)})},
		{"an element of a map", maps, mapOf(obj{"k": anyOf(noDynamic)}), mapOf(obj{"k": anyOf(noStr)}), mapOf(obj{"k": anyOf(noDynamic)})},
		{"an object in an element of a map that was not there", schemaOf(nested(configschema.NestingMap, "optional", single.Attributes)),
			mapOf(obj{"k": objectOf(anyOf(str("a")))}), mapOf(obj{"l": objectOf(anyOf(noStr))}), mapOf(obj{"l": objectOf(anyOf(noStr))})},
		{"a block of a map that was not there", schemaOfBlock(block(configschema.NestingMap, in)), object(obj{"k": anyOf(noStr)}), object(obj{"l": anyOf(noStr)}), object(obj{"l": anyOf(noDynamic)})},
		{"a list in a map, unknown before", schemaOf(nested(configschema.NestingMap, "optional", lists.Attributes)),
			cty.UnknownVal(cty.Map(cty.Object(map[string]cty.Type{"v": cty.List(cty.Object(map[string]cty.Type{"any": cty.DynamicPseudoType}))}))),
			mapOf(obj{"k": objectOf(list(anyOf(noStr)))}), mapOf(obj{"k": objectOf(list(anyOf(unknownStr)))})},
		{"an element of a list that was null", lists, list(cty.NullVal(cty.Object(map[string]cty.Type{"any": cty.DynamicPseudoType}))), list(anyOf(noStr)), list(anyOf(noDynamic))},
		{"an object beside a list", schemaOf(nested(configschema.NestingSingle, "optional", attrs{"l": lists.Attributes["v"], "any": in["any"]})),
			object(obj{"l": list(anyOf(noDynamic)), "any": noDynamic}), object(obj{"l": list(anyOf(noStr)), "any": noStr}), object(obj{"l": list(anyOf(noDynamic)), "any": noDynamic})},
		{"a typed attribute of an object that was not there", schemaOf(nested(configschema.NestingSingle, "optional", typed)), cty.NullVal(cty.Object(map[string]cty.Type{"any": noList.Type()})), anyOf(noList), anyOf(noList)},
	})
}

func TestProposedNewTakesPriorNullWithItsTypeInListsAndBlocks(t *testing.T) {
	in := attrs{"any": attr(cty.DynamicPseudoType, "optional computed")}
	schema := &configschema.Block{
		Attributes: attrs{"list": nested(configschema.NestingList, "optional", in)},
		BlockTypes: blocks{"one": block(configschema.NestingSingle, in)},
	}
	whole := func(elem, one cty.Value) cty.Value {
		return object(obj{"list": list(object(obj{"any": elem})), "one": object(obj{"any": one})})
	}
	got, err := objchange.ProposedNew(compiled(schema), whole(noDynamic, noDynamic), whole(noStr, noStr))
	expectValue(t, got, err, whole(noDynamic, noDynamic))
}

// What was not there before was null in a nested attribute, and empty in a block.
func TestProposedNewGroupInNothing(t *testing.T) {
	group := attrs{"g": nested(configschema.NestingGroup, "optional computed", attrs{"id": attr(cty.String, "computed")})}
	none, empty := object(obj{"g": cty.NullVal(cty.Object(map[string]cty.Type{"id": cty.String}))}), object(obj{"g": object(obj{"id": noStr})})
	testMergings(t, []merging{
		{"a nested attribute", schemaOf(nested(configschema.NestingSingle, "optional", group)), cty.NullVal(none.Type()), none, none},
		{"a block", schemaOfBlock(block(configschema.NestingSingle, group)), cty.NullVal(none.Type()), none, empty},
	})
}

// Nothing, an empty collection and an unknown one are three.
func TestProposedNewEmptyIsNotNothing(t *testing.T) {
	lists, maps := schemaOf(nested(configschema.NestingList, "optional", itemAttrs)), schemaOfBlock(block(configschema.NestingMap, dynAttrs))
	testMergings(t, []merging{
		{"empty where null was", lists, nullOf(lists), emptyItems, emptyItems},
		{"empty where an unknown was", lists, cty.UnknownVal(cty.List(itemType)), emptyItems, emptyItems},
		{"null where empty was", lists, emptyItems, nullOf(lists), nullOf(lists)},
		{"a null block at another key", maps, object(obj{"k": noDynamic}), object(obj{"l": noDynamic}), object(obj{"l": noDynamic})},
	})
}
