package framework

import (
	"context"
	"errors"
	"fmt"
	"strings"

	datasource "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	provider "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	resource "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfconv"
)

// Resource returns the schema of a resource with its version. Terraform does not receive defaults,
// validators and plan modifiers, so the result does not contain them.
//
// It returns an error if the framework rejects the schema, for example because of a name that
// Terraform reserves, if the framework cannot convert the schema, or if tfconv.Schema6 returns an
// error. Resource does not panic. It processes the schema several times, so keep the result. The
// framework logs with the context.
func Resource(ctx context.Context, schema resource.Schema) (*configschema.Schema, error) {
	response, err := serve(ctx, &server{resource: &schema})
	if err != nil {
		return nil, err
	}
	return tfconv.Schema6(response.ResourceSchemas[typeName])
}

// DataSource returns the schema of a data source. It returns the errors of [Resource].
func DataSource(ctx context.Context, schema datasource.Schema) (*configschema.Schema, error) {
	response, err := serve(ctx, &server{dataSource: &schema})
	if err != nil {
		return nil, err
	}
	return tfconv.Schema6(response.DataSourceSchemas[typeName])
}

// Provider returns the schema of a provider's configuration. It returns the errors of [Resource].
func Provider(ctx context.Context, schema provider.Schema) (*configschema.Schema, error) {
	response, err := serve(ctx, &server{provider: schema})
	if err != nil {
		return nil, err
	}
	return tfconv.Schema6(response.Provider)
}

// serve returns the schemas as the framework serves them.
func serve(ctx context.Context, s *server) (response *tfprotov6.GetProviderSchemaResponse, err error) {
	defer rescue(&err)
	response, err = providerserver.NewProtocol6(s)().GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	return response, found(response.Diagnostics)
}

// rescue converts a panic into an error. The framework panics for schemas that contain nil.
func rescue(err *error) {
	if problem := recover(); problem != nil {
		*err = fmt.Errorf("the framework cannot convert the schema: %v", problem)
	}
}

// found joins the errors among the diagnostics.
func found(diagnostics []*tfprotov6.Diagnostic) error {
	var list []error
	for _, d := range diagnostics {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			list = append(list, errors.New(strings.TrimSuffix(d.Summary+": "+d.Detail, ": ")))
		}
	}
	return errors.Join(list...)
}
