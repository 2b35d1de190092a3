package artifacts

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/objchange/objchange/tools/internal/fixture"
)

// action contains the parts of action.yml that the tests need.
type action struct {
	Inputs map[string]struct{ Required bool }
	Runs   struct {
		Steps []struct {
			Shell, Run string
			Env        map[string]string
		}
	}
}

var expression = regexp.MustCompile(`^\$\{\{ inputs\.(\w+) \}\}$`)

// TestActionInputsAreNoScript checks that inputs are only used as values of variables, and never as a part of
// a script, because inputs are not trusted.
func TestActionInputsAreNoScript(t *testing.T) {
	a := readYAML[action](t, "action.yml")
	var used []string
	for _, step := range a.Runs.Steps {
		if step.Shell != "bash" || strings.Contains(step.Run, "${{") {
			t.Errorf("a step has an expression in its script:\n%s", step.Run)
		}
		for name, value := range step.Env {
			input := expression.FindStringSubmatch(value)
			if input == nil || !strings.Contains(step.Run, name) {
				t.Errorf("%s: %s is no input, or not used", name, value)
				continue
			}
			used = append(used, input[1])
		}
	}
	slices.Sort(used)
	if !slices.Equal(used, []string{"args", "version"}) || len(a.Inputs) != 2 {
		t.Errorf("used are %q of %v", used, a.Inputs)
	}
}

// runAction runs the steps of the action as GitHub does.
func runAction(t *testing.T, inputs map[string]string, search string, steps ...int) (printed, output string, status int) {
	t.Helper()
	a, temp := readYAML[action](t, "action.yml"), t.TempDir()
	for _, i := range steps {
		env := []string{search, "RUNNER_TEMP=" + temp, "GITHUB_PATH=" + filepath.Join(temp, "path"), "GITHUB_OUTPUT=" + filepath.Join(temp, "output")}
		for name, value := range a.Runs.Steps[i].Env {
			env = append(env, name+"="+inputs[expression.FindStringSubmatch(value)[1]])
		}
		if printed, status = shell(t, root, env, "bash", a.Runs.Steps[i].Run); status != 0 {
			break
		}
		if added, err := os.ReadFile(filepath.Join(temp, "path")); err == nil {
			search = path(strings.TrimSpace(string(added)))
		}
	}
	written, _ := os.ReadFile(filepath.Join(temp, "output"))
	return printed, strings.TrimSpace(string(written)), status
}

// TestActionRunsRequestedVersion checks that the action installs and runs the requested version.
func TestActionRunsRequestedVersion(t *testing.T) {
	r := rehearsal(t)
	printed, output, status := runAction(t, map[string]string{"version": r.version, "args": "--version"}, "PATH="+os.Getenv("PATH"), 0, 1)
	if printed != "objchange "+r.version || output != "status=0" || status != 0 {
		t.Errorf("exit status %d, %q:\n%s", status, output, printed)
	}
}

func TestActionWithoutVersion(t *testing.T) {
	printed, _, status := runAction(t, nil, "PATH="+os.Getenv("PATH"), 0)
	if status == 0 || !strings.Contains(printed, "the input version is missing") {
		t.Errorf("exit status %d:\n%s", status, printed)
	}
}

func TestActionPassesArgsUnchanged(t *testing.T) {
	search, run := path(rehearsal(t).bin), "testdata/recordings/time/"
	tests := map[string]struct {
		args   []string
		want   string // part of the output
		status int
	}{
		"all is well":     {[]string{"audit", run + "1-create/plan.json", "--schemas", run + "schemas.json"}, "4 ok", 0},
		"something found": {[]string{"audit", run + "4-replace/plan.json", run + "3-update/state.json", "--schemas", run + "schemas.json"}, "inconsistent-value", 1},
		"empty lines":     {[]string{"", "explain", "", "plan-not-config", ""}, "plan-not-config", 0},
		"spaces":          {[]string{"check", "no such file.json"}, "no such file.json", 2},
		"shell syntax":    {[]string{"explain", `"; echo $(id) `, "*"}, "", 2},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			printed, output, status := runAction(t, map[string]string{"args": strings.Join(test.args, "\n")}, search, 1)
			if status != test.status || !strings.HasSuffix(output, string(rune('0'+test.status))) || !strings.Contains(printed, test.want) || strings.Contains(printed, "uid=") {
				t.Errorf("exit status %d, %q, want %d:\n%s", status, output, test.status, printed)
			}
		})
	}
}

