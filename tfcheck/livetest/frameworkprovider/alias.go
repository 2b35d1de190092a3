package frameworkprovider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// An alias is identified by its name, which may change: a plan to update it says
// that its identity is not known yet, which only one to create or replace may.
type alias struct{ faulty }

var _ resource.ResourceWithIdentity = alias{}

func (a alias) Metadata(ctx context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	a.faulty.Metadata(ctx, req, resp)
	resp.ResourceBehavior.MutableIdentity = true
}

func (alias) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		"id": identityschema.StringAttribute{RequiredForImport: true},
	}}
}

func (alias) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if !req.Plan.Raw.IsNull() && !req.State.Raw.IsNull() && resp.Identity != nil {
		resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root("id"), types.StringUnknown())...)
	}
}

func (a alias) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	a.faulty.Create(ctx, req, resp)
	identify(ctx, resp.State, resp.Identity)
}

func (a alias) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	a.faulty.Read(ctx, req, resp)
	if !resp.State.Raw.IsNull() {
		identify(ctx, resp.State, resp.Identity)
	}
}

func (a alias) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	a.faulty.Update(ctx, req, resp)
	identify(ctx, resp.State, resp.Identity)
}
