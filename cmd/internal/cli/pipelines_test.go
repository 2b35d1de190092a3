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
	Jobs map[string]struct {
		Steps []struct {
			Run, If string
			Env     map[string]string
			Dir     string `yaml:"working-directory"`
			GoOn    bool   `yaml:"continue-on-error"`
		}
	}
}

// fakeTerraform replaces terraform. It has the plan and the schemas in $FILES.
const fakeTerraform = `#!/bin/sh
case "$1" in
plan) test -f "$FILES/plan.json" ;;
show) cat "$FILES/plan.json" ;;
providers) cat "$FILES/schemas.json" ;;
esac
`

var workflowBlock = regexp.MustCompile("(?s)<!-- workflow -->\n\n```yaml\n(.*?)```")

// TestWorkflowInDocumentsRuns runs the steps of the workflow in docs/pipelines.md as GitHub does, except for
// actions.
func TestWorkflowInDocumentsRuns(t *testing.T) {
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
	for name, test := range map[string]struct {
		plan, schemas   string
		status          int
		prints, summary string // parts of the output and of the job summary
	}{
		"no finding":    {plan, schemas, 0, "", "### objchange audit: "},
		"a finding":     {strings.Replace(plan, `"actions":["update"]`, `"actions":["no-op"]`, 1), schemas, 1, "", "plan-action"},
		"a plan fails":  {"", schemas, 1, "", ""},
		"other schemas": {plan, strings.ReplaceAll(schemas, "hashicorp/time", "acme/time"), 2, "nothing could be checked", "### objchange audit"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			err := errors.Join(os.MkdirAll(filepath.Join(dir, "stacks", "cluster"), 0o700),
				os.WriteFile(filepath.Join(dir, "terraform"), []byte(fakeTerraform), 0o700), os.WriteFile(filepath.Join(dir, "schemas.json"), []byte(test.schemas), 0o600))
			if test.plan != "" {
				err = errors.Join(err, os.WriteFile(filepath.Join(dir, "plan.json"), []byte(test.plan), 0o600))
			}
			if err != nil {
				t.Fatal(err)
			}
			printed, status := "", 0
			for _, step := range flow.Jobs["audit"].Steps {
				if step.Run == "" || status != 0 && !strings.Contains(step.If, "!cancelled()") {
					continue
				}
				expand := strings.NewReplacer("${{ matrix.stack }}", "cluster").Replace
				cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", expand(step.Run))
				cmd.Dir = filepath.Join(dir, expand(step.Dir))
				cmd.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), "FILES="+dir, "GITHUB_STEP_SUMMARY="+filepath.Join(dir, "summary.md"))
				for key, value := range step.Env {
					cmd.Env = append(cmd.Env, key+"="+expand(value))
				}
				out, _ := cmd.CombinedOutput()
				printed += string(out)
				if failed := cmd.ProcessState.ExitCode(); failed != 0 && !step.GoOn {
					status = failed
				}
			}
			summary, _ := os.ReadFile(filepath.Join(dir, "summary.md"))
			if status != test.status || !strings.Contains(printed, test.prints) || !strings.Contains(string(summary), test.summary) {
				t.Errorf("exit status %d, want %d with %q:\n%s\nsummary:\n%s", status, test.status, test.prints, printed, summary)
			}
			if _, err := os.Stat(filepath.Join(dir, "report.sarif")); err != nil && test.summary != "" {
				t.Errorf("the SARIF file: %v", err)
			}
		})
	}
}

// uses matches the actions of a workflow, with the comment that names the release.
var uses = regexp.MustCompile(`(?m)^[ -]*uses: (\S+)@(\S+)(?: # (.*))?$`)

// TestActionsAreNamedByCommit checks that workflows and examples name actions by commit, because a tag can
// be moved. The commit of our own release is not known before the release.
func TestActionsAreNamedByCommit(t *testing.T) {
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
