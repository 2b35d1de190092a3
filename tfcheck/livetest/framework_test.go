package livetest_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/livetest/frameworkprovider"
	"github.com/objchange/objchange/tfconv"
	"github.com/zclconf/go-cty/cty"
)

func TestServerOfTheFramework(t *testing.T) {
	provider := new(frameworkprovider.Provider)
	d, err := tfcheck.NewDriver6(t.Context(), provider.Server())
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Configure(t.Context(), map[string]any{"endpoint": cty.DynamicVal}); err != nil {
		t.Fatal(err)
	}
	config := serverConfig
	i := resource(t, d, "fw_server")

	act(t, objchange.ActionCreate)(i.Create(t.Context(), config("north", 1, 80, 443)))
	first := text(i.State(), "id")
	if got := text(i.State(), "image"); got != "base" {
		t.Errorf("image %q, not the default", got)
	}
	act(t, objchange.ActionNoOp)(i.Refresh(t.Context()))
	act(t, objchange.ActionNoOp)(i.Update(t.Context(), config("north", 1, 80, 443)))
	act(t, objchange.ActionUpdate)(i.Update(t.Context(), config("north", 3, 80, 8080)))
	if got := text(i.State(), "id"); got != first {
		t.Errorf("the update made %q of %q", got, first)
	}

	run := act(t, objchange.ActionReplace)(i.Update(t.Context(), config("south", 2)))
	if diff := cmp.Diff([]string{".region"}, paths(run.RequiresReplace)); diff != "" {
		t.Errorf("requires replacement (-want +got):\n%s", diff)
	}
	act(t, objchange.ActionReplace)(i.Replace(t.Context(), config("south", 2), tfcheck.Initially(config("south", 2))))

	id := text(i.State(), "id")
	if got := text(i.Identity(), "id"); got != id {
		t.Errorf("identity %q of %q", got, id)
	}
	byID, byIdentity := resource(t, d, "fw_server"), resource(t, d, "fw_server")
	must(t)(byID.Import(t.Context(), id))
	must(t)(byIdentity.ImportIdentity(t.Context(), map[string]any{"id": id}))
	for _, imported := range []*tfcheck.Instance{byID, byIdentity} {
		if !imported.State().RawEquals(i.State()) {
			t.Errorf("imported\n%#v\nof\n%#v", imported.State(), i.State())
		}
	}
	act(t, objchange.ActionUpdate)(byID.Update(t.Context(), config("south", 1)))

	act(t, objchange.ActionDelete)(i.Destroy(t.Context()))
	act(t, objchange.ActionDelete)(byIdentity.Refresh(t.Context()))
	if n := provider.Cloud.Len(); n != 0 {
		t.Errorf("%d objects are left", n)
	}
}

func TestFirewallOfTheFramework(t *testing.T) {
	d := driverOf(t, framework)
	config := firewallConfig
	i := resource(t, d, "fw_firewall")
	late := config(80, "text")
	late["step"], late["anything"] = cty.DynamicVal, cty.DynamicVal
	act(t, objchange.ActionCreate)(i.Create(t.Context(), config(80, "text"), tfcheck.Initially(late)))
	act(t, objchange.ActionUpdate)(i.Update(t.Context(), config(81, cty.NumberIntVal(7))))
	act(t, objchange.ActionUpdate)(i.Update(t.Context(), map[string]any{"name": "bare"}))
	act(t, objchange.ActionDelete)(i.Destroy(t.Context()))

	refused := resource(t, d, "fw_firewall")
	_, err := refused.Create(t.Context(), map[string]any{"name": "x", "key_wo": "forbidden"})
	var refusal *tfcheck.RefusedError
	if !errors.As(err, &refusal) || refusal.RPC != apply {
		t.Errorf("a create that must fail ended with %v", err)
	}
}

func TestUpgradeOfTheFramework(t *testing.T) {
	d := driverOf(t, framework)
	made := resource(t, d, "fw_firewall")
	must(t)(made.Create(t.Context(), map[string]any{"name": "old"}))

	i := resource(t, d, "fw_firewall")
	old := []byte(`{"id": "` + text(made.State(), "id") + `", "title": "old"}`)
	run := must(t)(i.Upgrade(t.Context(), 0, old, nil))
	if got := text(run.Lifecycle.Upgraded, "name"); got != "old" {
		t.Errorf("upgraded to %q", got)
	}
	act(t, objchange.ActionNoOp)(i.Update(t.Context(), map[string]any{"name": "old"}))
}

