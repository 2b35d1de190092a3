package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/objchange/objchange/tfplan" // the go command runs the test again when it changes
)

func TestValidatorExitStatus(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	dir := t.TempDir()
	validator, none := filepath.Join(dir, "validator.exe"), filepath.Join(dir, "schemas.json")
	if out, err := exec.Command("go", "build", "-o", validator, "main.go").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := os.WriteFile(none, []byte(`{"format_version": "1.0", "provider_schemas": {}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("main.go")
	if lines := strings.Count(string(source), "\n"); err != nil || lines > 60 {
		t.Errorf("main.go must have at most 60 lines, as examples/README.md says; it has %d: %v", lines, err)
	}
	const recorded = "../../../testdata/recordings/time/"
	schemas, plan := recorded+"schemas.json", recorded+"4-replace/plan.json"
	for name, test := range map[string]struct {
		args   []string
		status int
		want   string
	}{
		"a plan":                         {[]string{schemas, plan}, 0, "the apply was not checked, because there is no state"},
		"a plan and its state":           {[]string{schemas, plan, recorded + "4-replace/state.json"}, 0, "time_static.start checked"},
		"the state before":               {[]string{schemas, plan, recorded + "3-update/state.json"}, 1, `.triggers["label"]: planned "second", but got "first" [inconsistent-value] (stops: true)`},
		"an older state":                 {[]string{schemas, plan, recorded + "2-noop/state.json"}, 1, `.triggers["label"]: planned "second", but got "first" [inconsistent-value] (stops: true)`},
		"what Terraform does not reject": {[]string{schemas, recorded + "2-noop/plan.json", recorded + "3-update/state.json"}, 0, "(stops: false)"},
		"no schemas of the provider":     {[]string{none, plan}, 1, `time_static.start skipped no schemas of provider`},
		"not a plan":                     {[]string{schemas, schemas}, 2, "not a plan"},
		"no such file":                   {[]string{"none.json", plan}, 2, "none.json"},
		"nothing":                        {nil, 2, "usage: "},
	} {
		t.Run(name, func(t *testing.T) {
			command := exec.Command(validator, test.args...)
			out, _ := command.CombinedOutput()
			if status := command.ProcessState.ExitCode(); status != test.status || !strings.Contains(string(out), test.want) {
				t.Errorf("status %d, want %d with %s:\n%s", status, test.status, test.want, out)
			}
		})
	}
}
