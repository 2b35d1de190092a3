package plantest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/objchange/objchange/tfplan/plantest"
)

// Acceptance tests with these checks are in tfcheck/livetest, which has providers.

func cloud() *plantest.Providers {
	return &plantest.Providers{ProviderFactories: map[string]func() (*schema.Provider, error){
		"terraform-provider-cloud": func() (*schema.Provider, error) {
			text := &schema.Schema{Type: schema.TypeString, Optional: true, Computed: true}
			return &schema.Provider{ResourcesMap: map[string]*schema.Resource{"cloud_server": {SchemaVersion: 1, Schema: map[string]*schema.Schema{
				"name": text,
				"size": {Type: schema.TypeInt, Optional: true},
				"tags": {Type: schema.TypeMap, Optional: true, Elem: text},
				"disk": {Type: schema.TypeList, Optional: true, Elem: &schema.Resource{Schema: map[string]*schema.Schema{
					"size": {Type: schema.TypeInt, Optional: true},
				}}},
			}}}}, nil
		},
	}}
}

// read decodes a document as terraform-exec does.
func read[D interface{ UseJSONNumber(bool) }](t *testing.T, document D, text string) D {
	t.Helper()
	document.UseJSONNumber(true)
	if err := json.Unmarshal([]byte(text), document); err != nil {
		t.Fatal(err)
	}
	return document
}

// A server contains the planned, unknown and applied values of cloud_server.web, as JSON.
type server struct{ planned, unknown, applied string }

const object = `{"address": "cloud_server.web", "mode": "managed", "type": "cloud_server", "name": "web",
	"provider_name": "registry.terraform.io/hashicorp/cloud", "schema_version": 1, %s}`

func (s server) plan(t *testing.T) *tfjson.Plan {
	t.Helper()
	return read(t, new(tfjson.Plan), `{"format_version": "1.2", "planned_values": {}, "resource_changes": [`+
		fmt.Sprintf(object, `"change": {"actions": ["create"], "before": null, "after": `+s.planned+`, "after_unknown": `+s.unknown+`}`)+`]}`)
}

func (s server) state(t *testing.T) *tfjson.State {
	t.Helper()
	return read(t, new(tfjson.State), `{"format_version": "1.0", "values": {"root_module": {"child_modules": [{"resources": [`+
		fmt.Sprintf(object, `"values": `+s.applied)+`]}]}}}`)
}

var lowered = server{
	`{"name": "Web", "size": 9007199254740993, "tags": null, "disk": []}`, `{"id": true}`,
	`{"id": "1", "name": "web", "size": 9007199254740993, "tags": null, "disk": []}`,
}

const finding = `cloud_server.web: .name: planned "Web", but got "web" [inconsistent-value]
  at /values/root_module/child_modules/0/resources/0/values/name of the state
see: objchange explain inconsistent-value
`

// step returns the context of a test step.
func step(t *testing.T) context.Context {
	t.Helper()
	return context.WithValue(t.Context(), new(int), 0)
}

func checkPlan(ctx context.Context, p *plantest.Providers, plan *tfjson.Plan) error {
	var resp plancheck.CheckPlanResponse
	plantest.CheckPlan(p).CheckPlan(ctx, plancheck.CheckPlanRequest{Plan: plan}, &resp)
	return resp.Error
}

func checkState(ctx context.Context, p *plantest.Providers, state *tfjson.State) error {
	var resp statecheck.CheckStateResponse
	plantest.CheckState(p).CheckState(ctx, statecheck.CheckStateRequest{State: state}, &resp)
	return resp.Error
}

func expect(t *testing.T, what string, err error, want string) {
	t.Helper()
	if got := fmt.Sprint(err); err == nil && want != "" || err != nil && (want == "" || !strings.Contains(got, want)) {
		t.Errorf("%s: %s, want %q", what, got, want)
	}
}

// TestStep checks that a state is compared with the first plan of its step, once.
func TestStep(t *testing.T) {
	p, ctx := cloud(), step(t)
	same := lowered
	same.planned = strings.ReplaceAll(same.planned, "Web", "web")
	expect(t, "the plan", checkPlan(ctx, p, lowered.plan(t)), "")
	expect(t, "another plan of the step", checkPlan(ctx, p, same.plan(t)), "")
	expect(t, "another step", checkState(step(t), p, lowered.state(t)), "")
	expect(t, "other providers", checkState(ctx, cloud(), lowered.state(t)), "")
	expect(t, "the step", checkState(ctx, p, lowered.state(t)), finding)
	expect(t, "the plan after apply", checkPlan(ctx, p, lowered.plan(t)), "")
	expect(t, "the step once more", checkState(ctx, p, lowered.state(t)), "")
}

