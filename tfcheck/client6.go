package tfcheck

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/objchange/objchange/tfcheck/internal/wire"
)

// client6 is a provider of protocol 6 that is called over the wire.
type client6 struct{ plugin caller }

var _ tfprotov6.ProviderServer = &client6{}

func (c *client6) GetMetadata(ctx context.Context, req *tfprotov6.GetMetadataRequest) (*tfprotov6.GetMetadataResponse, error) {
	return call[tfprotov6.GetMetadataResponse](ctx, c.plugin, wire.Service6, "GetMetadata", req)
}

func (c *client6) GetProviderSchema(ctx context.Context, req *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	return call[tfprotov6.GetProviderSchemaResponse](ctx, c.plugin, wire.Service6, "GetProviderSchema", req)
}

func (c *client6) GetResourceIdentitySchemas(ctx context.Context, req *tfprotov6.GetResourceIdentitySchemasRequest) (*tfprotov6.GetResourceIdentitySchemasResponse, error) {
	return call[tfprotov6.GetResourceIdentitySchemasResponse](ctx, c.plugin, wire.Service6, "GetResourceIdentitySchemas", req)
}

func (c *client6) ValidateProviderConfig(ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return call[tfprotov6.ValidateProviderConfigResponse](ctx, c.plugin, wire.Service6, "ValidateProviderConfig", req)
}

func (c *client6) ConfigureProvider(ctx context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	return call[tfprotov6.ConfigureProviderResponse](ctx, c.plugin, wire.Service6, "ConfigureProvider", req)
}

func (c *client6) StopProvider(ctx context.Context, req *tfprotov6.StopProviderRequest) (*tfprotov6.StopProviderResponse, error) {
	return call[tfprotov6.StopProviderResponse](ctx, c.plugin, wire.Service6, "StopProvider", req)
}

func (c *client6) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return call[tfprotov6.ValidateResourceConfigResponse](ctx, c.plugin, wire.Service6, "ValidateResourceConfig", req)
}

func (c *client6) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return call[tfprotov6.UpgradeResourceStateResponse](ctx, c.plugin, wire.Service6, "UpgradeResourceState", req)
}

func (c *client6) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return call[tfprotov6.ReadResourceResponse](ctx, c.plugin, wire.Service6, "ReadResource", req)
}

func (c *client6) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return call[tfprotov6.PlanResourceChangeResponse](ctx, c.plugin, wire.Service6, "PlanResourceChange", req)
}

func (c *client6) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return call[tfprotov6.ApplyResourceChangeResponse](ctx, c.plugin, wire.Service6, "ApplyResourceChange", req)
}

func (c *client6) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	return call[tfprotov6.ImportResourceStateResponse](ctx, c.plugin, wire.Service6, "ImportResourceState", req)
}

func (c *client6) MoveResourceState(ctx context.Context, req *tfprotov6.MoveResourceStateRequest) (*tfprotov6.MoveResourceStateResponse, error) {
	return call[tfprotov6.MoveResourceStateResponse](ctx, c.plugin, wire.Service6, "MoveResourceState", req)
}

func (c *client6) UpgradeResourceIdentity(ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	return call[tfprotov6.UpgradeResourceIdentityResponse](ctx, c.plugin, wire.Service6, "UpgradeResourceIdentity", req)
}

func (c *client6) GenerateResourceConfig(ctx context.Context, req *tfprotov6.GenerateResourceConfigRequest) (*tfprotov6.GenerateResourceConfigResponse, error) {
	return call[tfprotov6.GenerateResourceConfigResponse](ctx, c.plugin, wire.Service6, "GenerateResourceConfig", req)
}

func (c *client6) ValidateDataResourceConfig(ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return call[tfprotov6.ValidateDataResourceConfigResponse](ctx, c.plugin, wire.Service6, "ValidateDataResourceConfig", req)
}

func (c *client6) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	return call[tfprotov6.ReadDataSourceResponse](ctx, c.plugin, wire.Service6, "ReadDataSource", req)
}

func (c *client6) CallFunction(ctx context.Context, req *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	return call[tfprotov6.CallFunctionResponse](ctx, c.plugin, wire.Service6, "CallFunction", req)
}

func (c *client6) GetFunctions(ctx context.Context, req *tfprotov6.GetFunctionsRequest) (*tfprotov6.GetFunctionsResponse, error) {
	return call[tfprotov6.GetFunctionsResponse](ctx, c.plugin, wire.Service6, "GetFunctions", req)
}

func (c *client6) ValidateEphemeralResourceConfig(ctx context.Context, req *tfprotov6.ValidateEphemeralResourceConfigRequest) (*tfprotov6.ValidateEphemeralResourceConfigResponse, error) {
	return call[tfprotov6.ValidateEphemeralResourceConfigResponse](ctx, c.plugin, wire.Service6, "ValidateEphemeralResourceConfig", req)
}

func (c *client6) OpenEphemeralResource(ctx context.Context, req *tfprotov6.OpenEphemeralResourceRequest) (*tfprotov6.OpenEphemeralResourceResponse, error) {
	return call[tfprotov6.OpenEphemeralResourceResponse](ctx, c.plugin, wire.Service6, "OpenEphemeralResource", req)
}

func (c *client6) RenewEphemeralResource(ctx context.Context, req *tfprotov6.RenewEphemeralResourceRequest) (*tfprotov6.RenewEphemeralResourceResponse, error) {
	return call[tfprotov6.RenewEphemeralResourceResponse](ctx, c.plugin, wire.Service6, "RenewEphemeralResource", req)
}

func (c *client6) CloseEphemeralResource(ctx context.Context, req *tfprotov6.CloseEphemeralResourceRequest) (*tfprotov6.CloseEphemeralResourceResponse, error) {
	return call[tfprotov6.CloseEphemeralResourceResponse](ctx, c.plugin, wire.Service6, "CloseEphemeralResource", req)
}
