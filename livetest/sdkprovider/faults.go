package sdkprovider

import (
	"context"
	"errors"
	"maps"
	"strings"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
)

// unknownText is the SDK's representation of an unknown string.
const unknownText = "74D93920-ED26-11E3-AC10-0800200C9A66"

// faults returns resources. Each is named after the rule that it breaks.
func (c *Cloud) faults() map[string]*schema.Resource {
	upper := func(v any) string { return strings.ToUpper(v.(string)) }
	return map[string]*schema.Resource{
		"honest": c.faulty(nil),

		"plan_not_config":   c.faulty(func(r *schema.Resource) { r.Schema["name"].StateFunc = upper }),
		"plan_not_computed": c.faulty(func(r *schema.Resource) { r.Schema["note"].Default = "nobody asked" }),
		"plan_count": c.faulty(func(r *schema.Resource) {
			r.Schema["step"].DiffSuppressFunc = func(_, _, _ string, d *schema.ResourceData) bool {
				return d.Id() != ""
			}
		}),
		"plan_set_element": c.faulty(func(r *schema.Resource) {
			r.Schema["rule"].Elem.(*schema.Resource).Schema["port"].StateFunc = upper
		}),
		"plan_unknown_blocks": c.faulty(unknownBlocks),

		"inconsistent_presence": c.faulty(func(r *schema.Resource) {
			r.CreateContext = func(_ context.Context, d *schema.ResourceData, _ any) diag.Diagnostics {
				d.SetId("")
				return nil
			}
		}),
		"inconsistent_value":     c.faulty(answers("name", "other")),
		"inconsistent_sensitive": c.faulty(answers("secret", "other")),
		"inconsistent_count":     c.faulty(answers("step", []any{})),
		"inconsistent_key":       c.faulty(answers("tags", map[string]any{"other": "x"})),
		"inconsistent_set_element": c.faulty(func(r *schema.Resource) {
			element := r.Schema["rule"].Elem.(*schema.Resource)
			element.Schema["id"] = &schema.Schema{Type: schema.TypeString, Computed: true}
			answers("rule", []any{map[string]any{"port": "other", "id": "1"}})(r)
		}),
		"inconsistent_unknown": c.faulty(func(r *schema.Resource) {
			r.CustomizeDiff = func(_ context.Context, d *schema.ResourceDiff, _ any) error {
				if d.NewValueKnown("name") {
					return nil
				}
				return d.SetNew("stamp", "promised")
			}
		}),
		"half_created":  c.faulty(created(halfCreated)),
		"tags_all":      c.faulty(tagsAll),
		"twins":         c.faulty(twins),
		"state_unknown": c.faulty(answers("stamp", unknownText)),

		"perpetual_diff": c.faulty(func(r *schema.Resource) {
			r.CustomizeDiff = func(_ context.Context, d *schema.ResourceDiff, _ any) error {
				return d.SetNewComputed("stamp")
			}
		}),
	}
}

// faulty returns a resource without a fault, changed by fault.
func (c *Cloud) faulty(fault func(*schema.Resource)) *schema.Resource {
	text := func() *schema.Schema { return &schema.Schema{Type: schema.TypeString, Required: true} }
	with := func(name string) *schema.Resource {
		return &schema.Resource{Schema: map[string]*schema.Schema{name: text()}}
	}
	r := c.thing("faulty", map[string]*schema.Schema{
		"name":   text(),
		"note":   {Type: schema.TypeString, Optional: true},
		"secret": {Type: schema.TypeString, Optional: true, Sensitive: true},
		"key_wo": {Type: schema.TypeString, Optional: true, WriteOnly: true},
		"stamp":  {Type: schema.TypeString, Computed: true},
		"tags":   {Type: schema.TypeMap, Optional: true, Elem: &schema.Schema{Type: schema.TypeString}},
		"step":   {Type: schema.TypeList, Optional: true, Elem: with("title")},
		"rule":   {Type: schema.TypeSet, Optional: true, Elem: with("port")},
	})
	if fault != nil {
		fault(r)
	}
	return r
}

// answers changes a resource to return another value after it created the object.
func answers(key string, value any) func(*schema.Resource) {
	return created(func(d *schema.ResourceData) error { return d.Set(key, value) })
}

// halfCreated fails the creation of a resource named "a" after the object exists.
func halfCreated(d *schema.ResourceData) error {
	if d.Get("name") == "a" {
		return errors.New("the object is there, but not ready")
	}
	return nil
}

// created changes a resource to call then after it created the object.
func created(then func(*schema.ResourceData) error) func(*schema.Resource) {
	return func(r *schema.Resource) {
		create := r.CreateContext
		r.CreateContext = func(ctx context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
			if diags := create(ctx, d, meta); diags.HasError() {
				return diags
			}
			return diag.FromErr(then(d))
		}
	}
}

// unknownBlocks changes a resource to plan unknown blocks when it is created.
func unknownBlocks(r *schema.Resource) {
	r.Schema["step"].ConfigMode, r.Schema["step"].Computed = schema.SchemaConfigModeBlock, true
	r.CustomizeDiff = func(_ context.Context, d *schema.ResourceDiff, _ any) error {
		if d.Id() != "" {
			return nil
		}
		return d.SetNewComputed("step")
	}
}

// tagsAll changes a resource to plan all its tags: its own and the tags that every object has. It
// treats unknown tags as none.
func tagsAll(r *schema.Resource) {
	r.Schema["tags_all"] = &schema.Schema{
		Type: schema.TypeMap, Computed: true, Elem: &schema.Schema{Type: schema.TypeString},
	}
	r.CustomizeDiff = func(_ context.Context, d *schema.ResourceDiff, _ any) error {
		all := map[string]any{"team": "core"}
		maps.Copy(all, d.Get("tags").(map[string]any))
		return d.SetNew("tags_all", all)
	}
}

// twins changes a resource to import two objects.
func twins(r *schema.Resource) {
	r.Importer.StateContext = func(_ context.Context, d *schema.ResourceData, _ any) ([]*schema.ResourceData, error) {
		twin := r.Data(nil)
		twin.SetType("sdk_honest")
		twin.SetId(d.Id())
		return []*schema.ResourceData{d, twin}, nil
	}
}
