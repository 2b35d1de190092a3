// Package workspace reads the modules of the repository. It determines which modules are released,
// in which order, and with which tags.
package workspace

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"
)

// notReleased is the comment after the module path in the go.mod of a module that is not required
// by users. Such a module gets no tag.
const notReleased = "// not released"

// A Module is a module that go.work uses.
type Module struct {
	Dir      string // relative to the root, with slashes; "." is the root
	Path     string
	Siblings []string // paths of the modules of the workspace that it requires
	Released bool
}

// Tag returns the tag for a version of the module.
func (m Module) Tag(version string) string {
	if m.Dir == "." {
		return version
	}
	return m.Dir + "/" + version
}

// File returns the path of one of the module's files, relative to the root.
func (m Module) File(name string) string { return path.Join(m.Dir, name) }

// Load returns the modules of the workspace at the root in the order of a release: each module
// follows the modules that it requires. The first module is the root module.
func Load(root string) ([]Module, error) {
	name := filepath.Join(root, "go.work")
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	work, err := modfile.ParseWork(name, data, nil)
	if err != nil {
		return nil, err
	}
	var modules []Module
	requires := map[string][]string{}
	for _, use := range work.Use {
		file, err := ReadMod(filepath.Join(root, use.Path, "go.mod"))
		if err != nil {
			return nil, err
		}
		m := Module{Dir: path.Clean(filepath.ToSlash(use.Path)), Path: file.Module.Mod.Path}
		comments := file.Module.Syntax.Comment().Suffix
		m.Released = !slices.ContainsFunc(comments, func(c modfile.Comment) bool { return c.Token == notReleased })
		for _, r := range file.Require {
			requires[m.Path] = append(requires[m.Path], r.Mod.Path)
		}
		modules = append(modules, m)
	}
	if len(modules) == 0 || modules[0].Dir != "." {
		return nil, fmt.Errorf("go.work: the first used module must be the root module")
	}
	for i := range modules {
		for _, sibling := range modules {
			if slices.Contains(requires[modules[i].Path], sibling.Path) {
				modules[i].Siblings = append(modules[i].Siblings, sibling.Path)
			}
		}
	}
	return ordered(modules)
}

// ReadMod reads a go.mod file.
func ReadMod(name string) (*modfile.File, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return modfile.Parse(name, data, nil)
}

// ordered returns the modules with each module after its siblings. Otherwise it keeps the order.
func ordered(modules []Module) ([]Module, error) {
	var out []Module
	done := map[string]bool{}
	for len(out) < len(modules) {
		next := slices.IndexFunc(modules, func(m Module) bool {
			return !done[m.Path] && !slices.ContainsFunc(m.Siblings, func(s string) bool { return !done[s] })
		})
		if next < 0 {
			return nil, fmt.Errorf("go.work: modules that require each other in a circle cannot be released")
		}
		out = append(out, modules[next])
		done[modules[next].Path] = true
	}
	return out, nil
}
