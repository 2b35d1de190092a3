package livetest_test

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// The commands of docs/watch.md print the report that the README shows.
func TestWatchExampleOfTheReadme(t *testing.T) {
	w := newWorkspace(t, "terraform")
	block := func(file, pattern string) string {
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
	commands := block("../../docs/watch.md", "(?s)\n## Try it\n.*?```sh\n(.*?)```")
	want := block("../../README.md", "(?s)\n## Watch a run\n.*?```\n(registry.*?)```")
	cmd := exec.CommandContext(t.Context(), "sh", "-ec", commands)
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), w.env...)
	cmd.Env = append(cmd.Env, "HOME="+os.Getenv("HOME")) // Go's caches are there
	var out, report bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &report
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, &out, &report)
	}
	if got := report.String(); got != want || !strings.Contains(out.String(), "Apply complete!") {
		t.Errorf("the README shows:\n%s\nprinted:\n%s\n%s", want, got, &out)
	}
}
