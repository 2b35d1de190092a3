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

	"github.com/objchange/objchange"
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

	noObject = &tfprotov6.DynamicValue{MsgPack: []byte{0x90}} // a list
	nowhere  = tftypes.NewAttributePath().WithAttributeName("nowhere")
	intoSet  = tftypes.NewAttributePath().WithAttributeName("rule").
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
	{"a correct plan", on(), creates, "", ""},
	{"a correct apply", on(), applies, "", ""},
	{"a correct read", on(), reads, "", ""},
	{"a correct upgrade", on(), upgrades, "", ""},
	{"a correct import", on(), byID, "", ""},
	{"a correct move", on(), moves, "", ""},
	{"a correct data source", on(), looks, "", ""},
	{"a correct ephemeral resource", on(), opens, "", ""},
	{"P-14.21: a string may contain any bytes", on(), applyOf(obj{"name": latin, "size": 1}), "", ""},

	{"a proposal that Core does not send", on(), planOf(exists, config, config), "PlanResourceChange request .id proposed-not-core", ""},
	{"a prior state that Core cannot have, in a request to read", on(), readOf("test_thing", dynamic(obj{"id": unknown, "password": "x"})),
		"ReadResource request .password write-only-not-null; ReadResource response .id state-unknown; ReadResource response .password write-only-not-null",
		"ReadResource response .password write-only-not-null; ReadResource response .id state-unknown, unchecked"},
	{"a prior state that Core cannot have, in a request to plan", on(), resizes(obj{"id": unknown, "name": "a", "size": 1, "password": "leak"}, false),
		"PlanResourceChange request .id state-unknown; PlanResourceChange request .password write-only-not-null", "-"},
	{"unknown values in a prior state if deferral is allowed", on(), resizes(stub, true), "", ""},
	{"unknown values in a prior state if deferral is not allowed", on(), resizes(stub, false), "PlanResourceChange request .id state-unknown", "-"},
	{"a request that cannot be decoded", on(give[read](dynamic(exists))), readOf("test_thing", noObject), "ReadResource request type-mismatch", ""},
	{"an unknown configuration at apply", on(), applyOf(obj{"name": "a", "size": cty.DynamicVal}), "ApplyResourceChange request .size config-unknown", ""},
	{"a resource type without a schema", on(), readOf("test_other", dynamic(exists)), "ReadResource response invalid-input", ""},
	{"an unknown resource type that the provider rejects", on(fail[read]), readOf("test_other", dynamic(exists)), "", ""},
	{"an error instead of the schemas", on(fail[schemas]), looks, "ReadDataSource response invalid-input", ""},

	{"P-14.2: a plan must conform to the schema", on(give[plan](noObject)), creates, "PlanResourceChange response type-mismatch", ""},
	{"P-14.2: a plan must be valid", on(set[plan](obj{"name": "b"})), creates, "PlanResourceChange response .name plan-not-config", ""},
	{"P-14.2: an invalid plan of the legacy SDK is tolerated, except write-only values", on(set[plan](obj{"name": "b", "password": "x"})).legacy(), creates,
		"PlanResourceChange response .password write-only-not-null; PlanResourceChange response .name plan-not-config, tolerated", ""},
	{"P-14.3: a deferred plan is not checked", on(give[plan](noObject), putOff[plan]), resizes(exists2, true), "", ""},
	{"P-14.3: a deferral that is not allowed is reported even if the plan failed", on(putOff[plan], fail[plan]), creates, "PlanResourceChange response deferral", ""},
	{"a failed plan is not checked", on(give[plan](noObject), fail[plan]), creates, "", ""},
	{"a plan without a planned state", on(give[plan](nil), func(r planResp) { r.RequiresReplace = nil }), creates, "PlanResourceChange response plan-absent", ""},
	{"a plan with an infinite number", on(set[plan](infinite)), creates,
		"PlanResourceChange response .size plan-not-config; PlanResourceChange response .size type-mismatch", ""},
	{"P-14.5: a path that requires replacement must exist", on(func(r planResp) { r.RequiresReplace = append(r.RequiresReplace, nowhere) }),
		planOf(exists, config, exists), "PlanResourceChange response .nowhere replace-path", ""},
	{"P-14.5: a path into a set is accepted as a path of the set", on(func(r planResp) { r.RequiresReplace = []*tftypes.AttributePath{intoSet} }),
		planOf(exists, config, exists), "", ""},

	{"P-14.14: a new state must conform to the schema", on(give[apply](noObject)), applies, "ApplyResourceChange response type-mismatch", ""},
	{"P-14.14: a new state must be consistent with the plan", on(set[apply](obj{"size": 2})), applies, "ApplyResourceChange response .size inconsistent-value", ""},
	{"P-14.14: an inconsistent new state of the legacy SDK is tolerated", on(set[apply](obj{"size": 2})).legacy(), applies, "ApplyResourceChange response .size inconsistent-value, tolerated", ""},
	{"P-14.14: a new state must be known, also for the legacy SDK", on(give[apply](dynamic(planned))).legacy(), applies, "ApplyResourceChange response .id state-unknown", ""},
	{"P-14.14: a new state must not be null, also for the legacy SDK", on(give[apply](nothing())).legacy(), applies, "ApplyResourceChange response inconsistent-presence", ""},
	{"P-14.14: write-only attributes must be null in a new state", on(set[apply](leak)), applies,
		"ApplyResourceChange response .password inconsistent-value; ApplyResourceChange response .password write-only-not-null", ""},
	{"P-14.14: a write-only value hides all tolerated findings of the legacy SDK", on(set[apply](obj{"password": "leak", "name": "b"})).legacy(), applies,
		"ApplyResourceChange response .password write-only-not-null", ""},
	{"P-14.14: a new state must not contain an infinite number", on(set[apply](infinite)), applies,
		"ApplyResourceChange response .size inconsistent-value; ApplyResourceChange response .size type-mismatch", ""},
	{"P-14.15: a failed apply may return any state", on(give[apply](dynamic(obj{"name": "b"})), fail[apply]), applies, "", ""},
	{"P-14.15: a failed apply may return no state", on(give[apply](nil), fail[apply]), applies, "", ""},
	{"P-14.15: the state of a failed apply must be known", on(give[apply](dynamic(obj{"name": unknown})), fail[apply]), applies, "ApplyResourceChange response .name state-unknown", ""},
	{"P-14.15: write-only attributes must be null in the state of a failed apply", on(set[apply](leak), fail[apply]), applies, "ApplyResourceChange response .password write-only-not-null", ""},
	{"P-14.15: the state of a failed apply must not contain an infinite number", on(set[apply](infinite), fail[apply]), applies, "ApplyResourceChange response .size type-mismatch", ""},

	{"an unknown value in a read state", on(give[read](dynamic(planned))), reads, "ReadResource response .id state-unknown", "ReadResource response .id state-unknown, unchecked"},
	{"a deferred read if deferral is not allowed", on(give[read](dynamic(planned)), putOff[read]), reads, "ReadResource response deferral", ""},
	{"a failed read that is deferred", on(putOff[read], fail[read]), reads, "", ""},
	{"an infinite number in a read state", on(set[read](infinite)), reads, "ReadResource response .size type-mismatch", ""},
	{"a read that returns null", on(give[read](nothing())), reads, "", ""},
	{"P-14.17: null blocks in a read state are normalized", on(set[read](obj{"rule": cty.NullVal(thingType.AttributeType("rule"))})), reads,
		"ReadResource response .rule state-null-blocks, unchecked", ""},

	{"P-14.16: an upgraded state must be known", on(give[upgrade](dynamic(planned))), upgrades, "UpgradeResourceState response .id state-unknown", "UpgradeResourceState response .id state-unknown, unchecked"},
	{"P-14.16: a moved state must be known", on(give[move](dynamic(planned))), moves, "MoveResourceState response .id state-unknown", "MoveResourceState response .id state-unknown, unchecked"},
	{"P-14.16: write-only attributes must be null in a moved state", on(set[move](leak)), moves, "MoveResourceState response .password write-only-not-null", ""},

	{"P-14.18: an imported state may be unknown", on(give[imports](dynamic(planned))), byID, "ImportResourceState response .id state-unknown, unchecked", ""},
	{"P-14.18: write-only attributes must be null in an imported state", on(set[imports](leak)), byID, "ImportResourceState response .password write-only-not-null", ""},
	{"P-14.18: an import must not return more than one object", on(func(r *imports) { r.ImportedResources = append(r.ImportedResources, r.ImportedResources[0]) }), byID,
		"ImportResourceState response import-count", ""},
	{"P-14.18: each imported object is checked unless it is nil", on(func(r *imports) {
		r.ImportedResources = append(r.ImportedResources, nil, &tfprotov6.ImportedResource{TypeName: "test_thing", State: dynamic(planned)})
	}), byID, "ImportResourceState response import-count; ImportResourceState response .id state-unknown, unchecked", ""},
	{"P-14.18: an import must return an object", on(func(r *imports) { r.ImportedResources = nil }), byID, "ImportResourceState response import-count", ""},
	{"P-14.18: an import by ID must not return a null state", on(give[imports](nothing())), byID, "ImportResourceState response import-count", ""},
	{"P-14.18: an import by identity may return a null state", on(give[imports](nothing())), byName, "", "ImportResourceState response import-count"},
	{"an infinite number in an imported state", on(set[imports](infinite)), byID, "", ""},

	{"P-14.19: the result of a data source must be known", on(give[data](dynamic(planned))), looks, "ReadDataSource response .id state-unknown", ""},
	{"P-14.19: the result of a data source must not be null", on(give[data](nothing())), looks, "ReadDataSource response data-null", ""},
	{"P-14.19: the result of a data source may differ from the configuration", on(set[data](obj{"size": 2})), looks, "ReadDataSource response .size inconsistent-value, unchecked", ""},
	{"P-14.19: the result of a data source must not contain an infinite number", on(set[data](infinite)), looks, "ReadDataSource response .size type-mismatch", ""},
	{"P-14.19: the deferred result of a data source is not checked", on(give[data](noObject), putOff[data]),
		&tfprotov6.ReadDataSourceRequest{TypeName: "test_thing", Config: dynamic(config), ClientCapabilities: &tfprotov6.ReadDataSourceClientCapabilities{DeferralAllowed: true}}, "", ""},
	{"P-14.20: an ephemeral resource may contain unknown values", on(give[open](dynamic(planned))), opens, "", "OpenEphemeralResource response .id state-unknown"},
	{"P-14.20: an ephemeral resource must match the configuration", on(set[open](obj{"size": 2})), opens, "OpenEphemeralResource response .size plan-not-config", "OpenEphemeralResource response .size plan-not-config, unchecked"},
	{"P-14.20: an ephemeral resource must not be null", on(give[open](nothing())), opens, "OpenEphemeralResource response data-null", ""},
}

