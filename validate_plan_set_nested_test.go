package objchange_test

import (
	"fmt"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// semantics.md#planned-set-elements: whatever is enforced inside an element
// keeps it from coming from a configured one, and is not reported itself.
func TestPlanSetRulesInsideElements(t *testing.T) {
	inner := func(mode configschema.NestingMode) *configschema.NestedBlock { return block(mode, itemAttrs) }
	schema := schemaOfBlock(block(configschema.NestingSet,
		attrs{"name": attr(cty.String, "optional"), "conf": nested(configschema.NestingList, "optional", itemAttrs), "keys": nested(configschema.NestingMap, "optional", itemAttrs)},
		blocks{"one": inner(configschema.NestingSingle), "list": inner(configschema.NestingList), "map": inner(configschema.NestingMap), "set": inner(configschema.NestingSet),
			"own": computed(block(configschema.NestingList, attrs{"id": attr(cty.String, "computed")}))}))
	a, b, x := item(noStr, str("a")), item(noStr, str("b")), item(noStr, str("x"))
	tracked, empty := item(unknownStr, str("a")), item(noStr, noStr)
	noList, noMap, noSet := cty.NullVal(cty.List(itemType)), cty.NullVal(cty.Map(itemType)), cty.NullVal(cty.Set(itemType))
	emptyMap, emptySet := cty.MapValEmpty(itemType), cty.SetValEmpty(itemType)
	ownType := cty.List(cty.Object(map[string]cty.Type{"id": cty.String}))
	elem := func(changed obj) cty.Value {
		v := obj{"name": str("n"), "conf": list(a), "keys": mapOf(obj{"k": a}), "one": a, "list": list(a), "map": mapOf(obj{"k": a}), "set": set(a), "own": cty.NullVal(ownType)}
		for name, part := range changed {
			v[name] = part
		}
		return object(v)
	}
	tests := []struct {
		name            string
		config, planned obj // what differs from elem; planned also from config
		fine            bool
	}{
		{"computed values filled in", nil, obj{"conf": list(tracked), "keys": mapOf(obj{"k": tracked}), "one": tracked, "list": list(tracked), "map": mapOf(obj{"k": tracked}), "set": set(tracked)}, true},
		{"plan-not-config", nil, obj{"name": str("x")}, false},
		{"plan-not-computed", obj{"name": noStr}, obj{"name": str("n")}, false},
		{"plan-absent: an attribute", nil, obj{"conf": noList}, false},
		{"plan-absent: a block", nil, obj{"one": noItem}, false},
		{"plan-absent: a block in a list", nil, obj{"list": list(noItem)}, false},
		{"plan-present", obj{"one": noItem}, obj{"one": a}, false},
		{"plan-unknown-nested", nil, obj{"conf": cty.UnknownVal(noList.Type())}, false},
		{"plan-count: an attribute", nil, obj{"conf": list(a, a)}, false},
		{"plan-count: blocks", nil, obj{"list": list(a, a)}, false},
		{"plan-count: config unknown", obj{"conf": cty.UnknownVal(noList.Type())}, obj{"conf": list(a)}, false},
		{"plan-key: an attribute", nil, obj{"keys": mapOf(obj{"x": a})}, false},
		{"plan-key: blocks", nil, obj{"map": mapOf(obj{"x": a})}, false},
		{"plan-null-blocks", obj{"list": emptyItems}, obj{"list": noList}, false},
		{"plan-null-blocks: map", obj{"map": emptyMap}, obj{"map": noMap}, false},
		{"plan-null-blocks: set", obj{"set": emptySet}, obj{"set": noSet}, false},
		{"plan-null-blocks: config null too", obj{"list": noList}, obj{"list": noList, "one": tracked}, false},
		{"config null is empty", obj{"list": noList, "map": noMap, "set": noSet}, obj{"list": emptyItems, "map": emptyMap, "set": emptySet}, true},
		{"plan-dynamic-block", obj{"list": cty.UnknownVal(noList.Type())}, obj{"list": emptyItems}, false},
		{"plan-dynamic-block: equal but for a refinement", obj{"list": cty.UnknownVal(noList.Type()).RefineNotNull()}, obj{"list": cty.UnknownVal(noList.Type())}, false},
		{"blocks unknown as configured", obj{"list": cty.UnknownVal(noList.Type())}, obj{"list": cty.UnknownVal(noList.Type()), "one": tracked}, true},
		{"plan-unknown-blocks", nil, obj{"list": cty.UnknownVal(noList.Type())}, false},
		{"plan-unknown-block", nil, obj{"list": list(unknownItem)}, false},
		{"plan-set-element: changed", nil, obj{"set": set(x)}, false},
		{"plan-set-element: dropped", obj{"set": set(a, b)}, obj{"set": set(a)}, false},
		{"plan-set-element: added", nil, obj{"set": set(a, x)}, false},
		{"plan-set-element: more of one", nil, obj{"set": set(a, tracked)}, false},
		{"a computed block supplied", nil, obj{"own": list(object(obj{"id": unknownStr}))}, true},
		{"a computed block unknown", nil, obj{"own": cty.UnknownVal(ownType)}, true},
		{"a computed block null", nil, obj{"own": cty.NullVal(ownType), "one": tracked}, false},
		{"an empty object for a null one", obj{"one": noItem}, obj{"one": empty}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			// The other element changes, so that the sets are never equal as wholes.
			supplied := obj{"own": cty.UnknownVal(ownType)}
			config := set(elem(test.config), elem(obj{"name": str("other")}))
			planned := set(elem(merge(merge(supplied, test.config), test.planned)), elem(merge(supplied, obj{"name": str("other"), "one": tracked})))
			found := objchange.AssertPlanValid(compiled(schema), objectOf(nullOf(schema)), objectOf(config), objectOf(planned))
			if test.fine {
				expect(t, found)
			} else {
				expect(t, found, ".v plan-set-element?")
			}
		})
	}
}

