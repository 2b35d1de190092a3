// Package frameworkprovider is a provider written with terraform-plugin-framework
// whose cloud is a map in memory: resources that keep their contract, and one
// resource for each rule that the framework lets a provider break.
package frameworkprovider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/objchange/objchange/tfcheck/livetest/cloud"
)

// Provider implements the framework's provider. The zero value is ready to use.
type Provider struct {
	Cloud cloud.Cloud[tftypes.Value]
}

var _ provider.ProviderWithEphemeralResources = (*Provider)(nil)

// Server returns a protocol 6 server of a new provider.
func Server() tfprotov6.ProviderServer { return new(Provider).Server() }

// Server returns a protocol 6 server of the provider.
func (p *Provider) Server() tfprotov6.ProviderServer { return providerserver.NewProtocol6(p)() }

// Metadata names the provider.
func (p *Provider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "fw"
}

// Schema has one optional attribute, "endpoint".
func (p *Provider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"endpoint": schema.StringAttribute{Optional: true},
	}}
}

// Configure accepts any configuration.
func (p *Provider) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {
}

// Resources returns those that keep the contract and those that break it.
func (p *Provider) Resources(context.Context) []func() resource.Resource {
	made := []func() resource.Resource{
		func() resource.Resource { return server{thing{&p.Cloud, "fw_server", serverSchema()}} },
		func() resource.Resource { return firewall{thing{&p.Cloud, "fw_firewall", firewallSchema()}} },
		func() resource.Resource { return link{thing{&p.Cloud, "fw_link", linkSchema()}} },
		func() resource.Resource { return ring{thing{&p.Cloud, "fw_ring", ringSchema()}} },
		func() resource.Resource { return alias{faulty{thing: thing{&p.Cloud, "fw_alias", faultySchema()}}} },
	}
	for _, f := range faults {
		made = append(made, func() resource.Resource {
			return faulty{thing{&p.Cloud, "fw_" + f.name, faultySchema()}, f}
		})
	}
	return made
}

// DataSources returns one that is found and those that are not, or not quite.
func (p *Provider) DataSources(context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{
		func() datasource.DataSource { return region{} },
		func() datasource.DataSource { return nowhere{} },
		func() datasource.DataSource { return undecided{} },
	}
}

// EphemeralResources returns one that opens and those that open something else.
func (p *Provider) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{
		func() ephemeral.EphemeralResource { return token{} },
		func() ephemeral.EphemeralResource { return spent{} },
		func() ephemeral.EphemeralResource { return impostor{} },
		func() ephemeral.EphemeralResource { return sealed{} },
	}
}
