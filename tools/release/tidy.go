package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"github.com/objchange/objchange/tools/internal/workspace"
)

// tidyRoot tidies the modules of the root. The go command cannot do this in the root, because go
// mod tidy ignores the workspace and therefore does not find the current version of sibling
// modules.
func (r *release) tidyRoot() error {
	released, err := r.requiredVersion()
	if err != nil {
		return err
	}
	r.mend = true
	if err := r.publish(); err != nil {
		return err
	}
	for _, m := range r.modules {
		if err := r.tidyIn(m, released); err != nil {
			return err
		}
	}
	return nil
}

// requiredVersion returns the version of siblings that the modules require.
func (r *release) requiredVersion() (string, error) {
	var version string
	for _, m := range r.modules {
		file, err := workspace.ReadMod(filepath.Join(r.root, m.File("go.mod")))
		if err != nil {
			return "", err
		}
		for _, require := range file.Require {
			if r.sibling(require.Mod.Path) && semver.Compare(require.Mod.Version, version) > 0 {
				version = require.Mod.Version
			}
		}
	}
	return version, nil
}

// tidyIn writes the module's tidied files into the root. The versions and the hashes of siblings
// stay unchanged.
func (r *release) tidyIn(m workspace.Module, released string) error {
	file, err := workspace.ReadMod(r.in(m, "go.mod"))
	if err != nil {
		return err
	}
	for _, require := range file.Require {
		if r.sibling(require.Mod.Path) {
			if err := file.AddRequire(require.Mod.Path, released); err != nil {
				return err
			}
		}
	}
	if err := os.WriteFile(filepath.Join(r.root, m.File("go.mod")), modfile.Format(file.Syntax), 0o644); err != nil {
		return err
	}
	name := filepath.Join(r.root, m.File("go.sum"))
	before, err := readText(name)
	if err != nil {
		return err
	}
	after, err := readText(r.in(m, "go.sum"))
	if err != nil {
		return err
	}
	if text := withSiblings(r.siblingSums.ReplaceAllString(after, ""), r.siblingSums.FindAllString(before, -1)); text != before {
		return os.WriteFile(name, []byte(text), 0o644)
	}
	return nil
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
