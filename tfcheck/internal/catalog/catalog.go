// Package catalog loads the schemas of provider servers and compiles them.
package catalog

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/legacysdk"
	"github.com/objchange/objchange/internal/spelling"
	"github.com/objchange/objchange/tfcheck/internal/wire"
	"github.com/objchange/objchange/tfconv"
)

// A Kind is the kind of a schema.
type Kind int

// The kinds of schemas. There is one schema of kind Provider, with the name "".
const (
	Provider Kind = iota
	Resource
	Data
	Ephemeral
	Identity
)

// none returns the error for an unknown schema name.
func (k Kind) none(name string, names []string) error {
	if k == Identity {
		return fmt.Errorf("the provider has no identity schema of %q", name)
	}
	what := map[Kind]string{
		Provider: "provider configuration", Resource: "resource type",
		Data: "data source", Ephemeral: "ephemeral resource type",
	}[k]
	return fmt.Errorf("the provider has no schema of the %s %q%s", what, name, Meant(name, names))
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

func schemaOf(schema *configschema.Schema, err error) *Schema {
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

// A Source loads the schemas of a server, and its identity schemas.
type Source struct {
	Schemas, Identities func(context.Context) (*Provided, error)
}

// Of6 returns the Source for a server of protocol 6.
func Of6(server tfprotov6.ProviderServer) Source {
	return sourceOf(server.GetProviderSchema, Provided6, server.GetResourceIdentitySchemas)
}

// Of5 returns the Source for a server of protocol 5.
func Of5(server tfprotov5.ProviderServer) Source {
	provided := func(all *tfprotov5.GetProviderSchemaResponse, _ *wire.Newer) (*Provided, error) {
		return Provided5(all)
	}
	return sourceOf(server.GetProviderSchema, provided, server.GetResourceIdentitySchemas)
}

func sourceOf[Q, A, IQ, IA any](schemas func(context.Context, *Q) (*A, error), provided func(*A, *wire.Newer) (*Provided, error),
	identities func(context.Context, *IQ) (*IA, error)) Source {
	return Source{
		func(ctx context.Context) (*Provided, error) {
			ctx, newer := wire.CollectNewer(ctx)
			resp, err := Ask(ctx, "GetProviderSchema", "", schemas, new(Q))
			if err != nil {
				return nil, err
			}
			return provided(resp, newer)
		},
		func(ctx context.Context) (*Provided, error) {
			const rpc = "GetResourceIdentitySchemas"
			ctx, newer := wire.CollectNewer(ctx)
			answered, err := Ask(ctx, rpc, "", identities, new(IQ))
			if err != nil {
				return nil, err
			}
			resp := wire.Convert[*tfprotov6.GetResourceIdentitySchemasResponse](answered) // small, so the copy is cheap
			came := map[Kind]map[string]*tfprotov6.ResourceIdentitySchema{Identity: resp.IdentitySchemas}
			return provide(came, identitySchema6(newer), false), Refusal(rpc, "", Diagnostics(resp.Diagnostics, nil))
		},
	}
}

// A Provided contains the schemas of a response.
type Provided struct {
	// schema converts the schema with the name. It returns nil if there is no such schema.
	schema      func(k Kind, name string) (*configschema.Schema, error)
	Names       func(Kind) []string            // the names of the schemas of a kind, sorted
	PlanDestroy bool                           // the provider has the capability to plan destruction
	Functions   map[string]*tfprotov6.Function // as in protocol 6
}

// Provided6 returns the schemas in a response of protocol 6. newer is what the response had
// beyond tfprotov6. The error is a *RefusedError.
func Provided6(all *tfprotov6.GetProviderSchemaResponse, newer *wire.Newer) (*Provided, error) {
	p := provide(map[Kind]map[string]*tfprotov6.Schema{
		Provider: {"": all.Provider}, Resource: all.ResourceSchemas, Data: all.DataSourceSchemas, Ephemeral: all.EphemeralResourceSchemas,
	}, schema6(newer), all.ServerCapabilities != nil && all.ServerCapabilities.PlanDestroy)
	p.Functions = all.Functions
	return p, refusedSchemas(all.Diagnostics)
}

// Provided5 returns the schemas in a response of protocol 5. The error is a *RefusedError.
func Provided5(all *tfprotov5.GetProviderSchemaResponse) (*Provided, error) {
	return provide(map[Kind]map[string]*tfprotov5.Schema{
		Provider: {"": all.Provider}, Resource: all.ResourceSchemas, Data: all.DataSourceSchemas, Ephemeral: all.EphemeralResourceSchemas,
	}, tfconv.Schema5, all.ServerCapabilities != nil && all.ServerCapabilities.PlanDestroy), refusedSchemas(wire.Convert[[]*tfprotov6.Diagnostic](all.Diagnostics))
}

func refusedSchemas(diags []*tfprotov6.Diagnostic) error {
	return Refusal("GetProviderSchema", "", Diagnostics(diags, nil))
}

func provide[S any](came map[Kind]map[string]*S, converted func(*S) (*configschema.Schema, error), planDestroy bool) *Provided {
	schema := func(k Kind, name string) (*configschema.Schema, error) {
		if came[k][name] == nil {
			return nil, nil
		}
		to, err := converted(came[k][name])
		if newer := (*NewerError)(nil); errors.As(err, &newer) {
			newer.TypeName = name
		}
		return to, err
	}
	return &Provided{schema: schema, Names: func(k Kind) []string { return slices.Sorted(maps.Keys(came[k])) }, PlanDestroy: planDestroy}
}

// Configurable reports whether there is a schema for the provider's configuration.
func (p *Provided) Configurable() bool {
	schema, err := p.schema(Provider, "")
	return schema != nil || err != nil
}

// A Catalog contains the schemas of a server. It requests them when they are first needed. It
// compiles a schema when it is first used, because large providers have thousands of schemas. It
// is safe for concurrent use.
type Catalog struct {
	Source Source

	mu         sync.Mutex
	all, types *Provided // the schemas, and the identity schemas
	known      map[schemaName]*Schema
}

type schemaName struct {
	kind Kind
	name string
}

// Keep stores the schemas, unless the catalog has schemas already or err is not nil.
func (c *Catalog) Keep(schemas *Provided, err error) {
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
func (c *Catalog) Load(ctx context.Context) (*Provided, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return once(ctx, &c.all, c.Source.Schemas)
}

// once returns the stored schemas, or loads and stores them.
func once(ctx context.Context, have **Provided, ask func(context.Context) (*Provided, error)) (*Provided, error) {
	if *have != nil {
		return *have, nil
	}
	got, err := ask(ctx)
	if err != nil {
		return nil, err
	}
	*have = got
	return got, nil
}

// Find returns the schema of the kind with the name.
func (c *Catalog) Find(ctx context.Context, k Kind, name string) *Schema {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := schemaName{k, name}
	if d := c.known[at]; d != nil {
		return d
	}
	have, ask := &c.all, c.Source.Schemas
	if k == Identity {
		have, ask = &c.types, c.Source.Identities
	}
	from, err := once(ctx, have, ask)
	if err != nil {
		return &Schema{Err: err} // not stored: a later request may succeed
	}
	if c.known == nil {
		c.known = map[schemaName]*Schema{}
	}
	schema, err := from.schema(k, name)
	if schema == nil && err == nil {
		err = k.none(name, from.Names(k))
	}
	c.known[at] = schemaOf(schema, err)
	return c.known[at]
}