// TestStateAlone checks that a state without a plan is checked.
func TestStateAlone(t *testing.T) {
	wrong := lowered
	wrong.applied = strings.ReplaceAll(wrong.applied, "9007199254740993", `"many"`)
	expect(t, "a value that does not conform", checkState(step(t), cloud(), wrong.state(t)), `cloud_server.web: .size: must be a number, not a string [type-mismatch]
  at /values/root_module/child_modules/0/resources/0 of the state
see: objchange explain type-mismatch
`)
}

// TestProvidersConcurrently checks that tests can share Providers, and that the schemas are
// requested once.
func TestProvidersConcurrently(t *testing.T) {
	p, requests := cloud(), atomic.Int32{}
	for name, factory := range p.ProviderFactories {
		p.ProviderFactories[name] = func() (*schema.Provider, error) { requests.Add(1); return factory() }
	}
	var tests sync.WaitGroup
	for range 8 {
		ctx, plan, state := step(t), lowered.plan(t), lowered.state(t)
		tests.Go(func() {
			expect(t, "the plan", checkPlan(ctx, p, plan), "")
			expect(t, "the state", checkState(ctx, p, state), finding)
		})
	}
	tests.Wait()
	if n := requests.Load(); n != 1 {
		t.Errorf("the schemas were requested %d times", n)
	}
}

func TestIgnore(t *testing.T) {
	for what, want := range map[string]string{
		"inconsistent-value":                    "",
		"*:cloud_server:.name":                  "",
		"inconsistent-*:cloud_disk":             finding,
		"inconsistent-value:cloud_server:.size": finding,
		"inconsistent-value:*:(root)":           finding,
		"inconsistent-valu":                     `plantest: ignore "inconsistent-valu": there is no rule "inconsistent-valu": did you mean inconsistent-value?`,
		"":                                      `plantest: ignore "": there is no rule ""`,
		"*:cloud_server.web":                    `plantest: ignore "*:cloud_server.web": use a resource type instead of cloud_server.web`,
		"*:cloud_server:name":                   `plantest: ignore "*:cloud_server:name": no path matches "name": did you mean ".name"?`,
	} {
		p, ctx := cloud(), step(t)
		p.Ignore = map[string]string{what: "the API makes names lower-case"}
		err := checkPlan(ctx, p, lowered.plan(t))
		if !strings.HasPrefix(want, "plantest: ") {
			expect(t, what, err, "")
			err = checkState(ctx, p, lowered.state(t))
		}
		expect(t, what, err, want)
	}
	p := cloud()
	p.Ignore = map[string]string{"*": " "}
	expect(t, "no reason", checkPlan(step(t), p, lowered.plan(t)), `plantest: ignore "*": the reason is empty`)
}

