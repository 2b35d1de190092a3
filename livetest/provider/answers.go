package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// answers is a minimal provider: it plans the proposed state and applies the planned state. If it
// is configured with a region, each plan has a warning with it.
type answers struct {
	tfprotov6.ProviderServer
	region string
}

var answersConfig = &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{{Name: "region", Type: tftypes.String, Optional: true}}}

func (*answers) GetProviderSchema(context.Context, *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	thing := &tfprotov6.SchemaBlock{}
	for _, name := range []string{"name", "region", "size"} {
		thing.Attributes = append(thing.Attributes, &tfprotov6.SchemaAttribute{Name: name, Type: tftypes.String, Optional: true})
	}
	return &tfprotov6.GetProviderSchemaResponse{
		Provider:        &tfprotov6.Schema{Block: answersConfig},
		ResourceSchemas: map[string]*tfprotov6.Schema{"answers_thing": {Block: thing}},
	}, nil
}

func (*answers) GetResourceIdentitySchemas(context.Context, *tfprotov6.GetResourceIdentitySchemasRequest) (*tfprotov6.GetResourceIdentitySchemasResponse, error) {
	return &tfprotov6.GetResourceIdentitySchemasResponse{}, nil
}

func (*answers) ValidateProviderConfig(_ context.Context, r *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return &tfprotov6.ValidateProviderConfigResponse{PreparedConfig: r.Config}, nil
}

func (a *answers) ConfigureProvider(_ context.Context, r *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	config, err := r.Config.Unmarshal(answersConfig.ValueType())
	var attributes map[string]tftypes.Value
	if err == nil {
		err = config.As(&attributes)
	}
	if err == nil && !attributes["region"].IsNull() {
		err = attributes["region"].As(&a.region)
	}
	return &tfprotov6.ConfigureProviderResponse{}, err
}

func (*answers) ValidateResourceConfig(context.Context, *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return &tfprotov6.ValidateResourceConfigResponse{}, nil
}

func (a *answers) PlanResourceChange(_ context.Context, r *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	response := &tfprotov6.PlanResourceChangeResponse{PlannedState: r.ProposedNewState}
	if a.region != "" {
		response.Diagnostics = []*tfprotov6.Diagnostic{{Severity: tfprotov6.DiagnosticSeverityWarning, Summary: "in the " + a.region}}
	}
	return response, nil
}

func (*answers) ApplyResourceChange(_ context.Context, r *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return &tfprotov6.ApplyResourceChangeResponse{NewState: r.PlannedState}, nil
}

func (*answers) StopProvider(context.Context, *tfprotov6.StopProviderRequest) (*tfprotov6.StopProviderResponse, error) {
	return &tfprotov6.StopProviderResponse{}, nil
}
