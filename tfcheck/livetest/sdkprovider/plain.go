package sdkprovider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
)

// plain does what most resources of the SDK do: it sets every attribute to what it
// gets, so that null becomes the zero value of the type.
func (c *Cloud) plain() *schema.Resource {
	r := c.thing("plain", map[string]*schema.Schema{
		"name":    {Type: schema.TypeString, Required: true},
		"comment": {Type: schema.TypeString, Optional: true},
		"size":    {Type: schema.TypeInt, Optional: true},
		"tags":    {Type: schema.TypeMap, Optional: true, Elem: &schema.Schema{Type: schema.TypeString}},
		"settings": {
			Type: schema.TypeList, Optional: true, MaxItems: 1,
			Elem: &schema.Resource{Schema: map[string]*schema.Schema{
				"versioned": {Type: schema.TypeBool, Optional: true},
				"days":      {Type: schema.TypeInt, Optional: true},
			}},
		},
		"port": {
			Type: schema.TypeSet, Optional: true,
			Elem: &schema.Resource{Schema: map[string]*schema.Schema{
				"number": {Type: schema.TypeInt, Required: true},
				"proto":  {Type: schema.TypeString, Optional: true},
			}},
		},
	})
	r.CreateContext, r.UpdateContext = settingAll(r, r.CreateContext), settingAll(r, r.UpdateContext)
	return r
}

// defaulted is plain with a default in the elements of a set, which is planned though
// it is not configured.
func (c *Cloud) defaulted() *schema.Resource {
	r := c.plain()
	r.Schema["port"].Elem.(*schema.Resource).Schema["proto"].Default = "tcp"
	return r
}

// settingAll is a function of the resource that sets all attributes in the end.
func settingAll[F ~func(context.Context, *schema.ResourceData, any) diag.Diagnostics](r *schema.Resource, do F) F {
	return func(ctx context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
		diags := do(ctx, d, meta)
		for key := range r.Schema {
			if key != "id" {
				diags = append(diags, diag.FromErr(d.Set(key, d.Get(key)))...)
			}
		}
		return diags
	}
}
