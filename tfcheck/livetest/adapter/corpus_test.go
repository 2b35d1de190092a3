package main

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/conformance"
	"github.com/objchange/objchange/tfconv"
)

// What becomes of all cases, and of every tenth, which -short asks. What the framework can
// express it plans by the rules, those that Core does not enforce too: no line begins with
// "breaks". It plans something else than objchange.PlanComputed for the reasons that
// TestPlans has examples of.
//
// Nearly all the time goes into two cases with sets in sets in sets. For each place in
// a set the framework looks up the element's path, and that compares elements along paths
// again, so that a level of nesting costs much more than the elements it adds.
var outcomes = map[string]struct{ all, tenth int }{
	"same":                                  {2041, 208},
	"same: as PlanComputed":                 {1181, 119},
	"unsupported":                           {2777, 273},
	"unsupported: a tuple":                  {1168, 126},
	"unsupported: a block of group nesting": {535, 38},
	"unsupported: a block of map nesting":   {733, 79},
	"unsupported: a computed block":         {44, 5},
	"unsupported: a write-only set":         {71, 8},
	"unsupported: the framework finds fault with the schema": {226, 17},
}

func TestCorpus(t *testing.T) {
	got := map[string]int{}
	var last *conformance.Schema
	asked := 0
	for c, err := range conformance.Cases() {
		if err != nil {
			t.Fatal(err)
		}
		if c.Op != conformance.OpComputed {
			continue
		}
		if asked++; testing.Short() && asked%10 != 0 {
			continue
		}
		if c.Schema != last {
			last = c.Schema
			servesSame(t, c.Schema)
		}
		for _, what := range said(t, c) {
			got[what]++
		}
	}
	want := map[string]int{}
	for what, n := range outcomes {
		want[what] = n.all
		if testing.Short() {
			want[what] = n.tenth
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// said returns what there is to say of the framework's answer.
func said(t *testing.T, c *conformance.Case) []string {
	o := answer(c)
	verdict := string(c.Judge(o).Verdict)
	switch o.Kind {
	case conformance.KindUnsupported:
		return []string{verdict, verdict + ": " + reason(c)}
	case conformance.KindErrors:
		t.Errorf("%s: %s", c.Name(), o.Problems[0].Message)
		return []string{verdict}
	}
	all := []string{verdict}
	if own := conformance.Ask(c); own.Value.RawEquals(o.Value) {
		all = append(all, verdict+": as PlanComputed")
	}
	broken := map[objchange.Rule]bool{}
	schema, err := objchange.Compile(c.Schema.Block)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range objchange.AssertPlanValid(schema, c.In["prior"], c.In["config"], o.Value) {
		if !broken[v.Rule] {
			t.Logf("%s: %s", c.Name(), v)
			all = append(all, "breaks "+string(v.Rule))
		}
		broken[v.Rule] = true
	}
	return all
}

// reason returns why a case is not for the framework, without the place.
func reason(c *conformance.Case) string {
	_, _, err := serve(c.Schema.Block)
	if r := (*refusal)(nil); errors.As(err, &r) {
		return r.why
	}
	return "the framework finds fault with the schema"
}

// servesSame holds what is served to the schema that is asked for, if it can be.
func servesSame(t *testing.T, asked *conformance.Schema) {
	t.Helper()
	_, served, err := serve(asked.Block)
	if err != nil {
		return
	}
	got, err := tfconv.Schema6(served)
	if err != nil {
		t.Errorf("%s: %v", asked.Name, err)
		return
	}
	if d := cmp.Diff(asked.Block, got.Block, cmp.Comparer(cty.Type.Equals), cmpopts.EquateEmpty(), leftOut); d != "" {
		t.Errorf("%s: the framework serves another schema (-want +got):\n%s", asked.Name, d)
	}
}

var leftOut = cmp.Options{
	cmpopts.IgnoreFields(configschema.NestedBlock{}, "MinItems", "MaxItems"),
	cmpopts.IgnoreFields(configschema.Block{}, "Description", "DescriptionKind", "Deprecated", "DeprecationMessage"),
	cmpopts.IgnoreFields(configschema.Attribute{}, "Description", "DescriptionKind", "Deprecated", "DeprecationMessage"),
}
