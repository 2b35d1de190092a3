// Package catalog loads the schemas of provider servers and compiles them.
package catalog

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/legacysdk"
	"github.com/objchange/objchange/internal/spelling"
	"github.com/objchange/objchange/tfcheck/internal/wire"
)

// A Kind is the kind of a schema.
type Kind int

// The kinds of schemas. There is one schema of kind Provider, with the name "". It is empty if the
// provider has no configuration.
const (
	Provider Kind = iota
	Resource
	Data
	Ephemeral
	Identity
)

// none returns the error for an unknown schema name.
func (k Kind) none(name string, all *Schemas) error {
	if k == Identity {
		return fmt.Errorf("the provider has no identity schema of %q", name)
	}
	what := map[Kind]string{Resource: "resource type", Data: "data source", Ephemeral: "ephemeral resource type"}[k]
	return fmt.Errorf("the provider has no schema of the %s %q%s", what, name, Meant(name, all.Names(k)))
}

// Meant returns a question with the nearest of the names, or "" if no name is similar.
func Meant(name string, names []string) string {
	near := spelling.Nearest(name, names)
	if near == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", near)
}

// A Schema is a compiled schema, or Err says why it is not available.
type Schema struct {
	Version  int64
	Compiled *objchange.Schema
	Type     cty.Type
	Legacy   bool // the legacy SDK could have created it
	Err      error
}

// SchemaOf compiles a schema, unless there is an error.
func SchemaOf(schema *configschema.Schema, err error) *Schema {
	if err != nil {
		return &Schema{Err: err}
	}
	compiled, err := objchange.Compile(schema.Block)
	if err != nil {
		return &Schema{Err: err}
	}
	ty := compiled.ImpliedType().WithoutOptionalAttributesDeep()
	return &Schema{schema.Version, compiled, ty, legacysdk.Possible(schema.Block), nil}
}

// KindOf returns the kind of the schema of the values in an RPC.
func KindOf(rpc string) Kind {
	switch rpc {
	case "ReadDataSource":
		return Data
	case "OpenEphemeralResource":
		return Ephemeral
	}
	return Resource
}

// Schemas contains the schemas of a response, of either protocol. It converts a schema when it is
// needed.
type Schemas struct {
	response reflect.Value
	newer    *wire.Newer

	PlanDestroy bool                           // the provider has the capability to plan destruction
	Functions   map[string]*tfprotov6.Function // as in protocol 6
}

// schemaFields lists the fields of responses with the schemas of a kind.
var schemaFields = map[Kind]string{
	Provider: "Provider", Resource: "ResourceSchemas", Data: "DataSourceSchemas",
	Ephemeral: "EphemeralResourceSchemas", Identity: "IdentitySchemas",
}

// SchemasIn returns the schemas in the response of an RPC. newer is what the response had beyond
// tfprotov6. The error is a *RefusedError.
func SchemasIn(rpc string, resp any, newer *wire.Newer) (*Schemas, error) {
	p := &Schemas{response: reflect.ValueOf(resp).Elem(), newer: newer}
	if capabilities := wire.Field[*tfprotov6.ServerCapabilities](p.response, "ServerCapabilities"); capabilities != nil {
		p.PlanDestroy = capabilities.PlanDestroy
	}
	p.Functions = wire.Field[map[string]*tfprotov6.Function](p.response, "Functions")
	return p, Refusal(rpc, "", Diagnostics(wire.Field[[]*tfprotov6.Diagnostic](p.response, "Diagnostics"), nil))
}

// Names returns the names of the schemas of a kind other than Provider, sorted.
func (p *Schemas) Names(k Kind) (names []string) {
	for _, name := range p.response.FieldByName(schemaFields[k]).MapKeys() {
		names = append(names, name.String())
	}
	slices.Sort(names)
	return names
}

// schema converts the schema with the name.
func (p *Schemas) schema(k Kind, name string) (*configschema.Schema, error) {
	from := p.response.FieldByName(schemaFields[k])
	if k != Provider {
		from = from.MapIndex(reflect.ValueOf(name))
	}
	missing := !from.IsValid() || from.IsNil()
	switch {
	case missing && k == Provider:
		return &configschema.Schema{Block: &configschema.Block{}}, nil
	case missing:
		return nil, k.none(name, p)
	case k == Identity:
		return identitySchema(name, wire.Convert[*tfprotov6.ResourceIdentitySchema](from.Interface()), p.newer)
	}
	return schema(name, wire.Convert[*tfprotov6.Schema](from.Interface()), p.newer)
}

// A Catalog contains the schemas of a server. It requests them when they are first needed. It
// compiles a schema when it is first used, because large providers have thousands of schemas. It
// is safe for concurrent use.
type Catalog struct {
	Server any // of either protocol

	mu         sync.Mutex
	all, types *Schemas // the schemas, and the identity schemas
	known      map[schemaName]*Schema
	failed     error
}

type schemaName struct {
	kind Kind
	name string
}

// Keep stores the schemas, unless the catalog has schemas already or err is not nil.
func (c *Catalog) Keep(schemas *Schemas, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all == nil && err == nil {
		c.all = schemas
	}
}

// Loaded reports whether the catalog has the schemas.
func (c *Catalog) Loaded() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.all != nil
}

// Load returns all schemas except identity schemas.
func (c *Catalog) Load(ctx context.Context) (*Schemas, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.load(ctx, &c.all, "GetProviderSchema")
}

// load returns the stored schemas, or requests and stores them.
func (c *Catalog) load(ctx context.Context, stored **Schemas, rpc string) (*Schemas, error) {
	if *stored != nil {
		return *stored, nil
	}
	ctx, newer := wire.CollectNewer(ctx)
	resp, err := wire.Ask(ctx, c.Server, rpc)
	if err != nil {
		err = fmt.Errorf("%s: %w", rpc, err)
		c.failed = cmp.Or(c.failed, err)
		return nil, err
	}
	got, err := SchemasIn(rpc, resp, newer)
	if err != nil {
		return nil, err
	}
	*stored = got
	return got, nil
}

// Failed returns the first error of a request for schemas since its last call, unless the provider
// returned error diagnostics.
func (c *Catalog) Failed() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	failed := c.failed
	c.failed = nil
	return failed
}

// Find returns the schema of the kind with the name. It never returns nil: the Err of the schema
// says that the schema does not exist, is invalid, or could not be requested.
func (c *Catalog) Find(ctx context.Context, k Kind, name string) *Schema {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := schemaName{k, name}
	if known := c.known[at]; known != nil {
		return known
	}
	stored, rpc := &c.all, "GetProviderSchema"
	if k == Identity {
		stored, rpc = &c.types, "GetResourceIdentitySchemas"
	}
	from, err := c.load(ctx, stored, rpc)
	if err != nil {
		return &Schema{Err: err} // not stored: a later request may succeed
	}
	if c.known == nil {
		c.known = map[schemaName]*Schema{}
	}
	c.known[at] = SchemaOf(from.schema(k, name))
	return c.known[at]
}
