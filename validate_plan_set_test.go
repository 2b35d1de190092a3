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

// Tests of specification.md#103-set-elements: set elements in a plan. Most tests use elements
// with an id that the provider chooses, a name that the user sets, and a zone that either may
// choose.
var (
	ruleAttrs = attrs{"id": attr(cty.String, "computed"), "name": attr(cty.String, "optional"), "zone": attr(cty.String, "optional computed")}
	ruleType  = cty.Object(map[string]cty.Type{"id": cty.String, "name": cty.String, "zone": cty.String})
	noRules   = cty.NullVal(cty.Set(ruleType))
)

func rule(id, name, zone cty.Value) cty.Value {
	return object(obj{"id": id, "name": name, "zone": zone})
}

// configured returns an element of a configuration. made returns the element that a valid
// provider plans for it.
func configured(name, zone string) cty.Value { return rule(noStr, str(name), str(zone)) }
func made(name, zone string) cty.Value       { return rule(unknownStr, str(name), str(zone)) }

// setKinds are the schemas of a set block and of a set nested attribute.
var setKinds = map[string]*configschema.Block{
	"block":     schemaOfBlock(block(configschema.NestingSet, ruleAttrs)),
	"attribute": schemaOf(nested(configschema.NestingSet, "optional", ruleAttrs)),
}

// expectElement checks that there is one violation, that it is not enforced, and that its
// message names the value.
func expectElement(t *testing.T, found objchange.Violations, path, named string) {
	t.Helper()
	for _, v := range found {
		if v.Rule != objchange.RulePlanSetElement {
			continue
		}
		if v.Enforced || v.PathString() != path || !strings.Contains(v.Message, named) {
			t.Errorf("want a violation at %s that names %s and is not enforced, got %s (%t)", path, named, v, v.Enforced)
		}
		return
	}
	t.Errorf("got %q, want a plan-set-element at %s", summary(found), path)
}

func TestPlanSetElementsOfUnknownOriginAreReported(t *testing.T) {
	a, b, c := configured("a", "1"), configured("b", "2"), configured("c", "3")
	ma, mb, mc := made("a", "1"), made("b", "2"), made("c", "3")
	x, y := made("x", "2"), made("y", "2")
	tests := []struct {
		name            string
		config, planned cty.Value
		named           string
	}{
		{"changes an element", set(a, b, c), set(ma, x, mc), `"x"`},
		{"changes two: the first in set order", set(a, b, c), set(ma, y, x), `"x"`},
		{"changes all", set(a, b), set(y, x), `"x"`},
		{"removes an element", set(a, b, c), set(ma, mc), `"b"`},
		{"removes two: the first in set order", set(a, b, c), set(ma), `"b"`},
		{"changes one and removes another: the planned element", set(a, b, c), set(ma, x), `"x"`},
		{"adds an element", set(a, b), set(ma, mb, x), `"x"`},
		{"adds one element and removes another", set(a, b), set(ma, x), `"x"`},
		{"swaps values between elements", set(a, b), set(made("a", "2"), made("b", "1")), `"a"`},
		{"plans two elements for one and removes another", set(a, b), set(rule(str("1"), str("a"), str("1")), rule(str("2"), str("a"), str("1"))), `"b"`},
		{"plans a value unknown", set(a, b), set(ma, rule(noStr, str("b"), unknownStr)), `"b"`},
		{"plans a value null", set(a, b), set(ma, rule(noStr, str("b"), noStr)), `"b"`},
		{"plans a value that is neither configured nor computed", set(rule(noStr, noStr, str("1"))), set(x), `"x"`},
	}
	for kind, schema := range setKinds {
		for _, test := range tests {
			t.Run(kind+" "+test.name, func(t *testing.T) {
				found := objchange.AssertPlanValid(compiled(schema), objectOf(noRules), objectOf(test.config), objectOf(test.planned))
				expectElement(t, found, ".v", test.named)
				if kind == "block" {
					expect(t, found, ".v plan-set-element?")
				}
			})
		}
	}
}

