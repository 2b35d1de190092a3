package sdkprovider

import (
	"context"
	"fmt"
	"sync"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
)

// A Cloud is what the provider manages: objects by ID, in memory. It is safe for
// concurrent use.
type Cloud struct {
	mu      sync.Mutex
	last    int
	objects map[string]map[string]any
}

// Forget removes an object behind the provider's back. An ID that is unknown to
// the cloud is no mistake.
func (c *Cloud) Forget(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.objects, id)
}

// Len returns the number of objects that exist.
func (c *Cloud) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.objects)
}

func (c *Cloud) newID(kind string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	return fmt.Sprintf("%s-%d", kind, c.last)
}

func (c *Cloud) put(id string, object map[string]any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.objects == nil {
		c.objects = map[string]map[string]any{}
	}
	c.objects[id] = object
}

func (c *Cloud) get(id string) (map[string]any, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	object, ok := c.objects[id]
	return object, ok
}

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
		c.put(d.Id(), object)
		return c.read(d)
	}
	return &schema.Resource{
		Schema: attrs,
		CreateContext: func(_ context.Context, d *schema.ResourceData, _ any) diag.Diagnostics {
			d.SetId(c.newID(name))
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
	object, ok := c.get(d.Id())
	if !ok {
		d.SetId("")
		return nil
	}
	for key, value := range object {
		if err := d.Set(key, value); err != nil {
			return diag.FromErr(err)
		}
	}
	return nil
}
