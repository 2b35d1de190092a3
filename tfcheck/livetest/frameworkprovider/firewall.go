package frameworkprovider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// A firewall has blocks of all modes that the framework knows, a write-only and
// a dynamic attribute, and had another schema before.
type firewall struct{ thing }

var (
	_ resource.ResourceWithUpgradeState = firewall{}
	_ resource.ResourceWithImportState  = firewall{}
)

func firewallSchema() schema.Schema {
	return schema.Schema{
		Version: 1,
		Attributes: map[string]schema.Attribute{
			"id":          idAttribute(),
			"title":       schema.StringAttribute{Required: true},
			"key_wo":      schema.StringAttribute{Optional: true, WriteOnly: true},
			"key_version": schema.Int64Attribute{Optional: true},
			"extra":       schema.DynamicAttribute{Optional: true},
		},
		Blocks: map[string]schema.Block{
			"rule": schema.SetNestedBlock{NestedObject: schema.NestedBlockObject{Attributes: map[string]schema.Attribute{
				"port":   schema.Int64Attribute{Required: true},
				"source": schema.StringAttribute{Optional: true},
				"hits":   schema.Int64Attribute{Computed: true},
			}}},
			"stage": schema.ListNestedBlock{NestedObject: schema.NestedBlockObject{
				Attributes: map[string]schema.Attribute{
					"order": schema.Int64Attribute{Required: true},
					"note":  schema.StringAttribute{Optional: true, Computed: true},
				},
				Blocks: map[string]schema.Block{
					"match": schema.SetNestedBlock{NestedObject: schema.NestedBlockObject{Attributes: map[string]schema.Attribute{
						"cidr": schema.StringAttribute{Required: true},
					}}},
				},
			}},
			"log": schema.SingleNestedBlock{Attributes: map[string]schema.Attribute{
				"target": schema.StringAttribute{Optional: true},
				"stream": schema.StringAttribute{Optional: true, Computed: true},
			}},
		},
	}
}

// Create refuses what only the write-only attribute can tell.
func (f firewall) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	if text(req.Config.Raw, "key_wo") == "forbidden" {
		resp.Diagnostics.AddAttributeError(path.Root("key_wo"), "Forbidden key", "Choose another key.")
		return
	}
	f.thing.Create(ctx, req, resp)
}

func (firewall) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	resource.ImportStatePassthroughID(ctx, path.Root("id"), req, resp)
}

// UpgradeState renames "name" to "title".
func (f firewall) UpgradeState(context.Context) map[int64]resource.StateUpgrader {
	return map[int64]resource.StateUpgrader{0: {
		PriorSchema: &schema.Schema{Attributes: map[string]schema.Attribute{
			"id":   schema.StringAttribute{Computed: true},
			"name": schema.StringAttribute{Required: true},
		}},
		StateUpgrader: func(ctx context.Context, req resource.UpgradeStateRequest, resp *resource.UpgradeStateResponse) {
			ty := f.schema.Type().TerraformType(ctx)
			resp.State.Raw = empty(ty)
			resp.State.SetAttribute(ctx, path.Root("id"), types.StringValue(text(req.State.Raw, "id")))
			resp.State.SetAttribute(ctx, path.Root("title"), types.StringValue(text(req.State.Raw, "name")))
		},
	}}
}

// empty returns the object of a resource that sets nothing.
func empty(ty tftypes.Type) tftypes.Value {
	attrs := map[string]tftypes.Value{}
	for name, at := range ty.(tftypes.Object).AttributeTypes {
		attrs[name] = tftypes.NewValue(at, nil)
		if at.Is(tftypes.List{}) || at.Is(tftypes.Set{}) {
			attrs[name] = tftypes.NewValue(at, []tftypes.Value{})
		}
	}
	return tftypes.NewValue(ty, attrs)
}
