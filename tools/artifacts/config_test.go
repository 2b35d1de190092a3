// Package artifacts tests the files at the root that distribute the command: files for goreleaser,
// docker, GitHub and pre-commit.
package artifacts

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/objchange/objchange/tools/internal/fixture"
	"github.com/objchange/objchange/tools/internal/workspace"
)

const root = "../.."

// goreleaser contains the parts of .goreleaser.yaml that the tests need.
type goreleaser struct {
	Env    []string
	Before struct{ Hooks []string }
	Builds []struct {
		Dir, Main, Binary            string
		Flags, Ldflags, GOOS, GOARCH []string
	}
	Archives  []struct{ Files []struct{ Src, Dst string } }
	DockersV2 []struct {
		Dockerfile string
		Platforms  []string
	} `yaml:"dockers_v2"`
}

func readYAML[T any](t *testing.T, name string) (into T) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(fixture.Read(t, root, name)), &into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return into
}

// A rehearsedRelease is a release that was rehearsed by .ci/run. The tests run in its environment.
type rehearsedRelease struct {
	tree, version string
	bin           string // where the command is installed
}

func rehearsal(t *testing.T) rehearsedRelease {
	t.Helper()
	dir := os.Getenv("REHEARSAL")
	if dir == "" {
		t.Skip("REHEARSAL names no rehearsed release; .ci/run makes one")
	}
	tree := filepath.Join(dir, "tree")
	version, err := workspace.LastRelease(tree)
	if err != nil {
		t.Fatal(err)
	}
	return rehearsedRelease{tree: tree, version: version, bin: filepath.Join(dir, "user", "bin")}
}

// clone clones the repository of the release into a folder below the test's temporary folder.
func (r rehearsedRelease) clone(t *testing.T, below ...string) string {
	t.Helper()
	dir := filepath.Join(append([]string{t.TempDir()}, below...)...)
	fixture.Git(t, ".", "clone", "--quiet", "--config", "core.autocrlf=false", r.tree, dir)
	return dir
}

func goCommand(t *testing.T, dir string, env []string, args ...string) {
	t.Helper()
	if _, err := workspace.Run(dir, append(os.Environ(), env...), "go", args...); err != nil {
		t.Fatal(err)
	}
}

// shell runs a script and returns its output and exit status.
func shell(t *testing.T, dir string, env []string, name, script string) (printed string, status int) {
	t.Helper()
	cmd := exec.Command(name, "-e", "-c", script)
	if name == "bash" { // as GitHub calls it
		cmd = exec.Command(name, "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
	}
	var out bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, append(os.Environ(), env...), &out, &out
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return strings.TrimSpace(out.String()), cmd.ProcessState.ExitCode()
}

// path returns a PATH that begins with the folder.
func path(bin string) string {
	return "PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH")
}
