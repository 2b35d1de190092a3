package livetest_test

import (
	"errors"
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

// building returns a function that builds a package in the directory from. The function returns
// the directory of the binary, which has the last element of the package path as its name.
func building(from, pkg string) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		root, err := builds()
		if err != nil {
			return "", err
		}
		bin, err := os.MkdirTemp(root, "")
		if err != nil {
			return "", err
		}
		build := exec.Command("go", "build", "-o", bin, pkg)
		build.Dir = from
		if out, err := build.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%w\n%s", err, out)
		}
		return bin, nil
	})
}

var (
	commandBuilt = building("../cmd/objchange", ".")
	timeBuilt    = building(".", "github.com/hashicorp/terraform-provider-time")
)

// programsOnly skips the test in short mode, because it needs to build programs.
func programsOnly(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds programs")
	}
}

// buildCommand builds objchange, and returns the directory of the binary.
func buildCommand(t testing.TB) string {
	t.Helper()
	bin, err := commandBuilt()
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

// buildTime builds the released time provider as the file binary.
func buildTime(t *testing.T, binary string) {
	t.Helper()
	bin, err := timeBuilt()
	if err = errors.Join(err, os.Link(filepath.Join(bin, "terraform-provider-time"), binary)); err != nil {
		t.Fatal(err)
	}
}