// merge returns the entries of both, the second ones winning.
func merge[M ~map[string]V, V any](a, b M) M {
	both := M{}
	for _, m := range []M{a, b} {
		for name, v := range m {
			both[name] = v
		}
	}
	return both
}

// setInSet are the schemas of a set in a set, by kind.
func setInSet() map[string]*configschema.Block {
	outer := attrs{"id": attr(cty.String, "computed"), "name": attr(cty.String, "optional")}
	withIn := attrs{"id": outer["id"], "name": outer["name"], "in": nested(configschema.NestingSet, "optional", ruleAttrs)}
	return map[string]*configschema.Block{
		"block in block":         schemaOfBlock(block(configschema.NestingSet, outer, blocks{"in": block(configschema.NestingSet, ruleAttrs)})),
		"attribute in block":     schemaOfBlock(block(configschema.NestingSet, withIn)),
		"attribute in attribute": schemaOf(nested(configschema.NestingSet, "optional", withIn)),
	}
}

func holder(id cty.Value, name string, rules ...cty.Value) cty.Value {
	return object(obj{"id": id, "name": str(name), "in": set(rules...)})
}

// Sets inside an element are judged yes or no, and reported at the outer set.
func TestPlanSetInSet(t *testing.T) {
	config := set(holder(noStr, "a", configured("a1", "1"), configured("a2", "2")), holder(noStr, "b", configured("b1", "1"), configured("b2", "2")))
	b := holder(unknownStr, "b", made("b1", "1"), made("b2", "2"))
	plan := func(rules ...cty.Value) cty.Value { return set(holder(unknownStr, "a", rules...), b) }
	prior := set(holder(str("1"), "p", rule(str("1"), str("A1"), str("I"))), holder(str("2"), "q", rule(str("2"), str("A2"), str("II"))))
	for kind, schema := range setInSet() {
		null, broken := nullOf(schema), wrong(".v plan-set-element?")
		t.Run(kind, func(t *testing.T) {
			testPlannings(t, []planning{
				{"computed values filled in", schema, null, config, plan(made("a1", "1"), made("a2", "2")), nil},
				{"values of any prior element's elements", schema, prior, config, plan(made("A1", "1"), made("A2", "II")), nil},
				{"an inner element changed", schema, null, config, plan(made("a1", "1"), made("x", "2")), broken},
				{"an inner element dropped", schema, null, config, plan(made("a1", "1")), broken},
				{"an inner element added", schema, null, config, plan(made("a1", "1"), made("a2", "2"), made("x", "3")), broken},
				{"values swapped inside", schema, null, config, plan(made("a1", "2"), made("a2", "1")), broken},
				{"inner elements swapped", schema, null, config,
					set(holder(unknownStr, "a", made("a1", "1"), made("b2", "2")), holder(unknownStr, "b", made("b1", "1"), made("a2", "2"))), broken},
				{"an outer element changed", schema, null, config, set(holder(unknownStr, "x", made("a1", "1"), made("a2", "2")), b), broken},
				{"unknown inner elements configured are not asked for", schema, null,
					set(holder(noStr, "a", configured("a1", "1"), cty.UnknownVal(ruleType))), set(holder(unknownStr, "a", made("x", "1"), made("y", "2"))), nil},
			})
		})
	}
}

