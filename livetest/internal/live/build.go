package live

import (
	"fmt"
	"os"
	"os/exec"
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

// building returns a function that builds a package. The function returns the directory of the
// binary, which has the last element of the package path as its name.
func building(pkg string) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		root, err := builds()
		if err != nil {
			return "", err
		}
		bin, err := os.MkdirTemp(root, "")
		if err != nil {
			return "", err
		}
		if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", bin, pkg).CombinedOutput(); err != nil {
			return "", fmt.Errorf("%w\n%s", err, out)
		}
		return bin, nil
	})
}

// BaseTime is the time in the configurations of the time provider.
const BaseTime = "2024-02-29T12:00:00Z"

// Registry is the part of the providers' addresses before their names.
const Registry = "registry.terraform.io/hashicorp/"

var (
	commandBuilt = building("github.com/objchange/objchange/cmd/objchange")
	testBuilt    = building("github.com/objchange/objchange/livetest/provider")
	timeBuilt    = building("github.com/hashicorp/terraform-provider-time")
)

// ProgramsOnly skips the test in short mode, because it needs to build programs.
func ProgramsOnly(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds programs")
	}
}

// BuildCommand builds objchange, and returns the directory of the binary.
func BuildCommand(t testing.TB) string {
	t.Helper()
	bin, err := commandBuilt()
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

// BuildTime builds the released time provider as the file binary.
func BuildTime(t *testing.T, binary string) {
	t.Helper()
	link(t, timeBuilt, "terraform-provider-time", binary)
}

// BuildProvider builds the test provider that the name of the file binary selects: see the command
// livetest/provider.
func BuildProvider(t testing.TB, binary string) {
	t.Helper()
	link(t, testBuilt, "provider", binary)
}

// link builds a package, and makes the file to a link to its binary.
func link(t testing.TB, build func() (string, error), name, to string) {
	t.Helper()
	bin, err := build()
	if err == nil {
		err = os.Link(filepath.Join(bin, name), to)
	}
	if err != nil {
		t.Fatal(err)
	}
}
