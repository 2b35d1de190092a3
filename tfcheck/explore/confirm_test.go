package explore

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/testcty"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/explore/internal/exploretest"
	"github.com/objchange/objchange/tfcheck/explore/internal/hints"
	"github.com/objchange/objchange/tfcheck/explore/internal/repro"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
)

// fakes contains the names under which this test binary acts as a program, and the output of
// "PROGRAM version".
var fakes = map[string]string{
	"fake-terraform": "Terraform v1.11.4\non linux_amd64\n",
	"fake-tofu":      "OpenTofu v1.12.0\non linux_amd64\n",
	"fake-old":       "Terraform v0.12.31\n",
	"fake-other":     "hello\n",
}

func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == servedName {
		serve()
		return
	}
	if version, ok := fakes[filepath.Base(os.Args[0])]; ok {
		os.Exit(fake(version, os.Args[1]))
	}
	m.Run()
}

const nullObject = "Provider produced null object"

// fakeErrors contains the errors of a fake program for each value of FAKE.
var fakeErrors = map[string][]diagnostic{
	"right":    {{Summary: nullObject, Detail: "for data.cloud_server.example"}},
	"second":   {{Summary: "Other", Detail: "for data.cloud_server.example"}, {Summary: nullObject, Address: "data.cloud_server.example"}},
	"place":    {{Summary: nullObject, Detail: "for data.cloud_other.example"}},
	"summary":  {{Summary: "Other", Detail: "for data.cloud_server.example"}},
	"crash":    {{Summary: "Plugin did not respond", Detail: "no more"}},
	"secret":   {{Summary: nullObject, Detail: "for data.cloud_server.example: hunter22"}},
	"enormous": {{Summary: nullObject, Detail: "for data.cloud_server.example: " + strings.Repeat("é", maxError)}},
}

// fake acts as Terraform. It fails without a workspace that contains the provider.
func fake(version, command string) (exit int) {
	if command == "version" {
		fmt.Print(version)
		return 0
	}
	text, _ := os.ReadFile("main.tf")
	config, _ := os.ReadFile(os.Getenv("TF_CLI_CONFIG_FILE"))
	_, err := os.Lstat("provider/terraform-provider-cloud")
	if err != nil || !strings.Contains(string(text), `data "cloud_server" "example"`) || !strings.Contains(string(config), `"hashicorp/cloud" = "`) {
		return 3
	}
	switch os.Getenv("FAKE") {
	case "hangs":
		time.Sleep(time.Minute)
	case "noise":
		fmt.Println("noise")
		return 1
	case "document":
		fmt.Printf(`{"valid": false, "diagnostics": [{"severity": "error", "summary": %q, "detail": "data.cloud_server.example"}]}`, nullObject)
		return 1
	}
	for _, d := range fakeErrors[os.Getenv("FAKE")] {
		d.Severity, exit = "error", 1
		line, _ := json.Marshal(map[string]any{"type": "diagnostic", "diagnostic": d})
		fmt.Println(string(line))
	}
	return exit
}

// fakeProgram returns the path of a fake program.
func fakeProgram(t *testing.T, name string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.Symlink(self, path); err != nil {
		t.Skip(err)
	}
	return path
}

