package exploretest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
	"github.com/objchange/objchange/tfcheck/internal/wire"
	"github.com/objchange/objchange/tfconv"
)

// A Recorder is a provider with one type of each kind. All types have the same name. A recorder
// stores the configurations that it receives. It plans the proposed state. It refuses and applies
// nothing. Serve adds its methods.
type Recorder struct {
	tfprotov6.ProviderServer

	TypeName         string
	Kind             scenario.Kind
	Schema, Provider *objchange.Schema

	mu      sync.Mutex
	Kept    []cty.Value // from plans, reads and opens, or arguments of the last call
	Configs []cty.Value // provider configurations
}

// Serve makes the recorder a provider, and returns it.
func (r *Recorder) Serve() *Recorder {
	r.ProviderServer = wire.NewServer(nil, r.handle)
	return r
}

// handle responds to a request. It accepts any configuration, and fails to apply anything.
func (r *Recorder) handle(_ context.Context, name string, request, response any) error {
	switch req := request.(type) {
	case *tfprotov6.GetProviderSchemaRequest:
		return r.schemas(response.(*tfprotov6.GetProviderSchemaResponse))
	case *tfprotov6.ConfigureProviderRequest:
		config, err := tfconv.Decode6(req.Config, r.Provider.ImpliedType())
		r.mu.Lock()
		defer r.mu.Unlock()
		r.Configs = append(r.Configs, config)
		return err
	case *tfprotov6.PlanResourceChangeRequest:
		return r.plan(req, response.(*tfprotov6.PlanResourceChangeResponse))
	case *tfprotov6.ApplyResourceChangeRequest:
		*response.(*tfprotov6.ApplyResourceChangeResponse) = tfprotov6.ApplyResourceChangeResponse{
			NewState:    req.PriorState,
			Diagnostics: []*tfprotov6.Diagnostic{{Severity: tfprotov6.DiagnosticSeverityError, Summary: Enough}},
		}
	case *tfprotov6.ReadDataSourceRequest:
		response.(*tfprotov6.ReadDataSourceResponse).State = req.Config
		return r.keep(req.Config)
	case *tfprotov6.OpenEphemeralResourceRequest:
		response.(*tfprotov6.OpenEphemeralResourceResponse).Result = req.Config
		return r.keep(req.Config)
	case *tfprotov6.CallFunctionRequest:
		return r.call(req, response.(*tfprotov6.CallFunctionResponse))
	case *tfprotov6.ReadResourceRequest, *tfprotov6.UpgradeResourceStateRequest, *tfprotov6.ImportResourceStateRequest:
		return fmt.Errorf("the recorder has no objects, so it does not respond to %s", name)
	}
	return nil
}

// Enough is the summary of the error of each apply: the recorder has all values by then.
const Enough = "that is enough"

// keep stores a configuration.
func (r *Recorder) keep(v *tfprotov6.DynamicValue) error {
	config, err := tfconv.Decode6(v, r.Schema.ImpliedType())
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Kept = append(r.Kept, config)
	return err
}

// schemas sets the schemas of the provider and of the type, by its kind.
func (r *Recorder) schemas(resp *tfprotov6.GetProviderSchemaResponse) (err error) {
	if resp.Provider, err = tfconv.SchemaTo6(&configschema.Schema{Block: r.Provider.Block()}); err != nil {
		return err
	}
	schema, err := tfconv.SchemaTo6(&configschema.Schema{Block: r.Schema.Block()})
	types := map[string]*tfprotov6.Schema{r.TypeName: schema}
	switch r.Kind {
	case scenario.Resource:
		resp.ResourceSchemas = types
	case scenario.Data:
		resp.DataSourceSchemas = types
	case scenario.Function:
		f := &tfprotov6.Function{Return: &tfprotov6.FunctionReturn{Type: tftypes.Bool}}
		for _, name := range slices.Sorted(maps.Keys(r.Schema.Block().Attributes)) {
			ty, err := tfconv.TypeFromCty(r.Schema.Block().Attributes[name].Type)
			if err != nil {
				return err
			}
			p := &tfprotov6.FunctionParameter{Name: name, Type: ty, AllowNullValue: true}
			if list, ok := ty.(tftypes.List); ok && name == scenario.Variadic {
				p.Type, p.AllowNullValue, f.VariadicParameter = list.ElementType, false, p
			} else {
				f.Parameters = append(f.Parameters, p)
			}
		}
		resp.Functions = map[string]*tfprotov6.Function{r.TypeName: f}
	case scenario.Ephemeral:
		resp.EphemeralResourceSchemas = types
	}
	return err
}

// plan stores the configuration, and plans the proposed values.
func (r *Recorder) plan(req *tfprotov6.PlanResourceChangeRequest, resp *tfprotov6.PlanResourceChangeResponse) error {
	proposed, err := tfconv.Decode6(req.ProposedNewState, r.Schema.ImpliedType())
	if err == nil {
		err = r.keep(req.Config)
	}
	if err != nil {
		return err
	}
	planned, err := objchange.PlanComputed(r.Schema, proposed)
	if err != nil {
		return err
	}
	//lint:ignore SA1019 tolerates whatever a random schema leads to
	resp.UnsafeToUseLegacyTypeSystem = true
	resp.PlannedState, err = tfconv.Encode6(planned, r.Schema.ImpliedType())
	return err
}

// call stores the arguments of a function, in place of those of the call before. It returns true.
func (r *Recorder) call(req *tfprotov6.CallFunctionRequest, resp *tfprotov6.CallFunctionResponse) (err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Kept = nil
	for i, argument := range req.Arguments {
		ty := cty.String // type of a variadic parameter
		if a := r.Schema.Block().Attributes[catalog.Argument(i)]; a != nil {
			ty = a.Type
		}
		v, err := tfconv.Decode6(argument, ty)
		if err != nil {
			return err
		}
		r.Kept = append(r.Kept, v)
	}
	resp.Result, err = tfconv.Encode6(cty.True, cty.Bool)
	return err
}
