package frameworkprovider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// A thing is a resource that stores the planned object in the cloud, and chooses the values that
// are unknown in the plan. Its fault changes the responses. It has a computed attribute "id". It
// rejects a key that is only in the configuration. In its older schema, the name was the title.
type thing struct {
	provider *Provider
	schema   schema.Schema
	fault
}

var (
	_ resource.ResourceWithModifyPlan   = thing{}
	_ resource.ResourceWithImportState  = thing{}
	_ resource.ResourceWithUpgradeState = thing{}
)

func (t thing) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = "fw_" + t.name
}

func (t thing) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = t.schema
}

func (t thing) ModifyPlan(_ context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if endpoint := t.provider.endpoint.ValueString(); endpoint != "" {
		resp.Diagnostics.AddWarning("at "+endpoint, "")
	}
	if t.deferred {
		resp.Deferred = &resource.Deferred{Reason: resource.DeferredReasonAbsentPrereq}
	}
	if req.Plan.Raw.IsNull() {
		return
	}
	known := req.Config.Raw.IsFullyKnown()
	resp.Plan.Raw = t.plan.of(resp.Plan.Raw)
	if req.State.Raw.IsNull() && text(req.Config.Raw, "name") == "b" {
		resp.Plan.Raw = t.anew.of(resp.Plan.Raw)
	}
	if !known {
		resp.Plan.Raw = t.early.of(resp.Plan.Raw)
	}
	if len(t.replace.Steps()) > 0 && (!t.late || known) {
		resp.RequiresReplace.Append(t.replace)
	}
}

func (t thing) Create(_ context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	if text(req.Config.Raw, "key_wo") == "forbidden" {
		resp.Diagnostics.AddAttributeError(path.Root("key_wo"), "Forbidden key", "Choose another key.")
		return
	}
	id := t.provider.Cloud.NewID("fw_" + t.name)
	state := complete(in("id", to(id))(req.Plan.Raw), id)
	t.put(id, state)
	resp.State.Raw = t.apply.of(state)
	if t.fails && text(state, "name") == "a" {
		resp.Diagnostics.AddError("Half-way", "The object is there, but not ready.")
	}
}

func (t thing) Read(_ context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	resp.State.Raw = t.read.of(t.get(text(req.State.Raw, "id"), req.State.Raw.Type()))
}

func (t thing) Update(_ context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	id := text(req.State.Raw, "id")
	state := complete(req.Plan.Raw, id)
	t.put(id, state)
	resp.State.Raw = t.apply.of(state)
}

func (t thing) Delete(_ context.Context, req resource.DeleteRequest, _ *resource.DeleteResponse) {
	t.provider.Cloud.Forget(text(req.State.Raw, "id"))
}

func (t thing) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	resource.ImportStatePassthroughID(ctx, path.Root("id"), req, resp)
	resp.State.Raw = t.imported.of(resp.State.Raw)
}

func (t thing) UpgradeState(context.Context) map[int64]resource.StateUpgrader {
	upgrade := func(ctx context.Context, req resource.UpgradeStateRequest, resp *resource.UpgradeStateResponse) {
		resp.State.Raw = tftypes.NewValue(ThingType(), nil)
		resp.State.SetAttribute(ctx, path.Root("id"), text(req.State.Raw, "id"))
		resp.State.SetAttribute(ctx, path.Root("name"), text(req.State.Raw, "title"))
	}
	return map[int64]resource.StateUpgrader{0: {PriorSchema: oldSchema("title"), StateUpgrader: upgrade}}
}

// put stores an object in the cloud.
func (t thing) put(id string, object tftypes.Value) {
	encoded, err := tfprotov6.NewDynamicValue(object.Type(), object)
	if err != nil {
		panic(err)
	}
	t.provider.Cloud.Put(id, encoded.MsgPack)
}

// get returns the object from the cloud with the given type, or null.
func (t thing) get(id string, ty tftypes.Type) tftypes.Value {
	encoded, ok := t.provider.Cloud.Get(id)
	if !ok {
		return tftypes.NewValue(ty, nil)
	}
	object, err := tfprotov6.DynamicValue{MsgPack: encoded}.Unmarshal(ty)
	if err != nil {
		panic(err)
	}
	return object
}
