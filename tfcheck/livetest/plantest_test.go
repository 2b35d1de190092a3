package livetest_test

import (
	"context"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	acceptance "github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/objchange/objchange/tfcheck/livetest/frameworkprovider"
	"github.com/objchange/objchange/tfcheck/livetest/sdkprovider"
	"github.com/objchange/objchange/tfplan/plantest"
)

// The checks of plantest in acceptance tests.

// providersOf returns the providers of this module, and a provider of ProviderFactories whose API
// changes names to lower case. The SDK tolerates that.
func providersOf(t *testing.T) *plantest.Providers {
	t.Helper()
	if _, err := exec.LookPath("terraform"); err != nil {
		t.Skip("there is no terraform on the PATH to test with")
	}
	t.Setenv("TF_ACC", "1")
	framework, sdk := frameworkprovider.Server(), sdkprovider.Server()
	return &plantest.Providers{
		ProtoV6ProviderFactories: map[string]func() (tfprotov6.ProviderServer, error){
			"fw": func() (tfprotov6.ProviderServer, error) { return framework, nil },
		},
		ProtoV5ProviderFactories: map[string]func() (tfprotov5.ProviderServer, error){
			"sdk": func() (tfprotov5.ProviderServer, error) { return sdk, nil },
		},
		ProviderFactories: map[string]func() (*schema.Provider, error){
			"cloud": func() (*schema.Provider, error) { return lowering(), nil },
		},
	}
}

func lowering() *schema.Provider {
	leave := func(context.Context, *schema.ResourceData, any) diag.Diagnostics { return nil }
	write := func(_ context.Context, d *schema.ResourceData, _ any) diag.Diagnostics {
		d.SetId("server-1")
		return diag.FromErr(d.Set("name", strings.ToLower(d.Get("name").(string))))
	}
	return &schema.Provider{ResourcesMap: map[string]*schema.Resource{"cloud_server": {
		Schema: map[string]*schema.Schema{"name": {
			Type: schema.TypeString, Required: true,
			DiffSuppressFunc: func(_, before, after string, _ *schema.ResourceData) bool { return strings.EqualFold(before, after) },
		}},
		CreateContext: write, ReadContext: leave, UpdateContext: write, DeleteContext: leave,
	}}}
}

// A testStep is a step with its checks.
type testStep struct {
	config      string
	plan, state *plantest.Providers // the providers for the checks; nil: no check
	fails       string              // the expected error; "": none
	destroy     bool
}

// run runs the steps as an acceptance test.
func run(t *testing.T, p *plantest.Providers, steps ...testStep) {
	t.Helper()
	c := acceptance.TestCase{
		ProtoV6ProviderFactories: p.ProtoV6ProviderFactories, ProtoV5ProviderFactories: p.ProtoV5ProviderFactories,
		ProviderFactories: p.ProviderFactories,
	}
	for _, s := range steps {
		step := acceptance.TestStep{Config: s.config, Destroy: s.destroy}
		if s.plan != nil {
			checks := []plancheck.PlanCheck{plantest.CheckPlan(s.plan)}
			step.ConfigPlanChecks = acceptance.ConfigPlanChecks{PreApply: checks, PostApplyPreRefresh: checks, PostApplyPostRefresh: checks}
		}
		if s.state != nil {
			step.ConfigStateChecks = []statecheck.StateCheck{plantest.CheckState(s.state)}
		}
		if s.fails != "" {
			step.ExpectError = regexp.MustCompile(regexp.QuoteMeta(s.fails))
		}
		c.Steps = append(c.Steps, step)
	}
	acceptance.Test(t, c)
}

const (
	lowered    = `resource "cloud_server" "web" { name = "Web" }`
	renamed    = `resource "cloud_server" "web" { name = "Front" }`
	notApplied = `Post-apply refresh state check(s) failed:
cloud_server.web: .name: planned "Web", but got "web" [inconsistent-value]
  at /values/root_module/resources/0/values/name of the state
see: objchange explain inconsistent-value
`
)

