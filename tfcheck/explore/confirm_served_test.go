package explore

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5/tf5server"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"github.com/hashicorp/terraform-plugin-mux/tf6to5server"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
	"github.com/objchange/objchange/tfcheck/explore/internal/confirm"
	"github.com/objchange/objchange/tfcheck/explore/internal/exploretest"
	"github.com/objchange/objchange/tfcheck/explore/internal/repro"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
)

// servedName is the name under which this test binary acts as a provider.
const servedName = "terraform-provider-cloud"

// argument is the schema of the types that are no resources.
var argument = Compiled(&configschema.Block{Attributes: Attrs{"argument_1": Attr(cty.String, "required")}})

// A processProvider is a provider in its own process. $FAULT lists its faults. The methods
// implement them.
type processProvider struct{ *statefulCloud }

func serve() {
	s := processProvider{newStatefulCloud(new(testing.T))}
	s.request = s.exits
	for _, kind := range []Kind{Data, Ephemeral, Function} {
		if s.will(string(kind)) {
			s.Kind, s.Schema = kind, argument
		}
	}
	if s.will("protocol-5") {
		down, err := tf6to5server.DowngradeServer(context.Background(), func() tfprotov6.ProviderServer { return s })
		if err == nil {
			err = tf5server.Serve((repro.Naming{Name: "cloud"}).Full(), func() tfprotov5.ProviderServer { return down }, tf5server.WithGoPluginLogger(hclog.NewNullLogger()))
		}
		fmt.Fprintln(os.Stderr, err)
		return
	}
	_ = tf6server.Serve((repro.Naming{Name: "cloud"}).Full(), func() tfprotov6.ProviderServer { return s }, tf6server.WithGoPluginLogger(hclog.NewNullLogger()))
}

func (s processProvider) will(fault string) bool {
	return slices.Contains(strings.Fields(os.Getenv("FAULT")), fault)
}

// exits ends the process if $FAULT contains an exit or a panic in the request.
func (s processProvider) exits(request string) {
	if s.will("exits-in-" + request) {
		os.Exit(3)
	}
	if s.will("panics-in-" + request) {
		panic("the token is tok-1234")
	}
}

func (s processProvider) OpenEphemeralResource(ctx context.Context, req *tfprotov6.OpenEphemeralResourceRequest) (*tfprotov6.OpenEphemeralResourceResponse, error) {
	s.exits("ephemeral")
	return s.statefulCloud.OpenEphemeralResource(ctx, req)
}

func (s processProvider) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	s.exits("validate")
	return s.statefulCloud.ValidateResourceConfig(ctx, req)
}

func (s processProvider) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	resp, err := s.statefulCloud.PlanResourceChange(ctx, req)
	config, prior := s.decoded(req.Config), s.decoded(req.PriorState)
	switch {
	case s.will("seems-to-exit"):
		resp.Diagnostics = []*tfprotov6.Diagnostic{{Severity: tfprotov6.DiagnosticSeverityError, Summary: "Plugin did not respond",
			Detail: "The plugin encountered an error, and failed to respond to the plugin6.(*GRPCProvider).PlanResourceChange call. The plugin logs may contain more details."}}
	case !config.IsNull() && !prior.IsNull() && !config.GetAttr("name").IsKnown() && s.will("guesses-updates"):
		resp.PlannedState = s.encoded(with(s.decoded(resp.PlannedState), "size", cty.NumberIntVal(5)))
	}
	//lint:ignore SA1019 tolerates nothing
	resp.UnsafeToUseLegacyTypeSystem = false
	return resp, err
}

func (s processProvider) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	resp, err := s.statefulCloud.ApplyResourceChange(ctx, req)
	if applied := s.decoded(resp.NewState); !applied.IsNull() {
		if !s.decoded(req.PriorState).IsNull() && s.will("shouts-updates") {
			resp.NewState = s.encoded(with(applied, "name", Str("A!")))
		}
		if s.will("fails") && applied.GetAttr("name").RawEquals(Str("a")) {
			resp.Diagnostics = errorOf("no a")
		}
	}
	//lint:ignore SA1019 tolerates nothing
	resp.UnsafeToUseLegacyTypeSystem = false
	return resp, err
}

// ReadResource returns the current state, unless the provider keeps objects in memory.
func (s processProvider) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	s.exits("read")
	if s.will("forgets") {
		return s.statefulCloud.ReadResource(ctx, req)
	}
	return &tfprotov6.ReadResourceResponse{NewState: req.CurrentState}, nil
}

