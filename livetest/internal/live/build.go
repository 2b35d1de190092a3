package live

import (
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// Programs that tests run. They are tools of the modules, because the go command links a tool once
// for all packages of tests.
const (
	Command      = "github.com/objchange/objchange/cmd/objchange"
	TestProvider = "github.com/objchange/objchange/livetest/provider" // serves the provider that its name selects
	TimeProvider = "github.com/hashicorp/terraform-provider-time"     // a released provider
)

var binaries sync.Map // by package: functions that build it once

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
	command := exec.Command("go", "tool", "-n", pkg)
	command.Stderr = os.Stderr // also receives the names of modules that are downloaded
	build, _ := binaries.LoadOrStore(pkg, sync.OnceValues(command.Output))
	out, err := build.(func() ([]byte, error))()
	if err != nil {
		t.Fatalf("building %s: %v", pkg, err)
	}
	return strings.TrimSpace(string(out))
}

// BuildAs is like Build, and makes the file a link to the binary.
func BuildAs(t testing.TB, pkg, file string) {
	t.Helper()
	if err := os.Symlink(Build(t, pkg), file); err != nil {
		t.Fatal(err)
	}
}
