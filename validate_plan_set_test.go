package objchange_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
)

// Tests of specification.md#103-set-elements: set elements in a plan. Most tests use elements
// with an id that the provider chooses, a name that the user sets, and a zone that either may
// choose.
var (
	ruleAttrs = Attrs{"id": Attr(cty.String, "computed"), "name": Attr(cty.String, "optional"), "zone": Attr(cty.String, "optional computed")}
	ruleType  = cty.Object(map[string]cty.Type{"id": cty.String, "name": cty.String, "zone": cty.String})
	noRules   = cty.NullVal(cty.Set(ruleType))
)

func rule(id, name, zone cty.Value) cty.Value {
	return Object(Obj{"id": id, "name": name, "zone": zone})
}

// configured returns an element of a configuration. made returns the element that a valid
// provider plans for it.
func configured(name, zone string) cty.Value { return rule(NoStr, Str(name), Str(zone)) }
func made(name, zone string) cty.Value       { return rule(UnknownStr, Str(name), Str(zone)) }

// setKinds are the schemas of a set block and of a set nested attribute.
var setKinds = map[string]*configschema.Block{
	"block":     SchemaOfBlock(Block(configschema.NestingSet, ruleAttrs)),
	"attribute": SchemaOf(Nested(configschema.NestingSet, "optional", ruleAttrs)),
}

// expectElement checks that there is one violation, that it is not enforced, and that its
// message names the value.
func expectElement(t *testing.T, found objchange.Violations, path, named string) {
	t.Helper()
	for _, v := range found {
		if v.Rule != objchange.RulePlanSetElement {
			continue
		}
		if v.Severity != objchange.Unchecked || v.PathString() != path || !strings.Contains(v.Message, named) {
			t.Errorf("want a violation at %s that names %s and is unchecked, got %s (%s)", path, named, v, v.Severity)
		}
		return
	}
	t.Errorf("got %q, want a plan-set-element at %s", Summary(found), path)
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
		{"changes two: the first in set order", Set(a, b, c), Set(ma, y, x), `"x"`},
		{"removes two: the first in set order", Set(a, b, c), Set(ma), `"b"`},
		{"changes one and removes another: the planned element", Set(a, b, c), Set(ma, x), `"x"`},
		{"adds an element", Set(a, b), Set(ma, mb, x), `"x"`},
		{"swaps values between elements", Set(a, b), Set(made("a", "2"), made("b", "1")), `"a"`},
		{"plans two elements for one and removes another", Set(a, b), Set(rule(Str("1"), Str("a"), Str("1")), rule(Str("2"), Str("a"), Str("1"))), `"b"`},
		{"plans a value null", Set(a, b), Set(ma, rule(NoStr, Str("b"), NoStr)), `"b"`},
	}
	for kind, schema := range setKinds {
		for _, test := range tests {
			t.Run(kind+" "+test.name, func(t *testing.T) {
				found := objchange.AssertPlanValid(Compiled(schema), ObjectOf(noRules), ObjectOf(test.config), ObjectOf(test.planned))
				expectElement(t, found, ".v", test.named)
				if kind == "block" {
					Expect(t, found, ".v plan-set-element?")
				}
			})
		}
	}
}

func TestPlanSetElementsFromConfigOrPriorAreFine(t *testing.T) {
	a, b := configured("a", "1"), configured("b", "2")
	open := rule(NoStr, Str("a"), NoStr) // the provider may choose the zone
	prior := Set(rule(Str("1"), Str("A"), Str("I")), rule(Str("2"), Str("B"), Str("II")))
	unknownRule := cty.UnknownVal(ruleType)
	refined := UnknownStr.Refine().NotNull().NewValue()
	for kind, schema := range setKinds {
		t.Run(kind, func(t *testing.T) {
			testPlanRows(t, []planRow{
				{"plans computed values unknown where they could be configured", schema, noRules, Set(open, b), Set(rule(UnknownStr, Str("a"), UnknownStr), b), nil},
				{"keeps all prior values", schema, prior, Set(a, b), prior, nil},
				{"keeps values of several prior elements in one", schema, prior, Set(a), Set(rule(Str("9"), Str("A"), Str("II"))), nil},
				{"plans an unknown with other refinements", schema, noRules, Set(a, rule(NoStr, refined, NoStr)), Set(a, rule(UnknownStr, UnknownStr, UnknownStr)), nil},
				{"plans one element for two if one is partly unknown", schema, prior, Set(open, rule(NoStr, UnknownStr, NoStr)), Set(rule(Str("1"), Str("A"), Str("I"))), nil},
				{"is not checked if a configured element is unknown", schema, noRules, Set(a, unknownRule), Set(made("x", "1"), made("y", "2")), nil},
			})
		})
	}
	testPlanRows(t, []planRow{
		{"block: elements coalesce into their equivalent", setKinds["block"], Set(rule(Str("1"), Str("a"), Str("1"))),
			Set(a, configured("A", "1")), Set(made("a", "1")), nil},
		{"block: elements coalesce as the provider fills in a value", setKinds["block"], noRules, Set(open, a), Set(made("a", "1")), nil},
		{"block: null elements", setKinds["block"], noRules, Set(cty.NullVal(ruleType), a), Set(cty.NullVal(ruleType), made("a", "1")), nil},
		{"attribute: an unknown element is not checked", setKinds["attribute"], noRules, Set(a, b), Set(unknownRule, made("x", "1")), nil},
		{"block: an unknown element is reported as unknown only", setKinds["block"], noRules, Set(a, b), Set(unknownRule, made("x", "1")), wrong(".v[*] plan-unknown-block")},
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
		priors = append(priors, rule(Str(name), Str(strings.ToUpper(name)), Str("p")))
	}
	return configs, plans, equivalents, priors
}

// except returns the set with one element replaced.
func except(elems []cty.Value, i int, v cty.Value) cty.Value {
	changed := slices.Clone(elems)
	changed[i] = v
	return Set(changed...)
}

// merge returns the entries of both maps. Entries of b win.
func merge[M ~map[string]V, V any](a, b M) M {
	both := M{}
	for _, m := range []M{a, b} {
		maps.Copy(both, m)
	}
	return both
}
