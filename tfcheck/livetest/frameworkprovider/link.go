package frameworkprovider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// A link defers its plan while its target is unknown, if the client lets it, and
// can be what a resource of another type was.
type link struct{ thing }

var (
	_ resource.ResourceWithModifyPlan = link{}
	_ resource.ResourceWithMoveState  = link{}
)

func linkSchema() schema.Schema {
	return schema.Schema{Attributes: map[string]schema.Attribute{
		"id":     idAttribute(),
		"target": schema.StringAttribute{Required: true},
		"kind":   schema.StringAttribute{Optional: true, Computed: true},
	}}
}

func (link) ModifyPlan(_ context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Config.Raw.IsNull() || attribute(req.Config.Raw, "target").IsKnown() || !req.ClientCapabilities.DeferralAllowed {
		return
	}
	resp.Deferred = &resource.Deferred{Reason: resource.DeferredReasonResourceConfigUnknown}
}

// MoveState makes a link of an "old_link", whose "to" was the target.
func (l link) MoveState(context.Context) []resource.StateMover {
	return []resource.StateMover{{
		SourceSchema: &schema.Schema{Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{Computed: true},
			"to": schema.StringAttribute{Required: true},
		}},
		StateMover: func(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
			if req.SourceTypeName != "old_link" || req.SourceState == nil {
				return
			}
			resp.TargetState.SetAttribute(ctx, path.Root("id"), types.StringValue(text(req.SourceState.Raw, "id")))
			resp.TargetState.SetAttribute(ctx, path.Root("target"), types.StringValue(text(req.SourceState.Raw, "to")))
			resp.TargetState.SetAttribute(ctx, path.Root("kind"), types.StringValue("moved"))
		},
	}}
}
