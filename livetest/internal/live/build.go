package live

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"sync"
	"testing"
)

// builds is the directory for binaries that tests build. Each is built once. TestMain removes the
// directory.
var builds = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "objchange-livetest-") })

// removeBuilds removes the directory of builds.
func removeBuilds() {
	if dir, err := builds(); err == nil {
		_ = os.RemoveAll(dir)
	}
}

// Packages of programs that tests build.
const (
	Command      = "github.com/objchange/objchange/cmd/objchange"
	TestProvider = "github.com/objchange/objchange/livetest/provider" // serves the provider that its name selects
	TimeProvider = "github.com/hashicorp/terraform-provider-time"     // a released provider
)

var binaries = map[string]func() (string, error){
	Command: building(Command), TestProvider: building(TestProvider), TimeProvider: building(TimeProvider),
}

// building returns a function that builds a package and returns the binary.
func building(pkg string) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		dir, err := builds()
		if err != nil {
			return "", err
		}
		binary := filepath.Join(dir, path.Base(pkg))
		if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", binary, pkg).CombinedOutput(); err != nil {
			return "", fmt.Errorf("%w\n%s", err, out)
		}
		return binary, nil
	})
}

// BaseTime is the time in the configurations of the time provider.
const BaseTime = "2024-02-29T12:00:00Z"

// Registry is the part of the providers' addresses before their names.
const Registry = "registry.terraform.io/hashicorp/"

// ProgramsOnly skips the test in short mode, because it needs to build programs.
func ProgramsOnly(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds programs")
	}
}

// Build returns the binary of the package. Each package is built once.
func Build(t testing.TB, pkg string) (binary string) {
	t.Helper()
	binary, err := binaries[pkg]()
	if err != nil {
		t.Fatal(err)
	}
	return binary
}

// BuildAs is like Build, and makes the file a link to the binary.
func BuildAs(t testing.TB, pkg, file string) {
	t.Helper()
	if err := os.Link(Build(t, pkg), file); err != nil {
		t.Fatal(err)
	}
}
