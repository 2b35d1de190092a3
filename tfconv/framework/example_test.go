package framework_test

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/tfconv"
	"github.com/objchange/objchange/tfconv/framework"
)

var server = schema.Schema{Attributes: map[string]schema.Attribute{
	"name": schema.StringAttribute{Required: true},
	"id":   schema.StringAttribute{Computed: true},
}}

// A test checks whether Terraform accepts a plan of the framework.
func ExampleResource() {
	converted, err := framework.Resource(context.Background(), server)
	if err != nil {
		panic(err)
	}
	ty := server.Type().TerraformType(context.Background())
	plan := tfsdk.Plan{Schema: server, Raw: tftypes.NewValue(ty, map[string]tftypes.Value{
		"name": tftypes.NewValue(tftypes.String, "Web"),
		"id":   tftypes.NewValue(tftypes.String, tftypes.UnknownValue),
	})}
	planned, err := tfconv.ValueToCty(plan.Raw, converted.Block.ImpliedType())
	if err != nil {
		panic(err)
	}
	prior, _ := ctydata.ValueOf(converted.Block, nil)
	config, _ := ctydata.ValueOf(converted.Block, map[string]any{"name": "web"})
	schema, err := objchange.Compile(converted.Block)
	if err != nil {
		panic(err)
	}
	for _, found := range objchange.AssertPlanValid(schema, prior, config, planned) {
		fmt.Println(found)
	}
	// Output:
	// .name: planned "Web", but the configuration has "web" [plan-not-config]
}
