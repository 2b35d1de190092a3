package cli_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/internal/cli"
	"github.com/objchange/objchange/cmd/internal/testkit"
)

// console matches a block of a document with a command line and its output.
var console = regexp.MustCompile("(?s)```console\n\\$ objchange (.*?)\n(.*?)```\n")

// TestDocumentsShowRealOutput checks that the documents show the real output of commands. It runs them in the root
// of the repository.
func TestDocumentsShowRealOutput(t *testing.T) {
	t.Chdir(repository)
	names, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	names = append(names, "README.md")
	const want = 1
	shown := 0
	for _, name := range names {
		text := testkit.ReadFile(t, name)
		printed := console.ReplaceAllStringFunc(string(text), func(block string) string {
			shown++
			args := console.FindStringSubmatch(block)[1]
			var out, errOut strings.Builder
			if status := cli.Run(strings.Fields(args), strings.NewReader(""), &out, &errOut); status == 2 {
				t.Errorf("objchange %s: %s", args, errOut.String())
			}
			return "```console\n$ objchange " + args + "\n" + out.String() + "```\n"
		})
		testkit.Golden(t, name, []byte(printed))
	}
	if shown != want {
		t.Errorf("the documents show %d commands", shown)
	}
}
