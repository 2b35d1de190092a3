package adopt

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

const frameworkModule = "github.com/hashicorp/terraform-plugin-framework"

// TestProposesInsideTheFramework adds the files of the recipe to a copy of the framework, and runs
// their test there. It uses the modules of the workspace, and deletes the framework's own tests.
func TestProposesInsideTheFramework(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the framework again")
	}
	dir := filepath.Join(t.TempDir(), "framework")
	if err := os.CopyFS(dir, os.DirFS(strings.TrimSpace(goTool(t, "list", "-m", "-f", "{{.Dir}}", frameworkModule)))); err != nil {
		t.Fatal(err)
	}
	inside := filepath.Join(dir, "internal", "proto6server")
	theirs, err := filepath.Glob(filepath.Join(inside, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range theirs { // they need not be built
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(dir, os.DirFS("terraform-plugin-framework/_after")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOWORK", workspaceWith(t, dir))
	if out := goTool(t, "test", "-v", "-vet=off", "-trimpath", "-run", "^TestProposesInside$", inside); !strings.Contains(out, "--- PASS: TestProposesInside") {
		t.Error(out)
	}
}

// workspaceWith returns a go.work with the modules of this workspace and another module.
func workspaceWith(t *testing.T, dir string) string {
	t.Helper()
	text := fmt.Sprintf("go %s\n\nuse %s\n", strings.TrimPrefix(runtime.Version(), "go"), strconv.Quote(dir))
	for line := range strings.Lines(goTool(t, "list", "-m", "-f", "{{.Path}} {{.Dir}}")) {
		module, dir, _ := strings.Cut(strings.TrimSpace(line), " ")
		text += fmt.Sprintf("use %[1]q\nreplace %[2]s v0.1.0 => %[1]q\n", dir, module)
	}
	name := filepath.Join(t.TempDir(), "go.work")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// goTool returns the output of the go command.
func goTool(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("go", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}
