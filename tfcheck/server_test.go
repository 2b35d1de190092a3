//lint:file-ignore SA1019 the legacy type system is what is tested

package tfcheck_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-mux/tf5to6server"
	"github.com/hashicorp/terraform-plugin-mux/tf6to5server"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/tfcheck"
)

var ctx = context.Background()

// brief writes a finding in one line: what a table of tests holds.
func brief(found []tfcheck.Finding) (lines []string) {
	for _, f := range found {
		for _, v := range f.Violations {
			line := fmt.Sprintf("%s %s %s %s", f.RPC, f.Side, v.PathString(), v.Rule)
			if f.Severity != tfcheck.Rejected {
				line += ", " + string(f.Severity)
			}
			lines = append(lines, strings.Replace(line, "  ", " ", 1))
		}
	}
	return lines
}

// wrapped are the checking servers of both protocols around the fake, as
// servers of protocol 6.
func wrapped(f *fake, report tfcheck.Report, program ...tfcheck.Program) map[string]tfprotov6.ProviderServer {
	five := must(tf6to5server.DowngradeServer(ctx, func() tfprotov6.ProviderServer { return f }))
	return map[string]tfprotov6.ProviderServer{
		"protocol 6": tfcheck.Server6(f, report, program...),
		"protocol 5": must(tf5to6server.UpgradeServer(ctx, func() tfprotov5.ProviderServer { return tfcheck.Server5(five, report, program...) })),
	}
}

var (
	exists  = obj{"id": "i-1", "name": "a", "size": 1, "token": "secret"}
	config  = obj{"name": "a", "size": 1, "token": "secret"}
	planned = obj{"id": cty.UnknownVal(cty.String), "name": "a", "size": 1, "token": "secret"}
)

// diagnostics returns those of a response of any kind.
func diagnostics(resp any, err error) ([]*tfprotov6.Diagnostic, error) {
	if err != nil {
		return nil, err
	}
	return reflect.ValueOf(resp).Elem().FieldByName("Diagnostics").Interface().([]*tfprotov6.Diagnostic), nil
}

// createThing asks for the plan of a thing that is not there yet.
func createThing(s tfprotov6.ProviderServer) ([]*tfprotov6.Diagnostic, error) {
	resp, err := s.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{
		TypeName: "test_thing", PriorState: nothing(), Config: dynamic(config), ProposedNewState: dynamic(config),
	})
	return diagnostics(resp, err)
}

func applyThing(s tfprotov6.ProviderServer) ([]*tfprotov6.Diagnostic, error) {
	resp, err := s.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{
		TypeName: "test_thing", PriorState: nothing(), Config: dynamic(config), PlannedState: dynamic(planned), PlannedIdentity: identified("i-1"),
	})
	return diagnostics(resp, err)
}

func readThing(s tfprotov6.ProviderServer) ([]*tfprotov6.Diagnostic, error) {
	resp, err := s.ReadResource(ctx, &tfprotov6.ReadResourceRequest{TypeName: "test_thing", CurrentState: dynamic(exists), CurrentIdentity: identified("i-1")})
	return diagnostics(resp, err)
}

func upgradeThing(s tfprotov6.ProviderServer) ([]*tfprotov6.Diagnostic, error) {
	resp, err := s.UpgradeResourceState(ctx, &tfprotov6.UpgradeResourceStateRequest{TypeName: "test_thing", RawState: &tfprotov6.RawState{JSON: []byte(`{"name": "a"}`)}})
	return diagnostics(resp, err)
}

func importsThing(s tfprotov6.ProviderServer) ([]*tfprotov6.Diagnostic, error) {
	resp, err := s.ImportResourceState(ctx, &tfprotov6.ImportResourceStateRequest{TypeName: "test_thing", ID: "i-1"})
	return diagnostics(resp, err)
}

func moveThing(s tfprotov6.ProviderServer) ([]*tfprotov6.Diagnostic, error) {
	resp, err := s.MoveResourceState(ctx, &tfprotov6.MoveResourceStateRequest{TargetTypeName: "test_thing", SourceState: &tfprotov6.RawState{}})
	return diagnostics(resp, err)
}

func dataThing(s tfprotov6.ProviderServer) ([]*tfprotov6.Diagnostic, error) {
	resp, err := s.ReadDataSource(ctx, &tfprotov6.ReadDataSourceRequest{TypeName: "test_thing", Config: dynamic(config)})
	return diagnostics(resp, err)
}

