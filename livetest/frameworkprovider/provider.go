// Package frameworkprovider is a provider that uses terraform-plugin-framework and stores objects
// in memory. Some of its resources follow all rules. For each rule that the framework lets a
// provider break, it has a resource that breaks it.
package frameworkprovider

import (
	"context"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/objchange/objchange/livetest/cloud"
)

// Provider implements a provider of the framework. The zero value is ready to use.
type Provider struct {
	Cloud    cloud.Cloud
	Prefix   string       // of the names of its resource types
	endpoint types.String // from the configuration
}

var _ provider.ProviderWithEphemeralResources = (*Provider)(nil)

// Server returns a server of protocol 6 for a new provider.
func Server() tfprotov6.ProviderServer { return new(Provider).Server() }

// Server returns a server of protocol 6 for the provider.
func (p *Provider) Server() tfprotov6.ProviderServer { return providerserver.NewProtocol6(p)() }

// Metadata sets the type name of the provider.
func (p *Provider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "fw"
}

// Schema returns a schema with one optional attribute, "endpoint".
func (p *Provider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"endpoint": schema.StringAttribute{Optional: true},
	}}
}

// Configure reads the endpoint. Each plan has a warning with it.
func (p *Provider) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("endpoint"), &p.endpoint)...)
}

// Resources returns resources that follow all rules, and resources that break a rule.
func (p *Provider) Resources(ctx context.Context) []func() resource.Resource {
	of := func(f fault) thing { return thing{p, thingSchema(), f} }
	made := []func() resource.Resource{
		func() resource.Resource { return server{of(fault{name: "server"}), false} },
		func() resource.Resource { return server{of(fault{name: "alias"}), true} },
		func() resource.Resource { return link{thing{p, linkSchema(), fault{name: "link"}}} },
	}
	for _, f := range faults {
		made = append(made, func() resource.Resource { return of(f) })
	}
	return slices.DeleteFunc(made, func(create func() resource.Resource) bool {
		var r resource.MetadataResponse
		create().Metadata(ctx, resource.MetadataRequest{ProviderTypeName: "fw"}, &r)
		return !strings.HasPrefix(r.TypeName, p.Prefix)
	})
}

// DataSources returns a data source that follows all rules, and data sources that break a rule.
func (p *Provider) DataSources(context.Context) (made []func() datasource.DataSource) {
	for _, r := range regions {
		made = append(made, func() datasource.DataSource { return r })
	}
	return made
}

// EphemeralResources returns an ephemeral resource that follows all rules, and ephemeral
// resources that break a rule.
func (p *Provider) EphemeralResources(context.Context) (made []func() ephemeral.EphemeralResource) {
	for _, t := range tokens {
		made = append(made, func() ephemeral.EphemeralResource { return t })
	}
	return made
}
