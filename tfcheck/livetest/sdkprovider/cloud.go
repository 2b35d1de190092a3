package sdkprovider

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/objchange/objchange/tfcheck/livetest/cloud"
)

// A Cloud is what the provider manages: objects by ID.
type Cloud struct{ cloud.Cloud }

// thing makes a resource that keeps in the cloud what was planned. It chooses the
// values of the computed strings among its attributes that are not set. What is
// empty it leaves alone: to set it would make of what is null an empty value.
func (c *Cloud) thing(name string, attrs map[string]*schema.Schema) *schema.Resource {
	write := func(d *schema.ResourceData) diag.Diagnostics {
		object := map[string]any{}
		for key, attr := range attrs {
			value, set := d.GetOk(key)
			if !set && attr.Computed && attr.Type == schema.TypeString {
				value, set = d.Id(), true
			}
			if set && attr.StateFunc != nil { // d has what is configured
				value = attr.StateFunc(value)
			}
			if set && !attr.WriteOnly {
				object[key] = value
			}
		}
		encoded, err := json.Marshal(withLists(object))
		if err != nil {
			return diag.FromErr(err)
		}
		c.Put(d.Id(), encoded)
		return c.read(d)
	}
	return &schema.Resource{
		Schema: attrs,
		CreateContext: func(_ context.Context, d *schema.ResourceData, _ any) diag.Diagnostics {
			d.SetId(c.NewID(name))
			return write(d)
		},
		ReadContext: func(_ context.Context, d *schema.ResourceData, _ any) diag.Diagnostics {
			return c.read(d)
		},
		UpdateContext: func(_ context.Context, d *schema.ResourceData, _ any) diag.Diagnostics {
			return write(d)
		},
		DeleteContext: func(_ context.Context, d *schema.ResourceData, _ any) diag.Diagnostics {
			c.Forget(d.Id())
			return nil
		},
		Importer: &schema.ResourceImporter{StateContext: schema.ImportStatePassthroughContext},
	}
}

func (c *Cloud) read(d *schema.ResourceData) diag.Diagnostics {
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

// withLists returns the value with lists in place of sets, which have no JSON.
func withLists(v any) any {
	switch v := v.(type) {
	case *schema.Set:
		return withLists(v.List())
	case []any:
		all := make([]any, len(v))
		for i := range v {
			all[i] = withLists(v[i])
		}
		return all
	case map[string]any:
		all := map[string]any{}
		for key := range v {
			all[key] = withLists(v[key])
		}
		return all
	}
	return v
}
