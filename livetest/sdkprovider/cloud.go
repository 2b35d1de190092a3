package sdkprovider

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/objchange/objchange/livetest/cloud"
)

// A Cloud stores the objects of the provider by ID.
type Cloud struct{ cloud.Cloud }

// thing returns a resource that stores the planned object in the cloud. It chooses values for
// computed strings that are not set. It does not set empty values, because setting them would
// change null to an empty value.
func (c *Cloud) thing(name string, attrs map[string]*schema.Schema) *schema.Resource {
	write := func(ctx context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
		object := map[string]any{}
		for key, attr := range attrs {
			value, set := d.GetOk(key)
			if !set && attr.Computed && attr.Type == schema.TypeString {
				value, set = d.Id(), true
			}
			if set && attr.StateFunc != nil { // d contains the configured value
				value = attr.StateFunc(value)
			}
			if elements, ok := value.(*schema.Set); ok { // cannot be encoded as JSON
				value = elements.List()
			}
			if set && !attr.WriteOnly {
				object[key] = value
			}
		}
		encoded, err := json.Marshal(object)
		if err != nil {
			return diag.FromErr(err)
		}
		c.Put(d.Id(), encoded)
		return c.read(ctx, d, meta)
	}
	return &schema.Resource{
		Schema: attrs,
		CreateContext: func(ctx context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
			d.SetId(c.NewID(name))
			return write(ctx, d, meta)
		},
		ReadContext:   c.read,
		UpdateContext: write,
		DeleteContext: func(_ context.Context, d *schema.ResourceData, _ any) diag.Diagnostics {
			c.Forget(d.Id())
			return nil
		},
		Importer: &schema.ResourceImporter{StateContext: schema.ImportStatePassthroughContext},
	}
}

func (c *Cloud) read(_ context.Context, d *schema.ResourceData, _ any) diag.Diagnostics {
	encoded, ok := c.Get(d.Id())
	if !ok {
		d.SetId("")
		return nil
	}
	var object map[string]any
	if err := json.Unmarshal(encoded, &object); err != nil {
		return diag.FromErr(err)
	}
	for key, value := range object {
		if err := d.Set(key, value); err != nil {
			return diag.FromErr(err)
		}
	}
	return nil
}
