package main_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/tetratelabs/wazero"
	wasm "github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/objchange/objchange/cmd/internal/cli"
	"github.com/objchange/objchange/cmd/internal/rulebook"
	"github.com/objchange/objchange/cmd/playground/internal/api"
)

// builds build the two modules as described in docs/wasm.md, each once.
var builds = map[string]func() (string, error){
	"wasip1": sync.OnceValues(func() (string, error) { return build("wasip1") }),
	"js":     sync.OnceValues(func() (string, error) { return build("js") }),
}

// manual is the path of docs/wasm.md.
const manual = "../../../docs/wasm.md"

var scratch string // for the built modules

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "wasm"); err != nil {
		panic(err)
	}
	status := m.Run()
	_ = os.RemoveAll(scratch)
	os.Exit(status)
}

// build runs the build command from the manual, with another output.
func build(system string) (string, error) {
	for _, name := range []string{"main_js.go", "main_wasip1.go", "collect_wasm.go"} {
		if _, err := os.ReadFile(name); err != nil { // so that go test knows the inputs of its cached result
			return "", err
		}
	}
	text, err := os.ReadFile(manual)
	if err != nil {
		return "", err
	}
	line := regexp.MustCompile(`(?m)^GOOS=` + system + ` GOARCH=wasm go (build .*) -o \S+ \./cmd/playground/wasm$`).FindSubmatch(text)
	if line == nil {
		return "", fmt.Errorf("%s does not say how to build for %s", manual, system)
	}
	name := filepath.Join(scratch, "objchange."+system+".wasm")
	cmd := exec.Command("go", append(strings.Fields(string(line[1])), "-o", name, ".")...)
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH=wasm")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return name, nil
}

// built returns the module of a build.
func built(t *testing.T, system string) (name string, module []byte) {
	t.Helper()
	name, err := builds[system]()
	if err == nil {
		module, err = os.ReadFile(name)
	}
	if err != nil {
		t.Fatal(err)
	}
	return name, module
}

