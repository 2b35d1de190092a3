package survey

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/mod/module"
)

// core are the modules of Terraform Core and OpenTofu. Their source must not be downloaded. See
// CONTRIBUTING.md. Modules that require them are not surveyed.
var core = []string{"github.com/hashicorp/terraform", "github.com/opentofu/opentofu"}

// build builds the provider below the folder, with its own go.mod and go.sum, as its authors do. It
// runs no code of the module. Errors have the type *Failure.
func build(ctx context.Context, m module.Version, folder string) (executable string, err error) {
	if err := checkRequirements(ctx, m, folder); err != nil {
		return "", &Failure{StepRequirements, err.Error()}
	}
	source := filepath.Join(folder, "source")
	err = download(ctx, m, source)
	if err == nil {
		_, err = goCommand(ctx, source, append([]string{"mod", "edit"}, refusals()...)...)
	}
	executable = filepath.Join(folder, executableName(m.Path))
	if err == nil {
		_, err = goCommand(ctx, source, "build", "-mod=mod", "-trimpath", "-buildvcs=false", "-o", executable, ".")
	}
	if err != nil {
		return "", &Failure{StepBuild, err.Error()}
	}
	return executable, nil
}

// checkRequirements downloads the go.mod of the module, but not its source. It returns an error if
// the go.mod cannot be downloaded, or if it requires Terraform Core.
func checkRequirements(ctx context.Context, m module.Version, folder string) error {
	scratch := filepath.Join(folder, "requirements")
	err := os.Mkdir(scratch, 0o755)
	if err == nil {
		// Without a go version, list downloads the go.mod of all modules that were ever required.
		err = os.WriteFile(filepath.Join(scratch, "go.mod"), fmt.Appendf(nil, "module scratch\n\ngo 1.25\n\nrequire %s %s\n", m.Path, m.Version), 0o644)
	}
	if err != nil {
		return err
	}
	// This fails after the download if the go.mod has another path.
	_, failed := goCommand(ctx, scratch, "list", "-mod=mod", "-m", "all")
	name, err := goCommand(ctx, folder, "list", "-m", "-f", "{{.GoMod}}", m.String())
	if err != nil {
		return err
	}
	requirements, err := os.ReadFile(strings.TrimSpace(name))
	if err != nil {
		return cmp.Or(failed, err)
	}
	return checkClean(string(requirements))
}

// checkClean returns an error if a go.mod contains a module of Terraform Core.
func checkClean(requirements string) error {
	for _, word := range strings.Fields(requirements) {
		for _, refused := range core {
			if strings.Trim(word, "\"`") == refused {
				return fmt.Errorf("it requires %s, but the source of that module must not be downloaded", refused)
			}
		}
	}
	return nil
}

// refusals returns arguments for go mod edit that make the go command fail before it downloads
// Terraform Core for another module.
func refusals() (args []string) {
	for _, refused := range core {
		args = append(args, "-replace="+refused+"=./refused")
	}
	return args
}

// download copies the source of the module into the new folder.
func download(ctx context.Context, m module.Version, source string) error {
	output, err := goCommand(ctx, filepath.Dir(source), "mod", "download", "-json", m.String())
	var downloaded struct{ Dir, Error string }
	if broken := json.Unmarshal([]byte(output), &downloaded); broken == nil && downloaded.Error != "" {
		return errors.New(downloaded.Error)
	}
	if err != nil {
		return err
	}
	return os.CopyFS(source, os.DirFS(downloaded.Dir))
}

// executableName returns terraform-provider-NAME for a module path. The path may end in a major
// version.
func executableName(modulePath string) string {
	prefix, _, _ := module.SplitPathVersion(modulePath)
	name := path.Base(prefix)
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return name
}

// goCommand runs the go command in the folder, outside the workspace. It returns the output even if
// there is an error.
func goCommand(ctx context.Context, folder string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	output, err := cmd.Output()
	if err != nil {
		err = errors.New(excerpt(fmt.Errorf("go %s: %w", args[0], err), stderr.String()))
	}
	return string(output), err
}
