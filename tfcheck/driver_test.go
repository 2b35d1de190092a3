package tfcheck_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-mux/tf6to5server"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/driver"
)

// drive returns a configured driver of the fake and its instance of a thing.
func drive(t *testing.T, f *fake, opts ...driver.Option) (*driver.Driver, *driver.Instance) {
	t.Helper()
	d, err := driver.New6(ctx, f, opts...)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Configure(ctx, nil); err != nil {
		t.Fatal(err)
	}
	i, err := d.Resource("test_thing")
	if err != nil {
		t.Fatal(err)
	}
	f.calls = nil
	return d, i
}

// took returns the names of the RPCs since it was last asked, shortened.
func (f *fake) took() string {
	short := strings.NewReplacer(" GetResourceIdentitySchemas", "", "GetResourceIdentitySchemas ", "", "ResourceState", "", "ResourceChange", "", "ResourceConfig", "", "Resource", "")
	defer func() { f.calls = nil }()
	return short.Replace(strings.Join(f.calls, " "))
}

// well fails the test unless the run was without an error and found nothing.
func well(t *testing.T) func(*driver.Run, error) *driver.Run {
	return func(run *driver.Run, err error) *driver.Run {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if len(run.Findings) != 0 {
			t.Errorf("findings %v", run.Findings)
		}
		return run
	}
}

// A whole life: what is asked for in each run is what Core asks for, as the
// recorded runs of Terraform show, and then what Core asks for in the next run.
func TestLife(t *testing.T) {
	f := &fake{}
	_, thing := drive(t, f)
	for _, step := range []struct {
		name   string
		do     func() (*driver.Run, error)
		action objchange.Action
		took   string
		state  any
	}{
		{
			"create", func() (*driver.Run, error) { return thing.Create(ctx, config) }, objchange.ActionCreate,
			"Validate Plan Validate Plan Apply Upgrade Read Plan", exists,
		},
		{"refresh", func() (*driver.Run, error) { return thing.Refresh(ctx) }, objchange.ActionNoOp, "Upgrade Read", exists},
		{
			"update to the same", func() (*driver.Run, error) { return thing.Update(ctx, config) }, objchange.ActionNoOp,
			"Upgrade Read Validate Plan", exists,
		},
		{
			"update", func() (*driver.Run, error) { return thing.Update(ctx, obj{"name": "a", "size": 2}) }, objchange.ActionUpdate,
			"Upgrade Read Validate Plan Upgrade Validate Plan Apply Upgrade Read Plan", obj{"id": "i-1", "name": "a", "size": 2},
		},
		{
			"update what needs replacement", func() (*driver.Run, error) { return thing.Update(ctx, obj{"name": "b"}) }, objchange.ActionReplace,
			"Upgrade Read Validate Plan Plan Upgrade Apply Validate Plan Apply Upgrade Read Plan", obj{"id": "i-1", "name": "b"},
		},
		{
			"replace", func() (*driver.Run, error) { return thing.Replace(ctx, obj{"name": "b"}) }, objchange.ActionReplace,
			"Upgrade Read Validate Plan Plan Upgrade Apply Validate Plan Apply Upgrade Read Plan", obj{"id": "i-1", "name": "b"},
		},
		{"destroy", func() (*driver.Run, error) { return thing.Destroy(ctx) }, objchange.ActionDelete, "Upgrade Read Validate Plan Upgrade Plan Upgrade Apply", cty.NullVal(thingType)},
		{"destroy again", func() (*driver.Run, error) { return thing.Destroy(ctx) }, objchange.ActionNoOp, "", cty.NullVal(thingType)},
		{"import", func() (*driver.Run, error) { return thing.Import(ctx, "i-1") }, objchange.ActionNoOp, "Import Read", obj{"id": "i-1", "name": "found"}},
	} {
		run := well(t)(step.do())
		if run.Action != step.action {
			t.Errorf("%s: %s, want %s", step.name, run.Action, step.action)
		}
		if took := f.took(); took != step.took {
			t.Errorf("%s took\n%s, want\n%s", step.name, took, step.took)
		}
		if want := value(step.state); !thing.State().RawEquals(want) {
			t.Errorf("%s: state %#v, want %#v", step.name, thing.State(), want)
		}
		if found := run.Lifecycle.Check(); len(found) != 0 {
			t.Errorf("%s: the lifecycle: %v", step.name, found)
		}
	}
}

