package adopt

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/mod/module"
)

// A recipe describes how to change a project to use objchange. It is the file recipe.yaml in its
// own folder. The folder _before next to it contains files for both copies of the project. The
// folder _after contains files for the changed copy only. These files cannot replace files of the
// project unless Remove contains them. Module, Version, Require, Test and Passes are required.
type recipe struct {
	Name   string `yaml:"-"` // of the folder
	folder string

	Module  string `yaml:"module"`
	Version string `yaml:"version"` // the version for which the recipe was written
	Newest  string `yaml:"newest"`  // the query for the newest version, "latest" if empty

	Vendored []vendored `yaml:"vendored"` // modules in folders of the project that the proxy omits
	Programs []program  `yaml:"programs"` // programs that slow tests need on the PATH

	Upgrade []string `yaml:"upgrade"` // modules with the version that both copies need at least
	Require []string `yaml:"require"` // modules of objchange that the project imports
	Remove  []string `yaml:"remove"`  // files
	Edit    []edit   `yaml:"edit"`
	Unused  string   `yaml:"unused"` // a folder; count its packages that are no longer imported

	Env     map[string]string `yaml:"env"`
	Test    []string          `yaml:"test"`    // patterns of packages to test
	Passes  int               `yaml:"passes"`  // the minimal number of tests that pass before the change
	Slow    []string          `yaml:"slow"`    // folders of packages that are tested only with -slow, such as pkg/a
	Skip    []string          `yaml:"skip"`    // folders of packages that cannot be tested
	Missing string            `yaml:"missing"` // the tests that cannot run, and why
	Changes []change          `yaml:"changes"`
}

type (
	// A vendored module is copied from the proxy to the folder, in the version that go.mod
	// requires.
	vendored struct {
		Module string `yaml:"module"`
		Folder string `yaml:"folder"`
	}
	// A program is built in the version that go.mod requires, or as a separate module in Version.
	program struct {
		Package string `yaml:"package"`
		Version string `yaml:"version"`
		Flags   string `yaml:"ldflags"`
	}
	// An edit replaces each match of a regular expression in the files that match a pattern of
	// path.Match. The field To can contain ${1} for a group.
	edit struct {
		Files string `yaml:"files"`
		From  string `yaml:"from"`
		To    string `yaml:"to"`
	}
	// A change explains why tests of the project have another result after the change.
	change struct {
		Tests []string `yaml:"tests"` // FOLDER.NAME, or MODULE.NAME at the root, and the same for each subtest
		Why   string   `yaml:"why"`
		Case  string   `yaml:"case"` // a case of the corpus that shows the behavior of Core
	}
)

// readRecipe reads and validates the recipe in the folder.
func readRecipe(folder string) (*recipe, error) {
	name := filepath.Join(folder, "recipe.yaml")
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	r := &recipe{Name: filepath.Base(folder), folder: folder}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(r); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := r.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

func (r *recipe) check() error {
	if r.Module == "" || r.Version == "" {
		return fmt.Errorf("module or version is missing")
	}
	if err := module.Check(r.Module, r.Version); err != nil {
		return err
	}
	for _, refused := range core {
		if r.Module == refused || slices.ContainsFunc(r.Vendored, func(v vendored) bool { return v.Module == refused }) {
			return fmt.Errorf("the source of %s must not be downloaded: see CONTRIBUTING.md", refused)
		}
	}
	if len(r.Require) == 0 || len(r.Test) == 0 || r.Passes < 1 {
		return fmt.Errorf("require, test or passes is missing")
	}
	if len(r.Skip) > 0 && r.Missing == "" {
		return fmt.Errorf("missing must say why %s cannot be tested", strings.Join(r.Skip, ", "))
	}
	names := append([]string{}, r.Remove...)
	for _, v := range r.Vendored {
		names = append(names, v.Folder)
	}
	for _, e := range r.Edit {
		if _, err := regexp.Compile(e.From); err != nil {
			return err
		}
		names = append(names, e.Files)
	}
	for _, name := range names {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return fmt.Errorf("%q is not below the project", name)
		}
	}
	for _, upgrade := range r.Upgrade {
		path, version, _ := strings.Cut(upgrade, "@")
		if err := module.Check(path, version); err != nil {
			return err
		}
	}
	for _, c := range r.Changes {
		if len(c.Tests) == 0 || c.Why == "" || c.Case == "" {
			return fmt.Errorf("a change needs tests, why and case, but has %q, %q and %q", c.Tests, c.Why, c.Case)
		}
	}
	return nil
}

// recipes returns the recipes with these names, or all recipes if there are no names.
func recipes(folder string, names []string) ([]*recipe, error) {
	found, err := filepath.Glob(filepath.Join(folder, "*", "recipe.yaml"))
	if err != nil {
		return nil, err
	}
	var known []string
	for _, name := range found {
		known = append(known, filepath.Base(filepath.Dir(name)))
	}
	if len(names) == 0 {
		names = known
	}
	var all []*recipe
	for i, name := range names {
		switch {
		case !slices.Contains(known, name):
			return nil, fmt.Errorf("there is no recipe %q; the recipes are %s", name, strings.Join(known, ", "))
		case slices.Contains(names[:i], name):
			continue
		}
		r, err := readRecipe(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}
