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
	return ordered(modules, requires)
}

// ReadMod reads a go.mod file.
func ReadMod(name string) (*modfile.File, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return modfile.Parse(name, data, nil)
}

// ordered returns the modules with each module after the modules that it requires. Otherwise it keeps
// the order.
func ordered(modules []Module, requires map[string][]string) ([]Module, error) {
	var out []Module
	left := map[string]bool{}
	for _, m := range modules {
		left[m.Path] = true
	}
	for len(out) < len(modules) {
		next := slices.IndexFunc(modules, func(m Module) bool {
			waits := slices.ContainsFunc(requires[m.Path], func(path string) bool { return left[path] })
			return left[m.Path] && !waits
		})
		if next < 0 {
			return nil, fmt.Errorf("go.work: modules that require each other in a circle cannot be released")
		}
		out = append(out, modules[next])
		delete(left, modules[next].Path)
	}
	return out, nil
}
