package tfcheck

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/objchange/objchange/tfcheck/internal/catalog"
	"github.com/objchange/objchange/tfcheck/internal/check"
	"github.com/objchange/objchange/tfcheck/internal/wire"
)

// A checker checks the exchanges with one server, of either protocol.
type checker struct {
	catalog *catalog.Catalog
	report  Report
	program Program
	version atomic.Pointer[string] // of the program, or nil if it is not known
	ignored check.Filter
	seen    func(Exchange, []Finding, error)
}

// Share makes the checker take its schemas from the catalog, which other servers may share, check for
// the version of the program, and pass each checked exchange and its findings to seen, unless seen is
// nil. The error says that a schema is newer than this package, so that the exchange was not checked.
// It is for packages driver and encoded.
func (c *checker) Share(schemas *catalog.Catalog, version string, seen func(Exchange, []Finding, error)) {
	c.catalog, c.seen = schemas, seen
	c.configured(version)
}

// configured stores the version of the program that configures the provider.
func (c *checker) configured(version string) { c.version.Store(&version) }

// wrapAll returns factories that wrap the created servers. If an option is invalid, they return
// an error.
func wrapAll[S any](factories map[string]func() (S, error), opts []Option, wrap func(S) S) map[string]func() (S, error) {
	wrong := new(checker).with(opts).ignored.Err()
	wrapped := make(map[string]func() (S, error), len(factories))
	for name, factory := range factories {
		wrapped[name] = func() (S, error) {
			server, err := factory()
			if err = cmp.Or(wrong, err); err != nil {
				var none S
				return none, err
			}
			return wrap(server), nil
		}
	}
	return wrapped
}

// passOn returns the result of a call. If the check returns diagnostics, the returned response is
// a copy with these diagnostics added.
func passOn[Q6, R6, Q, R any](ctx context.Context, req *Q, resp *R, err error, check func(context.Context, *Q6, *R6) []*tfprotov6.Diagnostic) (*R, error) {
	if err != nil || resp == nil || req == nil {
		return resp, err
	}
	diags := check(ctx, wire.Convert[*Q6](req), wire.Convert[*R6](resp))
	if len(diags) == 0 {
		return resp, nil
	}
	copied := *resp
	switch had := reflect.ValueOf(&copied).Elem().FieldByName("Diagnostics").Addr().Interface().(type) {
	case *[]*tfprotov6.Diagnostic:
		*had = append(slices.Clip(*had), diags...)
	case *[]*tfprotov5.Diagnostic:
		*had = append(slices.Clip(*had), wire.Convert[[]*tfprotov5.Diagnostic](diags)...)
	}
	return &copied, nil
}

func (c *checker) exchange(ctx context.Context, rpc, typeName string, diags []*tfprotov6.Diagnostic) *exchange {
	x := newExchange(ctx, c.catalog, c.report, rpc, typeName, catalog.Failed(diags))
	x.seen, x.Program, x.ignored = c.seen, c.program, c.ignored
	if version := c.version.Load(); version != nil {
		x.Version = *version
	}
	return x
}

func identity(data *tfprotov6.ResourceIdentityData) *encoded {
	if data == nil {
		return nil
	}
	return data.IdentityData
}

func (c *checker) plan(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest, resp *tfprotov6.PlanResourceChangeResponse) []*tfprotov6.Diagnostic {
	x := c.exchange(ctx, "PlanResourceChange", req.TypeName, resp.Diagnostics)
	x.deferred(resp.Deferred != nil, req.ClientCapabilities != nil && req.ClientCapabilities.DeferralAllowed)
	//lint:ignore SA1019 what is deprecated is to set the flag
	x.Legacy = resp.UnsafeToUseLegacyTypeSystem
	x.take(&x.Config, "configuration", req.Config)
	x.take(&x.Prior, "prior state", req.PriorState)
	x.take(&x.Proposed, "proposed state", req.ProposedNewState)
	x.takeResponse("planned state", resp.PlannedState)
	x.requiresReplace(resp.RequiresReplace)
	x.identity(identity(req.PriorIdentity), identity(resp.PlannedIdentity))
	return x.finish()
}

func (c *checker) apply(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest, resp *tfprotov6.ApplyResourceChangeResponse) []*tfprotov6.Diagnostic {
	x := c.exchange(ctx, "ApplyResourceChange", req.TypeName, resp.Diagnostics)
	//lint:ignore SA1019 what is deprecated is to set the flag
	x.Legacy = resp.UnsafeToUseLegacyTypeSystem
	x.take(&x.Config, "configuration", req.Config)
	x.take(&x.Prior, "prior state", req.PriorState)
	x.take(&x.Planned, "planned state", req.PlannedState)
	x.takeResponse("new state", resp.NewState)
	x.identity(identity(req.PlannedIdentity), identity(resp.NewIdentity))
	return x.finish()
}

