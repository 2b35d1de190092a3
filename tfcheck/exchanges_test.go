package tfcheck_test

import (
	"context"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-mux/tf5to6server"
	"github.com/hashicorp/terraform-plugin-mux/tf6to5server"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/encoded"
)

var (
	ctx     = context.Background()
	text    = cty.StringVal
	unknown = cty.UnknownVal(cty.String)

	exists  = obj{"id": "i-1", "name": "a", "size": 1, "token": "secret"}
	config  = obj{"name": "a", "size": 1, "token": "secret"}
	planned = obj{"id": unknown, "name": "a", "size": 1, "token": "secret"}
	stub    = obj{"id": unknown, "name": "a", "size": 1}

	noObject        = &tfprotov6.DynamicValue{MsgPack: []byte{0x90}} // a list
	unknownIdentity = identified(unknown)
	nullIdentity    = &tfprotov6.ResourceIdentityData{IdentityData: &tfprotov6.DynamicValue{MsgPack: []byte{0xc0}}}
	nowhere         = tftypes.NewAttributePath().WithAttributeName("nowhere")
	intoSet         = tftypes.NewAttributePath().WithAttributeName("rule").
			WithElementKeyValue(tftypes.NewValue(tftypes.String, "x")).WithAttributeName("port")
	infinite = obj{"size": cty.NegativeInfinity}
	leak     = obj{"password": "leak"}
)

// The requests of the table.
var (
	creates  = planReq(planOf(nil, config, config))
	applies  = &tfprotov6.ApplyResourceChangeRequest{TypeName: "test_thing", PriorState: nothing(), Config: dynamic(config), PlannedState: dynamic(planned), PlannedIdentity: identified("i-1")}
	reads    = &tfprotov6.ReadResourceRequest{TypeName: "test_thing", CurrentState: dynamic(exists), CurrentIdentity: identified("i-1")}
	upgrades = &tfprotov6.UpgradeResourceStateRequest{TypeName: "test_thing", RawState: &tfprotov6.RawState{JSON: []byte(`{"id": "i-1", "name": "a", "rule": []}`)}}
	byID     = &tfprotov6.ImportResourceStateRequest{TypeName: "test_thing", ID: "i-1"}
	byName   = &tfprotov6.ImportResourceStateRequest{TypeName: "test_thing", Identity: identified("i-1")}
	moves    = &tfprotov6.MoveResourceStateRequest{TargetTypeName: "test_thing", SourceState: &tfprotov6.RawState{}}
	looks    = &tfprotov6.ReadDataSourceRequest{TypeName: "test_thing", Config: dynamic(config)}
	opens    = &tfprotov6.OpenEphemeralResourceRequest{TypeName: "test_thing", Config: dynamic(config)}
)

// planOf returns the request to plan a thing. The thing does not exist yet if prior is nil.
func planOf(prior, config, proposed obj) planReq {
	req := &tfprotov6.PlanResourceChangeRequest{TypeName: "test_thing", PriorState: nothing(), Config: dynamic(config), ProposedNewState: dynamic(proposed)}
	if prior != nil {
		req.PriorState, req.PriorIdentity = dynamic(prior), identified("i-1")
	}
	return req
}

// resizes returns the request to plan another size of a thing.
func resizes(prior obj, deferralAllowed bool) planReq {
	req := planOf(prior, obj{"name": "a", "size": 2}, obj{"id": prior["id"], "name": "a", "size": 2})
	req.ClientCapabilities = &tfprotov6.PlanResourceChangeClientCapabilities{DeferralAllowed: deferralAllowed}
	return req
}

// readOf returns the request to read a thing with the known state.
func readOf(typeName string, state *tfprotov6.DynamicValue) readReq {
	return &tfprotov6.ReadResourceRequest{TypeName: typeName, CurrentState: state}
}

