package framework

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	datasourceschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	providerschema "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	resourceschema "github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

// typeName is the type name of the only resource or data source of a server.
const typeName = "objchange_schema"

// A server is a provider that has only schemas.
type server struct {
	provider   providerschema.Schema
	resource   *resourceschema.Schema
	dataSource *datasourceschema.Schema
}

func (s *server) Metadata(_ context.Context, _ provider.MetadataRequest, response *provider.MetadataResponse) {
	response.TypeName = "objchange"
}

func (s *server) Schema(_ context.Context, _ provider.SchemaRequest, response *provider.SchemaResponse) {
	response.Schema = s.provider
}

func (s *server) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {}

func (s *server) Resources(context.Context) []func() resource.Resource {
	if s.resource == nil {
		return nil
	}
	return []func() resource.Resource{func() resource.Resource { return aResource{schema: *s.resource} }}
}

func (s *server) DataSources(context.Context) []func() datasource.DataSource {
	if s.dataSource == nil {
		return nil
	}
	return []func() datasource.DataSource{func() datasource.DataSource { return aDataSource{schema: *s.dataSource} }}
}

// The types below implement only the methods that return schemas. The framework calls no other
// methods, so the embedded interfaces are nil.

type aResource struct {
	resource.Resource
	schema resourceschema.Schema
}

func (r aResource) Metadata(_ context.Context, _ resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = typeName
}

func (r aResource) Schema(_ context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	response.Schema = r.schema
}

type aDataSource struct {
	datasource.DataSource
	schema datasourceschema.Schema
}

func (d aDataSource) Metadata(_ context.Context, _ datasource.MetadataRequest, response *datasource.MetadataResponse) {
	response.TypeName = typeName
}

func (d aDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, response *datasource.SchemaResponse) {
	response.Schema = d.schema
}
