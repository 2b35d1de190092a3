package tfcheck_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-mux/tf5to6server"
	"github.com/hashicorp/terraform-plugin-mux/tf6to5server"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
)

// What each program rejects where they differ, in both protocols.
func TestProgramsDiffer(t *testing.T) {
	for name, test := range map[string]struct {
		server          *fake
		call            asking
		terraform, tofu []string
	}{
		"unknown values in a state that is read": {
			&fake{read: func(_ readReq, r readResp) { r.NewState = dynamic(planned) }}, readThing,
			[]string{"ReadResource response .id state-unknown"},
			[]string{"ReadResource response .id state-unknown, unchecked"},
		},
		"in one that is upgraded": {
			&fake{upgrade: func(r *tfprotov6.UpgradeResourceStateResponse) { r.UpgradedState = dynamic(planned) }}, upgradeThing,
			[]string{"UpgradeResourceState response .id state-unknown"},
			[]string{"UpgradeResourceState response .id state-unknown, unchecked"},
		},
		"in one that is moved": {
			&fake{move: func(r *tfprotov6.MoveResourceStateResponse) { r.TargetState = dynamic(planned) }}, moveThing,
			[]string{"MoveResourceState response .id state-unknown"},
			[]string{"MoveResourceState response .id state-unknown, unchecked"},
		},
		"in one that is imported": {
			imports(func(i *tfprotov6.ImportedResource) { i.State = dynamic(planned) }), importsThing,
			[]string{"ImportResourceState response .id state-unknown, unchecked"},
			[]string{"ImportResourceState response .id state-unknown, unchecked"},
		},
		"in one after apply": {
			&fake{apply: func(q applyReq, r applyResp) { r.NewState = q.PlannedState }}, applyThing,
			[]string{"ApplyResourceChange response .id state-unknown"},
			[]string{"ApplyResourceChange response .id state-unknown"},
		},
		"in data": {
			&fake{data: func(r *tfprotov6.ReadDataSourceResponse) { r.State = dynamic(planned) }}, dataThing,
			[]string{"ReadDataSource response .id state-unknown"},
			[]string{"ReadDataSource response .id state-unknown"},
		},
		"and in a prior state": {
			&fake{}, updates(obj{"id": unknown, "name": "a", "size": 1, "password": "leak"}, false),
			[]string{"PlanResourceChange request .id state-unknown", "PlanResourceChange request .password write-only-not-null"}, nil,
		},
		"an ephemeral result that is not as configured": {
			&fake{ephemeral: func(r *tfprotov6.OpenEphemeralResourceResponse) {
				r.Result = with(r.Result, map[string]cty.Value{"size": cty.NumberIntVal(2)})
			}}, ephemeralThing,
			[]string{"OpenEphemeralResource response .size plan-not-config"},
			[]string{"OpenEphemeralResource response .size plan-not-config, unchecked"},
		},
		"an ephemeral result that is unknown": {
			&fake{ephemeral: func(r *tfprotov6.OpenEphemeralResourceResponse) { r.Result = dynamic(planned) }}, ephemeralThing,
			nil, []string{"OpenEphemeralResource response .id state-unknown"},
		},
		"an ephemeral result of another type": {
			&fake{ephemeral: func(r *tfprotov6.OpenEphemeralResourceResponse) { r.Result = noObject }}, ephemeralThing,
			[]string{"OpenEphemeralResource response type-mismatch"}, []string{"OpenEphemeralResource response type-mismatch"},
		},
		"an unknown identity planned": {
			plans(func(_ planReq, r planResp) { r.PlannedIdentity = unknownIdentity }), createThing,
			nil, []string{"PlanResourceChange identity .id state-unknown"},
		},
		"a null state imported by identity": {
			imports(func(i *tfprotov6.ImportedResource) { i.State = nothing() }), importsIdentity,
			nil, []string{"ImportResourceState response import-count"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			checkAnswer(t, test.server, test.call, test.terraform)
			checkAnswer(t, test.server, test.call, test.terraform, tfcheck.Terraform)
			checkAnswer(t, test.server, test.call, test.terraform, "")
			checkAnswer(t, test.server, test.call, test.tofu, tfcheck.OpenTofu)
			checkWitness(t, test.server, test.call, test.terraform)
			checkWitness(t, test.server, test.call, test.tofu, tfcheck.OpenTofu)
		})
	}
}

