package tfcheck_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/internal/check"
)

// TestIgnoredViolationsAreNotReported checks that ignored violations reach neither a Report of a
// server nor the test or run of a driver, and that the other violations do.
func TestIgnoredViolationsAreNotReported(t *testing.T) {
	wrong := on(set[plan](obj{"name": "b", "size": 7}))
	const name, all = "PlanResourceChange response .name plan-not-config", "PlanResourceChange response .name plan-not-config; PlanResourceChange response .size plan-not-config"
	for _, test := range []struct {
		what string
		want string
		used bool
	}{
		{"plan-not-config:test_thing:.name", "PlanResourceChange response .size plan-not-config", true},
		{"plan-*", "", true},
		{"*:test_*", "", true},
		{"plan-not-config:other", all, false},
		{"plan-not-config::.name.*", all, false},
		{"inconsistent-value", all, false},
	} {
		config := obj{"name": "a", "size": 1}
		var found, driven tfcheck.Collector
		known := tfcheck.Ignore(test.what, "issue 7")
		if known.Used() {
			t.Errorf("%s: Used reports true before the first finding", test.what)
		}
		request := planReq(planOf(nil, config, config))
		must(ask(tfcheck.Server6(wrong, found.Report, known), request))
		if got := strings.Join(brief(found.Findings()), "; "); got != test.want || known.Used() != test.used {
			t.Errorf("%s: the server found %s, used: %v", test.what, got, known.Used())
		}
		for made, d := range map[string]*driver.Driver{
			"around a checked server": must(driver.New6(ctx, tfcheck.Server6(wrong, nil, known), driver.ReportTo(driven.Report))),
			"with the option":         must(driver.New6(ctx, wrong, driver.ReportTo(driven.Report), driver.Ignore(known))),
		} {
			before := len(driven.Findings())
			run, err := configured(t, d).Plan(ctx, config)
			if err == nil {
				t.Errorf("%s, driver %s: the run continued, but Terraform stops", test.what, made)
			} else if why := "ignored: issue 7; Terraform rejects it"; strings.Contains(err.Error(), why) != (test.want == "") {
				t.Errorf("%s, driver %s: %v", test.what, made, err)
			}
			for _, got := range [][]tfcheck.Finding{run.Findings, driven.Findings()[before:]} {
				if diff := cmp.Diff(test.want, strings.Join(brief(got), "; ")); diff != "" {
					t.Errorf("%s, driver %s (-want +got):\n%s", test.what, made, diff)
				}
			}
		}
	}
}

// TestIgnoreReportsMistakes checks that an invalid Ignored is an error when the provider is
// created.
func TestIgnoreReportsMistakes(t *testing.T) {
	for _, test := range []struct{ what, reason, want string }{
		{"inconsistent-valeu", "issue 7", `tfcheck.Ignore: there is no rule "inconsistent-valeu": did you mean inconsistent-value?`},
		{"inconsistent-value", " ", `tfcheck.Ignore: "inconsistent-value" needs a reason`},
		{"inconsistent-value::name", "issue 7", `tfcheck.Ignore: no path matches "name": did you mean ".name"?`},
		{":cloud_server", "issue 7", `tfcheck.Ignore: ":cloud_server" does not name a rule; use * for any rule`},
		{"inconsistent-value:cloud_server.web", "issue 7", `tfcheck.Ignore: "inconsistent-value:cloud_server.web": use a resource type instead of cloud_server.web, because providers do not know addresses`},
		{"*:module.m.*:.tags", "issue 7", `tfcheck.Ignore: "*:module.m.*:.tags": use a resource type instead of module.m.*, because providers do not know addresses`},
	} {
		known := tfcheck.Ignore(test.what, test.reason)
		_, made := tfcheck.Factories6(factoriesOf(on()), tfcheck.Reject, known)["test"]()
		_, served := tfcheck.Server6(on(), tfcheck.Reject, known).GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
		_, driven := driver.New6(ctx, on(), driver.Ignore(known))
		for where, err := range map[string]error{"factory": made, "server": served, "driver": driven} {
			if err == nil || err.Error() != test.want {
				t.Errorf("%s: %v, want %s", where, err, test.want)
			}
		}
	}
}

// TestNilOptionsAreIgnored checks that nil options of each type are ignored.
func TestNilOptionsAreIgnored(t *testing.T) {
	var none *tfcheck.IgnoreOption
	wrong := on(set[plan](obj{"name": "b"}))
	made := must(tfcheck.Factories6(factoriesOf(wrong), tfcheck.Reject, none)["test"]())
	for where, server := range map[string]tfprotov6.ProviderServer{"factory": made, "server": tfcheck.Server6(wrong, tfcheck.Reject, none)} {
		if diags := must(ask(server, creates)); !slices.Equal(added(diags), []string{"ERROR plan-not-config"}) {
			t.Errorf("%s: reported %v", where, diags)
		}
	}
	_, thing := drive(t, wrong, driver.Ignore(none))
	if run, _ := thing.Create(ctx, config); len(run.Findings) != 1 {
		t.Errorf("driver: got findings %v", run.Findings)
	}
	if none.Used() {
		t.Error("Used reports true for a rule that matched nothing")
	}
}

// TestIgnoreIsNotNeededForLegacySDK checks that ignoring only findings that the legacy SDK causes
// does not count as use.
func TestIgnoreIsNotNeededForLegacySDK(t *testing.T) {
	known := check.Ignore("*", "issue 7")
	zero := objchange.Violations{{Rule: objchange.RulePlanKey, Severity: objchange.LegacySDK}}
	if rest := (check.Filter{known}).Rest("test_thing", zero); len(rest) > 0 || known.Used() {
		t.Errorf("remaining findings %v, used: %v", rest, known.Used())
	}
}
