package tfcheck

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"

	"github.com/objchange/objchange/tfcheck/internal/catalog"
	"github.com/objchange/objchange/tfcheck/internal/check"
)

// Server5 returns a checking server of protocol 5, like Server6.
func Server5(server tfprotov5.ProviderServer, report Report, opts ...Option) tfprotov5.ProviderServer {
	if server == nil {
		return nil
	}
	c := &checker{catalog: &catalog.Catalog{Source: catalog.Of5(server)}, report: report}
	return offer5(&checked5{server, c.with(opts)})
}

// Factories5 returns factories that wrap each created server with Server5. The argument and
// result have the type of ProtoV5ProviderFactories in acceptance tests.
func Factories5(factories map[string]func() (tfprotov5.ProviderServer, error), report Report, opts ...Option) map[string]func() (tfprotov5.ProviderServer, error) {
	return wrapAll(factories, opts, func(server tfprotov5.ProviderServer) tfprotov5.ProviderServer {
		return Server5(server, report, opts...)
	})
}

// A checked5 is a server with its checker.
type checked5 struct {
	tfprotov5.ProviderServer
	*checker
}

// Unwrap returns the parts of the checking server, for packages driver and explore.
func (c *checked5) Unwrap() (inner tfprotov5.ProviderServer, report Report, program Program, filter check.Filter) {
	return c.ProviderServer, c.report, c.program, c.ignored
}

// offer5 returns the server with the optional interfaces of the wrapped server.
func offer5(c *checked5) tfprotov5.ProviderServer {
	list, lists := c.ProviderServer.(tfprotov5.ListResourceServer)
	action, acts := c.ProviderServer.(tfprotov5.ActionServer)
	switch {
	case lists && acts:
		return struct {
			*checked5
			tfprotov5.ListResourceServer
			tfprotov5.ActionServer
		}{c, list, action}
	case lists:
		return struct {
			*checked5
			tfprotov5.ListResourceServer
		}{c, list}
	case acts:
		return struct {
			*checked5
			tfprotov5.ActionServer
		}{c, action}
	}
	return c
}

func (c *checked5) GetProviderSchema(ctx context.Context, req *tfprotov5.GetProviderSchemaRequest) (*tfprotov5.GetProviderSchemaResponse, error) {
	if err := c.ignored.Err(); err != nil {
		return nil, err
	}
	resp, err := c.ProviderServer.GetProviderSchema(ctx, req)
	if err == nil && resp != nil {
		c.catalog.Keep(catalog.Provided5(resp))
	}
	return resp, err
}

// ConfigureProvider tells the checker the version of the program.
func (c *checked5) ConfigureProvider(ctx context.Context, req *tfprotov5.ConfigureProviderRequest) (*tfprotov5.ConfigureProviderResponse, error) {
	if req != nil {
		c.configured(req.TerraformVersion)
	}
	return c.ProviderServer.ConfigureProvider(ctx, req)
}

func (c *checked5) PlanResourceChange(ctx context.Context, req *tfprotov5.PlanResourceChangeRequest) (*tfprotov5.PlanResourceChangeResponse, error) {
	resp, err := c.ProviderServer.PlanResourceChange(ctx, req)
	return passOn(ctx, req, resp, err, c.plan)
}

func (c *checked5) ApplyResourceChange(ctx context.Context, req *tfprotov5.ApplyResourceChangeRequest) (*tfprotov5.ApplyResourceChangeResponse, error) {
	resp, err := c.ProviderServer.ApplyResourceChange(ctx, req)
	return passOn(ctx, req, resp, err, c.apply)
}

func (c *checked5) ReadResource(ctx context.Context, req *tfprotov5.ReadResourceRequest) (*tfprotov5.ReadResourceResponse, error) {
	resp, err := c.ProviderServer.ReadResource(ctx, req)
	return passOn(ctx, req, resp, err, c.read)
}

func (c *checked5) UpgradeResourceState(ctx context.Context, req *tfprotov5.UpgradeResourceStateRequest) (*tfprotov5.UpgradeResourceStateResponse, error) {
	resp, err := c.ProviderServer.UpgradeResourceState(ctx, req)
	return passOn(ctx, req, resp, err, c.upgrade)
}

func (c *checked5) UpgradeResourceIdentity(ctx context.Context, req *tfprotov5.UpgradeResourceIdentityRequest) (*tfprotov5.UpgradeResourceIdentityResponse, error) {
	resp, err := c.ProviderServer.UpgradeResourceIdentity(ctx, req)
	return passOn(ctx, req, resp, err, c.upgradeIdentity)
}

func (c *checked5) MoveResourceState(ctx context.Context, req *tfprotov5.MoveResourceStateRequest) (*tfprotov5.MoveResourceStateResponse, error) {
	resp, err := c.ProviderServer.MoveResourceState(ctx, req)
	return passOn(ctx, req, resp, err, c.move)
}

func (c *checked5) ImportResourceState(ctx context.Context, req *tfprotov5.ImportResourceStateRequest) (*tfprotov5.ImportResourceStateResponse, error) {
	resp, err := c.ProviderServer.ImportResourceState(ctx, req)
	return passOn(ctx, req, resp, err, c.importState)
}

func (c *checked5) ReadDataSource(ctx context.Context, req *tfprotov5.ReadDataSourceRequest) (*tfprotov5.ReadDataSourceResponse, error) {
	resp, err := c.ProviderServer.ReadDataSource(ctx, req)
	return passOn(ctx, req, resp, err, c.readData)
}

func (c *checked5) OpenEphemeralResource(ctx context.Context, req *tfprotov5.OpenEphemeralResourceRequest) (*tfprotov5.OpenEphemeralResourceResponse, error) {
	resp, err := c.ProviderServer.OpenEphemeralResource(ctx, req)
	return passOn(ctx, req, resp, err, c.open)
}
