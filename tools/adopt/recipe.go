package adopt

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/mod/module"
)

// A recipe says how a project is changed to use objchange. It is the file recipe.yaml in a
// folder of its own. Beside it, the folder _before has files that both copies of the project
// get, and _after has those that only the changed copy gets.
type recipe struct {
	Name   string `yaml:"-"` // of the folder
	folder string

	Module  string `yaml:"module"`
	Version string `yaml:"version"` // the one that the recipe was written for
	Newest  string `yaml:"newest"`  // the query for the newest version, "latest" if empty

	Vendored []vendored `yaml:"vendored"` // modules that the project has in folders which the proxy leaves out
	Programs []program  `yaml:"programs"` // what slow tests need on the PATH

	Upgrade []string `yaml:"upgrade"` // modules of which both copies need at least this version
	Require []string `yaml:"require"` // modules of objchange that the project imports
	Remove  []string `yaml:"remove"`  // files
	Edit    []edit   `yaml:"edit"`
	Unused  string   `yaml:"unused"` // a folder of packages; those that nothing imports any more are counted

	Env     map[string]string `yaml:"env"`
	Test    []string          `yaml:"test"`    // arguments of go test, such as packages
	Slow    []string          `yaml:"slow"`    // packages that are tested only with -slow, relative to the project
	Skip    []string          `yaml:"skip"`    // packages that cannot be tested, likewise
	Missing string            `yaml:"missing"` // what cannot be tested, and why
	Changes []change          `yaml:"changes"`
}

type (
	// A vendored module is copied from the proxy to the folder, in the version that go.mod requires.
	vendored struct {
		Module string `yaml:"module"`
		Folder string `yaml:"folder"`
	}
	// A program is built in the version that go.mod requires, or in its own module in Version.
	program struct {
		Package string `yaml:"package"`
		Version string `yaml:"version"`
		Flags   string `yaml:"ldflags"`
	}
	// An edit replaces each match of a regular expression in the files that match a pattern.
	edit struct {
		Files string `yaml:"files"`
		From  string `yaml:"from"`
		To    string `yaml:"to"`
	}
	// A change explains why tests of the project have another verdict afterwards.
	change struct {
		Tests []string `yaml:"tests"` // FOLDER.NAME; their subtests are others
		Why   string   `yaml:"why"`
		Case  string   `yaml:"case"` // a case of the corpus that shows what Core decides
	}
)

// readRecipe reads and checks the recipe in the folder.
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
	if err := module.Check(r.Module, r.Version); err != nil {
		return err
	}
	if len(r.Test) == 0 {
		return fmt.Errorf("test is missing")
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
			return fmt.Errorf("a change needs tests, why and case, but one has %q, %q and %q", c.Tests, c.Why, c.Case)
		}
	}
	return nil
}

// recipes returns the recipes of these names, or all of them.
func recipes(folder string, names []string) ([]*recipe, error) {
	if len(names) == 0 {
		found, err := filepath.Glob(filepath.Join(folder, "*", "recipe.yaml"))
		if err != nil {
			return nil, err
		}
		for _, name := range found {
			names = append(names, filepath.Base(filepath.Dir(name)))
		}
	}
	var all []*recipe
	for _, name := range names {
		if !filepath.IsLocal(name) {
			return nil, fmt.Errorf("%q is not the name of a recipe", name)
		}
		r, err := readRecipe(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}
