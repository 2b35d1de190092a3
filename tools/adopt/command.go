package adopt

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// core are the modules of Terraform Core and OpenTofu. Their source must not be downloaded. See
// CONTRIBUTING.md.
var core = []string{"github.com/hashicorp/terraform", "github.com/opentofu/opentofu"}

// command runs a command in the folder and returns its standard output without the last newline. An
// error contains all output of the command.
func command(ctx context.Context, folder string, env []string, name string, args ...string) (string, error) {
	out, errOut, err := run(ctx, folder, env, name, args...)
	if err != nil {
		return "", fmt.Errorf("%s %s (in %s): %w\n%s%s", name, strings.Join(args, " "), folder, err, out, errOut)
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}

// run runs a command and returns its standard output and standard error. When the context ends, it
// kills the command and the processes that the command started.
func run(ctx context.Context, folder string, env []string, name string, args ...string) (out, errOut []byte, err error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = folder, env
	cmd.Cancel = group(cmd)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err = cmd.Output()
	return out, stderr.Bytes(), err
}

// environment returns the environment for commands that run code of a project. It contains no
// credentials, separate folders, and the built programs first on the PATH.
func (w *runner) environment(ctx context.Context, extra map[string]string) ([]string, error) {
	found, err := command(ctx, w.root, nil, "go", "env", "GOMODCACHE", "GOCACHE", "GOENV")
	if err != nil {
		return nil, err
	}
	folders := strings.Split(found, "\n")
	home, temp := filepath.Join(w.scratch, "home"), filepath.Join(w.scratch, "tmp")
	for _, folder := range []string{home, temp, w.programs()} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return nil, err
		}
	}
	env := []string{
		"GOWORK=off", "GOFLAGS=-mod=mod", "GOMODCACHE=" + folders[0], "GOCACHE=" + folders[1], "GOENV=" + folders[2],
		"HOME=" + home, "USERPROFILE=" + home, "TMPDIR=" + temp, "TMP=" + temp, "TEMP=" + temp, "CHECKPOINT_DISABLE=1",
		"PATH=" + w.programs() + string(os.PathListSeparator) + os.Getenv("PATH"),
	}
	for _, name := range passed {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	for name, value := range extra {
		env = append(env, name+"="+value)
	}
	return env, nil
}

// passed are the variables of the user that the commands receive.
var passed = []string{
	"GOPROXY", "GONOPROXY", "GOPRIVATE", "GOINSECURE", "GOSUMDB", "GONOSUMDB", "GOTOOLCHAIN", "GOROOT", "GOTMPDIR", "GOGC", "GOMAXPROCS",
	"CGO_ENABLED", "CC", "CXX", "SYSTEMROOT", "COMSPEC", "PATHEXT", "LANG",
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR",
}

func (w *runner) programs() string { return filepath.Join(w.scratch, "bin") }
