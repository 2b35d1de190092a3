//lint:file-ignore SA1019 the legacy type system is tested

package tfcheck_test

import (
	"context"
	"reflect"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfconv"
)

// A fake is a provider with one resource type, test_thing, that follows all rules. Edits of its
// responses break rules.
type fake struct {
	tfprotov6.ProviderServer // nil: calls of other methods panic

	mu    sync.Mutex
	calls []string // the RPCs, in order
	fails int      // the number of the call that fails, from 1
	with  error    // the error of that call; nil: no response

	// edits are functions with a response, or a request and its response, as parameters.
	edits []any
}

// on returns a fake with edits of its responses.
func on(edits ...any) *fake { return &fake{edits: edits} }

// legacy sets the flag of the legacy type system.
func (f *fake) legacy() *fake {
	f.edits = append(f.edits, func(r planResp) { r.UnsafeToUseLegacyTypeSystem = true }, func(r applyResp) { r.UnsafeToUseLegacyTypeSystem = true })
	return f
}

// thing is the schema of all types of the fake.
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

var identity = &tfprotov6.ResourceIdentitySchema{Version: 1, IdentityAttributes: []*tfprotov6.ResourceIdentitySchemaAttribute{
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

// value returns a thing.
func value(data any) cty.Value { return must(driver.ValueOf(thingBlock, data)) }

// dynamic returns an encoded thing.
func dynamic(data any) *tfprotov6.DynamicValue { return encode(value(data)) }

func encode(v cty.Value) *tfprotov6.DynamicValue { return must(tfconv.Encode6(v, thingType)) }

func decoded(v *tfprotov6.DynamicValue) cty.Value { return must(tfconv.Decode6(v, thingType)) }

func nothing() *tfprotov6.DynamicValue { return encode(cty.NullVal(thingType)) }

func identified(id any) *tfprotov6.ResourceIdentityData {
	ty := cty.Object(map[string]cty.Type{"id": cty.String})
	v, ok := id.(cty.Value)
	if !ok {
		v = cty.StringVal(id.(string))
	}
	return &tfprotov6.ResourceIdentityData{IdentityData: must(tfconv.Encode6(cty.ObjectVal(map[string]cty.Value{"id": v}), ty))}
}

// with returns the encoded thing with some attributes replaced.
func with(v *tfprotov6.DynamicValue, attrs obj) *tfprotov6.DynamicValue {
	all := decoded(v).AsValueMap()
	for name, data := range attrs {
		value, ok := data.(cty.Value)
		if !ok {
			value = must(driver.ValueOf(thingBlock, obj{name: data})).GetAttr(name)
		}
		all[name] = value
	}
	return encode(cty.ObjectVal(all))
}

// Requests and responses of the protocol.
type (
	planReq  = *tfprotov6.PlanResourceChangeRequest
	applyReq = *tfprotov6.ApplyResourceChangeRequest
	readReq  = *tfprotov6.ReadResourceRequest

	plan      = tfprotov6.PlanResourceChangeResponse
	apply     = tfprotov6.ApplyResourceChangeResponse
	read      = tfprotov6.ReadResourceResponse
	upgrade   = tfprotov6.UpgradeResourceStateResponse
	upgradeID = tfprotov6.UpgradeResourceIdentityResponse
	imports   = tfprotov6.ImportResourceStateResponse
	move      = tfprotov6.MoveResourceStateResponse
	data      = tfprotov6.ReadDataSourceResponse
	open      = tfprotov6.OpenEphemeralResourceResponse
	schemas   = tfprotov6.GetProviderSchemaResponse

	planResp  = *plan
	applyResp = *apply
	readResp  = *read
)

// stateIn returns the object in a response.
func stateIn(resp any) **tfprotov6.DynamicValue {
	switch r := resp.(type) {
	case *imports:
		return &r.ImportedResources[0].State
	default:
		for _, name := range []string{"PlannedState", "NewState", "UpgradedState", "TargetState", "State", "Result"} {
			if field := reflect.ValueOf(r).Elem().FieldByName(name); field.IsValid() {
				return field.Addr().Interface().(**tfprotov6.DynamicValue)
			}
		}
	}
	panic("the response has no object")
}

// set edits attributes of the object in a response.
func set[A any](attrs obj) func(*A) {
	return func(resp *A) { *stateIn(resp) = with(*stateIn(resp), attrs) }
}

// give replaces the object in a response.
func give[A any](state *tfprotov6.DynamicValue) func(*A) {
	return func(resp *A) { *stateIn(resp) = state }
}

// fail adds an error to a response.
func fail[A any](resp *A) {
	reflect.ValueOf(resp).Elem().FieldByName("Diagnostics").Set(reflect.ValueOf(failing))
}

// putOff defers a response.
func putOff[A any](resp *A) {
	reflect.ValueOf(resp).Elem().FieldByName("Deferred").Set(reflect.ValueOf(&tfprotov6.Deferred{Reason: tfprotov6.DeferredReasonAbsentPrereq}))
}

// identify replaces the identity in a response.
func identify[A any](identity *tfprotov6.ResourceIdentityData) func(*A) {
	return func(resp *A) {
		if all, ok := any(resp).(*imports); ok {
			all.ImportedResources[0].Identity = identity
			return
		}
		for _, name := range []string{"PlannedIdentity", "NewIdentity", "TargetIdentity", "UpgradedIdentity"} {
			if field := reflect.ValueOf(resp).Elem().FieldByName(name); field.IsValid() {
				field.Set(reflect.ValueOf(identity))
			}
		}
	}
}

// failing contains an error diagnostic.
var failing = []*tfprotov6.Diagnostic{{Severity: tfprotov6.DiagnosticSeverityError, Summary: "Out of things"}}

// answer records the call and returns the edited response, unless the call is set to fail.
func answer[A, Q any](f *fake, req *Q, fill func(*A)) (*A, error) {
	f.mu.Lock()
	f.calls = append(f.calls, strings.TrimSuffix(reflect.TypeFor[Q]().Name(), "Request"))
	now := len(f.calls) == f.fails
	f.mu.Unlock()
	if now {
		return nil, f.with
	}
	resp := new(A)
	if fill != nil {
		fill(resp)
	}
	for _, edit := range f.edits {
		switch edit := edit.(type) {
		case func(*A):
			edit(resp)
		case func(*Q, *A):
			edit(req, resp)
		}
	}
	return resp, nil
}

func (f *fake) GetProviderSchema(_ context.Context, req *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	return answer(f, req, func(r *tfprotov6.GetProviderSchemaResponse) {
		things := map[string]*tfprotov6.Schema{"test_thing": thing}
		r.ServerCapabilities = &tfprotov6.ServerCapabilities{PlanDestroy: true}
		r.ResourceSchemas, r.DataSourceSchemas, r.EphemeralResourceSchemas = things, things, things
	})
}

func (f *fake) GetResourceIdentitySchemas(_ context.Context, req *tfprotov6.GetResourceIdentitySchemasRequest) (*tfprotov6.GetResourceIdentitySchemasResponse, error) {
	return answer(f, req, func(r *tfprotov6.GetResourceIdentitySchemasResponse) {
		r.IdentitySchemas = map[string]*tfprotov6.ResourceIdentitySchema{"test_thing": identity}
	})
}

func (f *fake) ValidateProviderConfig(_ context.Context, req *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return answer[tfprotov6.ValidateProviderConfigResponse](f, req, nil)
}

func (f *fake) ConfigureProvider(_ context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	return answer[tfprotov6.ConfigureProviderResponse](f, req, nil)
}

func (f *fake) ValidateResourceConfig(_ context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return answer[tfprotov6.ValidateResourceConfigResponse](f, req, nil)
}

func (f *fake) ValidateDataResourceConfig(_ context.Context, req *tfprotov6.ValidateDataResourceConfigRequest) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return answer[tfprotov6.ValidateDataResourceConfigResponse](f, req, nil)
}

func (f *fake) ValidateEphemeralResourceConfig(_ context.Context, req *tfprotov6.ValidateEphemeralResourceConfigRequest) (*tfprotov6.ValidateEphemeralResourceConfigResponse, error) {
	return answer[tfprotov6.ValidateEphemeralResourceConfigResponse](f, req, nil)
}

func (f *fake) CloseEphemeralResource(_ context.Context, req *tfprotov6.CloseEphemeralResourceRequest) (*tfprotov6.CloseEphemeralResourceResponse, error) {
	return answer[tfprotov6.CloseEphemeralResourceResponse](f, req, nil)
}

// PlanResourceChange requires replacement if the name changes.
func (f *fake) PlanResourceChange(_ context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return answer(f, req, func(r *tfprotov6.PlanResourceChangeResponse) {
		r.PlannedState = encode(must(objchange.PlanComputed(thingSchema, decoded(req.ProposedNewState))))
		r.PlannedPrivate = append(req.PriorPrivate, 'p')
		if !decoded(r.PlannedState).IsNull() {
			r.RequiresReplace = []*tftypes.AttributePath{tftypes.NewAttributePath().WithAttributeName("name")}
		}
	})
}

func (f *fake) ApplyResourceChange(_ context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return answer(f, req, func(r *tfprotov6.ApplyResourceChangeResponse) {
		r.NewState, r.Private, r.NewIdentity = req.PlannedState, append(req.PlannedPrivate, 'a'), identified("i-1")
		if !decoded(req.PlannedState).IsNull() {
			r.NewState = with(req.PlannedState, obj{"id": "i-1"})
		}
	})
}

func (f *fake) ReadResource(_ context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return answer(f, req, func(r *tfprotov6.ReadResourceResponse) {
		r.NewState, r.Private, r.NewIdentity = req.CurrentState, req.Private, req.CurrentIdentity
	})
}

func (f *fake) UpgradeResourceState(_ context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return answer(f, req, func(r *tfprotov6.UpgradeResourceStateResponse) {
		r.UpgradedState = &tfprotov6.DynamicValue{JSON: req.RawState.JSON}
	})
}

func (f *fake) UpgradeResourceIdentity(_ context.Context, req *tfprotov6.UpgradeResourceIdentityRequest) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	return answer(f, req, func(r *tfprotov6.UpgradeResourceIdentityResponse) { r.UpgradedIdentity = identified("i-1") })
}

