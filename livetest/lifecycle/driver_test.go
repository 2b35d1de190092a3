package lifecycle_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-mux/tf5to6server"
	"github.com/hashicorp/terraform-plugin-mux/tf6muxserver"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/livetest/frameworkprovider"
	"github.com/objchange/objchange/livetest/internal/live"
	"github.com/objchange/objchange/livetest/sdkprovider"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
)

// These tests cover features that only a driver has, or that need several configurations of
// Terraform. The oracle compares all other features with Terraform.

func TestStateIsUpgraded(t *testing.T) {
	for prefix, typeName := range map[string]string{"fw": "fw_firewall", "sdk": "sdk_bucket"} {
		t.Run(typeName, func(t *testing.T) {
			d, config := live.ProviderOf(t, nil, prefix).Driver(t), map[string]any{"name": "old"}
			made, i := live.Resource(t, d, typeName), live.Resource(t, d, typeName)
			must(t)(made.Create(t.Context(), config))
			old := []byte(`{"id": "` + live.Text(made.State(), "id") + `", "title": "old"}`)
			run := must(t)(i.Upgrade(t.Context(), 0, old, nil))
			if got := live.Text(run.Lifecycle.Upgraded, "name"); got != "old" {
				t.Errorf("upgraded to %q", got)
			}
			must(t, objchange.ActionNoOp)(i.Update(t.Context(), config))

			unread := live.Resource(t, d, typeName)
			must(t)(unread.UpgradeState(t.Context(), 0, []byte(`{"id": "gone", "title": "old"}`)))
			run = must(t)(unread.Plan(t.Context(), config, driver.WithoutRefresh()))
			if live.Text(run.Lifecycle.Prior, "name") != "old" {
				t.Errorf("planned from %#v", run.Lifecycle.Prior)
			}
			must(t, objchange.ActionCreate)(unread.Plan(t.Context(), config)) // because the object does not exist yet
		})
	}
}

func TestImportByIdentity(t *testing.T) {
	d := live.ProviderOf(t, nil, "fw").Driver(t)
	config := serverConfig("north", 1, 80, 443)
	made, imported := live.Resource(t, d, "fw_server"), live.Resource(t, d, "fw_server")
	must(t, objchange.ActionCreate)(made.Create(t.Context(), config))
	id := live.Text(made.State(), "id")
	if got := live.Text(made.Identity(), "id"); got != id {
		t.Errorf("identity %q of %q", got, id)
	}
	must(t)(imported.ImportIdentity(t.Context(), map[string]any{"id": id}))
	if !imported.State().RawEquals(made.State()) {
		t.Errorf("imported\n%#v\nof\n%#v", imported.State(), made.State())
	}
	run := must(t, objchange.ActionReplace)(imported.Update(t.Context(), serverConfig("south", 1)))
	if got := run.RequiresReplace; len(got) != 1 || objchange.PathString(got[0]) != ".region" {
		t.Errorf("%#v requires replacement", got)
	}
}

func TestDeferralMustBeAllowed(t *testing.T) {
	config, late := map[string]any{"target": "x"}, driver.Initially(map[string]any{"target": cty.DynamicVal})

	allowed := live.Resource(t, live.ProviderOf(t, nil, "fw").Driver(t, driver.AllowDeferral()), "fw_link")
	run := must(t)(allowed.Create(t.Context(), config, late))
	if run.Deferred == "" || !allowed.State().IsNull() {
		t.Errorf("the plan was not deferred: %q, %#v", run.Deferred, allowed.State())
	}
	run = must(t, objchange.ActionCreate)(allowed.Create(t.Context(), config))
	if run.Deferred != "" {
		t.Errorf("a plan with nothing unknown was deferred: %q", run.Deferred)
	}
	unasked := live.Resource(t, live.ProviderOf(t, nil, "fw").Driver(t), "fw_link")
	run = must(t, objchange.ActionCreate)(unasked.Create(t.Context(), config, late))
	if run.Deferred != "" {
		t.Errorf("deferred, which was not allowed: %q", run.Deferred)
	}
}

