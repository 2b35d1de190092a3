package cli

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/objchange/objchange/cmd/objchange/internal/command"
	"github.com/objchange/objchange/cmd/objchange/internal/watch"
	"github.com/objchange/objchange/tfcheck"
)

// watched returns the providers that are installed, overridden or named for a command in
// the folder, by address, and notes about others.
func (input watchInput) watched(dir string, program tfcheck.Program) (providers map[string]watch.Provider, notes []string, err error) {
	if providers, err = watch.Installed(dir); err != nil {
		return nil, nil, err
	}
	overrides, err := watch.Overrides(dir, program)
	if refused := (*watch.RefusedError)(nil); errors.As(err, &refused) { // the program reports it
		return nil, []string{"nothing is watched: " + refused.Error()}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	maps.Copy(providers, overrides)
	for _, text := range input.providers {
		p, err := watch.Named(text, watch.Host(program))
		if err != nil {
			return nil, nil, misused("--provider: %w", err)
		}
		if reason := command.NotStartable(p.Path); reason != "" {
			return nil, nil, fmt.Errorf("provider %s: %s", p.Path, reason)
		}
		providers[p.Address] = p
	}
	for _, address := range slices.Sorted(maps.Keys(providers)) {
		if providers[address].Path == "" {
			notes = append(notes, address+": the folder that dev_overrides names has no executable of it, so that it is not judged")
			delete(providers, address)
		}
	}
	if len(providers) == 0 {
		notes = append(notes, fmt.Sprintf(`no provider is installed here that the lock file has: run "%s init" first, without watch, or name one with --provider`, program))
		if whole, err := filepath.Abs(dir); err == nil {
			dir = whole
		}
		return nil, nil, fmt.Errorf("%s: %s", dir, strings.Join(notes, "\n"))
	}
	return providers, notes, nil
}

// initialises reports whether a command line is "terraform init", or of OpenTofu.
func initialises(args []string) bool {
	if len(args) == 0 {
		return false
	}
	if _, is := watch.ProgramOf(args[0]); !is {
		return false
	}
	at := slices.IndexFunc(args[1:], func(arg string) bool { return !strings.HasPrefix(arg, "-") })
	return at >= 0 && args[1+at] == "init"
}

// chdir returns the folder that Terraform's own option leads to, in which it starts
// its providers.
func chdir(args []string) string {
	const option = "-chdir="
	at := slices.IndexFunc(args, func(arg string) bool { return strings.HasPrefix(arg, option) })
	if at < 1 {
		return "."
	}
	return filepath.Clean(strings.TrimPrefix(args[at], option))
}
