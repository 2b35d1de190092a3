package exploretest

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/objchange/objchange/tfconv"
)

// A Recorder is a provider with one type of each kind. All types have the same name. A recorder
// stores the configurations that it receives. It plans the proposed state. It refuses and applies
// nothing.
type Recorder struct {
	tfprotov6.ProviderServer // nil, to panic in methods that the recorder does not have

	TypeName         string
	Kind             scenario.Kind
	Schema, Provider *objchange.Schema
	Other            string // planned instead of any name

	mu      sync.Mutex
	Kept    []cty.Value // from plans, reads and opens
	Configs []cty.Value // provider configurations
}

// keep stores a configuration.
func (k *Recorder) keep(v *tfprotov6.DynamicValue) error {
	config, err := tfconv.Decode6(v, k.Schema.ImpliedType())
	k.mu.Lock()
	defer k.mu.Unlock()
	k.Kept = append(k.Kept, config)
	return err
}

// GetProviderSchema returns the schema of the provider and of the type, by its kind.
func (k *Recorder) GetProviderSchema(context.Context, *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	provider, err := tfconv.SchemaTo6(&configschema.Schema{Block: k.Provider.Block()})
	if err != nil {
		return nil, err
	}
	resp := &tfprotov6.GetProviderSchemaResponse{Provider: provider}
	schema, err := tfconv.SchemaTo6(&configschema.Schema{Block: k.Schema.Block()})
	types := map[string]*tfprotov6.Schema{k.TypeName: schema}
	switch k.Kind {
	case scenario.Resource:
		resp.ResourceSchemas = types
	case scenario.Data:
		resp.DataSourceSchemas = types
	case scenario.Function:
		f := &tfprotov6.Function{Return: &tfprotov6.FunctionReturn{Type: tftypes.Bool}}
		for _, name := range slices.Sorted(maps.Keys(k.Schema.Block().Attributes)) {
			ty, err := tfconv.TypeFromCty(k.Schema.Block().Attributes[name].Type)
			if err != nil {
				return nil, err
			}
			if list, ok := ty.(tftypes.List); ok && name == scenario.Variadic {
				f.VariadicParameter = &tfprotov6.FunctionParameter{Name: name, Type: list.ElementType}
			} else {
				f.Parameters = append(f.Parameters, &tfprotov6.FunctionParameter{Name: name, Type: ty, AllowNullValue: true})
			}
		}
		resp.Functions = map[string]*tfprotov6.Function{k.TypeName: f}
	case scenario.Ephemeral:
		resp.EphemeralResourceSchemas = types
	}
	return resp, err
}

// GetResourceIdentitySchemas returns no identities.
func (k *Recorder) GetResourceIdentitySchemas(context.Context, *tfprotov6.GetResourceIdentitySchemasRequest) (*tfprotov6.GetResourceIdentitySchemasResponse, error) {
	return &tfprotov6.GetResourceIdentitySchemasResponse{}, nil
}

// ValidateProviderConfig accepts any configuration.
func (k *Recorder) ValidateProviderConfig(_ context.Context, req *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return &tfprotov6.ValidateProviderConfigResponse{PreparedConfig: req.Config}, nil
}

// ConfigureProvider stores the configuration in Configs.
func (k *Recorder) ConfigureProvider(_ context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	config, err := tfconv.Decode6(req.Config, k.Provider.ImpliedType())
	k.mu.Lock()
	defer k.mu.Unlock()
	k.Configs = append(k.Configs, config)
	return &tfprotov6.ConfigureProviderResponse{}, err
}

// ValidateResourceConfig accepts any configuration.
func (k *Recorder) ValidateResourceConfig(context.Context, *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return &tfprotov6.ValidateResourceConfigResponse{}, nil
}

