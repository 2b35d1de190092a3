//lint:file-ignore SA1019 the legacy type system is what is tested

package livetest_test

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Providers made by hand, beside those that are bent in one value.
const (
	keepsDeleted     = "keeps-deleted"
	plansDestroyed   = "plans-destroyed"
	upgradesToNull   = "upgrades-to-null"
	leaks            = "leaks"
	leaksUpdated     = "leaks-updated"
	mistypesUpgraded = "mistypes-upgraded"
	mistypesUpdated  = "mistypes-updated"
	plansNothing     = "plans-nothing"
	plansNothingOnly = "plans-nothing-only" // and makes something
	plansUnknown     = "plans-unknown"
	failsHalfWay     = "fails-half-way"
	failsMistyped    = "fails-mistyped"
	failsToDelete    = "fails-to-delete"
	replacesAlways   = "replaces-always"
	forgetsCreated   = "forgets-created"
	importsNull      = "imports-null"
)

// A meddler is a server whose answers somebody changes with the request in mind.
type meddler struct {
	tfprotov6.ProviderServer
	upgrade func(*tfprotov6.UpgradeResourceStateRequest, *tfprotov6.UpgradeResourceStateResponse)
	imports func(*tfprotov6.ImportResourceStateRequest, *tfprotov6.ImportResourceStateResponse)
	plan    func(*tfprotov6.PlanResourceChangeRequest, *tfprotov6.PlanResourceChangeResponse)
	apply   func(*tfprotov6.ApplyResourceChangeRequest, *tfprotov6.ApplyResourceChangeResponse)
}

// null is the encoding of a null value of any type.
var null = tfprotov6.DynamicValue{MsgPack: []byte{0xc0}}

// empty is the encoding of an object without attributes.
var empty = tfprotov6.DynamicValue{MsgPack: []byte{0x80}}

func isNull(v *tfprotov6.DynamicValue) bool { return string(v.MsgPack) == string(null.MsgPack) }

var meddlers = map[string]meddler{
	keepsDeleted: {apply: func(req *tfprotov6.ApplyResourceChangeRequest, resp *tfprotov6.ApplyResourceChangeResponse) {
		if isNull(req.PlannedState) {
			resp.NewState = req.PriorState
		}
	}},
	plansDestroyed: {plan: func(req *tfprotov6.PlanResourceChangeRequest, resp *tfprotov6.PlanResourceChangeResponse) {
		if isNull(req.ProposedNewState) {
			resp.PlannedState = req.PriorState
		}
	}},
	plansNothing: {plan: func(_ *tfprotov6.PlanResourceChangeRequest, resp *tfprotov6.PlanResourceChangeResponse) {
		resp.PlannedState = &null
	}},
	mistypesUpdated: {apply: func(req *tfprotov6.ApplyResourceChangeRequest, resp *tfprotov6.ApplyResourceChangeResponse) {
		if !isNull(req.PlannedState) && !isNull(req.PriorState) {
			resp.NewState = &empty
		}
	}},
	leaks: {apply: func(req *tfprotov6.ApplyResourceChangeRequest, resp *tfprotov6.ApplyResourceChangeResponse) {
		if !isNull(req.PlannedState) {
			resp.NewState = req.Config // which has the write-only attribute
		}
	}},
	leaksUpdated: {apply: func(req *tfprotov6.ApplyResourceChangeRequest, resp *tfprotov6.ApplyResourceChangeResponse) {
		if !isNull(req.PlannedState) && !isNull(req.PriorState) {
			resp.NewState = req.Config
		}
	}},
	mistypesUpgraded: {upgrade: func(_ *tfprotov6.UpgradeResourceStateRequest, resp *tfprotov6.UpgradeResourceStateResponse) {
		resp.UpgradedState = &empty
	}},
	importsNull: {imports: func(_ *tfprotov6.ImportResourceStateRequest, resp *tfprotov6.ImportResourceStateResponse) {
		for _, imported := range resp.ImportedResources {
			imported.State = &null
		}
	}},
	upgradesToNull: {upgrade: func(_ *tfprotov6.UpgradeResourceStateRequest, resp *tfprotov6.UpgradeResourceStateResponse) {
		resp.UpgradedState = &null
	}},
}

