// Package witness checks the requests and responses between a provider and somebody else by
// their bytes, as a proxy sees them or a recording has them. It is what "objchange watch"
// and "objchange replay" are made of: providers' tests need packages tfcheck and driver.
package witness

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
	"github.com/objchange/objchange/tfcheck/internal/wire"
)

// A Witness checks the RPCs between a provider and its caller by their bytes, as a proxy
// sees them, the way Server5 and Server6 check them. New makes one for a provider, for all
// of its processes. It is safe for concurrent use, and checks one RPC at a time.
type Witness struct {
	protocol int
	service  string
	schema   string // the path of the RPC that asks for the schemas
	program  tfcheck.Program

	known atomic.Bool // there are schemas

	mu      sync.Mutex
	catalog catalog.Catalog
}

// A Witnessed is an Exchange that was seen, and what it breaks.
type Witnessed struct {
	tfcheck.Exchange
	Findings []tfcheck.Finding
}

// New returns a witness of a provider of protocol 5 or 6, which checks for the program;
// "" is Terraform.
func New(protocol int, program tfcheck.Program) (*Witness, error) {
	if protocol != 5 && protocol != 6 {
		return nil, fmt.Errorf("protocol %d is neither 5 nor 6", protocol)
	}
	w := &Witness{protocol: protocol, service: wire.Service(protocol), program: program}
	rpc, err := wire.Find(w.service, getSchema)
	if err != nil {
		return nil, err
	}
	w.schema = rpc.Path
	return w, nil
}

// Protocol returns the major version of the protocol, 5 or 6.
func (w *Witness) Protocol() int { return w.protocol }

// getSchema is what tfprotov5 and tfprotov6 call the RPC.
const getSchema = "GetProviderSchema"

const getIdentities = "GetResourceIdentitySchemas"

func (w *Witness) path(rpc string) string { return "/" + w.service + "/" + rpc }

// Wants reports whether Judge needs the RPC, such as /tfplugin6.Provider/ReadResource: to
// check it or, once, for the schemas in it.
func (w *Witness) Wants(method string) bool {
	if method == w.schema {
		return !w.known.Load()
	}
	return tfcheck.Judged(w.name(method))
}

// name returns the RPC of a path, or "" if it is none of the provider's.
func (w *Witness) name(method string) string {
	if method == w.schema {
		return getSchema
	}
	if name, ok := strings.CutPrefix(method, w.path("")); ok {
		return name
	}
	return ""
}

// An Asker asks a provider for schemas: it sends a request without fields to the path of
// an RPC, such as /tfplugin6.Provider/GetProviderSchema, and returns the response as it
// is on the wire.
type Asker func(ctx context.Context, method string) (response []byte, err error)

// SchemaRPCs returns the paths of the RPCs that have schemas, all that Judge asks for.
func (w *Witness) SchemaRPCs() []string { return []string{w.schema, w.path(getIdentities)} }

// Schemas returns the schemas of the values in an RPC that is Judged, about the type
// of that name: of the object and of its identity, which is nil if there is none. What
// has not passed is asked for.
func (w *Witness) Schemas(ctx context.Context, ask Asker, rpc, typeName string) (object, identity *objchange.Schema, err error) {
	if !tfcheck.Judged(rpc) {
		return nil, nil, fmt.Errorf("%s is no RPC to judge", rpc)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.checked(&replayed{ask: ask}, nil)
	kind := tfcheck.KindOf(rpc)
	found := w.catalog.Find(ctx, kind, typeName)
	if found.Err != nil || kind != catalog.Resource {
		return found.Compiled, nil, found.Err
	}
	return found.Compiled, w.catalog.Find(ctx, catalog.Identity, typeName).Compiled, nil
}

// Judge checks an RPC by its messages as they are on the wire. It returns the exchanges in
// it: one; for an import one for each object, after one without a schema for their number;
// none if the RPC only has schemas. It requests schemas that have not passed.
//
// The error says why the RPC cannot be checked: a message is malformed, or the schemas are
// not available.
func (w *Witness) Judge(ctx context.Context, ask Asker, method string, request, response []byte) ([]Witnessed, error) {
	name := w.name(method)
	if name != getSchema && !tfcheck.Judged(name) {
		return nil, fmt.Errorf("%s is no RPC to judge", method)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	var seen []Witnessed
	played := &replayed{ask: ask, method: method, response: response}
	server := w.checked(played, func(x tfcheck.Exchange, found []tfcheck.Finding) { seen = append(seen, Witnessed{x, found}) })

	rpc, err := wire.Find(w.service, name)
	if err != nil {
		return nil, err
	}
	call := reflect.ValueOf(server).MethodByName(name)
	req := reflect.New(call.Type().In(1).Elem())
	if err := rpc.UnmarshalRequest(request, req.Interface()); err != nil {
		return nil, fmt.Errorf("%s: the request makes no sense: %w", name, err)
	}
	err, _ = call.Call([]reflect.Value{reflect.ValueOf(ctx), req})[1].Interface().(error)
	w.known.Store(w.catalog.Loaded()) // nobody else has the catalog now
	if err = errors.Join(err, played.failed); err != nil {
		return nil, err
	}
	return seen, nil
}

// checked returns a checking server that answers what was seen.
func (w *Witness) checked(played *replayed, seen func(tfcheck.Exchange, []tfcheck.Finding)) tfprotov6.ProviderServer {
	server := wire.NewClient(w.service, played)
	from := catalog.Of6(server)
	w.catalog.Source = catalog.Source{Schemas: played.noting(from.Schemas), Identities: played.noting(from.Identities)}
	return tfcheck.Checked(server, &w.catalog, w.program, nil, seen)
}

// A replayed provider answers one RPC as was seen, and passes on what else is asked:
// schemas.
type replayed struct {
	ask      Asker
	method   string
	response []byte
	failed   error // why something else was not answered
}

// Call returns what the provider answered.
func (r *replayed) Call(ctx context.Context, path string, _ []byte) ([]byte, error) {
	if path == r.method {
		return r.response, nil
	}
	return r.ask(ctx, path)
}

// noting notes why there are no schemas, unless the provider refused them.
func (r *replayed) noting(ask func(context.Context) (*catalog.Provided, error)) func(context.Context) (*catalog.Provided, error) {
	return func(ctx context.Context) (*catalog.Provided, error) {
		got, err := ask(ctx)
		if refused := (*catalog.RefusedError)(nil); err != nil && r.failed == nil && !errors.As(err, &refused) {
			r.failed = err
		}
		return got, err
	}
}

// Tell passes the findings to the report and returns the response of the RPC, as it is on
// the wire, with the diagnostics that Server5 or Server6 would add. They come last, and all
// other bytes stay, also those of unknown fields. Without diagnostics, it returns the
// response itself.
//
// The error says that there is no such RPC, or what cannot be sent.
func (w *Witness) Tell(method string, response []byte, report tfcheck.Report, found ...tfcheck.Finding) ([]byte, error) {
	diags := report.Diagnostics(found...)
	if len(diags) == 0 {
		return response, nil
	}
	rpc, err := wire.Find(w.service, w.name(method))
	if err != nil {
		return nil, err
	}
	return rpc.AppendResponse(response, &struct{ Diagnostics []*tfprotov6.Diagnostic }{diags})
}
