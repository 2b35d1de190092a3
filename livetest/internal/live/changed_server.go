//lint:file-ignore SA1019 the legacy type system is what is tested

package live

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfconv"
	"github.com/zclconf/go-cty/cty"
)

// Providers with changed responses that no SDK returns.
const (
	KeepsDeleted     = "keeps-deleted"
	PlansDestroyed   = "plans-destroyed"
	UpgradesToNull   = "upgrades-to-null"
	Leaks            = "leaks"
	LeaksUpdated     = "leaks-updated"
	mistypesUpgraded = "mistypes-upgraded"
	MistypesUpdated  = "mistypes-updated"
	PlansNothing     = "plans-nothing"
	PlansNothingOnly = "plans-nothing-only" // and creates an object
	PlansUnknown     = "plans-unknown"
	FailsHalfWay     = "fails-half-way"
	FailsMistyped    = "fails-mistyped"
	FailsToDelete    = "fails-to-delete"
	ReplacesAlways   = "replaces-always"
	ForgetsCreated   = "forgets-created"
	ImportsNull      = "imports-null"
)

// The requests and responses of the RPCs that providers change.
type (
	PlanRequest   = tfprotov6.PlanResourceChangeRequest
	PlanResponse  = tfprotov6.PlanResourceChangeResponse
	ApplyRequest  = tfprotov6.ApplyResourceChangeRequest
	ApplyResponse = tfprotov6.ApplyResourceChangeResponse
	readRequest   = tfprotov6.ReadResourceRequest
	readResponse  = tfprotov6.ReadResourceResponse
)

// A changedServer is a server that changes responses. The changes may depend on the requests.
type changedServer struct {
	tfprotov6.ProviderServer
	upgrade func(*tfprotov6.UpgradeResourceStateRequest, *tfprotov6.UpgradeResourceStateResponse)
	imports func(*tfprotov6.ImportResourceStateRequest, *tfprotov6.ImportResourceStateResponse)
	plan    func(*PlanRequest, *PlanResponse)
	apply   func(*ApplyRequest, *ApplyResponse)
	read    func(*readRequest, *readResponse)
}

// Encoded values of any type: null, an object without attributes, and unknown.
var (
	null         = tfprotov6.DynamicValue{MsgPack: []byte{0xc0}}
	empty        = tfprotov6.DynamicValue{MsgPack: []byte{0x80}}
	unknownValue = tfprotov6.DynamicValue{MsgPack: []byte{0xd4, 0x00, 0x00}}
)

func isNull(v *tfprotov6.DynamicValue) bool { return string(v.MsgPack) == string(null.MsgPack) }

// Failing is the error of a provider that cannot do what it is asked for.
var Failing = []*tfprotov6.Diagnostic{{Severity: tfprotov6.DiagnosticSeverityError, Summary: "Out of things"}}

var changedServers = map[string]changedServer{
	KeepsDeleted: {apply: func(req *ApplyRequest, resp *ApplyResponse) {
		if isNull(req.PlannedState) {
			resp.NewState = req.PriorState
		}
	}},
	PlansDestroyed: {plan: func(req *PlanRequest, resp *PlanResponse) {
		if isNull(req.ProposedNewState) {
			resp.PlannedState = req.PriorState
		}
	}},
	PlansNothing: {plan: planNothing},
	PlansNothingOnly: {plan: planNothing, apply: func(req *ApplyRequest, resp *ApplyResponse) {
		if !isNull(req.Config) {
			resp.NewState, resp.UnsafeToUseLegacyTypeSystem = req.Config, true
		}
	}},
	PlansUnknown: {plan: func(req *PlanRequest, resp *PlanResponse) {
		if isNull(req.ProposedNewState) {
			resp.PlannedState = &unknownValue
		}
	}},
	MistypesUpdated: {apply: func(req *ApplyRequest, resp *ApplyResponse) {
		if !isNull(req.PlannedState) && !isNull(req.PriorState) {
			resp.NewState = &empty
		}
	}},
	Leaks: {apply: func(req *ApplyRequest, resp *ApplyResponse) {
		if !isNull(req.PlannedState) {
			resp.NewState = req.Config // with the write-only attribute
		}
	}},
	LeaksUpdated: {apply: func(req *ApplyRequest, resp *ApplyResponse) {
		if !isNull(req.PlannedState) && !isNull(req.PriorState) {
			resp.NewState = req.Config
		}
	}},
	mistypesUpgraded: {upgrade: func(_ *tfprotov6.UpgradeResourceStateRequest, resp *tfprotov6.UpgradeResourceStateResponse) {
		resp.UpgradedState = &empty
	}},
	UpgradesToNull: {upgrade: func(_ *tfprotov6.UpgradeResourceStateRequest, resp *tfprotov6.UpgradeResourceStateResponse) {
		resp.UpgradedState = &null
	}},
	ImportsNull: {imports: func(_ *tfprotov6.ImportResourceStateRequest, resp *tfprotov6.ImportResourceStateResponse) {
		for _, imported := range resp.ImportedResources {
			imported.State = &null
		}
	}},
	FailsHalfWay: {apply: func(req *ApplyRequest, resp *ApplyResponse) {
		if !isNull(req.PlannedState) {
			resp.NewState, resp.Diagnostics = req.PlannedState, Failing
		}
	}},
	FailsMistyped: {plan: func(req *PlanRequest, resp *PlanResponse) {
		if !isNull(req.PriorState) && !isNull(req.ProposedNewState) {
			resp.PlannedState, resp.Diagnostics = &empty, Failing
		}
	}},
	FailsToDelete: {apply: func(req *ApplyRequest, resp *ApplyResponse) {
		if isNull(req.PlannedState) {
			resp.NewState, resp.Diagnostics = &null, Failing
		}
	}},
	ReplacesAlways: {plan: func(req *PlanRequest, resp *PlanResponse) {
		if !isNull(req.PriorState) && !isNull(req.ProposedNewState) {
			resp.RequiresReplace = append(resp.RequiresReplace, tftypes.NewAttributePath().WithAttributeName("key_wo"))
		}
	}},
	ForgetsCreated: {apply: func(req *ApplyRequest, resp *ApplyResponse) {
		if isNull(req.PriorState) {
			resp.NewState = req.PlannedState // with unknown values
		}
	}},
}

