package cli_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/objchange/objchange/cmd/internal/testkit"
)

// A workflow has the parts of a GitHub Actions workflow that the test runs.
type workflow struct {
	Jobs map[string]job
}

type job struct {
	Strategy struct{ Matrix struct{ Stack []string } }
	Steps    []struct {
		Run, If string
		Env     map[string]string
		Dir     string `yaml:"working-directory"`
		GoOn    bool   `yaml:"continue-on-error"`
	}
}

// A runner runs jobs as GitHub does, each in its own folder. It skips actions.
type runner struct {
	t         *testing.T
	dir, path string
}

// run returns the output of the job, and the exit status of the first step that fails.
func (r runner) run(name string, j job, stack string) (printed string, status int) {
	r.t.Helper()
	dir := filepath.Join(r.dir, name+stack)
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(r.dir, "checkout"))); err != nil {
		r.t.Fatal(err)
	}
	expand := strings.NewReplacer("${{ matrix.stack }}", stack, "${{ github.token }}", "token").Replace
	for _, step := range j.Steps {
		if step.Run == "" || status != 0 && !strings.Contains(step.If, "!cancelled()") {
			continue
		}
		cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", expand(step.Run))
		cmd.Dir = filepath.Join(dir, expand(step.Dir))
		cmd.Env = append(os.Environ(), "PATH="+r.path, "STACKS="+filepath.Join(r.dir, "stacks"),
			"GITHUB_STEP_SUMMARY="+filepath.Join(dir, "summary.md"))
		for key, value := range step.Env {
			cmd.Env = append(cmd.Env, key+"="+expand(value))
		}
		out, err := cmd.CombinedOutput()
		printed += string(out)
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && !step.GoOn {
			status = exit.ExitCode()
		} else if err != nil && exit == nil {
			r.t.Fatal(err)
		}
	}
	return printed, status
}

// fakeTerraform replaces terraform. It has the plans of $STACKS.
const fakeTerraform = `#!/bin/sh
case "$1" in
plan) test -f "$STACKS/$(basename "$PWD").json" ;;
show) cat "$STACKS/$(basename "$PWD").json" ;;
providers) cat "$STACKS/schemas.json" ;;
esac
`

// newRunner returns a runner for a repository with two stacks. If plans is nil, it uses the real
// terraform.
func newRunner(t *testing.T, plans map[string]string) runner {
	t.Helper()
	r := runner{t, t.TempDir(), os.Getenv("PATH")}
	if plans != nil {
		write(t, filepath.Join(r.dir, "bin", "terraform"), fakeTerraform, 0o700)
	} else if _, err := exec.LookPath("terraform"); err != nil {
		t.Skip("terraform is not installed")
	}
	r.path = filepath.Join(r.dir, "bin") + string(os.PathListSeparator) + r.path
	for _, stack := range []string{"network", "cluster"} {
		write(t, filepath.Join(r.dir, "checkout", "stacks", stack, "main.tf"), `resource "terraform_data" "one" { input = "`+stack+`" }`, 0o600)
	}
	for name, text := range plans {
		write(t, filepath.Join(r.dir, "stacks", name), text, 0o600)
	}
	return r
}

func write(t *testing.T, name, text string, mode os.FileMode) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), mode)); err != nil {
		t.Fatal(err)
	}
}

var workflowBlock = regexp.MustCompile("(?s)<!-- workflow -->\n\n```yaml\n(.*?)```")

// TestWorkflow runs the workflow in docs/pipelines.md.
func TestWorkflow(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("the steps are for bash on Linux")
	}
	var flow workflow
	block := workflowBlock.FindStringSubmatch(readText(t, filepath.Join(repository, "docs", "pipelines.md")))
	if err := yaml.Unmarshal([]byte(block[1]), &flow); err != nil {
		t.Fatal(err)
	}
	time := filepath.Join(repository, "testdata", "recordings", "time")
	plan, schemas := readText(t, filepath.Join(time, "3-update", "plan.json")), readText(t, filepath.Join(time, "schemas.json"))
	tampered := strings.Replace(plan, `"actions":["update"]`, `"actions":["no-op"]`, 1)
	for name, test := range map[string]struct {
		plans           map[string]string
		status          int    // for the stack cluster
		prints, summary string // parts of the output and of the job summary
	}{
		"real plans":    {nil, 0, "", "### objchange audit: 1 ok"},
		"a finding":     {map[string]string{"network.json": plan, "cluster.json": tampered, "schemas.json": schemas}, 1, "", "plan-action"},
		"a plan fails":  {map[string]string{"network.json": plan, "schemas.json": schemas}, 1, "", ""},
		"other schemas": {map[string]string{"network.json": plan, "cluster.json": plan, "schemas.json": strings.ReplaceAll(schemas, "hashicorp/time", "acme/time")}, 2, "nothing could be checked", "### objchange audit"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRunner(t, test.plans)
			for _, stack := range flow.Jobs["audit"].Strategy.Matrix.Stack {
				printed, status := r.run("audit", flow.Jobs["audit"], stack)
				if stack != "cluster" {
					continue
				}
				summary, _ := os.ReadFile(filepath.Join(r.dir, "audit"+stack, "summary.md"))
				if status != test.status || !strings.Contains(printed, test.prints) || !strings.Contains(string(summary), test.summary) {
					t.Errorf("exit status %d, want %d with %q:\n%s\nsummary:\n%s", status, test.status, test.prints, printed, summary)
				}
				if _, err := os.Stat(filepath.Join(r.dir, "audit"+stack, "report.sarif")); err != nil && test.summary != "" {
					t.Errorf("the SARIF file: %v", err)
				}
			}
		})
	}
}

// uses matches the actions of a workflow, with the comment that names the release.
var uses = regexp.MustCompile(`(?m)^[ -]*uses: (\S+)@(\S+)(?: # (.*))?$`)

// TestActionsByCommit checks that workflows and examples name actions by commit, because a tag can
// be moved. The commit of our own release is not known before the release.
func TestActionsByCommit(t *testing.T) {
	commit := regexp.MustCompile(`^[0-9a-f]{40}$`)
	files, err := filepath.Glob(filepath.Join(repository, ".github", "workflows", "*.yml"))
	more, moreErr := filepath.Glob(filepath.Join(repository, "docs", "*.md"))
	if err != nil || moreErr != nil {
		t.Fatal(err, moreErr)
	}
	files = append(append(files, more...), filepath.Join(repository, "action.yml"), filepath.Join(repository, "README.md"))
	seen := map[string]bool{}
	for _, name := range files {
		for _, use := range uses.FindAllStringSubmatch(readText(t, name), -1) {
			action, ref, release := use[1], use[2], use[3]
			seen[action] = true
			own := action == "objchange/objchange" && ref == "COMMIT"
			if !own && !commit.MatchString(ref) || !strings.Contains(release, "v") {
				t.Errorf("%s: %s", name, strings.TrimSpace(use[0]))
			}
		}
	}
	if len(seen) < 4 {
		t.Errorf("only %v are used", seen)
	}
}

func readText(t *testing.T, name string) string { return string(testkit.ReadFile(t, name)) }
