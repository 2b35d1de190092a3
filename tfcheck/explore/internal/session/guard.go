package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/objchange/objchange/tfcheck/internal/catalog"
)

// A guard forwards requests to a provider. It counts requests, ends requests that take too long,
// and recovers from panics of a provider in this process.
type guard struct {
	tfprotov6.ProviderServer
	session *Session
	reads   bool                                 // data sources may be read, and ephemeral resources opened
	applies int                                  // number of requests that may have changed an object
	latest  change                               // the last of these requests
	schemas *tfprotov6.GetProviderSchemaResponse // of this process

	configuring *sync.RWMutex // locked while a server is configured, read-locked for other requests
}

// A change describes the purpose of a request to apply, and its result.
type change struct {
	creates, destroys bool
	refused           bool // with an error and without a state, so no object exists
}

// errNotRead is returned for a read that the hints do not allow.
var errNotRead = errors.New("it is not allowed to be read")

// guarded sends one request, but not while a server is configured.
func guarded[Q, A any](g *guard, ctx context.Context, send func(context.Context, Q) (A, error), req Q) (resp A, err error) {
	g.configuring.RLock()
	defer g.configuring.RUnlock()
	g.session.Requests++
	return limited(g, ctx, send, req)
}

// A crashError is the error for a panic of a provider in this process.
type crashError struct{ trace string }

func (e *crashError) Error() string { return "the provider crashes" + Reason(e.trace) }

// errSlow is the error for a request that takes too long, or whose context ended.
var errSlow = errors.New("the provider did not respond")

// limited sends one request and ends it if it takes too long. It does not count the request.
func limited[Q, A any](g *guard, ctx context.Context, send func(context.Context, Q) (A, error), req Q) (resp A, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, g.session.Limit, fmt.Errorf("a request took longer than %s", g.session.Limit))
	defer cancel()
	type answer struct {
		resp A
		err  error
	}
	answered := make(chan answer, 1)
	go func() {
		var a answer
		defer func() {
			if reason := recover(); reason != nil {
				a.err = &crashError{fmt.Sprintf("panic: %v\n%s", reason, debug.Stack())}
			}
			answered <- a
		}()
		a.resp, a.err = send(ctx, req)
	}()
	select {
	case a := <-answered:
		if a.err != nil && ctx.Err() != nil && !errors.As(a.err, new(*crashError)) {
			a.err = fmt.Errorf("%w: %w", errSlow, a.err)
		}
		return a.resp, a.err
	case <-ctx.Done():
		return resp, fmt.Errorf("%w: %w", errSlow, context.Cause(ctx))
	}
}

// Schemas are the schemas of a provider that need not be requested from each of its processes.
type Schemas struct {
	mu      sync.Mutex
	schemas *tfprotov6.GetProviderSchemaResponse
}

// optional reports whether a new process works without GetProviderSchema. Terraform does not request
// the schemas then.
func optional(resp *tfprotov6.GetProviderSchemaResponse) bool {
	return resp.ServerCapabilities != nil && resp.ServerCapabilities.GetProviderSchemaOptional && !catalog.Failed(resp.Diagnostics)
}

// GetProviderSchema requests the schemas once from each process, and once from all processes if that
// is sufficient. It is not counted, because it starts a provider.
func (g *guard) GetProviderSchema(ctx context.Context, req *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	all := g.session.Schemas
	all.mu.Lock()
	defer all.mu.Unlock()
	g.schemas = cmp.Or(g.schemas, all.schemas)
	if g.schemas != nil {
		return g.schemas, nil
	}
	resp, err := limited(g, ctx, g.ProviderServer.GetProviderSchema, req)
	if err == nil && resp != nil {
		g.schemas = resp
		if optional(resp) {
			all.schemas = resp
		}
	}
	return resp, err
}