// TestZeroValues checks that the legacy SDK may return zero values in place of null. Terraform
// rejects them from other providers.
func TestZeroValues(t *testing.T) {
	none := `{"name": null, "size": null, "tags": null, "disk": []}`
	for name, c := range map[string]struct {
		server
		want string
	}{
		"zero for null":    {server{none, `{"id": true}`, `{"id": "1", "name": "", "size": 0, "tags": {}, "disk": []}`}, ""},
		"null for zero":    {server{`{"name": "", "size": 0, "tags": {}, "disk": []}`, `{"id": true}`, `{"id": "1", "name": null, "size": null, "tags": null, "disk": []}`}, ""},
		"in a block":       {server{`{"name": null, "size": null, "tags": null, "disk": [{"size": null}]}`, `{"id": true}`, `{"id": "1", "name": null, "size": null, "tags": null, "disk": [{"size": 0}]}`}, ""},
		"unknown":          {server{`{"size": null, "tags": null, "disk": [{}]}`, `{"id": true, "name": true, "disk": [{"size": true}]}`, `{"id": "1", "name": "", "size": null, "tags": null, "disk": [{"size": 0}]}`}, ""},
		"unknown blocks":   {server{`{"name": null, "size": null, "tags": null}`, `{"id": true, "disk": true}`, `{"id": "1", "name": null, "size": null, "tags": null, "disk": []}`}, ""},
		"another value":    {server{none, `{"id": true}`, `{"id": "1", "name": null, "size": 1, "tags": null, "disk": []}`}, ".size: planned null, but got 1"},
		"a value for zero": {server{`{"name": "", "size": 0, "tags": {}, "disk": []}`, `{"id": true}`, `{"id": "1", "name": "", "size": 1, "tags": {}, "disk": []}`}, ".size: planned 0, but got 1"},
		"zero for a value": {server{`{"name": "a", "size": 1, "tags": {}, "disk": []}`, `{"id": true}`, `{"id": "1", "name": "", "size": 1, "tags": {}, "disk": []}`}, `.name: planned "a", but got ""`},
		"a zero key":       {server{`{"name": "a", "size": 1, "tags": {}, "disk": []}`, `{"id": true}`, `{"id": "1", "name": "a", "size": 1, "tags": {"b": ""}, "disk": []}`}, ""},
		"a zero block":     {server{none, `{"id": true}`, `{"id": "1", "name": null, "size": null, "tags": null, "disk": [{"size": null}]}`}, ""},
	} {
		p, ctx := cloud(), step(t)
		expect(t, name, checkPlan(ctx, p, c.plan(t)), "")
		state := c.state(t)
		expect(t, name, checkState(ctx, p, state), c.want)
		before, _ := json.Marshal(c.state(t))
		if after, _ := json.Marshal(state); string(before) != string(after) {
			t.Errorf("%s: the state of other checks has changed: %s", name, after)
		}
	}
}

// TestUnchecked checks that the check fails if resources are not checked.
func TestUnchecked(t *testing.T) {
	const unchecked = "cloud_server.web: was not checked: "
	other := lowered.plan(t)
	other.ResourceChanges[0].ProviderName, other.ResourceChanges[0].Address = "registry.terraform.io/hashicorp/random", "random_id.it"
	both := *other
	both.ResourceChanges = append(both.ResourceChanges, lowered.plan(t).ResourceChanges...)
	expect(t, "another provider", checkPlan(step(t), cloud(), other), `random_id.it: was not checked: no schemas of provider "registry.terraform.io/hashicorp/random"`)
	expect(t, "two providers", checkPlan(step(t), cloud(), &both), "")

	typo := lowered.plan(t)
	typo.ResourceChanges[0].Type = "cloud_sever"
	expect(t, "no such type", checkPlan(step(t), cloud(), typo), `no schema of a resource "cloud_sever"`)
	old := lowered.state(t)
	old.Values.RootModule.ChildModules[0].Resources[0].SchemaVersion = 0
	expect(t, "an old version", checkState(step(t), cloud(), old), unchecked+"the state has schema version 0")

	expect(t, "no providers", checkPlan(step(t), &plantest.Providers{}, lowered.plan(t)), unchecked+"no schemas of provider")
	expect(t, "nil providers", checkState(step(t), nil, lowered.state(t)), unchecked+"no schemas of provider")
	expect(t, "nothing", checkPlan(step(t), nil, &tfjson.Plan{FormatVersion: "1.2", PlannedValues: &tfjson.StateValues{}}), "")
	expect(t, "an empty state", checkState(step(t), nil, &tfjson.State{FormatVersion: "1.0"}), "")
	expect(t, "no plan", checkPlan(step(t), cloud(), nil), "plantest: the plan is missing")
	expect(t, "no state", checkState(step(t), cloud(), nil), "plantest: the state is missing")
	expect(t, "another format", checkState(step(t), cloud(), &tfjson.State{FormatVersion: "9.0"}), "")

	t.Setenv("TF_ACC_TERRAFORM_PATH", filepath.Join(t.TempDir(), "none"))
	expect(t, "no command", checkPlan(step(t), &plantest.Providers{Folder: "."}, lowered.plan(t)), "plantest: terraform providers schema -json in .: ")
	broken := &plantest.Providers{ProtoV6ProviderFactories: map[string]func() (tfprotov6.ProviderServer, error){
		"broken": func() (tfprotov6.ProviderServer, error) { return nil, errors.New("no provider") },
	}}
	for range 2 {
		expect(t, "a broken provider", checkPlan(step(t), broken, lowered.plan(t)), "plantest: no provider")
	}
}
