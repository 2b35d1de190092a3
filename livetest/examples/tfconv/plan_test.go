package tfconv_test

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/ctydata"
	provider "github.com/objchange/objchange/livetest/frameworkprovider" // yours
	"github.com/objchange/objchange/tfconv"
	"github.com/zclconf/go-cty/cty"
)

// Does the provider plan a new object as Terraform requires?
func Example() {
	ctx, typeName := context.Background(), "fw_plan_not_config"
	server := providerserver.NewProtocol6(new(provider.Provider))()
	schemas := must(server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{}))
	block := must(tfconv.Schema6(schemas.ResourceSchemas[typeName])).Block
	schema := must(objchange.Compile(block))
	ty := schema.ImpliedType()
	prior, config := cty.NullVal(ty), must(ctydata.ValueOf(block, map[string]any{"name": "web"}))
	response := must(server.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{
		TypeName: typeName, PriorState: must(tfconv.Encode6(prior, ty)), Config: must(tfconv.Encode6(config, ty)),
		ProposedNewState: must(tfconv.Encode6(must(objchange.ProposedNew(schema, prior, config)), ty)),
	}))
	planned := must(tfconv.Decode6(response.PlannedState, ty))
	for _, violation := range objchange.AssertPlanValid(schema, prior, config, planned) {
		fmt.Println(violation)
	}
	// Output: .name: planned "other", but the configuration has "web" [plan-not-config]
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
