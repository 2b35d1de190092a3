package frameworkprovider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// An agedFirewall is a firewall that breaks a rule if its state has the older schema.
type agedFirewall struct {
	firewall
	upgraded edit // of the upgraded state
	updated  edit // of the plan for an object that exists
}

func (f agedFirewall) UpgradeState(ctx context.Context) map[int64]resource.StateUpgrader {
	all := f.firewall.UpgradeState(ctx)
	upgrader := all[0]
	honest := upgrader.StateUpgrader
	upgrader.StateUpgrader = func(ctx context.Context, req resource.UpgradeStateRequest, resp *resource.UpgradeStateResponse) {
		honest(ctx, req, resp)
		resp.State.Raw = f.upgraded.of(resp.State.Raw)
	}
	return map[int64]resource.StateUpgrader{0: upgrader}
}

func (f agedFirewall) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	f.firewall.ModifyPlan(ctx, req, resp)
	if !req.State.Raw.IsNull() && !req.Plan.Raw.IsNull() {
		resp.Plan.Raw = f.updated.of(resp.Plan.Raw)
	}
}

// An agedLink is a link that breaks a rule if it is moved from an "old_link".
type agedLink struct {
	link
	moved edit // of the moved state
}

func (l agedLink) MoveState(ctx context.Context) []resource.StateMover {
	mover := l.link.MoveState(ctx)[0]
	honest := mover.StateMover
	mover.StateMover = func(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
		honest(ctx, req, resp)
		resp.TargetState.Raw = l.moved.of(resp.TargetState.Raw)
	}
	return []resource.StateMover{mover}
}

// aged returns the resources that break rules with states of older schemas.
func (p *Provider) aged(of func(fault) thing) (made []func() resource.Resource) {
	untitled := edit(func(v tftypes.Value) tftypes.Value {
		if text(v, "name") == "" {
			panic("a firewall without a title")
		}
		return v
	})
	for _, r := range []resource.Resource{
		agedFirewall{firewall: firewall{of(fault{name: "upgraded_unknown"})}, upgraded: in("stamp", unknown)},
		agedFirewall{firewall: firewall{of(fault{name: "upgraded_crash"})}, upgraded: untitled},
		agedFirewall{firewall: firewall{of(fault{name: "upgraded_planned"})}, updated: in("name", to("other"))},
		agedLink{link: link{thing{&p.Cloud, linkSchema(), fault{name: "moved_unknown"}}}, moved: in("kind", unknown)},
	} {
		made = append(made, func() resource.Resource { return r })
	}
	return made
}
