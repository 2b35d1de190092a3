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

// console is a block of a document: a command line, and all that it prints.
var console = regexp.MustCompile("(?s)```console\n\\$ objchange (.*?)\n(.*?)```\n")

// TestConsoles runs the commands that documents show, from the root of the
// repository, and holds the documents to what they print.
func TestConsoles(t *testing.T) {
	t.Chdir(repository)
	names, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	names = append(names, "README.md")
	const want = 2
	shown := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		printed := console.ReplaceAllStringFunc(string(text), func(block string) string {
			shown++
			args := console.FindStringSubmatch(block)[1]
			var out, errOut strings.Builder
			if status := cli.Run(strings.Fields(args), strings.NewReader(""), &out, &errOut); status == 2 {
				t.Errorf("objchange %s: %s", args, errOut.String())
			}
			return "```console\n$ objchange " + args + "\n" + out.String() + "```\n"
		})
		if *update {
			err = os.WriteFile(name, []byte(printed), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(text), printed); diff != "" && !*update {
			t.Errorf("%s: run with -update (-document +printed):\n%s", name, diff)
		}
	}
	if shown != want {
		t.Errorf("the documents show %d commands", shown)
	}
}