// exists2 is a thing without a secret.
var exists2 = obj{"id": "i-1", "name": "a", "size": 1}

// TestServersAndEncodedFindTheSame checks that the checking servers of both protocols and package encoded
// report the same findings, for both programs, and that the servers add diagnostics after the provider's own.
func TestServersAndEncodedFindTheSame(t *testing.T) {
	for _, x := range exchanges {
		t.Run(x.does, func(t *testing.T) {
			for program, want := range map[tfcheck.Program]string{"": x.want, tfcheck.Terraform: x.want, tfcheck.OpenTofu: x.wantOpenTofu()} {
				x.check(t, program, "", want)
			}
		})
	}
}

// wantOpenTofu returns the expected findings for OpenTofu.
func (x exchange) wantOpenTofu() string {
	if x.tofu == "" {
		return x.want
	}
	return strings.TrimPrefix(x.tofu, "-")
}

// check checks the findings for the version of the program, and the diagnostics of a report that
// rejects all of them. The version "" is not sent to the provider.
func (x exchange) check(t *testing.T, program tfcheck.Program, version, want string) {
	t.Helper()
	var found, seen []tfcheck.Finding
	checking := wrapped(x.fake, func(f tfcheck.Finding) tfcheck.Reaction {
		found = append(found, f)
		return tfcheck.ErrorDiagnostic
	}, program)
	watching := checkedServers(x.fake, func(more []encoded.Result) { seen = append(seen, findings(more)...) }, program)
	for protocol, server := range checking {
		if version != "" {
			must(server.ConfigureProvider(ctx, &tfprotov6.ConfigureProviderRequest{TerraformVersion: version}))
			must(watching[protocol].ConfigureProvider(ctx, &tfprotov6.ConfigureProviderRequest{TerraformVersion: version}))
		}
		found, seen = nil, nil
		diags, err := ask(server, x.req)
		if err != nil {
			t.Fatal(err)
		}
		place := fmt.Sprintf("%s, %s %s", protocol, program, version)
		if got := strings.Join(brief(found), "; "); got != want {
			t.Errorf("%s: the server found\n%s, want\n%s", place, got, want)
		}
		var rejected []string
		for _, f := range found {
			for _, v := range f.Violations {
				rejected = append(rejected, "ERROR "+string(v.Rule))
			}
		}
		if diff := cmp.Diff(rejected, added(diags)); diff != "" {
			t.Errorf("%s: diagnostics (-want +got):\n%s", place, diff)
		}
		passed, err := ask(watching[protocol], x.req)
		if err != nil && strings.HasSuffix(err.Error(), "is nil") || x.notEncodable() {
			continue // such a response cannot be encoded
		}
		if got := strings.Join(brief(seen), "; "); got != want || err != nil {
			t.Errorf("%s: package encoded found\n%s, %v, want\n%s", place, got, err, want)
		}
		if diff := cmp.Diff(passed, diags[:min(len(passed), len(diags))], cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: the provider's own diagnostics (-provider +server):\n%s", place, diff)
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
			if f.Severity != objchange.Rejected {
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
		} else if ruleAddress.MatchString(d.Detail) {
			all = append(all, "names no rule: "+d.Detail)
		}
	}
	return all
}

var ruleAddress = regexp.MustCompile(`/docs/rules/[a-z-]+\.md#`)

// ruleOf matches the rule in a detail, and the rule in the address of the remedy.
var ruleOf = regexp.MustCompile(`(?s) \[([a-z-]+)\]\n.*  see: \S+/docs/rules/[a-z-]+\.md#([a-z-]+)$`)
