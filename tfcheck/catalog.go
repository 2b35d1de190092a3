package tfcheck

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfconv"
	"github.com/zclconf/go-cty/cty"
)

// A kind says in which of a provider's lists of schemas a type name is.
type kind int

const (
	providerKind kind = iota
	resourceKind
	dataKind
	ephemeralKind
	identityKind
)

// none says that there is no schema of that name, and which of those that there are
// it may be.
func (k kind) none(name string, names []string) error {
	what := map[kind]string{
		providerKind: "provider configuration", resourceKind: "resource type",
		dataKind: "data source", ephemeralKind: "ephemeral resource type",
	}[k]
	if k == identityKind {
		return fmt.Errorf("the provider has no identity schema of %q", name)
	}
	return fmt.Errorf("the provider has no schema of the %s %q%s", what, name, meant(name, names))
}

// meant asks for the nearest of the names, as objchange does where one is wrong.
func meant(name string, names []string) string {
	schemas := make(map[string]*configschema.Schema, len(names))
	for _, name := range names {
		schemas[name] = &configschema.Schema{Block: &configschema.Block{}}
	}
	all := configschema.ProviderSchemas{Providers: map[string]*configschema.ProviderSchema{"": {ResourceSchemas: schemas}}}
	_, err := all.Resource("", name)
	var missing *configschema.NotFoundError
	if !errors.As(err, &missing) || missing.Nearest == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", missing.Nearest)
}

// A described is a schema made ready for use, or why there is none.
type described struct {
	version  int64
	compiled *objchange.Schema
	ty       cty.Type
	legacy   bool // it could be one of the legacy SDK
	err      error
}

func describe(schema *configschema.Schema, err error) *described {
	if err != nil {
		return &described{err: err}
	}
	compiled, err := objchange.Compile(schema.Block)
	if err != nil {
		return &described{err: err}
	}
	ty := compiled.ImpliedType().WithoutOptionalAttributesDeep()
	return &described{version: schema.Version, compiled: compiled, ty: ty, legacy: couldBeLegacy(schema.Block)}
}

// couldBeLegacy reports whether the legacy SDK could have made the schema: Core
// takes such for its, and normalises what is read.
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

// A source asks a server of either protocol for its schemas.
type source interface {
	schemas(context.Context) (*provided, error)
	identities(context.Context) (*provided, error)
}

// A provided is the schemas that came.
type provided struct {
	// schema makes the schema of that name, nil if there is none.
	schema      func(k kind, name string) (*configschema.Schema, error)
	names       func(kind) []string // of those, in order
	planDestroy bool                // the provider wants to plan destruction, too
}

// provide returns the schemas as they came in either protocol.
func provide[S any](came map[kind]map[string]*S, converted func(*S) (*configschema.Schema, error), planDestroy bool) *provided {
	schema := func(k kind, name string) (*configschema.Schema, error) {
		if came[k][name] == nil {
			return nil, nil
		}
		return converted(came[k][name])
	}
	return &provided{schema, func(k kind) []string { return slices.Sorted(maps.Keys(came[k])) }, planDestroy}
}

// configurable reports whether there is a schema of the provider's configuration.
func (p *provided) configurable() bool {
	schema, err := p.schema(providerKind, "")
	return schema != nil || err != nil
}

// A source6 is a server of protocol 6, asked for its schemas.
type source6 struct{ server tfprotov6.ProviderServer }

func (s source6) schemas(ctx context.Context) (*provided, error) {
	resp, err := ask(ctx, "GetProviderSchema", "", s.server.GetProviderSchema, &tfprotov6.GetProviderSchemaRequest{})
	if err == nil {
		err = refusal("GetProviderSchema", "", diagnosticsOf(resp.Diagnostics, nil))
	}
	if err != nil {
		return nil, err
	}
	return provided6(resp), nil
}

