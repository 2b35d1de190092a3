package confirm

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/testcty"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/explore/internal/exploretest"
	"github.com/objchange/objchange/tfcheck/explore/internal/repro"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
)

// TestUnreproducibleFindingIsNotRun checks that explore does not run a finding that Terraform cannot reproduce.
func TestUnreproducibleFindingIsNotRun(t *testing.T) {
	schema := testcty.Compiled(exploretest.Server)
	config := exploretest.ValueOf(t, schema, map[string]any{"name": "a"})
	late := exploretest.ValueOf(t, schema, map[string]any{"name": cty.UnknownVal(cty.String)})
	for _, test := range []struct {
		about, want string
		minor       int
		gap         string
		c           Finding
	}{
		{"bytes", "a configuration cannot express it exactly", 11, "", Finding{Scenario: scenario.Scenario{Steps: []scenario.Step{{Config: exploretest.ValueOf(t, schema, map[string]any{"name": "\xff"})}}}}},
		{"apply", "without isolation, nothing is applied (network: not isolated: only on Linux)", 11, "network: not isolated: only on Linux", Finding{Scenario: scenario.Scenario{Steps: []scenario.Step{{Config: late, Then: config}}}}},
		{"lifecycle", "without isolation, nothing is applied (network: not isolated: only on Linux)", 11, "network: not isolated: only on Linux", Finding{Scenario: scenario.Scenario{Steps: []scenario.Step{{Config: config, Does: scenario.Applies}}}}},
		{"import", "version 1.6 or later is needed", 5, "", Finding{Scenario: scenario.Scenario{Steps: []scenario.Step{{Config: config, Does: scenario.Imports}}}}},
		{"error", "the error for this rule is not known", 11, "", Finding{Scenario: scenario.Scenario{Steps: []scenario.Step{{Config: config}}}}},
		{"identity", "version 1.12 or later is needed", 11, "", Finding{Scenario: scenario.Scenario{Steps: []scenario.Step{{Config: config}}}, Identity: true}},
		{"ephemeral", "version 1.11 or later is needed", 10, "", Finding{Scenario: scenario.Scenario{Kind: scenario.Ephemeral, Steps: []scenario.Step{{Config: config}}}}},
		{"write-only", "version 1.11 or later is needed", 10, "", Finding{Scenario: scenario.Scenario{Steps: []scenario.Step{{Config: config}}}, Rule: objchange.RuleWriteOnlyNotNull}},
		{"terraform_data", "version 1.4 or later is needed", 3, "", Finding{Scenario: scenario.Scenario{Steps: []scenario.Step{{Config: config}}}}},
	} {
		program := &Program{path: "nothing", name: "Terraform", version: "1", minor: test.minor, MissingBarrier: test.gap}
		test.c.Scenario.TypeName, test.c.Scenario.Schema = "cloud_server", schema
		if test.c.Scenario.Kind == "" {
			test.c.Scenario.Kind = scenario.Resource
		}
		if got := program.Confirm(t.Context(), test.c, repro.Naming{}); got.Verdict != Untried || got.Reason != test.want {
			t.Errorf("%s: %+v", test.about, got)
		}
	}
}

// TestErrorMatchesOnlyItsFinding checks that an error matches a finding only if both are about the same thing.
func TestErrorMatchesOnlyItsFinding(t *testing.T) {
	const responds = "The plugin encountered an error, and failed to respond to the plugin6.(*GRPCProvider).PlanResourceChange call. The plugin logs may contain more details."
	const cancelled = "The plugin6.(*GRPCProvider).PlanResourceChange request was cancelled."
	inFunction := func(text string) diagnostic {
		return diagnostic{Summary: "Error in function call", Detail: `Call to function "provider::cloud::parse" failed: ` + text}
	}
	function := diagnostic{Summary: "Error in function call", Detail: `Call to function "provider::cloud::parse" failed: bool is required.`}
	multiple := diagnostic{Summary: "Multiple import states not supported", Detail: "with ID i-1"}
	for _, test := range []struct {
		about   string
		kind    scenario.Kind
		rule    objchange.Rule
		summary string // summary of the finding
		diag    diagnostic
		want    bool
	}{
		{"a crash", scenario.Resource, objchange.RuleCrash, "", diagnostic{Summary: "Plugin did not respond", Detail: responds}, true},
		{"a crash that is noticed late", scenario.Resource, objchange.RuleCrash, "", diagnostic{Summary: "Request cancelled", Detail: cancelled}, true},
		{"an error with such words", scenario.Resource, objchange.RuleCrash, "", diagnostic{Summary: "Plugin did not respond", Detail: responds, Address: "parse.example"}, false},
		{"a crash in an apply with protocol 5", scenario.Resource, objchange.RuleCrash, "", diagnostic{Summary: "Request cancelled", Address: "parse.example",
			Detail: "The plugin.(*GRPCProvider).ApplyResourceChange request was cancelled."}, true},
		{"an error with some of the words", scenario.Resource, objchange.RuleCrash, "", diagnostic{Summary: "Request cancelled", Detail: "by the user"}, false},
		{"a crash of a function", scenario.Function, objchange.RuleCrash, "", inFunction("Plugin did not respond: " + responds + "."), true},
		{"a crash of a function that is noticed late", scenario.Function, objchange.RuleCrash, "", inFunction("Request cancelled: " + cancelled + "."), true},
		{"an error of a function with some of the words", scenario.Function, objchange.RuleCrash, "", inFunction("Plugin did not respond: no more"), false},
		{"no crash of a function", scenario.Function, objchange.RuleCrash, "", function, false},
		{"a result of a function", scenario.Function, objchange.RuleTypeMismatch, "Error in function call", function, true},
		{"another function", scenario.Function, objchange.RuleTypeMismatch, "Error in function call", diagnostic{Summary: "Error in function call", Detail: `"provider::cloud::other"`}, false},
		{"an import", scenario.Resource, objchange.RuleImportCount, multiple.Summary, multiple, true},
		{"words that are not known", scenario.Resource, objchange.RuleImportIdentity, "", diagnostic{Summary: "Any", Detail: "parse.example"}, false},
		{"a perpetual diff", scenario.Resource, objchange.RulePerpetualDiff, "", diagnostic{Summary: "Any", Detail: "parse.example"}, false},
		{"an address in the summary", scenario.Resource, objchange.RuleTypeMismatch, "failed to encode ", diagnostic{Summary: "failed to encode parse.example in state"}, true},
		{"the provider's configuration", scenario.Configuration, objchange.RuleTypeMismatch, "Any", diagnostic{Summary: "Any"}, true},
	} {
		c := Finding{Scenario: scenario.Scenario{Kind: test.kind, TypeName: "parse"}, Rule: test.rule}
		if test.summary != "" {
			c.Summaries = []string{"Other", test.summary}
		}
		if got := c.matches(test.diag, false, repro.Naming{Name: "cloud"}); got != test.want {
			t.Errorf("%s: %v", test.about, got)
		}
	}
}