// TestAccPlanAndState checks that providers without faults pass: the provider of the framework
// with all kinds of blocks and attributes, and the provider of the SDK, which has zero values in
// place of null.
func TestAccPlanAndState(t *testing.T) {
	p := providersOf(t)
	var steps []testStep
	for _, name := range []string{"a", "b"} {
		config := `
			resource "fw_honest" "it" {
				name    = "` + name + `"
				secret  = "hush"
				tags    = { env = "test" }
				disks   = [{ size = 1 }, { size = 2 }]
				network = { cidr = "10.0.0.0/8" }
				log { target = "file" }
				step { title = "one" }
			}
			resource "sdk_honest" "it" {
				name = fw_honest.it.name
				note = fw_honest.it.id
				step { title = "" }
				rule { port = "80" }
			}
			resource "terraform_data" "other" {}`
		steps = append(steps, testStep{config: config, plan: p, state: p})
	}
	run(t, p, append(steps, testStep{config: steps[0].config, plan: p, state: p, destroy: true})...)
	steps = nil
	for _, block := range plainBlocks {
		steps = append(steps, testStep{config: `
			resource "sdk_plain" "it" {
				name = "a"
				` + block + `
			}
			resource "sdk_honest" "it" {
				name   = "a"
				key_wo = "a constant is shown in every plan, which Terraform does not reject"
			}`, plan: p, state: p})
	}
	run(t, p, steps...)
}

// TestAccNotAppliedAsPlanned checks that the checks report a state that Terraform tolerates from
// the SDK. A state is only compared with the plan of its step.
func TestAccNotAppliedAsPlanned(t *testing.T) {
	p := providersOf(t)
	run(t, p, testStep{config: lowered})
	run(t, p, testStep{config: lowered, plan: p, state: p, fails: notApplied})
	p = providersOf(t)
	run(t, p, testStep{config: lowered, plan: p}, testStep{config: renamed, state: p})
}

// TestAccPlannedOtherwise checks that the checks report a plan that differs from the
// configuration and that Terraform tolerates from the SDK.
func TestAccPlannedOtherwise(t *testing.T) {
	p := providersOf(t)
	const config = `resource "sdk_plan_not_config" "it" { name = "a" }`
	run(t, p, testStep{config: config, state: p})
	run(t, p, testStep{config: config, plan: p, fails: `Pre-apply plan check(s) failed:
sdk_plan_not_config.it: .name: planned "A", but the configuration has "a" [plan-not-config]
  at /resource_changes/0/change/after/name of the plan
see: objchange explain plan-not-config
`})
}

// TestAccNothingChecked checks that a check without any object fails.
func TestAccNothingChecked(t *testing.T) {
	p := providersOf(t)
	run(t, p, testStep{config: `output "none" { value = 1 }`, plan: p, state: p}, testStep{
		config: `resource "terraform_data" "other" {}`, plan: p,
		fails: `terraform_data.other: was not checked: no schemas of provider "terraform.io/builtin/terraform"`,
	})
}

// TestAccProviderAddresses checks that the addresses match those that terraform-plugin-testing
// derives from its variables.
func TestAccProviderAddresses(t *testing.T) {
	p := providersOf(t)
	t.Setenv("TF_ACC_PROVIDER_NAMESPACE", "acme")
	t.Setenv("TF_ACC_PROVIDER_HOST", "example.com")
	const required = `terraform {
		required_providers {
			cloud = { source = "example.com/acme/cloud" }
		}
	}
	`
	run(t, p, testStep{config: required + lowered, plan: p, state: p, fails: notApplied})
}

// TestAccInstalledProvider checks that the schemas of installed providers come from Terraform.
func TestAccInstalledProvider(t *testing.T) {
	w := newWorkspace(t, "terraform")
	w.write(t, "main.tf", `resource "time_static" "now" {}`)
	w.initialise(t)
	p := providersOf(t)
	t.Setenv("TF_CLI_CONFIG_FILE", filepath.Join(w.dir, "terraformrc"))
	step := func(p *plantest.Providers, fails *regexp.Regexp) acceptance.TestStep {
		return acceptance.TestStep{
			Config:            `resource "time_static" "now" { rfc3339 = "` + base + `" }`,
			ConfigPlanChecks:  acceptance.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plantest.CheckPlan(p)}},
			ConfigStateChecks: []statecheck.StateCheck{plantest.CheckState(p)},
			ExpectError:       fails,
		}
	}
	acceptance.Test(t, acceptance.TestCase{
		ExternalProviders: map[string]acceptance.ExternalProvider{"time": {Source: "hashicorp/time"}},
		Steps: []acceptance.TestStep{
			step(p, regexp.MustCompile(`time_static.now: was not checked`)),
			step(&plantest.Providers{Folder: w.dir}, nil),
		},
	})
}
