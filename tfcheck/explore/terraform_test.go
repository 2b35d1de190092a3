package explore

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/objchange/objchange/tfconv"
)

// A recorder is a provider with one type of each kind. All types have the same name. A recorder
// stores the configurations that it receives. It plans the proposed state. It refuses and applies
// nothing.
type recorder struct {
	tfprotov6.ProviderServer // nil, to panic in methods that the recorder does not have

	address, typeName string
	kind              Kind
	schema, provider  *objchange.Schema
	other             string // planned instead of any name

	mu      sync.Mutex
	kept    []cty.Value // from plans, reads and opens
	configs []cty.Value // provider configurations
}

// newRecorder returns a recorder for the scenario.
func newRecorder(t *testing.T, s scenario.Scenario, n naming) *recorder {
	t.Helper()
	k := &recorder{address: n.address, typeName: s.TypeName, kind: s.Kind, schema: s.Schema, provider: n.schema}
	if k.address == "" {
		k.address = implied + n.local(s.TypeName)
	}
	if s.Kind == Configuration {
		k.kind, k.typeName, k.schema, k.provider = n.user.Kind, n.user.TypeName, n.user.Schema, s.Schema
	}
	if k.provider == nil {
		k.provider = compiled(t, &configschema.Block{})
	}
	return k
}

// terraform runs the command with a configuration. It returns the output and whether the command
// failed. It skips the test if there is no terraform on the PATH.
func (k *recorder) terraform(t *testing.T, text string, args ...string) (out string, failed error) {
	t.Helper()
	if _, err := exec.LookPath("terraform"); err != nil {
		t.Skip("there is no terraform on the PATH to ask")
	}
	t.Setenv("TF_LOG_SDK", "off") // otherwise the recorder logs each request
	dir := t.TempDir()
	for name, text := range map[string]string{"main.tf": text, "terraformrc": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	reattach, ended := k.serve(ctx, t)
	cmd := exec.CommandContext(t.Context(), "terraform", append(args, "-no-color")...)
	cmd.Dir, cmd.Env = dir, []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + dir, "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1",
		"TF_CLI_CONFIG_FILE=" + filepath.Join(dir, "terraformrc"), "TF_REATTACH_PROVIDERS=" + reattach, "TF_VAR_token=secret", "TF_VAR_password=secret",
		`TF_VAR_keys=["a", null]`, "TF_VAR_pin=1234", "TF_VAR_pin_2=1234", `TF_VAR_vaults=[{"kind": "ssd", "gb": 1}]`,
	}
	printed, err := cmd.CombinedOutput()
	cancel()
	<-ended
	return string(printed), err
}

// serve serves the recorder until the context ends. It returns the value of TF_REATTACH_PROVIDERS.
func (k *recorder) serve(ctx context.Context, t *testing.T) (reattach string, ended <-chan struct{}) {
	t.Helper()
	started, stopped, failed := make(chan *plugin.ReattachConfig), make(chan struct{}), make(chan error, 1)
	go func() {
		failed <- tf6server.Serve(k.address, func() tfprotov6.ProviderServer { return k },
			tf6server.WithDebug(ctx, started, stopped), tf6server.WithGoPluginLogger(hclog.NewNullLogger()))
	}()
	select {
	case err := <-failed:
		t.Fatal("serving the provider: ", err)
	case config := <-started:
		text, err := json.Marshal(map[string]any{k.address: map[string]any{
			"Protocol": config.Protocol, "ProtocolVersion": config.ProtocolVersion, "Pid": config.Pid, "Test": true,
			"Addr": map[string]string{"Network": config.Addr.Network(), "String": config.Addr.String()},
		}})
		if err != nil {
			t.Fatal(err)
		}
		reattach = string(text)
	}
	return reattach, stopped
}

// keep stores a configuration.
func (k *recorder) keep(v *tfprotov6.DynamicValue) error {
	config, err := tfconv.Decode6(v, k.schema.ImpliedType())
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kept = append(k.kept, config)
	return err
}

func (k *recorder) GetMetadata(context.Context, *tfprotov6.GetMetadataRequest) (*tfprotov6.GetMetadataResponse, error) {
	return &tfprotov6.GetMetadataResponse{}, nil
}

func (k *recorder) GetProviderSchema(context.Context, *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	provider, err := tfconv.SchemaTo6(&configschema.Schema{Block: k.provider.Block()})
	if err != nil {
		return nil, err
	}
	resp := &tfprotov6.GetProviderSchemaResponse{Provider: provider}
	schema, err := tfconv.SchemaTo6(&configschema.Schema{Block: k.schema.Block()})
	types := map[string]*tfprotov6.Schema{k.typeName: schema}
	switch k.kind {
	case Resource:
		resp.ResourceSchemas = types
	case Data:
		resp.DataSourceSchemas = types
	case Function:
		f := &tfprotov6.Function{Return: &tfprotov6.FunctionReturn{Type: tftypes.Bool}}
		for _, name := range slices.Sorted(maps.Keys(k.schema.Block().Attributes)) {
			ty, err := tfconv.TypeFromCty(k.schema.Block().Attributes[name].Type)
			if err != nil {
				return nil, err
			}
			if list, ok := ty.(tftypes.List); ok && name == scenario.Variadic {
				f.VariadicParameter = &tfprotov6.FunctionParameter{Name: name, Type: list.ElementType}
			} else {
				f.Parameters = append(f.Parameters, &tfprotov6.FunctionParameter{Name: name, Type: ty, AllowNullValue: true})
			}
		}
		resp.Functions = map[string]*tfprotov6.Function{k.typeName: f}
	case Ephemeral:
		resp.EphemeralResourceSchemas = types
	}
	return resp, err
}

