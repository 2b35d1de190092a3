package framework

import (
	"context"
	"errors"
	"fmt"
	"strings"

	datasource "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	ephemeral "github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	provider "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	resource "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfconv"
)

// Resource returns the schema of a resource with its version. Defaults, validators
// and plan modifiers are no part of what Terraform gets, and so of the result.
//
// The error is what the framework finds wrong with the schema, such as a name that
// Terraform reserves, what it cannot make a schema of, or what is wrong with it by
// tfconv.Schema6. Nothing panics. The cost is that of the schema, several times:
// keep the result. The context is the one in which the framework logs.
func Resource(ctx context.Context, schema resource.Schema) (*configschema.Schema, error) {
	response, err := serve(ctx, &server{resource: &schema})
	if err != nil {
		return nil, err
	}
	return tfconv.Schema6(response.ResourceSchemas[typeName])
}

// DataSource returns the schema of a data source. The errors are those of
// [Resource].
func DataSource(ctx context.Context, schema datasource.Schema) (*configschema.Schema, error) {
	response, err := serve(ctx, &server{dataSource: &schema})
	if err != nil {
		return nil, err
	}
	return tfconv.Schema6(response.DataSourceSchemas[typeName])
}

// EphemeralResource returns the schema of an ephemeral resource. The errors are
// those of [Resource].
func EphemeralResource(ctx context.Context, schema ephemeral.Schema) (*configschema.Schema, error) {
	response, err := serve(ctx, &server{ephemeral: &schema})
	if err != nil {
		return nil, err
	}
	return tfconv.Schema6(response.EphemeralResourceSchemas[typeName])
}

// Provider returns the schema of a provider's own configuration. The errors are
// those of [Resource].
func Provider(ctx context.Context, schema provider.Schema) (*configschema.Schema, error) {
	response, err := serve(ctx, &server{provider: schema})
	if err != nil {
		return nil, err
	}
	return tfconv.Schema6(response.Provider)
}

// Identity returns the schema of a resource's identity as tfconv.IdentitySchema6
// does: what is required for import is Required, what is optional for import
// Optional, and all else Computed. The errors are those of [Resource].
func Identity(ctx context.Context, schema identityschema.Schema) (served *configschema.Schema, err error) {
	defer rescue(&err)
	p := providerserver.NewProtocol6(&server{resource: &resource.Schema{}, identity: &schema})()
	response, err := p.GetResourceIdentitySchemas(ctx, &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		return nil, err
	}
	if err := found(response.Diagnostics); err != nil {
		return nil, err
	}
	return tfconv.IdentitySchema6(response.IdentitySchemas[typeName])
}

// serve has the framework serve the schemas of a provider.
func serve(ctx context.Context, s *server) (response *tfprotov6.GetProviderSchemaResponse, err error) {
	defer rescue(&err)
	response, err = providerserver.NewProtocol6(s)().GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	return response, found(response.Diagnostics)
}

// rescue makes an error of a panic, which the framework leaves to others where a
// schema has nil in it.
func rescue(err *error) {
	if problem := recover(); problem != nil {
		*err = fmt.Errorf("the framework cannot make a schema of it: %v", problem)
	}
}

// found returns the errors among diagnostics as one.
func found(diagnostics []*tfprotov6.Diagnostic) error {
	var list []error
	for _, d := range diagnostics {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			list = append(list, errors.New(strings.TrimSuffix(d.Summary+": "+d.Detail, ": ")))
		}
	}
	return errors.Join(list...)
}
