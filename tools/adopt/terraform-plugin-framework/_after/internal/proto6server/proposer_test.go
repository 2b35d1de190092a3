package proto6server

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/internal/fwserver"
	"github.com/hashicorp/terraform-plugin-framework/internal/testing/testprovider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// TestProposesInside checks that the framework's server proposes a value that keeps computed values
// and contains configured values.
func TestProposesInside(t *testing.T) {
	ctx := context.Background()
	server := schema.Schema{Attributes: map[string]schema.Attribute{
		"id":   schema.StringAttribute{Computed: true},
		"name": schema.StringAttribute{Required: true},
	}}
	s := &Server{FrameworkServer: fwserver.Server{Provider: &testprovider.Provider{
		ResourcesMethod: func(context.Context) []func() resource.Resource {
			return []func() resource.Resource{func() resource.Resource {
				return &testprovider.Resource{
					MetadataMethod: func(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
						resp.TypeName = "cloud_server"
					},
					SchemaMethod: func(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
						resp.Schema = server
					},
				}
			}}
		},
	}}}
	proposer, diags := s.newProposer(ctx, "cloud_server")
	if diags.HasError() {
		t.Fatal(diags)
	}
	value := func(id, name any) tftypes.Value {
		return tftypes.NewValue(server.Type().TerraformType(ctx), map[string]tftypes.Value{
			"id": tftypes.NewValue(tftypes.String, id), "name": tftypes.NewValue(tftypes.String, name),
		})
	}
	got, err := s.FrameworkServer.ProposedNewState(proposer,
		tfsdk.State{Schema: server, Raw: value("i-1", "web")}, tfsdk.Config{Schema: server, Raw: value(nil, "www")})
	if want := value("i-1", "www"); err != nil || !got.Raw.Equal(want) {
		t.Errorf("got %s, %v; want %s", got.Raw, err, want)
	}
}
