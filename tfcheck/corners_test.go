//lint:file-ignore SA1019 the legacy type system is what is tested

package tfcheck_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
)

// intoSet is a path that leads through an element of a set, which the protocol has not.
var intoSet = tftypes.NewAttributePath().WithAttributeName("rule").WithElementKeyValue(tftypes.NewValue(tftypes.String, "x")).WithAttributeName("port")

// rules are a thing with one rule.
func rules(port int) obj { return obj{"name": "a", "rule": []any{obj{"port": port}}} }

// A path that requires replacement ends before the first set element, where the wire
// ends it: it leads somewhere, and the whole set counts.
func TestCutsReplacePathsAtSets(t *testing.T) {
	into := func() *fake {
		return planning(func(_ planReq, r planResp) { r.RequiresReplace = []*tftypes.AttributePath{intoSet} })
	}
	update := func(s tfprotov6.ProviderServer) ([]*tfprotov6.Diagnostic, error) {
		prior := rules(80)
		prior["id"] = "i-1"
		proposed := rules(81)
		proposed["id"] = "i-1"
		resp, err := s.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{
			TypeName: "test_thing", PriorState: dynamic(prior), Config: dynamic(rules(81)), ProposedNewState: dynamic(proposed),
		})
		return diagnostics(resp, err)
	}
	var found tfcheck.Collector
	for name, server := range wrapped(into(), found.Report) {
		if _, err := update(server); err != nil || len(found.Findings()) > 0 {
			t.Errorf("%s: %v, %v", name, err, found.Findings())
		}
	}
	_, thing := drive(t, into())
	well(t)(thing.Create(ctx, rules(80)))
	run := well(t)(thing.Update(ctx, rules(81)))
	if run.Action != objchange.ActionReplace || len(run.RequiresReplace) != 1 || !run.RequiresReplace[0].Equals(cty.GetAttrPath("rule")) {
		t.Errorf("%s, for %#v", run.Action, run.RequiresReplace)
	}
}

// importsIdentity asks for a thing by its identity.
func importsIdentity(s tfprotov6.ProviderServer) ([]*tfprotov6.Diagnostic, error) {
	resp, err := s.ImportResourceState(ctx, &tfprotov6.ImportResourceStateRequest{TypeName: "test_thing", Identity: identified("i-1")})
	return diagnostics(resp, err)
}

// updates asks for the plan of a thing that is there, with its size.
func updates(prior obj, allowed bool) asking {
	return func(s tfprotov6.ProviderServer) ([]*tfprotov6.Diagnostic, error) {
		proposed := obj{"id": prior["id"], "name": "a", "size": 2}
		resp, err := s.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{
			TypeName: "test_thing", PriorState: dynamic(prior), Config: dynamic(obj{"name": "a", "size": 2}), ProposedNewState: dynamic(proposed),
			PriorIdentity: identified("i-1"), ClientCapabilities: &tfprotov6.PlanResourceChangeClientCapabilities{DeferralAllowed: allowed},
		})
		return diagnostics(resp, err)
	}
}

var nullIdentity = &tfprotov6.ResourceIdentityData{IdentityData: &tfprotov6.DynamicValue{MsgPack: []byte{0xc0}}}

// imports has the fake edit the object that it imports.
func imports(edit func(*tfprotov6.ImportedResource)) *fake {
	return &fake{imports: func(r *tfprotov6.ImportResourceStateResponse) { edit(r.ImportedResources[0]) }}
}

// infinite replaces the size.
func infinite(v *tfprotov6.DynamicValue) *tfprotov6.DynamicValue {
	return with(v, map[string]cty.Value{"size": cty.NegativeInfinity})
}