func TestDeferralOfTheFramework(t *testing.T) {
	config, late := map[string]any{"target": "x"}, tfcheck.Initially(map[string]any{"target": cty.DynamicVal})

	allowed := resource(t, driverOf(t, framework, tfcheck.AllowDeferral()), "fw_link")
	run := must(t)(allowed.Create(t.Context(), config, late))
	if run.Deferred == "" || !allowed.State().IsNull() {
		t.Errorf("the plan was not deferred: %q, %#v", run.Deferred, allowed.State())
	}
	run = act(t, objchange.ActionCreate)(allowed.Create(t.Context(), config))
	if run.Deferred != "" {
		t.Errorf("a plan with nothing unknown was deferred: %q", run.Deferred)
	}
	run = act(t, objchange.ActionCreate)(resource(t, driverOf(t, framework), "fw_link").Create(t.Context(), config, late))
	if run.Deferred != "" {
		t.Errorf("deferred, which was not allowed: %q", run.Deferred)
	}
}

func TestMoveOfTheFramework(t *testing.T) {
	server := tfcheck.Server6(frameworkprovider.Server(), tfcheck.FailStrict(t))
	resp, err := server.MoveResourceState(t.Context(), &tfprotov6.MoveResourceStateRequest{
		SourceTypeName: "old_link", TargetTypeName: "fw_link",
		SourceState: &tfprotov6.RawState{JSON: []byte(`{"id": "l-1", "to": "there"}`)},
	})
	if err != nil || len(resp.Diagnostics) > 0 {
		t.Fatal(err, resp)
	}
	if got := text(decode(t, server, "fw_link", resp.TargetState), "target"); got != "there" {
		t.Errorf("moved to %q", got)
	}
}

func TestDataOfTheFramework(t *testing.T) {
	d := driverOf(t, framework)
	run, err := d.ReadDataSource(t.Context(), "fw_region", map[string]any{"name": "north"})
	if err != nil || len(run.Findings) > 0 {
		t.Fatal(err, run.Findings)
	}
	if got := text(run.Result, "location"); got != "here" {
		t.Errorf("location %q", got)
	}
	run, err = d.OpenEphemeral(t.Context(), "fw_token", map[string]any{"user": "me"})
	if err != nil || len(run.Findings) > 0 {
		t.Fatal(err, run.Findings)
	}
	if got := text(run.Result, "value"); got != "opened" {
		t.Errorf("value %q", got)
	}
}

// An object that vanishes is created again, and one without a fault breaks
// nothing.
func TestHonestOfBoth(t *testing.T) {
	t.Run(framework, func(t *testing.T) {
		provider := new(frameworkprovider.Provider)
		d, err := configured(tfcheck.NewDriver6(t.Context(), provider.Server()))
		if err != nil {
			t.Fatal(err)
		}
		vanish(t, d, "fw_honest", provider.Cloud.Forget)
	})
	t.Run(sdk, func(t *testing.T) {
		d, cloud := sdkDriver(t)
		vanish(t, d, "sdk_honest", cloud.Forget)
	})
}

func vanish(t *testing.T, d *tfcheck.Driver, typeName string, forget func(string)) {
	i := resource(t, d, typeName)
	act(t, objchange.ActionCreate)(i.Create(t.Context(), full(typeName)))
	forget(text(i.State(), "id"))
	act(t, objchange.ActionCreate)(i.Update(t.Context(), full(typeName)))
	forget(text(i.State(), "id"))
	act(t, objchange.ActionDelete)(i.Refresh(t.Context()))
	act(t, objchange.ActionNoOp)(i.Destroy(t.Context()))
}

// act is must, and the action must be that.
func act(t testing.TB, want objchange.Action) func(*tfcheck.Run, error) *tfcheck.Run {
	return func(run *tfcheck.Run, err error) *tfcheck.Run {
		t.Helper()
		must(t)(run, err)
		if run.Action != want {
			t.Errorf("the action was %s, not %s", run.Action, want)
		}
		return run
	}
}

func text(object cty.Value, name string) string {
	if object == cty.NilVal || object.IsNull() {
		return ""
	}
	if v := object.GetAttr(name); v.IsKnown() && !v.IsNull() {
		return v.AsString()
	}
	return ""
}

func paths(all []cty.Path) (texts []string) {
	for _, p := range all {
		texts = append(texts, objchange.PathString(p))
	}
	return texts
}

func decode(t *testing.T, server tfprotov6.ProviderServer, typeName string, from *tfprotov6.DynamicValue) cty.Value {
	t.Helper()
	all, err := server.GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	schema, err := tfconv.Schema6(all.ResourceSchemas[typeName])
	if err != nil {
		t.Fatal(err)
	}
	v, err := tfconv.Decode6(from, schema.Block.ImpliedType())
	if err != nil {
		t.Fatal(err)
	}
	return v
}