// applyOf returns the request to create a thing with the configuration.
func applyOf(config obj) applyReq {
	planned := obj{"id": unknown, "name": config["name"], "size": 1}
	return &tfprotov6.ApplyResourceChangeRequest{TypeName: "test_thing", PriorState: nothing(), Config: dynamic(config), PlannedState: dynamic(planned), PlannedIdentity: identified("i-1")}
}

// An exchange is a request, the edits of the response, and the expected findings.
type exchange struct {
	does string // begins with a line of docs/specification.md#14-requests-around-the-functions, if it is about one
	fake *fake
	req  any
	want string // for Terraform
	tofu string // for OpenTofu, if different; "-" for none
}

// exchanges lists requests and responses that the two programs accept or reject.
var exchanges = []exchange{
	{"a good plan", on(), creates, "", ""},
	{"a good apply", on(), applies, "", ""},
	{"a good read", on(), reads, "", ""},
	{"a good upgrade", on(), upgrades, "", ""},
	{"a good import", on(), byID, "", ""},
	{"a good move", on(), moves, "", ""},
	{"good data", on(), looks, "", ""},
	{"a good ephemeral resource", on(), opens, "", ""},
	{"P-14.21: any bytes are one", on(), applyOf(obj{"name": latin, "size": 1}), "", ""},

	{"a proposal that Core does not send", on(), planOf(exists, config, config), "PlanResourceChange request .id proposed-not-core", ""},
	{"a prior state that Core cannot have", on(), readOf("test_thing", dynamic(obj{"id": unknown, "password": "x"})),
		"ReadResource request .password write-only-not-null; ReadResource response .id state-unknown; ReadResource response .password write-only-not-null",
		"ReadResource response .password write-only-not-null; ReadResource response .id state-unknown, unchecked"},
	{"a prior state to plan with", on(), resizes(obj{"id": unknown, "name": "a", "size": 1, "password": "leak"}, false),
		"PlanResourceChange request .id state-unknown; PlanResourceChange request .password write-only-not-null", "-"},
	{"unknown values that a deferred read left", on(), resizes(stub, true), "", ""},
	{"unknown values without deferral", on(), resizes(stub, false), "PlanResourceChange request .id state-unknown", "-"},
	{"a request that cannot be decoded", on(give[read](dynamic(exists))), readOf("test_thing", noObject), "ReadResource request type-mismatch", ""},
	{"an unknown configuration at apply", on(), applyOf(obj{"name": "a", "size": cty.DynamicVal}), "ApplyResourceChange request .size config-unknown", ""},
	{"a type without a schema", on(), readOf("test_other", dynamic(exists)), "ReadResource response invalid-input", ""},
	{"a type that the provider refuses", on(fail[read]), readOf("test_other", dynamic(exists)), "", ""},
	{"schemas that the provider refuses", on(fail[schemas]), looks, "ReadDataSource response invalid-input", ""},

	{"P-14.2: a plan conforms", on(give[plan](noObject)), creates, "PlanResourceChange response type-mismatch", ""},
	{"P-14.2: and is valid", on(set[plan](obj{"name": "b"})), creates, "PlanResourceChange response .name plan-not-config", ""},
	{"P-14.2: the legacy SDK may plan what it likes, but nothing write-only", on(set[plan](obj{"name": "b", "password": "x"})).legacy(), creates,
		"PlanResourceChange response .password write-only-not-null; PlanResourceChange response .name plan-not-config, tolerated", ""},
	{"P-14.3: a deferred plan need not conform", on(give[plan](noObject), putOff[plan]), resizes(exists2, true), "", ""},
	{"P-14.3: to defer must be allowed, also beside an error", on(putOff[plan], fail[plan]), creates, "PlanResourceChange response deferral", ""},
	{"a failed plan is not checked", on(give[plan](noObject), fail[plan]), creates, "", ""},
	{"a plan must be there", on(give[plan](nil), func(r planResp) { r.RequiresReplace = nil }), creates, "PlanResourceChange response plan-absent", ""},
	{"a plan has no infinite number", on(set[plan](infinite)), creates,
		"PlanResourceChange response .size plan-not-config; PlanResourceChange response .size type-mismatch", ""},
	{"P-14.5: paths that require replacement lead to something", on(func(r planResp) { r.RequiresReplace = append(r.RequiresReplace, nowhere) }),
		planOf(exists, config, exists), "PlanResourceChange response .nowhere replace-path", ""},
	{"P-14.5: a path into a set is one of the set", on(func(r planResp) { r.RequiresReplace = []*tftypes.AttributePath{intoSet} }),
		planOf(exists, config, exists), "", ""},
	{"P-14.7: identities conform", on(identify[plan](&tfprotov6.ResourceIdentityData{IdentityData: dynamic(config)})), creates, "PlanResourceChange identity type-mismatch", ""},
	{"P-14.7: they may be unknown in a plan to create", on(identify[plan](unknownIdentity)), creates, "", "PlanResourceChange identity .id state-unknown"},
	{"P-14.7: and not in one to update, also beside an error", on(give[plan](nil), identify[plan](unknownIdentity), fail[plan], func(r planResp) { r.RequiresReplace = nil }),
		resizes(exists2, false), "PlanResourceChange identity .id state-unknown", ""},
	{"P-14.7: unless it may have been one to replace", on(give[plan](nil), identify[plan](unknownIdentity), fail[plan]), resizes(exists2, false),
		"", "PlanResourceChange identity .id state-unknown"},
	{"P-14.7: or to create", on(give[plan](nil), identify[plan](unknownIdentity), fail[plan]), creates, "", "PlanResourceChange identity .id state-unknown"},
	{"P-14.7: an identity that changes is a finding", on(identify[plan](identified("i-2"))), resizes(exists2, false),
		"PlanResourceChange identity .id inconsistent-value, unchecked", ""},

	{"P-14.14: a new state conforms", on(give[apply](noObject)), applies, "ApplyResourceChange response type-mismatch", ""},
	{"P-14.14: is consistent with the plan", on(set[apply](obj{"size": 2})), applies, "ApplyResourceChange response .size inconsistent-value", ""},
	{"P-14.14: which for the legacy SDK is only logged", on(set[apply](obj{"size": 2})).legacy(), applies, "ApplyResourceChange response .size inconsistent-value, tolerated", ""},
	{"P-14.14: is known, also from the legacy SDK", on(give[apply](dynamic(planned))).legacy(), applies, "ApplyResourceChange response .id state-unknown", ""},
	{"P-14.14: is there, also from the legacy SDK", on(give[apply](nothing())).legacy(), applies, "ApplyResourceChange response inconsistent-presence", ""},
	{"P-14.14: has nothing write-only", on(set[apply](leak)), applies,
		"ApplyResourceChange response .password inconsistent-value; ApplyResourceChange response .password write-only-not-null", ""},
	{"P-14.14: also from the legacy SDK, of which no other finding is left", on(set[apply](obj{"password": "leak", "name": "b"})).legacy(), applies,
		"ApplyResourceChange response .password write-only-not-null", ""},
	{"P-14.14: has no infinite number", on(set[apply](infinite)), applies,
		"ApplyResourceChange response .size inconsistent-value; ApplyResourceChange response .size type-mismatch", ""},
	{"P-14.15: a failed apply leaves what it likes", on(give[apply](dynamic(obj{"name": "b"})), fail[apply]), applies, "", ""},
	{"P-14.15: or nothing", on(give[apply](nil), fail[apply]), applies, "", ""},
	{"P-14.15: but nothing unknown", on(give[apply](dynamic(obj{"name": unknown})), fail[apply]), applies, "ApplyResourceChange response .name state-unknown", ""},
	{"P-14.15: nor write-only", on(set[apply](leak), fail[apply]), applies, "ApplyResourceChange response .password write-only-not-null", ""},
	{"P-14.15: nor infinite", on(set[apply](infinite), fail[apply]), applies, "ApplyResourceChange response .size type-mismatch", ""},
	{"P-14.7: identities are known after apply", on(identify[apply](unknownIdentity)), applies, "ApplyResourceChange identity .id state-unknown", ""},
	{"P-14.7: also beside an error", on(identify[apply](unknownIdentity), fail[apply]), applies, "ApplyResourceChange identity .id state-unknown", ""},
	{"an identity that changes at apply", on(identify[apply](identified("i-2"))), applies, "ApplyResourceChange identity .id inconsistent-value, unchecked", ""},
	{"an identity that changes beside an error", on(identify[apply](identified("i-2")), fail[apply]), applies, "", ""},

	{"what is read is known", on(give[read](dynamic(planned))), reads, "ReadResource response .id state-unknown", "ReadResource response .id state-unknown, unchecked"},
	{"or deferred, if that is allowed", on(give[read](dynamic(planned)), putOff[read]), reads, "ReadResource response deferral", ""},
	{"a deferral beside an error", on(putOff[read], fail[read]), reads, "", ""},
	{"what is read has no infinite number", on(set[read](infinite)), reads, "ReadResource response .size type-mismatch", ""},
	{"an object that is gone", on(give[read](nothing())), reads, "", ""},
	{"P-14.17: blocks that are null are normalized", on(set[read](obj{"rule": cty.NullVal(thingType.AttributeType("rule"))})), reads,
		"ReadResource response .rule state-null-blocks, unchecked", ""},
	{"P-14.7: and after a read", on(identify[read](unknownIdentity)), reads, "ReadResource identity .id state-unknown", ""},
	{"P-14.7: beside an error, too", on(give[read](nil), identify[read](unknownIdentity), fail[read]), reads, "ReadResource identity .id state-unknown", ""},

	{"P-14.16: an upgraded state conforms", on(give[upgrade](noObject)), upgrades, "UpgradeResourceState response type-mismatch", ""},
	{"P-14.16: is known", on(give[upgrade](dynamic(planned))), upgrades, "UpgradeResourceState response .id state-unknown", "UpgradeResourceState response .id state-unknown, unchecked"},
	{"P-14.16: and has nothing write-only", on(give[upgrade](dynamic(leak))), upgrades, "UpgradeResourceState response .password write-only-not-null", ""},
	{"P-14.16: a moved state conforms", on(give[move](noObject)), moves, "MoveResourceState response type-mismatch", ""},
	{"P-14.16: is known", on(give[move](dynamic(planned))), moves, "MoveResourceState response .id state-unknown", "MoveResourceState response .id state-unknown, unchecked"},
	{"P-14.16: and has nothing write-only", on(set[move](leak)), moves, "MoveResourceState response .password write-only-not-null", ""},

	{"P-14.18: an imported state may be unknown", on(give[imports](dynamic(planned))), byID, "ImportResourceState response .id state-unknown, unchecked", ""},
	{"P-14.18: and has nothing write-only", on(set[imports](leak)), byID, "ImportResourceState response .password write-only-not-null", ""},
	{"P-14.18: more than one object is an error", on(func(r *imports) { r.ImportedResources = append(r.ImportedResources, r.ImportedResources[0]) }), byID,
		"ImportResourceState response import-count", ""},
	{"P-14.18: each is checked, but for one that is nil", on(func(r *imports) {
		r.ImportedResources = append(r.ImportedResources, nil, &tfprotov6.ImportedResource{TypeName: "test_thing", State: dynamic(planned)})
	}), byID, "ImportResourceState response import-count; ImportResourceState response .id state-unknown, unchecked", ""},
	{"P-14.18: no object is an error", on(func(r *imports) { r.ImportedResources = nil }), byID, "ImportResourceState response import-count", ""},
	{"P-14.18: also a null one", on(give[imports](nothing())), byID, "ImportResourceState response import-count", ""},
	{"P-14.18: which is fine by identity", on(give[imports](nothing())), byName, "", "ImportResourceState response import-count"},
	{"P-14.18: by identity, that must come", on(identify[imports](nil)), byName, "ImportResourceState identity import-identity", ""},
	{"P-14.18: and not be null", on(identify[imports](nullIdentity)), byName, "ImportResourceState identity import-identity", ""},
	{"P-14.18: unless it is by ID", on(identify[imports](nullIdentity)), byID, "", ""},
	{"an infinite number, imported and yet to be read", on(set[imports](infinite)), byID, "", ""},
	{"an import deferred beside an error", on(putOff[imports], fail[imports]), byID, "", ""},

	{"P-14.19: what a data source returns conforms", on(give[data](noObject)), looks, "ReadDataSource response type-mismatch", ""},
	{"P-14.19: is known", on(give[data](dynamic(planned))), looks, "ReadDataSource response .id state-unknown", ""},
	{"P-14.19: has nothing write-only", on(give[data](dynamic(obj{"id": "i-1", "name": "a", "size": 1, "password": "leak"}))), looks,
		"ReadDataSource response .password write-only-not-null", ""},
	{"P-14.19: is there", on(give[data](nothing())), looks, "ReadDataSource response data-null", ""},
	{"P-14.19: need not be as configured", on(set[data](obj{"size": 2})), looks, "ReadDataSource response .size inconsistent-value, unchecked", ""},
	{"P-14.19: has no infinite number", on(set[data](infinite)), looks, "ReadDataSource response .size type-mismatch", ""},
	{"P-14.19: and is not checked if it is deferred", on(give[data](noObject), putOff[data]),
		&tfprotov6.ReadDataSourceRequest{TypeName: "test_thing", Config: dynamic(config), ClientCapabilities: &tfprotov6.ReadDataSourceClientCapabilities{DeferralAllowed: true}}, "", ""},
	{"P-14.20: an ephemeral resource conforms", on(give[open](noObject)), opens, "OpenEphemeralResource response type-mismatch", ""},
	{"P-14.20: may be unknown", on(give[open](dynamic(planned))), opens, "", "OpenEphemeralResource response .id state-unknown"},
	{"P-14.20: is as configured", on(set[open](obj{"size": 2})), opens, "OpenEphemeralResource response .size plan-not-config", "OpenEphemeralResource response .size plan-not-config, unchecked"},
	{"P-14.20: and is there", on(give[open](nothing())), opens, "OpenEphemeralResource response data-null", ""},
}