// A request is a request of package api, and the command line with the same meaning. The command
// line reads the document or text from stdin.
type request struct {
	Command   string `json:"command"`
	Document  string `json:"document,omitempty"`
	Rule      string `json:"rule,omitempty"`
	Recording string `json:"recording,omitempty"`
	Text      string `json:"text,omitempty"`

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

// requests returns requests about every rule and its example, and invalid ones.
func requests() (all []request) {
	documents := []string{"", "{", "[]", `{"schema": {}}`, `{"schema": {"attributes": {"a": {"type": "string"}}}, "prior": 1}`}
	for _, e := range rulebook.Entries() {
		all = append(all, request{Command: "rules", Rule: string(e.Rule), args: []string{"explain", "--format", "json", string(e.Rule)}})
		documents = append(documents, e.Example)
	}
	for _, text := range documents {
		all = append(all,
			request{Command: "check", Document: text, args: []string{"check", "--format", "json", "-"}},
			request{Command: "propose", Document: text, args: []string{"check", "--print", "proposed", "-"}},
			request{Command: "diff", Document: text, args: []string{"check", "--print", "changes", "--format", "json", "-"}})
	}
	for _, text := range []string{"Error: Invalid reference", inconsistent} {
		all = append(all, request{Command: "explain", Text: text, args: []string{"explain", "--format", "json", "-"}})
	}
	return append(all, request{Command: "rules", Rule: "plan-kee", args: []string{"explain", "--format", "json", "plan-kee"}})
}

// TestAsCommand checks that an answer has exactly the output and the exit status of the command.
func TestAsCommand(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, r := range requests() {
		if r.Command != "rules" && r.Document+r.Text == "" {
			continue // the request lacks a field, and the command has empty input
		}
		var got struct {
			Status int
			Result json.RawMessage
			Text   string
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
		if r.Command == "diff" && status == 0 {
			if _, out, _ := run("check", "--print", "changes", "-"); got.Text != out {
				t.Errorf("%s: %s, want %s", r.json(), got.Text, out)
			}
		}
	}
}

// sample returns requests with all kinds of answers, and a request that needs more memory.
func sample(t *testing.T) (texts []string) {
	t.Helper()
	recording, err := os.ReadFile("../../objchange/testdata/example/recording/exchanges.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range requests() {
		if i%5 == 0 {
			texts = append(texts, r.json())
		}
	}
	return append(texts, "", "x", "null", request{Command: "unpack", Recording: string(recording)}.json(), request{Command: "explain", Text: inconsistent}.json(),
		`{"command": "check", "document": {"schema": {"attributes": {"a": {"type": ["list", "number"], "optional": true}}},
		"prior": null, "config": {"a": [1`+strings.Repeat(",1", 50_000)+`]}, "initial_planned": {"a": null}}}`)
}

// TestNode checks that each build gives the same answers in Node as the package, and that its
// memory does not grow with the number of calls.
func TestNode(t *testing.T) {
	asked := sample(t)
	input, err := json.Marshal(map[string]any{"requests": asked, "repeated": asked[:10], "first": 500, "calls": 2000})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node")
	}
	for system := range builds {
		t.Run(system, func(t *testing.T) {
			t.Parallel()
			name, _ := built(t, system)
			cmd := exec.Command("node", "--no-warnings", filepath.Join("testdata", "ask.mjs"), system, name, loaders(t))
			cmd.Stdin, cmd.Stderr = bytes.NewReader(input), os.Stderr
			text, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			var got struct {
				Answers       []string
				Before, After int
			}
			if err := json.Unmarshal(text, &got); err != nil || len(got.Answers) != len(asked) {
				t.Fatalf("%v: %.200s", err, text)
			}
			for i, request := range asked {
				if want := string(api.Answer([]byte(request))); got.Answers[i] != want {
					t.Errorf("%.300s\ngot  %.1000s\nwant %.1000s", request, got.Answers[i], want)
				}
			}
			if got.After > got.Before+1<<20 { // 1500 answers of 700 bytes
				t.Errorf("the memory has %d bytes after 2000 calls, and %d after 500", got.After, got.Before)
			}
		})
	}
}

// loaders returns a folder with objchange.mjs and the file that it needs.
func loaders(t *testing.T) string {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, from := range map[string]string{
		"wasm_exec.js":  filepath.Join(string(bytes.TrimSpace(root)), "lib", "wasm", "wasm_exec.js"),
		"objchange.mjs": "objchange.mjs",
	} {
		text, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestWazero checks that the wasip1 build works in a host without JavaScript, files, arguments,
// environment and clock. It also checks that a request that is too large is refused.
func TestWazero(t *testing.T) {
	ctx := t.Context()
	_, text := built(t, "wasip1")
	runtime := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter()) // needs no time to compile
	defer runtime.Close(context.Background())
	wasi_snapshot_preview1.MustInstantiate(ctx, runtime)
	module, err := runtime.InstantiateWithConfig(ctx, text, wazero.NewModuleConfig().WithStartFunctions("_initialize"))
	if err != nil {
		t.Fatal(err)
	}
	call := func(name string, args ...uint64) uint64 {
		result, err := module.ExportedFunction(name).Call(ctx, args...)
		if err != nil {
			t.Fatal(err)
		}
		return result[0]
	}
	if at := call("objchange_request", api.MaxRequest+1); at != 0 {
		t.Errorf("a request that is too large has room at %d", at)
	}
	for _, r := range requests()[:8] {
		got := answer(t, module.Memory(), call, r.json())
		if want := string(api.Answer([]byte(r.json()))); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", r.json(), got, want)
		}
	}
	if call("objchange_answer") == 0 {
		t.Error("there is no answer without a request")
	}
}

// answer calls the module as docs/wasm.md describes.
func answer(t *testing.T, memory wasm.Memory, call func(string, ...uint64) uint64, request string) string {
	t.Helper()
	if at := call("objchange_request", uint64(len(request))); at == 0 || !memory.WriteString(uint32(at), request) {
		t.Fatal("there is no room for the request")
	}
	packed := call("objchange_answer")
	text, ok := memory.Read(uint32(packed>>32), uint32(packed))
	if !ok {
		t.Fatal("the answer is not in the memory")
	}
	return string(text)
}

// TestSize checks that a compressed module has at most 6 MB.
func TestSize(t *testing.T) {
	for system := range builds {
		_, text := built(t, system)
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		if _, err := io.Copy(w, bytes.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil || packed.Len() > 6<<20 {
			t.Errorf("%s: %d bytes, %v", system, packed.Len(), err)
		}
	}
}

// TestManual checks that docs/wasm.md shows the host that the tests run.
func TestManual(t *testing.T) {
	text, err := os.ReadFile(manual)
	if err != nil {
		t.Fatal(err)
	}
	host, err := os.ReadFile("testdata/wasip1.mjs")
	if err != nil || !bytes.Contains(text, host) {
		t.Errorf("%s does not have testdata/wasip1.mjs as it is: %v", manual, err)
	}
}