func TestLifeOfProtocol5(t *testing.T) {
	server := must(tf6to5server.DowngradeServer(ctx, func() tfprotov6.ProviderServer { return &fake{} }))
	var _ tfprotov5.ProviderServer = server
	d, err := driver.New5(ctx, server)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Configure(ctx, nil); err != nil {
		t.Fatal(err)
	}
	thing := must(d.Resource("test_thing"))
	well(t)(thing.Create(ctx, config))
	well(t)(thing.Update(ctx, obj{"name": "b"}))
	well(t)(thing.Destroy(ctx))
}

// Private state and identity go from answer to request.
func TestPrivateAndIdentity(t *testing.T) {
	_, thing := drive(t, &fake{
		plan: func(req *tfprotov6.PlanResourceChangeRequest, resp *tfprotov6.PlanResourceChangeResponse) {
			resp.PlannedIdentity = req.PriorIdentity
		},
		apply: func(req *tfprotov6.ApplyResourceChangeRequest, resp *tfprotov6.ApplyResourceChangeResponse) {
			if got := string(req.PlannedPrivate); !strings.HasSuffix(got, "p") {
				t.Errorf("planned private %q", got)
			}
		},
		read: func(req *tfprotov6.ReadResourceRequest, resp *tfprotov6.ReadResourceResponse) {
			if got := string(req.Private); !strings.HasSuffix(got, "pa") || req.CurrentIdentity == nil {
				t.Errorf("private %q, identity %v", got, req.CurrentIdentity)
			}
		},
	})
	well(t)(thing.Create(ctx, config))
	if !thing.Identity().RawEquals(cty.ObjectVal(map[string]cty.Value{"id": text("i-1")})) {
		t.Errorf("%#v", thing.Identity())
	}
	well(t)(thing.Update(ctx, obj{"name": "a"}))
	well(t)(thing.Destroy(ctx))
	if thing.Identity() != cty.NilVal {
		t.Errorf("%#v", thing.Identity())
	}
	_, thing = drive(t, &fake{})
	well(t)(thing.ImportIdentity(ctx, obj{"id": "i-1"}))
}

// With unknown values when the plan is made, it is made again at apply.
func TestUnknownConfiguration(t *testing.T) {
	_, thing := drive(t, &fake{})
	run := well(t)(thing.Create(ctx, config, driver.Initially(obj{"name": unknown, "size": cty.DynamicVal, "token": "secret"})))
	if initial := run.Lifecycle.InitialPlanned.GetAttr("name"); initial.IsKnown() {
		t.Errorf("%#v", initial)
	}
	if final := run.Lifecycle.FinalPlanned.GetAttr("name"); !final.IsKnown() {
		t.Errorf("%#v", final)
	}
	if found := run.Lifecycle.Check(); len(found) != 0 {
		t.Error(found)
	}
}

func TestArguments(t *testing.T) {
	d, thing := drive(t, &fake{})
	for _, test := range []struct {
		err  error
		want string
	}{
		{second(d.Resource("test_thong")), `the provider has no schema of the resource type "test_thong"`},
		{second(thing.Update(ctx, config)), "test_thing does not exist: create it first"},
		{second(thing.Create(ctx, obj{})), "the configuration is not valid: .name: the attribute is required and not set [config-required]"},
		{second(thing.Create(ctx, obj{"name": "a", "id": "i-1"})), "[config-computed-only]"},
		{second(thing.Create(ctx, obj{"name": unknown})), "the configuration at apply does not follow from the one at plan: .name: "},
		{second(thing.Create(ctx, config, driver.Initially(obj{"name": "b"}))), "the configuration at apply does not follow from the one at plan: "},
		{second(thing.Create(ctx, 3)), "the configuration is not valid: "},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("%v, want %s", test.err, test.want)
		}
	}
	well(t)(thing.Create(ctx, config))
	if _, err := thing.Create(ctx, config); err == nil || err.Error() != "test_thing exists already" {
		t.Error(err)
	}
}

func second[T any](_ T, err error) error { return err }