func TestPlanSetSurplusElementsAreReported(t *testing.T) {
	a := configured("a", "1")
	twice := set(rule(str("1"), str("a"), str("1")), rule(str("2"), str("a"), str("1")))
	testPlanRows(t, []planRow{
		{"block: two elements for one", setKinds["block"], noRules, set(a), twice, wrong(".v plan-set-element?")},
		{"block: one element for none", setKinds["block"], noRules, cty.SetValEmpty(ruleType), set(a), wrong(".v plan-set-element?")},
		{"block: config null is empty", setKinds["block"], noRules, noRules, set(a), wrong(".v plan-set-element?")},
		{"attribute: two elements for one, the number known", setKinds["attribute"], noRules, set(a), twice, wrong(".v plan-count", ".v plan-set-element?")},
		{"attribute: two elements for one, an id unknown", setKinds["attribute"], noRules, set(a),
			set(made("a", "1"), rule(str("2"), str("a"), str("1"))), wrong(".v plan-set-element?")},
	})
}

func TestPlanSetElementsFromConfigOrPriorAreFine(t *testing.T) {
	a, b := configured("a", "1"), configured("b", "2")
	open := rule(noStr, str("a"), noStr) // the provider may choose the zone
	prior := set(rule(str("1"), str("A"), str("I")), rule(str("2"), str("B"), str("II")))
	unknownRule := cty.UnknownVal(ruleType)
	refined := unknownStr.Refine().NotNull().NewValue()
	for kind, schema := range setKinds {
		t.Run(kind, func(t *testing.T) {
			testPlanRows(t, []planRow{
				{"plans the configuration", schema, noRules, set(a, b), set(a, b), nil},
				{"plans computed values unknown", schema, noRules, set(a, b), set(made("a", "1"), made("b", "2")), nil},
				{"plans computed values known", schema, noRules, set(open, b), set(rule(str("1"), str("a"), str("z")), b), nil},
				{"plans computed values unknown where they could be configured", schema, noRules, set(open, b), set(rule(unknownStr, str("a"), unknownStr), b), nil},
				{"keeps computed values", schema, prior, set(rule(noStr, str("A"), noStr), b), set(rule(str("1"), str("A"), str("I")), b), nil},
				{"keeps an equivalent prior value", schema, prior, set(a, b), set(rule(str("1"), str("A"), str("1")), b), nil},
				{"keeps all prior values", schema, prior, set(a, b), prior, nil},
				{"keeps values of another prior element", schema, prior, set(a), set(rule(str("2"), str("B"), str("1"))), nil},
				{"keeps values of several prior elements in one", schema, prior, set(a), set(rule(str("9"), str("A"), str("II"))), nil},
				{"plans an unknown as configured", schema, noRules, set(a, rule(noStr, unknownStr, noStr)), set(a, rule(unknownStr, unknownStr, unknownStr)), nil},
				{"plans an unknown with other refinements", schema, noRules, set(a, rule(noStr, refined, noStr)), set(a, rule(unknownStr, unknownStr, unknownStr)), nil},
				{"plans one element for two if one is partly unknown", schema, prior, set(open, rule(noStr, unknownStr, noStr)), set(rule(str("1"), str("A"), str("I"))), nil},
				{"is not checked if a configured element is unknown", schema, noRules, set(a, unknownRule), set(made("x", "1"), made("y", "2")), nil},
				{"plans no element for none", schema, prior, cty.SetValEmpty(ruleType), cty.SetValEmpty(ruleType), nil},
			})
		})
	}
	testPlanRows(t, []planRow{
		{"block: elements coalesce into their equivalent", setKinds["block"], set(rule(str("1"), str("a"), str("1"))),
			set(a, configured("A", "1")), set(made("a", "1")), nil},
		{"block: elements coalesce as the provider fills in a value", setKinds["block"], noRules, set(open, a), set(made("a", "1")), nil},
		{"block: null elements", setKinds["block"], noRules, set(cty.NullVal(ruleType), a), set(cty.NullVal(ruleType), made("a", "1")), nil},
		{"attribute: an unknown element is not checked", setKinds["attribute"], noRules, set(a, b), set(unknownRule, made("x", "1")), nil},
		{"attribute: equal to prior as a whole, even in number", setKinds["attribute"], prior, set(a), prior, nil},
		{"block: an unknown element is reported as unknown only", setKinds["block"], noRules, set(a, b), set(unknownRule, made("x", "1")), wrong(".v[*] plan-unknown-block")},
	})
}

