package sdkprovider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
)

// plain is a bucket that behaves like most resources of the SDK: it sets each attribute to the
// value that it receives, so null becomes the zero value of the type.
func (c *Cloud) plain() *schema.Resource {
	r := c.bucket()
	r.CreateContext, r.UpdateContext = settingAll(r, r.CreateContext), settingAll(r, r.UpdateContext)
	return r
}

// settingAll returns a function that calls do and then sets all attributes of the resource.
func settingAll[F ~func(context.Context, *schema.ResourceData, any) diag.Diagnostics](r *schema.Resource, do F) F {
	return func(ctx context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
		diags := do(ctx, d, meta)
		for key, attr := range r.Schema {
			if !attr.WriteOnly {
				diags = append(diags, diag.FromErr(d.Set(key, d.Get(key)))...)
			}
		}
		return diags
	}
}
