package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange/cmd/objchange/internal/cli"
)

// console is a block of the README: a command line, and all that it prints.
var console = regexp.MustCompile("(?s)```console\n\\$ objchange (.*?)\n(.*?)```\n")

// TestREADME runs the commands that the README shows, from the root of the
// repository, and holds it to what they print.
func TestREADME(t *testing.T) {
	name := filepath.Join(repository, "README.md")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(repository)
	shown := 0
	printed := console.ReplaceAllStringFunc(string(text), func(block string) string {
		shown++
		args := console.FindStringSubmatch(block)[1]
		var out, errOut strings.Builder
		if status := cli.Run(strings.Fields(args), strings.NewReader(""), &out, &errOut); status == 2 {
			t.Errorf("objchange %s: %s", args, errOut.String())
		}
		return "```console\n$ objchange " + args + "\n" + out.String() + "```\n"
	})
	if shown != 2 {
		t.Errorf("the README shows %d commands", shown)
	}
	if *update {
		if err := os.WriteFile("README.md", []byte(printed), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(text), printed); diff != "" {
		t.Errorf("run with -update (-README +printed):\n%s", diff)
	}
}
