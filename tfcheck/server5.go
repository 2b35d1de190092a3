package tfcheck

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"

	"github.com/objchange/objchange/tfcheck/internal/catalog"
	"github.com/objchange/objchange/tfcheck/internal/check"
	"github.com/objchange/objchange/tfcheck/internal/wire"
)

// Server5 returns a checking server of protocol 5, like Server6.
func Server5(server tfprotov5.ProviderServer, report Report, opts ...Option) tfprotov5.ProviderServer {
	if server == nil {
		return nil
	}
	c := (&checker{catalog: &catalog.Catalog{Server: server}, report: report}).with(opts)
	return offer5(&server5{server, c.handler(server), c})
}

// Factories5 returns factories that wrap each created server with Server5. The argument and
// result have the type of ProtoV5ProviderFactories in acceptance tests.
func Factories5(
	factories map[string]func() (tfprotov5.ProviderServer, error), report Report, opts ...Option,
) map[string]func() (tfprotov5.ProviderServer, error) {
	return wrapAll(factories, opts, func(server tfprotov5.ProviderServer) tfprotov5.ProviderServer {
		return Server5(server, report, opts...)
	})
}

// A server5 is a checking server. It passes the requests that are checked to the handler.
type server5 struct {
	tfprotov5.ProviderServer
	checked wire.Handler
	*checker
}

// Unwrap returns the parts of the checking server, for packages driver and explore.
func (c *server5) Unwrap() (inner tfprotov5.ProviderServer, program string, filter check.Filter) {
	return c.ProviderServer, string(c.program), c.ignored
}

// offer5 returns the server with the optional interfaces of the wrapped server.
func offer5(c *server5) tfprotov5.ProviderServer {
	list, lists := c.ProviderServer.(tfprotov5.ListResourceServer)
	action, acts := c.ProviderServer.(tfprotov5.ActionServer)
	switch {
	case lists && acts:
		return struct {
			*server5
			tfprotov5.ListResourceServer
			tfprotov5.ActionServer
		}{c, list, action}
	case lists:
		return struct {
			*server5
			tfprotov5.ListResourceServer
		}{c, list}
	case acts:
		return struct {
			*server5
			tfprotov5.ActionServer
		}{c, action}
	}
	return c
}

func (c *server5) GetProviderSchema(
	ctx context.Context, req *tfprotov5.GetProviderSchemaRequest,
) (*tfprotov5.GetProviderSchemaResponse, error) {
	return wire.Intercept[tfprotov5.GetProviderSchemaResponse](ctx, c.checked, req)
}

func (c *server5) ConfigureProvider(
	ctx context.Context, req *tfprotov5.ConfigureProviderRequest,
) (*tfprotov5.ConfigureProviderResponse, error) {
	return wire.Intercept[tfprotov5.ConfigureProviderResponse](ctx, c.checked, req)
}

func (c *server5) PlanResourceChange(
	ctx context.Context, req *tfprotov5.PlanResourceChangeRequest,
) (*tfprotov5.PlanResourceChangeResponse, error) {
	return wire.Intercept[tfprotov5.PlanResourceChangeResponse](ctx, c.checked, req)
}

func (c *server5) ApplyResourceChange(
	ctx context.Context, req *tfprotov5.ApplyResourceChangeRequest,
) (*tfprotov5.ApplyResourceChangeResponse, error) {
	return wire.Intercept[tfprotov5.ApplyResourceChangeResponse](ctx, c.checked, req)
}

func (c *server5) ReadResource(
	ctx context.Context, req *tfprotov5.ReadResourceRequest,
) (*tfprotov5.ReadResourceResponse, error) {
	return wire.Intercept[tfprotov5.ReadResourceResponse](ctx, c.checked, req)
}

func (c *server5) UpgradeResourceState(
	ctx context.Context, req *tfprotov5.UpgradeResourceStateRequest,
) (*tfprotov5.UpgradeResourceStateResponse, error) {
	return wire.Intercept[tfprotov5.UpgradeResourceStateResponse](ctx, c.checked, req)
}

func (c *server5) UpgradeResourceIdentity(
	ctx context.Context, req *tfprotov5.UpgradeResourceIdentityRequest,
) (*tfprotov5.UpgradeResourceIdentityResponse, error) {
	return wire.Intercept[tfprotov5.UpgradeResourceIdentityResponse](ctx, c.checked, req)
}

func (c *server5) MoveResourceState(
	ctx context.Context, req *tfprotov5.MoveResourceStateRequest,
) (*tfprotov5.MoveResourceStateResponse, error) {
	return wire.Intercept[tfprotov5.MoveResourceStateResponse](ctx, c.checked, req)
}

func (c *server5) ImportResourceState(
	ctx context.Context, req *tfprotov5.ImportResourceStateRequest,
) (*tfprotov5.ImportResourceStateResponse, error) {
	return wire.Intercept[tfprotov5.ImportResourceStateResponse](ctx, c.checked, req)
}

func (c *server5) ReadDataSource(
	ctx context.Context, req *tfprotov5.ReadDataSourceRequest,
) (*tfprotov5.ReadDataSourceResponse, error) {
	return wire.Intercept[tfprotov5.ReadDataSourceResponse](ctx, c.checked, req)
}

func (c *server5) OpenEphemeralResource(
	ctx context.Context, req *tfprotov5.OpenEphemeralResourceRequest,
) (*tfprotov5.OpenEphemeralResourceResponse, error) {
	return wire.Intercept[tfprotov5.OpenEphemeralResourceResponse](ctx, c.checked, req)
}