// TestPlanSetTakesPriorValuesOfTheSamePlaceOnly checks that prior values of other places are
// not accepted.
func TestPlanSetTakesPriorValuesOfTheSamePlaceOnly(t *testing.T) {
	prior := set(rule(str("P"), str("A"), str("I")))
	for kind, schema := range setKinds {
		t.Run(kind, func(t *testing.T) {
			testPlanRows(t, []planRow{
				{"a prior value of another attribute", schema, prior, set(configured("a", "1")), set(made("I", "1")), wrong(".v plan-set-element?")},
				{"a prior value for an attribute without configuration", schema, prior, set(rule(noStr, noStr, str("1"))), set(made("A", "1")), wrong(".v plan-set-element?")},
				{"a prior null", schema, set(rule(str("P"), noStr, str("I"))), set(configured("a", "1")), set(rule(unknownStr, noStr, str("1"))), wrong(".v plan-set-element?")},
				{"prior unknown", schema, cty.UnknownVal(noRules.Type()), set(configured("a", "1")), set(made("x", "1")), wrong(".v plan-set-element?")},
			})
		})
	}
}

// TestPlanSetPriorOfHugeNumbers checks that numbers that are too long to be written are
// compared correctly.
func TestPlanSetPriorOfHugeNumbers(t *testing.T) {
	schema := schemaOfBlock(block(configschema.NestingSet, attrs{"n": attr(cty.Number, "optional")}))
	of := func(n string) cty.Value { return set(object(obj{"n": cty.MustParseNumberVal(n)})) }
	testPlanRows(t, []planRow{
		{"the prior number", schema, of("1e-5000"), of("1"), of("1e-5000"), nil},
		{"another number", schema, of("1e-5000"), of("1"), of("2e-5000"), wrong(".v plan-set-element?")},
	})
}

// TestPlanSetExactlyAsConfigured checks that blocks in an element that equal the configuration
// exactly are valid, with any content.
func TestPlanSetExactlyAsConfigured(t *testing.T) {
	schema := schemaOfBlock(block(configschema.NestingSet, ruleAttrs, blocks{"in": block(configschema.NestingList, itemAttrs)}))
	with := func(id cty.Value, in ...cty.Value) cty.Value {
		return set(object(obj{"id": id, "name": str("a"), "zone": noStr, "in": list(in...)}))
	}
	testPlanRows(t, []planRow{
		{"an unknown block", schema, nullOf(schema), with(noStr, unknownItem), with(unknownStr, unknownItem), nil},
		{"an unknown block beside another", schema, nullOf(schema), with(noStr, unknownItem, item(noStr, str("a"))), with(unknownStr, unknownItem, item(noStr, str("b"))), wrong(".v plan-set-element?")},
	})
}

// TestPlanSetBesideOthers checks that a violation in a set does not hide violations beside it.
func TestPlanSetBesideOthers(t *testing.T) {
	schema := &configschema.Block{
		Attributes: attrs{"v": nested(configschema.NestingSet, "optional", ruleAttrs)},
		BlockTypes: blocks{"w": block(configschema.NestingSet, ruleAttrs), "x": block(configschema.NestingSingle, itemAttrs)},
	}
	of := func(v, x cty.Value) cty.Value { return object(obj{"v": v, "w": v, "x": x}) }
	twice := set(rule(str("1"), str("a"), str("1")), rule(unknownStr, str("a"), str("1")))
	expect(t, objchange.AssertPlanValid(compiled(schema), cty.NullVal(schema.ImpliedType()), of(set(configured("a", "1")), item(noStr, str("a"))), of(twice, item(noStr, str("b")))),
		".v plan-set-element?", ".w plan-set-element?", ".x.name plan-not-config")
}

