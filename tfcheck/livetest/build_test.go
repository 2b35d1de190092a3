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

// builds is the folder of what tests have built, each once, which TestMain removes.
var builds = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "objchange-livetest-") })

// removeBuilds leaves nothing of what tests have built.
func removeBuilds() {
	if dir, err := builds(); err == nil {
		_ = os.RemoveAll(dir)
	}
}

// building returns how to build a package from the folder, and the folder in which it
// is then, under the last element of its name.
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
	commandBuilt = building("../../cmd/objchange", ".")
	timeBuilt    = building(".", "github.com/hashicorp/terraform-provider-time")
)

// programsOnly skips, in short, a test in which all runs in programs of their own,
// which are built for it.
func programsOnly(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds programs")
	}
}

// buildCommand builds objchange, and returns the folder that it is in.
func buildCommand(t testing.TB) string {
	t.Helper()
	bin, err := commandBuilt()
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

// buildTime builds the released time provider, under that name.
func buildTime(t *testing.T, binary string) {
	t.Helper()
	bin, err := timeBuilt()
	if err = errors.Join(err, os.Link(filepath.Join(bin, "terraform-provider-time"), binary)); err != nil {
		t.Fatal(err)
	}
}