// TestConfirm checks that an error with the finding's summary and type confirms the finding, and
// that a finding that could not be run counts.
func TestConfirm(t *testing.T) {
	const enormous = "Error: " + nullObject + "\n\nfor data.cloud_server.example: "
	for _, test := range []struct {
		fake    string
		program string // Terraform by default
		want    Confirmation
	}{
		{fake: "right", want: Confirmation{Verdict: Confirmed, Error: "Error: " + nullObject + "\n\nfor data.cloud_server.example"}},
		{fake: "right", program: "fake-tofu", want: Confirmation{Program: "OpenTofu", Version: "1.12.0", Verdict: Confirmed, Error: "Error: " + nullObject + "\n\nfor data.cloud_server.example"}},
		{fake: "second", want: Confirmation{Verdict: Confirmed, Error: "Error: " + nullObject}},
		{fake: "document", want: Confirmation{Verdict: Confirmed, Error: "Error: " + nullObject + "\n\ndata.cloud_server.example"}},
		{fake: "secret", want: Confirmation{Verdict: Confirmed, Error: "Error: " + nullObject + "\n\nfor data.cloud_server.example: (secret)"}},
		{fake: "enormous", want: Confirmation{Verdict: Confirmed, Error: enormous + strings.Repeat("é", (maxError-len(enormous))/2) + "…"}},
		{fake: "place", want: Confirmation{Verdict: Unconfirmed, Reason: "terraform plan fails with another error", Error: "Error: " + nullObject + "\n\nfor data.cloud_other.example"}},
		{fake: "summary", want: Confirmation{Verdict: Unconfirmed, Reason: "terraform plan fails with another error", Error: "Error: Other\n\nfor data.cloud_server.example"}},
		{fake: "crash", want: Confirmation{Verdict: Unconfirmed, Reason: "terraform plan fails with another error", Error: "Error: Plugin did not respond\n\nno more"}},
		{fake: "fine", want: Confirmation{Verdict: Unconfirmed, Reason: "terraform plan does not fail"}},
		{fake: "noise", want: Confirmation{Verdict: Untried, Reason: "terraform plan: exit status 1"}},
		{fake: "hangs", want: Confirmation{Verdict: Untried, Reason: "terraform plan: context deadline exceeded"}},
	} {
		t.Run(test.fake, func(t *testing.T) {
			if test.want.Program == "" {
				test.program, test.want.Program, test.want.Version = "fake-terraform", "Terraform", "1.11.4"
			}
			h, err := hints.Read("hints", strings.NewReader("read: ['*']\nprovider: {env: {FAKE: "+test.fake+", PASSWORD: hunter22}}"))
			if err != nil {
				t.Fatal(err)
			}
			var last Progress
			r := newCloud(t, Data, nameAndSize).mustExplore(t, WithHints(h), TimeLimit(time.Second), Requests(20),
				Confirm(fakeProgram(t, test.program), "provider"), OnProgress(func(p Progress) { last = p }))
			all := r.Findings
			if test.want.Verdict == Unconfirmed {
				all = r.Unconfirmed
			}
			if len(all) != 1 || len(r.Findings)+len(r.Unconfirmed) != 1 || all[0].Rule != tfcheck.RuleDataNull {
				t.Fatalf("%v", r)
			}
			if diff := cmp.Diff(&test.want, all[0].Confirmed); diff != "" {
				t.Error(diff)
			}
			if shown := all[0].String(); !strings.Contains(shown, test.want.Reason) || !strings.Contains(shown, test.want.Error) {
				t.Error(shown)
			}
			if last.Confirming != 1 || last.Confirmed != 1 {
				t.Errorf("%+v", last)
			}
		})
	}
}