// TestPlanSetPriorOfNestedAttributes checks that "any P" covers whole nested objects and
// collections, and that any index or key may correspond to any other.
func TestPlanSetPriorOfNestedAttributes(t *testing.T) {
	name := attrs{"name": attr(cty.String, "optional"), "size": attr(cty.Number, "optional")}
	part := func(n string, size int64) cty.Value { return object(obj{"name": str(n), "size": num(size)}) }
	bare := object(obj{"name": noStr, "size": num(1)})
	for _, mode := range attributeModes {
		inner := attrs{"id": attr(cty.String, "computed"), "conf": nested(mode, "optional", name)}
		elem := func(id, conf cty.Value) cty.Value { return object(obj{"id": id, "conf": conf}) }
		in := func(v cty.Value) cty.Value { return wrapIn(mode, v) }
		for kind, schema := range map[string]*configschema.Block{
			"block":     schemaOfBlock(block(configschema.NestingSet, inner)),
			"attribute": schemaOf(nested(configschema.NestingSet, "optional", inner)),
		} {
			null := nullOf(schema)
			c := set(elem(noStr, in(part("a", 1))))
			t.Run(kind+" of "+mode.String(), func(t *testing.T) {
				testPlanRows(t, []planRow{
					{"as configured", schema, null, c, set(elem(unknownStr, in(part("a", 1)))), nil},
					{"changed", schema, null, c, set(elem(unknownStr, in(part("x", 1)))), wrong(".v plan-set-element?")},
					{"a leaf from any prior element", schema, set(elem(str("1"), in(part("q", 9))), elem(str("2"), in(part("A", 8)))), c,
						set(elem(unknownStr, in(part("A", 1)))), nil},
					{"leaves from several prior elements", schema, set(elem(str("1"), in(part("q", 9))), elem(str("2"), in(part("A", 8)))), c,
						set(elem(unknownStr, in(part("A", 9)))), nil},
					{"equal to a whole prior element, with a null that would be invalid alone", schema, set(elem(str("1"), in(part("q", 9))), elem(str("2"), in(bare))), c,
						set(elem(unknownStr, in(bare))), nil},
					{"the same null with another value", schema, set(elem(str("1"), in(part("q", 9))), elem(str("2"), in(bare))), c,
						set(elem(unknownStr, in(object(obj{"name": noStr, "size": num(9)})))), wrong(".v plan-set-element?")},
				})
			})
		}
	}
	inner := func(mode configschema.NestingMode) *configschema.Block {
		return schemaOfBlock(block(configschema.NestingSet, attrs{"conf": nested(mode, "optional", name)}))
	}
	lists, maps, single := inner(configschema.NestingList), inner(configschema.NestingMap), inner(configschema.NestingSingle)
	conf := func(v cty.Value) cty.Value { return set(object(obj{"conf": v})) }
	testPlanRows(t, []planRow{
		{"null in a prior element", single, conf(cty.NullVal(bare.Type())), conf(part("a", 1)), conf(part("x", 1)), wrong(".v plan-set-element?")},
		{"a null element in a prior element", lists, conf(list(cty.NullVal(bare.Type()), part("A", 1))), conf(list(part("a", 1))), conf(list(part("A", 1))), nil},
		{"any index", lists, conf(list(part("A", 1))), conf(list(part("a", 1), part("b", 2))), conf(list(part("a", 1), part("A", 2))), nil},
		{"any key", maps, conf(mapOf(obj{"k": part("A", 1)})), conf(mapOf(obj{"l": part("a", 1)})), conf(mapOf(obj{"l": part("A", 1)})), nil},
		{"a list as a whole, of another length", lists, conf(list(part("A", 1))), conf(list(part("a", 1), part("b", 2))), conf(list(part("A", 1))), nil},
		{"a list for a null element", lists, nullOf(lists), set(cty.NullVal(lists.ImpliedType().AttributeType("v").ElementType())), conf(list(part("a", 1))), wrong(".v plan-set-element?")},
		{"a list of another length", lists, conf(list(part("A", 2))), conf(list(part("a", 1), part("b", 2))), conf(list(part("a", 1))), wrong(".v plan-set-element?")},
	})
}

// manyRules returns the elements of a large set: configured, planned, planned with the
// equivalent prior names, and prior.
func manyRules(n int) (configs, plans, equivalents, priors []cty.Value) {
	for i := range n {
		name, zone := fmt.Sprintf("n%04d", i), fmt.Sprintf("z%04d", i)
		configs = append(configs, configured(name, zone))
		plans = append(plans, made(name, zone))
		equivalents = append(equivalents, made(strings.ToUpper(name), zone))
		priors = append(priors, rule(str(name), str(strings.ToUpper(name)), str("p")))
	}
	return configs, plans, equivalents, priors
}

