package testprovider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Server6 is a server of protocol 6. Answer returns the responses of the methods below. All other
// methods panic.
type Server6 struct {
	tfprotov6.ProviderServer // nil
	// Answer receives the name of the method and its request. It returns a pointer to the
	// response, or nil for an empty response.
	Answer func(ctx context.Context, rpc string, request any) (any, error)
}

// GetMetadata returns the result of Answer.
func (s *Server6) GetMetadata(ctx context.Context, req *tfprotov6.GetMetadataRequest) (*tfprotov6.GetMetadataResponse, error) {
	return answer[tfprotov6.GetMetadataResponse](ctx, s.Answer, "GetMetadata", req)
}

// GetProviderSchema returns the result of Answer.
func (s *Server6) GetProviderSchema(ctx context.Context, req *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	return answer[tfprotov6.GetProviderSchemaResponse](ctx, s.Answer, "GetProviderSchema", req)
}

// ReadResource returns the result of Answer.
func (s *Server6) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return answer[tfprotov6.ReadResourceResponse](ctx, s.Answer, "ReadResource", req)
}

// PlanResourceChange returns the result of Answer.
func (s *Server6) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return answer[tfprotov6.PlanResourceChangeResponse](ctx, s.Answer, "PlanResourceChange", req)
}

// StopProvider returns the result of Answer.
func (s *Server6) StopProvider(ctx context.Context, req *tfprotov6.StopProviderRequest) (*tfprotov6.StopProviderResponse, error) {
	return answer[tfprotov6.StopProviderResponse](ctx, s.Answer, "StopProvider", req)
}
