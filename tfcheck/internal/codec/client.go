package codec

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/objchange/objchange/tfcheck/internal/wire"
)

// A Caller sends an encoded request and returns the encoded response. The error is an error of
// the connection or of the provider.
type Caller func(ctx context.Context, path string, request []byte) (response []byte, err error)

// A Handler responds to requests. The request is a pointer to a request of tfprotov6 for the RPC. The
// handler fills the response, which is a pointer to an empty response.
type Handler func(ctx context.Context, name string, request, response any) error

// NewServer returns a server that passes each request to the handler.
func NewServer(to Handler) tfprotov6.ProviderServer { return &client{to} }

// NewClient returns a server that calls a provider through the Caller. If the service is the
// service of protocol 5, features of protocol 6 are missing. The errors of the Caller are unchanged.
func NewClient(service string, to Caller) tfprotov6.ProviderServer {
	return NewServer(func(ctx context.Context, name string, request, response any) error {
		rpc, err := Find(service, name)
		if err != nil {
			return err
		}
		sent, err := rpc.MarshalRequest(request)
		if err != nil {
			return fmt.Errorf("the request cannot be sent: %w", err)
		}
		got, err := to(ctx, rpc.Path, addCapabilities(ctx, service, rpc, sent))
		if err != nil {
			return err
		}
		if err := unmarshal(rpc.response, got, response, wire.NewerOf(ctx)); err != nil {
			return fmt.Errorf("the response is malformed: %w", err)
		}
		return nil
	})
}

type client struct{ to Handler }

func call[Response, Request any](ctx context.Context, c *client, name string, request *Request) (*Response, error) {
	response := new(Response)
	if err := c.to(ctx, name, request, response); err != nil {
		return nil, err
	}
	return response, nil
}

// addCapabilities appends the new client capabilities to a request that has a field for them, if
// the context has them. Protobuf merges the appended field with the field that is already there.
func addCapabilities(ctx context.Context, service string, rpc RPC, request []byte) []byte {
	f := rpc.request.Descriptor().Fields().ByName("client_capabilities")
	if f == nil || !wire.HasNewCapabilities(ctx) {
		return request
	}
	numbers := []protowire.Number{3} // store_planned_private
	if service == Service6 {
		numbers = append(numbers, 4) // computed_blocks_allowed
	}
	var capabilities []byte
	for _, number := range numbers {
		capabilities = protowire.AppendVarint(protowire.AppendTag(capabilities, number, protowire.VarintType), 1)
	}
	return protowire.AppendBytes(protowire.AppendTag(request, f.Number(), protowire.BytesType), capabilities)
}

func (c *client) GetMetadata(
	ctx context.Context, req *tfprotov6.GetMetadataRequest,
) (*tfprotov6.GetMetadataResponse, error) {
	return call[tfprotov6.GetMetadataResponse](ctx, c, "GetMetadata", req)
}

func (c *client) GetProviderSchema(
	ctx context.Context, req *tfprotov6.GetProviderSchemaRequest,
) (*tfprotov6.GetProviderSchemaResponse, error) {
	return call[tfprotov6.GetProviderSchemaResponse](ctx, c, "GetProviderSchema", req)
}

func (c *client) GetResourceIdentitySchemas(
	ctx context.Context, req *tfprotov6.GetResourceIdentitySchemasRequest,
) (*tfprotov6.GetResourceIdentitySchemasResponse, error) {
	return call[tfprotov6.GetResourceIdentitySchemasResponse](ctx, c, "GetResourceIdentitySchemas", req)
}

func (c *client) ValidateProviderConfig(
	ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest,
) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return call[tfprotov6.ValidateProviderConfigResponse](ctx, c, "ValidateProviderConfig", req)
}

func (c *client) ConfigureProvider(
	ctx context.Context, req *tfprotov6.ConfigureProviderRequest,
) (*tfprotov6.ConfigureProviderResponse, error) {
	return call[tfprotov6.ConfigureProviderResponse](ctx, c, "ConfigureProvider", req)
}

func (c *client) StopProvider(
	ctx context.Context, req *tfprotov6.StopProviderRequest,
) (*tfprotov6.StopProviderResponse, error) {
	return call[tfprotov6.StopProviderResponse](ctx, c, "StopProvider", req)
}

