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

// semantics.md#planned-set-elements: set elements in a plan. Most tests are
// about elements with an id that the provider chooses, a name that the user
// does, and a zone that either may.
var (
	ruleAttrs = attrs{"id": attr(cty.String, "computed"), "name": attr(cty.String, "optional"), "zone": attr(cty.String, "optional computed")}
	ruleType  = cty.Object(map[string]cty.Type{"id": cty.String, "name": cty.String, "zone": cty.String})
	noRules   = cty.NullVal(cty.Set(ruleType))
)

func rule(id, name, zone cty.Value) cty.Value {
	return object(obj{"id": id, "name": name, "zone": zone})
}

// configured is an element as in a configuration, and made is the element that
// an honest provider plans for it.
func configured(name, zone string) cty.Value { return rule(noStr, str(name), str(zone)) }
func made(name, zone string) cty.Value       { return rule(unknownStr, str(name), str(zone)) }

// setKinds are the schemas of a set block and of a set nested attribute.
var setKinds = map[string]*configschema.Block{
	"block":     schemaOfBlock(block(configschema.NestingSet, ruleAttrs)),
	"attribute": schemaOf(nested(configschema.NestingSet, "optional", ruleAttrs)),
}

// expectElement expects that there is something against a plan, not enforced,
// and that the message names the value.
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

