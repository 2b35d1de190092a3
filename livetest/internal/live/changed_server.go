//lint:file-ignore SA1019 the legacy type system is what is tested

package live

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/objchange/objchange/livetest/frameworkprovider"
	"github.com/objchange/objchange/tfconv"
	"github.com/zclconf/go-cty/cty"
)

// The requests and responses of the RPCs that providers change.
type (
	PlanRequest     = tfprotov6.PlanResourceChangeRequest
	PlanResponse    = tfprotov6.PlanResourceChangeResponse
	ApplyRequest    = tfprotov6.ApplyResourceChangeRequest
	ApplyResponse   = tfprotov6.ApplyResourceChangeResponse
	readRequest     = tfprotov6.ReadResourceRequest
	readResponse    = tfprotov6.ReadResourceResponse
	upgradeRequest  = tfprotov6.UpgradeResourceStateRequest
	upgradeResponse = tfprotov6.UpgradeResourceStateResponse
	importRequest   = tfprotov6.ImportResourceStateRequest
	importResponse  = tfprotov6.ImportResourceStateResponse
	moveRequest     = tfprotov6.MoveResourceStateRequest
	moveResponse    = tfprotov6.MoveResourceStateResponse
	schemaRequest   = tfprotov6.GetProviderSchemaRequest
	schemaResponse  = tfprotov6.GetProviderSchemaResponse
)

// A changedServer is a server that changes responses. Its edits are functions with a response, or a
// request and its response, as parameters. Functions with any response receive all of them.
type changedServer struct {
	tfprotov6.ProviderServer
	edits []any
}

// Changed returns the server with edits of its responses. It moves any object, to a null state.
func Changed(inner tfprotov6.ProviderServer, edits ...any) tfprotov6.ProviderServer {
	return changedServer{inner, edits}
}

// Encoded values of any type: null, an object without attributes, and unknown.
var (
	Null         = tfprotov6.DynamicValue{MsgPack: []byte{0xc0}}
	Empty        = tfprotov6.DynamicValue{MsgPack: []byte{0x80}}
	unknownValue = tfprotov6.DynamicValue{MsgPack: []byte{0xd4, 0x00, 0x00}}
)

func isNull(v *tfprotov6.DynamicValue) bool { return string(v.MsgPack) == string(Null.MsgPack) }

// Failing is the error of a provider that cannot do what it is asked for.
var Failing = []*tfprotov6.Diagnostic{{Severity: tfprotov6.DiagnosticSeverityError, Summary: "Out of things"}}

// A Change is a change of responses that no SDK makes.
type Change struct {
	Name  string
	edits []any // see changedServer
}

func changing(name string, edits ...any) *Change { return &Change{name, edits} }

// byHand returns a change that breaks a rule for resources of the type fw_honest.
func byHand(edit any) *Change { return changing("hand-made", edit) }

// These are all changes.
var (
	KeepsDeleted = changing("keeps-deleted", func(req *ApplyRequest, resp *ApplyResponse) {
		if isNull(req.PlannedState) {
			resp.NewState = req.PriorState
		}
	})
	plansDestroyed = changing("plans-destroyed", func(req *PlanRequest, resp *PlanResponse) {
		if isNull(req.ProposedNewState) {
			resp.PlannedState = req.PriorState
		}
	})
	PlansNothing     = changing("plans-nothing", planNothing)
	PlansNothingOnly = changing("plans-nothing-only", planNothing, func(req *ApplyRequest, resp *ApplyResponse) {
		if !isNull(req.Config) { // creates an object
			resp.NewState, resp.UnsafeToUseLegacyTypeSystem = req.Config, true
		}
	})
	PlansUnknown = changing("plans-unknown", func(req *PlanRequest, resp *PlanResponse) {
		if isNull(req.ProposedNewState) {
			resp.PlannedState = &unknownValue
		}
	})
	mistypesUpdated = changing("mistypes-updated", func(req *ApplyRequest, resp *ApplyResponse) {
		if !isNull(req.PlannedState) && !isNull(req.PriorState) {
			resp.NewState = &Empty
		}
	})
	Leaks = changing("leaks", func(req *ApplyRequest, resp *ApplyResponse) {
		if !isNull(req.PlannedState) {
			resp.NewState = req.Config // with the write-only attribute
		}
	})
	LeaksUpdated = changing("leaks-updated", func(req *ApplyRequest, resp *ApplyResponse) {
		if !isNull(req.PlannedState) && !isNull(req.PriorState) {
			resp.NewState = req.Config
		}
	})
	mistypesUpgraded = changing("mistypes-upgraded", func(resp *upgradeResponse) { resp.UpgradedState = &Empty })
	UpgradesToNull   = changing("upgrades-to-null", func(resp *upgradeResponse) { resp.UpgradedState = &Null })
	ImportsNull      = changing("imports-null", func(resp *importResponse) {
		for _, imported := range resp.ImportedResources {
			imported.State = &Null
		}
	})
	FailsHalfWay = changing("fails-half-way", func(req *ApplyRequest, resp *ApplyResponse) {
		if !isNull(req.PlannedState) {
			resp.NewState, resp.Diagnostics = req.PlannedState, Failing
		}
	})
	FailsMistyped = changing("fails-mistyped", func(req *PlanRequest, resp *PlanResponse) {
		if !isNull(req.PriorState) && !isNull(req.ProposedNewState) {
			resp.PlannedState, resp.Diagnostics = &Empty, Failing
		}
	})
	FailsToDelete = changing("fails-to-delete", func(req *ApplyRequest, resp *ApplyResponse) {
		if isNull(req.PlannedState) {
			resp.NewState, resp.Diagnostics = &Null, Failing
		}
	})
	ReplacesAlways = changing("replaces-always", func(req *PlanRequest, resp *PlanResponse) {
		if !isNull(req.PriorState) && !isNull(req.ProposedNewState) {
			resp.RequiresReplace = append(resp.RequiresReplace, tftypes.NewAttributePath().WithAttributeName("key_wo"))
		}
	})
	ForgetsCreated = changing("forgets-created", func(req *ApplyRequest, resp *ApplyResponse) {
		if isNull(req.PriorState) {
			resp.NewState = req.PlannedState // with unknown values
		}
	})

	// The SDKs return an error if they cannot encode a value.
	mistypesPlanned = byHand(func(resp *PlanResponse) { resp.PlannedState = &Empty })
	// The values of terraform-plugin-go have no refinements.
	refines = byHand(func(resp *PlanResponse) {
		promised := cty.UnknownVal(cty.String).Refine().StringPrefixFull("promised-").NewValue()
		resp.PlannedState = Setting("stamp", promised, resp.PlannedState)
	})
	// The SDKs change null blocks to an empty list.
	plansNullBlocks = byHand(func(req *PlanRequest, resp *PlanResponse) {
		config, err := tfconv.Decode6(req.Config, thingType)
		if err == nil && !config.IsNull() && config.GetAttr("step").LengthInt() == 0 {
			resp.PlannedState = noSteps(resp.PlannedState)
		}
	})
	appliesNullBlocks = byHand(func(resp *ApplyResponse) { resp.NewState = noSteps(resp.NewState) })
	readsNullBlocks   = byHand(func(resp *readResponse) { resp.NewState = noSteps(resp.NewState) })
)