func (c *client) ValidateResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return call[tfprotov6.ValidateResourceConfigResponse](ctx, c, "ValidateResourceConfig", req)
}

func (c *client) UpgradeResourceState(
	ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest,
) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return call[tfprotov6.UpgradeResourceStateResponse](ctx, c, "UpgradeResourceState", req)
}

func (c *client) ReadResource(
	ctx context.Context, req *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	return call[tfprotov6.ReadResourceResponse](ctx, c, "ReadResource", req)
}

func (c *client) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	return call[tfprotov6.PlanResourceChangeResponse](ctx, c, "PlanResourceChange", req)
}

func (c *client) ApplyResourceChange(
	ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return call[tfprotov6.ApplyResourceChangeResponse](ctx, c, "ApplyResourceChange", req)
}

func (c *client) ImportResourceState(
	ctx context.Context, req *tfprotov6.ImportResourceStateRequest,
) (*tfprotov6.ImportResourceStateResponse, error) {
	return call[tfprotov6.ImportResourceStateResponse](ctx, c, "ImportResourceState", req)
}

func (c *client) MoveResourceState(
	ctx context.Context, req *tfprotov6.MoveResourceStateRequest,
) (*tfprotov6.MoveResourceStateResponse, error) {
	return call[tfprotov6.MoveResourceStateResponse](ctx, c, "MoveResourceState", req)
}

func (c *client) UpgradeResourceIdentity(
	ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest,
) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	return call[tfprotov6.UpgradeResourceIdentityResponse](ctx, c, "UpgradeResourceIdentity", req)
}

func (c *client) GenerateResourceConfig(
	ctx context.Context, req *tfprotov6.GenerateResourceConfigRequest,
) (*tfprotov6.GenerateResourceConfigResponse, error) {
	return call[tfprotov6.GenerateResourceConfigResponse](ctx, c, "GenerateResourceConfig", req)
}

func (c *client) ValidateDataResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest,
) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return call[tfprotov6.ValidateDataResourceConfigResponse](ctx, c, "ValidateDataResourceConfig", req)
}

func (c *client) ReadDataSource(
	ctx context.Context, req *tfprotov6.ReadDataSourceRequest,
) (*tfprotov6.ReadDataSourceResponse, error) {
	return call[tfprotov6.ReadDataSourceResponse](ctx, c, "ReadDataSource", req)
}

func (c *client) CallFunction(
	ctx context.Context, req *tfprotov6.CallFunctionRequest,
) (*tfprotov6.CallFunctionResponse, error) {
	return call[tfprotov6.CallFunctionResponse](ctx, c, "CallFunction", req)
}

func (c *client) GetFunctions(
	ctx context.Context, req *tfprotov6.GetFunctionsRequest,
) (*tfprotov6.GetFunctionsResponse, error) {
	return call[tfprotov6.GetFunctionsResponse](ctx, c, "GetFunctions", req)
}

func (c *client) ValidateEphemeralResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateEphemeralResourceConfigRequest,
) (*tfprotov6.ValidateEphemeralResourceConfigResponse, error) {
	return call[tfprotov6.ValidateEphemeralResourceConfigResponse](ctx, c, "ValidateEphemeralResourceConfig", req)
}

func (c *client) OpenEphemeralResource(
	ctx context.Context, req *tfprotov6.OpenEphemeralResourceRequest,
) (*tfprotov6.OpenEphemeralResourceResponse, error) {
	return call[tfprotov6.OpenEphemeralResourceResponse](ctx, c, "OpenEphemeralResource", req)
}

func (c *client) RenewEphemeralResource(
	ctx context.Context, req *tfprotov6.RenewEphemeralResourceRequest,
) (*tfprotov6.RenewEphemeralResourceResponse, error) {
	return call[tfprotov6.RenewEphemeralResourceResponse](ctx, c, "RenewEphemeralResource", req)
}

func (c *client) CloseEphemeralResource(
	ctx context.Context, req *tfprotov6.CloseEphemeralResourceRequest,
) (*tfprotov6.CloseEphemeralResourceResponse, error) {
	return call[tfprotov6.CloseEphemeralResourceResponse](ctx, c, "CloseEphemeralResource", req)
}
