package main_test

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "copy what the commands print into the README")

// console matches a block of the README with a command and all its output.
var (
	console  = regexp.MustCompile("(?s)```console\n\\$ (.*?)\n(.*?)```\n")
	trailing = regexp.MustCompile(`(?m) +$`)
)

// TestReadmeShowsRealOutput checks that the commands in the README, run from the root of the repository, print the
// output in the README.
func TestReadmeShowsRealOutput(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	printed := console.ReplaceAllStringFunc(string(text), func(block string) string {
		shown++
		line := console.FindStringSubmatch(block)[1]
		args := strings.Fields(line)
		for _, file := range args[2:] {
			// Stat makes the go command run the test again when the files change.
			if _, err := os.Stat(filepath.Join("../../..", file)); err != nil {
				t.Error(err)
			}
		}
		command := exec.Command(args[0], args[1:]...)
		command.Dir = "../../.."
		out, err := command.CombinedOutput()
		if exit := (&exec.ExitError{}); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		return "```console\n$ " + line + "\n" + trailing.ReplaceAllString(string(out), "") + "```\n"
	})
	if shown != 1 {
		t.Errorf("the README shows %d commands, not one", shown)
	}
	if *update {
		if err := os.WriteFile("../README.md", []byte(printed), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(string(text), printed); diff != "" {
		t.Errorf("the commands print something else: run go test -update (-README +printed):\n%s", diff)
	}
}
