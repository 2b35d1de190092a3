package watch

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/objchange/objchange/cmd/internal/command"
	"github.com/objchange/objchange/tfcheck"
)

// Find returns the provider that Terraform or OpenTofu would start in the folder for the source
// address, and the program that would start it. Terraform is tried first. The error says why no
// provider was found, or that the checksum of its package differs from the lock file.
func Find(dir, source string) (Provider, tfcheck.Program, error) {
	installed, err := Installed(dir)
	if err != nil {
		return Provider{}, "", err
	}
	for _, program := range []tfcheck.Program{tfcheck.Terraform, tfcheck.OpenTofu} {
		address, err := Address(source, Host(program))
		if err != nil {
			if reason := command.NotStartable(source); reason != "" {
				return Provider{}, "", fmt.Errorf("provider %s: %s", source, reason)
			}
			if strings.HasPrefix(source, ".") || filepath.IsAbs(source) {
				return Provider{}, "", fmt.Errorf("provider %s: the file does not exist", source)
			}
			return Provider{}, "", fmt.Errorf("provider %s: is neither an executable file nor the address of a provider: %w", source, err)
		}
		overrides, err := Overrides(dir, program)
		if err != nil {
			return Provider{}, "", err
		}
		p, ok := overrides[address]
		if ok && p.Path == "" {
			return p, program, fmt.Errorf("provider %s: %s", source, strings.Join(WhyNone(dir, program, []Provider{p}), "\n"))
		}
		if !ok {
			p, ok = installed[address]
		}
		if ok {
			return p, program, p.verify(program)
		}
	}
	reason := command.NotStartable(source)
	if reason == "" {
		reason = `is neither an executable file nor an installed provider: build it, or run "terraform init" first`
	}
	return Provider{}, "", fmt.Errorf("provider %s: %s", source, reason)
}
