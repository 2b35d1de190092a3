package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

// typeName is that of the one resource.
const typeName = "conformance_thing"

// aProvider is a provider that has one resource.
type aProvider struct{ thing thing }

func (aProvider) Metadata(_ context.Context, _ provider.MetadataRequest, response *provider.MetadataResponse) {
	response.TypeName = "conformance"
}

func (aProvider) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}

func (aProvider) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {}

func (aProvider) DataSources(context.Context) []func() datasource.DataSource { return nil }

func (p aProvider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{func() resource.Resource { return p.thing }}
}

// A thing is only planned: the embedded interface is nil, and nobody calls the methods
// that it has for changes.
type thing struct {
	resource.Resource
	schema schema.Schema
}

func (t thing) Metadata(_ context.Context, _ resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = typeName
}

func (t thing) Schema(_ context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	response.Schema = t.schema
}