func (k *recorder) GetResourceIdentitySchemas(context.Context, *tfprotov6.GetResourceIdentitySchemasRequest) (*tfprotov6.GetResourceIdentitySchemasResponse, error) {
	return &tfprotov6.GetResourceIdentitySchemasResponse{}, nil
}

func (k *recorder) ValidateProviderConfig(_ context.Context, req *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return &tfprotov6.ValidateProviderConfigResponse{PreparedConfig: req.Config}, nil
}

func (k *recorder) ConfigureProvider(_ context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	config, err := tfconv.Decode6(req.Config, k.provider.ImpliedType())
	k.mu.Lock()
	defer k.mu.Unlock()
	k.configs = append(k.configs, config)
	return &tfprotov6.ConfigureProviderResponse{}, err
}

func (k *recorder) StopProvider(context.Context, *tfprotov6.StopProviderRequest) (*tfprotov6.StopProviderResponse, error) {
	return &tfprotov6.StopProviderResponse{}, nil
}

func (k *recorder) ValidateResourceConfig(context.Context, *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return &tfprotov6.ValidateResourceConfigResponse{}, nil
}

func (k *recorder) PlanResourceChange(_ context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	proposed, err := tfconv.Decode6(req.ProposedNewState, k.schema.ImpliedType())
	if err == nil {
		err = k.keep(req.Config)
	}
	if err != nil {
		return nil, err
	}
	if k.other != "" {
		proposed, err = cty.Transform(proposed, func(path cty.Path, v cty.Value) (cty.Value, error) {
			if path.Equals(cty.GetAttrPath("name")) && v.IsKnown() && !v.IsNull() {
				v = cty.StringVal(k.other)
			}
			return v, nil
		})
		if err != nil {
			return nil, err
		}
	}
	planned, err := objchange.PlanComputed(k.schema, proposed)
	if err != nil {
		return nil, err
	}
	state, err := tfconv.Encode6(planned, k.schema.ImpliedType())
	//lint:ignore SA1019 tolerates whatever a random schema leads to
	return &tfprotov6.PlanResourceChangeResponse{PlannedState: state, UnsafeToUseLegacyTypeSystem: true}, err
}

const enough = "that is enough"

func (k *recorder) ApplyResourceChange(_ context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return &tfprotov6.ApplyResourceChangeResponse{NewState: req.PriorState, Diagnostics: []*tfprotov6.Diagnostic{{
		Severity: tfprotov6.DiagnosticSeverityError, Summary: enough,
	}}}, nil
}

func (k *recorder) ValidateDataResourceConfig(context.Context, *tfprotov6.ValidateDataResourceConfigRequest) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return &tfprotov6.ValidateDataResourceConfigResponse{}, nil
}

func (k *recorder) ReadDataSource(_ context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	return &tfprotov6.ReadDataSourceResponse{State: req.Config}, k.keep(req.Config)
}

func (k *recorder) ValidateEphemeralResourceConfig(context.Context, *tfprotov6.ValidateEphemeralResourceConfigRequest) (*tfprotov6.ValidateEphemeralResourceConfigResponse, error) {
	return &tfprotov6.ValidateEphemeralResourceConfigResponse{}, nil
}

func (k *recorder) OpenEphemeralResource(_ context.Context, req *tfprotov6.OpenEphemeralResourceRequest) (*tfprotov6.OpenEphemeralResourceResponse, error) {
	return &tfprotov6.OpenEphemeralResourceResponse{Result: req.Config}, k.keep(req.Config)
}

func (k *recorder) CloseEphemeralResource(context.Context, *tfprotov6.CloseEphemeralResourceRequest) (*tfprotov6.CloseEphemeralResourceResponse, error) {
	return &tfprotov6.CloseEphemeralResourceResponse{}, nil
}

func (k *recorder) CallFunction(_ context.Context, req *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	set := map[string]cty.Value{}
	var more []cty.Value
	for i, argument := range req.Arguments {
		a := k.schema.Block().Attributes[scenario.Parameter(i)]
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
	if k.schema.Block().Attributes[scenario.Variadic] != nil {
		set[scenario.Variadic] = cty.ListVal(more)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kept = []cty.Value{cty.ObjectVal(set)} // arguments of the last call
	result, err := tfconv.Encode6(cty.True, cty.Bool)
	return &tfprotov6.CallFunctionResponse{Result: result}, err
}