// exists2 is a thing without a secret.
var exists2 = obj{"id": "i-1", "name": "a", "size": 1}

// TestExchanges checks that the checking servers of both protocols and package encoded report the
// same findings, for both programs, and that all of them add the same diagnostics, for each
// report.
func TestExchanges(t *testing.T) {
	for _, x := range exchanges {
		t.Run(x.does, func(t *testing.T) {
			tofu := strings.TrimPrefix(x.tofu, "-")
			if x.tofu == "" {
				tofu = x.want
			}
			for program, want := range map[tfcheck.Program]string{"": x.want, tfcheck.Terraform: x.want, tfcheck.OpenTofu: tofu} {
				for name, report := range map[string]tfcheck.Report{"nothing": nil, "all": rejectAll, "warn": tfcheck.Warn, "reject": tfcheck.Reject, "reject all": tfcheck.RejectAll} {
					x.check(t, program, name, report, want)
				}
			}
		})
	}
}

func (x exchange) check(t *testing.T, program tfcheck.Program, name string, report tfcheck.Report, want string) {
	t.Helper()
	var found, seen []tfcheck.Finding
	checking := wrapped(x.fake, func(f tfcheck.Finding) tfprotov6.DiagnosticSeverity {
		found = append(found, f)
		if report == nil {
			return tfprotov6.DiagnosticSeverityInvalid
		}
		return report(f)
	}, program)
	watching := witnessed(x.fake, func(more []encoded.Result) { seen = append(seen, findings(more)...) }, report, program)
	for protocol, server := range checking {
		found, seen = nil, nil
		diags, err := ask(server, x.req)
		if err != nil {
			t.Fatal(err)
		}
		place := fmt.Sprintf("%s, %s, report %s", protocol, program, name)
		if got := strings.Join(brief(found), "; "); got != want {
			t.Errorf("%s: the server found\n%s, want\n%s", place, got, want)
		}
		if diff := cmp.Diff(expectedDiagnostics(name, found), added(diags)); diff != "" {
			t.Errorf("%s: diagnostics (-want +got):\n%s", place, diff)
		}
		passed, err := ask(watching[protocol], x.req)
		if err != nil && strings.HasSuffix(err.Error(), "is nil") || x.notEncodable() {
			continue // such a response cannot be encoded
		}
		if got := strings.Join(brief(seen), "; "); got != want || err != nil {
			t.Errorf("%s: package encoded found\n%s, %v, want\n%s", place, got, err, want)
		}
		if diff := cmp.Diff(diags, passed, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-server +encoded):\n%s", place, diff)
		}
	}
}

