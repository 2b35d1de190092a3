package main_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/objchange/objchange/cmd/objchange/internal/cli"
	"github.com/objchange/objchange/cmd/objchange/internal/rulebook"
)

// A request is what api takes, and the command line that asks the same.
type request struct {
	Command  string            `json:"command"`
	Document string            `json:"document,omitempty"`
	File     string            `json:"file,omitempty"`
	Files    map[string]string `json:"files,omitempty"`
	Rule     string            `json:"rule,omitempty"`

	Recording string `json:"recording,omitempty"`

	dir  string   // where the command runs
	args []string // its arguments
}

func (r request) json(t *testing.T) string {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// run runs the command, which gets its document or recording from stdin.
func (r request) run(t *testing.T, args ...string) (status int, out, errOut string) {
	t.Helper()
	t.Chdir(r.dir)
	var stdout, stderr bytes.Buffer
	status = cli.Run(append(r.args, args...), strings.NewReader(r.Document+r.Recording), &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

// requests are for every rule, every example of one, every document in a testdata
// folder of the command or in an archive there, and for a recording.
func requests(t *testing.T) (all []request) {
	t.Helper()
	none := t.TempDir()
	all = append(all, request{Command: "rules", dir: none, args: []string{"rules", "--json"}},
		request{Command: "rules", Rule: "plan-kee", dir: none, args: []string{"rules", "--json", "plan-kee"}})
	for _, e := range rulebook.Entries() {
		all = append(all, request{Command: "rules", Rule: string(e.Rule), dir: none, args: []string{"rules", "--json", string(e.Rule)}})
		all = append(all, about(t, none, "-", e.Example)...)
	}
	for _, dir := range documentFolders(t) {
		names, err := filepath.Glob(filepath.Join(dir, "*.json*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(text, []byte(`"schema"`)) {
				all = append(all, about(t, dir, "-", string(text))...)
			}
		}
	}
	for _, lines := range recordings(t) {
		all = append(all, request{Command: "unpack", Recording: lines, dir: none})
	}
	return all
}

// recordings are one of both protocols, whole and in parts, and what is none.
func recordings(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../testdata/example/recording/exchanges.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	return []string{
		string(text), string(text[:len(text)/2]), lines[24], lines[1] + lines[2] + lines[24], lines[1] + lines[1], lines[0], "{\n", "[1]\n" + lines[2],
		strings.Replace(lines[0], "1.0", "2.0", 1), "{\"kind\":\"rpc\"}\n{\"kind\":\"rpc\",\"requests\":1}\n",
	}
}

// about asks each command about a document in a folder.
func about(t *testing.T, dir, file, text string) (all []request) {
	t.Helper()
	files := map[string]string{}
	if name := referred(text); name != "" {
		if schemas, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			files[filepath.ToSlash(filepath.Clean(name))] = string(schemas)
		}
	}
	for _, command := range []string{"check", "propose", "diff"} {
		format := map[string][]string{"check": {"--format", "json"}, "diff": {"--json"}}[command]
		all = append(all, request{Command: command, Document: text, File: file, Files: files, dir: dir,
			args: append([]string{command, file}, format...)})
	}
	return all
}

// referred returns the file of schemas that a document refers to.
func referred(text string) string {
	var document struct {
		Schema struct{ File string }
	}
	_ = json.Unmarshal([]byte(text), &document) // it may be no document at all
	return document.Schema.File
}

// documentFolders are those with documents: of the tests, and of the archives.
func documentFolders(t *testing.T) (dirs []string) {
	t.Helper()
	err := filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && strings.Contains(filepath.ToSlash(name), "/testdata"):
			dir, err := filepath.Abs(name)
			dirs = append(dirs, dir)
			return err
		case filepath.Ext(name) == ".txtar":
			archive, err := txtar.ParseFile(name)
			if err != nil {
				return err
			}
			dirs = append(dirs, unpacked(t, archive)...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}

// unpacked returns the folders of an archive's files.
func unpacked(t *testing.T, archive *txtar.Archive) (dirs []string) {
	t.Helper()
	root := t.TempDir()
	seen := map[string]bool{}
	for _, f := range archive.Files {
		name := filepath.Join(root, filepath.FromSlash(f.Name))
		if strings.HasPrefix(f.Name, "$") || filepath.Base(name) == ".objchange.yaml" { // what is ignored is not asked about
			continue
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
		if dir := filepath.Dir(name); !seen[dir] {
			seen[dir], dirs = true, append(dirs, dir)
		}
	}
	return dirs
}
