//lint:file-ignore SA1019 the legacy type system lets Terraform come to the next check

package explain_test

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/conformance"
	"github.com/objchange/objchange/livetest/internal/live"
	"github.com/objchange/objchange/tfconv"
)

// A recordedProvider is a provider that returns recorded values of cases.
type recordedProvider struct {
	tfprotov6.ProviderServer
	cases map[string]*recordedCase // by resource type
}

func (s *recordedProvider) GetProviderSchema(context.Context, *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	resp := &tfprotov6.GetProviderSchemaResponse{
		Provider:           &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{}},
		ResourceSchemas:    map[string]*tfprotov6.Schema{},
		ServerCapabilities: &tfprotov6.ServerCapabilities{GetProviderSchemaOptional: true},
	}
	for name, p := range s.cases {
		schema, err := tfconv.SchemaTo6(&configschema.Schema{Block: p.schema})
		if err != nil {
			return nil, err
		}
		resp.ResourceSchemas[name] = schema
	}
	return resp, nil
}

// GetResourceIdentitySchemas returns no schemas. Terraform calls it since 1.12.
func (*recordedProvider) GetResourceIdentitySchemas(context.Context, *tfprotov6.GetResourceIdentitySchemasRequest) (*tfprotov6.GetResourceIdentitySchemasResponse, error) {
	return &tfprotov6.GetResourceIdentitySchemasResponse{}, nil
}

func (*recordedProvider) ValidateProviderConfig(_ context.Context, req *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return &tfprotov6.ValidateProviderConfigResponse{PreparedConfig: req.Config}, nil
}

func (*recordedProvider) ConfigureProvider(context.Context, *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	return &tfprotov6.ConfigureProviderResponse{}, nil
}

func (*recordedProvider) StopProvider(context.Context, *tfprotov6.StopProviderRequest) (*tfprotov6.StopProviderResponse, error) {
	return &tfprotov6.StopProviderResponse{}, nil
}

func (*recordedProvider) ValidateResourceConfig(context.Context, *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return &tfprotov6.ValidateResourceConfigResponse{}, nil
}

func (s *recordedProvider) UpgradeResourceState(_ context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	ty := s.cases[req.TypeName].schema.ImpliedType()
	v, err := ctyjson.Unmarshal(req.RawState.JSON, ty)
	if err != nil {
		return nil, err
	}
	state, err := tfconv.Encode6(v, ty)
	return &tfprotov6.UpgradeResourceStateResponse{UpgradedState: state}, err
}

// PlanResourceChange returns the recorded plan. For a case about two plans, it returns the second
// plan when Terraform plans again. If the case has another configuration, it returns an error.
func (s *recordedProvider) PlanResourceChange(_ context.Context, req *live.PlanRequest) (*live.PlanResponse, error) {
	p := s.cases[req.TypeName]
	ty := p.schema.ImpliedType()
	p.plans++
	planned, legacy := p.In["planned"], true
	switch {
	case p.Op == conformance.OpPlan:
		config, err := tfconv.Decode6(req.Config, ty)
		if err != nil || !config.RawEquals(p.In["config"]) {
			return &live.PlanResponse{Diagnostics: live.Failing}, nil
		}
		legacy = len(p.ID)%2 == 0 // Terraform logs one half and rejects the other half
	case p.Op == conformance.OpReplan && p.plans == 1:
		planned = p.In["initial"]
	case p.Op == conformance.OpReplan:
		planned = p.In["final"]
	}
	v, err := tfconv.Encode6(planned, ty)
	return &live.PlanResponse{PlannedState: v, UnsafeToUseLegacyTypeSystem: legacy}, err
}

// ApplyResourceChange returns the recorded new state.
func (s *recordedProvider) ApplyResourceChange(_ context.Context, req *live.ApplyRequest) (*live.ApplyResponse, error) {
	p := s.cases[req.TypeName]
	applied := p.In["applied"]
	if applied == cty.NilVal {
		return &live.ApplyResponse{Diagnostics: live.Failing}, nil
	}
	v, err := tfconv.Encode6(applied, p.schema.ImpliedType())
	return &live.ApplyResponse{NewState: v, UnsafeToUseLegacyTypeSystem: len(p.ID)%2 == 0}, err
}

// TestRecordedIdentitiesDoNotPanic checks that the provider does not panic in Terraform 1.12 and later.
func TestRecordedIdentitiesDoNotPanic(t *testing.T) {
	schemas, err := new(recordedProvider).GetResourceIdentitySchemas(t.Context(), nil)
	if err != nil || len(schemas.IdentitySchemas) > 0 {
		t.Errorf("%v, %v", schemas, err)
	}
}