// TestErrorOfAnotherAttributeDoesNotMatch checks that an error that names another attribute does
// not match the finding, and that an error without an attribute does.
func TestErrorOfAnotherAttributeDoesNotMatch(t *testing.T) {
	const invalid = `Provider "registry.terraform.io/hashicorp/a" planned an invalid value for a_b.example`
	const unexpected = `When applying changes to a_b.example, provider "provider[\"registry.terraform.io/hashicorp/a\"]" produced an unexpected new value: `
	const nonexistent = `"requires replacement" on a_b.example for a non-existent attribute path `
	rule := cty.GetAttrPath("rule")
	element := rule.IndexInt(0)
	size := element.GetAttr("size")
	for _, test := range []struct {
		path   cty.Path
		detail string
		want   bool
	}{
		{size, invalid + `.rule[0].size: planned value cty.StringVal("a .name") does not match config value.`, true},
		{size, invalid + `.rule["a.b"].size: planned value.`, true},
		{size, "an unknown value for a_b.example.rule[...].size. All values must be known after apply.", true}, // in a set
		{size, invalid + `.rule[0].name: planned value.`, false},
		{size, invalid + `.size: planned value.`, false},
		{size, invalid + `.rule: block count in plan (0) disagrees with count in config (1).`, false},
		{element, invalid + `.rule: block count in plan (0) disagrees with count in config (1).`, true},
		{rule, invalid + `.rule[0].size: planned for absence but config wants existence.`, true},
		{rule, unexpected + `.rule: block count changed from 1 to 0.`, true},
		{rule, unexpected + `.rules: block count changed from 1 to 0.`, false},
		{nil, unexpected + `Root object was present, but now absent.`, true},
		{rule, "for .rule: was known, but now unknown, a_b.example", true},
		{rule, "for .name: was known, but now unknown, a_b.example", false},
		{rule, nonexistent + `cty.Path{cty.GetAttrStep{Name:"rule"}}.`, true},
		{rule, nonexistent + `cty.Path{cty.GetAttrStep{Name:"name"}}.`, false},
		{rule, `Provider produced a value for a_b.example that is not wholly known.`, true},
		{rule, `a value for the write-only attribute "a_b.example.rule" during planning.`, true},
		{rule, `Provider produced a value for a_c.example that is not wholly known.`, false},
	} {
		c := Finding{Scenario: scenario.Scenario{Kind: scenario.Resource, TypeName: "a_b"}, Summaries: []string{"Any"}, Path: test.path}
		errors := []diagnostic{{Summary: "Other", Detail: test.detail}, {Summary: "Any", Detail: test.detail}}
		if got := c.firstMatch(commandOutput{errors: errors}, repro.Naming{}); (got == &errors[1]) != test.want {
			t.Errorf("%s: %s: %v", objchange.PathString(test.path), test.detail, got)
		}
	}
}

// TestOnlyNetworkMustBeIsolated checks that only the network must be isolated.
func TestOnlyNetworkMustBeIsolated(t *testing.T) {
	for want, barriers := range map[string][]driver.Barrier{
		"":                             {{Name: "processes", Gap: "any"}, {Name: "network"}, {Name: "limits", Gap: "any"}},
		"network: not isolated: other": {{Name: "processes", Gap: "any"}, {Name: "network", Gap: "other"}},
	} {
		if got := missingNetwork(barriers); got != want {
			t.Errorf("%v: %q", barriers, got)
		}
	}
}
