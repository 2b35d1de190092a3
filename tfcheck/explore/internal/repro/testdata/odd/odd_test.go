package provider_test // the package of the tests that explore prints

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

var factories = map[string]func() (tfprotov6.ProviderServer, error){
	"odd": func() (tfprotov6.ProviderServer, error) { return provider{}, nil },
}

// A provider has a fault of each kind. It panics in each validation. The result of its function has
// an undeclared type.
type provider struct{ tfprotov6.ProviderServer } // nil, to panic in missing methods

func (provider) GetProviderSchema(context.Context, *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	schema := &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{{Name: "name", Type: tftypes.String, Optional: true}}}}
	all := map[string]*tfprotov6.Schema{"odd_thing": schema}
	return &tfprotov6.GetProviderSchemaResponse{Provider: schema, ResourceSchemas: all, DataSourceSchemas: all, EphemeralResourceSchemas: all,
		Functions: map[string]*tfprotov6.Function{"parse": {
			Parameters: []*tfprotov6.FunctionParameter{{Name: "text", Type: tftypes.String}}, Return: &tfprotov6.FunctionReturn{Type: tftypes.Number},
		}}}, nil
}

func (provider) ValidateProviderConfig(_ context.Context, req *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	config, err := req.Config.Unmarshal(tftypes.Object{AttributeTypes: map[string]tftypes.Type{"name": tftypes.String}})
	if config.Equal(tftypes.NewValue(config.Type(), map[string]tftypes.Value{"name": tftypes.NewValue(tftypes.String, "a")})) {
		panic("odd")
	}
	return &tfprotov6.ValidateProviderConfigResponse{}, err
}

func (provider) ConfigureProvider(context.Context, *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	return &tfprotov6.ConfigureProviderResponse{}, nil
}

func (provider) CallFunction(_ context.Context, req *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	return &tfprotov6.CallFunctionResponse{Result: req.Arguments[0]}, nil
}
