package explore_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/explore"
)

// theFactories is the code that an author has beside the tests that explore prints.
const theFactories = `package provider_test

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov%[1]d"

	"github.com/objchange/objchange/livetest/%[2]sprovider"
)

var factories = map[string]func() (tfprotov%[1]d.ProviderServer, error){
	%[3]q: func() (tfprotov%[1]d.ProviderServer, error) { return %[2]sprovider.Server(), nil },
}
`

var testName = regexp.MustCompile(`func (Test\w+)\(`)

// mustReproduce compiles the tests of the findings in one package, and runs them. Each must fail
// because of its finding. A crash ends its process.
func mustReproduce(t *testing.T, factories string, found []explore.Finding) {
	t.Helper()
	files, wants := map[string]string{"factories_test.go": factories}, map[string]string{}
	for i, f := range found {
		if f.GoTest == "" && f.Severity == objchange.LegacySDK {
			continue // no test fails because of it
		}
		files[fmt.Sprintf("found%d_test.go", i)] = f.GoTest
		want := "[" + string(f.Rule) + "]"
		if f.Rule == objchange.RuleCrash {
			want = "panic: "
		}
		wants[testName.FindStringSubmatch(f.GoTest)[1]] = want
	}
	dir, replaced := t.TempDir(), map[string]string{}
	for name, text := range files {
		at, err := filepath.Abs(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		replaced[at] = filepath.Join(dir, name)
		if err := os.WriteFile(replaced[at], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		t.Fatal(err)
	}
	list, run := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "found.test")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-ldflags=-w", "-o", run,
		"-overlay", list, "./testdata")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	together := []string{}
	for name, want := range wants {
		if want != "panic: " {
			together = append(together, name)
			continue
		}
		if out := runPrinted(t, run, name); !strings.Contains(out, "--- FAIL: "+name) || !strings.Contains(out, want) {
			t.Errorf("%s:\n%s", name, out)
		}
	}
	out := runPrinted(t, run, strings.Join(together, "|"))
	for _, name := range together {
		_, text, _ := strings.Cut(out, "=== RUN   "+name+"\n")
		text, _, failed := strings.Cut(text, "--- FAIL: "+name+" ")
		if !failed || !strings.Contains(text, wants[name]) {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// runPrinted runs tests in one process, and returns the output.
func runPrinted(t *testing.T, binary, tests string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary, "-test.v", "-test.run", "^("+tests+")$")
	cmd.Env = append(os.Environ(), "TF_LOG_SDK=off")
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Errorf("no test failed:\n%s", out)
	}
	return string(out)
}