// GetResourceIdentitySchemas is not counted, like GetProviderSchema.
func (g *guard) GetResourceIdentitySchemas(ctx context.Context, req *tfprotov6.GetResourceIdentitySchemasRequest) (*tfprotov6.GetResourceIdentitySchemasResponse, error) {
	return limited(g, ctx, g.ProviderServer.GetResourceIdentitySchemas, req)
}

func (g *guard) ValidateProviderConfig(ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	if g.session.Unconfigured {
		return &tfprotov6.ValidateProviderConfigResponse{PreparedConfig: req.Config}, nil
	}
	return guarded(g, ctx, g.ProviderServer.ValidateProviderConfig, req)
}

func (g *guard) ConfigureProvider(ctx context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	if g.session.Unconfigured {
		return &tfprotov6.ConfigureProviderResponse{}, nil
	}
	g.configuring.Lock()
	defer g.configuring.Unlock()
	g.session.Requests++
	return limited(g, ctx, g.ProviderServer.ConfigureProvider, req)
}

func (g *guard) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return guarded(g, ctx, g.ProviderServer.ValidateResourceConfig, req)
}

func (g *guard) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return guarded(g, ctx, g.ProviderServer.PlanResourceChange, req)
}

// ApplyResourceChange waits for the response even if the context ends, because the response
// contains the created object.
func (g *guard) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	g.applies++
	g.latest = change{creates: isNull(req.PriorState), destroys: isNull(req.PlannedState)}
	resp, err := guarded(g, context.WithoutCancel(ctx), g.ProviderServer.ApplyResourceChange, req)
	if err == nil && resp != nil {
		g.latest.refused = catalog.Failed(resp.Diagnostics) && isNull(resp.NewState) && !slices.ContainsFunc(resp.Diagnostics, isMissingState)
	}
	return resp, err
}

// isMissingState reports whether the diagnostic is the error of terraform-plugin-framework for a
// create that succeeded but returned no object.
func isMissingState(d *tfprotov6.Diagnostic) bool {
	return d != nil && d.Summary == "Missing Resource State After Create"
}

// isNull reports whether a value is missing or null.
func isNull(v *tfprotov6.DynamicValue) bool {
	if v == nil || len(v.MsgPack)+len(v.JSON) == 0 {
		return true
	}
	null, err := v.IsNull()
	return null && err == nil
}

func (g *guard) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return guarded(g, ctx, g.ProviderServer.ReadResource, req)
}

func (g *guard) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	return guarded(g, ctx, g.ProviderServer.ImportResourceState, req)
}

func (g *guard) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return guarded(g, ctx, g.ProviderServer.UpgradeResourceState, req)
}

func (g *guard) ValidateDataResourceConfig(ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return guarded(g, ctx, g.ProviderServer.ValidateDataResourceConfig, req)
}

func (g *guard) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	if !g.reads {
		return nil, errNotRead
	}
	return guarded(g, ctx, g.ProviderServer.ReadDataSource, req)
}

func (g *guard) ValidateEphemeralResourceConfig(ctx context.Context, req *tfprotov6.ValidateEphemeralResourceConfigRequest) (*tfprotov6.ValidateEphemeralResourceConfigResponse, error) {
	return guarded(g, ctx, g.ProviderServer.ValidateEphemeralResourceConfig, req)
}

func (g *guard) OpenEphemeralResource(ctx context.Context, req *tfprotov6.OpenEphemeralResourceRequest) (*tfprotov6.OpenEphemeralResourceResponse, error) {
	if !g.reads {
		return nil, errNotRead
	}
	return guarded(g, ctx, g.ProviderServer.OpenEphemeralResource, req)
}

func (g *guard) CloseEphemeralResource(ctx context.Context, req *tfprotov6.CloseEphemeralResourceRequest) (*tfprotov6.CloseEphemeralResourceResponse, error) {
	return guarded(g, ctx, g.ProviderServer.CloseEphemeralResource, req)
}

func (g *guard) CallFunction(ctx context.Context, req *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	return guarded(g, ctx, g.ProviderServer.CallFunction, req)
}
