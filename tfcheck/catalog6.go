package tfcheck

import (
	"context"
	"fmt"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// A catalog6 is the schemas of a server, asked for when first needed.
type catalog6 struct {
	catalog
	server tfprotov6.ProviderServer

	loading    sync.Mutex
	schemas    *tfprotov6.GetProviderSchemaResponse
	identities *tfprotov6.GetResourceIdentitySchemasResponse
}

// keep remembers the schemas, unless there are some already.
func (c *catalog6) keep(schemas *tfprotov6.GetProviderSchemaResponse) {
	c.loading.Lock()
	defer c.loading.Unlock()
	if c.schemas == nil && !failed6(schemas.Diagnostics) {
		c.schemas = schemas
	}
}

// find returns the schema of a type name.
func (c *catalog6) find(ctx context.Context, k kind, name string) *described {
	if k == identityKind {
		return c.identity(ctx, name)
	}
	all, err := c.load(ctx)
	if err != nil {
		return &described{err: err}
	}
	return c.get(k, name, func() *described {
		schema, what := all.Provider, "provider configuration"
		switch k {
		case resourceKind:
			schema, what = all.ResourceSchemas[name], "resource type"
		case dataKind:
			schema, what = all.DataSourceSchemas[name], "data source"
		case ephemeralKind:
			schema, what = all.EphemeralResourceSchemas[name], "ephemeral resource type"
		}
		if schema == nil {
			return &described{err: fmt.Errorf("the provider has no schema of the %s %q", what, name)}
		}
		return describe(Schema6(schema))
	})
}

func (c *catalog6) load(ctx context.Context) (*tfprotov6.GetProviderSchemaResponse, error) {
	c.loading.Lock()
	defer c.loading.Unlock()
	if c.schemas != nil {
		return c.schemas, nil
	}
	resp, err := ask(ctx, "GetProviderSchema", "", c.server.GetProviderSchema, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	if err := refusal6("GetProviderSchema", "", resp.Diagnostics, nil); err != nil {
		return nil, err
	}
	c.schemas = resp
	return resp, nil
}

func (c *catalog6) identity(ctx context.Context, name string) *described {
	c.loading.Lock()
	defer c.loading.Unlock()
	if c.identities == nil {
		resp, err := ask(ctx, "GetResourceIdentitySchemas", "", c.server.GetResourceIdentitySchemas, &tfprotov6.GetResourceIdentitySchemasRequest{})
		if err != nil {
			return &described{err: err}
		}
		if err := refusal6("GetResourceIdentitySchemas", "", resp.Diagnostics, nil); err != nil {
			return &described{err: err}
		}
		c.identities = resp
	}
	return c.get(identityKind, name, func() *described {
		schema := c.identities.IdentitySchemas[name]
		if schema == nil {
			return &described{err: fmt.Errorf("the provider has no identity schema of %q", name)}
		}
		return describe(IdentitySchema6(schema))
	})
}
