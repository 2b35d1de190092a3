// Package encoded checks the requests and responses between a provider and its caller in their
// encoded form, as a proxy receives them or a recording contains them. The commands "objchange
// watch" and "objchange replay" use it. Tests of providers need packages tfcheck and driver
// instead.
package encoded

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
	"github.com/objchange/objchange/tfcheck/internal/check"
	"github.com/objchange/objchange/tfcheck/internal/codec"
)

// A Checker checks the RPCs between a provider and its caller in their encoded form. It applies
// the checks of Server5 and Server6. Create one with New for each provider, for all processes of
// the provider. It is safe for concurrent use, and checks one RPC at a time.
type Checker struct {
	protocol int
	service  string
	program  tfcheck.Program

	known atomic.Bool // the schemas are loaded

	mu      sync.Mutex
	version string // of the program, or "" before the provider is configured
	catalog catalog.Catalog
}

// A Result is a checked Exchange with its findings.
type Result struct {
	tfcheck.Exchange
	Findings []tfcheck.Finding
	PriorKey PriorKey // of a plan
}

// New returns a Checker for a provider of protocol 5 or 6. It checks for the program. "" is
// Terraform. The error says that the protocol is not supported.
func New(protocol int, program tfcheck.Program) (*Checker, error) {
	if protocol != 5 && protocol != 6 {
		return nil, fmt.Errorf("protocol %d is neither 5 nor 6", protocol)
	}
	return &Checker{protocol: protocol, service: codec.Service(protocol), program: program}, nil
}

// Protocol returns the major version of the protocol, 5 or 6.
func (c *Checker) Protocol() int { return c.protocol }

// Names of RPCs in tfprotov5 and tfprotov6.
const (
	getSchema     = "GetProviderSchema"
	getIdentities = "GetResourceIdentitySchemas"
	configure     = "ConfigureProvider"
)

// Wants reports whether Check needs the RPC, given by its path such as
// /tfplugin6.Provider/ReadResource. Check needs an RPC that has rules, the schemas in a response,
// and the version of the program in a request. Wants returns false for the schemas once they are
// loaded.
func (c *Checker) Wants(method string) bool {
	name := codec.Name(c.service, method)
	return name == getSchema && !c.known.Load() || name == configure || tfcheck.Checks(name)
}

// Raw is a gRPC codec that forwards messages that are already encoded. Each message is a *[]byte.
type Raw = codec.Raw

// A Caller requests schemas from a provider. It sends an empty request to the path of an RPC,
// such as /tfplugin6.Provider/GetProviderSchema, and returns the encoded response.
type Caller func(ctx context.Context, method string) (response []byte, err error)

// SchemaRPCs returns the paths of the RPCs that return schemas. Check and Schemas send no other
// requests.
func (c *Checker) SchemaRPCs() []string {
	return []string{codec.Path(c.service, getSchema), codec.Path(c.service, getIdentities)}
}

// Schemas returns the schemas for the named type in an RPC that Check accepts: the schema of the
// object and the schema of its identity. The identity schema is nil if the type has no identity.
// Schemas requests schemas that are not loaded yet.
func (c *Checker) Schemas(
	ctx context.Context, caller Caller, rpc, typeName string,
) (object, identity *objchange.Schema, err error) {
	if !tfcheck.Checks(rpc) {
		return nil, nil, fmt.Errorf("tfcheck does not check %s", rpc)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.checked(caller, "", nil, nil)
	kind := catalog.KindOf(rpc)
	found := c.catalog.Find(ctx, kind, typeName)
	if found.Err != nil || kind != catalog.Resource {
		return found.Compiled, nil, found.Err
	}
	return found.Compiled, c.catalog.Find(ctx, catalog.Identity, typeName).Compiled, nil
}

// Check checks an RPC, given by its encoded messages. It returns the exchanges in it. Most RPCs
// contain one exchange. An import contains one without a schema, for the number of objects, and
// then one for each object. An RPC that only returns schemas, or configures the provider, contains
// none. Check requests schemas that are not loaded yet.
//
// The error says why the RPC cannot be checked: a message is malformed, or the schemas are not
// available, or a schema has fields that this package does not know.
func (c *Checker) Check(ctx context.Context, caller Caller, method string, request, response []byte) ([]Result, error) {
	name := codec.Name(c.service, method)
	if name != getSchema && name != configure && !tfcheck.Checks(name) {
		return nil, fmt.Errorf("tfcheck does not check %s", method)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var seen []Result
	var newer error
	server := c.checked(caller, method, response, func(x tfcheck.Exchange, found []tfcheck.Finding, err error) {
		seen = append(seen, Result{Exchange: x, Findings: found})
		newer = cmp.Or(newer, err)
	})

	rpc, err := codec.Find(c.service, name)
	if err != nil {
		return nil, err
	}
	call := reflect.ValueOf(server).MethodByName(name)
	req := reflect.New(call.Type().In(1).Elem())
	if err := rpc.Request.Unmarshal(request, req.Interface(), nil); err != nil {
		return nil, fmt.Errorf("%s: the request is malformed: %w", name, err)
	}
	if configuring, is := req.Interface().(*tfprotov6.ConfigureProviderRequest); is {
		c.version = configuring.TerraformVersion
	}
	if err, _ = call.Call([]reflect.Value{reflect.ValueOf(ctx), req})[1].Interface().(error); err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	c.known.Store(c.catalog.Loaded()) // c.mu is held
	if err = errors.Join(err, c.catalog.Failed(), newer); err != nil {
		return nil, err
	}
	if plan, is := req.Interface().(*tfprotov6.PlanResourceChangeRequest); is {
		for i := range seen {
			seen[i].PriorKey = priorKey(seen[i].Exchange, plan)
		}
	}
	return seen, nil
}

// checked returns a checking server whose provider returns the recorded response for one RPC. Other
// requests, which are requests for schemas, go to the caller.
func (c *Checker) checked(
	caller Caller, method string, response []byte, seen func(tfcheck.Exchange, []tfcheck.Finding, error),
) tfprotov6.ProviderServer {
	server := codec.NewClient(c.service, func(ctx context.Context, path string, _ []byte) ([]byte, error) {
		if path == method {
			return response, nil
		}
		return caller(ctx, path)
	})
	c.catalog.Server = server
	checking := tfcheck.Server6(server, nil, c.program)
	check.Share(checking, &c.catalog, c.version, seen)
	return checking
}
