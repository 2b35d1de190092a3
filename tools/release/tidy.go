package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/objchange/objchange/tools/internal/workspace"
)

// tidyRoot tidies the modules of the root. Without a workspace, the go command would look for the
// current versions of siblings in vain, so each go.mod replaces them with their folders meanwhile.
func (r *release) tidyRoot() error {
	replace, drop := []string{"mod", "edit"}, []string{"mod", "edit"}
	for _, m := range r.modules {
		replace = append(replace, "-replace="+m.Path+"="+filepath.Join(r.root, m.Dir))
		drop = append(drop, "-dropreplace="+m.Path)
	}
	for _, m := range r.modules {
		if err := r.tidyIn(filepath.Join(r.root, m.Dir), replace, drop); err != nil {
			return err
		}
	}
	return nil
}

// tidyIn tidies a module between two commands. The hashes of siblings stay unchanged.
func (r *release) tidyIn(dir string, replace, drop []string) error {
	run := func(args ...string) error {
		_, err := workspace.Run(dir, append(os.Environ(), "GOWORK=off"), "go", args...)
		return err
	}
	sum := filepath.Join(dir, "go.sum")
	before, err := readText(sum)
	if err == nil {
		err = run(replace...)
	}
	if err == nil {
		err = errors.Join(run("mod", "tidy"), run(drop...))
	}
	if err != nil {
		return err
	}
	others, err := readText(sum)
	if err != nil {
		return err
	}
	if after := withSiblings(others, r.siblingSums.FindAllString(before, -1)); after != others {
		err = os.WriteFile(sum, []byte(after), 0o644)
	}
	return err
}

// withSiblings returns a go.sum with the lines of siblings inserted in order. The paths of siblings
// have a common prefix that no other path has.
func withSiblings(others string, siblings []string) string {
	lines := slices.Collect(strings.Lines(others))
	if len(siblings) == 0 {
		return others
	}
	at := slices.IndexFunc(lines, func(line string) bool { return line > siblings[0] })
	if at < 0 {
		at = len(lines)
	}
	return strings.Join(slices.Insert(lines, at, siblings...), "")
}
