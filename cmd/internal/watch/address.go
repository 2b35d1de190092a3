package watch

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	tfaddr "github.com/hashicorp/terraform-registry-address"

	"github.com/objchange/objchange/tfcheck"
)

// Host returns the default registry host of the program. It applies to addresses without a host.
func Host(program tfcheck.Program) string {
	if program == tfcheck.OpenTofu {
		return "registry.opentofu.org"
	}
	return tfaddr.DefaultProviderRegistryHost.String()
}

// ProgramOf returns OpenTofu if the file name of a command is tofu, and otherwise Terraform. It
// also reports whether the name is one of these. Other commands, such as scripts, are assumed to
// run Terraform.
func ProgramOf(command string) (program tfcheck.Program, is bool) {
	switch name := strings.TrimSuffix(filepath.Base(command), ".exe"); tfcheck.Program(name) {
	case tfcheck.OpenTofu:
		return tfcheck.OpenTofu, true
	case tfcheck.Terraform:
		return tfcheck.Terraform, true
	}
	return tfcheck.Terraform, false
}

// Address returns the full address of a provider, such as "registry.terraform.io/hashicorp/time".
// The source may also be "time" or "hashicorp/time". In these cases the address gets the given
// host.
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

// Named parses ADDRESS=PATH and returns the provider. The given host applies if the address has
// none. A path without a folder is relative to the current folder.
func Named(text, host string) (Provider, error) {
	source, path, ok := strings.Cut(text, "=")
	if !ok || source == "" || path == "" {
		const example = "hashicorp/time=./terraform-provider-time"
		return Provider{}, fmt.Errorf("must be ADDRESS=PATH, such as %s, not %q", example, text)
	}
	address, err := Address(source, host)
	if err != nil {
		return Provider{}, fmt.Errorf("%q is not the address of a provider: %w", source, err)
	}
	path, err = filepath.Abs(path)
	return Provider{Address: address, Path: path, Named: true}, err
}
