package tfcheck_test

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfconv"
)

// A fake is a provider of one resource type, test_thing, that keeps the
// contract. A test makes it break the contract by editing its responses.
type fake struct {
	tfprotov6.ProviderServer // nil: what the fake does not answer is not asked

	mu    sync.Mutex
	calls []string // the RPCs, in order
	fails int      // the call that fails, from 1
	with  error    // what it fails with; nil: no answer at all

	plan      func(*tfprotov6.PlanResourceChangeRequest, *tfprotov6.PlanResourceChangeResponse)
	apply     func(*tfprotov6.ApplyResourceChangeRequest, *tfprotov6.ApplyResourceChangeResponse)
	read      func(*tfprotov6.ReadResourceRequest, *tfprotov6.ReadResourceResponse)
	upgrade   func(*tfprotov6.UpgradeResourceStateResponse)
	imports   func(*tfprotov6.ImportResourceStateResponse)
	move      func(*tfprotov6.MoveResourceStateResponse)
	data      func(*tfprotov6.ReadDataSourceResponse)
	ephemeral func(*tfprotov6.OpenEphemeralResourceResponse)
	schema    func(*tfprotov6.GetProviderSchemaResponse)
}

// thing is the schema of everything that the fake has.
var thing = &tfprotov6.Schema{Version: 2, Block: &tfprotov6.SchemaBlock{
	Attributes: []*tfprotov6.SchemaAttribute{
		{Name: "id", Type: tftypes.String, Computed: true},
		{Name: "name", Type: tftypes.String, Required: true},
		{Name: "size", Type: tftypes.Number, Optional: true},
		{Name: "token", Type: tftypes.String, Optional: true, Sensitive: true},
		{Name: "password", Type: tftypes.String, Optional: true, WriteOnly: true},
	},
	BlockTypes: []*tfprotov6.SchemaNestedBlock{{
		TypeName: "rule", Nesting: tfprotov6.SchemaNestedBlockNestingModeList,
		Block: &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{
			{Name: "port", Type: tftypes.Number, Required: true},
		}},
	}},
}}

var identity = &tfprotov6.ResourceIdentitySchema{IdentityAttributes: []*tfprotov6.ResourceIdentitySchemaAttribute{
	{Name: "id", Type: tftypes.String, RequiredForImport: true},
}}