func planNothing(_ *PlanRequest, resp *PlanResponse) { resp.PlannedState = &null }

// withChanges returns a server with the changes named made. A hand-made server breaks the rule for
// resources of the type.
func withChanges(inner tfprotov6.ProviderServer, made string, rule objchange.Rule, ty cty.Type) tfprotov6.ProviderServer {
	m := changedServers[made]
	// The SDKs change null blocks to an empty list.
	noSteps := func(v *tfprotov6.DynamicValue) *tfprotov6.DynamicValue {
		return setting("step", cty.NullVal(ty.AttributeType("step")), ty, v)
	}
	switch rule {
	case objchange.RuleInconsistentRefinement: // values of terraform-plugin-go have no refinements
		promised := cty.UnknownVal(cty.String).Refine().StringPrefixFull("promised-").NewValue()
		m.plan = func(_ *PlanRequest, resp *PlanResponse) {
			resp.PlannedState = setting("stamp", promised, ty, resp.PlannedState)
		}
	case objchange.RulePlanNullBlocks:
		m.plan = func(req *PlanRequest, resp *PlanResponse) {
			if config, err := tfconv.Decode6(req.Config, ty); err == nil && !config.IsNull() && config.GetAttr("step").LengthInt() == 0 {
				resp.PlannedState = noSteps(resp.PlannedState)
			}
		}
	case objchange.RuleInconsistentNullBlocks:
		m.apply = func(_ *ApplyRequest, resp *ApplyResponse) { resp.NewState = noSteps(resp.NewState) }
	case objchange.RuleStateNullBlocks:
		m.read = func(_ *readRequest, resp *readResponse) { resp.NewState = noSteps(resp.NewState) }
	case objchange.RuleTypeMismatch: // the SDKs return an error if they cannot encode a value
		if made == Handmade {
			m.plan = func(_ *PlanRequest, resp *PlanResponse) { resp.PlannedState = &empty }
		}
	}
	m.ProviderServer = inner
	return m
}

// setting returns the object with another value for an attribute. Null remains null.
func setting(name string, to cty.Value, ty cty.Type, object *tfprotov6.DynamicValue) *tfprotov6.DynamicValue {
	v, err := tfconv.Decode6(object, ty)
	if err != nil {
		panic(err)
	}
	if v.IsNull() {
		return object
	}
	attrs := v.AsValueMap()
	attrs[name] = to
	if object, err = tfconv.Encode6(cty.ObjectVal(attrs), ty); err != nil {
		panic(err)
	}
	return object
}

// GetProviderSchema adds the capability to plan destruction, which the SDK does not have.
func (m changedServer) GetProviderSchema(ctx context.Context, req *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	resp, err := m.ProviderServer.GetProviderSchema(ctx, req)
	if err != nil {
		return nil, err
	}
	changed := *resp
	changed.ServerCapabilities = &tfprotov6.ServerCapabilities{GetProviderSchemaOptional: true, PlanDestroy: true}
	return &changed, nil
}

func (m changedServer) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return callAndChange(ctx, m.ProviderServer.UpgradeResourceState, req, m.upgrade)
}

func (m changedServer) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	return callAndChange(ctx, m.ProviderServer.ImportResourceState, req, m.imports)
}

func (m changedServer) PlanResourceChange(ctx context.Context, req *PlanRequest) (*PlanResponse, error) {
	return callAndChange(ctx, m.ProviderServer.PlanResourceChange, req, m.plan)
}

func (m changedServer) ApplyResourceChange(ctx context.Context, req *ApplyRequest) (*ApplyResponse, error) {
	return callAndChange(ctx, m.ProviderServer.ApplyResourceChange, req, m.apply)
}

func (m changedServer) ReadResource(ctx context.Context, req *readRequest) (*readResponse, error) {
	return callAndChange(ctx, m.ProviderServer.ReadResource, req, m.read)
}

// callAndChange calls the provider and changes its response.
func callAndChange[Q, A any](ctx context.Context, call func(context.Context, *Q) (*A, error), req *Q, change func(*Q, *A)) (*A, error) {
	resp, err := call(ctx, req)
	if err == nil && change != nil {
		change(req, resp)
	}
	return resp, err
}
