package watch

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	tfaddr "github.com/hashicorp/terraform-registry-address"

	"github.com/objchange/objchange/tfcheck"
)

// Host returns the registry of providers whose addresses name none, for the program
// that a command starts, by its file name.
func Host(program string) string {
	if IsTofu(program) {
		return "registry.opentofu.org"
	}
	return tfaddr.DefaultProviderRegistryHost.String()
}

// ProgramOf returns OpenTofu if the file name of a program is tofu, and else Terraform:
// other programs, such as scripts, are taken to run it.
func ProgramOf(program string) tfcheck.Program {
	if IsTofu(program) {
		return tfcheck.OpenTofu
	}
	return tfcheck.Terraform
}

// IsTofu reports whether a program is OpenTofu, by its file name.
func IsTofu(program string) bool { return isNamed(program, "tofu") }

// IsTerraform reports whether a program is Terraform, by its file name.
func IsTerraform(program string) bool { return isNamed(program, "terraform") }

func isNamed(program, name string) bool {
	return strings.TrimSuffix(filepath.Base(program), ".exe") == name
}

// Address returns the whole address of what "time", "hashicorp/time" and
// "registry.terraform.io/hashicorp/time" stand for, given the host that is meant
// where none is.
func Address(source, host string) (string, error) {
	switch strings.Count(source, "/") {
	case 0:
		source = host + "/hashicorp/" + source
	case 1:
		source = host + "/" + source
	}
	p, err := tfaddr.ParseProviderSource(source)
	if wrong := (*tfaddr.ParserError)(nil); errors.As(err, &wrong) {
		return "", errors.New(strings.Join(strings.Fields(wrong.Detail), " "))
	}
	if err != nil {
		return "", err
	}
	return p.String(), nil
}

// Named returns the provider that ADDRESS=PATH names, of the host if none is named. A
// path without a folder is one in the current folder.
func Named(text, host string) (Provider, error) {
	source, path, ok := strings.Cut(text, "=")
	if !ok || source == "" || path == "" {
		return Provider{}, fmt.Errorf("want ADDRESS=PATH, as hashicorp/time=./terraform-provider-time, and not %q", text)
	}
	address, err := Address(source, host)
	if err != nil {
		return Provider{}, fmt.Errorf("%q is no address of a provider: %w", source, err)
	}
	path, err = filepath.Abs(path)
	return Provider{Address: address, Path: path, Named: true}, err
}