func (f *fake) ImportResourceState(_ context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	return answer(f, req, func(r *tfprotov6.ImportResourceStateResponse) {
		r.ImportedResources = []*tfprotov6.ImportedResource{{
			TypeName: "test_thing", State: dynamic(obj{"id": "i-1", "name": "found"}), Private: []byte("i"), Identity: identified("i-1"),
		}}
	})
}

func (f *fake) MoveResourceState(_ context.Context, req *tfprotov6.MoveResourceStateRequest) (*tfprotov6.MoveResourceStateResponse, error) {
	return answer(f, req, func(r *tfprotov6.MoveResourceStateResponse) {
		r.TargetState = dynamic(obj{"id": "i-1", "name": "moved"})
	})
}

func (f *fake) ReadDataSource(_ context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	return answer(f, req, func(r *tfprotov6.ReadDataSourceResponse) {
		r.State = with(req.Config, obj{"id": "i-1"})
	})
}

func (f *fake) OpenEphemeralResource(_ context.Context, req *tfprotov6.OpenEphemeralResourceRequest) (*tfprotov6.OpenEphemeralResourceResponse, error) {
	return answer(f, req, func(r *tfprotov6.OpenEphemeralResourceResponse) {
		r.Result = with(req.Config, obj{"id": "i-1"})
	})
}
