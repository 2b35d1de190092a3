package tfcheck_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/encoded"
)

// TestFinalPlanFollowsInitialPlan checks which plans may be the initial plan of a final plan, and
// what Core accepts in the final plan.
func TestFinalPlanFollowsInitialPlan(t *testing.T) {
	schema := must(objchange.Compile(&configschema.Block{Attributes: map[string]*configschema.Attribute{
		"name": {Type: cty.String, Optional: true}, "tags": {Type: cty.String, Optional: true, Computed: true},
	}}))
	object := func(name, tags string) cty.Value {
		values := map[string]cty.Value{"name": cty.NullVal(cty.String), "tags": cty.NullVal(cty.String)}
		for attr, v := range map[string]string{"name": name, "tags": tags} {
			switch v {
			case "":
			case "?":
				values[attr] = cty.UnknownVal(cty.String)
			default:
				values[attr] = cty.StringVal(v)
			}
		}
		return cty.ObjectVal(values)
	}
	plan := func(prior, config, planned cty.Value, change ...func(*encoded.Result)) encoded.Result {
		x := tfcheck.Exchange{RPC: "PlanResourceChange", TypeName: "test_thing", Schema: schema, Prior: prior, Config: config, Response: planned}
		r := encoded.Result{Exchange: x}
		for _, c := range change {
			c(&r)
		}
		return r
	}
	legacy := func(r *encoded.Result) { r.Legacy = true }
	replaces := func(r *encoded.Result) { r.RequiresReplace = []cty.Path{cty.GetAttrPath("name")} }
	none, prior := cty.NullVal(object("", "").Type()), object("a", "t")
	for name, test := range map[string]struct {
		initial, final encoded.Result
		want           objchange.Rule
	}{
		"another configuration": {plan(none, object("b", ""), object("b", "x")), plan(none, object("a", ""), object("a", "y")), ""},
		"refined configuration": {plan(none, object("?", ""), object("?", "x")), plan(none, object("a", ""), object("a", "y")), objchange.RuleInconsistentValue},
		"to no-op":              {plan(prior, object("?", ""), object("?", "t")), plan(prior, object("a", ""), object("a", "t")), ""},
		"to replace": {
			plan(prior, object("?", ""), object("?", "t")), plan(prior, object("b", ""), object("b", "t"), replaces), objchange.RuleActionChanged,
		},
		"failed": {
			plan(none, object("a", ""), object("a", "x")),
			plan(none, object("a", ""), object("a", "y"), func(r *encoded.Result) { r.Failed = true }), "",
		},
		"ignored": { // ignore_changes = [tags]: the configuration has the prior value
			plan(prior, object("b", "t"), object("b", "x"), legacy), plan(prior, object("b", "t"), object("b", "y"), legacy), "",
		},
		"not ignored": {
			plan(prior, object("b", ""), object("b", "x"), legacy), plan(prior, object("b", ""), object("b", "y"), legacy),
			objchange.RuleInconsistentValue,
		},
		"not of the legacy SDK": {
			plan(prior, object("b", "t"), object("b", "x")), plan(prior, object("b", "t"), object("b", "y")), objchange.RuleInconsistentValue,
		},
	} {
		var got objchange.Rule
		for _, f := range encoded.Replan([]encoded.Result{test.initial}, test.final) {
			got = f.Violations[0].Rule
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}
