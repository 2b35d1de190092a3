package sdkv2

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfconv"
)

// Resource returns the schema of a resource or a data source as Terraform receives it: with its
// version, and with the attribute id and the block timeouts that the SDK adds.
//
// It returns an error if the resource is nil, if the SDK cannot convert the schema, or if the schema
// is invalid according to tfconv.Schema5. The error of the SDK does not name the attribute: its
// InternalValidate does, which Resource does not call, because it also requires functions. Resource
// calls each DefaultFunc, as the SDK does. It processes the schema several times, so keep the result.
func Resource(r *schema.Resource) (*configschema.Schema, error) {
	if r == nil {
		return nil, errors.New("the resource is nil")
	}
	response, err := serve(&schema.Provider{ResourcesMap: map[string]*schema.Resource{typeName: r}})
	if err != nil {
		return nil, err
	}
	return tfconv.Schema5(response.ResourceSchemas[typeName])
}

// SchemaMap returns the block for a map of schemas. The map is the schema of a provider's
// configuration (Schema of schema.Provider) or of a block's content. SchemaMap adds nothing to it.
// An empty map becomes an empty block. It returns the errors of [Resource].
func SchemaMap(schemas map[string]*schema.Schema) (*configschema.Block, error) {
	response, err := serve(&schema.Provider{Schema: schemas})
	if err != nil {
		return nil, err
	}
	return tfconv.Block5(response.Provider.Block)
}

// typeName is the type name of the only resource of the provider that this package creates.
const typeName = "objchange_schema"

// serve returns the schemas as the SDK serves them.
func serve(p *schema.Provider) (response *tfprotov5.GetProviderSchemaResponse, err error) {
	defer rescueSchema(&err)
	server := schema.NewGRPCProviderServer(p)
	response, err = server.GetProviderSchema(context.Background(), &tfprotov5.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	return response, found(response.Diagnostics)
}

// rescueSchema converts a panic into an error. The SDK panics for invalid schemas.
func rescueSchema(err *error) {
	if problem := recover(); problem != nil {
		*err = fmt.Errorf("the SDK cannot convert the schema: %v", problem)
	}
}

// found joins the errors among the diagnostics.
func found(diagnostics []*tfprotov5.Diagnostic) error {
	var list []error
	for _, d := range diagnostics {
		if d.Severity == tfprotov5.DiagnosticSeverityError {
			list = append(list, errors.New(strings.TrimSuffix(d.Summary+": "+d.Detail, ": ")))
		}
	}
	return errors.Join(list...)
}
