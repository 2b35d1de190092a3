package adopt

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// core are the modules of Terraform Core and OpenTofu. Their source must not be downloaded: see
// CONTRIBUTING.md.
var core = []string{"github.com/hashicorp/terraform", "github.com/opentofu/opentofu"}

// command runs a command in the folder and returns what it writes to standard output, without
// the last newline. An error has all that it wrote.
func command(ctx context.Context, folder string, env []string, name string, args ...string) (string, error) {
	out, said, err := run(ctx, folder, env, name, args...)
	if err != nil {
		return "", fmt.Errorf("%s %s (in %s): %w\n%s%s", name, strings.Join(args, " "), folder, err, out, said)
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}

// run returns what a command writes to its outputs. When the context ends, it interrupts the
// command, so that go test can stop the tests.
func run(ctx context.Context, folder string, env []string, name string, args ...string) (out, said []byte, err error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = folder, env
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err = cmd.Output()
	return out, stderr.Bytes(), err
}

// environment returns the variables for commands that run what a project brings: no
// credentials, a home folder of their own, and programs first on the PATH.
func (w *workshop) environment(ctx context.Context, extra map[string]string) ([]string, error) {
	found, err := command(ctx, w.root, nil, "go", "env", "GOMODCACHE", "GOCACHE")
	if err != nil {
		return nil, err
	}
	modules, cache, _ := strings.Cut(found, "\n")
	home := filepath.Join(w.scratch, "home")
	for _, folder := range []string{home, w.programs()} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return nil, err
		}
	}
	env := slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(strings.ToUpper(variable), "=")
		return !strings.HasPrefix(name, "GO") && !strings.HasPrefix(name, "CGO_") && !slices.Contains(passed, name)
	})
	env = append(env, "GOWORK=off", "GOFLAGS=-mod=mod", "GOMODCACHE="+modules, "GOCACHE="+cache,
		"HOME="+home, "USERPROFILE="+home, "CHECKPOINT_DISABLE=1",
		"PATH="+w.programs()+string(os.PathListSeparator)+os.Getenv("PATH"))
	for name, value := range extra {
		env = append(env, name+"="+value)
	}
	return env, nil
}

// passed are the variables that commands get beside those of the go command.
var passed = []string{
	"TMPDIR", "TMP", "TEMP", "SYSTEMROOT", "COMSPEC", "PATHEXT", "LANG", "CC", "CXX",
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR",
}

func (w *workshop) programs() string { return filepath.Join(w.scratch, "bin") }