// preCommitFiles are the files of the test that each hook checks.
var preCommitFiles = map[string][]string{
	"objchange-check": {"runs/web.objchange.json"},
	"objchange-audit": {"stacks/web/plan.json", "plan.json", "web.plan.json"},
}

// TestPreCommitHooksRun runs the hooks as pre-commit does: go install ./... in a clone, which contains the
// workspace, and then go install with each additional dependency.
func TestPreCommitHooksRun(t *testing.T) {
	type hook struct {
		ID, Entry, Language, Files string
		Args                       []string
		Dependencies               []string `yaml:"additional_dependencies"`
	}
	hooks := readYAML[[]hook](t, ".pre-commit-hooks.yaml")
	search := path(rehearsal(t).bin)
	for _, h := range hooks {
		loaded, err := packages.Load(&packages.Config{Mode: packages.NeedName, Dir: root, Env: append(os.Environ(), "GOWORK=")}, h.Dependencies...)
		if err != nil {
			t.Fatal(err)
		}
		command, _, _ := strings.Cut(h.Entry, " ")
		if len(loaded) != 1 || loaded[0].Name != "main" || filepath.Base(loaded[0].PkgPath) != command || h.Language != "golang" {
			t.Errorf("%s: %q does not install %s", h.ID, h.Dependencies, command)
		}
		files, tests := regexp.MustCompile(h.Files), preCommitFiles[h.ID]
		for _, name := range []string{"runs/web.objchange.json", "objchange.json5", "stacks/web/plan.json", "plan.json", "web.plan.json", "explan.json", "package.json"} {
			if files.MatchString(name) != slices.Contains(tests, name) {
				t.Errorf("%s: %s checks other files than those that are meant: %s", h.ID, h.Files, name)
			}
		}
	}
	if len(hooks) != 2 || hooks[0].ID != "objchange-check" || hooks[1].ID != "objchange-audit" {
		t.Fatalf("the hooks are %v", hooks)
	}
	recording, plans := filepath.Join(root, "testdata", "recordings", "time"), t.TempDir()
	fixture.Write(t, plans, "schemas.json", fixture.Read(t, recording, "schemas.json"))
	fixture.Write(t, plans, "plan.json", fixture.Read(t, recording, "3-update/plan.json"))
	fixture.Write(t, plans, "next.plan.json", fixture.Read(t, recording, "4-replace/plan.json"))
	entry := strings.Join(append([]string{hooks[1].Entry}, hooks[1].Args...), " ")
	printed, status := shell(t, plans, []string{search}, "sh", entry+" plan.json next.plan.json") // pre-commit appends file names
	if status != 0 || !strings.Contains(printed, "next.plan.json") {
		t.Errorf("exit status %d:\n%s", status, printed)
	}
	dir := t.TempDir()
	for content, want := range map[string]int{
		`{"schema": {"attributes": {"name": {"type": "string", "required": true}}}, "prior": null, "config": {"name": "web"}, "initial_planned": {"name": "web"}}`: 0,
		`{"schema": {"attributes": {"name": {"type": "string", "required": true}}}, "prior": null, "config": {"name": "web"}, "initial_planned": {"name": "WEB"}}`: 1,
	} {
		fixture.Write(t, dir, "web.objchange.json", content)
		if printed, status := shell(t, dir, []string{search}, "sh", hooks[0].Entry+" web.objchange.json"); status != want {
			t.Errorf("exit status %d, want %d:\n%s", status, want, printed)
		}
	}
}