func provided6(all *tfprotov6.GetProviderSchemaResponse) *provided {
	return provide(map[kind]map[string]*tfprotov6.Schema{
		providerKind: {"": all.Provider}, resourceKind: all.ResourceSchemas, dataKind: all.DataSourceSchemas, ephemeralKind: all.EphemeralResourceSchemas,
	}, tfconv.Schema6, all.ServerCapabilities != nil && all.ServerCapabilities.PlanDestroy)
}

func (s source6) identities(ctx context.Context) (*provided, error) {
	return identities(ctx, s.server.GetResourceIdentitySchemas, new(tfprotov6.GetResourceIdentitySchemasRequest))
}

// A source5 is a server of protocol 5, asked for its schemas.
type source5 struct{ server tfprotov5.ProviderServer }

func (s source5) schemas(ctx context.Context) (*provided, error) {
	resp, err := ask(ctx, "GetProviderSchema", "", s.server.GetProviderSchema, &tfprotov5.GetProviderSchemaRequest{})
	if err == nil {
		err = refusal("GetProviderSchema", "", diagnosticsOf(in6[[]*tfprotov6.Diagnostic](resp.Diagnostics), nil))
	}
	if err != nil {
		return nil, err
	}
	return provided5(resp), nil
}

func provided5(all *tfprotov5.GetProviderSchemaResponse) *provided {
	return provide(map[kind]map[string]*tfprotov5.Schema{
		providerKind: {"": all.Provider}, resourceKind: all.ResourceSchemas, dataKind: all.DataSourceSchemas, ephemeralKind: all.EphemeralResourceSchemas,
	}, tfconv.Schema5, all.ServerCapabilities != nil && all.ServerCapabilities.PlanDestroy)
}

func (s source5) identities(ctx context.Context) (*provided, error) {
	return identities(ctx, s.server.GetResourceIdentitySchemas, new(tfprotov5.GetResourceIdentitySchemasRequest))
}

// identities asks for the schemas of identities, which are few and small.
func identities[Q, A any](ctx context.Context, call func(context.Context, *Q) (*A, error), req *Q) (*provided, error) {
	answered, err := ask(ctx, getIdentities, "", call, req)
	if err != nil {
		return nil, err
	}
	resp := in6[*tfprotov6.GetResourceIdentitySchemasResponse](answered)
	if err := refusal(getIdentities, "", diagnosticsOf(resp.Diagnostics, nil)); err != nil {
		return nil, err
	}
	return provide(map[kind]map[string]*tfprotov6.ResourceIdentitySchema{identityKind: resp.IdentitySchemas}, tfconv.IdentitySchema6, false), nil
}

// A catalog is the schemas of a server, asked for when first needed. A schema is
// made when it is first looked for: large providers have thousands.
type catalog struct {
	source source

	mu         sync.Mutex
	all, types *provided // schemas, and those of identities
	known      map[schemaName]*described
}

type schemaName struct {
	kind kind
	name string
}

// keep remembers the schemas, unless there are some already.
func (c *catalog) keep(schemas *provided) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all == nil {
		c.all = schemas
	}
}

// load returns all schemas but those of identities.
func (c *catalog) load(ctx context.Context) (*provided, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return once(ctx, &c.all, c.source.schemas)
}

// once asks unless there is an answer already.
func once(ctx context.Context, have **provided, ask func(context.Context) (*provided, error)) (*provided, error) {
	if *have != nil {
		return *have, nil
	}
	got, err := ask(ctx)
	if err == nil {
		*have = got
	}
	return got, err
}

// find returns the schema of a type name.
func (c *catalog) find(ctx context.Context, k kind, name string) *described {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := schemaName{k, name}
	if d := c.known[at]; d != nil {
		return d
	}
	have, ask := &c.all, c.source.schemas
	if k == identityKind {
		have, ask = &c.types, c.source.identities
	}
	from, err := once(ctx, have, ask)
	if err != nil {
		return &described{err: err} // the next time it may be there
	}
	if c.known == nil {
		c.known = map[schemaName]*described{}
	}
	schema, err := from.schema(k, name)
	if schema == nil && err == nil {
		err = k.none(name, from.names(k))
	}
	c.known[at] = describe(schema, err)
	return c.known[at]
}
