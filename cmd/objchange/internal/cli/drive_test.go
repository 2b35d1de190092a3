package cli_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfconv"
)

// In scripts there is terraform-provider-cloud, with a resource type
// cloud_server. $CLOUD lists what it does wrong: see its methods. What it creates
// and destroys it writes into the file $JOURNAL, if there is one.
func init() {
	scriptCommands["terraform-provider-cloud"] = func() {
		server := &cloud{objects: map[string]cty.Value{}, does: strings.Fields(os.Getenv("CLOUD"))}
		defer server.witness()()
		server.wait("starting")
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

const otherName = "other"

// A cloud is a provider that keeps its objects in memory.
type cloud struct {
	tfprotov6.ProviderServer // nil: nothing else is asked

	mu      sync.Mutex
	objects map[string]cty.Value // by id
	key     string
	does    []string
}

func (c *cloud) will(what string) bool { return slices.Contains(c.does, what) }

// refusal is an error diagnostic, if it will.
func (c *cloud) refusal(what string) []*tfprotov6.Diagnostic {
	if !c.will(what) {
		return nil
	}
	return []*tfprotov6.Diagnostic{{Severity: tfprotov6.DiagnosticSeverityError, Summary: "No", Detail: "The cloud " + what + "."}}
}

func (c *cloud) schema() (*configschema.Block, cty.Type) {
	block, err := tfconv.Block6(serverSchema.Block)
	if err != nil {
		panic(err)
	}
	return block, block.ImpliedType()
}

func (c *cloud) decode(v *tfprotov6.DynamicValue) cty.Value {
	_, ty := c.schema()
	value, err := tfconv.Decode6(v, ty)
	if err != nil {
		panic(err)
	}
	return value
}

func (c *cloud) encode(v cty.Value) *tfprotov6.DynamicValue {
	_, ty := c.schema()
	value, err := tfconv.Encode6(v, ty)
	if err != nil {
		panic(err)
	}
	return value
}

func (c *cloud) object(id string) cty.Value {
	_, ty := c.schema()
	if object, ok := c.objects[id]; ok {
		return object
	}
	return cty.NullVal(ty)
}

func (c *cloud) GetProviderSchema(context.Context, *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	return &tfprotov6.GetProviderSchemaResponse{
		Provider: regionSchema, ResourceSchemas: map[string]*tfprotov6.Schema{"cloud_server": serverSchema},
	}, nil
}

func (c *cloud) GetResourceIdentitySchemas(context.Context, *tfprotov6.GetResourceIdentitySchemasRequest) (*tfprotov6.GetResourceIdentitySchemasResponse, error) {
	return &tfprotov6.GetResourceIdentitySchemasResponse{}, nil
}

func (c *cloud) ValidateProviderConfig(context.Context, *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return &tfprotov6.ValidateProviderConfigResponse{}, nil
}

func (c *cloud) ConfigureProvider(_ context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	c.wait("configuring")
	value, err := tfconv.Decode6(req.Config, cty.Object(map[string]cty.Type{"key": cty.String, "region": cty.String}))
	if err != nil {
		return nil, err
	}
	if key := value.GetAttr("key"); !key.IsNull() {
		c.key = key.AsString()
	}
	if c.will("tells-key") {
		return &tfprotov6.ConfigureProviderResponse{Diagnostics: []*tfprotov6.Diagnostic{{
			Severity: tfprotov6.DiagnosticSeverityError, Summary: "No such key: " + c.key,
		}}}, nil
	}
	return &tfprotov6.ConfigureProviderResponse{Diagnostics: c.refusal("refuses-configuration")}, nil
}

func (c *cloud) ValidateResourceConfig(context.Context, *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return &tfprotov6.ValidateResourceConfigResponse{}, nil
}

func (c *cloud) UpgradeResourceState(_ context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return &tfprotov6.UpgradeResourceStateResponse{
		UpgradedState: c.encode(c.decode(&tfprotov6.DynamicValue{JSON: req.RawState.JSON})),
	}, nil
}

func (c *cloud) ReadResource(_ context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	c.wait("reading")
	c.mu.Lock()
	defer c.mu.Unlock()
	current := c.decode(req.CurrentState)
	object := c.object(current.GetAttr("id").AsString())
	if current.GetAttr("name").RawEquals(cty.StringVal(otherName)) { // as imported
		object = current
	}
	if c.will("loses") {
		object = cty.NullVal(object.Type())
	}
	if c.will("reads-unknown") {
		attrs := object.AsValueMap()
		attrs["size"] = cty.UnknownVal(cty.Number)
		object = cty.ObjectVal(attrs)
	}
	return &tfprotov6.ReadResourceResponse{NewState: c.encode(object)}, nil
}

func (c *cloud) PlanResourceChange(_ context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	c.wait("planning")
	prior, proposed := c.decode(req.PriorState), c.decode(req.ProposedNewState)
	block, _ := c.schema()
	schema, err := objchange.Compile(block)
	if err != nil {
		return nil, err
	}
	planned, err := objchange.PlanComputed(schema, proposed)
	if err != nil {
		return nil, err
	}
	if c.will("renews") && !prior.IsNull() && !planned.IsNull() {
		attrs := planned.AsValueMap()
		attrs["id"] = cty.UnknownVal(cty.String)
		planned = cty.ObjectVal(attrs)
	}
	resp := &tfprotov6.PlanResourceChangeResponse{PlannedState: c.encode(planned)}
	if !prior.IsNull() && !planned.IsNull() {
		resp.RequiresReplace = []*tftypes.AttributePath{tftypes.NewAttributePath().WithAttributeName("name")}
	}
	if c.will("warns") {
		resp.Diagnostics = []*tfprotov6.Diagnostic{{Severity: tfprotov6.DiagnosticSeverityWarning, Summary: "It rains"}}
	}
	if c.will("tells") && !proposed.IsNull() {
		resp.Diagnostics = []*tfprotov6.Diagnostic{{
			Severity: tfprotov6.DiagnosticSeverityWarning, Summary: "Weak", Detail: "The token is " + proposed.GetAttr("token").AsString() + " with " + c.key,
		}}
	}
	return resp, nil
}

func (c *cloud) ApplyResourceChange(_ context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	prior, planned := c.decode(req.PriorState), c.decode(req.PlannedState)
	if planned.IsNull() {
		if refusal := c.refusal("refuses-destroy"); refusal != nil {
			return &tfprotov6.ApplyResourceChangeResponse{NewState: req.PriorState, Diagnostics: refusal}, nil
		}
		c.wait("destroying")
		delete(c.objects, prior.GetAttr("id").AsString())
		note("destroyed")
		return &tfprotov6.ApplyResourceChangeResponse{NewState: req.PlannedState}, nil
	}
	c.wait("applying")
	if c.will("crashes") {
		os.Exit(3)
	}
	if c.will("panics") {
		go panic(fmt.Sprintf("no token like %q", planned.GetAttr("token").AsString()))
		select {}
	}
	if c.will("refuses-token") {
		token := planned.GetAttr("token").AsString()
		if c.will("shouts-token") {
			token = strings.ToUpper(token)
		}
		return &tfprotov6.ApplyResourceChangeResponse{NewState: req.PriorState, Diagnostics: []*tfprotov6.Diagnostic{{
			Severity: tfprotov6.DiagnosticSeverityError, Summary: "No", Detail: "There is no token " + token,
		}}}, nil
	}
	if refusal := c.refusal("refuses-create"); refusal != nil {
		return &tfprotov6.ApplyResourceChangeResponse{NewState: req.PriorState, Diagnostics: refusal}, nil
	}
	if refusal := c.refusal("refuses-update"); refusal != nil && !prior.IsNull() {
		return &tfprotov6.ApplyResourceChangeResponse{NewState: req.PriorState, Diagnostics: refusal}, nil
	}
	attrs := planned.AsValueMap()
	if !attrs["id"].IsKnown() {
		attrs["id"] = cty.StringVal("i-1")
	}
	if c.will("shouts") {
		attrs["name"] = cty.StringVal(strings.ToUpper(attrs["name"].AsString()))
		attrs["token"] = cty.StringVal("other secret")
	}
	if c.will("rounds") && !attrs["size"].IsNull() {
		attrs["size"] = cty.NumberIntVal(8)
	}
	object := cty.ObjectVal(attrs)
	c.objects[attrs["id"].AsString()] = object
	note("created")
	if c.will("vanishes") {
		return &tfprotov6.ApplyResourceChangeResponse{NewState: c.encode(cty.NullVal(object.Type()))}, nil
	}
	if c.will("says-nothing") {
		return &tfprotov6.ApplyResourceChangeResponse{}, nil
	}
	//lint:ignore SA1019 what is deprecated is excused
	return &tfprotov6.ApplyResourceChangeResponse{NewState: c.encode(object), UnsafeToUseLegacyTypeSystem: c.will("is-legacy")}, nil
}

func (c *cloud) ImportResourceState(_ context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	object := c.object(req.ID)
	if object.IsNull() {
		return &tfprotov6.ImportResourceStateResponse{Diagnostics: []*tfprotov6.Diagnostic{{
			Severity: tfprotov6.DiagnosticSeverityError, Summary: "There is no such server",
		}}}, nil
	}
	if c.will("mixes-up") {
		attrs := object.AsValueMap()
		attrs["name"] = cty.StringVal(otherName)
		object = cty.ObjectVal(attrs)
	}
	if c.will("forgets") {
		attrs := object.AsValueMap()
		attrs["name"] = cty.UnknownVal(cty.String)
		object = cty.ObjectVal(attrs)
	}
	return &tfprotov6.ImportResourceStateResponse{ImportedResources: []*tfprotov6.ImportedResource{
		{TypeName: req.TypeName, State: c.encode(object)},
	}}, nil
}

func (c *cloud) StopProvider(context.Context, *tfprotov6.StopProviderRequest) (*tfprotov6.StopProviderResponse, error) {
	return &tfprotov6.StopProviderResponse{}, nil
}

// The help's examples are of a provider that must be there. Here it is.
func TestProviderExamples(t *testing.T) {
	help, err := exec.Command("objchange", "drive", "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(help), "\nExamples:\n")
	examples, _, _ := strings.Cut(after, "\n\n")
	script := strings.ReplaceAll(examples, "./terraform-provider-cloud", "terraform-provider-cloud --yes")
	cmd := exec.CommandContext(t.Context(), "sh", "-ec", script)
	cmd.Dir = repository
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Count(string(out), "cloud_server  destroy  delete  ok") != 2 || !strings.Contains(string(out), "import: the same") {
		t.Errorf("%v\n%s", err, out)
	}
}