// TestConfirmWithoutProgram checks that explore returns an error without a program that can
// confirm.
func TestConfirmWithoutProgram(t *testing.T) {
	for path, want := range map[string]string{
		filepath.Join(t.TempDir(), "nothing"): "no such file",
		fakeProgram(t, "fake-other"):          "is neither Terraform 1 nor OpenTofu 1",
		fakeProgram(t, "fake-old"):            "is neither Terraform 1 nor OpenTofu 1",
	} {
		r, err := newCloud(t, Data, nameAndSize).explore(t, Confirm(path, "provider"))
		if err == nil || !strings.Contains(err.Error(), want) || len(r.Types) > 0 {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestConfirmUntried checks that explore does not run a finding that Terraform cannot reproduce.
func TestConfirmUntried(t *testing.T) {
	schema := testcty.Compiled(exploretest.Server)
	config := exploretest.ValueOf(t, schema, map[string]any{"name": "a"})
	late := exploretest.ValueOf(t, schema, map[string]any{"name": cty.UnknownVal(cty.String)})
	for _, test := range []struct {
		about, want string
		minor       int
		gap         string
		c           candidate
	}{
		{"bytes", "a configuration cannot express it exactly", 11, "", candidate{scenario: scenario.Scenario{Config: exploretest.ValueOf(t, schema, map[string]any{"name": "\xff"})}}},
		{"apply", "without isolation, nothing is applied (network: not isolated: only on Linux)", 11, "network: not isolated: only on Linux", candidate{scenario: scenario.Scenario{Config: late, Then: config}}},
		{"lifecycle", "without isolation, nothing is applied (network: not isolated: only on Linux)", 11, "network: not isolated: only on Linux", candidate{scenario: scenario.Scenario{Config: config, Does: scenario.Applies}}},
		{"import", "version 1.5 or later is needed", 4, "", candidate{scenario: scenario.Scenario{Config: config, Does: scenario.Imports}}},
		{"error", "the error for this rule is not known", 11, "", candidate{scenario: scenario.Scenario{Config: config}}},
		{"identity", "version 1.12 or later is needed", 11, "", candidate{scenario: scenario.Scenario{Config: config}, identity: true}},
		{"ephemeral", "version 1.11 or later is needed", 10, "", candidate{scenario: scenario.Scenario{Kind: Ephemeral, Config: config}}},
		{"write-only", "version 1.11 or later is needed", 10, "", candidate{scenario: scenario.Scenario{Config: config}, Finding: Finding{Rule: objchange.RuleWriteOnlyNotNull}}},
		{"terraform_data", "version 1.4 or later is needed", 3, "", candidate{scenario: scenario.Scenario{Config: config}}},
	} {
		program := &terraform{path: "nothing", name: "Terraform", version: "1", minor: test.minor, missingBarrier: test.gap}
		test.c.scenario.TypeName, test.c.scenario.Schema = "cloud_server", schema
		if test.c.scenario.Kind == "" {
			test.c.scenario.Kind = Resource
		}
		if got := program.confirm(t.Context(), &test.c, repro.Naming{}); got.Verdict != Untried || got.Reason != test.want {
			t.Errorf("%s: %+v", test.about, got)
		}
	}
}

// TestExpects checks that an error matches a finding only if both are about the same thing.
func TestExpects(t *testing.T) {
	const responds = "The plugin encountered an error, and failed to respond to the plugin6.(*GRPCProvider).PlanResourceChange call. The plugin logs may contain more details."
	const cancelled = "The plugin6.(*GRPCProvider).PlanResourceChange request was cancelled."
	inFunction := func(text string) diagnostic {
		return diagnostic{Summary: "Error in function call", Detail: `Call to function "provider::cloud::parse" failed: ` + text}
	}
	function := diagnostic{Summary: "Error in function call", Detail: `Call to function "provider::cloud::parse" failed: bool is required.`}
	multiple := diagnostic{Summary: "Multiple import states not supported", Detail: "with ID i-1"}
	for _, test := range []struct {
		about   string
		kind    Kind
		rule    objchange.Rule
		summary string // summary of the finding
		diag    diagnostic
		want    bool
	}{
		{"a crash", Resource, tfcheck.RuleCrash, "", diagnostic{Summary: "Plugin did not respond", Detail: responds}, true},
		{"a crash that is noticed late", Resource, tfcheck.RuleCrash, "", diagnostic{Summary: "Request cancelled", Detail: cancelled}, true},
		{"an error with such words", Resource, tfcheck.RuleCrash, "", diagnostic{Summary: "Plugin did not respond", Detail: responds, Address: "parse.example"}, false},
		{"a crash in an apply with protocol 5", Resource, tfcheck.RuleCrash, "", diagnostic{Summary: "Request cancelled", Address: "parse.example",
			Detail: "The plugin.(*GRPCProvider).ApplyResourceChange request was cancelled."}, true},
		{"an error with some of the words", Resource, tfcheck.RuleCrash, "", diagnostic{Summary: "Request cancelled", Detail: "by the user"}, false},
		{"a crash of a function", Function, tfcheck.RuleCrash, "", inFunction("Plugin did not respond: " + responds + "."), true},
		{"a crash of a function that is noticed late", Function, tfcheck.RuleCrash, "", inFunction("Request cancelled: " + cancelled + "."), true},
		{"an error of a function with some of the words", Function, tfcheck.RuleCrash, "", inFunction("Plugin did not respond: no more"), false},
		{"no crash of a function", Function, tfcheck.RuleCrash, "", function, false},
		{"a result of a function", Function, objchange.RuleTypeMismatch, "Error in function call", function, true},
		{"another function", Function, objchange.RuleTypeMismatch, "Error in function call", diagnostic{Summary: "Error in function call", Detail: `"provider::cloud::other"`}, false},
		{"an import", Resource, tfcheck.RuleImportCount, multiple.Summary, multiple, true},
		{"words that are not known", Resource, tfcheck.RuleImportIdentity, "", diagnostic{Summary: "Any", Detail: "parse.example"}, false},
		{"a perpetual diff", Resource, tfcheck.RulePerpetualDiff, "", diagnostic{Summary: "Any", Detail: "parse.example"}, false},
		{"an address in the summary", Resource, objchange.RuleTypeMismatch, "failed to encode ", diagnostic{Summary: "failed to encode parse.example in state"}, true},
		{"the provider's configuration", Configuration, objchange.RuleTypeMismatch, "Any", diagnostic{Summary: "Any"}, true},
	} {
		c := &candidate{scenario: scenario.Scenario{Kind: test.kind, TypeName: "parse"}, Finding: Finding{Rule: test.rule, Places: []Place{{}}}}
		if test.summary != "" {
			c.summaries = []string{"Other", test.summary}
		}
		if got := c.matches(test.diag, repro.Naming{Name: "cloud"}); got != test.want {
			t.Errorf("%s: %v", test.about, got)
		}
	}
}

// TestAmong checks that an error that names another attribute does not match the finding, and that
// an error without an attribute does.
func TestAmong(t *testing.T) {
	const invalid = `Provider "registry.terraform.io/hashicorp/a" planned an invalid value for a_b.example`
	const unexpected = `When applying changes to a_b.example, provider "provider[\"registry.terraform.io/hashicorp/a\"]" produced an unexpected new value: `
	for _, test := range []struct {
		path, detail string
		want         bool
	}{
		{".rule[…].size", invalid + `.rule[0].size: planned value cty.StringVal("a .name") does not match config value.`, true},
		{".rule[…].size", invalid + `.rule["a.b"].size: planned value.`, true},
		{".rule[…].size", "an unknown value for a_b.example.rule[...].size. All values must be known after apply.", true}, // in a set
		{".rule[…].size", invalid + `.rule[0].name: planned value.`, false},
		{".rule[…].size", invalid + `.size: planned value.`, false},
		{".rule[…].size", invalid + `.rule: block count in plan (0) disagrees with count in config (1).`, false},
		{".rule[…]", invalid + `.rule: block count in plan (0) disagrees with count in config (1).`, true},
		{".rule", invalid + `.rule[0].size: planned for absence but config wants existence.`, true},
		{".rule", unexpected + `.rule: block count changed from 1 to 0.`, true},
		{".rule", unexpected + `.rules: block count changed from 1 to 0.`, false},
		{"", unexpected + `Root object was present, but now absent.`, true},
		{".rule", "for .rule: was known, but now unknown, a_b.example", true},
		{".rule", "for .name: was known, but now unknown, a_b.example", false},
		{".rule", `"requires replacement" on a_b.example for a non-existent attribute path cty.Path{cty.GetAttrStep{Name:"rule"}}.`, true},
		{".rule", `"requires replacement" on a_b.example for a non-existent attribute path cty.Path{cty.GetAttrStep{Name:"name"}}.`, false},
		{".rule", `Provider produced a value for a_b.example that is not wholly known.`, true},
		{".rule", `a value for the write-only attribute "a_b.example.rule" during planning.`, true},
		{".rule", `Provider produced a value for a_c.example that is not wholly known.`, false},
	} {
		c := &candidate{scenario: scenario.Scenario{Kind: Resource, TypeName: "a_b"}, summaries: []string{"Any"}, Finding: Finding{Places: []Place{{Resource, "a_b", test.path}}}}
		errors := []diagnostic{{Summary: "Other", Detail: test.detail}, {Summary: "Any", Detail: test.detail}}
		if got := c.firstMatch(errors, repro.Naming{}); (got == &errors[1]) != test.want {
			t.Errorf("%s: %s: %v", test.path, test.detail, got)
		}
	}
}

// TestMissingNetwork checks that only the network must be isolated.
func TestMissingNetwork(t *testing.T) {
	for want, barriers := range map[string][]driver.Barrier{
		"":                             {{Name: "processes", Gap: "any"}, {Name: "network"}, {Name: "limits", Gap: "any"}},
		"network: not isolated: other": {{Name: "processes", Gap: "any"}, {Name: "network", Gap: "other"}},
	} {
		if got := missingNetwork(barriers); got != want {
			t.Errorf("%v: %q", barriers, got)
		}
	}
}

// TestFirstOfEach checks that only the first counting finding of a cause is confirmed.
func TestFirstOfEach(t *testing.T) {
	of := func(rule objchange.Rule, severity tfcheck.Severity, known string, replayed, unstable bool) *candidate {
		return &candidate{replayed: replayed, unstable: unstable, Finding: Finding{
			Rule: rule, Severity: severity, Known: known, Places: []Place{{Resource, "cloud_server", ".name"}}}}
	}
	first := of("a", tfcheck.Rejected, "", true, false)
	got := firstOfEach([]*found{nil, {findings: []*candidate{
		of("b", tfcheck.Tolerated, "", true, false), of("c", tfcheck.Rejected, "issue 42", true, false),
		of("d", tfcheck.Rejected, "", false, false), of("e", tfcheck.Rejected, "", true, true), first,
	}}, {findings: []*candidate{of("a", tfcheck.Rejected, "", true, false)}}})
	if !slices.Equal(got, []*candidate{first}) {
		t.Errorf("%v", got)
	}
}
