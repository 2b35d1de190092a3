package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/objchange/objchange/tfcheck/internal/catalog"
	"github.com/objchange/objchange/tfcheck/internal/wire"
)

// A guard forwards requests to a provider. It counts requests, ends requests that take too long,
// and recovers from panics of a provider in this process.
type guard struct {
	session *Session
	server  tfprotov6.ProviderServer
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

// handle forwards a request. Requests for schemas are not counted, because they start a provider.
func (g *guard) handle(ctx context.Context, name string, request, response any) error {
	lock := g.configuring.RLocker()
	switch req := request.(type) {
	case *tfprotov6.GetProviderSchemaRequest:
		return g.providerSchema(ctx, name, req, response.(*tfprotov6.GetProviderSchemaResponse))
	case *tfprotov6.GetResourceIdentitySchemasRequest:
		return g.send(ctx, name, request, response)
	case *tfprotov6.ValidateProviderConfigRequest:
		if g.session.Unconfigured {
			return nil
		}
	case *tfprotov6.ConfigureProviderRequest:
		if g.session.Unconfigured {
			return nil
		}
		lock = g.configuring
	case *tfprotov6.ReadDataSourceRequest, *tfprotov6.OpenEphemeralResourceRequest:
		if !g.reads {
			return errNotRead
		}
	}
	lock.Lock()
	defer lock.Unlock()
	g.session.Requests++
	if req, applies := request.(*tfprotov6.ApplyResourceChangeRequest); applies {
		return g.apply(ctx, name, req, response.(*tfprotov6.ApplyResourceChangeResponse))
	}
	return g.send(ctx, name, request, response)
}

// A crashError is the error for a panic of a provider in this process.
type crashError struct{ trace string }

func (e *crashError) Error() string { return "the provider crashes" + Reason(e.trace) }

// errSlow is the error for a request that takes too long, or whose context ended.
var errSlow = errors.New("the provider did not respond")

// send sends one request and ends it if it takes too long.
func (g *guard) send(ctx context.Context, name string, request, response any) error {
	cause := fmt.Errorf("a request took longer than %s", g.session.Limit)
	ctx, cancel := context.WithTimeoutCause(ctx, g.session.Limit, cause)
	defer cancel()
	received := reflect.New(reflect.TypeOf(response).Elem())
	answered := make(chan error, 1)
	go func() {
		var err error
		defer func() {
			if reason := recover(); reason != nil {
				err = &crashError{fmt.Sprintf("panic: %v\n%s", reason, debug.Stack())}
			}
			answered <- err
		}()
		err = wire.Call(ctx, g.server, name, request, received.Interface())
	}()
	select {
	case err := <-answered:
		if err != nil && ctx.Err() != nil && !errors.As(err, new(*crashError)) {
			return fmt.Errorf("%w: %w", errSlow, err)
		}
		reflect.ValueOf(response).Elem().Set(received.Elem())
		return err
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", errSlow, context.Cause(ctx))
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
	can := resp.ServerCapabilities
	return can != nil && can.GetProviderSchemaOptional && !catalog.Failed(resp.Diagnostics)
}

// providerSchema requests the schemas once from each process, and once from all processes if that is
// sufficient.
func (g *guard) providerSchema(
	ctx context.Context, name string, req *tfprotov6.GetProviderSchemaRequest, resp *tfprotov6.GetProviderSchemaResponse,
) error {
	all := g.session.Schemas
	all.mu.Lock()
	defer all.mu.Unlock()
	g.schemas = cmp.Or(g.schemas, all.schemas)
	if g.schemas != nil {
		*resp = *g.schemas
		return nil
	}
	if err := g.send(ctx, name, req, resp); err != nil {
		return err
	}
	g.schemas = resp
	if optional(resp) {
		all.schemas = resp
	}
	return nil
}

// apply waits for the response even if the context ends, because the response contains the created
// object.
func (g *guard) apply(
	ctx context.Context, name string,
	req *tfprotov6.ApplyResourceChangeRequest, resp *tfprotov6.ApplyResourceChangeResponse,
) error {
	g.applies++
	g.latest = change{creates: isNull(req.PriorState), destroys: isNull(req.PlannedState)}
	err := g.send(context.WithoutCancel(ctx), name, req, resp)
	g.latest.refused = err == nil && catalog.Failed(resp.Diagnostics) && isNull(resp.NewState) &&
		!slices.ContainsFunc(resp.Diagnostics, isMissingState)
	return err
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