func planNothing(resp *PlanResponse) { resp.PlannedState = &Null }

func noSteps(object *tfprotov6.DynamicValue) *tfprotov6.DynamicValue {
	return Setting("step", cty.NullVal(thingType.AttributeType("step")), object)
}

// thingType is the type of objects of fw_honest.
var thingType = must(tfconv.TypeToCty(frameworkprovider.ThingType()))

// Setting returns an object of fw_honest with another value for an attribute. Null remains null.
func Setting(name string, to cty.Value, object *tfprotov6.DynamicValue) *tfprotov6.DynamicValue {
	v := must(tfconv.Decode6(object, thingType))
	if v.IsNull() {
		return object
	}
	attrs := v.AsValueMap()
	attrs[name] = to
	return must(tfconv.Encode6(cty.ObjectVal(attrs), thingType))
}

func must[V any](v V, err error) V {
	if err != nil {
		panic(err)
	}
	return v
}

// GetProviderSchema adds the capabilities to plan destruction, which the SDK does not have, and to
// move objects.
func (s changedServer) GetProviderSchema(ctx context.Context, req *schemaRequest) (*schemaResponse, error) {
	resp, err := s.ProviderServer.GetProviderSchema(ctx, req)
	if err != nil {
		return nil, err
	}
	changed := *resp
	changed.ServerCapabilities = &tfprotov6.ServerCapabilities{
		GetProviderSchemaOptional: true, PlanDestroy: true, MoveResourceState: true,
	}
	return &changed, nil
}

func (s changedServer) UpgradeResourceState(ctx context.Context, req *upgradeRequest) (*upgradeResponse, error) {
	return edited(ctx, s, s.ProviderServer.UpgradeResourceState, req)
}

func (s changedServer) ImportResourceState(ctx context.Context, req *importRequest) (*importResponse, error) {
	return edited(ctx, s, s.ProviderServer.ImportResourceState, req)
}

func (s changedServer) MoveResourceState(ctx context.Context, req *moveRequest) (*moveResponse, error) {
	move := func(context.Context, *moveRequest) (*moveResponse, error) {
		return &moveResponse{TargetState: &tfprotov6.DynamicValue{MsgPack: Null.MsgPack}}, nil
	}
	return edited(ctx, s, move, req)
}

func (s changedServer) PlanResourceChange(ctx context.Context, req *PlanRequest) (*PlanResponse, error) {
	return edited(ctx, s, s.ProviderServer.PlanResourceChange, req)
}

func (s changedServer) ApplyResourceChange(ctx context.Context, req *ApplyRequest) (*ApplyResponse, error) {
	return edited(ctx, s, s.ProviderServer.ApplyResourceChange, req)
}

func (s changedServer) ReadResource(ctx context.Context, req *readRequest) (*readResponse, error) {
	return edited(ctx, s, s.ProviderServer.ReadResource, req)
}

// edited calls the provider and edits its response.
func edited[Q, A any](
	ctx context.Context, s changedServer, call func(context.Context, *Q) (*A, error), req *Q,
) (*A, error) {
	resp, err := call(ctx, req)
	if err != nil {
		return resp, err
	}
	for _, edit := range s.edits {
		switch edit := edit.(type) {
		case func(*A):
			edit(resp)
		case func(*Q, *A):
			edit(req, resp)
		case func(any):
			edit(resp)
		}
	}
	return resp, nil
}
