package sdkprovider

import (
	"context"
	"strings"

	"github.com/hashicorp/go-cty/cty"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/customdiff"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
)

// bucket uses all features of the SDK, except those that always break rules.
func (c *Cloud) bucket() *schema.Resource {
	r := c.thing("bucket", map[string]*schema.Schema{
		"name":     {Type: schema.TypeString, Required: true, ForceNew: true},
		"owner":    {Type: schema.TypeString, Optional: true, Computed: true},
		"class":    {Type: schema.TypeString, Optional: true},
		"revision": {Type: schema.TypeString, Computed: true},
		"tags":     {Type: schema.TypeMap, Optional: true, Elem: &schema.Schema{Type: schema.TypeString}},
		"password": {Type: schema.TypeString, Optional: true, Sensitive: true},
		"key_wo":   {Type: schema.TypeString, Optional: true, WriteOnly: true},
		"label": {
			Type: schema.TypeString, Optional: true,
			DiffSuppressFunc: func(_, before, after string, _ *schema.ResourceData) bool {
				return strings.EqualFold(before, after)
			},
		},
		"settings": {
			Type: schema.TypeList, Optional: true, MaxItems: 1,
			Elem: &schema.Resource{Schema: map[string]*schema.Schema{
				"versioned": {Type: schema.TypeBool, Optional: true},
				"days":      {Type: schema.TypeInt, Optional: true},
			}},
		},
		"rule": {
			Type: schema.TypeSet, Optional: true,
			Elem: &schema.Resource{Schema: map[string]*schema.Schema{
				"prefix": {Type: schema.TypeString, Required: true},
				"action": {Type: schema.TypeString, Optional: true},
			}},
		},
	})
	r.CustomizeDiff = customdiff.All(
		customdiff.ForceNewIfChange("class", func(_ context.Context, before, _, _ any) bool {
			return before == "frozen"
		}),
		func(_ context.Context, d *schema.ResourceDiff, _ any) error {
			if d.Id() != "" && d.HasChange("tags") {
				return d.SetNewComputed("revision")
			}
			return nil
		},
	)
	r.SchemaVersion = 1
	r.StateUpgraders = []schema.StateUpgrader{{
		Version: 0,
		Type:    cty.Object(map[string]cty.Type{"id": cty.String, "title": cty.String}),
		Upgrade: func(_ context.Context, state map[string]any, _ any) (map[string]any, error) {
			state["name"] = state["title"]
			delete(state, "title")
			return state, nil
		},
	}}
	return r
}