func (s processProvider) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	resp, err := s.statefulCloud.ImportResourceState(ctx, req)
	if s.will("imports-none") {
		resp.ImportedResources = nil
	}
	return resp, err
}

// realTerraform returns the terraform on the PATH, for a provider with the faults.
func realTerraform(t *testing.T, faults string) *confirm.Program {
	t.Helper()
	program, err := exec.LookPath("terraform")
	if err != nil {
		t.Skip("there is no terraform on the PATH to ask")
	}
	h := readHints("provider: {env: {TF_LOG_SDK: off, FAULT: '" + faults + "'}}")
	tf, err := confirm.New(t.Context(), program, fakeProgram(t, servedName), h.Env(), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if tf.MissingBarrier != "" {
		t.Skip(filepath.Base(program), " does not apply: ", tf.MissingBarrier)
	}
	return tf
}

// TestTerraformConfirmsPanics checks that Terraform confirms a panic in each request. With protocol 5, the
// error has the address of the resource or data source, so the requests of a plan, an apply
// and a data source are tested with both protocols.
func TestTerraformConfirmsPanics(t *testing.T) {
	schema := newStatefulCloud(t).Schema
	config := exploretest.ValueOf(t, schema, map[string]any{"name": "a"})
	create := scenario.Step{Does: scenario.Applies, Config: config}
	scenarios := map[string]scenario.Scenario{
		"configure": {Kind: Resource, TypeName: "cloud_server", Schema: schema, Steps: []scenario.Step{{Config: config}}},
	}
	for _, kind := range []Kind{Data, Ephemeral, Function} {
		scenarios[string(kind)] = scenario.Scenario{Kind: kind, TypeName: "cloud_server", Schema: argument, Reads: true,
			Steps: []scenario.Step{{Config: exploretest.ValueOf(t, argument, map[string]any{"argument_1": "a"})}}}
	}
	for request, second := range map[string]scenario.Action{
		"validate": "", "plan": "", "apply": "", "upgrade": scenario.Applies, "read": scenario.Applies, "import": scenario.Imports,
	} {
		steps := []scenario.Step{create}
		if second != "" {
			steps = append(steps, scenario.Step{Does: second, Config: exploretest.ValueOf(t, schema, map[string]any{"name": "b"})})
		}
		scenarios[request] = scenario.Scenario{Kind: Resource, TypeName: "cloud_server", Schema: schema, Steps: steps}
	}
	for request, sc := range scenarios {
		protocols := []string{"protocol-6"}
		if slices.Contains([]string{"validate", "plan", "apply", "data"}, request) {
			protocols = append(protocols, "protocol-5")
		}
		for _, protocol := range protocols {
			t.Run(request+" "+protocol, func(t *testing.T) {
				t.Parallel()
				f := confirm.Finding{Rule: objchange.RuleCrash, Scenario: sc}
				got := realTerraform(t, protocol+" "+string(sc.Kind)+" panics-in-"+request).Confirm(t.Context(), f, repro.Naming{})
				if got.Verdict != Confirmed || strings.Contains(got.String(), "tok-1234") {
					t.Errorf("%s", got)
				}
			})
		}
	}
}

// TestConfirmWithTerraform checks confirmations with Terraform. Terraform starts a new provider
// process for each command, and the first commands may fail.
func TestConfirmWithTerraform(t *testing.T) {
	schema := newStatefulCloud(t).Schema
	a, b := exploretest.ValueOf(t, schema, map[string]any{"name": "a"}), exploretest.ValueOf(t, schema, map[string]any{"name": "b"})
	late := exploretest.ValueOf(t, schema, map[string]any{"name": cty.UnknownVal(cty.String)})
	create, update := scenario.Step{Does: scenario.Applies, Config: a}, scenario.Step{Does: scenario.Applies, Config: b}
	lateCreate, lateUpdate := scenario.Step{Does: scenario.Applies, Config: late, Then: a}, scenario.Step{Does: scenario.Applies, Config: late, Then: a}
	failed := create
	failed.Fails = true
	const (
		shouts, guesses = "Provider produced inconsistent result after apply", "Provider produced invalid plan"
		forgotten       = "the object did not exist any more in the next process, so the provider seems to keep objects in memory"
	)
	name, size := cty.GetAttrPath("name"), cty.GetAttrPath("size")
	for _, test := range []struct {
		about, faults string
		rule          objchange.Rule
		path          cty.Path
		summary       string
		steps         []scenario.Step
		phase         objchange.Phase // after the steps, or ""
		want          Verdict
		reason        string
		err           string
	}{
		{"a process that ends in plan", "exits-in-plan",
			objchange.RuleCrash, nil, "",
			[]scenario.Step{create}, "", Confirmed, "", ""},
		{"a process that ends in apply", "exits-in-apply",
			objchange.RuleCrash, nil, "",
			[]scenario.Step{create}, "", Confirmed, "", ""},
		{"an error like that of a crash", "seems-to-exit",
			objchange.RuleCrash, nil, "",
			[]scenario.Step{create}, "", Unconfirmed, "terraform apply fails with another error", "Plugin did not respond"},
		{"a fault of an update", "shouts-updates",
			objchange.RuleInconsistentValue, name, shouts,
			[]scenario.Step{create, update}, "", Confirmed, "", ".name: was"},
		{"another attribute", "shouts-updates",
			objchange.RuleInconsistentValue, size, shouts,
			[]scenario.Step{create, update}, "", Unconfirmed, "terraform apply fails with another error", ".name: was"},
		{"an object in memory that is updated", "forgets shouts-updates",
			objchange.RuleInconsistentValue, name, shouts,
			[]scenario.Step{create, update}, "", Untried, forgotten, ""},
		{"an object in memory that is destroyed", "forgets",
			objchange.RuleInconsistentPresence, nil, shouts,
			[]scenario.Step{create, {Does: scenario.Destroys, Config: a}}, "", Untried, forgotten, ""},
		{"an object in memory that is imported", "forgets",
			objchange.RuleStateUnknown, name, shouts,
			[]scenario.Step{create, {Does: scenario.Imports, Config: a}}, "", Untried, forgotten, ""},
		{"no object in an import", "imports-none",
			objchange.RuleImportCount, nil, "Import returned no resources",
			[]scenario.Step{create, {Does: scenario.Imports, Config: a}}, "", Confirmed, "", "Import returned no resources"},
		{"an object in memory that is planned again", "forgets",
			objchange.RulePerpetualDiff, name, "",
			[]scenario.Step{create}, objchange.PhaseNext, Untried, forgotten, ""},
		{"an object that no read finds", "forgets",
			objchange.RulePerpetualDiff, nil, "",
			[]scenario.Step{create}, objchange.PhaseReread, Confirmed, "", "Plan to create"},
		{"no perpetual diff", "",
			objchange.RulePerpetualDiff, name, "",
			[]scenario.Step{create}, objchange.PhaseNext, Unconfirmed, "terraform plan plans no change", ""},
		{"a perpetual diff after a failed apply", "fails",
			objchange.RulePerpetualDiff, name, "",
			[]scenario.Step{create}, objchange.PhaseNext, Untried, "terraform apply, an earlier command, fails", "no a"},
		{"an apply that must fail", "fails shouts-updates",
			objchange.RuleInconsistentValue, name, shouts,
			[]scenario.Step{update, failed, update}, "", Confirmed, "", ".name: was"},
		{"an apply that must not fail", "fails",
			objchange.RuleInconsistentValue, name, shouts,
			[]scenario.Step{create, update}, "", Untried, "terraform apply, an earlier command, fails", "no a"},
		{"an unknown value twice", "guesses-updates",
			objchange.RulePlanNotComputed, size, guesses,
			[]scenario.Step{lateCreate, lateUpdate}, "", Confirmed, "", ".size: planned value"},
	} {
		t.Run(test.about, func(t *testing.T) {
			t.Parallel()
			f := confirm.Finding{Rule: test.rule, Path: test.path, Phase: test.phase,
				Scenario: scenario.Scenario{Kind: Resource, TypeName: "cloud_server", Schema: schema, Settles: test.phase != "", Steps: test.steps}}
			if test.summary != "" {
				f.Summaries = []string{test.summary}
			}
			got := realTerraform(t, test.faults).Confirm(t.Context(), f, repro.Naming{})
			if got.Verdict != test.want || got.Reason != test.reason || !strings.Contains(got.Error, test.err) {
				t.Errorf("%s", got)
			}
		})
	}
}
