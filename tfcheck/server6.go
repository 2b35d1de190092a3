package tfcheck

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/objchange/objchange/tfcheck/internal/catalog"
	"github.com/objchange/objchange/tfcheck/internal/check"
	"github.com/objchange/objchange/tfcheck/internal/wire"
)

// Server6 returns a server that forwards all calls to the given server. It checks each response
// about a resource, a data source or an ephemeral resource against its request, with
// Exchange.Findings. These are the responses of PlanResourceChange, ApplyResourceChange,
// ReadResource, UpgradeResourceState, UpgradeResourceIdentity, ImportResourceState,
// MoveResourceState, ReadDataSource and OpenEphemeralResource. Identities in responses must conform
// to the identity schema, and must be wholly known once the object exists. A changed identity is a
// finding that is Unchecked.
//
// A finding is Rejected if the Program rejects it: the last Program among the options, or
// Terraform. The server takes the version of the Program from the request that configures the
// provider, and assumes the newest version before. Findings that an option ignores are dropped.
//
// The report receives each finding, and decides whether the server adds diagnostics to its copy of
// the given server's response. If the given server returns an error, the server returns only this
// error. It returns an error, too, if the given server returns neither a response nor an error. The
// returned server has exactly the optional interfaces (list resources, actions, state stores) of the
// given server. It is as safe for concurrent use as the given server.
//
// The cost is one decoding of each value, and the checks. The schemas come from the first
// GetProviderSchema response that passes through. If a check needs them earlier, the server
// requests them once. Server6 returns nil for a nil server.
func Server6(server tfprotov6.ProviderServer, report Report, opts ...Option) tfprotov6.ProviderServer {
	if server == nil {
		return nil
	}
	c := (&checker{catalog: &catalog.Catalog{Server: server}, report: report}).with(opts)
	return offer6(&server6{wire.NewServer(server, c.handler(server)), server, c})
}

// Factories6 returns factories that wrap each created server with Server6. The argument and
// result have the type of ProtoV6ProviderFactories in acceptance tests.
func Factories6(
	factories map[string]func() (tfprotov6.ProviderServer, error), report Report, opts ...Option,
) map[string]func() (tfprotov6.ProviderServer, error) {
	return wrapAll(factories, opts, func(server tfprotov6.ProviderServer) tfprotov6.ProviderServer {
		return Server6(server, report, opts...)
	})
}

// A server6 is a checking server.
type server6 struct {
	tfprotov6.ProviderServer
	inner tfprotov6.ProviderServer
	*checker
}

// Unwrap returns the parts of the checking server, for packages driver and explore.
func (c *server6) Unwrap() (inner tfprotov6.ProviderServer, program string, filter check.Filter) {
	return c.inner, string(c.program), c.ignored
}

// offer6 returns the server with the optional interfaces of the wrapped server.
func offer6(c *server6) tfprotov6.ProviderServer {
	list, lists := c.inner.(tfprotov6.ListResourceServer)
	action, acts := c.inner.(tfprotov6.ActionServer)
	if store, stores := c.inner.(tfprotov6.StateStoreServer); stores {
		switch {
		case lists && acts:
			return struct {
				*server6
				tfprotov6.ListResourceServer
				tfprotov6.ActionServer
				tfprotov6.StateStoreServer
			}{c, list, action, store}
		case lists:
			return struct {
				*server6
				tfprotov6.ListResourceServer
				tfprotov6.StateStoreServer
			}{c, list, store}
		case acts:
			return struct {
				*server6
				tfprotov6.ActionServer
				tfprotov6.StateStoreServer
			}{c, action, store}
		}
		return struct {
			*server6
			tfprotov6.StateStoreServer
		}{c, store}
	}
	switch {
	case lists && acts:
		return struct {
			*server6
			tfprotov6.ListResourceServer
			tfprotov6.ActionServer
		}{c, list, action}
	case lists:
		return struct {
			*server6
			tfprotov6.ListResourceServer
		}{c, list}
	case acts:
		return struct {
			*server6
			tfprotov6.ActionServer
		}{c, action}
	}
	return c
}