// notEncodable reports whether the response has a path that the protocol cannot express.
func (x exchange) notEncodable() bool { return strings.Contains(x.does, "path into a set") }

// ask sends a request to a server and returns the diagnostics of the response.
func ask(server tfprotov6.ProviderServer, req any) ([]*tfprotov6.Diagnostic, error) {
	rpc := strings.TrimSuffix(reflect.TypeOf(req).Elem().Name(), "Request")
	out := reflect.ValueOf(server).MethodByName(rpc).Call([]reflect.Value{reflect.ValueOf(ctx), reflect.ValueOf(req)})
	if err, _ := out[1].Interface().(error); err != nil {
		return nil, err
	}
	return out[0].Elem().FieldByName("Diagnostics").Interface().([]*tfprotov6.Diagnostic), nil
}

// brief returns one line for each violation of the findings.
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

// wrapped returns checking servers of both protocols around the fake, as servers of protocol 6.
func wrapped(f *fake, report tfcheck.Report, program ...tfcheck.Option) map[string]tfprotov6.ProviderServer {
	five := must(tf6to5server.DowngradeServer(ctx, func() tfprotov6.ProviderServer { return f }))
	return map[string]tfprotov6.ProviderServer{
		"protocol 6": tfcheck.Server6(f, report, program...),
		"protocol 5": must(tf5to6server.UpgradeServer(ctx, func() tfprotov5.ProviderServer { return tfcheck.Server5(five, report, program...) })),
	}
}