func ephemeralThing(s tfprotov6.ProviderServer) ([]*tfprotov6.Diagnostic, error) {
	resp, err := s.OpenEphemeralResource(ctx, &tfprotov6.OpenEphemeralResourceRequest{TypeName: "test_thing", Config: dynamic(config)})
	return diagnostics(resp, err)
}

var (
	text    = cty.StringVal
	unknown = cty.UnknownVal(cty.String)
)

func TestServer(t *testing.T) {
	garbage := &tfprotov6.DynamicValue{MsgPack: []byte{0x90}} // an empty list is no object

	for name, test := range map[string]struct {
		server *fake
		call   func(tfprotov6.ProviderServer) ([]*tfprotov6.Diagnostic, error)
		want   []string
	}{
		"a good plan":    {&fake{}, createThing, nil},
		"a good apply":   {&fake{}, applyThing, nil},
		"a good read":    {&fake{}, readThing, nil},
		"a good import":  {&fake{}, importsThing, nil},
		"a good move":    {&fake{}, moveThing, nil},
		"good data":      {&fake{}, dataThing, nil},
		"good ephemeral": {&fake{}, ephemeralThing, nil},
		"a good upgrade": {&fake{upgrade: func(r *tfprotov6.UpgradeResourceStateResponse) { r.UpgradedState = dynamic(exists) }}, upgradeThing, nil},

		"a plan that changes the configuration": {
			&fake{plan: func(_ planReq, r planResp) {
				r.PlannedState = with(r.PlannedState, map[string]cty.Value{"name": text("b")})
			}}, createThing,
			[]string{"PlanResourceChange response .name plan-not-config"},
		},
		"and is excused": {
			&fake{plan: func(_ planReq, r planResp) {
				r.PlannedState = with(r.PlannedState, map[string]cty.Value{"name": text("b"), "password": text("x")})
				r.UnsafeToUseLegacyTypeSystem = true
			}}, createThing,
			[]string{"PlanResourceChange response .password write-only-not-null", "PlanResourceChange response .name plan-not-config, tolerated"},
		},
		"a plan with an error is not judged": {
			&fake{plan: func(_ planReq, r planResp) { r.PlannedState, r.Diagnostics = nil, failing }}, createThing, nil,
		},
		"no plan at all is one of nothing": {
			&fake{plan: func(_ planReq, r planResp) { r.PlannedState, r.RequiresReplace = nil, nil }}, createThing,
			[]string{"PlanResourceChange response plan-absent"},
		},
		"a plan of another type": {
			&fake{plan: func(_ planReq, r planResp) { r.PlannedState = garbage }}, createThing,
			[]string{"PlanResourceChange response type-mismatch"},
		},
		"a path that leads nowhere": {
			&fake{plan: func(_ planReq, r planResp) {
				r.RequiresReplace = []*tftypes.AttributePath{tftypes.NewAttributePath().WithAttributeName("nome")}
			}},
			func(s tfprotov6.ProviderServer) ([]*tfprotov6.Diagnostic, error) {
				resp, err := s.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{
					TypeName: "test_thing", PriorState: dynamic(exists), Config: dynamic(config), ProposedNewState: dynamic(exists),
				})
				return diagnostics(resp, err)
			},
			[]string{"PlanResourceChange response .nome replace-path"},
		},
		"a proposal that is not Core's": {
			&fake{},
			func(s tfprotov6.ProviderServer) ([]*tfprotov6.Diagnostic, error) {
				resp, err := s.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{
					TypeName: "test_thing", PriorState: dynamic(exists), Config: dynamic(config), ProposedNewState: dynamic(config),
				})
				return diagnostics(resp, err)
			},
			[]string{"PlanResourceChange request .id proposed-not-core"},
		},
		"a prior state that Core cannot have": {
			&fake{},
			func(s tfprotov6.ProviderServer) ([]*tfprotov6.Diagnostic, error) {
				resp, err := s.ReadResource(ctx, &tfprotov6.ReadResourceRequest{TypeName: "test_thing", CurrentState: dynamic(obj{"id": cty.UnknownVal(cty.String), "password": "x"})})
				return diagnostics(resp, err)
			},
			[]string{"ReadResource request .password write-only-not-null", "ReadResource response .id state-unknown", "ReadResource response .password write-only-not-null"},
		},
		"a request that cannot be decoded": {
			&fake{read: func(_ readReq, r readResp) { r.NewState = dynamic(exists) }},
			func(s tfprotov6.ProviderServer) ([]*tfprotov6.Diagnostic, error) {
				resp, err := s.ReadResource(ctx, &tfprotov6.ReadResourceRequest{TypeName: "test_thing", CurrentState: garbage})
				return diagnostics(resp, err)
			},
			[]string{"ReadResource request type-mismatch"},
		},
		"a configuration that is not known at apply": {
			&fake{},
			func(s tfprotov6.ProviderServer) ([]*tfprotov6.Diagnostic, error) {
				resp, err := s.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{
					TypeName: "test_thing", PriorState: nothing(), Config: dynamic(obj{"name": "a", "size": cty.DynamicVal}), PlannedState: dynamic(planned),
				})
				return diagnostics(resp, err)
			},
			[]string{"ApplyResourceChange request .size config-unknown"},
		},
		"a type that is refused": {
			&fake{read: func(_ readReq, r readResp) { r.Diagnostics = failing }},
			func(s tfprotov6.ProviderServer) ([]*tfprotov6.Diagnostic, error) {
				resp, err := s.ReadResource(ctx, &tfprotov6.ReadResourceRequest{TypeName: "test_other", CurrentState: dynamic(exists)})
				return diagnostics(resp, err)
			}, nil,
		},
		"a type without a schema": {
			&fake{},
			func(s tfprotov6.ProviderServer) ([]*tfprotov6.Diagnostic, error) {
				resp, err := s.ReadResource(ctx, &tfprotov6.ReadResourceRequest{TypeName: "test_other", CurrentState: dynamic(exists)})
				return diagnostics(resp, err)
			},
			[]string{"ReadResource response invalid-input"},
		},
		"apply with another value": {
			&fake{apply: func(_ applyReq, r applyResp) {
				r.NewState = with(r.NewState, map[string]cty.Value{"size": cty.NumberIntVal(2)})
			}}, applyThing,
			[]string{"ApplyResourceChange response .size inconsistent-value"},
		},
		"apply with an unknown value, excused from nothing": {
			&fake{apply: func(_ applyReq, r applyResp) { r.NewState, r.UnsafeToUseLegacyTypeSystem = dynamic(planned), true }}, applyThing,
			[]string{"ApplyResourceChange response .id state-unknown"},
		},
		"a failed apply leaves what it likes": {
			&fake{apply: func(_ applyReq, r applyResp) { r.NewState, r.Diagnostics = dynamic(obj{"name": "b"}), failing }}, applyThing, nil,
		},
		"a failed apply leaves what nobody knows": {
			&fake{apply: func(_ applyReq, r applyResp) { r.NewState, r.Diagnostics = dynamic(obj{"name": unknown}), failing }}, applyThing,
			[]string{"ApplyResourceChange response .name state-unknown"},
		},
		"a failed plan is not looked at": {
			&fake{plan: func(_ planReq, r planResp) {
				r.PlannedState, r.Diagnostics = &tfprotov6.DynamicValue{MsgPack: []byte{0x90}}, failing
			}}, func(s tfprotov6.ProviderServer) ([]*tfprotov6.Diagnostic, error) {
				resp, err := s.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{
					TypeName: "test_thing", PriorState: nothing(), Config: dynamic(config), ProposedNewState: dynamic(config),
				})
				return diagnostics(resp, err)
			}, nil,
		},
		"a failed apply leaves nothing": {
			&fake{apply: func(_ applyReq, r applyResp) { r.NewState, r.Diagnostics = nil, failing }}, applyThing, nil,
		},
		"a failed apply leaves a secret": {
			&fake{apply: func(_ applyReq, r applyResp) {
				r.NewState, r.Diagnostics = dynamic(obj{"name": "a", "password": "x"}), failing
			}}, applyThing,
			[]string{"ApplyResourceChange response .password write-only-not-null"},
		},
		"an identity that changes": {
			&fake{apply: func(_ applyReq, r applyResp) { r.NewIdentity = identified("i-2") }}, applyThing,
			[]string{"ApplyResourceChange identity .id inconsistent-value, unchecked"},
		},
		"an identity that stays unknown": {
			&fake{read: func(_ readReq, r readResp) { r.NewIdentity = identified(unknown) }}, readThing,
			[]string{"ReadResource identity .id state-unknown"},
		},
		"a read unknown value": {
			&fake{read: func(_ readReq, r readResp) { r.NewState = dynamic(planned) }}, readThing,
			[]string{"ReadResource response .id state-unknown"},
		},
		"a deferred read may be unknown": {
			&fake{read: func(_ readReq, r readResp) {
				r.NewState, r.Deferred = dynamic(planned), &tfprotov6.Deferred{Reason: tfprotov6.DeferredReasonAbsentPrereq}
			}}, readThing, []string{"ReadResource response deferral"},
		},
		"a thing that is gone": {&fake{read: func(_ readReq, r readResp) { r.NewState = nothing() }}, readThing, nil},
		"upgrade":              {&fake{upgrade: func(r *tfprotov6.UpgradeResourceStateResponse) { r.UpgradedState = dynamic(obj{"password": "x"}) }}, upgradeThing, []string{"UpgradeResourceState response .password write-only-not-null"}},
		"import": {
			&fake{imports: func(r *tfprotov6.ImportResourceStateResponse) {
				r.ImportedResources = append(r.ImportedResources, nil, &tfprotov6.ImportedResource{TypeName: "test_thing", State: dynamic(planned)})
			}}, importsThing,
			[]string{"ImportResourceState response import-count", "ImportResourceState response .id state-unknown, unchecked"},
		},
		"import of nothing": {
			&fake{imports: func(r *tfprotov6.ImportResourceStateResponse) { r.ImportedResources = nil }}, importsThing,
			[]string{"ImportResourceState response import-count"},
		},
		"move": {&fake{move: func(r *tfprotov6.MoveResourceStateResponse) { r.TargetState = dynamic(planned) }}, moveThing, []string{"MoveResourceState response .id state-unknown"}},
		"data that changes the configuration": {
			&fake{data: func(r *tfprotov6.ReadDataSourceResponse) {
				r.State = with(r.State, map[string]cty.Value{"size": cty.NumberIntVal(2)})
			}}, dataThing,
			[]string{"ReadDataSource response .size inconsistent-value, unchecked"},
		},
		"no data": {&fake{data: func(r *tfprotov6.ReadDataSourceResponse) { r.State = nothing() }}, dataThing, []string{"ReadDataSource response data-null"}},
		"an ephemeral resource that is unknown": {
			&fake{ephemeral: func(r *tfprotov6.OpenEphemeralResourceResponse) { r.Result = dynamic(planned) }}, ephemeralThing,
			nil,
		},
		"an ephemeral resource that is not as configured": {
			&fake{ephemeral: func(r *tfprotov6.OpenEphemeralResourceResponse) {
				r.Result = with(r.Result, map[string]cty.Value{"size": cty.NumberIntVal(2)})
			}}, ephemeralThing,
			[]string{"OpenEphemeralResource response .size plan-not-config"},
		},
		"an ephemeral resource that is nothing": {
			&fake{ephemeral: func(r *tfprotov6.OpenEphemeralResourceResponse) { r.Result = nothing() }}, ephemeralThing,
			[]string{"OpenEphemeralResource response data-null"},
		},
		"schemas that cannot be had": {
			&fake{schema: func(r *tfprotov6.GetProviderSchemaResponse) { r.Diagnostics = failing }}, dataThing,
			[]string{"ReadDataSource response invalid-input"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var found tfcheck.Collector
			report := func(f tfcheck.Finding) tfprotov6.DiagnosticSeverity {
				found.Report(f)
				return tfprotov6.DiagnosticSeverityError
			}
			for protocol, server := range wrapped(test.server, report) {
				found = tfcheck.Collector{}
				diags, err := test.call(server)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(test.want, brief(found.Findings())); diff != "" {
					t.Errorf("%s (-want +found):\n%s", protocol, diff)
				}
				if told := rejections(diags); told != len(brief(found.Findings())) {
					t.Errorf("%s: %d diagnostics for %v", protocol, told, found.Findings())
				}
			}
			checkWitness(t, test.server, test.call, test.want)
		})
	}
}

// rejections counts the diagnostics of the checking server.
func rejections(diags []*tfprotov6.Diagnostic) (n int) {
	for _, d := range diags {
		if strings.Contains(d.Summary, "broke its contract") || strings.Contains(d.Summary, "is not one of Terraform's") {
			n++
		}
	}
	return n
}
