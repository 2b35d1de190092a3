package watch_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	acceptance "github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/objchange/objchange/livetest/frameworkprovider"
	"github.com/objchange/objchange/livetest/internal/live"
	"github.com/objchange/objchange/livetest/sdkprovider"
)

// external is set if TestWatchChecksAcceptanceTests runs TestExternal. TestExternal needs an installed
// provider.
const external = "OBJCHANGE_TEST_EXTERNAL"

// TestExternal is an acceptance test of a provider in another process.
func TestExternal(t *testing.T) {
	if os.Getenv(external) == "" {
		t.Skip("it is run by TestWatchChecksAcceptanceTests")
	}
	acceptance.Test(t, acceptance.TestCase{
		ExternalProviders: map[string]acceptance.ExternalProvider{"time": {Source: "hashicorp/time"}},
		Steps:             []acceptance.TestStep{{Config: `resource "time_static" "now" { rfc3339 = "` + live.BaseTime + `" }`}},
	})
}

// TestAccFaults is an acceptance test without package tfcheck. It passes: Core tolerates the
// faults of the legacy SDK, and the test expects the other error.
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
			{Config: `resource "sdk_plan_not_config" "it" { name = "a" }`},
			{
				Config:      `resource "fw_plan_not_config" "it" { name = "a" }`,
				ExpectError: regexp.MustCompile("invalid plan"),
			},
		},
	})
}

// TestWatchChecksAcceptanceTests watches acceptance tests. They start the command themselves and set the
// variable that watch sets, so watch receives nothing. If they start watch in place of the
// command, it checks the providers that it starts itself.
func TestWatchChecksAcceptanceTests(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, "terraform")
	w.write(t, "main.tf", `resource "time_static" "now" {}`)
	w.initialise(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command, err := exec.LookPath("terraform")
	if err != nil {
		t.Fatal(err)
	}
	w.env = append(w.env, "TF_ACC=1", external+"=1", "TF_LOG_SDK=off", "TF_LOG_PROVIDER=off")
	passes := func(cmd *exec.Cmd, path string) {
		t.Helper()
		cmd.Env = append(slices.Clip(w.env), "TF_ACC_TERRAFORM_PATH="+path)
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: ") {
			t.Errorf("%v: %v\n%s", cmd.Args, err, out)
		}
	}
	for _, test := range []string{"TestExternal", "TestAccFaults"} {
		cmd := w.command(t, self, "-test.v", "-test.run=^"+test+"$")
		cmd.Env = append(slices.Clip(w.env), "TF_ACC_TERRAFORM_PATH="+command)
		out, err := cmd.CombinedOutput()
		if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.Contains(string(out), "--- PASS: ") {
			t.Errorf("%s: %v, want exit status 2, since nothing could be checked\n%s", test, err, out)
		}
		r := w.report(t)
		if len(r.Subjects) > 0 || len(r.Notes) != 1 || !strings.HasPrefix(r.Notes[0], "nothing was checked: ") {
			t.Errorf("%s: watch saw %+v", test, r)
		}
	}

	installed, err := filepath.Glob(filepath.Join(w.dir, "mirror", w.registry, "time", "*", "*", "*"))
	if err != nil || len(installed) != 1 {
		t.Fatal(installed, err)
	}
	watched := filepath.Join(w.dir, "terraform")
	w.write(t, "terraform", `#!/bin/sh
exec `+w.objchange+` watch --fail-on never -o "`+w.dir+`/reports/$$.json" --format json --provider hashicorp/time=`+installed[0]+` -- `+command+` "$@"
`)
	for test, want := range map[string]struct {
		rpcs []string
		note string // that some reports have
	}{
		"TestExternal":  {[]string{live.Apply, live.Plan, live.Read, live.Upgrade}, "nothing was checked: "},
		"TestAccFaults": {nil, live.Registry + "sdk already runs (see TF_REATTACH_PROVIDERS), so it is not checked"},
	} {
		if err := errors.Join(os.Chmod(watched, 0o700), os.RemoveAll(filepath.Join(w.dir, "reports")), os.Mkdir(filepath.Join(w.dir, "reports"), 0o700)); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), self, "-test.v", "-test.run=^"+test+"$")
		cmd.Dir = w.dir
		passes(cmd, watched)
		reports, err := filepath.Glob(filepath.Join(w.dir, "reports", "*.json"))
		if err != nil || len(reports) < 5 {
			t.Fatal(reports, err)
		}
		merge(t, reports, filepath.Join(w.dir, "report.json"))
		r := w.report(t)
		if diff := cmp.Diff(want.rpcs, r.rpcs("time_static")); diff != "" {
			t.Errorf("%s (-want +seen):\n%s", test, diff)
		}
		for _, s := range r.Subjects {
			if s.Status != "checked" || len(s.Findings) > 0 {
				t.Errorf("%s: %+v", test, s)
			}
		}
		if !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.HasPrefix(n, want.note) }) {
			t.Errorf("%s: not noted: %s: %q", test, want.note, r.Notes)
		}
	}
}

// merge writes the subjects and notes of several reports as one report.
func merge(t *testing.T, reports []string, name string) {
	t.Helper()
	type report struct {
		Subjects []json.RawMessage `json:"subjects"`
		Notes    []string          `json:"notes"`
	}
	var all report
	for _, name := range reports {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var one report
		if err := json.Unmarshal(text, &one); err != nil {
			t.Fatal(err)
		}
		all.Subjects, all.Notes = append(all.Subjects, one.Subjects...), append(all.Notes, one.Notes...)
	}
	text, err := json.Marshal(all)
	if err == nil {
		err = os.WriteFile(name, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
