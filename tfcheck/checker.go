package tfcheck

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
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
func wrapAll[S any](
	factories map[string]func() (S, error), opts []Option, wrap func(S) S,
) map[string]func() (S, error) {
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

// provide calls GetProviderSchema, and keeps the schemas of the response.
func provide[Q, R any](
	ctx context.Context, c *checker, method func(context.Context, *Q) (*R, error), req *Q,
) (*R, error) {
	if err := c.ignored.Err(); err != nil {
		return nil, err
	}
	ctx, newer := wire.CollectNewer(ctx)
	resp, err := method(ctx, req)
	if err == nil && resp != nil {
		c.catalog.Keep(catalog.SchemasIn[Q](resp, newer))
	}
	return resp, err
}

// forward calls a method of the server and checks its response. If the check returns diagnostics,
// the returned response is a copy with these diagnostics added.
func forward[Q, R any](
	ctx context.Context, c *checker, method func(context.Context, *Q) (*R, error), req *Q,
) (*R, error) {
	resp, err := method(ctx, req)
	if err != nil || resp == nil || req == nil {
		return resp, err
	}
	diags := c.check(ctx, catalog.RPCOf[Q](), reflect.ValueOf(req).Elem(), reflect.ValueOf(resp).Elem())
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