func TestMovedStateIsPlanned(t *testing.T) {
	factories := factories6{"fw": func() (tfprotov6.ProviderServer, error) { return frameworkprovider.Server(), nil }}
	d := driver.Test6(t, factories, "fw", nil, driver.ReportTo(tfcheck.FailAll(t)))
	source := driver.MoveSource{
		Provider: "registry.terraform.io/acme/old", TypeName: "old_link", State: []byte(`{"id": "l-1", "to": "there"}`),
	}
	moved := map[string]any{"id": "l-1", "target": "there", "kind": "moved"}
	link := d.Lifecycle(t, "fw_link").MoveState(source).Expect(objchange.ActionNoOp, moved)
	link.Plan(map[string]any{"target": "there"}, driver.WithoutRefresh()).Expect(objchange.ActionNoOp, moved) // as in Terraform 1.11.4
	link.Plan(map[string]any{"target": "elsewhere"}, driver.WithoutRefresh()).Expect(objchange.ActionUpdate, map[string]any{"id": "l-1"})
	link.Refresh().Expect(objchange.ActionDelete, nil) // because the provider has not created it

	source.TypeName = "other_link"
	i := live.Resource(t, d, "fw_link")
	run, err := i.MoveState(t.Context(), source)
	if !errors.As(err, new(*driver.RefusedError)) || len(run.Findings) > 0 || !i.State().IsNull() {
		t.Errorf("a type that cannot be moved: %v, %v", run, err)
	}
}

// TestMuxedServerIsChecked checks a server that combines both providers, as in providers that migrate from one SDK
// to the other. The checking server wraps it and keeps its optional interfaces.
func TestMuxedServerIsChecked(t *testing.T) {
	inner := mux(t)
	var collector tfcheck.Collector
	outer := tfcheck.Server6(inner, nil)
	has := func(s tfprotov6.ProviderServer) []bool {
		_, lists := s.(tfprotov6.ListResourceServer)
		_, acts := s.(tfprotov6.ActionServer)
		_, stores := s.(tfprotov6.StateStoreServer)
		return []bool{lists, acts, stores}
	}
	if got, want := has(outer), has(inner); !slices.Equal(got, want) {
		t.Errorf("optional interfaces %v, not %v", got, want)
	}
	d := (&live.Provider{Server6: outer}).Driver(t, driver.ReportTo(collector.Report))
	for typeName, severity := range map[string]objchange.Severity{
		"fw_inconsistent_value": objchange.Rejected, "sdk_inconsistent_value": objchange.Tolerated,
	} {
		before := len(collector.Findings())
		run, _ := live.Resource(t, d, typeName).Create(t.Context(), live.Full(typeName))
		want := []live.Summary{live.Saw(live.Apply, objchange.RuleInconsistentValue, severity)}
		for name, found := range map[string][]tfcheck.Finding{"the run": run.Findings, "the report": collector.Findings()[before:]} {
			if diff := cmp.Diff(want, live.Summaries(found)); diff != "" {
				t.Errorf("%s found in %s (-want +got):\n%s", name, typeName, diff)
			}
		}
	}
}

func mux(t *testing.T) tfprotov6.ProviderServer {
	t.Helper()
	upgraded, err := tf5to6server.UpgradeServer(t.Context(), sdkprovider.Server)
	if err != nil {
		t.Fatal(err)
	}
	muxed, err := tf6muxserver.NewMuxServer(t.Context(), frameworkprovider.Server,
		func() tfprotov6.ProviderServer { return upgraded })
	if err != nil {
		t.Fatal(err)
	}
	return muxed.ProviderServer()
}

// must returns a function for the results of a method of an Instance. It fails the test if there
// is an error, a finding or another action.
func must(t testing.TB, action ...objchange.Action) func(*driver.Run, error) *driver.Run {
	return func(run *driver.Run, err error) *driver.Run {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if len(run.Findings) > 0 {
			t.Errorf("%v", run.Findings)
		}
		if len(action) > 0 && run.Action != action[0] {
			t.Errorf("the action was %s, not %s", run.Action, action[0])
		}
		return run
	}
}
