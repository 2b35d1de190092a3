package livetest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/livetest/sdkprovider"
	"github.com/zclconf/go-cty/cty"
)

func sdkDriver(t testing.TB) (*tfcheck.Driver, *sdkprovider.Cloud) {
	t.Helper()
	p, cloud := sdkprovider.New()
	d, err := tfcheck.NewDriver5(t.Context(), p.GRPCProvider())
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Configure(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return d, cloud
}

func TestBucketOfTheSDK(t *testing.T) {
	d, cloud := sdkDriver(t)
	config := bucketConfig
	env := map[string]any{"env": "test"}
	i := resource(t, d, "sdk_bucket")
	late := config("b", "frozen", "Tall", env)
	late["name"], late["rule"] = cty.DynamicVal, cty.DynamicVal
	act(t, objchange.ActionCreate)(i.Create(t.Context(), config("b", "frozen", "Tall", env), tfcheck.Initially(late)))
	act(t, objchange.ActionNoOp)(i.Update(t.Context(), config("b", "frozen", "Tall", env)))
	act(t, objchange.ActionUpdate)(i.Update(t.Context(), config("b", "frozen", "Tall", map[string]any{"env": "prod"})))

	run := act(t, objchange.ActionReplace)(i.Update(t.Context(), config("b", "warm", "Tall", env)))
	if diff := cmp.Diff([]string{".class"}, paths(run.RequiresReplace)); diff != "" {
		t.Errorf("requires replacement (-want +got):\n%s", diff)
	}
	act(t, objchange.ActionReplace)(i.Update(t.Context(), config("c", "warm", "Tall", env)))

	// The DiffSuppressFunc plans the prior value, which a provider may.
	act(t, objchange.ActionNoOp)(i.Update(t.Context(), config("c", "warm", "TALL", env)))

	imported := resource(t, d, "sdk_bucket")
	must(t)(imported.Import(t.Context(), text(i.State(), "id")))
	if !imported.State().RawEquals(i.State()) {
		t.Errorf("imported\n%#v\nof\n%#v", imported.State(), i.State())
	}
	act(t, objchange.ActionDelete)(i.Destroy(t.Context()))
	if n := cloud.Len(); n != 0 {
		t.Errorf("%d objects are left", n)
	}
}

func TestUpgradeOfTheSDK(t *testing.T) {
	d, _ := sdkDriver(t)
	made := resource(t, d, "sdk_bucket")
	must(t)(made.Create(t.Context(), map[string]any{"name": "old"}))

	i := resource(t, d, "sdk_bucket")
	old := []byte(`{"id": "` + text(made.State(), "id") + `", "title": "old"}`)
	run := must(t)(i.Upgrade(t.Context(), 0, old, nil))
	if got := text(run.Lifecycle.Upgraded, "name"); got != "old" {
		t.Errorf("upgraded to %q", got)
	}
	act(t, objchange.ActionNoOp)(i.Update(t.Context(), map[string]any{"name": "old"}))
}

// What a StateFunc and a default do is excused, and nothing else is found.
func TestScriptOfTheSDK(t *testing.T) {
	d, _ := sdkDriver(t)
	i := resource(t, d, "sdk_script")
	excused := []seen{
		{plan, objchange.RulePlanNotConfig, tfcheck.Tolerated},
		{plan, objchange.RulePlanNotComputed, tfcheck.Tolerated},
		{apply, objchange.RuleInconsistentValue, tfcheck.Tolerated},
	}
	run, err := i.Create(t.Context(), map[string]any{"body": " echo "})
	if diff := cmp.Diff(excused, summaries(run.Findings)); err != nil || diff != "" {
		t.Errorf("create ended with %v (-want +got):\n%s", err, diff)
	}
	if got := text(i.State(), "body"); got != "echo" {
		t.Errorf("body %q", got)
	}
	// Planned as the prior state has them, an untrimmed body and the default are
	// fine, but an empty comment is not: it is not configured.
	run, err = i.Update(t.Context(), map[string]any{"body": "echo ", "shell": "sh"})
	if diff := cmp.Diff(excused[1:2], summaries(run.Findings)); err != nil || diff != "" {
		t.Errorf("update ended with %v (-want +got):\n%s", err, diff)
	}
	run, err = i.Destroy(t.Context()) // for which the configuration is planned, too
	if diff := cmp.Diff(excused[1:2], summaries(run.Findings)); err != nil || diff != "" {
		t.Errorf("destroy ended with %v (-want +got):\n%s", err, diff)
	}
}

func TestDataOfTheSDK(t *testing.T) {
	d, _ := sdkDriver(t)
	run, err := d.ReadDataSource(t.Context(), "sdk_region", map[string]any{"name": "north"})
	if err != nil || len(run.Findings) > 0 {
		t.Errorf("region: %v, %v", err, run.Findings)
	}
	if got := text(run.Result, "location"); got != "here" {
		t.Errorf("location %q", got)
	}
	// The SDK makes of nothing an object of nulls, which loses what was configured.
	run, err = d.ReadDataSource(t.Context(), "sdk_nowhere", map[string]any{"name": "north"})
	want := []seen{{data, objchange.RuleInconsistentValue, tfcheck.Unchecked}}
	if diff := cmp.Diff(want, summaries(run.Findings)); err != nil || diff != "" {
		t.Errorf("nowhere ended with %v (-want +got):\n%s", err, diff)
	}
}
