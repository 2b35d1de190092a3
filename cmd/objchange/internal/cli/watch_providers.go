package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/objchange/objchange/cmd/objchange/internal/command"
	"github.com/objchange/objchange/cmd/objchange/internal/watch"
)

// watched returns the providers that are installed, overridden or named for a command
// in the folder, and what is to be noted of others.
func (input watchInput) watched(dir string, args []string) ([]watch.Provider, []watch.Option, error) {
	program := ""
	if len(args) > 0 {
		program = args[0]
	}
	providers, err := watch.Installed(dir, program)
	if err != nil {
		return nil, nil, err
	}
	overrides, err := watch.Overrides(dir, program)
	if refused := (*watch.RefusedError)(nil); errors.As(err, &refused) { // which the program has a word for
		return nil, []watch.Option{watch.Noting("nothing is watched: " + refused.Error())}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	providers = watch.Put(providers, overrides...)
	for _, text := range input.providers {
		p, err := watch.Named(text, watch.Host(program))
		if err != nil {
			return nil, nil, misused("--provider: %w", err)
		}
		providers = watch.Put(providers, p)
	}
	var notes []string
	providers = slices.DeleteFunc(providers, func(p watch.Provider) bool {
		if p.Path == "" {
			notes = append(notes, p.Address+": the folder that dev_overrides names has no executable of it, so that it is not judged")
		}
		return p.Path == ""
	})
	if len(providers) == 0 {
		notes = append(notes, fmt.Sprintf(`no provider is installed here that the lock file has: run "%s init" first, without watch, or name one with --provider`, watch.ProgramOf(program)))
		return nil, nil, fmt.Errorf("%s: %s", full(dir), strings.Join(notes, "\n"))
	}
	for _, p := range providers {
		if reason := command.NotStartable(p.Path); reason != "" && p.Named {
			return nil, nil, fmt.Errorf("provider %s: %s", p.Path, reason)
		}
	}
	return providers, []watch.Option{watch.Noting(notes...)}, nil
}

// full returns the whole name of a folder, if it is to be had.
func full(dir string) string {
	if name, err := filepath.Abs(dir); err == nil {
		return name
	}
	return dir
}

// initialises reports whether a command line is "terraform init", or of OpenTofu.
func initialises(args []string) bool {
	if len(args) == 0 || !watch.IsTofu(args[0]) && !watch.IsTerraform(args[0]) {
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
