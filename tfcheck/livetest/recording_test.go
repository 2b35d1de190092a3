package livetest_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	acceptance "github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/objchange/objchange/tfcheck/livetest/frameworkprovider"
	"github.com/objchange/objchange/tfcheck/livetest/sdkprovider"
)

// TestAccFaults is an acceptance test as others have them, which knows nothing of
// package tfcheck. It is run to be recorded, and passes: Core excuses the legacy
// SDK, and what it does not excuse is expected.
func TestAccFaults(t *testing.T) {
	framework, sdk := frameworkprovider.Server(), sdkprovider.Server()
	acceptance.ParallelTest(t, acceptance.TestCase{
		ProtoV6ProviderFactories: map[string]func() (tfprotov6.ProviderServer, error){
			"fw": func() (tfprotov6.ProviderServer, error) { return framework, nil },
		},
		ProtoV5ProviderFactories: map[string]func() (tfprotov5.ProviderServer, error){
			"sdk": func() (tfprotov5.ProviderServer, error) { return sdk, nil },
		},
		Steps: []acceptance.TestStep{
			{Config: `
				resource "fw_honest" "some" {
					count = 20
					name  = "a"
				}
				resource "sdk_honest" "some" {
					count = 20
					name  = "a"
				}`},
			{Config: `resource "sdk_plan_not_config" "it" { name = "a" }`},
			{
				Config:      `resource "fw_plan_not_config" "it" { name = "a" }`,
				ExpectError: regexp.MustCompile("invalid plan"),
			},
		},
	})
}

// TestRecordedAcceptanceTests does what the README says: it records acceptance
// tests, and replays them.
func TestRecordedAcceptanceTests(t *testing.T) {
	programsOnly(t)
	if _, err := exec.LookPath("terraform"); err != nil {
		t.Skip("there is no terraform on the PATH")
	}
	commands := documentedCommands(t, "Recording acceptance tests")
	bin := buildCommand(t)
	run := filepath.Join(t.TempDir(), "a run") // names may have spaces
	commands = strings.NewReplacer("./internal/provider", ".", " run", " '"+run+"'").Replace(commands)

	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", commands)
	cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	exit := (*exec.ExitError)(nil)
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{
		`ApplyResourceChange +fw_honest +\S+ +create +ok`,
		`ApplyResourceChange +sdk_honest +\S+ +delete +ok`,
		`PlanResourceChange +sdk_plan_not_config +\S+ +create +1 finding\n +plan-not-config +plan +\.name: `,
		`PlanResourceChange +fw_plan_not_config +\S+ +create +1 finding\n +plan-not-config +plan +\.name: `,
	} {
		if !regexp.MustCompile(want).Match(out) {
			t.Errorf("not printed: %s", want)
		}
	}
	// What Core only logs of the legacy SDK does not count if it is said who uses that.
	replay := exec.CommandContext(t.Context(), filepath.Join(bin, "objchange"), "replay", "--legacy-type-system", run)
	legacy, _ := replay.Output()
	for _, want := range []string{
		`PlanResourceChange +sdk_plan_not_config +\S+ +create +ok, 1 excused`,
		`ApplyResourceChange +sdk_honest +\S+ +delete +ok`,
	} {
		if !regexp.MustCompile(want).Match(legacy) {
			t.Errorf("not printed with --legacy-type-system: %s", want)
		}
	}
	if strings.Contains(string(legacy), "not JSON") {
		t.Error("lines are noted that are there since the tests are recorded")
	}
	if t.Failed() {
		t.Errorf("printed:\n%s\n%s", out, legacy)
	}
}

// documentedCommands returns the commands of a section of the README.
func documentedCommands(t *testing.T, section string) string {
	t.Helper()
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "## "+section+"\n")
	_, after, _ = strings.Cut(after, "```sh\n")
	commands, _, ok := strings.Cut(after, "```\n")
	if !ok {
		t.Fatalf("the README has no commands in %q", section)
	}
	return commands
}
