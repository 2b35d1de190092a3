package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// builds are the two modules, each as docs/wasm.md says how, once.
var builds = map[string]func() (string, error){
	"wasip1": sync.OnceValues(func() (string, error) { return build("wasip1") }),
	"js":     sync.OnceValues(func() (string, error) { return build("js") }),
}

// manual is docs/wasm.md.
const manual = "../../../docs/wasm.md"

var scratch string // for what is built

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "wasm"); err != nil {
		panic(err)
	}
	status := m.Run()
	_ = os.RemoveAll(scratch)
	os.Exit(status)
}

// build runs the line of the manual for the system, to another place.
func build(system string) (string, error) {
	for _, name := range []string{"main_js.go", "main_wasip1.go", "collect_wasm.go"} {
		if _, err := os.ReadFile(name); err != nil { // so that what go test remembers depends on it
			return "", err
		}
	}
	text, err := os.ReadFile(manual)
	if err != nil {
		return "", err
	}
	line := regexp.MustCompile(`(?m)^GOOS=` + system + ` GOARCH=wasm go (build .*) -o \S+ \./cmd/objchange/wasm$`).FindSubmatch(text)
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

// built returns the file of a build.
func built(t testing.TB, system string) string {
	t.Helper()
	name, err := builds[system]()
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// compiled is the wasip1 build in wazero, which takes a while.
var compiled = sync.OnceValues(func() (*machine, error) {
	name, err := builds["wasip1"]()
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	m := &machine{Runtime: wazero.NewRuntime(ctx)}
	wasi_snapshot_preview1.MustInstantiate(ctx, m.Runtime)
	m.module, err = m.CompileModule(ctx, text)
	return m, err
})

type machine struct {
	wazero.Runtime
	module wazero.CompiledModule
}

// An instance is the wasip1 build in wazero, without files, arguments, environment or
// clock.
type instance struct {
	testing.TB
	module        api.Module
	request, call api.Function
}

func newInstance(t testing.TB) *instance {
	t.Helper()
	m, err := compiled()
	if err != nil {
		t.Fatal(err)
	}
	module, err := m.InstantiateModule(t.Context(), m.module, wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = module.Close(context.Background()) })
	return &instance{t, module, module.ExportedFunction("objchange_request"), module.ExportedFunction("objchange_answer")}
}

// answer asks as docs/wasm.md tells hosts to.
func (i *instance) answer(request []byte) []byte {
	i.Helper()
	ctx := context.Background()
	at, err := i.request.Call(ctx, uint64(len(request)))
	if err != nil {
		i.Fatal(err)
	}
	if at[0] == 0 {
		i.Fatal("the request is too large")
	}
	if !i.module.Memory().Write(uint32(at[0]), request) {
		i.Fatal("the request does not fit into the memory")
	}
	packed, err := i.call.Call(ctx)
	if err != nil {
		i.Fatal(err)
	}
	answer, ok := i.module.Memory().Read(uint32(packed[0]>>32), uint32(packed[0]))
	if !ok {
		i.Fatal("the answer is not in the memory")
	}
	return bytes.Clone(answer)
}

// What ask.mjs reads and prints.
type (
	nodeInput struct {
		Requests []string `json:"requests"`
		First    int      `json:"first"`
		Calls    int      `json:"calls"`
	}
	nodeOutput struct {
		Answers       []string
		Before, After int
	}
)

// node asks the build in Node.
func node(t *testing.T, system string, in nodeInput) (out nodeOutput) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node to run it")
	}
	input, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "--no-warnings", filepath.Join("testdata", "ask.mjs"), system, built(t, system), wasmExec(t))
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), os.Stderr
	text, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatalf("%v: %.200s", err, text)
	}
	return out
}

// wasmExec makes a folder with what objchange.mjs wants beside it.
func wasmExec(t *testing.T) string {
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
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
