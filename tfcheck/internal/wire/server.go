package wire

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// A Handler responds to requests of either protocol. The name is the name of the RPC in protocol 6.
// The request is a pointer to a struct of tfprotov5 or tfprotov6. The handler fills the response,
// which is a pointer to an empty struct.
type Handler func(ctx context.Context, name string, request, response any) error

// Intercept passes a request to the handler, and returns the response.
func Intercept[Response, Request any](ctx context.Context, to Handler, request *Request) (*Response, error) {
	response := new(Response)
	if err := to(ctx, RPCOf[Request](), request, response); err != nil {
		return nil, err
	}
	return response, nil
}

// RPCOf returns the name of the RPC whose requests have the type, in either protocol.
func RPCOf[Request any]() string {
	return strings.TrimSuffix(reflect.TypeFor[Request]().Name(), "Request")
}

// Call sends a request to a server of either protocol, and fills the response.
func Call(ctx context.Context, server any, name string, request, response any) error {
	results := reflect.ValueOf(server).MethodByName(name).Call([]reflect.Value{
		reflect.ValueOf(ctx), reflect.ValueOf(request),
	})
	if err, _ := results[1].Interface().(error); err != nil {
		return err
	}
	if results[0].IsNil() {
		return errors.New("the provider did not respond")
	}
	reflect.ValueOf(response).Elem().Set(results[0].Elem())
	return nil
}

// Ask sends an empty request to a server of either protocol, and returns the response. It does not
// send the request if the context has ended.
func Ask(ctx context.Context, server any, name string) (response any, err error) {
	if ctx.Err() != nil {
		return nil, fmt.Errorf("not sent: %w", context.Cause(ctx))
	}
	method := reflect.ValueOf(server).MethodByName(name).Type()
	response = reflect.New(method.Out(0).Elem()).Interface()
	return response, Call(ctx, server, name, reflect.New(method.In(1).Elem()).Interface(), response)
}

// NewServer returns a server that passes requests to the handler. Requests that this package does
// not know, because terraform-plugin-go is newer, go to the inner server. It may be nil.
func NewServer(inner tfprotov6.ProviderServer, to Handler) tfprotov6.ProviderServer {
	return &server{inner, to}
}

type server struct {
	tfprotov6.ProviderServer
	to Handler
}

func (s *server) GetMetadata(
	ctx context.Context, req *tfprotov6.GetMetadataRequest,
) (*tfprotov6.GetMetadataResponse, error) {
	return Intercept[tfprotov6.GetMetadataResponse](ctx, s.to, req)
}

func (s *server) GetProviderSchema(
	ctx context.Context, req *tfprotov6.GetProviderSchemaRequest,
) (*tfprotov6.GetProviderSchemaResponse, error) {
	return Intercept[tfprotov6.GetProviderSchemaResponse](ctx, s.to, req)
}

func (s *server) GetResourceIdentitySchemas(
	ctx context.Context, req *tfprotov6.GetResourceIdentitySchemasRequest,
) (*tfprotov6.GetResourceIdentitySchemasResponse, error) {
	return Intercept[tfprotov6.GetResourceIdentitySchemasResponse](ctx, s.to, req)
}

func (s *server) ValidateProviderConfig(
	ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest,
) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return Intercept[tfprotov6.ValidateProviderConfigResponse](ctx, s.to, req)
}

func (s *server) ConfigureProvider(
	ctx context.Context, req *tfprotov6.ConfigureProviderRequest,
) (*tfprotov6.ConfigureProviderResponse, error) {
	return Intercept[tfprotov6.ConfigureProviderResponse](ctx, s.to, req)
}

func (s *server) StopProvider(
	ctx context.Context, req *tfprotov6.StopProviderRequest,
) (*tfprotov6.StopProviderResponse, error) {
	return Intercept[tfprotov6.StopProviderResponse](ctx, s.to, req)
}

