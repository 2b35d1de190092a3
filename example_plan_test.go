package objchange_test

import (
	"fmt"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
	"github.com/zclconf/go-cty/cty"
)

// A plan is checked against the rules.
func Example() {
	block := &configschema.Block{Attributes: map[string]*configschema.Attribute{
		"id":    {Type: cty.String, Computed: true},
		"name":  {Type: cty.String, Required: true},
		"token": {Type: cty.String, Optional: true, Sensitive: true},
	}}
	type data = map[string]any
	schema, err := objchange.Compile(block)
	if err != nil {
		panic(err)
	}
	prior, _ := ctydata.ValueOf(block, data{"id": "i-1", "name": "web", "token": "old"})
	config, _ := ctydata.ValueOf(block, data{"name": "web", "token": "new"})
	proposed, err := objchange.ProposedNew(schema, prior, config) // Terraform sends the proposed state to the provider
	if err != nil {
		panic(err)
	}
	fmt.Println(proposed.GetAttr("id").AsString())

	planned, _ := ctydata.ValueOf(block, data{"id": "i-1", "name": "Web", "token": "other"}) // the provider returns the planned state
	for _, v := range objchange.AssertPlanValid(schema, prior, config, planned) {
		fmt.Println(v.Severity, v)
	}
	// Output:
	// i-1
	// rejected .name: planned "Web", but the configuration has "web" and the prior state has "web" [plan-not-config]
	// rejected .token: the planned value differs from the configuration and from the prior state [plan-not-config]
}