// PlanResourceChange stores the configuration in Kept. It plans the proposed values, with Other as the name.
func (k *Recorder) PlanResourceChange(_ context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	proposed, err := tfconv.Decode6(req.ProposedNewState, k.Schema.ImpliedType())
	if err == nil {
		err = k.keep(req.Config)
	}
	if err != nil {
		return nil, err
	}
	if k.Other != "" {
		proposed, err = cty.Transform(proposed, func(path cty.Path, v cty.Value) (cty.Value, error) {
			if path.Equals(cty.GetAttrPath("name")) && v.IsKnown() && !v.IsNull() {
				v = cty.StringVal(k.Other)
			}
			return v, nil
		})
		if err != nil {
			return nil, err
		}
	}
	planned, err := objchange.PlanComputed(k.Schema, proposed)
	if err != nil {
		return nil, err
	}
	state, err := tfconv.Encode6(planned, k.Schema.ImpliedType())
	//lint:ignore SA1019 tolerates whatever a random schema leads to
	return &tfprotov6.PlanResourceChangeResponse{PlannedState: state, UnsafeToUseLegacyTypeSystem: true}, err
}

// Enough is the summary of the error of each apply: the recorder has all values by then.
const Enough = "that is enough"

// ApplyResourceChange fails with the summary Enough.
func (k *Recorder) ApplyResourceChange(_ context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return &tfprotov6.ApplyResourceChangeResponse{NewState: req.PriorState, Diagnostics: []*tfprotov6.Diagnostic{{
		Severity: tfprotov6.DiagnosticSeverityError, Summary: Enough,
	}}}, nil
}

// ValidateDataResourceConfig accepts any configuration.
func (k *Recorder) ValidateDataResourceConfig(context.Context, *tfprotov6.ValidateDataResourceConfigRequest) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return &tfprotov6.ValidateDataResourceConfigResponse{}, nil
}

// ReadDataSource stores the configuration in Kept and returns it.
func (k *Recorder) ReadDataSource(_ context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	return &tfprotov6.ReadDataSourceResponse{State: req.Config}, k.keep(req.Config)
}

// ValidateEphemeralResourceConfig accepts any configuration.
func (k *Recorder) ValidateEphemeralResourceConfig(context.Context, *tfprotov6.ValidateEphemeralResourceConfigRequest) (*tfprotov6.ValidateEphemeralResourceConfigResponse, error) {
	return &tfprotov6.ValidateEphemeralResourceConfigResponse{}, nil
}

// OpenEphemeralResource stores the configuration in Kept and returns it.
func (k *Recorder) OpenEphemeralResource(_ context.Context, req *tfprotov6.OpenEphemeralResourceRequest) (*tfprotov6.OpenEphemeralResourceResponse, error) {
	return &tfprotov6.OpenEphemeralResourceResponse{Result: req.Config}, k.keep(req.Config)
}

// CloseEphemeralResource does nothing.
func (k *Recorder) CloseEphemeralResource(context.Context, *tfprotov6.CloseEphemeralResourceRequest) (*tfprotov6.CloseEphemeralResourceResponse, error) {
	return &tfprotov6.CloseEphemeralResourceResponse{}, nil
}

// CallFunction stores the arguments in Kept, in place of those of the previous call, and returns true.
func (k *Recorder) CallFunction(_ context.Context, req *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	set := map[string]cty.Value{}
	var more []cty.Value
	for i, argument := range req.Arguments {
		a := k.Schema.Block().Attributes[scenario.Parameter(i)]
		ty := cty.String // type of a variadic parameter
		if a != nil {
			ty = a.Type
		}
		v, err := tfconv.Decode6(argument, ty)
		if err != nil {
			return nil, err
		}
		if a != nil {
			set[scenario.Parameter(i)] = v
		} else {
			more = append(more, v)
		}
	}
	if k.Schema.Block().Attributes[scenario.Variadic] != nil {
		set[scenario.Variadic] = cty.ListVal(more)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.Kept = []cty.Value{cty.ObjectVal(set)} // arguments of the last call
	result, err := tfconv.Encode6(cty.True, cty.Bool)
	return &tfprotov6.CallFunctionResponse{Result: result}, err
}