func (s *server) ValidateResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return Intercept[tfprotov6.ValidateResourceConfigResponse](ctx, s.to, req)
}

func (s *server) UpgradeResourceState(
	ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest,
) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return Intercept[tfprotov6.UpgradeResourceStateResponse](ctx, s.to, req)
}

func (s *server) ReadResource(
	ctx context.Context, req *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	return Intercept[tfprotov6.ReadResourceResponse](ctx, s.to, req)
}

func (s *server) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	return Intercept[tfprotov6.PlanResourceChangeResponse](ctx, s.to, req)
}

func (s *server) ApplyResourceChange(
	ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return Intercept[tfprotov6.ApplyResourceChangeResponse](ctx, s.to, req)
}

func (s *server) ImportResourceState(
	ctx context.Context, req *tfprotov6.ImportResourceStateRequest,
) (*tfprotov6.ImportResourceStateResponse, error) {
	return Intercept[tfprotov6.ImportResourceStateResponse](ctx, s.to, req)
}

func (s *server) MoveResourceState(
	ctx context.Context, req *tfprotov6.MoveResourceStateRequest,
) (*tfprotov6.MoveResourceStateResponse, error) {
	return Intercept[tfprotov6.MoveResourceStateResponse](ctx, s.to, req)
}

func (s *server) UpgradeResourceIdentity(
	ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest,
) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	return Intercept[tfprotov6.UpgradeResourceIdentityResponse](ctx, s.to, req)
}

func (s *server) GenerateResourceConfig(
	ctx context.Context, req *tfprotov6.GenerateResourceConfigRequest,
) (*tfprotov6.GenerateResourceConfigResponse, error) {
	return Intercept[tfprotov6.GenerateResourceConfigResponse](ctx, s.to, req)
}

func (s *server) ValidateDataResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest,
) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return Intercept[tfprotov6.ValidateDataResourceConfigResponse](ctx, s.to, req)
}

func (s *server) ReadDataSource(
	ctx context.Context, req *tfprotov6.ReadDataSourceRequest,
) (*tfprotov6.ReadDataSourceResponse, error) {
	return Intercept[tfprotov6.ReadDataSourceResponse](ctx, s.to, req)
}

func (s *server) CallFunction(
	ctx context.Context, req *tfprotov6.CallFunctionRequest,
) (*tfprotov6.CallFunctionResponse, error) {
	return Intercept[tfprotov6.CallFunctionResponse](ctx, s.to, req)
}

func (s *server) GetFunctions(
	ctx context.Context, req *tfprotov6.GetFunctionsRequest,
) (*tfprotov6.GetFunctionsResponse, error) {
	return Intercept[tfprotov6.GetFunctionsResponse](ctx, s.to, req)
}

func (s *server) ValidateEphemeralResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateEphemeralResourceConfigRequest,
) (*tfprotov6.ValidateEphemeralResourceConfigResponse, error) {
	return Intercept[tfprotov6.ValidateEphemeralResourceConfigResponse](ctx, s.to, req)
}

func (s *server) OpenEphemeralResource(
	ctx context.Context, req *tfprotov6.OpenEphemeralResourceRequest,
) (*tfprotov6.OpenEphemeralResourceResponse, error) {
	return Intercept[tfprotov6.OpenEphemeralResourceResponse](ctx, s.to, req)
}

func (s *server) RenewEphemeralResource(
	ctx context.Context, req *tfprotov6.RenewEphemeralResourceRequest,
) (*tfprotov6.RenewEphemeralResourceResponse, error) {
	return Intercept[tfprotov6.RenewEphemeralResourceResponse](ctx, s.to, req)
}

func (s *server) CloseEphemeralResource(
	ctx context.Context, req *tfprotov6.CloseEphemeralResourceRequest,
) (*tfprotov6.CloseEphemeralResourceResponse, error) {
	return Intercept[tfprotov6.CloseEphemeralResourceResponse](ctx, s.to, req)
}