func (c *checker) read(ctx context.Context, req *tfprotov6.ReadResourceRequest, resp *tfprotov6.ReadResourceResponse) []*tfprotov6.Diagnostic {
	x := c.exchange(ctx, "ReadResource", req.TypeName, resp.Diagnostics)
	x.deferred(resp.Deferred != nil, req.ClientCapabilities != nil && req.ClientCapabilities.DeferralAllowed)
	x.take(&x.Prior, "current state", req.CurrentState)
	x.takeResponse("new state", resp.NewState)
	x.identity(identity(req.CurrentIdentity), identity(resp.NewIdentity))
	return x.finish()
}

func (c *checker) upgrade(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest, resp *tfprotov6.UpgradeResourceStateResponse) []*tfprotov6.Diagnostic {
	x := c.exchange(ctx, "UpgradeResourceState", req.TypeName, resp.Diagnostics)
	x.takeResponse("upgraded state", resp.UpgradedState)
	return x.finish()
}

func (c *checker) upgradeIdentity(ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest, resp *tfprotov6.UpgradeResourceIdentityResponse) []*tfprotov6.Diagnostic {
	x := c.exchange(ctx, "UpgradeResourceIdentity", req.TypeName, resp.Diagnostics)
	x.upgradedIdentity(identity(resp.UpgradedIdentity))
	return x.finish()
}

func (c *checker) move(ctx context.Context, req *tfprotov6.MoveResourceStateRequest, resp *tfprotov6.MoveResourceStateResponse) []*tfprotov6.Diagnostic {
	x := c.exchange(ctx, "MoveResourceState", req.TargetTypeName, resp.Diagnostics)
	x.takeResponse("target state", resp.TargetState)
	x.identity(nil, identity(resp.TargetIdentity))
	return x.finish()
}

func (c *checker) importState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest, resp *tfprotov6.ImportResourceStateResponse) []*tfprotov6.Diagnostic {
	all := &exchange{report: c.report, seen: c.seen, ignored: c.ignored, skipRules: true} // checks only the number of objects
	all.Exchange = Exchange{RPC: "ImportResourceState", TypeName: req.TypeName, Failed: catalog.Failed(resp.Diagnostics), Program: c.program}
	all.deferred(resp.Deferred != nil, req.ClientCapabilities != nil && req.ClientCapabilities.DeferralAllowed)
	resources := slices.DeleteFunc(slices.Clone(resp.ImportedResources), func(i *tfprotov6.ImportedResource) bool { return i == nil })
	all.found = all.checkImports(len(resources))
	diags := all.finish()
	for _, imported := range resources {
		x := c.exchange(ctx, "ImportResourceState", imported.TypeName, resp.Diagnostics)
		x.Deferred = resp.Deferred != nil
		x.takeResponse("imported state", imported.State)
		x.identity(nil, identity(imported.Identity))
		if req.Identity != nil {
			x.importedIdentity(identity(imported.Identity))
		}
		x.imported(req.Identity != nil)
		diags = append(diags, x.finish()...)
	}
	return diags
}

func (c *checker) readData(ctx context.Context, req *tfprotov6.ReadDataSourceRequest, resp *tfprotov6.ReadDataSourceResponse) []*tfprotov6.Diagnostic {
	x := c.exchange(ctx, "ReadDataSource", req.TypeName, resp.Diagnostics)
	x.deferred(resp.Deferred != nil, req.ClientCapabilities != nil && req.ClientCapabilities.DeferralAllowed)
	x.take(&x.Config, "configuration", req.Config)
	x.takeResponse("state", resp.State)
	return x.finish()
}

func (c *checker) open(ctx context.Context, req *tfprotov6.OpenEphemeralResourceRequest, resp *tfprotov6.OpenEphemeralResourceResponse) []*tfprotov6.Diagnostic {
	x := c.exchange(ctx, "OpenEphemeralResource", req.TypeName, resp.Diagnostics)
	x.deferred(resp.Deferred != nil, req.ClientCapabilities != nil && req.ClientCapabilities.DeferralAllowed)
	x.take(&x.Config, "configuration", req.Config)
	x.takeResponse("result", resp.Result)
	return x.finish()
}