// A set in something else is reported where it is.
func TestPlanSetInOtherNests(t *testing.T) {
	steps := map[configschema.NestingMode]string{configschema.NestingSingle: "", configschema.NestingGroup: "", configschema.NestingList: "[0]", configschema.NestingMap: `["k"]`}
	for mode, step := range steps {
		of := func(rules ...cty.Value) cty.Value { return heldIn(mode, object(obj{"in": set(rules...)})) }
		withIn := attrs{"in": nested(configschema.NestingSet, "optional", ruleAttrs)}
		schemas := map[string]*configschema.Block{
			"block in block":     schemaOfBlock(block(mode, nil, blocks{"in": block(configschema.NestingSet, ruleAttrs)})),
			"attribute in block": schemaOfBlock(block(mode, withIn)),

			"attribute in attribute": schemaOf(nested(mode, "optional", withIn)),
		}
		c, m := configured("a", "1"), made("a", "1")
		for kind, schema := range schemas {
			t.Run(kind+" "+mode.String(), func(t *testing.T) {
				testPlannings(t, []planning{
					{"as configured", schema, nullOf(schema), of(c), of(m), nil},
					{"changed", schema, nullOf(schema), of(c), of(made("x", "1")), wrong(".v" + step + ".in plan-set-element?")},
					{"prior of that set", schema, of(rule(str("1"), str("x"), str("9"))), of(c), of(made("x", "1")), nil},
				})
			})
		}
	}
	lists := schemaOfBlock(block(configschema.NestingList, nil, blocks{"in": block(configschema.NestingSet, ruleAttrs)}))
	of := func(r cty.Value) cty.Value { return object(obj{"in": set(r)}) }
	testPlannings(t, []planning{{"prior of another index is not at the same place", lists,
		list(of(rule(str("1"), str("x"), str("9"))), of(rule(str("2"), str("b"), str("9")))),
		list(of(configured("a", "1")), of(configured("b", "1"))),
		list(of(made("b", "1")), of(made("b", "1"))),
		wrong(".v[0].in plan-set-element?")}})
}

