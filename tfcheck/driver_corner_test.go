//lint:file-ignore SA1019 the legacy type system is tested, too

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
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
)

// What the protocol cannot carry is never sent as nothing.
func TestConfigurationsThatCannotBeSent(t *testing.T) {
	for name, test := range map[string]struct{ value, want any }{
		"marked":        {text("b").Mark("sensitive"), nil},
		"far too large": {cty.MustParseNumberVal("1e5000"), "2^4096"},
	} {
		t.Run(name, func(t *testing.T) {
			_, thing := drive(t, &fake{})
			well(t)(thing.Create(ctx, config))
			changed := obj{"name": test.value}
			if name == "far too large" {
				changed = obj{"name": "a", "size": test.value}
			}
			run, err := thing.Update(ctx, changed)
			if test.want == nil {
				well(t)(run, err)
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.want.(string)) || !thing.State().RawEquals(value(exists)) {
				t.Errorf("%v, state %#v", err, thing.State())
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	_, thing := drive(t, &fake{})
	done, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := thing.Create(done, config); !errors.Is(err, context.Canceled) || !thing.State().IsNull() {
		t.Error(err)
	}
}

// All findings reach the report, those of several responses once.
func TestReportTo(t *testing.T) {
	var found tfcheck.Collector
	_, thing := drive(t, &fake{
		plan: func(_ *tfprotov6.PlanResourceChangeRequest, r *tfprotov6.PlanResourceChangeResponse) {
			r.PlannedState, r.UnsafeToUseLegacyTypeSystem = with(r.PlannedState, map[string]cty.Value{"name": text("A")}), true
		},
	}, driver.ReportTo(found.Report))
	run, err := thing.Create(ctx, config)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(run.Findings, found.Findings(), cmp.Comparer(func(a, b tfcheck.Finding) bool { return a.String() == b.String() })); diff != "" {
		t.Error(diff)
	}
	want := []string{"PlanResourceChange response .name plan-not-config, tolerated"}
	if diff := cmp.Diff(want, brief(found.Findings())); diff != "" {
		t.Error(diff)
	}
}

func TestPlanAndApply(t *testing.T) {
	_, thing := drive(t, &fake{})
	if run := well(t)(thing.Plan(ctx, config)); run.Action != objchange.ActionCreate || !thing.State().IsNull() {
		t.Errorf("%s, %#v", run.Action, thing.State())
	}
	for _, want := range []objchange.Action{objchange.ActionCreate, objchange.ActionNoOp} {
		if run := well(t)(thing.Apply(ctx, config)); run.Action != want {
			t.Errorf("%s, want %s", run.Action, want)
		}
	}
	run := well(t)(thing.Plan(ctx, obj{"name": "b", "token": "hunter2"}))
	if run.Action != objchange.ActionReplace {
		t.Error(run.Action)
	}
}

// Printing a run shows what a person wants to know, and no secret.
func TestRunString(t *testing.T) {
	_, thing := drive(t, &fake{read: func(_ *tfprotov6.ReadResourceRequest, r *tfprotov6.ReadResourceResponse) {
		r.NewState = with(r.NewState, map[string]cty.Value{"size": cty.NumberIntVal(2), "token": text("other secret")})
	}})
	run, err := thing.Create(ctx, config)
	if err != nil {
		t.Fatal(err)
	}
	const want = `create
  + .id = "i-1"
  + .name = "a"
  + .rule = []
  + .size = 1
  + .token = (sensitive)
ReadResource of test_thing
  read-after-apply: .size: right after apply, the object is read otherwise than it was applied: ~ .size: 1 -> 2 [perpetual-diff]
  read-after-apply: .token: right after apply, the object is read otherwise than it was applied: ~ .token: (sensitive) [perpetual-diff]`
	if diff := cmp.Diff(want, fmt.Sprintf("%v", run)); diff != "" {
		t.Error(diff)
	}
}

// A null or unknown configuration is a mistake, not a wish to destroy.
func TestNoConfiguration(t *testing.T) {
	_, thing := drive(t, &fake{})
	well(t)(thing.Create(ctx, config))
	for _, none := range []cty.Value{cty.NullVal(thingType), cty.UnknownVal(thingType), cty.NullVal(cty.DynamicPseudoType)} {
		for name, do := range map[string]func() (*driver.Run, error){
			"update":    func() (*driver.Run, error) { return thing.Update(ctx, none) },
			"replace":   func() (*driver.Run, error) { return thing.Replace(ctx, none) },
			"initially": func() (*driver.Run, error) { return thing.Update(ctx, config, driver.Initially(none)) },
		} {
			if _, err := do(); err == nil || !thing.State().RawEquals(value(exists)) {
				t.Errorf("%s with %#v: %v", name, none, err)
			}
		}
	}
}

// What a failed apply does not return stays as it was.
func TestFailedApplyKeepsTheObject(t *testing.T) {
	f := &fake{}
	_, thing := drive(t, f)
	well(t)(thing.Create(ctx, config))
	f.apply = func(_ *tfprotov6.ApplyResourceChangeRequest, r *tfprotov6.ApplyResourceChangeResponse) {
		*r = tfprotov6.ApplyResourceChangeResponse{Diagnostics: failing}
	}
	if _, err := thing.Update(ctx, obj{"name": "a", "size": 2}); err == nil || !thing.State().RawEquals(value(exists)) || thing.Tainted() {
		t.Errorf("%v, %#v", err, thing.State())
	}
	f.read = func(req *tfprotov6.ReadResourceRequest, _ *tfprotov6.ReadResourceResponse) {
		if string(req.Private) != "pa" || req.CurrentIdentity == nil {
			t.Errorf("private %q, identity %v", req.Private, req.CurrentIdentity)
		}
	}
	well(t)(thing.Refresh(ctx))
}

// A deletion that fails half-way through a replacement leaves the old object, and
// a lifecycle of its deletion.
func TestFailedReplacement(t *testing.T) {
	f := &fake{}
	_, thing := drive(t, f)
	well(t)(thing.Create(ctx, config))
	f.apply = func(_ *tfprotov6.ApplyResourceChangeRequest, r *tfprotov6.ApplyResourceChangeResponse) {
		*r = tfprotov6.ApplyResourceChangeResponse{NewState: dynamic(exists), Diagnostics: failing}
	}
	run, err := thing.Update(ctx, obj{"name": "b"})
	if err == nil || run.Action != objchange.ActionReplace || !thing.State().RawEquals(value(exists)) {
		t.Errorf("%v, %s, %#v", err, run.Action, thing.State())
	}
	if !run.Lifecycle.Prior.RawEquals(value(exists)) || !run.Lifecycle.InitialPlanned.IsNull() {
		t.Errorf("%#v", run.Lifecycle)
	}
}

// Whatever is deferred is left alone.
func TestDeferredEverywhere(t *testing.T) {
	deferred := &tfprotov6.Deferred{Reason: tfprotov6.DeferredReasonAbsentPrereq}
	reads := func(_ *tfprotov6.ReadResourceRequest, r *tfprotov6.ReadResourceResponse) { r.Deferred = deferred }

	f := &fake{}
	_, thing := drive(t, f, driver.AllowDeferral())
	well(t)(thing.Create(ctx, config))
	f.read = reads
	for name, do := range map[string]func() (*driver.Run, error){
		"destroy": func() (*driver.Run, error) { return thing.Destroy(ctx) },
		"update":  func() (*driver.Run, error) { return thing.Update(ctx, obj{"name": "b"}) },
	} {
		if run := well(t)(do()); run.Deferred == "" || !thing.State().RawEquals(value(exists)) {
			t.Errorf("%s: %q, %#v", name, run.Deferred, thing.State())
		}
	}
	_, other := drive(t, &fake{read: reads}, driver.AllowDeferral())
	if run := well(t)(other.Import(ctx, "i-1")); run.Deferred == "" {
		t.Error("import")
	}
	_, other = drive(t, &fake{read: reads}, driver.AllowDeferral())
	if run := well(t)(other.Create(ctx, config)); run.Deferred != "" || run.Action != objchange.ActionCreate {
		t.Errorf("what is deferred after apply: %q, %s", run.Deferred, run.Action)
	}
	plans := 0
	_, other = drive(t, &fake{plan: func(_ *tfprotov6.PlanResourceChangeRequest, r *tfprotov6.PlanResourceChangeResponse) {
		if plans++; plans == 2 {
			r.Deferred = deferred
		}
	}}, driver.AllowDeferral())
	if _, err := other.Create(ctx, config); err == nil || !strings.Contains(err.Error(), "deferred at apply") {
		t.Error(err)
	}
}

// When all is known there may be nothing left to change.
func TestUpdateThatComesToNothing(t *testing.T) {
	f := &fake{}
	_, thing := drive(t, f)
	well(t)(thing.Create(ctx, config))
	f.took()
	run := well(t)(thing.Update(ctx, config, driver.Initially(obj{"name": "a", "size": cty.DynamicVal, "token": "secret"})))
	if took := f.took(); run.Action != objchange.ActionNoOp || strings.Contains(took, "Apply") {
		t.Errorf("%s, took %s", run.Action, took)
	}
}

func TestDataNotKnownYet(t *testing.T) {
	f := &fake{}
	d, _ := drive(t, f)
	run, err := d.ReadDataSource(ctx, "test_thing", obj{"name": unknown})
	if err != nil || len(run.Findings) != 0 || run.Result.GetAttr("id").IsKnown() || strings.Contains(f.took(), "ReadData") {
		t.Errorf("%v, %v", err, run)
	}
	if run, err := d.OpenEphemeral(ctx, "test_thing", obj{"name": unknown}); err != nil || run.Result.GetAttr("id").IsKnown() {
		t.Errorf("%v, %v", err, run)
	}
	f.ephemeral = func(r *tfprotov6.OpenEphemeralResourceResponse) { r.Result = dynamic(planned) }
	if run, err := d.OpenEphemeral(ctx, "test_thing", config); err != nil || len(run.Findings) > 0 || !strings.HasSuffix(f.took(), "CloseEphemeral") {
		t.Error(err)
	}
}

func TestImportOfNothing(t *testing.T) {
	f := &fake{imports: func(r *tfprotov6.ImportResourceStateResponse) { r.ImportedResources[0].State = nothing() }}
	_, thing := drive(t, f)
	if _, err := thing.Import(ctx, "i-1"); err == nil || f.took() != "Import" {
		t.Error(err)
	}
}

// The path of a diagnostic hides a key that may be a secret.
func TestRefusedErrorHidesKeys(t *testing.T) {
	at := func(attr string) *tfprotov6.Diagnostic {
		return &tfprotov6.Diagnostic{
			Severity: tfprotov6.DiagnosticSeverityError, Summary: "Bad",
			Attribute: tftypes.NewAttributePath().WithAttributeName(attr).WithElementKeyString("hunter2"),
		}
	}
	_, thing := drive(t, &fake{plan: func(_ *tfprotov6.PlanResourceChangeRequest, r *tfprotov6.PlanResourceChangeResponse) {
		r.Diagnostics = []*tfprotov6.Diagnostic{at("token"), at("password"), at("name")}
	}})
	_, err := thing.Create(ctx, config)
	if want := `PlanResourceChange of test_thing: .token[(sensitive)]: Bad; .password[(sensitive)]: Bad; .name["hunter2"]: Bad`; err == nil || err.Error() != want {
		t.Error(err)
	}
}