// Ephemeral results without a configuration are held to what each program looks at.
func TestProgramsDifferInEphemeralResultsAlone(t *testing.T) {
	x := tfcheck.Exchange{RPC: "OpenEphemeralResource", Schema: thingSchema, Response: value(planned)}
	if found := x.Findings(); len(found) > 0 {
		t.Error(found)
	}
	x.Program = tfcheck.OpenTofu
	if diff := cmp.Diff([]string{"OpenEphemeralResource response .id state-unknown"}, brief(x.Findings())); diff != "" {
		t.Error(diff)
	}
}

// A driver stops where its program does, also one of a checking server.
func TestDriverForOpenTofu(t *testing.T) {
	unknowing := func() *fake {
		return &fake{read: func(_ readReq, r readResp) {
			r.NewState = with(r.NewState, map[string]cty.Value{"id": unknown})
		}}
	}
	drivers := map[string]func(f *fake) (*driver.Driver, error){
		"option": func(f *fake) (*driver.Driver, error) { return driver.New6(ctx, f, driver.For(tfcheck.OpenTofu)) },
		"checking server": func(f *fake) (*driver.Driver, error) {
			return driver.New6(ctx, tfcheck.Server6(f, nil, tfcheck.OpenTofu))
		},
		"checking server of protocol 5": func(f *fake) (*driver.Driver, error) {
			five := must(tf6to5server.DowngradeServer(ctx, func() tfprotov6.ProviderServer { return f }))
			return driver.New5(ctx, tfcheck.Server5(five, nil, tfcheck.OpenTofu))
		},
		"last option": func(f *fake) (*driver.Driver, error) {
			return driver.New6(ctx, tfcheck.Server6(f, nil), driver.For(tfcheck.OpenTofu))
		},
	}
	for name, make := range drivers {
		t.Run(name, func(t *testing.T) {
			d := must(make(unknowing()))
			if err := d.Configure(ctx, nil); err != nil {
				t.Fatal(err)
			}
			thing := must(d.Resource("test_thing"))
			run, err := thing.Import(ctx, "i-1")
			if diff := cmp.Diff([]string{"ReadResource response .id state-unknown, unchecked"}, brief(run.Findings)); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
			if _, err := thing.Update(ctx, config); err != nil {
				t.Error("what was read is not carried on:", err)
			}
		})
	}
	_, thing := drive(t, unknowing(), driver.For(tfcheck.Terraform))
	if _, err := thing.Import(ctx, "i-1"); err == nil {
		t.Error("Terraform goes on")
	}
}

