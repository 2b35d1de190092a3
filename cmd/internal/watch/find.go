package watch

import (
	"fmt"
	"strings"

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
			return Provider{}, "", fmt.Errorf("provider %s: is neither an executable file nor the address of a provider: %w",
				source, err)
		}
		overrides, err := Overrides(dir, program)
		if err != nil {
			return Provider{}, "", err
		}
		p, ok := overrides[address]
		if ok && p.Path == "" {
			why := strings.Join(WhyNone(dir, program, []Provider{p}), "\n")
			return p, program, fmt.Errorf("provider %s: %s", source, why)
		}
		if !ok {
			p, ok = installed[address]
		}
		if ok {
			return p, program, p.verify(program)
		}
	}
	return Provider{}, "", fmt.Errorf("provider %s: is neither an executable file nor an installed provider: "+
		`build it, or run "terraform init" first`, source)
}
