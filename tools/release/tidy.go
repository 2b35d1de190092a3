package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/objchange/objchange/tools/internal/workspace"
)

// tidyRoot tidies the modules of the root. Without a workspace, the go command would look for the
// current versions of siblings in vain, so copies of the go.mod files replace the siblings with their
// folders.
func (r *release) tidyRoot() error {
	for _, m := range r.modules {
		if err := r.tidyIn(m); err != nil {
			return err
		}
	}
	return nil
}

// tidyIn tidies the files of a module in the root. The hashes of siblings stay unchanged.
func (r *release) tidyIn(m workspace.Module) error {
	file, err := workspace.ReadMod(filepath.Join(r.root, m.File("go.mod")))
	if err != nil {
		return err
	}
	for _, sibling := range r.modules {
		if err := file.AddReplace(sibling.Path, "", filepath.Join(r.root, sibling.Dir), ""); err != nil {
			return err
		}
	}
	before, err := readText(filepath.Join(r.root, m.File("go.sum")))
	if err != nil {
		return err
	}
	mod, sum := filepath.Join(r.dir, "go.mod"), filepath.Join(r.dir, "go.sum")
	err = errors.Join(os.WriteFile(mod, modfile.Format(file.Syntax), 0o644), os.WriteFile(sum, []byte(before), 0o644))
	if err != nil {
		return err
	}
	env := append(os.Environ(), "GOWORK=off")
	if _, err := workspace.Run(filepath.Join(r.root, m.Dir), env, "go", "mod", "tidy", "-modfile="+mod); err != nil {
		return err
	}
	if file, err = workspace.ReadMod(mod); err != nil {
		return err
	}
	for _, sibling := range r.modules {
		if err := file.DropReplace(sibling.Path, ""); err != nil {
			return err
		}
	}
	file.Cleanup()
	others, err := readText(sum)
	if err != nil {
		return err
	}
	after := withSiblings(r.siblingSums.ReplaceAllString(others, ""), r.siblingSums.FindAllString(before, -1))
	err = os.WriteFile(filepath.Join(r.root, m.File("go.mod")), modfile.Format(file.Syntax), 0o644)
	if err == nil && after != before {
		err = os.WriteFile(filepath.Join(r.root, m.File("go.sum")), []byte(after), 0o644)
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
