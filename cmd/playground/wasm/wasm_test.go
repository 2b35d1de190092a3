package main_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/internal/cli"
	"github.com/objchange/objchange/cmd/internal/rulebook"
	"github.com/objchange/objchange/cmd/playground/internal/api"
)

// A request is a request of package api, and the command line with the same meaning. The command
// line reads the document or text from stdin.
type request struct {
	Command  string `json:"command"`
	Document string `json:"document,omitempty"`
	Text     string `json:"text,omitempty"`

	args []string
}

func (r request) json() string {
	text, _ := json.Marshal(r) // strings can always be encoded
	return string(text)
}

const inconsistent = `Error: Provider produced inconsistent result after apply

When applying changes to cloud_server.web, provider "registry.terraform.io/acme/cloud" produced an unexpected new value:
.name: was cty.StringVal("web"), but now cty.StringVal("db").
`

// requests returns requests about the example of every rule, and invalid ones.
func requests() (all []request) {
	documents := []string{"", "{", "[]", `{"schema": {}}`, `{"schema": {"attributes": {"a": {"type": "string"}}}, "prior": 1}`}
	for _, e := range rulebook.Entries() {
		documents = append(documents, e.Example)
	}
	for _, text := range documents {
		all = append(all, request{Command: "check", Document: text, args: []string{"check", "--format", "json", "-"}})
	}
	for _, text := range []string{"Error: Invalid reference", inconsistent} {
		all = append(all, request{Command: "explain", Text: text, args: []string{"explain", "--format", "json", "-"}})
	}
	return all
}

// TestAsCommand checks that an answer has exactly the output and the exit status of the command.
func TestAsCommand(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, r := range requests() {
		if r.Document+r.Text == "" {
			continue // the request lacks a field, and the command has empty input
		}
		var got struct {
			Status int
			Result json.RawMessage
			Errors []struct{ Message string }
		}
		if err := json.Unmarshal(api.Answer([]byte(r.json())), &got); err != nil {
			t.Fatal(err)
		}
		run := func(args ...string) (int, string, string) {
			var out, errOut bytes.Buffer
			status := cli.Run(args, strings.NewReader(r.Document+r.Text), &out, &errOut)
			return status, strings.ReplaceAll(out.String(), `"-"`, `"document"`), errOut.String()
		}
		status, want, errOut := run(r.args...)
		if result := strings.ReplaceAll(string(got.Result), `"-"`, `"document"`); got.Status != status || status < 2 && result != strings.TrimSuffix(want, "\n") {
			t.Errorf("%s\ngot  %d %s\nwant %d %s%s", r.json(), got.Status, result, status, want, errOut)
		}
		for _, e := range got.Errors {
			if r.Command != "check" && !strings.Contains(errOut, e.Message) {
				t.Errorf("%s: says %q, and the command %q", r.json(), e.Message, errOut)
			}
		}
	}
}

// TestSize checks that the compressed module has at most 6 MB.
func TestSize(t *testing.T) {
	name := filepath.Join(t.TempDir(), "objchange.wasm")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s", "-o", name, ".")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil || packed.Len() > 6<<20 {
		t.Errorf("%d bytes, %v", packed.Len(), err)
	}
}
