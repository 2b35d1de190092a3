// Package sdkprovider is a provider that uses terraform-plugin-sdk and stores objects in memory.
// Some of its resources follow the rules, as far as that SDK can. For each rule that the SDK lets
// a provider break, it has a resource that breaks it.
package sdkprovider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
)

// New returns a provider and its cloud.
func New() (*schema.Provider, *Cloud) {
	c := new(Cloud)
	return In(c), c
}

// In returns a provider that uses the cloud.
func In(c *Cloud) *schema.Provider {
	p := &schema.Provider{
		Schema: map[string]*schema.Schema{
			"endpoint": {Type: schema.TypeString, Optional: true},
		},
		ResourcesMap: map[string]*schema.Resource{
			"sdk_bucket": c.bucket(),
			"sdk_plain":  c.plain(),
		},
		DataSourcesMap: map[string]*schema.Resource{
			"sdk_region":  region(),
			"sdk_nowhere": nowhere(),
		},
	}
	for name, r := range c.faults() {
		p.ResourcesMap["sdk_"+name] = r
	}
	return p
}

// Server returns a server of protocol 5 for a new provider.
func Server() tfprotov5.ProviderServer {
	p, _ := New()
	return p.GRPCProvider()
}

func region() *schema.Resource {
	return &schema.Resource{
		Schema: map[string]*schema.Schema{
			"name":     {Type: schema.TypeString, Required: true},
			"location": {Type: schema.TypeString, Computed: true},
		},
		ReadContext: func(_ context.Context, d *schema.ResourceData, _ any) diag.Diagnostics {
			d.SetId("region-" + d.Get("name").(string))
			return diag.FromErr(d.Set("location", "here"))
		},
	}
}

// nowhere is a data source that finds no object.
func nowhere() *schema.Resource {
	return &schema.Resource{
		Schema: map[string]*schema.Schema{"name": {Type: schema.TypeString, Required: true}},
		ReadContext: func(_ context.Context, d *schema.ResourceData, _ any) diag.Diagnostics {
			d.SetId("")
			return nil
		},
	}
}
