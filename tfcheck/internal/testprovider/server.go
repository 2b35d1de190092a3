package testprovider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Server6 is a server of protocol 6 that answers what Answer says.
type Server6 struct {
	// Answer takes the name of the method and its request; it returns its
	// response, a pointer to the method's struct, or nil for an empty one.
	Answer func(ctx context.Context, rpc string, request any) (any, error)
}

var _ tfprotov6.ProviderServer = &Server6{}

// GetMetadata returns what Answer returns.
func (s *Server6) GetMetadata(ctx context.Context, req *tfprotov6.GetMetadataRequest) (*tfprotov6.GetMetadataResponse, error) {
	return answer[tfprotov6.GetMetadataResponse](ctx, s.Answer, "GetMetadata", req)
}

// GetProviderSchema returns what Answer returns.
func (s *Server6) GetProviderSchema(ctx context.Context, req *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	return answer[tfprotov6.GetProviderSchemaResponse](ctx, s.Answer, "GetProviderSchema", req)
}

// GetResourceIdentitySchemas returns what Answer returns.
func (s *Server6) GetResourceIdentitySchemas(ctx context.Context, req *tfprotov6.GetResourceIdentitySchemasRequest) (*tfprotov6.GetResourceIdentitySchemasResponse, error) {
	return answer[tfprotov6.GetResourceIdentitySchemasResponse](ctx, s.Answer, "GetResourceIdentitySchemas", req)
}

// ValidateProviderConfig returns what Answer returns.
func (s *Server6) ValidateProviderConfig(ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return answer[tfprotov6.ValidateProviderConfigResponse](ctx, s.Answer, "ValidateProviderConfig", req)
}

// ConfigureProvider returns what Answer returns.
func (s *Server6) ConfigureProvider(ctx context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	return answer[tfprotov6.ConfigureProviderResponse](ctx, s.Answer, "ConfigureProvider", req)
}

// StopProvider returns what Answer returns.
func (s *Server6) StopProvider(ctx context.Context, req *tfprotov6.StopProviderRequest) (*tfprotov6.StopProviderResponse, error) {
	return answer[tfprotov6.StopProviderResponse](ctx, s.Answer, "StopProvider", req)
}

// ValidateResourceConfig returns what Answer returns.
func (s *Server6) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return answer[tfprotov6.ValidateResourceConfigResponse](ctx, s.Answer, "ValidateResourceConfig", req)
}

// UpgradeResourceState returns what Answer returns.
func (s *Server6) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return answer[tfprotov6.UpgradeResourceStateResponse](ctx, s.Answer, "UpgradeResourceState", req)
}

// ReadResource returns what Answer returns.
func (s *Server6) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return answer[tfprotov6.ReadResourceResponse](ctx, s.Answer, "ReadResource", req)
}

// PlanResourceChange returns what Answer returns.
func (s *Server6) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return answer[tfprotov6.PlanResourceChangeResponse](ctx, s.Answer, "PlanResourceChange", req)
}

// ApplyResourceChange returns what Answer returns.
func (s *Server6) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return answer[tfprotov6.ApplyResourceChangeResponse](ctx, s.Answer, "ApplyResourceChange", req)
}

// ImportResourceState returns what Answer returns.
func (s *Server6) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	return answer[tfprotov6.ImportResourceStateResponse](ctx, s.Answer, "ImportResourceState", req)
}

// MoveResourceState returns what Answer returns.
func (s *Server6) MoveResourceState(ctx context.Context, req *tfprotov6.MoveResourceStateRequest) (*tfprotov6.MoveResourceStateResponse, error) {
	return answer[tfprotov6.MoveResourceStateResponse](ctx, s.Answer, "MoveResourceState", req)
}

// UpgradeResourceIdentity returns what Answer returns.
func (s *Server6) UpgradeResourceIdentity(ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	return answer[tfprotov6.UpgradeResourceIdentityResponse](ctx, s.Answer, "UpgradeResourceIdentity", req)
}

// GenerateResourceConfig returns what Answer returns.
func (s *Server6) GenerateResourceConfig(ctx context.Context, req *tfprotov6.GenerateResourceConfigRequest) (*tfprotov6.GenerateResourceConfigResponse, error) {
	return answer[tfprotov6.GenerateResourceConfigResponse](ctx, s.Answer, "GenerateResourceConfig", req)
}

// ValidateDataResourceConfig returns what Answer returns.
func (s *Server6) ValidateDataResourceConfig(ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return answer[tfprotov6.ValidateDataResourceConfigResponse](ctx, s.Answer, "ValidateDataResourceConfig", req)
}

// ReadDataSource returns what Answer returns.
func (s *Server6) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	return answer[tfprotov6.ReadDataSourceResponse](ctx, s.Answer, "ReadDataSource", req)
}

// CallFunction returns what Answer returns.
func (s *Server6) CallFunction(ctx context.Context, req *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	return answer[tfprotov6.CallFunctionResponse](ctx, s.Answer, "CallFunction", req)
}

// GetFunctions returns what Answer returns.
func (s *Server6) GetFunctions(ctx context.Context, req *tfprotov6.GetFunctionsRequest) (*tfprotov6.GetFunctionsResponse, error) {
	return answer[tfprotov6.GetFunctionsResponse](ctx, s.Answer, "GetFunctions", req)
}

// ValidateEphemeralResourceConfig returns what Answer returns.
func (s *Server6) ValidateEphemeralResourceConfig(ctx context.Context, req *tfprotov6.ValidateEphemeralResourceConfigRequest) (*tfprotov6.ValidateEphemeralResourceConfigResponse, error) {
	return answer[tfprotov6.ValidateEphemeralResourceConfigResponse](ctx, s.Answer, "ValidateEphemeralResourceConfig", req)
}

// OpenEphemeralResource returns what Answer returns.
func (s *Server6) OpenEphemeralResource(ctx context.Context, req *tfprotov6.OpenEphemeralResourceRequest) (*tfprotov6.OpenEphemeralResourceResponse, error) {
	return answer[tfprotov6.OpenEphemeralResourceResponse](ctx, s.Answer, "OpenEphemeralResource", req)
}

// RenewEphemeralResource returns what Answer returns.
func (s *Server6) RenewEphemeralResource(ctx context.Context, req *tfprotov6.RenewEphemeralResourceRequest) (*tfprotov6.RenewEphemeralResourceResponse, error) {
	return answer[tfprotov6.RenewEphemeralResourceResponse](ctx, s.Answer, "RenewEphemeralResource", req)
}

// CloseEphemeralResource returns what Answer returns.
func (s *Server6) CloseEphemeralResource(ctx context.Context, req *tfprotov6.CloseEphemeralResourceRequest) (*tfprotov6.CloseEphemeralResourceResponse, error) {
	return answer[tfprotov6.CloseEphemeralResourceResponse](ctx, s.Answer, "CloseEphemeralResource", req)
}
