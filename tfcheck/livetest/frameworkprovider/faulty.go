package frameworkprovider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// A faulty is a thing with one fault.
type faulty struct {
	thing
	fault fault
}

var (
	_ resource.ResourceWithModifyPlan  = faulty{}
	_ resource.ResourceWithImportState = faulty{}
)

func faultySchema() schema.Schema {
	text := schema.StringAttribute{Required: true}
	number := schema.Int64Attribute{Required: true}
	return schema.Schema{
		Attributes: map[string]schema.Attribute{
			"id":       idAttribute(),
			"name":     text,
			"size":     schema.Int64Attribute{Optional: true},
			"tags":     schema.MapAttribute{Optional: true, ElementType: types.StringType},
			"zones":    schema.SetAttribute{Optional: true, ElementType: types.StringType},
			"secret":   schema.StringAttribute{Optional: true, Sensitive: true},
			"key_wo":   schema.StringAttribute{Optional: true, WriteOnly: true},
			"anything": schema.DynamicAttribute{Optional: true},
			"stamp":    schema.StringAttribute{Computed: true},
			"load":     schema.NumberAttribute{Computed: true},
			"network":  schema.SingleNestedAttribute{Optional: true, Attributes: map[string]schema.Attribute{"cidr": text}},
			"disks": schema.ListNestedAttribute{Optional: true, NestedObject: schema.NestedAttributeObject{
				Attributes: map[string]schema.Attribute{"size": number},
			}},
			"mounts": schema.MapNestedAttribute{Optional: true, NestedObject: schema.NestedAttributeObject{
				Attributes: map[string]schema.Attribute{"path": text},
			}},
			"ports": schema.SetNestedAttribute{Optional: true, NestedObject: schema.NestedAttributeObject{
				Attributes: map[string]schema.Attribute{"number": number},
			}},
		},
		Blocks: map[string]schema.Block{
			"step": schema.ListNestedBlock{NestedObject: schema.NestedBlockObject{
				Attributes: map[string]schema.Attribute{"title": text},
			}},
			"log": schema.SingleNestedBlock{Attributes: map[string]schema.Attribute{
				"target": schema.StringAttribute{Optional: true},
			}},
		},
	}
}

func (f faulty) ModifyPlan(_ context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if f.fault.deferred {
		resp.Deferred = &resource.Deferred{Reason: resource.DeferredReasonAbsentPrereq}
	}
	if req.Plan.Raw.IsNull() {
		if f.fault.destroy != nil {
			f.fault.destroy(&req, resp)
		}
		return
	}
	if f.fault.plan != nil {
		resp.Plan.Raw = f.fault.plan(resp.Plan.Raw)
	}
	if f.fault.anew != nil && req.State.Raw.IsNull() && text(req.Config.Raw, "name") == "b" {
		resp.Plan.Raw = f.fault.anew(resp.Plan.Raw)
	}
	if f.fault.early != nil && !req.Config.Raw.IsFullyKnown() {
		resp.Plan.Raw = f.fault.early(resp.Plan.Raw)
	}
	if len(f.fault.replace.Steps()) > 0 && (!f.fault.late || req.Config.Raw.IsFullyKnown()) {
		resp.RequiresReplace.Append(f.fault.replace)
	}
}

func (f faulty) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	f.thing.Create(ctx, req, resp)
	if f.fault.apply != nil {
		resp.State.Raw = f.fault.apply(resp.State.Raw)
	}
	if f.fault.fails && text(resp.State.Raw, "name") == "a" {
		resp.Diagnostics.AddError("Half-way", "The object is there, but not ready.")
	}
}

func (f faulty) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	f.thing.Update(ctx, req, resp)
	if f.fault.apply != nil {
		resp.State.Raw = f.fault.apply(resp.State.Raw)
	}
}

func (f faulty) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	f.thing.Read(ctx, req, resp)
	if f.fault.read != nil {
		resp.State.Raw = f.fault.read(resp.State.Raw)
	}
}

func (f faulty) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	f.thing.Delete(ctx, req, resp)
	if f.fault.keeps {
		resp.State.Raw = req.State.Raw
	}
}

func (f faulty) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	resource.ImportStatePassthroughID(ctx, path.Root("id"), req, resp)
	if f.fault.imported != nil {
		resp.State.Raw = f.fault.imported(resp.State.Raw)
	}
}