func TestPlanSetDishonestProvider(t *testing.T) {
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
		{"drops an element", set(a, b, c), set(ma, mc), `"b"`},
		{"drops two: the first in set order", set(a, b, c), set(ma), `"b"`},
		{"changes one and drops another: the planned one", set(a, b, c), set(ma, x), `"x"`},
		{"adds an element", set(a, b), set(ma, mb, x), `"x"`},
		{"adds one and drops another", set(a, b), set(ma, x), `"x"`},
		{"swaps values between elements", set(a, b), set(made("a", "2"), made("b", "1")), `"a"`},
		{"makes two of one and drops another", set(a, b), set(rule(str("1"), str("a"), str("1")), rule(str("2"), str("a"), str("1"))), `"b"`},
		{"makes a value unknown", set(a, b), set(ma, rule(noStr, str("b"), unknownStr)), `"b"`},
		{"makes a value null", set(a, b), set(ma, rule(noStr, str("b"), noStr)), `"b"`},
		{"plans what is neither configured nor computed", set(rule(noStr, noStr, str("1"))), set(x), `"x"`},
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

func TestPlanSetMoreElements(t *testing.T) {
	a := configured("a", "1")
	twice := set(rule(str("1"), str("a"), str("1")), rule(str("2"), str("a"), str("1")))
	testPlannings(t, []planning{
		{"block: two made of one", setKinds["block"], noRules, set(a), twice, wrong(".v plan-set-element?")},
		{"block: one of none", setKinds["block"], noRules, cty.SetValEmpty(ruleType), set(a), wrong(".v plan-set-element?")},
		{"block: config null is empty", setKinds["block"], noRules, noRules, set(a), wrong(".v plan-set-element?")},
		{"attribute: two made of one, the number known", setKinds["attribute"], noRules, set(a), twice, wrong(".v plan-count", ".v plan-set-element?")},
		{"attribute: two made of one, an id unknown", setKinds["attribute"], noRules, set(a),
			set(made("a", "1"), rule(str("2"), str("a"), str("1"))), wrong(".v plan-set-element?")},
	})
}

func TestPlanSetHonestProvider(t *testing.T) {
	a, b := configured("a", "1"), configured("b", "2")
	open := rule(noStr, str("a"), noStr) // leaves the zone to the provider
	prior := set(rule(str("1"), str("A"), str("I")), rule(str("2"), str("B"), str("II")))
	unknownRule := cty.UnknownVal(ruleType)
	refined := unknownStr.Refine().NotNull().NewValue()
	for kind, schema := range setKinds {
		t.Run(kind, func(t *testing.T) {
			testPlannings(t, []planning{
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
				{"plans one element for two where one is still unknown", schema, prior, set(open, rule(noStr, unknownStr, noStr)), set(rule(str("1"), str("A"), str("I"))), nil},
				{"is not asked where a configured element is unknown", schema, noRules, set(a, unknownRule), set(made("x", "1"), made("y", "2")), nil},
				{"plans none for none", schema, prior, cty.SetValEmpty(ruleType), cty.SetValEmpty(ruleType), nil},
			})
		})
	}
	testPlannings(t, []planning{
		{"block: elements coalesce into their equivalent", setKinds["block"], set(rule(str("1"), str("a"), str("1"))),
			set(a, configured("A", "1")), set(made("a", "1")), nil},
		{"block: elements coalesce as the provider fills in a value", setKinds["block"], noRules, set(open, a), set(made("a", "1")), nil},
		{"block: null elements", setKinds["block"], noRules, set(cty.NullVal(ruleType), a), set(cty.NullVal(ruleType), made("a", "1")), nil},
		{"attribute: an unknown element is not asked", setKinds["attribute"], noRules, set(a, b), set(unknownRule, made("x", "1")), nil},
		{"attribute: equal to prior as a whole, even in number", setKinds["attribute"], prior, set(a), prior, nil},
		{"block: an unknown element is not asked, but reported", setKinds["block"], noRules, set(a, b), set(unknownRule, made("x", "1")), wrong(".v[*] plan-unknown-block")},
	})
}

// What is honest elsewhere is not so here.
func TestPlanSetPriorElsewhere(t *testing.T) {
	prior := set(rule(str("P"), str("A"), str("I")))
	for kind, schema := range setKinds {
		t.Run(kind, func(t *testing.T) {
			testPlannings(t, []planning{
				{"a prior value of another attribute", schema, prior, set(configured("a", "1")), set(made("I", "1")), wrong(".v plan-set-element?")},
				{"a prior value where nothing is configured", schema, prior, set(rule(noStr, noStr, str("1"))), set(made("A", "1")), wrong(".v plan-set-element?")},
				{"a prior null", schema, set(rule(str("P"), noStr, str("I"))), set(configured("a", "1")), set(rule(unknownStr, noStr, str("1"))), wrong(".v plan-set-element?")},
				{"prior unknown", schema, cty.UnknownVal(noRules.Type()), set(configured("a", "1")), set(made("x", "1")), wrong(".v plan-set-element?")},
			})
		})
	}
}

// Numbers that take too long to be written are told apart nevertheless.
func TestPlanSetPriorOfHugeNumbers(t *testing.T) {
	schema := schemaOfBlock(block(configschema.NestingSet, attrs{"n": attr(cty.Number, "optional")}))
	of := func(n string) cty.Value { return set(object(obj{"n": cty.MustParseNumberVal(n)})) }
	testPlannings(t, []planning{
		{"the prior one", schema, of("1e-5000"), of("1"), of("1e-5000"), nil},
		{"another", schema, of("1e-5000"), of("1"), of("2e-5000"), wrong(".v plan-set-element?")},
	})
}

// Blocks in an element that are exactly as configured are fine, whatever is in them.
func TestPlanSetExactlyAsConfigured(t *testing.T) {
	schema := schemaOfBlock(block(configschema.NestingSet, ruleAttrs, blocks{"in": block(configschema.NestingList, itemAttrs)}))
	with := func(id cty.Value, in ...cty.Value) cty.Value {
		return set(object(obj{"id": id, "name": str("a"), "zone": noStr, "in": list(in...)}))
	}
	testPlannings(t, []planning{
		{"an unknown block", schema, nullOf(schema), with(noStr, unknownItem), with(unknownStr, unknownItem), nil},
		{"an unknown block beside another", schema, nullOf(schema), with(noStr, unknownItem, item(noStr, str("a"))), with(unknownStr, unknownItem, item(noStr, str("b"))), wrong(".v plan-set-element?")},
	})
}

// What is wrong with a set does not hide what is wrong beside it.
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

// "Any P" holds for nested objects and collections as wholes, and any index or
// key stands for any other.
func TestPlanSetPriorOfNestedAttributes(t *testing.T) {
	name := attrs{"name": attr(cty.String, "optional"), "size": attr(cty.Number, "optional")}
	part := func(n string, size int64) cty.Value { return object(obj{"name": str(n), "size": num(size)}) }
	bare := object(obj{"name": noStr, "size": num(1)})
	for _, mode := range attributeModes {
		inner := attrs{"id": attr(cty.String, "computed"), "conf": nested(mode, "optional", name)}
		elem := func(id, conf cty.Value) cty.Value { return object(obj{"id": id, "conf": conf}) }
		in := func(v cty.Value) cty.Value { return heldIn(mode, v) }
		for kind, schema := range map[string]*configschema.Block{
			"block":     schemaOfBlock(block(configschema.NestingSet, inner)),
			"attribute": schemaOf(nested(configschema.NestingSet, "optional", inner)),
		} {
			null := nullOf(schema)
			c := set(elem(noStr, in(part("a", 1))))
			t.Run(kind+" of "+mode.String(), func(t *testing.T) {
				testPlannings(t, []planning{
					{"as configured", schema, null, c, set(elem(unknownStr, in(part("a", 1)))), nil},
					{"changed", schema, null, c, set(elem(unknownStr, in(part("x", 1)))), wrong(".v plan-set-element?")},
					{"a leaf as in any prior element", schema, set(elem(str("1"), in(part("q", 9))), elem(str("2"), in(part("A", 8)))), c,
						set(elem(unknownStr, in(part("A", 1)))), nil},
					{"leaves as in several prior elements", schema, set(elem(str("1"), in(part("q", 9))), elem(str("2"), in(part("A", 8)))), c,
						set(elem(unknownStr, in(part("A", 9)))), nil},
					{"as a whole as in any prior element, with a null that would not be fine", schema, set(elem(str("1"), in(part("q", 9))), elem(str("2"), in(bare))), c,
						set(elem(unknownStr, in(bare))), nil},
					{"the same null beside something else", schema, set(elem(str("1"), in(part("q", 9))), elem(str("2"), in(bare))), c,
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
	testPlannings(t, []planning{
		{"null in a prior element", single, conf(cty.NullVal(bare.Type())), conf(part("a", 1)), conf(part("x", 1)), wrong(".v plan-set-element?")},
		{"a null element in a prior one", lists, conf(list(cty.NullVal(bare.Type()), part("A", 1))), conf(list(part("a", 1))), conf(list(part("A", 1))), nil},
		{"any index", lists, conf(list(part("A", 1))), conf(list(part("a", 1), part("b", 2))), conf(list(part("a", 1), part("A", 2))), nil},
		{"any key", maps, conf(mapOf(obj{"k": part("A", 1)})), conf(mapOf(obj{"l": part("a", 1)})), conf(mapOf(obj{"l": part("A", 1)})), nil},
		{"a list as a whole, of another length", lists, conf(list(part("A", 1))), conf(list(part("a", 1), part("b", 2))), conf(list(part("A", 1))), nil},
		{"of a null element", lists, nullOf(lists), set(cty.NullVal(lists.ImpliedType().AttributeType("v").ElementType())), conf(list(part("a", 1))), wrong(".v plan-set-element?")},
		{"a list of another length", lists, conf(list(part("A", 2))), conf(list(part("a", 1), part("b", 2))), conf(list(part("a", 1))), wrong(".v plan-set-element?")},
	})
}

// manyRules are the elements of a large set: configured, as planned, and as
// planned with the equivalent names that the prior elements have.
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

func TestPlanSetOf300(t *testing.T) {
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
		{"dropped", set(slices.Delete(slices.Clone(plans), 123, 124)...), `"n0123"`},
		{"added", set(append(slices.Clone(plans), made("x", "z"))...), `"x"`},
		{"swapped", set(swapped...), `"n0100"`},
		{"changed among 300 equivalent ones", except(equivalents, 123, made("x", "z0123")), `"x"`},
		{"dropped among 300 equivalent ones", set(slices.Delete(slices.Clone(equivalents), 123, 124)...), `"n0123"`},
	}
	for kind, schema := range setKinds {
		t.Run(kind, func(t *testing.T) {
			testPlannings(t, []planning{
				{"as configured", schema, noRules, config, asConfigured, nil},
				{"equivalent values", schema, prior, config, equivalent, nil},
				{"prior", schema, prior, config, prior, nil},
			})
			tests := dishonest
			if kind == "attribute" {
				tests = dishonest[:4] // what is planned is compared in the same way
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

// What would take more than 100 000 tries is not reported.
func TestPlanSetBoundedWork(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	const n = 600
	configs, plans, equivalents, priors := manyRules(n)
	last := made("x", "z")
	planned := except(equivalents, n-1, last)
	if elems := planned.AsValueSlice(); !elems[n-1].RawEquals(last) {
		t.Fatal("the elements are in another order")
	}
	schema := setKinds["block"]
	testPlannings(t, []planning{
		{"most elements need more tries", schema, set(priors...), set(configs...), planned, nil},
		{"most elements are found at once", schema, set(priors...), set(configs...), except(plans, n-1, last), wrong(".v plan-set-element?")},
	})
}
