//lint:file-ignore SA1019 the legacy type system is what is tested

package tfcheck_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-mux/tf5to6server"
	"github.com/hashicorp/terraform-plugin-mux/tf6to5server"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
)

func TestServerPassesResponses(t *testing.T) {
	state := dynamic(planned) // invalid as a state, because it has an unknown value
	f := on(give[read](state))
	req := &tfprotov6.ReadResourceRequest{TypeName: "test_thing", CurrentState: dynamic(exists)}

	var found tfcheck.Collector
	resp := must(tfcheck.Server6(f, found.Report).ReadResource(ctx, req))
	if resp.NewState != state || len(resp.Diagnostics) != 0 || len(found.Findings()) != 1 {
		t.Errorf("%+v, findings %v", resp, found.Findings())
	}

	resp = must(tfcheck.Server6(f, tfcheck.Reject).ReadResource(ctx, req))
	if resp.NewState != state || len(resp.Diagnostics) != 1 {
		t.Fatalf("%+v", resp)
	}
	want := &tfprotov6.Diagnostic{
		Severity: tfprotov6.DiagnosticSeverityError,
		Summary:  "Provider produced invalid object",
		Detail: "ReadResource of test_thing \"i-1\"\n  read: .id: the value is unknown, but a state must be wholly known [state-unknown]\n" +
			"  see: https://github.com/objchange/objchange/blob/main/docs/rules/state.md#state-unknown",
		Attribute: tftypes.NewAttributePath().WithAttributeName("id"),
	}
	if diff := cmp.Diff(want, resp.Diagnostics[0]); diff != "" {
		t.Error(diff)
	}
}

// silent returns no responses.
type silent struct{ *fake }

func (silent) ReadResource(context.Context, *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return nil, errors.New("no connection")
}

func (silent) ImportResourceState(context.Context, *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	return nil, nil
}

func TestServerPassesErrors(t *testing.T) {
	if tfcheck.Server6(nil, tfcheck.Reject) != nil || tfcheck.Server5(nil, tfcheck.Reject) != nil {
		t.Error("got a server without an inner server")
	}
	server := tfcheck.Server6(silent{on()}, tfcheck.FailAll(t))
	if _, err := ask(server, reads); err == nil || err.Error() != "no connection" {
		t.Error(err)
	}
	resp, err := server.ImportResourceState(ctx, &tfprotov6.ImportResourceStateRequest{})
	if resp != nil || err == nil || err.Error() != "the provider did not respond" {
		t.Error(resp, err)
	}
}

type lister struct{ tfprotov6.ListResourceServer }
type actor struct{ tfprotov6.ActionServer }
type storer struct{ tfprotov6.StateStoreServer }

func TestServerHasOptionalInterfaces(t *testing.T) {
	for _, inside := range []tfprotov6.ProviderServer{
		on(),
		struct {
			*fake
			lister
		}{},
		struct {
			*fake
			actor
		}{},
		struct {
			*fake
			storer
		}{},
		struct {
			*fake
			lister
			actor
		}{},
		struct {
			*fake
			lister
			storer
		}{},
		struct {
			*fake
			actor
			storer
		}{},
		struct {
			*fake
			lister
			actor
			storer
		}{},
	} {
		if in, out := optional(inside), optional(tfcheck.Server6(inside, tfcheck.Reject)); in != out {
			t.Errorf("inner response %v, outer response %v", in, out)
		}
	}
}

func optional(s tfprotov6.ProviderServer) (has [3]bool) {
	_, has[0] = s.(tfprotov6.ListResourceServer)
	_, has[1] = s.(tfprotov6.ActionServer)
	_, has[2] = s.(tfprotov6.StateStoreServer)
	return has
}

func TestServerRequestsSchemasOnce(t *testing.T) {
	f := on()
	server := tfcheck.Server6(f, tfcheck.FailAll(t))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for _, req := range []any{creates, applies, reads, byID, looks} {
				if _, err := ask(server, req); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	asked := 0
	for _, call := range f.calls {
		if call == "GetProviderSchema" {
			asked++
		}
	}
	if asked != 1 {
		t.Errorf("the schemas were requested %d times", asked)
	}
}

// A recorder is a testing.TB that stores errors and logs.
type recorder struct {
	testing.TB
	errors, logs []string
}

func (r *recorder) Helper() {}
func (r *recorder) Errorf(f string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(f, args...))
}
func (r *recorder) Output() io.Writer { return r }
func (r *recorder) Write(text []byte) (int, error) {
	r.logs = append(r.logs, strings.TrimSuffix(string(text), "\n"))
	return len(text), nil
}
func (r *recorder) Fail() { // moves the last log to the errors
	last := len(r.logs) - 1
	r.errors, r.logs = append(r.errors, r.logs[last]), r.logs[:last]
}
func (r *recorder) FailNow() { runtime.Goexit() }

