package tfcheck_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-mux/tf6to5server"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
)

// drive returns a configured driver of the server and its instance of a thing.
func drive(t *testing.T, server tfprotov6.ProviderServer, opts ...driver.Option) (*driver.Driver, *driver.Instance) {
	t.Helper()
	d := must(driver.New6(ctx, server, opts...))
	thing := configured(t, d)
	if f, is := server.(*fake); is {
		f.calls = nil
	}
	return d, thing
}

// configured configures the driver and returns its instance of a thing.
func configured(t *testing.T, d *driver.Driver) *driver.Instance {
	t.Helper()
	if err := d.Configure(ctx, nil); err != nil {
		t.Fatal(err)
	}
	return must(d.Resource("test_thing"))
}

// took returns the short names of the RPCs since its last call.
func (f *fake) took() string {
	short := strings.NewReplacer(" GetResourceIdentitySchemas", "", "GetResourceIdentitySchemas ", "", "ResourceState", "", "ResourceChange", "", "ResourceConfig", "", "Resource", "")
	defer func() { f.calls = nil }()
	return short.Replace(strings.Join(f.calls, " "))
}

// TestRunHasPlansAndUpgradedState checks that the Lifecycle of a run contains the plans, and the upgraded state.
func TestRunHasPlansAndUpgradedState(t *testing.T) {
	f := on()
	d, thing := drive(t, f)
	run := must(thing.Create(ctx, config, driver.Initially(obj{"name": unknown, "size": cty.DynamicVal, "token": "secret"})))
	first, last := run.Lifecycle.InitialPlanned.GetAttr("name"), run.Lifecycle.FinalPlanned.GetAttr("name")
	if found := run.Lifecycle.Check(); first.IsKnown() || !last.IsKnown() || len(found) != 0 {
		t.Errorf("%#v, %#v, %v", first, last, found)
	}
	f.edits = []any{give[apply](dynamic(exists)), fail[apply]}
	run, err := thing.Update(ctx, obj{"name": "b"}) // the deletion fails
	if err == nil || !run.Lifecycle.Prior.RawEquals(value(exists)) || !run.Lifecycle.InitialPlanned.IsNull() {
		t.Errorf("%v, %#v", err, run.Lifecycle)
	}
	old := must(d.Resource("test_thing"))
	if run = must(old.Upgrade(ctx, 3, []byte(oldState), nil)); !run.Lifecycle.Upgraded.RawEquals(old.State()) {
		t.Errorf("the upgraded state is %#v", run.Lifecycle.Upgraded)
	}
}

// TestErrorsHaveDocumentedTypes checks that errors have the documented types.
func TestErrorsHaveDocumentedTypes(t *testing.T) {
	_, thing := drive(t, on(fail[plan]))
	_, err := thing.Create(ctx, config)
	if refused := (*driver.RefusedError)(nil); !errors.As(err, &refused) || refused.RPC != "PlanResourceChange" || !refused.Diagnostics[0].Error {
		t.Errorf("%#v", err)
	}
	_, thing = drive(t, on(set[plan](obj{"name": "b"})))
	_, err = thing.Create(ctx, config)
	if v := (*objchange.Violation)(nil); !errors.As(err, &v) || v.Rule != objchange.RulePlanNotConfig {
		t.Errorf("%#v", err)
	}
	d, thing := drive(t, on(configurable))
	done, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := thing.Create(done, config); !errors.Is(err, context.Canceled) || !thing.State().IsNull() {
		t.Error(err)
	}
	err = d.Configure(ctx, 1)
	if invalid := new(driver.ConfigError); !errors.As(err, &invalid) || invalid.What != "provider configuration" || !errors.As(err, new(*ctydata.ValueError)) {
		t.Errorf("%#v", err)
	}
}

// TestRefusedErrorHidesKeys checks that the path of a diagnostic hides a key that may be a
// secret.
func TestRefusedErrorHidesKeys(t *testing.T) {
	var diags []*tfprotov6.Diagnostic
	for _, attr := range []string{"token", "password", "name"} {
		diags = append(diags, &tfprotov6.Diagnostic{Severity: tfprotov6.DiagnosticSeverityError, Summary: "Bad",
			Attribute: tftypes.NewAttributePath().WithAttributeName(attr).WithElementKeyString("hunter2")})
	}
	_, thing := drive(t, on(func(r planResp) { r.Diagnostics = diags }))
	_, err := thing.Create(ctx, config)
	if want := `PlanResourceChange of test_thing: .token[(sensitive)]: Bad; .password[(sensitive)]: Bad; .name["hunter2"]: Bad`; err == nil || err.Error() != want {
		t.Error(err)
	}
}