// What Terraform rejects of single answers, in both protocols.
func TestCornersOfAnswers(t *testing.T) {
	sized := obj{"id": "i-1", "name": "a", "size": 1}
	for name, test := range map[string]struct {
		server *fake
		call   asking
		want   []string
	}{
		"unknown identity beside an error, after apply": {
			&fake{apply: func(_ applyReq, r applyResp) { r.NewIdentity, r.Diagnostics = unknownIdentity, failing }}, applyThing,
			[]string{"ApplyResourceChange identity .id state-unknown"},
		},
		"unknown identity beside an error, read": {
			&fake{read: func(_ readReq, r readResp) { r.NewState, r.NewIdentity, r.Diagnostics = nil, unknownIdentity, failing }}, readThing,
			[]string{"ReadResource identity .id state-unknown"},
		},
		"unknown identity beside an error, planned to update": {
			plans(func(_ planReq, r planResp) {
				r.PlannedState, r.RequiresReplace, r.PlannedIdentity, r.Diagnostics = nil, nil, unknownIdentity, failing
			}), updates(sized, false),
			[]string{"PlanResourceChange identity .id state-unknown"},
		},
		"unknown identity beside an error, perhaps planned to replace": {
			plans(func(_ planReq, r planResp) {
				r.PlannedState, r.PlannedIdentity, r.Diagnostics = nil, unknownIdentity, failing
			}),
			updates(sized, false), nil,
		},
		"unknown identity beside an error, planned to create": {
			plans(func(_ planReq, r planResp) {
				r.PlannedState, r.PlannedIdentity, r.Diagnostics = nil, unknownIdentity, failing
			}),
			createThing, nil,
		},
		"another identity beside an error": {
			&fake{apply: func(_ applyReq, r applyResp) { r.NewIdentity, r.Diagnostics = identified("i-2"), failing }}, applyThing, nil,
		},
		"import by identity returns a null identity": {
			imports(func(i *tfprotov6.ImportedResource) { i.Identity = nullIdentity }), importsIdentity,
			[]string{"ImportResourceState identity import-identity"},
		},
		"import by identity returns a null state": {
			imports(func(i *tfprotov6.ImportedResource) { i.State = nothing() }), importsIdentity, nil,
		},
		"import by ID returns a null identity": {
			imports(func(i *tfprotov6.ImportedResource) { i.Identity = nullIdentity }), importsThing, nil,
		},
		"import by ID returns a null state": {
			imports(func(i *tfprotov6.ImportedResource) { i.State = nothing() }), importsThing,
			[]string{"ImportResourceState response import-count"},
		},
		"plan deferred without permission beside an error": {
			plans(func(_ planReq, r planResp) { r.Deferred, r.Diagnostics = &tfprotov6.Deferred{}, failing }), createThing,
			[]string{"PlanResourceChange response deferral"},
		},
		"read deferred without permission beside an error": {
			&fake{read: func(_ readReq, r readResp) { r.Deferred, r.Diagnostics = &tfprotov6.Deferred{}, failing }}, readThing, nil,
		},
		"import deferred without permission beside an error": {
			&fake{imports: func(r *tfprotov6.ImportResourceStateResponse) {
				r.Deferred, r.Diagnostics = &tfprotov6.Deferred{}, failing
			}}, importsThing, nil,
		},
		"infinity planned": {
			plans(func(_ planReq, r planResp) { r.PlannedState = infinite(r.PlannedState) }), createThing,
			[]string{"PlanResourceChange response .size plan-not-config", "PlanResourceChange response .size type-mismatch"},
		},
		"infinity applied": {
			&fake{apply: func(_ applyReq, r applyResp) { r.NewState = infinite(r.NewState) }}, applyThing,
			[]string{"ApplyResourceChange response .size inconsistent-value", "ApplyResourceChange response .size type-mismatch"},
		},
		"infinity in what a failed apply leaves": {
			&fake{apply: func(_ applyReq, r applyResp) { r.NewState, r.Diagnostics = infinite(r.NewState), failing }}, applyThing,
			[]string{"ApplyResourceChange response .size type-mismatch"},
		},
		"infinity read": {
			&fake{read: func(_ readReq, r readResp) { r.NewState = infinite(r.NewState) }}, readThing,
			[]string{"ReadResource response .size type-mismatch"},
		},
		"infinity read by a data source": {
			&fake{data: func(r *tfprotov6.ReadDataSourceResponse) { r.State = infinite(r.State) }}, dataThing,
			[]string{"ReadDataSource response .size type-mismatch"},
		},
		"infinity imported, and yet to be read": {
			imports(func(i *tfprotov6.ImportedResource) { i.State = infinite(i.State) }), importsThing, nil,
		},
		"plan after a deferred read that left unknown values": {
			&fake{}, updates(obj{"id": unknown, "name": "a", "size": 1}, true), nil,
		},
		"plan of an unknown prior state without deferral": {
			&fake{}, updates(obj{"id": unknown, "name": "a", "size": 1}, false),
			[]string{"PlanResourceChange request .id state-unknown"},
		},
		"write-only after apply": {
			&fake{apply: func(_ applyReq, r applyResp) {
				r.NewState = with(r.NewState, map[string]cty.Value{"password": text("leak")})
			}}, applyThing,
			[]string{"ApplyResourceChange response .password inconsistent-value", "ApplyResourceChange response .password write-only-not-null"},
		},
		"write-only after apply under the legacy flag": {
			&fake{apply: func(_ applyReq, r applyResp) {
				r.NewState = with(r.NewState, map[string]cty.Value{"password": text("leak"), "name": text("b")})
				r.UnsafeToUseLegacyTypeSystem = true
			}}, applyThing,
			[]string{"ApplyResourceChange response .password write-only-not-null"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			checkAnswer(t, test.server, test.call, test.want)
			checkWitness(t, test.server, test.call, test.want)
		})
	}
}