// added returns the diagnostics of the checking server, as severity and rule.
func added(diags []*tfprotov6.Diagnostic) (all []string) {
	for _, d := range diags {
		if rule := ruleOf.FindStringSubmatch(d.Detail); rule != nil && rule[1] == rule[2] {
			all = append(all, d.Severity.String()+" "+rule[1])
		} else if strings.Contains(d.Detail, "/docs/rules/") {
			all = append(all, "names no rule: "+d.Detail)
		}
	}
	return all
}

// ruleOf matches the rule in a detail, and the rule in the address of the remedy.
var ruleOf = regexp.MustCompile(`(?s) \[([a-z-]+)\]\n.*  see: \S+/docs/rules/[a-z-]+\.md#([a-z-]+)$`)

// expectedDiagnostics returns the diagnostics that the named report of TestExchanges adds for the
// findings.
func expectedDiagnostics(name string, found []tfcheck.Finding) (all []string) {
	for _, f := range found {
		passes := f.Severity == tfcheck.Tolerated || f.Severity == tfcheck.Unchecked
		for _, v := range f.Violations {
			switch rejects := f.Severity == tfcheck.Rejected && v.Rule != tfcheck.RulePerpetualDiff; {
			case name == "all", name == "reject" && rejects, name == "reject all" && (rejects || passes):
				all = append(all, "ERROR "+string(v.Rule))
			case name == "warn" && passes:
				all = append(all, "WARNING "+string(v.Rule))
			}
		}
	}
	return all
}
