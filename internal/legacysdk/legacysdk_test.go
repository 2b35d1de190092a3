package legacysdk

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// TestHiddenKeyIsFoundAgain checks that a violation of marked values, whose keys are hidden, is not of the
// legacy SDK if the check without marks finds it too.
func TestHiddenKeyIsFoundAgain(t *testing.T) {
	rule := &configschema.NestedBlock{Nesting: configschema.NestingMap, Block: configschema.Block{
		Attributes: map[string]*configschema.Attribute{"name": {Type: cty.String, Optional: true}},
	}}
	schema, err := objchange.Compile(&configschema.Block{BlockTypes: map[string]*configschema.NestedBlock{"rule": rule}})
	if err != nil {
		t.Fatal(err)
	}
	of := func(name string) cty.Value {
		named := cty.ObjectVal(map[string]cty.Value{"name": cty.StringVal(name)})
		return cty.ObjectVal(map[string]cty.Value{"rule": cty.MapVal(map[string]cty.Value{"key": named}).Mark("secret")})
	}
	none := cty.NullVal(schema.ImpliedType())
	config, planned := of("a"), of("b")
	found := objchange.AssertPlanValid(schema, none, config, planned)
	for _, v := range found {
		v.Phase = objchange.PhasePlan
	}
	Mark(found, config, planned, func() objchange.Violations {
		return objchange.AssertPlanValid(schema, none, Null(schema, config), Null(schema, planned))
	})
	if len(found) != 1 {
		t.Fatalf("found %v", found)
	}
	if v := found[0]; v.PathString() != ".rule[(sensitive)].name" || v.Severity != objchange.Rejected {
		t.Errorf("%v is %s", v, v.Severity)
	}
}
