package documents_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var rewrite = flag.Bool("update", false, "copy the examples and what Terraform says into the documents")

const readme = "../../tfcheck/README.md"

// withFiles lists the documents that contain whole files.
var withFiles = []string{"tfcheck/README.md", "tfconv/README.md"}

// included matches a block of a document that is a whole file. The comment before the block
// contains the file name.
var included = regexp.MustCompile("(?s)<!-- (\\S+\\.go) -->\n\n```go\n(.*?)```\n")

// TestFilesInDocuments compares files in documents with the files that tests compile and run.
// With -update it copies them to the documents.
func TestFilesInDocuments(t *testing.T) {
	for _, name := range withFiles {
		name = filepath.Join(repository, name)
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		whole := included.ReplaceAllStringFunc(string(text), func(block string) string {
			parts := included.FindStringSubmatch(block)
			file, err := os.ReadFile(filepath.Join(filepath.Dir(name), parts[1]))
			if err != nil {
				t.Fatal(err)
			}
			found++
			if !*rewrite && parts[2] != string(file) {
				t.Errorf("%s differs from what %s shows: run go test -run TestFilesInDocuments -update", parts[1], name)
			}
			return fmt.Sprintf("<!-- %s -->\n\n```go\n%s```\n", parts[1], file)
		})
		if files := strings.Count(string(text), "```go\npackage "); found != files || found == 0 {
			t.Errorf("%s: %d of %d files are named", name, found, files)
		}
		if *rewrite {
			if err := os.WriteFile(name, []byte(whole), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestReadmeRewritesASuite checks that the commands of the README rewrite a test suite, and that its
// tests then pass with checked providers.
func TestReadmeRewritesASuite(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the tests of a package")
	}
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	commands := regexp.MustCompile(`(?m)^gofmt -r .*$`).FindAllString(string(text), -1)
	if len(commands) != 3 {
		t.Fatalf("the README has the commands %q", commands)
	}
	const folder, name = "../examples/literals", "suite_test.go"
	before, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	rewritten := filepath.Join(dir, name)
	if err := os.WriteFile(rewritten, before, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, command := range commands {
		words := regexp.MustCompile(`'[^']*'|\S+`).FindAllString(command, -1)
		for i := range words {
			if words[i] = strings.Trim(words[i], "'"); words[i] == "*_test.go" { // as a shell expands it
				words[i] = name
			}
		}
		cmd := exec.CommandContext(t.Context(), words[0], words[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
	}
	after, err := os.ReadFile(rewritten)
	if err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile(`\bresource\.(\w*Test)\(`).ReplaceAllString(string(before), "checked$1(")
	if string(after) != want || string(after) == string(before) {
		t.Errorf("rewritten:\n%s", after)
	}
	original, err := filepath.Abs(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{original: rewritten}})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-overlay", list, folder).CombinedOutput()
	if err != nil {
		t.Errorf("the rewritten tests: %v\n%s", err, out)
	}
}
