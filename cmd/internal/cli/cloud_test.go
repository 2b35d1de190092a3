package cli_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	"google.golang.org/grpc"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfconv"
)

// Scripts can run terraform-provider-cloud, which has the resource type cloud_server. $CLOUD lists
// its faults, see the methods of cloud.
func init() {
	scriptCommands["terraform-provider-cloud"] = func() {
		server := newCloud(os.Getenv("CLOUD"))
		if err := tf6server.Serve("example.com/acme/cloud", func() tfprotov6.ProviderServer { return server }); err != nil {
			os.Exit(1)
		}
	}
}

var serverSchema = &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{
	Attributes: []*tfprotov6.SchemaAttribute{
		{Name: "id", Type: tftypes.String, Computed: true},
		{Name: "name", Type: tftypes.String, Required: true},
		{Name: "size", Type: tftypes.Number, Optional: true},
		{Name: "token", Type: tftypes.String, Optional: true, Sensitive: true},
	},
	BlockTypes: []*tfprotov6.SchemaNestedBlock{{
		TypeName: "disk", Nesting: tfprotov6.SchemaNestedBlockNestingModeList,
		Block: &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{
			{Name: "size", Type: tftypes.Number, Required: true},
		}},
	}},
}}

var regionSchema = &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{
	{Name: "key", Type: tftypes.String, Optional: true, Sensitive: true},
	{Name: "region", Type: tftypes.String, Optional: true},
}}}

// A cloud is a provider that keeps its objects in memory.
type cloud struct {
	tfprotov6.ProviderServer // answers other calls

	mu      sync.Mutex
	objects map[string]cty.Value // by id
	does    []string
}

func newCloud(does string) *cloud {
	return &cloud{ProviderServer: driver.Client(idle{}, 6), objects: map[string]cty.Value{}, does: strings.Fields(does)}
}

// An idle is a connection to a provider whose responses are empty.
type idle struct{ grpc.ClientConnInterface }

func (idle) Invoke(context.Context, string, any, any, ...grpc.CallOption) error { return nil }

func (c *cloud) will(what string) bool { return slices.Contains(c.does, what) }

func failure(summary, detail string) []*tfprotov6.Diagnostic {
	return []*tfprotov6.Diagnostic{{Severity: tfprotov6.DiagnosticSeverityError, Summary: summary, Detail: detail}}
}

// refusal returns an error diagnostic if the fault is set.
func (c *cloud) refusal(what string) []*tfprotov6.Diagnostic {
	if !c.will(what) {
		return nil
	}
	return failure("No", "The cloud "+what+".")
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

var serverBlock = sync.OnceValue(func() *configschema.Block { return must(tfconv.Block6(serverSchema.Block)) })

func decode(v *tfprotov6.DynamicValue) cty.Value {
	return must(tfconv.Decode6(v, serverBlock().ImpliedType()))
}

func encode(v cty.Value) *tfprotov6.DynamicValue {
	return must(tfconv.Encode6(v, serverBlock().ImpliedType()))
}

// withAttribute returns the object with one attribute replaced.
func withAttribute(object cty.Value, name string, v cty.Value) cty.Value {
	attributes := object.AsValueMap()
	attributes[name] = v
	return cty.ObjectVal(attributes)
}

func (c *cloud) object(id string) cty.Value {
	if object, ok := c.objects[id]; ok {
		return object
	}
	return cty.NullVal(serverBlock().ImpliedType())
}

func (c *cloud) GetProviderSchema(context.Context, *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	return &tfprotov6.GetProviderSchemaResponse{
		Provider: regionSchema, ResourceSchemas: map[string]*tfprotov6.Schema{"cloud_server": serverSchema},
	}, nil
}

func (c *cloud) ConfigureProvider(context.Context, *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	return &tfprotov6.ConfigureProviderResponse{Diagnostics: c.refusal("refuses-configuration")}, nil
}

func (c *cloud) UpgradeResourceState(_ context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return &tfprotov6.UpgradeResourceStateResponse{UpgradedState: encode(decode(&tfprotov6.DynamicValue{JSON: req.RawState.JSON}))}, nil
}

func (c *cloud) ReadResource(_ context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	object := c.object(decode(req.CurrentState).GetAttr("id").AsString())
	if c.will("reads-unknown") {
		object = withAttribute(object, "size", cty.UnknownVal(cty.Number))
	}
	return &tfprotov6.ReadResourceResponse{NewState: encode(object)}, nil
}

func (c *cloud) PlanResourceChange(_ context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	prior, proposed := decode(req.PriorState), decode(req.ProposedNewState)
	planned := must(objchange.PlanComputed(must(objchange.Compile(serverBlock())), proposed))
	resp := &tfprotov6.PlanResourceChangeResponse{PlannedState: encode(planned)}
	if !prior.IsNull() && !planned.IsNull() {
		resp.RequiresReplace = []*tftypes.AttributePath{tftypes.NewAttributePath().WithAttributeName("name")}
	}
	return resp, nil
}

func (c *cloud) ApplyResourceChange(_ context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	prior, planned := decode(req.PriorState), decode(req.PlannedState)
	if !planned.IsNull() {
		return c.apply(planned), nil
	}
	if refusal := c.refusal("refuses-destroy"); refusal != nil {
		return &tfprotov6.ApplyResourceChangeResponse{NewState: req.PriorState, Diagnostics: refusal}, nil
	}
	delete(c.objects, prior.GetAttr("id").AsString())
	return &tfprotov6.ApplyResourceChangeResponse{NewState: req.PlannedState}, nil
}

func (c *cloud) apply(object cty.Value) *tfprotov6.ApplyResourceChangeResponse {
	if c.will("panics") {
		go panic(fmt.Sprintf("no token like %q", object.GetAttr("token").AsString()))
		select {}
	}
	if !object.GetAttr("id").IsKnown() {
		object = withAttribute(object, "id", cty.StringVal("i-1"))
	}
	if c.will("shouts") {
		object = withAttribute(object, "name", cty.StringVal(strings.ToUpper(object.GetAttr("name").AsString())))
		object = withAttribute(object, "token", cty.StringVal("other secret"))
	}
	c.objects[object.GetAttr("id").AsString()] = object
	//lint:ignore SA1019 what is deprecated is excused
	return &tfprotov6.ApplyResourceChangeResponse{NewState: encode(object), UnsafeToUseLegacyTypeSystem: c.will("is-legacy")}
}

func (c *cloud) ImportResourceState(_ context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	object := c.object(req.ID)
	if object.IsNull() {
		return &tfprotov6.ImportResourceStateResponse{Diagnostics: failure("There is no such server", "")}, nil
	}
	return &tfprotov6.ImportResourceStateResponse{ImportedResources: []*tfprotov6.ImportedResource{{TypeName: req.TypeName, State: encode(object)}}}, nil
}
