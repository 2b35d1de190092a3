package tfcheck

import (
	"context"
	"errors"
	"fmt"
	"github.com/objchange/objchange"
	"sync"

	"github.com/objchange/objchange/configschema"
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

// A provided is the schemas that came, as the protocol has them.
type provided struct {
	// schema makes the schema of that name, nil if there is none.
	schema       func(k kind, name string) (*configschema.Schema, error)
	names        func(kind) []string // the type names of resources and the like, in order
	configurable bool                // there is a schema of the provider's configuration
	planDestroy  bool                // the provider wants to plan destruction, too
}

// namesOf returns the type names of the kind; those of identities are not kept.
func (p *provided) namesOf(k kind) []string {
	if p.names == nil {
		return nil
	}
	return p.names(k)
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
		err = k.none(name, from.namesOf(k))
	}
	c.known[at] = describe(schema, err)
	return c.known[at]
}