// semantics.md#planned-set-elements: only sets that the check of the plan
// descends to, with both sides known.
func TestPlanSetNotDescended(t *testing.T) {
	block1 := setKinds["block"]
	optional := setKinds["attribute"]
	computedOnly := schemaOf(nested(configschema.NestingSet, "computed", ruleAttrs))
	both := schemaOf(nested(configschema.NestingSet, "optional computed", ruleAttrs))
	own := schemaOfBlock(computed(block(configschema.NestingSet, attrs{"id": attr(cty.String, "computed")})))
	c, x := set(configured("a", "1")), set(made("x", "1"))
	unknown := cty.UnknownVal(noRules.Type())
	testPlannings(t, []planning{
		{"equal to prior", optional, x, c, x, nil},
		{"computed-only", computedOnly, noRules, c, x, nil},
		{"config null and computed", both, noRules, noRules, x, nil},
		{"config null and computed: blocks", own, nullOf(own), nullOf(own), set(object(obj{"id": str("1")})), nil},
		{"config unknown", optional, noRules, unknown, x, nil},
		{"config unknown: blocks", block1, noRules, unknown, x, wrong(".v plan-dynamic-block")},
		{"planned unknown", optional, noRules, c, unknown, wrong(".v plan-unknown-nested")},
		{"planned unknown: blocks", block1, noRules, c, unknown, wrong(".v plan-unknown-blocks")},
		{"config null, not computed", optional, noRules, noRules, x, wrong(".v plan-not-computed")},
	})
}

func TestPlanSetOf300InSet(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	checkSetOf300InSet(t, setInSet()["attribute in attribute"], func(inner string) string { return "outer " + inner })
}

// Elements that differ only in what is in their inner sets are found all the
// same: what tells them apart must equal the configuration too.
func TestPlanSetOf300InSetDifferingInside(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	checkSetOf300InSet(t, setInSet()["block in block"], func(string) string { return "same" })
}

// checkSetOf300InSet plans 300 elements that hold two each, one of which has a
// zone for the provider to choose, and then changes one deep inside.
func checkSetOf300InSet(t *testing.T, schema *configschema.Block, outer func(inner string) string) {
	t.Helper()
	const n = 300
	configs, plans := make([]cty.Value, n), make([]cty.Value, n)
	for i := range n {
		name := fmt.Sprintf("n%03d", i)
		configs[i] = holder(noStr, outer(name), configured(name, "1"), rule(noStr, str(name), noStr))
		plans[i] = holder(unknownStr, outer(name), made(name, "1"), rule(unknownStr, str(name), unknownStr))
	}
	null := objectOf(nullOf(schema))
	expect(t, objchange.AssertPlanValid(compiled(schema), null, objectOf(set(configs...)), objectOf(set(plans...))))
	changed := holder(unknownStr, outer("n123"), made("n123", "1"), rule(unknownStr, str("x"), unknownStr))
	expectElement(t, objchange.AssertPlanValid(compiled(schema), null, objectOf(set(configs...)), objectOf(except(plans, 123, changed))), ".v", `"n123"`)
}

// One part that is refused keeps an element from coming from a configured one,
// whatever is as before, or agrees, after it. The order of parts is another each time.
func TestPlanSetElementsApartByOnePart(t *testing.T) {
	schema := schemaOfBlock(block(configschema.NestingSet, attrs{"name": attr(cty.String, "optional"), "conf": nested(configschema.NestingList, "optional", itemAttrs)}))
	el := func(name, conf string) cty.Value {
		return set(object(obj{"name": str(name), "conf": list(item(noStr, str(conf)))}))
	}
	for range 32 {
		testPlannings(t, []planning{
			{"all as before", schema, el("old", "old"), el("new", "new"), el("old", "old"), nil},
			{"one part as before, the other new to both", schema, el("old", "old"), el("new", "new"), el("x", "old"), wrong(".v plan-set-element?")},
		})
	}
	either := block(configschema.NestingSet, attrs{"in": nested(configschema.NestingSet, "optional", attrs{"id": attr(cty.String, "optional computed"), "name": attr(cty.String, "optional")})})
	in := func(elems ...cty.Value) cty.Value { return set(object(obj{"in": set(elems...)})) }
	one, open := item(str("1"), str("a")), item(noStr, str("a"))
	testPlannings(t, []planning{{"too few, of which each agrees", schemaOfBlock(either), cty.NullVal(in(one).Type()), in(open, one), in(one), wrong(".v plan-set-element?")}})
}
