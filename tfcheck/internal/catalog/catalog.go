// Package catalog asks provider servers for their schemas and makes them ready for use.
package catalog

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/spelling"
	"github.com/objchange/objchange/tfcheck/internal/wire"
	"github.com/objchange/objchange/tfconv"
)

// A Kind is one of a provider's lists of schemas.
type Kind int

// The kinds of schemas. There is one Provider, by the name "".
const (
	Provider Kind = iota
	Resource
	Data
	Ephemeral
	Identity
)

// none returns the error for a name that no schema has.
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

// Meant asks for the nearest of the names, or returns "" if there is none.
func Meant(name string, names []string) string {
	near := spelling.Nearest(name, names)
	if near == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", near)
}

// A Schema is ready for use, or Err says why there is none.
type Schema struct {
	Version  int64
	Compiled *objchange.Schema
	Type     cty.Type
	Legacy   bool // it could be one of the legacy SDK
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
	return &Schema{schema.Version, compiled, ty, couldBeLegacy(schema.Block), nil}
}

// couldBeLegacy reports whether the legacy SDK could have made the schema. Core assumes
// then that it did, and normalises what is read.
func couldBeLegacy(b *configschema.Block) bool {
	for _, a := range b.Attributes {
		if a.NestedType != nil || !legacyType(a.Type) {
			return false
		}
	}
	for _, nb := range b.BlockTypes {
		if nb.Computed || !couldBeLegacy(&nb.Block) {
			return false
		}
	}
	return true
}

// legacyType reports whether the legacy SDK could have an attribute of the type.
func legacyType(ty cty.Type) bool {
	switch {
	case ty.IsTupleType() || ty.IsObjectType():
		return false
	case ty.IsMapType() && ty.ElementType().IsObjectType():
		return false
	case ty.IsCollectionType() && ty.ElementType().IsCollectionType():
		return ty.ElementType().ElementType().IsPrimitiveType()
	}
	return true
}

// A Source asks a server for its schemas, and for those of identities.
type Source struct {
	Schemas, Identities func(context.Context) (*Provided, error)
}

// Of6 returns the schemas of a server of protocol 6.
func Of6(server tfprotov6.ProviderServer) Source {
	return sourceOf(server.GetProviderSchema, Provided6, server.GetResourceIdentitySchemas)
}

// Of5 returns the schemas of a server of protocol 5.
func Of5(server tfprotov5.ProviderServer) Source {
	return sourceOf(server.GetProviderSchema, Provided5, server.GetResourceIdentitySchemas)
}

func sourceOf[Q, A, IQ, IA any](schemas func(context.Context, *Q) (*A, error), provided func(*A) (*Provided, error),
	identities func(context.Context, *IQ) (*IA, error)) Source {
	return Source{
		func(ctx context.Context) (*Provided, error) {
			resp, err := Ask(ctx, "GetProviderSchema", "", schemas, new(Q))
			if err != nil {
				return nil, err
			}
			return provided(resp)
		},
		func(ctx context.Context) (*Provided, error) {
			const rpc = "GetResourceIdentitySchemas"
			answered, err := Ask(ctx, rpc, "", identities, new(IQ))
			if err != nil {
				return nil, err
			}
			resp := wire.Convert[*tfprotov6.GetResourceIdentitySchemasResponse](answered) // small
			came := map[Kind]map[string]*tfprotov6.ResourceIdentitySchema{Identity: resp.IdentitySchemas}
			return provide(came, tfconv.IdentitySchema6, false), Refusal(rpc, "", Diagnostics(resp.Diagnostics, nil))
		},
	}
}

// A Provided is the schemas that came.
type Provided struct {
	// schema makes the schema of that name, nil if there is none.
	schema      func(k Kind, name string) (*configschema.Schema, error)
	Names       func(Kind) []string            // of those, in order
	PlanDestroy bool                           // the provider wants to plan destruction, too
	Functions   map[string]*tfprotov6.Function // of protocol 6
}

// Provided6 returns the schemas in a response of protocol 6, or a *RefusedError.
func Provided6(all *tfprotov6.GetProviderSchemaResponse) (*Provided, error) {
	p := provide(map[Kind]map[string]*tfprotov6.Schema{
		Provider: {"": all.Provider}, Resource: all.ResourceSchemas, Data: all.DataSourceSchemas, Ephemeral: all.EphemeralResourceSchemas,
	}, tfconv.Schema6, all.ServerCapabilities != nil && all.ServerCapabilities.PlanDestroy)
	p.Functions = all.Functions
	return p, refusedSchemas(all.Diagnostics)
}

// Provided5 returns the schemas in a response of protocol 5, or a *RefusedError.
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
		return converted(came[k][name])
	}
	return &Provided{schema: schema, Names: func(k Kind) []string { return slices.Sorted(maps.Keys(came[k])) }, PlanDestroy: planDestroy}
}

// Configurable reports whether there is a schema of the provider's configuration.
func (p *Provided) Configurable() bool {
	schema, err := p.schema(Provider, "")
	return schema != nil || err != nil
}

// A Catalog is the schemas of a server, asked for when first needed. A schema is
// made when it is first looked for: large providers have thousands. It is safe for
// concurrent use.
type Catalog struct {
	Source Source

	mu         sync.Mutex
	all, types *Provided // schemas, and those of identities
	known      map[schemaName]*Schema
}

type schemaName struct {
	kind Kind
	name string
}

// Keep remembers the schemas that came, unless there are some already, or the provider
// refused.
func (c *Catalog) Keep(schemas *Provided, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all == nil && err == nil {
		c.all = schemas
	}
}

// Loaded reports whether the schemas are there.
func (c *Catalog) Loaded() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.all != nil
}

// Load returns all schemas but those of identities.
func (c *Catalog) Load(ctx context.Context) (*Provided, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return once(ctx, &c.all, c.Source.Schemas)
}

// once asks unless there is an answer already.
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

// Find returns the schema of a type name.
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
		return &Schema{Err: err} // the next time it may be there
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
