package sdkv2

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfconv"
)

// Resource returns the schema of a resource or a data source as Terraform gets
// it, with its version, the attribute id and the block timeouts that the SDK adds.
//
// The error says that the resource is nil, what the SDK cannot make a schema of and
// where, or what is wrong with the schema: see tfconv.Schema5. Nothing asks for the
// SDK's InternalValidate, which wants functions too. DefaultFuncs are called, as
// the SDK does it. The cost is that of the schema, several times: keep the result.
func Resource(r *schema.Resource) (*configschema.Schema, error) {
	if r == nil {
		return nil, errors.New("the resource is nil")
	}
	response, err := serve(&schema.Provider{ResourcesMap: map[string]*schema.Resource{typeName: r}})
	if err != nil {
		return nil, locate(err, r.SchemaMap())
	}
	return tfconv.Schema5(response.ResourceSchemas[typeName])
}

// Identity returns the schema of the resource's identity, as
// tfconv.IdentitySchema5 does. The errors are those of [Resource], and that the
// resource has no identity.
func Identity(r *schema.Resource) (identity *configschema.Schema, err error) {
	defer rescueSchema(&err)
	if r == nil {
		return nil, errors.New("the resource is nil")
	}
	server := schema.NewGRPCProviderServer(&schema.Provider{ResourcesMap: map[string]*schema.Resource{typeName: r}})
	response, err := server.GetResourceIdentitySchemas(context.Background(), &tfprotov5.GetResourceIdentitySchemasRequest{})
	if err != nil {
		return nil, err
	}
	if err := found(response.Diagnostics); err != nil {
		return nil, err
	}
	if response.IdentitySchemas[typeName] == nil {
		return nil, errors.New("the resource has no identity")
	}
	return tfconv.IdentitySchema5(response.IdentitySchemas[typeName])
}

// SchemaMap returns what the schemas of a provider's own configuration, or of a
// block's content, mean as a block: Schema of schema.Provider, or an InternalMap.
// Nothing is added to it. No schemas at all are an empty block. The errors are
// those of [Resource].
func SchemaMap(schemas map[string]*schema.Schema) (*configschema.Block, error) {
	response, err := serve(&schema.Provider{Schema: schemas})
	if err != nil {
		return nil, locate(err, schemas)
	}
	return tfconv.Block5(response.Provider.Block)
}

// typeName is what the one resource is called that a provider of ours has.
const typeName = "objchange_schema"

// serve has the SDK serve the schemas of a provider.
func serve(p *schema.Provider) (response *tfprotov5.GetProviderSchemaResponse, err error) {
	defer rescueSchema(&err)
	server := schema.NewGRPCProviderServer(p)
	response, err = server.GetProviderSchema(context.Background(), &tfprotov5.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	return response, found(response.Diagnostics)
}

// locate finds the place of what the SDK cannot make a schema of, since it does not
// say: the first part of which it cannot alone.
func locate(err error, schemas map[string]*schema.Schema) error {
	place := ""
	for parts := schemas; parts != nil; {
		within := parts
		parts = nil
		for _, name := range slices.Sorted(maps.Keys(within)) {
			_, wrong := serve(&schema.Provider{Schema: map[string]*schema.Schema{name: within[name]}})
			if wrong == nil {
				continue
			}
			place, err = place+"."+name, wrong
			if s := within[name]; s != nil {
				if block, ok := s.Elem.(*schema.Resource); ok && block != nil {
					parts = block.SchemaMap()
				}
			}
			break
		}
	}
	if place == "" {
		return err
	}
	return fmt.Errorf("%s: %w", place, err)
}

// rescueSchema makes an error of a panic, with which the SDK answers schemas that no
// provider should have.
func rescueSchema(err *error) {
	if problem := recover(); problem != nil {
		*err = fmt.Errorf("the SDK cannot make a schema of it: %v", problem)
	}
}

// found returns the errors among diagnostics as one.
func found(diagnostics []*tfprotov5.Diagnostic) error {
	var list []error
	for _, d := range diagnostics {
		if d.Severity == tfprotov5.DiagnosticSeverityError {
			list = append(list, errors.New(strings.TrimSuffix(d.Summary+": "+d.Detail, ": ")))
		}
	}
	return errors.Join(list...)
}