// checkAnswer holds the checking servers of both protocols to what is to be found.
func checkAnswer(t *testing.T, f *fake, call asking, want []string, program ...tfcheck.Program) {
	t.Helper()
	var found tfcheck.Collector
	for name, server := range wrapped(f, found.Report, program...) {
		before := len(found.Findings())
		if _, err := call(server); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, brief(found.Findings()[before:])); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The message about an infinite number in a secret place does not have its key.
func TestInfinityHidesKeys(t *testing.T) {
	schema := &configschema.Block{Attributes: map[string]*configschema.Attribute{
		"loads":  {Type: cty.Map(cty.Number), Optional: true, Computed: true, Sensitive: true},
		"counts": {Type: cty.Set(cty.Object(map[string]cty.Type{"n": cty.Number})), Optional: true, Computed: true},
		"any":    {Type: cty.DynamicPseudoType, Optional: true, Computed: true},
	}}
	planned := must(driver.ValueOf(schema, obj{
		"loads":  obj{"hunter2": cty.PositiveInfinity},
		"counts": []any{obj{"n": cty.PositiveInfinity}, obj{"n": 1}},
		"any":    cty.TupleVal([]cty.Value{cty.True, cty.NegativeInfinity}),
	}))
	x := tfcheck.Exchange{RPC: "PlanResourceChange", Schema: must(objchange.Compile(schema)), Config: schema.EmptyValue(),
		Prior: cty.NullVal(schema.ImpliedType()), Response: planned}
	want := []string{
		"PlanResourceChange response .any[1] type-mismatch",
		"PlanResourceChange response .counts[*] type-mismatch",
		"PlanResourceChange response .loads[(sensitive)] type-mismatch",
	}
	if diff := cmp.Diff(want, brief(x.Findings())); diff != "" {
		t.Error(diff)
	}
}

// The object stays as it was when an apply returns an infinite number, which no state
// file can hold.
func TestInfinityIsNotKept(t *testing.T) {
	f := &fake{apply: func(q applyReq, r applyResp) {
		if !decoded(q.PriorState).IsNull() {
			r.NewState = infinite(r.NewState)
		}
	}}
	_, thing := drive(t, f)
	well(t)(thing.Create(ctx, config))
	if _, err := thing.Update(ctx, obj{"name": "a", "size": 2}); err == nil || !thing.State().RawEquals(value(exists)) {
		t.Errorf("%v, %#v", err, thing.State())
	}
}

// From Terraform 1.17 on, an object whose configuration was removed is read before its
// destruction is planned.
func TestReadsRemovedObjectsInTheOrderOfTheVersion(t *testing.T) {
	const planned, read = "Upgrade Plan Read Upgrade Apply", "Upgrade Read Plan Upgrade Apply"
	for name, test := range map[string]struct {
		opts []driver.Option
		want string
	}{
		"unless said otherwise": {nil, planned},
		"1.11.4":                {[]driver.Option{driver.TerraformVersion("1.11.4")}, planned},
		"1.16.0":                {[]driver.Option{driver.TerraformVersion("1.16.0")}, planned},
		"1.17.0-alpha20260812":  {[]driver.Option{driver.TerraformVersion("1.17.0-alpha20260812")}, read},
		"1.18.2":                {[]driver.Option{driver.TerraformVersion("1.18.2")}, read},
		"2.0.0":                 {[]driver.Option{driver.TerraformVersion("2.0.0")}, read},
		"no version":            {[]driver.Option{driver.TerraformVersion("dev")}, planned},
		"OpenTofu":              {[]driver.Option{driver.TerraformVersion("1.17.0"), driver.For(tfcheck.OpenTofu)}, planned},
	} {
		t.Run(name, func(t *testing.T) {
			f := &fake{}
			_, thing := drive(t, f, test.opts...)
			well(t)(thing.Import(ctx, "i-1"))
			f.took()
			well(t)(thing.Destroy(ctx))
			if got := f.took(); got != test.want || !thing.State().IsNull() {
				t.Errorf("took %s, want %s", got, test.want)
			}
		})
	}
}

// A removed object that turns out to be gone is not planned to be destroyed.
func TestRemovedObjectThatIsGone(t *testing.T) {
	f := &fake{}
	_, thing := drive(t, f, driver.TerraformVersion("1.17.0"))
	well(t)(thing.Import(ctx, "i-1"))
	f.read = func(_ readReq, r readResp) { r.NewState = nothing() }
	f.took()
	if run := well(t)(thing.Destroy(ctx)); f.took() != "Upgrade Read" || run.Action != objchange.ActionNoOp || !thing.State().IsNull() {
		t.Errorf("%s, %#v", run.Action, thing.State())
	}
}

// Where an update becomes a replacement at apply, the plan for the new object is made,
// too, and what became unknown in it is found.
func TestFindsWhatALateReplacementMakesUnknown(t *testing.T) {
	f := planning(func(q planReq, r planResp) {
		r.RequiresReplace = nil
		if decoded(q.Config).GetAttr("size").IsKnown() && !decoded(q.Config).GetAttr("size").RawEquals(decoded(q.PriorState).GetAttr("size")) {
			r.RequiresReplace = []*tftypes.AttributePath{tftypes.NewAttributePath().WithAttributeName("size")}
		}
	})
	_, thing := drive(t, f)
	well(t)(thing.Create(ctx, obj{"name": "a", "size": 1}))
	notes := f.note()
	run, err := thing.Update(ctx, obj{"name": "a", "size": 2}, driver.Initially(obj{"name": "a", "size": cty.DynamicVal}))
	want := []string{"PlanResourceChange response action-changed", "PlanResourceChange response .id inconsistent-unknown"}
	if diff := cmp.Diff(want, brief(run.Findings)); diff != "" || err == nil {
		t.Errorf("%v, (-want +got):\n%s", err, diff)
	}
	last := (*notes)[len(*notes)-2:]
	if !strings.HasPrefix(last[0], "plan: prior null, private pap,") || last[1] != "prior null, config name=a, size=2" {
		t.Errorf("the last plan: %q", last)
	}
	if !thing.State().RawEquals(value(obj{"id": "i-1", "name": "a", "size": 1})) {
		t.Errorf("%#v", thing.State())
	}
}

// A number without a value, on which cty panics, is no infinite one.
func TestInfinityIsNotLookedForInNothing(t *testing.T) {
	block := &configschema.Block{Attributes: map[string]*configschema.Attribute{"n": {Type: cty.Number, Computed: true}}}
	broken := cty.ObjectVal(map[string]cty.Value{"n": cty.NumberVal(nil)})
	for _, rpc := range []string{"PlanResourceChange", "ApplyResourceChange", "ReadResource"} {
		x := tfcheck.Exchange{RPC: rpc, Schema: must(objchange.Compile(block)), Prior: block.EmptyValue(), Config: block.EmptyValue(), Planned: broken, Response: broken}
		for _, f := range x.Findings() {
			for _, v := range f.Violations {
				if v.Rule == objchange.RuleTypeMismatch {
					t.Errorf("%s: %s", rpc, v)
				}
			}
		}
	}
}