var (
	thingBlock  = must(tfconv.Block6(thing.Block))
	thingSchema = must(objchange.Compile(thingBlock))
	thingType   = thingBlock.ImpliedType()
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// obj is plain data of a thing.
type obj = map[string]any

// value is a thing.
func value(data any) cty.Value { return must(driver.ValueOf(thingBlock, data)) }

// dynamic is a thing as it crosses the protocol.
func dynamic(data any) *tfprotov6.DynamicValue { return encoded(value(data)) }

func encoded(v cty.Value) *tfprotov6.DynamicValue { return must(tfconv.Encode6(v, thingType)) }

func decoded(v *tfprotov6.DynamicValue) cty.Value { return must(tfconv.Decode6(v, thingType)) }

func nothing() *tfprotov6.DynamicValue { return encoded(cty.NullVal(thingType)) }

func identified(id any) *tfprotov6.ResourceIdentityData {
	ty := cty.Object(map[string]cty.Type{"id": cty.String})
	v, ok := id.(cty.Value)
	if !ok {
		v = cty.StringVal(id.(string))
	}
	return &tfprotov6.ResourceIdentityData{IdentityData: must(tfconv.Encode6(cty.ObjectVal(map[string]cty.Value{"id": v}), ty))}
}

// with returns the encoded thing with some attributes replaced.
func with(v *tfprotov6.DynamicValue, attrs map[string]cty.Value) *tfprotov6.DynamicValue {
	all := decoded(v).AsValueMap()
	for name, value := range attrs {
		all[name] = value
	}
	return encoded(cty.ObjectVal(all))
}

// What edits of responses are written with.
type (
	planReq   = *tfprotov6.PlanResourceChangeRequest
	planResp  = *tfprotov6.PlanResourceChangeResponse
	applyReq  = *tfprotov6.ApplyResourceChangeRequest
	applyResp = *tfprotov6.ApplyResourceChangeResponse
	readReq   = *tfprotov6.ReadResourceRequest
	readResp  = *tfprotov6.ReadResourceResponse
)

// edit calls the test's edit of a response, if there is one.
func edit[Q, A any](f func(*Q, *A), req *Q, resp *A) {
	if f != nil {
		f(req, resp)
	}
}

func edit1[A any](f func(*A), resp *A) {
	if f != nil {
		f(resp)
	}
}

// answer notes the call and answers it, unless it is the one that fails.
func answer[A any](f *fake, rpc string, make func() *A) (*A, error) {
	f.mu.Lock()
	f.calls = append(f.calls, rpc)
	now := len(f.calls) == f.fails
	f.mu.Unlock()
	if now {
		return nil, f.with
	}
	return make(), nil
}

func (f *fake) GetProviderSchema(context.Context, *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	return answer(f, "GetProviderSchema", func() *tfprotov6.GetProviderSchemaResponse {
		things := map[string]*tfprotov6.Schema{"test_thing": thing}
		resp := &tfprotov6.GetProviderSchemaResponse{
			ServerCapabilities: &tfprotov6.ServerCapabilities{PlanDestroy: true},
			ResourceSchemas:    things, DataSourceSchemas: things, EphemeralResourceSchemas: things,
		}
		edit1(f.schema, resp)
		return resp
	})
}

func (f *fake) GetResourceIdentitySchemas(context.Context, *tfprotov6.GetResourceIdentitySchemasRequest) (*tfprotov6.GetResourceIdentitySchemasResponse, error) {
	return answer(f, "GetResourceIdentitySchemas", func() *tfprotov6.GetResourceIdentitySchemasResponse {
		return &tfprotov6.GetResourceIdentitySchemasResponse{IdentitySchemas: map[string]*tfprotov6.ResourceIdentitySchema{"test_thing": identity}}
	})
}

func (f *fake) ValidateProviderConfig(context.Context, *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return answer(f, "ValidateProviderConfig", func() *tfprotov6.ValidateProviderConfigResponse {
		return &tfprotov6.ValidateProviderConfigResponse{}
	})
}

func (f *fake) ConfigureProvider(context.Context, *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	return answer(f, "ConfigureProvider", func() *tfprotov6.ConfigureProviderResponse {
		return &tfprotov6.ConfigureProviderResponse{}
	})
}

func (f *fake) ValidateResourceConfig(context.Context, *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return answer(f, "ValidateResourceConfig", func() *tfprotov6.ValidateResourceConfigResponse {
		return &tfprotov6.ValidateResourceConfigResponse{}
	})
}

func (f *fake) ValidateDataResourceConfig(context.Context, *tfprotov6.ValidateDataResourceConfigRequest) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return answer(f, "ValidateDataResourceConfig", func() *tfprotov6.ValidateDataResourceConfigResponse {
		return &tfprotov6.ValidateDataResourceConfigResponse{}
	})
}

func (f *fake) ValidateEphemeralResourceConfig(context.Context, *tfprotov6.ValidateEphemeralResourceConfigRequest) (*tfprotov6.ValidateEphemeralResourceConfigResponse, error) {
	return answer(f, "ValidateEphemeralResourceConfig", func() *tfprotov6.ValidateEphemeralResourceConfigResponse {
		return &tfprotov6.ValidateEphemeralResourceConfigResponse{}
	})
}

// PlanResourceChange has no opinions, but that a renamed thing is another one.
func (f *fake) PlanResourceChange(_ context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return answer(f, "PlanResourceChange", func() *tfprotov6.PlanResourceChangeResponse {
		resp := &tfprotov6.PlanResourceChangeResponse{
			PlannedState:    encoded(must(objchange.PlanComputed(thingSchema, decoded(req.ProposedNewState)))),
			RequiresReplace: []*tftypes.AttributePath{tftypes.NewAttributePath().WithAttributeName("name")},
			PlannedPrivate:  append(req.PriorPrivate, 'p'),
		}
		if decoded(resp.PlannedState).IsNull() {
			resp.RequiresReplace = nil
		}
		edit(f.plan, req, resp)
		return resp
	})
}

