package tfcheck

import (
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfconv"
)

// A source6 is a server, asked for its schemas.
type source6 struct{ server tfprotov6.ProviderServer }

func (s source6) schemas(ctx context.Context) (*provided, error) {
	resp, err := ask(ctx, "GetProviderSchema", "", s.server.GetProviderSchema, &tfprotov6.GetProviderSchemaRequest{})
	if err == nil {
		err = refusal("GetProviderSchema", "", diagnostics6(resp.Diagnostics, nil))
	}
	if err != nil {
		return nil, err
	}
	return provided6(resp), nil
}

func provided6(all *tfprotov6.GetProviderSchemaResponse) *provided {
	return &provided{
		schema: func(k kind, name string) (*configschema.Schema, error) {
			schema := all.Provider
			switch k {
			case resourceKind:
				schema = all.ResourceSchemas[name]
			case dataKind:
				schema = all.DataSourceSchemas[name]
			case ephemeralKind:
				schema = all.EphemeralResourceSchemas[name]
			}
			if schema == nil {
				return nil, nil
			}
			return tfconv.Schema6(schema)
		},
		names: func(k kind) []string {
			switch k {
			case resourceKind:
				return slices.Sorted(maps.Keys(all.ResourceSchemas))
			case dataKind:
				return slices.Sorted(maps.Keys(all.DataSourceSchemas))
			case ephemeralKind:
				return slices.Sorted(maps.Keys(all.EphemeralResourceSchemas))
			}
			return nil
		},
		configurable: all.Provider != nil,
		planDestroy:  all.ServerCapabilities != nil && all.ServerCapabilities.PlanDestroy,
	}
}

func (s source6) identities(ctx context.Context) (*provided, error) {
	resp, err := ask(ctx, "GetResourceIdentitySchemas", "", s.server.GetResourceIdentitySchemas, &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err == nil {
		err = refusal("GetResourceIdentitySchemas", "", diagnostics6(resp.Diagnostics, nil))
	}
	if err != nil {
		return nil, err
	}
	return &provided{schema: func(_ kind, name string) (*configschema.Schema, error) {
		if schema := resp.IdentitySchemas[name]; schema != nil {
			return tfconv.IdentitySchema6(schema)
		}
		return nil, nil
	}}, nil
}