// except returns the set with one element replaced.
func except(elems []cty.Value, i int, v cty.Value) cty.Value {
	changed := slices.Clone(elems)
	changed[i] = v
	return set(changed...)
}

func TestLargePlannedSetsNameTheWrongElement(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	configs, plans, equivalents, priors := manyRules(300)
	prior, config := set(priors...), set(configs...)
	swapped := slices.Clone(plans)
	swapped[100], swapped[200] = made("n0100", "z0200"), made("n0200", "z0100")
	asConfigured, equivalent := set(plans...), set(equivalents...)
	dishonest := []struct {
		name    string
		planned cty.Value
		named   string
	}{
		{"changed", except(plans, 123, made("x", "z0123")), `"x"`},
		{"removed", set(slices.Delete(slices.Clone(plans), 123, 124)...), `"n0123"`},
		{"added", set(append(slices.Clone(plans), made("x", "z"))...), `"x"`},
		{"swapped", set(swapped...), `"n0100"`},
		{"changed among 300 equivalent elements", except(equivalents, 123, made("x", "z0123")), `"x"`},
		{"removed among 300 equivalent elements", set(slices.Delete(slices.Clone(equivalents), 123, 124)...), `"n0123"`},
	}
	for kind, schema := range setKinds {
		t.Run(kind, func(t *testing.T) {
			testPlanRows(t, []planRow{
				{"as configured", schema, noRules, config, asConfigured, nil},
				{"equivalent values", schema, prior, config, equivalent, nil},
				{"prior", schema, prior, config, prior, nil},
			})
			tests := dishonest
			if kind == "attribute" {
				tests = dishonest[:4] // planned elements are compared in the same way
			}
			for _, test := range tests {
				t.Run(test.name, func(t *testing.T) {
					found := objchange.AssertPlanValid(compiled(schema), objectOf(prior), objectOf(config), objectOf(test.planned))
					expectElement(t, found, ".v", test.named)
				})
			}
		})
	}
}

