package livetest_test

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestWatchExampleOfTheReadme checks that the commands of docs/watch.md print the report in the
// README.
func TestWatchExampleOfTheReadme(t *testing.T) {
	w := newWorkspace(t, "terraform")
	want := blockOf(t, "../README.md", "(?s)\n## Watch a run\n.*?```\n(registry.*?)```")
	out, report, err := runCommands(t, "../docs/watch.md", w.env...)
	if err != nil || report != want || !strings.Contains(out, "Apply complete!") {
		t.Errorf("%v\nthe README shows:\n%s\nprinted:\n%s\n%s", err, want, report, out)
	}
}

// TestExploreExampleOfTheReadme checks that the commands of docs/explore.md print the report in
// the README.
func TestExploreExampleOfTheReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command and a provider")
	}
	want := blockOf(t, "../README.md", "(?s)\n## Explore a provider\n.*?```\n(\\./terraform-provider-fw.*?)```")
	report, errors, _ := runCommands(t, "../docs/explore.md") // the exit status is 1
	if report != want {
		t.Errorf("the README shows:\n%s\nprinted:\n%s\n%s", want, report, errors)
	}
}

// blockOf returns the text in the file that the pattern captures.
func blockOf(t *testing.T, file, pattern string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(pattern).FindSubmatch(text)
	if found == nil {
		t.Fatalf("%s has no %s", file, pattern)
	}
	return string(found[1])
}

// runCommands runs the commands below "Try it" in a document, and returns their output.
func runCommands(t *testing.T, document string, env ...string) (out, errOut string, err error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-ec", blockOf(t, document, "(?s)\n## Try it\n.*?```sh\n(.*?)```"))
	cmd.Dir = ".."
	cmd.Env = append(append(os.Environ(), env...), "HOME="+os.Getenv("HOME"), "TMPDIR="+t.TempDir()) // Go's caches are in HOME
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	return stdout.String(), stderr.String(), err
}
