package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/objchange/objchange/cmd/objchange/internal/cli"
	"github.com/objchange/objchange/cmd/objchange/internal/testkit"
)

var yamlBlocks = regexp.MustCompile("(?s)```yaml\n(.*?)```")

// The matrix in docs/pipelines.md does what it is for: its shards, merged, are the
// report of one call. It is run as it is written, but for what GitHub itself does.
func TestMatrix(t *testing.T) {
	document, err := os.ReadFile(filepath.Join(repository, "docs", "pipelines.md"))
	if err != nil {
		t.Fatal(err)
	}
	var workflow struct {
		Jobs map[string]struct {
			Strategy struct{ Matrix struct{ Shard []int } }
			Steps    []struct{ Run string }
		}
	}
	blocks := yamlBlocks.FindAllSubmatch(document, -1)
	if err := yaml.Unmarshal(blocks[len(blocks)-1][1], &workflow); err != nil {
		t.Fatal(err)
	}
	recordings, err := filepath.Abs(filepath.Join(repository, "testdata/recordings/time"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.CopyFS("plans", os.DirFS(recordings)); err != nil {
		t.Fatal(err)
	}
	breakState(t, "plans/3-update/state.json")
	if err := os.Rename("plans/schemas.json", "schemas.json"); err != nil {
		t.Fatal(err)
	}
	run := func(command string) int {
		var out, errOut strings.Builder
		status := cli.Run(strings.Fields(command)[1:], strings.NewReader(""), &out, &errOut)
		if out.String()+errOut.String() != "" {
			t.Errorf("%s prints\n%s%s", command, &out, &errOut)
		}
		return status
	}
	shards := workflow.Jobs["shard"]
	if len(shards.Strategy.Matrix.Shard) != 3 {
		t.Fatalf("the shards are %v", shards.Strategy.Matrix.Shard)
	}
	for _, shard := range shards.Strategy.Matrix.Shard {
		for _, step := range shards.Steps {
			if step.Run != "" {
				run(strings.ReplaceAll(step.Run, "${{ matrix.shard }}", fmt.Sprint(shard)))
			}
		}
	}
	for _, step := range workflow.Jobs["report"].Steps {
		if strings.HasPrefix(step.Run, "objchange ") && run(step.Run) != 1 {
			t.Errorf("%s does not fail for the finding", step.Run)
		}
	}
	run("objchange audit plans --schemas schemas.json --format sarif -o one.sarif")
	one, merged := readText(t, "one.sarif"), readText(t, "report.sarif")
	if one != merged || !strings.Contains(one, "inconsistent-value") {
		t.Errorf("one call reports\n%s\nthe shards\n%s", one, merged)
	}
}

// uses are the actions of a workflow, and what says which release it is.
var uses = regexp.MustCompile(`(?m)^[ -]*uses: (\S+)@(\S+)(?: # (.*))?$`)

// Workflows and examples name actions by commit, because a tag can be moved. The commit
// of our own release is not known before the release.
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

// breakState makes one value in a state another than the plan has.
func breakState(t *testing.T, name string) {
	t.Helper()
	text := readText(t, name)
	broken := strings.Replace(text, `"create_duration":"1s"`, `"create_duration":"2s"`, 1)
	if broken == text {
		t.Fatal("nothing is broken in " + name)
	}
	if err := os.WriteFile(name, []byte(broken), 0o600); err != nil {
		t.Fatal(err)
	}
}

func readText(t *testing.T, name string) string { return string(testkit.ReadFile(t, name)) }