// TestRunStringHasNoSecrets checks that String of a run contains the action and the findings, and no secrets.
func TestRunStringHasNoSecrets(t *testing.T) {
	_, thing := drive(t, on(set[read](obj{"size": 2, "token": "other secret"})))
	run := must(thing.Create(ctx, config))
	const want = `create
ReadResource of test_thing
  read-after-apply: .size: the read right after apply differs from the applied object: ~ .size: 1 -> 2 [perpetual-diff]
  read-after-apply: .token: the read right after apply differs from the applied object: ~ .token: (sensitive) [perpetual-diff]`
	if diff := cmp.Diff(want, fmt.Sprintf("%v", run)); diff != "" {
		t.Error(diff)
	}
}

// TestReportReceivesEachFindingOnce checks that the report receives all findings, and repeated findings once.
func TestReportReceivesEachFindingOnce(t *testing.T) {
	var found tfcheck.Collector
	_, thing := drive(t, on(set[plan](obj{"name": "A"})).legacy(), driver.ReportTo(found.Report))
	run := must(thing.Create(ctx, config))
	want := []string{"PlanResourceChange response .name plan-not-config, tolerated"}
	if diff := cmp.Diff([][]string{want, want}, [][]string{brief(found.Findings()), brief(run.Findings)}); diff != "" {
		t.Error(diff)
	}
}

// TestDriverReadsDataAndOpensEphemeral checks the results of data sources and ephemeral resources, and their
// requests.
func TestDriverReadsDataAndOpensEphemeral(t *testing.T) {
	yet := obj{"name": unknown}
	for name, test := range map[string]struct {
		fake      *fake
		ephemeral bool
		typeName  string
		config    obj
		took      string
		id        cty.Value // of the result
		found     string
		fails     string
	}{
		"data":              {on(), false, "test_thing", config, "ValidateData ReadDataSource", text("i-1"), "", ""},
		"ephemeral":         {on(), true, "test_thing", config, "ValidateEphemeral OpenEphemeral CloseEphemeral", text("i-1"), "", ""},
		"unknown data":      {on(), false, "test_thing", yet, "ValidateData", unknown, "", ""},
		"unknown ephemeral": {on(), true, "test_thing", yet, "ValidateEphemeral", unknown, "", ""},
		"unknown result":    {on(give[open](dynamic(planned))), true, "test_thing", config, "ValidateEphemeral OpenEphemeral CloseEphemeral", unknown, "", ""},
		"null":              {on(give[data](nothing())), false, "test_thing", config, "ValidateData ReadDataSource", cty.NilVal, "ReadDataSource response data-null", "null"},
		"any bytes":         {on(set[data](obj{"id": text(latin)})), false, "test_thing", obj{"name": latin}, "ValidateData ReadDataSource", text(latin), "", ""},
		"no type":           {on(), false, "test_thong", config, "", cty.NilVal, "", "no schema of the data source"},
	} {
		t.Run(name, func(t *testing.T) {
			d, _ := drive(t, test.fake)
			read := d.ReadDataSource
			if test.ephemeral {
				read = d.OpenEphemeral
			}
			run, err := read(ctx, test.typeName, test.config)
			if (err == nil) != (test.fails == "") || err != nil && !strings.Contains(err.Error(), test.fails) {
				t.Errorf("ended with %v", err)
			}
			if got := strings.Join(brief(run.Findings), "; "); got != test.found {
				t.Errorf("found %s", got)
			}
			if took := test.fake.took(); took != test.took {
				t.Errorf("took %s", took)
			}
			if test.id != cty.NilVal && !run.Result.GetAttr("id").RawEquals(test.id) {
				t.Errorf("read %#v", run.Result)
			}
		})
	}
}

// latin is not valid UTF-8. Strings of Core and cty may contain any bytes, and some real
// providers return such strings.
const latin = "caf\xe9"

// TestFailedCallIsAnError checks that each failed call, with an error or without a response, causes an
// error with the name of the RPC, and no panic.
func TestFailedCallIsAnError(t *testing.T) {
	life := func(f *fake) error {
		d, err := driver.New6(ctx, f)
		if err != nil {
			return err
		}
		if err := d.Configure(ctx, nil); err != nil {
			return err
		}
		thing := must(d.Resource("test_thing"))
		for _, do := range []step{create(config), update(obj{"name": "b"}), destroy, byItsID} {
			if run, err := do(f, thing); err != nil || run == nil {
				return err
			}
		}
		if run, err := d.ReadDataSource(ctx, "test_thing", config); err != nil || run == nil {
			return err
		}
		_, err = d.OpenEphemeral(ctx, "test_thing", config)
		return err
	}
	well := on(configurable)
	if err := life(well); err != nil {
		t.Fatal(err)
	}
	for n, rpc := range well.calls {
		for with, want := range map[error]string{errors.New("no connection"): "no connection", nil: "the provider did not respond"} {
			err := life(&fake{edits: []any{configurable}, fails: n + 1, with: with})
			if rpc == "GetResourceIdentitySchemas" && err == nil {
				continue // the next call reports it
			}
			if err == nil || !strings.Contains(err.Error(), rpc+": "+want) && !strings.Contains(err.Error(), rpc+" of test_thing: "+want) {
				t.Errorf("%s, the call %d: %v", rpc, n+1, err)
			}
		}
	}
}