// TestReportsBySeverity checks the result of each Report for each severity, and that only
// rejecting reports leave perpetual diffs to others.
func TestReportsBySeverity(t *testing.T) {
	const error, warning, none = tfcheck.ErrorDiagnostic, tfcheck.WarningDiagnostic, tfcheck.NoDiagnostic
	for _, test := range []struct {
		severity              string
		rejected, all, warned tfcheck.Reaction
		fail, failAll         string // the effect on the test
	}{
		{"rejected", error, error, none, "failed", "failed"},
		{"perpetual-diff", none, none, none, "failed", "failed"},
		{"tolerated", none, error, warning, "logged", "failed"},
		{"unchecked", none, error, warning, "logged", "failed"},
		{"legacy-sdk", none, none, none, "", "logged"},
	} {
		f := tfcheck.Finding{RPC: "ReadResource", Severity: objchange.Severity(test.severity), Violations: objchange.Violations{
			{Rule: objchange.RuleInconsistentValue, Severity: objchange.Severity(test.severity)},
		}}
		if test.severity == "perpetual-diff" {
			f.Severity, f.Violations = objchange.Rejected, objchange.Violations{{Rule: objchange.RulePerpetualDiff}}
		}
		if rejected, all, warned := tfcheck.Reject(f), tfcheck.RejectAll(f), tfcheck.Warn(f); rejected != test.rejected || all != test.all || warned != test.warned {
			t.Errorf("%s: Reject %v, RejectAll %v, Warn %v", test.severity, rejected, all, warned)
		}
		for want, report := range map[*string]func(testing.TB) tfcheck.Report{&test.fail: tfcheck.Fail, &test.failAll: tfcheck.FailAll} {
			r := &recorder{}
			report(r)(f)
			got := map[bool]string{len(r.errors) > 0: "failed", len(r.logs) > 0: "logged"}[true]
			if got != *want {
				t.Errorf("%s: %q, want %q", test.severity, got, *want)
			}
		}
	}
}

