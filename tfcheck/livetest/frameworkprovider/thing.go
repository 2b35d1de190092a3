package frameworkprovider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/objchange/objchange/tfcheck/livetest/cloud"
)

// A thing is a resource that keeps in the cloud what was planned, and chooses
// what the plan left unknown. It has a computed attribute "id".
type thing struct {
	cloud  *cloud.Cloud[tftypes.Value]
	name   string
	schema schema.Schema
}

func (t thing) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = t.name
}

func (t thing) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = t.schema
}

func (t thing) Create(_ context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	id := t.cloud.NewID(t.name)
	state, err := complete(in("id", to(id))(req.Plan.Raw), id)
	if err != nil {
		resp.Diagnostics.AddError("Cannot create", err.Error())
		return
	}
	t.cloud.Put(id, state)
	resp.State.Raw = state
}

func (t thing) Read(_ context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	state, ok := t.cloud.Get(text(req.State.Raw, "id"))
	if !ok {
		resp.State.Raw = tftypes.NewValue(req.State.Raw.Type(), nil)
		return
	}
	resp.State.Raw = state
}

func (t thing) Update(_ context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	id := text(req.State.Raw, "id")
	state, err := complete(req.Plan.Raw, id)
	if err != nil {
		resp.Diagnostics.AddError("Cannot update", err.Error())
		return
	}
	t.cloud.Put(id, state)
	resp.State.Raw = state
}

func (t thing) Delete(_ context.Context, req resource.DeleteRequest, _ *resource.DeleteResponse) {
	t.cloud.Forget(text(req.State.Raw, "id"))
}
