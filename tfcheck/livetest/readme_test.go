package livetest_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var rewrite = flag.Bool("update", false, "copy the examples into the README of tfcheck")

const readme = "../README.md"

// An included block of the README is a whole file, which the comment before it names.
var included = regexp.MustCompile("(?s)<!-- (\\S+_test\\.go) -->\n\n```go\n(.*?)```\n")

// TestReadme holds the files that are to be copied from the README to those that
// are tested. With -update it copies them there.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	whole := included.ReplaceAllStringFunc(string(text), func(block string) string {
		parts := included.FindStringSubmatch(block)
		file, err := os.ReadFile(filepath.Join(filepath.Dir(readme), parts[1]))
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, parts[1])
		if !*rewrite && parts[2] != string(file) {
			t.Errorf("%s is not as in the README: run go test -run TestReadme -update", parts[1])
		}
		return fmt.Sprintf("<!-- %s -->\n\n```go\n%s```\n", parts[1], file)
	})
	if whole := strings.Count(string(text), "```go\npackage "); len(found) != 3 || whole != 3 {
		t.Errorf("the README has the files %v", found)
	}
	if *rewrite {
		if err := os.WriteFile(readme, []byte(whole), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// The same life with the same assertions takes fewer lines with a driver than as
// an acceptance test, and the README says how many.
func TestLinesOfALife(t *testing.T) {
	driver := linesOf(t, "examples/framework/server_test.go", "TestServer")
	acceptance := linesOf(t, "examples/framework/acceptance_test.go", "TestAccServer")
	if driver >= acceptance {
		t.Errorf("%d lines with a driver, %d as an acceptance test", driver, acceptance)
	}
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	if says := fmt.Sprintf("%d lines instead of %d", driver, acceptance); !strings.Contains(string(text), says) {
		t.Errorf("the README does not say %q", says)
	}
}

// linesOf returns how many lines a function has that are not empty.
func linesOf(t *testing.T, file, function string) (lines int) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, text, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, decl := range parsed.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Name.Name == function {
			for line := range strings.Lines(string(text[files.Position(f.Pos()).Offset:files.Position(f.End()).Offset])) {
				if strings.TrimSpace(line) != "" {
					lines++
				}
			}
		}
	}
	if lines == 0 {
		t.Fatalf("%s has no %s", file, function)
	}
	return lines
}
