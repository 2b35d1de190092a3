package tfcheck

import (
	"cmp"
	"context"
	"reflect"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

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

// Share sets the catalog with the schemas, which other servers may share, and the version of the
// program to check for. Unless seen is nil, the checker passes each exchange with its findings to
// seen. An error says that a schema is newer than this package, so the exchange was not checked.
// Share is for packages driver and encoded.
func (c *checker) Share(schemas *catalog.Catalog, version string, seen func(Exchange, []Finding, error)) {
	c.catalog, c.seen = schemas, seen
	c.configured(version)
}

// configured stores the version of the program that configures the provider.
func (c *checker) configured(version string) { c.version.Store(&version) }

// wrapAll returns factories that wrap the created servers. If an option is invalid, they return
// an error.
func wrapAll[S any](
	factories map[string]func() (S, error), opts []Option, wrap func(S) S,
) map[string]func() (S, error) {
	wrong := new(checker).with(opts).ignored.Err()
	wrapped := make(map[string]func() (S, error), len(factories))
	for name, factory := range factories {
		wrapped[name] = func() (none S, _ error) {
			server, err := check.Create(factory)
			if err = cmp.Or(wrong, err); err != nil {
				return none, err
			}
			return wrap(server), nil
		}
	}
	return wrapped
}

// handler returns a handler that forwards requests to the server, and checks the responses. The
// diagnostics of a check are added to the response.
func (c *checker) handler(server any) wire.Handler {
	return func(ctx context.Context, name string, request, response any) error {
		if name == "GetProviderSchema" {
			return c.provide(ctx, server, request, response)
		}
		req, resp := reflect.ValueOf(request).Elem(), reflect.ValueOf(response).Elem()
		if name == "ConfigureProvider" && req.IsValid() {
			c.configured(wire.Field[string](req, "TerraformVersion"))
		}
		err := wire.Call(ctx, server, name, request, response)
		if err != nil || !Checks(name) || !req.IsValid() {
			return err
		}
		if diags := c.check(ctx, name, req, resp); len(diags) > 0 {
			field := resp.FieldByName("Diagnostics")
			added := reflect.New(field.Type()).Elem()
			field.SetCap(field.Len()) // the slice belongs to the server
			err = wire.Copy(reflect.ValueOf(diags), added, nil)
			field.Set(reflect.AppendSlice(field, added))
		}
		return err
	}
}

// provide calls GetProviderSchema, and keeps the schemas of the response.
func (c *checker) provide(ctx context.Context, server, request, response any) error {
	if err := c.ignored.Err(); err != nil {
		return err
	}
	ctx, newer := wire.CollectNewer(ctx)
	err := wire.Call(ctx, server, "GetProviderSchema", request, response)
	if err == nil {
		c.catalog.Keep(catalog.SchemasIn("GetProviderSchema", response, newer))
	}
	return err
}

// requested lists the values that requests contain.
var requested = []struct {
	field, what string
	into        func(*Exchange) *cty.Value
}{
	{"Config", "configuration", func(x *Exchange) *cty.Value { return &x.Config }},
	{"PriorState", "prior state", func(x *Exchange) *cty.Value { return &x.Prior }},
	{"CurrentState", "current state", func(x *Exchange) *cty.Value { return &x.Prior }},
	{"ProposedNewState", "proposed state", func(x *Exchange) *cty.Value { return &x.Proposed }},
	{"PlannedState", "planned state", func(x *Exchange) *cty.Value { return &x.Planned }},
}

// check checks an exchange and returns the diagnostics to add to the response.
func (c *checker) check(ctx context.Context, name string, req, resp reflect.Value) []*tfprotov6.Diagnostic {
	x, rpc := c.exchange(ctx, name, req, resp), rpcs[name]
	if resp.FieldByName("ImportedResources").IsValid() {
		byIdentity := wire.Field[*identityData](req, "Identity") != nil
		return x.finishImport(wire.Field[[]*tfprotov6.ImportedResource](resp, "ImportedResources"), byIdentity)
	}
	x.load()
	for _, part := range requested {
		if req.FieldByName(part.field).IsValid() {
			x.decode(SideRequest, part.into(&x.Exchange), part.what, wire.Field[*dynamicValue](req, part.field))
		}
	}
	if resp.FieldByName(rpc.value).IsValid() {
		x.takeResponse(wire.Field[*dynamicValue](resp, rpc.value))
	}
	x.requiresReplace(wire.Field[[]*tftypes.AttributePath](resp, "RequiresReplace"))
	x.identity(wire.Field[*identityData](req, rpc.priorIdentity), wire.Field[*identityData](resp, rpc.identity), false)
	return x.finish()
}

// exchange returns an exchange without values.
func (c *checker) exchange(ctx context.Context, name string, req, resp reflect.Value) *exchange {
	x := &exchange{ctx: ctx, checker: c}
	x.RPC, x.Program = name, c.program
	x.TypeName = cmp.Or(wire.Field[string](req, "TypeName"), wire.Field[string](req, "TargetTypeName"))
	if version := c.version.Load(); version != nil {
		x.Version = *version
	}
	x.Failed = catalog.Failed(wire.Field[[]*tfprotov6.Diagnostic](resp, "Diagnostics"))
	x.Legacy = wire.Field[bool](resp, "UnsafeToUseLegacyTypeSystem")
	x.Deferred = wire.Field[*tfprotov6.Deferred](resp, "Deferred") != nil
	if resp.FieldByName("Deferred").IsValid() { // all such requests have the same capability
		allowed := wire.Field[*tfprotov6.PlanResourceChangeClientCapabilities](req, "ClientCapabilities")
		x.DeferralForbidden = allowed == nil || !allowed.DeferralAllowed
	}
	return x
}
