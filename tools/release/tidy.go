package main

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/objchange/objchange/tools/internal/workspace"
)

// tidyRoot tidies the modules of the root. Without a workspace, the go command would look for the
// current versions of siblings in vain, so each go.mod replaces them with their folders meanwhile. The
// hashes of siblings go: only a release needs them, and adds them.
func (r *release) tidyRoot() error {
	replace, drop := []string{"mod", "edit"}, []string{"mod", "edit"}
	for _, m := range r.modules {
		replace = append(replace, "-replace="+m.Path+"="+filepath.Join(r.root, m.Dir))
		drop = append(drop, "-dropreplace="+m.Path)
	}
	for _, m := range r.modules {
		run := func(args ...string) error {
			env := append(os.Environ(), "GOWORK=off")
			_, err := workspace.Run(filepath.Join(r.root, m.Dir), env, "go", args...)
			return err
		}
		if err := run(replace...); err != nil {
			return err
		}
		if err := errors.Join(run("mod", "tidy"), run(drop...)); err != nil {
			return err
		}
	}
	return nil
}