func (f *fake) ApplyResourceChange(_ context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return answer(f, "ApplyResourceChange", func() *tfprotov6.ApplyResourceChangeResponse {
		resp := &tfprotov6.ApplyResourceChangeResponse{NewState: req.PlannedState, Private: append(req.PlannedPrivate, 'a'), NewIdentity: identified("i-1")}
		if planned := decoded(req.PlannedState); !planned.IsNull() {
			resp.NewState = with(req.PlannedState, map[string]cty.Value{"id": cty.StringVal("i-1")})
		}
		edit(f.apply, req, resp)
		return resp
	})
}

func (f *fake) ReadResource(_ context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return answer(f, "ReadResource", func() *tfprotov6.ReadResourceResponse {
		resp := &tfprotov6.ReadResourceResponse{NewState: req.CurrentState, Private: req.Private, NewIdentity: req.CurrentIdentity}
		edit(f.read, req, resp)
		return resp
	})
}

func (f *fake) UpgradeResourceState(_ context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return answer(f, "UpgradeResourceState", func() *tfprotov6.UpgradeResourceStateResponse {
		resp := &tfprotov6.UpgradeResourceStateResponse{UpgradedState: &tfprotov6.DynamicValue{JSON: req.RawState.JSON}}
		edit1(f.upgrade, resp)
		return resp
	})
}

func (f *fake) ImportResourceState(_ context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	return answer(f, "ImportResourceState", func() *tfprotov6.ImportResourceStateResponse {
		resp := &tfprotov6.ImportResourceStateResponse{ImportedResources: []*tfprotov6.ImportedResource{{
			TypeName: "test_thing", State: dynamic(obj{"id": "i-1", "name": "found"}), Private: []byte("i"), Identity: identified("i-1"),
		}}}
		edit1(f.imports, resp)
		return resp
	})
}

func (f *fake) MoveResourceState(context.Context, *tfprotov6.MoveResourceStateRequest) (*tfprotov6.MoveResourceStateResponse, error) {
	return answer(f, "MoveResourceState", func() *tfprotov6.MoveResourceStateResponse {
		resp := &tfprotov6.MoveResourceStateResponse{TargetState: dynamic(obj{"id": "i-1", "name": "moved"})}
		edit1(f.move, resp)
		return resp
	})
}

func (f *fake) ReadDataSource(_ context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	return answer(f, "ReadDataSource", func() *tfprotov6.ReadDataSourceResponse {
		resp := &tfprotov6.ReadDataSourceResponse{State: with(req.Config, map[string]cty.Value{"id": cty.StringVal("i-1")})}
		edit1(f.data, resp)
		return resp
	})
}

func (f *fake) OpenEphemeralResource(_ context.Context, req *tfprotov6.OpenEphemeralResourceRequest) (*tfprotov6.OpenEphemeralResourceResponse, error) {
	return answer(f, "OpenEphemeralResource", func() *tfprotov6.OpenEphemeralResourceResponse {
		resp := &tfprotov6.OpenEphemeralResourceResponse{Result: with(req.Config, map[string]cty.Value{"id": cty.StringVal("i-1")})}
		edit1(f.ephemeral, resp)
		return resp
	})
}

func (f *fake) CloseEphemeralResource(context.Context, *tfprotov6.CloseEphemeralResourceRequest) (*tfprotov6.CloseEphemeralResourceResponse, error) {
	return answer(f, "CloseEphemeralResource", func() *tfprotov6.CloseEphemeralResourceResponse {
		return &tfprotov6.CloseEphemeralResourceResponse{}
	})
}

// failing are the diagnostics of a provider that refuses.
var failing = []*tfprotov6.Diagnostic{{Severity: tfprotov6.DiagnosticSeverityError, Summary: "Out of things"}}