// TestDiagnosticsHavePathAndSummary checks the diagnostics of Reject and Warn: one for each violation, with
// its path and Terraform's summary. Package livetest/lifecycle compares the same summaries with Terraform's.
func TestDiagnosticsHavePathAndSummary(t *testing.T) {
	const atPassword = `AttributeName("password") `
	tolerated := on(set[plan](obj{"name": "b", "token": "leaked"})).legacy()
	for _, test := range []struct {
		f      *fake
		report tfcheck.Report
		req    any
		want   []string
	}{
		{on(set[plan](obj{"name": "b"})), tfcheck.Reject, creates, []string{`AttributeName("name") Provider produced invalid plan`}},
		{tolerated, tfcheck.Warn, creates, []string{
			`AttributeName("name") Provider violates a rule: plan-not-config`, `AttributeName("token") Provider violates a rule: plan-not-config`,
		}},
		{on(set[imports](leak)), tfcheck.Reject, byID, []string{atPassword + "Import returned a non-null value for a write-only attribute"}},
		{on(give[imports](nothing())), tfcheck.Reject, byID, []string{" Cannot import non-existent remote object (Import returned null resource)"}},
		{on(func(r *imports) { r.ImportedResources = nil }), tfcheck.Reject, byID, []string{" Import returned no resources"}},
		{on(give[imports](noObject)), tfcheck.Reject, byID, []string{" Provider violates a rule: type-mismatch"}},
		{on(set[move](leak)), tfcheck.Reject, moves, []string{atPassword + "Provider returned invalid value"}},
		{on(putOff[read]), tfcheck.Reject, reads, []string{" Invalid Deferred Response"}},
		{on(identify[read](unknownIdentity)), tfcheck.Reject, reads, []string{" Provider violates a rule: state-unknown"}},
	} {
		var got []string
		for _, d := range must(ask(tfcheck.Server6(test.f, test.report), test.req)) {
			got = append(got, d.Attribute.String()+" "+d.Summary)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// TestDriverOfACheckingServer checks that a driver of a checking server does its own checks and uses its
// own report. Each finding is part of the run, and a finding that the report rejects ends the run.
func TestDriverOfACheckingServer(t *testing.T) {
	tolerated := on(set[apply](obj{"name": "WEB"})).legacy()
	const finding = `ApplyResourceChange of test_thing "i-1" (tolerated: legacy type system)` +
		"\n  apply: .name: planned \"a\", but got \"WEB\" [inconsistent-value]"
	const explained = "\n  tolerated: the response has the flag legacy_type_system, so Terraform only logs this at WARN" +
		"\n  see: https://github.com/objchange/objchange/blob/main/docs/rules/apply.md#inconsistent-value"
	var unused, kept tfcheck.Collector
	for name, test := range map[string]struct {
		report tfcheck.Report
		err    string
	}{
		"rejects all": {tfcheck.RejectAll, finding + explained + "\n  the Report of the driver rejects this, but Terraform does not"},
		"rejects":     {tfcheck.Reject, "<nil>"},
		"keeps":       {kept.Report, "<nil>"},
		"nothing":     {nil, "<nil>"},
	} {
		_, thing := drive(t, tfcheck.Server6(tolerated, unused.Report), driver.ReportTo(test.report))
		run, err := thing.Create(ctx, config)
		if got := fmt.Sprint(err); got != test.err {
			t.Errorf("%s: ended with %v", name, err)
		}
		if len(run.Findings) == 0 || run.Findings[0].String() != finding || len(run.Warnings) > 0 {
			t.Errorf("%s: %v, %v", name, run.Findings, run.Warnings)
		}
	}
	if got := brief(kept.Findings()); len(got) != 2 || len(unused.Findings()) > 0 { // the other finding is a perpetual diff
		t.Errorf("the reports kept %v and %v", got, unused.Findings())
	}
	messages := messagesOf(t, func(t testing.TB) {
		factories := tfcheck.Factories6(factoriesOf(cloud), tfcheck.Reject)
		driver.Test6(t, factories, "test", nil).Lifecycle(t, "test_thing").Create(obj{"name": "web"})
	})
	if diff := cmp.Diff(cloudFinding, messages); diff != "" {
		t.Errorf("of a test (-want +got):\n%s", diff)
	}
}

// TestFindingsAreReportedOnceAtTheirLine checks that a finding is reported once, with its object,
// at the line of the test that caused it, and that the error does not repeat it.
func TestFindingsAreReportedOnceAtTheirLine(t *testing.T) {
	r := &recorder{}
	_, thing := drive(t, cloud, driver.ReportTo(tfcheck.Fail(r)))
	_, err := thing.Create(ctx, config)
	messages := strings.Join(r.errors, "\n")
	if len(r.errors) != 1 || !strings.HasPrefix(messages, "server_report_test.go:") || !strings.Contains(messages, `ApplyResourceChange of test_thing "i-1"`) {
		t.Errorf("reported %q", r.errors)
	}
	if want := "ApplyResourceChange of test_thing: Terraform stops here (see the reported finding)"; err == nil || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
}

// TestFactoriesForOpenTofu checks that factories check for their program.
func TestFactoriesForOpenTofu(t *testing.T) {
	unknowns := on(give[open](dynamic(planned)))
	five := must(tf6to5server.DowngradeServer(ctx, func() tfprotov6.ProviderServer { return unknowns }))
	var found tfcheck.Collector
	at5 := tfcheck.Factories5(map[string]func() (tfprotov5.ProviderServer, error){"test": func() (tfprotov5.ProviderServer, error) { return five, nil }}, found.Report, tfcheck.OpenTofu)
	at6 := tfcheck.Factories6(factoriesOf(unknowns), found.Report, tfcheck.OpenTofu)
	upgraded := must(tf5to6server.UpgradeServer(ctx, func() tfprotov5.ProviderServer { return must(at5["test"]()) }))
	for _, server := range []tfprotov6.ProviderServer{must(at6["test"]()), upgraded} {
		must(ask(server, opens))
	}
	const want = "OpenEphemeralResource response .id state-unknown"
	if diff := cmp.Diff([]string{want, want}, brief(found.Findings())); diff != "" {
		t.Error(diff)
	}
}