// OpenTofu keeps a write-only value that came with an error, and its next plan fails;
// Terraform keeps the prior state.
func TestWriteOnlyValuesBesideAnError(t *testing.T) {
	for program, next := range map[tfcheck.Program][]string{
		tfcheck.Terraform: nil,
		tfcheck.OpenTofu:  {"UpgradeResourceState response .password write-only-not-null"},
	} {
		t.Run(string(program), func(t *testing.T) {
			f := &fake{}
			_, thing := drive(t, f, driver.For(program))
			well(t)(thing.Create(ctx, config))
			f.apply = func(_ applyReq, r applyResp) {
				r.NewState = with(r.NewState, map[string]cty.Value{"password": text("leak"), "size": cty.UnknownVal(cty.Number)})
				r.Diagnostics = failing
			}
			if run, err := thing.Update(ctx, obj{"name": "a", "size": 2}); err == nil || !strings.Contains(strings.Join(brief(run.Findings), "\n"), "write-only-not-null") {
				t.Fatalf("%v, %v", err, run.Findings)
			}
			f.apply = nil
			run, err := thing.Plan(ctx, config)
			if diff := cmp.Diff(next, brief(run.Findings)); diff != "" || (err != nil) != (next != nil) {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}

// Factories check for the program that they are given.
func TestFactoriesForOpenTofu(t *testing.T) {
	open := &fake{ephemeral: func(r *tfprotov6.OpenEphemeralResourceResponse) { r.Result = dynamic(planned) }}
	five := must(tf6to5server.DowngradeServer(ctx, func() tfprotov6.ProviderServer { return open }))
	var found tfcheck.Collector
	at5 := tfcheck.Factories5(map[string]func() (tfprotov5.ProviderServer, error){"test": func() (tfprotov5.ProviderServer, error) { return five, nil }}, found.Report, tfcheck.OpenTofu)
	at6 := tfcheck.Factories6(map[string]func() (tfprotov6.ProviderServer, error){"test": func() (tfprotov6.ProviderServer, error) { return open, nil }}, found.Report, tfcheck.OpenTofu)
	upgraded := must(tf5to6server.UpgradeServer(ctx, func() tfprotov5.ProviderServer { return must(at5["test"]()) }))
	for _, server := range []tfprotov6.ProviderServer{must(at6["test"]()), upgraded} {
		if _, err := ephemeralThing(server); err != nil {
			t.Fatal(err)
		}
	}
	const want = "OpenEphemeralResource response .id state-unknown"
	if diff := cmp.Diff([]string{want, want}, brief(found.Findings())); diff != "" {
		t.Error(diff)
	}
}

// OpenTofu proposes an unknown element of a map as configured. Terraform makes an object
// of it. They propose all else alike.
func TestProposalsOfOpenTofu(t *testing.T) {
	schema := &configschema.Block{Attributes: map[string]*configschema.Attribute{
		"m": {Optional: true, NestedType: &configschema.Object{Nesting: configschema.NestingMap, Attributes: map[string]*configschema.Attribute{
			"x": {Type: cty.String, Optional: true, Computed: true},
		}}},
		"n": {Type: cty.String, Optional: true},
	}}
	element := schema.ImpliedType().AttributeType("m").ElementType()
	object := func(element cty.Value, n string) cty.Value {
		return cty.ObjectVal(map[string]cty.Value{"m": cty.MapVal(map[string]cty.Value{"k": element}), "n": cty.StringVal(n)})
	}
	unknowns := cty.ObjectVal(map[string]cty.Value{"x": unknown})
	for name, test := range map[string]struct {
		program  tfcheck.Program
		proposed cty.Value
		want     []string
	}{
		"Terraform's to Terraform":  {tfcheck.Terraform, object(unknowns, "a"), nil},
		"OpenTofu's to Terraform":   {tfcheck.Terraform, object(cty.UnknownVal(element), "a"), []string{`PlanResourceChange request .m["k"] proposed-not-core`}},
		"OpenTofu's":                {tfcheck.OpenTofu, object(cty.UnknownVal(element), "a"), nil},
		"neither's":                 {tfcheck.OpenTofu, object(cty.UnknownVal(element), "b"), []string{"PlanResourceChange request .n proposed-not-core"}},
		"known where it should not": {tfcheck.OpenTofu, object(cty.ObjectVal(map[string]cty.Value{"x": text("y")}), "a"), []string{`PlanResourceChange request .m["k"].x proposed-not-core`}},
	} {
		t.Run(name, func(t *testing.T) {
			config := object(cty.UnknownVal(element), "a")
			x := tfcheck.Exchange{RPC: "PlanResourceChange", Schema: must(objchange.Compile(schema)), Program: test.program, Config: config,
				Prior: cty.NullVal(schema.ImpliedType()), Proposed: test.proposed, Response: config}
			if diff := cmp.Diff(test.want, brief(x.Findings())); diff != "" {
				t.Error(diff)
			}
		})
	}
}