// configurable adds a provider configuration to the schemas.
func configurable(r *schemas) {
	r.Provider = &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{
		{Name: "region", Type: tftypes.String, Optional: true},
	}}}
}

func TestConfigureChecksTheConfiguration(t *testing.T) {
	d := must(driver.New6(ctx, on(configurable), driver.TerraformVersion("1.2.3")))
	for _, fine := range []any{nil, obj{}, obj{"region": "x"}, obj{"region": unknown}} {
		if err := d.Configure(ctx, fine); err != nil {
			t.Errorf("%v: %v", fine, err)
		}
	}
	if err := d.Configure(ctx, obj{"regoin": "x"}); err == nil || !strings.Contains(err.Error(), "the provider configuration is not valid: ") {
		t.Error(err)
	}
	if _, err := driver.New6(ctx, on(fail[schemas])); err == nil || err.Error() != "GetProviderSchema: Out of things" {
		t.Error(err)
	}
}

// TestDriverHasSchemas checks the schemas that a driver returns, for both protocols.
func TestDriverHasSchemas(t *testing.T) {
	f := on(configurable)
	server := must(tf6to5server.DowngradeServer(ctx, func() tfprotov6.ProviderServer { return f }))
	for attrs, drivers := range map[int][]*driver.Driver{1: {must(driver.New5(ctx, server)), must(driver.New6(ctx, f))}, 0: {must(driver.New6(ctx, on()))}} {
		for _, d := range drivers {
			schema, err := d.ProviderSchema()
			if names := d.ResourceTypes(); err != nil || len(schema.Attributes) != attrs || len(names) != 1 || names[0] != "test_thing" {
				t.Errorf("%v, %v, %v", schema, err, names)
			}
		}
	}
}

// TestUnconfiguredProviderIsNotCalled checks that a driver sends no requests to a provider that is not configured.
func TestUnconfiguredProviderIsNotCalled(t *testing.T) {
	f := on()
	d := must(driver.New6(ctx, f))
	f.calls = nil
	const want = "ValidateResourceConfig of test_thing: not sent: Configure was not called, or failed"
	if run, err := must(d.Resource("test_thing")).Create(ctx, config); !errors.Is(err, driver.ErrNotConfigured) || err.Error() != want || run == nil {
		t.Errorf("%v, %v", run, err)
	}
	if run, err := d.ReadDataSource(ctx, "test_thing", config); !errors.Is(err, driver.ErrNotConfigured) || run == nil || f.calls != nil {
		t.Errorf("%v, %v, sent %v", run, err, f.calls)
	}
}

// TestDriverStopsWhereItsProgramStops checks that a driver stops where its program stops, also with the program
// of a checking server.
func TestDriverStopsWhereItsProgramStops(t *testing.T) {
	unknowing := on(set[read](obj{"id": unknown}))
	five := must(tf6to5server.DowngradeServer(ctx, func() tfprotov6.ProviderServer { return unknowing }))
	for name, d := range map[string]*driver.Driver{
		"option":                        must(driver.New6(ctx, unknowing, driver.For(tfcheck.OpenTofu))),
		"checking server":               must(driver.New6(ctx, tfcheck.Server6(unknowing, nil, tfcheck.OpenTofu))),
		"checking server of protocol 5": must(driver.New5(ctx, tfcheck.Server5(five, nil, tfcheck.OpenTofu))),
		"last option":                   must(driver.New6(ctx, tfcheck.Server6(unknowing, nil), driver.For(tfcheck.OpenTofu))),
	} {
		thing := configured(t, d)
		run, err := thing.Import(ctx, "i-1")
		if diff := cmp.Diff([]string{"ReadResource response .id state-unknown, unchecked"}, brief(run.Findings)); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
		if _, err := thing.Update(ctx, config); err != nil {
			t.Errorf("%s: the read state is not used: %v", name, err)
		}
	}
	_, thing := drive(t, unknowing, driver.For(tfcheck.Terraform))
	if _, err := thing.Import(ctx, "i-1"); err == nil {
		t.Error("Terraform continues after the error")
	}
}