// Where Core stops, the driver stops, and the state is what Core keeps.
func TestBroken(t *testing.T) {
	plans := 0
	size := func(n int64) map[string]cty.Value { return map[string]cty.Value{"size": cty.NumberIntVal(n)} }
	for name, test := range map[string]struct {
		server  *fake
		want    []string
		err     string
		state   any
		tainted bool
	}{
		"the plan": {
			&fake{plan: func(_ planReq, r planResp) { r.PlannedState = with(r.PlannedState, size(2)) }},
			[]string{"PlanResourceChange response .size plan-not-config"}, ".size", nil, false,
		},
		"the second plan": {
			&fake{plan: func(_ planReq, r planResp) {
				if plans++; plans == 2 {
					r.PlannedState = with(r.PlannedState, map[string]cty.Value{"id": text("i-9")})
				} else if plans == 1 {
					r.PlannedState = with(r.PlannedState, map[string]cty.Value{"id": text("i-8")})
				}
			}},
			[]string{"PlanResourceChange response .id inconsistent-value"}, "replan: .id", nil, false,
		},
		"apply": {
			&fake{apply: func(_ applyReq, r applyResp) { r.NewState = with(r.NewState, size(2)) }},
			[]string{"ApplyResourceChange response .size inconsistent-value"}, ".size",
			obj{"id": "i-1", "name": "a", "size": 2, "token": "secret"}, true,
		},
		"apply of another type": {
			&fake{apply: func(_ applyReq, r applyResp) { r.NewState = &tfprotov6.DynamicValue{MsgPack: []byte{0x90}} }},
			[]string{"ApplyResourceChange response type-mismatch"}, "type-mismatch", nil, false,
		},
		"refused half-way": {
			&fake{apply: func(_ applyReq, r applyResp) { r.NewState, r.Diagnostics = dynamic(planned), failing }},
			[]string{"ApplyResourceChange response .id state-unknown"}, "ApplyResourceChange of test_thing: Out of things", config, true,
		},
		"a perpetual diff": {
			&fake{read: func(_ readReq, r readResp) { r.NewState = with(r.NewState, size(2)) }},
			[]string{"ReadResource response .size perpetual-diff"}, "", exists, false,
		},
		"gone at once": {
			&fake{read: func(_ readReq, r readResp) { r.NewState = nothing() }},
			[]string{"ReadResource response perpetual-diff"}, "", exists, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, thing := drive(t, test.server)
			run, err := thing.Create(ctx, config)
			if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
				t.Errorf("error %v", err)
			}
			if diff := cmp.Diff(test.want, brief(run.Findings)); diff != "" {
				t.Error(diff)
			}
			state := cty.NullVal(thingType)
			if test.state != nil {
				state = value(test.state)
			}
			if !thing.State().RawEquals(state) || thing.Tainted() != test.tainted {
				t.Errorf("state %#v, tainted %t", thing.State(), thing.Tainted())
			}
		})
	}
}

func TestErrors(t *testing.T) {
	_, thing := drive(t, &fake{plan: func(_ *tfprotov6.PlanResourceChangeRequest, r *tfprotov6.PlanResourceChangeResponse) {
		r.Diagnostics = failing
	}})
	_, err := thing.Create(ctx, config)
	var refused *driver.RefusedError
	if !errors.As(err, &refused) || refused.RPC != "PlanResourceChange" || !refused.Diagnostics[0].Error {
		t.Errorf("%#v", err)
	}

	_, thing = drive(t, &fake{plan: func(_ *tfprotov6.PlanResourceChangeRequest, r *tfprotov6.PlanResourceChangeResponse) {
		r.PlannedState = with(r.PlannedState, map[string]cty.Value{"name": text("b")})
	}})
	_, err = thing.Create(ctx, config)
	var v *objchange.Violation
	if !errors.As(err, &v) || v.Rule != objchange.RulePlanNotConfig {
		t.Errorf("%#v", err)
	}
}

// An object whose creation failed is replaced, and nobody is asked how to change
// it.
func TestTainted(t *testing.T) {
	f := &fake{apply: func(_ *tfprotov6.ApplyResourceChangeRequest, r *tfprotov6.ApplyResourceChangeResponse) {
		r.Diagnostics = failing
	}}
	_, thing := drive(t, f)
	if _, err := thing.Create(ctx, config); err == nil || !thing.Tainted() {
		t.Fatal(err)
	}
	f.apply = nil
	f.took()
	run := well(t)(thing.Update(ctx, config))
	if took := f.took(); run.Action != objchange.ActionReplace || took != "Upgrade Read Validate Plan Upgrade Apply Validate Plan Apply Upgrade Read Plan" || thing.Tainted() {
		t.Errorf("%s, took %s", run.Action, took)
	}
}