// TestPlanSetRulesInsideElements checks specification.md#103-set-elements: an enforced
// violation inside an element means that the element does not come from the configured element.
// It is not reported itself.
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
		config, planned obj // the differences from elem; for planned also from config
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
		{"plan-null-blocks: config also null", obj{"list": noList}, obj{"list": noList, "one": tracked}, false},
		{"config null is empty", obj{"list": noList, "map": noMap, "set": noSet}, obj{"list": emptyItems, "map": emptyMap, "set": emptySet}, true},
		{"plan-dynamic-block", obj{"list": cty.UnknownVal(noList.Type())}, obj{"list": emptyItems}, false},
		{"plan-dynamic-block: equal except for a refinement", obj{"list": cty.UnknownVal(noList.Type()).RefineNotNull()}, obj{"list": cty.UnknownVal(noList.Type())}, false},
		{"blocks unknown as configured", obj{"list": cty.UnknownVal(noList.Type())}, obj{"list": cty.UnknownVal(noList.Type()), "one": tracked}, true},
		{"plan-unknown-blocks", nil, obj{"list": cty.UnknownVal(noList.Type())}, false},
		{"plan-unknown-block", nil, obj{"list": list(unknownItem)}, false},
		{"plan-set-element: changed", nil, obj{"set": set(x)}, false},
		{"plan-set-element: removed", obj{"set": set(a, b)}, obj{"set": set(a)}, false},
		{"plan-set-element: added", nil, obj{"set": set(a, x)}, false},
		{"plan-set-element: two elements for one", nil, obj{"set": set(a, tracked)}, false},
		{"a computed block supplied", nil, obj{"own": list(object(obj{"id": unknownStr}))}, true},
		{"a computed block unknown", nil, obj{"own": cty.UnknownVal(ownType)}, true},
		{"a computed block null", nil, obj{"own": cty.NullVal(ownType), "one": tracked}, false},
		{"an empty object for a null object", obj{"one": noItem}, obj{"one": empty}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			// The other element changes, so the sets are never equal.
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

// merge returns the entries of both maps. Entries of b win.
func merge[M ~map[string]V, V any](a, b M) M {
	both := M{}
	for _, m := range []M{a, b} {
		for name, v := range m {
			both[name] = v
		}
	}
	return both
}

// setInSet returns the schemas of a set inside a set, by kind.
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

// TestPlanSetInSet checks that violations in sets inside an element are reported at the outer
// set.
func TestPlanSetInSet(t *testing.T) {
	config := set(holder(noStr, "a", configured("a1", "1"), configured("a2", "2")), holder(noStr, "b", configured("b1", "1"), configured("b2", "2")))
	b := holder(unknownStr, "b", made("b1", "1"), made("b2", "2"))
	plan := func(rules ...cty.Value) cty.Value { return set(holder(unknownStr, "a", rules...), b) }
	prior := set(holder(str("1"), "p", rule(str("1"), str("A1"), str("I"))), holder(str("2"), "q", rule(str("2"), str("A2"), str("II"))))
	for kind, schema := range setInSet() {
		null, broken := nullOf(schema), wrong(".v plan-set-element?")
		t.Run(kind, func(t *testing.T) {
			testPlanRows(t, []planRow{
				{"computed values filled in", schema, null, config, plan(made("a1", "1"), made("a2", "2")), nil},
				{"values of any prior element's elements", schema, prior, config, plan(made("A1", "1"), made("A2", "II")), nil},
				{"an inner element changed", schema, null, config, plan(made("a1", "1"), made("x", "2")), broken},
				{"an inner element removed", schema, null, config, plan(made("a1", "1")), broken},
				{"an inner element added", schema, null, config, plan(made("a1", "1"), made("a2", "2"), made("x", "3")), broken},
				{"values swapped inside", schema, null, config, plan(made("a1", "2"), made("a2", "1")), broken},
				{"inner elements swapped", schema, null, config,
					set(holder(unknownStr, "a", made("a1", "1"), made("b2", "2")), holder(unknownStr, "b", made("b1", "1"), made("a2", "2"))), broken},
				{"an outer element changed", schema, null, config, set(holder(unknownStr, "x", made("a1", "1"), made("a2", "2")), b), broken},
				{"is not checked if a configured inner element is unknown", schema, null,
					set(holder(noStr, "a", configured("a1", "1"), cty.UnknownVal(ruleType))), set(holder(unknownStr, "a", made("x", "1"), made("y", "2"))), nil},
			})
		})
	}
}

// TestPlanSetInOtherNests checks that violations in a set inside other nesting are reported at
// the set.
func TestPlanSetInOtherNests(t *testing.T) {
	steps := map[configschema.NestingMode]string{configschema.NestingSingle: "", configschema.NestingGroup: "", configschema.NestingList: "[0]", configschema.NestingMap: `["k"]`}
	for mode, step := range steps {
		of := func(rules ...cty.Value) cty.Value { return wrapIn(mode, object(obj{"in": set(rules...)})) }
		withIn := attrs{"in": nested(configschema.NestingSet, "optional", ruleAttrs)}
		schemas := map[string]*configschema.Block{
			"block in block":     schemaOfBlock(block(mode, nil, blocks{"in": block(configschema.NestingSet, ruleAttrs)})),
			"attribute in block": schemaOfBlock(block(mode, withIn)),

			"attribute in attribute": schemaOf(nested(mode, "optional", withIn)),
		}
		c, m := configured("a", "1"), made("a", "1")
		for kind, schema := range schemas {
			t.Run(kind+" "+mode.String(), func(t *testing.T) {
				testPlanRows(t, []planRow{
					{"as configured", schema, nullOf(schema), of(c), of(m), nil},
					{"changed", schema, nullOf(schema), of(c), of(made("x", "1")), wrong(".v" + step + ".in plan-set-element?")},
					{"prior of that set", schema, of(rule(str("1"), str("x"), str("9"))), of(c), of(made("x", "1")), nil},
				})
			})
		}
	}
	lists := schemaOfBlock(block(configschema.NestingList, nil, blocks{"in": block(configschema.NestingSet, ruleAttrs)}))
	of := func(r cty.Value) cty.Value { return object(obj{"in": set(r)}) }
	testPlanRows(t, []planRow{{"prior of another index is not at the same place", lists,
		list(of(rule(str("1"), str("x"), str("9"))), of(rule(str("2"), str("b"), str("9")))),
		list(of(configured("a", "1")), of(configured("b", "1"))),
		list(of(made("b", "1")), of(made("b", "1"))),
		wrong(".v[0].in plan-set-element?")}})
}

// TestPlanSetNotDescended checks specification.md#103-set-elements: only sets that the check of
// the plan visits, and that are known on both sides, are compared.
func TestPlanSetNotDescended(t *testing.T) {
	block1 := setKinds["block"]
	optional := setKinds["attribute"]
	computedOnly := schemaOf(nested(configschema.NestingSet, "computed", ruleAttrs))
	both := schemaOf(nested(configschema.NestingSet, "optional computed", ruleAttrs))
	own := schemaOfBlock(computed(block(configschema.NestingSet, attrs{"id": attr(cty.String, "computed")})))
	c, x := set(configured("a", "1")), set(made("x", "1"))
	unknown := cty.UnknownVal(noRules.Type())
	testPlanRows(t, []planRow{
		{"equal to prior", optional, x, c, x, nil},
		{"read-only", computedOnly, noRules, c, x, nil},
		{"config null and computed", both, noRules, noRules, x, nil},
		{"config null and computed: blocks", own, nullOf(own), nullOf(own), set(object(obj{"id": str("1")})), nil},
		{"config unknown", optional, noRules, unknown, x, nil},
		{"config unknown: blocks", block1, noRules, unknown, x, wrong(".v plan-dynamic-block")},
		{"planned unknown", optional, noRules, c, unknown, wrong(".v plan-unknown-nested")},
		{"planned unknown: blocks", block1, noRules, c, unknown, wrong(".v plan-unknown-blocks")},
		{"config null, not computed", optional, noRules, noRules, x, wrong(".v plan-not-computed")},
	})
}

func TestLargePlannedSetsOfSetsNameTheWrongElement(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	checkSetOf300InSet(t, setInSet()["attribute in attribute"], func(inner string) string { return "outer " + inner })
}

// TestLargePlannedSetsThatDifferOnlyInside checks that elements that differ only in their inner
// sets are matched: the values that identify an element must also equal the configuration.
func TestLargePlannedSetsThatDifferOnlyInside(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	checkSetOf300InSet(t, setInSet()["block in block"], func(string) string { return "same" })
}

// checkSetOf300InSet plans 300 elements with two inner elements each, and the provider chooses
// the zone of one of them. Then it changes one value deep inside.
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

// TestPlanSetElementsApartByOnePart checks that one invalid part means that an element does not
// come from a configured element, even if all other parts equal the prior or the configured
// value. The order of parts varies.
func TestPlanSetElementsApartByOnePart(t *testing.T) {
	schema := schemaOfBlock(block(configschema.NestingSet, attrs{"name": attr(cty.String, "optional"), "conf": nested(configschema.NestingList, "optional", itemAttrs)}))
	el := func(name, conf string) cty.Value {
		return set(object(obj{"name": str(name), "conf": list(item(noStr, str(conf)))}))
	}
	for range 32 {
		testPlanRows(t, []planRow{
			{"all as before", schema, el("old", "old"), el("new", "new"), el("old", "old"), nil},
			{"one part from prior, the other in neither value", schema, el("old", "old"), el("new", "new"), el("x", "old"), wrong(".v plan-set-element?")},
		})
	}
	either := block(configschema.NestingSet, attrs{"in": nested(configschema.NestingSet, "optional", attrs{"id": attr(cty.String, "optional computed"), "name": attr(cty.String, "optional")})})
	in := func(elems ...cty.Value) cty.Value { return set(object(obj{"in": set(elems...)})) }
	one, open := item(str("1"), str("a")), item(noStr, str("a"))
	testPlanRows(t, []planRow{{"too few, of which each agrees", schemaOfBlock(either), cty.NullVal(in(one).Type()), in(open, one), in(one), wrong(".v plan-set-element?")}})
}