// unknownValue is the encoding of a value that is unknown as a whole.
var unknownValue = tfprotov6.DynamicValue{MsgPack: []byte{0xd4, 0x00, 0x00}}

var failing = []*tfprotov6.Diagnostic{{Severity: tfprotov6.DiagnosticSeverityError, Summary: "Out of things"}}

func init() {
	meddlers[plansNothingOnly] = meddler{plan: meddlers[plansNothing].plan, apply: func(req *tfprotov6.ApplyResourceChangeRequest, resp *tfprotov6.ApplyResourceChangeResponse) {
		if !isNull(req.Config) {
			resp.NewState, resp.UnsafeToUseLegacyTypeSystem = req.Config, true
		}
	}}
	meddlers[plansUnknown] = meddler{plan: func(req *tfprotov6.PlanResourceChangeRequest, resp *tfprotov6.PlanResourceChangeResponse) {
		if isNull(req.ProposedNewState) {
			resp.PlannedState = &unknownValue
		}
	}}
	meddlers[failsHalfWay] = meddler{apply: func(req *tfprotov6.ApplyResourceChangeRequest, resp *tfprotov6.ApplyResourceChangeResponse) {
		if !isNull(req.PlannedState) {
			resp.NewState, resp.Diagnostics = req.PlannedState, failing
		}
	}}
	meddlers[failsMistyped] = meddler{plan: func(req *tfprotov6.PlanResourceChangeRequest, resp *tfprotov6.PlanResourceChangeResponse) {
		if !isNull(req.PriorState) && !isNull(req.ProposedNewState) {
			resp.PlannedState, resp.Diagnostics = &empty, failing
		}
	}}
	meddlers[failsToDelete] = meddler{apply: func(req *tfprotov6.ApplyResourceChangeRequest, resp *tfprotov6.ApplyResourceChangeResponse) {
		if isNull(req.PlannedState) {
			resp.NewState, resp.Diagnostics = &null, failing
		}
	}}
	meddlers[replacesAlways] = meddler{plan: func(req *tfprotov6.PlanResourceChangeRequest, resp *tfprotov6.PlanResourceChangeResponse) {
		if !isNull(req.PriorState) && !isNull(req.ProposedNewState) {
			resp.RequiresReplace = append(resp.RequiresReplace, tftypes.NewAttributePath().WithAttributeName("key_wo"))
		}
	}}
	meddlers[forgetsCreated] = meddler{apply: func(req *tfprotov6.ApplyResourceChangeRequest, resp *tfprotov6.ApplyResourceChangeResponse) {
		if isNull(req.PriorState) {
			resp.NewState = req.PlannedState // with what is unknown
		}
	}}
}

// GetProviderSchema asks for plans to destroy, which the SDK does not.
func (m meddler) GetProviderSchema(ctx context.Context, req *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	resp, err := m.ProviderServer.GetProviderSchema(ctx, req)
	if err != nil {
		return nil, err
	}
	changed := *resp
	changed.ServerCapabilities = &tfprotov6.ServerCapabilities{GetProviderSchemaOptional: true, PlanDestroy: true}
	return &changed, nil
}

func (m meddler) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return meddle(ctx, m.ProviderServer.UpgradeResourceState, req, m.upgrade)
}

func (m meddler) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	return meddle(ctx, m.ProviderServer.ImportResourceState, req, m.imports)
}

func (m meddler) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return meddle(ctx, m.ProviderServer.PlanResourceChange, req, m.plan)
}

func (m meddler) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return meddle(ctx, m.ProviderServer.ApplyResourceChange, req, m.apply)
}

// meddle calls the provider and changes what it answers.
func meddle[Q, A any](ctx context.Context, call func(context.Context, *Q) (*A, error), req *Q, change func(*Q, *A)) (*A, error) {
	resp, err := call(ctx, req)
	if err == nil && change != nil {
		change(req, resp)
	}
	return resp, err
}