func TestDeferral(t *testing.T) {
	defers := func(_ *tfprotov6.PlanResourceChangeRequest, r *tfprotov6.PlanResourceChangeResponse) {
		r.Deferred = &tfprotov6.Deferred{Reason: tfprotov6.DeferredReasonAbsentPrereq}
	}
	_, thing := drive(t, &fake{plan: defers}, driver.AllowDeferral())
	if run := well(t)(thing.Create(ctx, config)); run.Deferred != "ABSENT_PREREQ" || !thing.State().IsNull() {
		t.Errorf("%q, %#v", run.Deferred, thing.State())
	}
	_, thing = drive(t, &fake{plan: defers})
	if _, err := thing.Create(ctx, config); err == nil || !strings.Contains(err.Error(), "not allowed") {
		t.Error(err)
	}
}

func TestUpgrade(t *testing.T) {
	_, thing := drive(t, &fake{upgrade: func(r *tfprotov6.UpgradeResourceStateResponse) {
		r.UpgradedState = dynamic(obj{"id": "i-1", "name": "a"})
	}})
	run := well(t)(thing.Upgrade(ctx, 1, []byte(`{"nome": "a"}`), nil))
	if !run.Lifecycle.Upgraded.RawEquals(thing.State()) {
		t.Errorf("%#v", thing.State())
	}
}

func TestDataAndEphemeral(t *testing.T) {
	f := &fake{}
	d, _ := drive(t, f)
	for name, read := range map[string]func() (*driver.DataRun, error){
		"data":      func() (*driver.DataRun, error) { return d.ReadDataSource(ctx, "test_thing", config) },
		"ephemeral": func() (*driver.DataRun, error) { return d.OpenEphemeral(ctx, "test_thing", config) },
	} {
		run, err := read()
		if err != nil || len(run.Findings) != 0 || !run.Result.RawEquals(value(exists)) {
			t.Errorf("%s: %v, %+v", name, err, run)
		}
	}
	if took := f.took(); !strings.Contains(took, "OpenEphemeral CloseEphemeral") {
		t.Error(took)
	}
	f.data = func(r *tfprotov6.ReadDataSourceResponse) { r.State = nothing() }
	if run, err := d.ReadDataSource(ctx, "test_thing", config); err == nil || len(run.Findings) != 1 {
		t.Errorf("%v, %+v", err, run)
	}
	if run, err := d.ReadDataSource(ctx, "test_thong", config); err == nil || run == nil {
		t.Errorf("%v, %+v", err, run)
	}
}

// Whichever call fails, with an error or with no answer at all, the error says
// so, and nothing panics.
func TestFailingCalls(t *testing.T) {
	life := func(f *fake) error {
		d, err := driver.New6(ctx, f)
		if err != nil {
			return err
		}
		if err := d.Configure(ctx, nil); err != nil {
			return err
		}
		thing, err := d.Resource("test_thing")
		if err != nil {
			return err
		}
		for _, do := range []func() (*driver.Run, error){
			func() (*driver.Run, error) { return thing.Create(ctx, config) },
			func() (*driver.Run, error) { return thing.Update(ctx, obj{"name": "b"}) },
			func() (*driver.Run, error) { return thing.Destroy(ctx) },
			func() (*driver.Run, error) { return thing.Import(ctx, "i-1") },
		} {
			if run, err := do(); err != nil || run == nil {
				return err
			}
		}
		if run, err := d.ReadDataSource(ctx, "test_thing", config); err != nil || run == nil {
			return err
		}
		_, err = d.OpenEphemeral(ctx, "test_thing", config)
		return err
	}
	well := &fake{schema: configurable}
	if err := life(well); err != nil {
		t.Fatal(err)
	}
	for n, rpc := range well.calls {
		for with, want := range map[error]string{errors.New("no connection"): "no connection", nil: "the provider did not respond"} {
			err := life(&fake{schema: configurable, fails: n + 1, with: with})
			if rpc == "GetResourceIdentitySchemas" && err == nil {
				continue // asked again, when it did not fail
			}
			if err == nil || !strings.Contains(err.Error(), rpc+": "+want) && !strings.Contains(err.Error(), rpc+" of test_thing: "+want) {
				t.Errorf("%s, the call %d: %v", rpc, n+1, err)
			}
		}
	}
}
