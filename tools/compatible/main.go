// Command compatible compares the exported API of the library modules with the last release. It
// fails for an incompatible change unless the changelog has an entry for it below "Unreleased", as
// "Changed" or "Removed". Major version 0 allows such changes.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/exp/apidiff"
	"golang.org/x/mod/semver"
	"golang.org/x/tools/go/packages"

	"github.com/objchange/objchange/tools/internal/changelog"
	"github.com/objchange/objchange/tools/internal/workspace"
)

func main() {
	if err := run(".", os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "compatible:", err)
		os.Exit(1)
	}
}

func run(wd string, out io.Writer) (err error) {
	root, err := workspace.Git(wd, "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	last, err := workspace.LastRelease(root)
	if err != nil {
		return err
	}
	if last == "" {
		fmt.Fprintln(out, "there is no release yet")
		return nil
	}
	old, err := os.MkdirTemp("", "compatible")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(old)) }()
	clone := []string{"clone", "--quiet", "--config", "advice.detachedHead=false", "--branch", last, root, old}
	if _, err := workspace.Git(root, clone...); err != nil {
		return err
	}
	broken, err := compare(old, root, last, out)
	if err != nil || !broken {
		return err
	}
	return checkChangelog(root, last)
}

// compare prints the differences in the released modules. It reports whether any difference is
// incompatible.
func compare(old, root, last string, out io.Writer) (broken bool, err error) {
	before, err := workspace.Load(old)
	if err != nil {
		return false, err
	}
	for _, m := range before {
		if !m.Released {
			continue
		}
		exported, err := load(filepath.Join(old, m.Dir), m.Path)
		if err != nil {
			return false, fmt.Errorf("the last release: %w", err)
		}
		exports, err := load(filepath.Join(root, m.Dir), m.Path)
		if err != nil {
			return false, err
		}
		report := apidiff.ModuleChanges(exported, exports)
		fmt.Fprintf(out, "%s since %s: %d changes\n", m.Path, last, len(report.Changes))
		for _, change := range report.Changes {
			verdict := "compatible"
			if !change.Compatible {
				verdict, broken = "INCOMPATIBLE", true
			}
			fmt.Fprintf(out, "  %s: %s\n", verdict, change.Message)
		}
	}
	return broken, nil
}

// load returns the exported API of the module in the folder. A module that no longer exists exports
// nothing.
func load(dir, path string) (*apidiff.Module, error) {
	exported := &apidiff.Module{Path: path}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); os.IsNotExist(err) {
		return exported, nil
	}
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps,
		Dir:  dir,
		Env:  append(os.Environ(), "GOWORK="), // use the workspace of the folder
	}, "./...")
	if err != nil {
		return nil, err
	}
	for _, p := range loaded {
		for _, err := range p.Errors {
			return nil, err
		}
		if p.Name != "main" && !slices.Contains(strings.Split(p.PkgPath, "/"), "internal") {
			exported.Packages = append(exported.Packages, p.Types)
		}
	}
	return exported, nil
}

var breaking = regexp.MustCompile(`(?im)^### (changed|removed)[ \t]*$`)

// checkChangelog returns an error unless the next version may contain incompatible changes and the
// changelog lists them.
func checkChangelog(root, last string) error {
	if semver.Major(last) != "v0" {
		return fmt.Errorf("%s promised no incompatible changes before the next major version", last)
	}
	text, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	news, err := changelog.Unreleased(text)
	if err != nil {
		return err
	}
	if !breaking.Match(news) {
		return errors.New("CHANGELOG.md: incompatible changes must be listed below \"## [Unreleased]\", " +
			"as \"### Changed\" or \"### Removed\"")
	}
	return nil
}
