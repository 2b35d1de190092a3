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
	ma, mb := made("a", "1"), made("b", "2")
	x, y := made("x", "2"), made("y", "2")
	tests := []struct {
		name            string
		config, planned cty.Value
		named           string
	}{
		{"changes two: the first in set order", set(a, b, c), set(ma, y, x), `"x"`},
		{"removes two: the first in set order", set(a, b, c), set(ma), `"b"`},
		{"changes one and removes another: the planned element", set(a, b, c), set(ma, x), `"x"`},
		{"adds an element", set(a, b), set(ma, mb, x), `"x"`},
		{"swaps values between elements", set(a, b), set(made("a", "2"), made("b", "1")), `"a"`},
		{"plans two elements for one and removes another", set(a, b), set(rule(str("1"), str("a"), str("1")), rule(str("2"), str("a"), str("1"))), `"b"`},
		{"plans a value null", set(a, b), set(ma, rule(noStr, str("b"), noStr)), `"b"`},
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
				{"plans computed values unknown where they could be configured", schema, noRules, set(open, b), set(rule(unknownStr, str("a"), unknownStr), b), nil},
				{"keeps all prior values", schema, prior, set(a, b), prior, nil},
				{"keeps values of several prior elements in one", schema, prior, set(a), set(rule(str("9"), str("A"), str("II"))), nil},
				{"plans an unknown with other refinements", schema, noRules, set(a, rule(noStr, refined, noStr)), set(a, rule(unknownStr, unknownStr, unknownStr)), nil},
				{"plans one element for two if one is partly unknown", schema, prior, set(open, rule(noStr, unknownStr, noStr)), set(rule(str("1"), str("A"), str("I"))), nil},
				{"is not checked if a configured element is unknown", schema, noRules, set(a, unknownRule), set(made("x", "1"), made("y", "2")), nil},
			})
		})
	}
	testPlanRows(t, []planRow{
		{"block: elements coalesce into their equivalent", setKinds["block"], set(rule(str("1"), str("a"), str("1"))),
			set(a, configured("A", "1")), set(made("a", "1")), nil},
		{"block: elements coalesce as the provider fills in a value", setKinds["block"], noRules, set(open, a), set(made("a", "1")), nil},
		{"block: null elements", setKinds["block"], noRules, set(cty.NullVal(ruleType), a), set(cty.NullVal(ruleType), made("a", "1")), nil},
		{"attribute: an unknown element is not checked", setKinds["attribute"], noRules, set(a, b), set(unknownRule, made("x", "1")), nil},
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
				{"values of any prior element's elements", schema, prior, config, plan(made("A1", "1"), made("A2", "II")), nil},
				{"an inner element removed", schema, null, config, plan(made("a1", "1")), broken},
				{"inner elements swapped", schema, null, config,
					set(holder(unknownStr, "a", made("a1", "1"), made("b2", "2")), holder(unknownStr, "b", made("b1", "1"), made("a2", "2"))), broken},
				{"is not checked if a configured inner element is unknown", schema, null,
					set(holder(noStr, "a", configured("a1", "1"), cty.UnknownVal(ruleType))), set(holder(unknownStr, "a", made("x", "1"), made("y", "2"))), nil},
			})
		})
	}
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
