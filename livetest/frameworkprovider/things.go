package frameworkprovider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// A server has an identity and private state. If its identity is mutable, a plan to update it has
// an unknown identity, which is only allowed in plans to create or replace.
type server struct {
	thing
	mutable bool
}

var _ resource.ResourceWithIdentity = server{}

func (s server) Metadata(ctx context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	s.thing.Metadata(ctx, req, resp)
	resp.ResourceBehavior.MutableIdentity = s.mutable
}

func (server) IdentitySchema(
	_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse,
) {
	resp.IdentitySchema = identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		"id": identityschema.StringAttribute{RequiredForImport: true},
	}}
}

func (s server) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if s.mutable && !req.Plan.Raw.IsNull() && !req.State.Raw.IsNull() && resp.Identity != nil {
		resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root("id"), types.StringUnknown())...)
	}
}

func (s server) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	s.thing.Create(ctx, req, resp)
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, "origin", []byte(`"created"`))...)
	identify(ctx, resp.State, resp.Identity)
}

func (s server) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	s.thing.Read(ctx, req, resp)
	if origin, _ := req.Private.GetKey(ctx, "origin"); origin == nil {
		resp.Diagnostics.Append(resp.Private.SetKey(ctx, "origin", []byte(`"imported"`))...)
	}
	if !resp.State.Raw.IsNull() {
		identify(ctx, resp.State, resp.Identity)
	}
}

func (s server) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	s.thing.Update(ctx, req, resp)
	identify(ctx, resp.State, resp.Identity)
}

func (server) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	resource.ImportStatePassthroughWithIdentity(ctx, path.Root("id"), path.Root("id"), req, resp)
}

func identify(ctx context.Context, state tfsdk.State, identity *tfsdk.ResourceIdentity) {
	identity.SetAttribute(ctx, path.Root("id"), types.StringValue(text(state.Raw, "id")))
}

// oldSchema returns a schema with an "id" and one more attribute.
func oldSchema(name string) *schema.Schema {
	return &schema.Schema{Attributes: attributes{
		"id": schema.StringAttribute{Computed: true},
		name: schema.StringAttribute{Required: true},
	}}
}

// A link defers its plan while its target is unknown, if the client allows it. It can be moved
// from an "old_link", whose "to" becomes its target.
type link struct{ thing }

var _ resource.ResourceWithMoveState = link{}

func (link) ModifyPlan(_ context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	config := req.Config.Raw
	if !config.IsNull() && !attribute(config, "target").IsKnown() && req.ClientCapabilities.DeferralAllowed {
		resp.Deferred = &resource.Deferred{Reason: resource.DeferredReasonResourceConfigUnknown}
	}
}

func (link) MoveState(context.Context) []resource.StateMover {
	return []resource.StateMover{{
		SourceSchema: oldSchema("to"),
		StateMover: func(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
			if req.SourceTypeName != "old_link" || req.SourceState == nil {
				return
			}
			resp.TargetState.SetAttribute(ctx, path.Root("id"), text(req.SourceState.Raw, "id"))
			resp.TargetState.SetAttribute(ctx, path.Root("target"), text(req.SourceState.Raw, "to"))
			resp.TargetState.SetAttribute(ctx, path.Root("kind"), "moved")
		},
	}}
}
