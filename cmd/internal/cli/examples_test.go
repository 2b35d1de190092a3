package cli_test

import (
	"bytes"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/internal/testkit"
)

// TestExamplesInHelpRun runs the examples of every command's help in a shell, in the root of the repository.
// They may have findings, but must not fail. They use the provider of the tests.
func TestExamplesInHelpRun(t *testing.T) {
	for _, command := range []string{"", "replay", "check", "audit", "explain", "explore"} {
		t.Run("help "+command, func(t *testing.T) {
			examples := helpExamples(t, command)
			if len(examples) == 0 {
				t.Fatal("found no examples")
			}
			for _, example := range examples {
				t.Run(example, func(t *testing.T) {
					var errOut bytes.Buffer
					cmd := exec.Command("sh", "-c", strings.ReplaceAll(example, "./terraform-provider-cloud", "terraform-provider-cloud"))
					cmd.Dir, cmd.Stderr = repository, &errOut
					if exit := (&exec.ExitError{}); errors.As(cmd.Run(), &exit) && exit.ExitCode() != 1 {
						t.Errorf("exit status %d: %s", exit.ExitCode(), &errOut)
					}
				})
			}
		})
	}
}

// helpExamples returns the lines of the command's help that can be run.
func helpExamples(t *testing.T, command string) (examples []string) {
	t.Helper()
	help, err := exec.Command("objchange", append(strings.Fields(command), "--help")...).Output()
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(help), "\nExamples:\n")
	part, _, _ := strings.Cut(after, "\n\n")
	for line := range strings.Lines(strings.ReplaceAll(part, "\\\n", "")) {
		if line = strings.TrimSpace(line); strings.Contains(line, "objchange ") {
			examples = append(examples, line)
		}
	}
	return examples
}

// TestExplainInDocuments checks that the documents show the beginning of the output of explain.
func TestExplainInDocuments(t *testing.T) {
	out, err := exec.Command("objchange", "explain", repository+"/cmd/objchange/testdata/example/apply.txt").Output()
	if err != nil {
		t.Fatal(err)
	}
	begin, _, _ := strings.Cut(string(out), "\n")
	for _, name := range []string{"README.md", "docs/explain.md"} {
		_, shown, _ := strings.Cut(string(testkit.ReadFile(t, repository+"/"+name)), "```text\n"+begin)
		shown, _, _ = strings.Cut(shown, "```\n")
		if shown == "" || !strings.HasPrefix(string(out), begin+shown) {
			t.Errorf("%s shows\n%s%s\nand not what explain prints:\n%s", name, begin, shown, out)
		}
	}
}
