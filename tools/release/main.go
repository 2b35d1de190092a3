// Command release makes the tree at hand one that can be tagged as a version, and
// checks what the tags would publish. It pushes nothing, tags nothing and commits
// nothing. See docs/releasing.md.
//
//	release VERSION                has the modules require VERSION of each other, checks
//	                               them as published, and prints the tags
//	release -rehearse DIR VERSION  does so with a copy, into DIR, and keeps that
//	release -tidy                  does what go mod tidy does, in every module
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/objchange/objchange/tools/internal/workspace"
)

func main() {
	if err := run(os.Args[1:], ".", os.Stdout, os.Stderr); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "release:", err)
		}
		os.Exit(1)
	}
}

// tidying is a version like any other, that nothing ever has.
const tidying = "v0.0.0-tidy"

func run(args []string, wd string, out, log io.Writer) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.SetOutput(log)
	rehearse := flags.String("rehearse", "", "only rehearse the release, in the new folder `DIR`")
	tidy := flags.Bool("tidy", false, "only tidy the modules")
	date := flags.String("date", time.Now().UTC().Format(time.DateOnly), "the day for the changelog")
	if err := flags.Parse(args); err != nil {
		return err
	}
	root, err := workspace.Git(wd, "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	switch {
	case *tidy && flags.NArg() == 0 && *rehearse == "":
		return inScratch(root, tidying, log, (*release).tidyRoot)
	case *tidy || flags.NArg() != 1:
		return errors.New("want one version, or -tidy alone")
	}
	version := flags.Arg(0)
	if err := checkVersion(root, version); err != nil {
		return err
	}
	if *rehearse != "" {
		return rehearseIn(*rehearse, root, version, log)
	}
	return inScratch(root, version, log, func(r *release) error { return r.make(*date, out) })
}

// checkVersion says why the version cannot be that of a release.
func checkVersion(root, version string) error {
	if semver.Canonical(version) != version {
		return fmt.Errorf("%q is no version: want one like v1.2.3", version)
	}
	modules, err := workspace.Load(root)
	if err != nil {
		return err
	}
	path := modules[0].Path
	if _, major, _ := module.SplitPathVersion(path); !module.MatchPathMajor(version, major) {
		return fmt.Errorf("%s is no version of %s: a major version above 1 is in the path", version, path)
	}
	return nil
}

func inScratch(root, version string, log io.Writer, do func(*release) error) (err error) {
	dir, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	r, err := newRelease(root, dir, version, log)
	if err != nil {
		return err
	}
	return do(r)
}

// rehearseIn leaves in the folder the tree, the proxy, and how to use it: see writeEnv.
func rehearseIn(dir, root, version string, log io.Writer) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	r, err := newRelease(root, dir, version, log)
	if err != nil {
		return err
	}
	if err := r.publish(); err != nil {
		return err
	}
	if err := r.use(); err != nil {
		return err
	}
	return r.writeEnv()
}

// make releases what is committed: it changes the files of the root, and prints the
// tags that the commit of these changes gets.
func (r *release) make(date string, out io.Writer) error {
	if err := r.checkRoot(); err != nil {
		return err
	}
	r.date = date
	if err := r.publish(); err != nil {
		return err
	}
	if err := r.checkCopy(); err != nil {
		return err
	}
	if err := r.use(); err != nil {
		return err
	}
	for _, m := range r.modules {
		fmt.Fprintln(r.log, "go test", m.Path)
		if _, err := workspace.Run(r.in(m, ""), r.env("mod", "proxy"), "go", "test", "./..."); err != nil {
			return err
		}
	}
	if err := r.takeOver(); err != nil {
		return err
	}
	for _, m := range r.modules {
		if m.Released {
			fmt.Fprintln(out, m.Tag(r.version))
		}
	}
	return nil
}

// checkRoot says why what is at hand cannot become the release.
func (r *release) checkRoot() error {
	if status, err := workspace.Git(r.root, "status", "--porcelain"); err != nil {
		return err
	} else if status != "" {
		return fmt.Errorf("not all is committed:\n%s", status)
	}
	for _, m := range r.modules {
		tag := m.Tag(r.version)
		if tags, err := workspace.Git(r.root, "tag", "--list", tag); err != nil {
			return err
		} else if tags != "" {
			return fmt.Errorf("the tag %s exists", tag)
		}
	}
	last, err := workspace.LastRelease(r.root)
	if err != nil {
		return err
	}
	if last != "" && semver.Compare(r.version, last) <= 0 {
		return fmt.Errorf("%s does not come after %s, the last release", r.version, last)
	}
	return nil
}

// checkCopy says whether the copy has what is committed: git may write other line ends
// into files than it keeps, and hashes are of what it keeps.
func (r *release) checkCopy() error {
	committed, err := workspace.Git(r.root, "rev-parse", "HEAD^{tree}")
	if err != nil {
		return err
	}
	copied, err := workspace.Git(r.tree(), "rev-parse", asItIs+"^{tree}")
	if err != nil {
		return err
	}
	if copied != committed {
		return errors.New("the files at hand are not those that are committed: release from a clone made with --config core.autocrlf=false")
	}
	return nil
}

// takeOver writes what the release changes into the root.
func (r *release) takeOver() error {
	changed, err := workspace.Git(r.tree(), "diff", "--name-only", asItIs, "HEAD")
	if err != nil {
		return err
	}
	for name := range strings.Lines(changed) {
		name = strings.TrimSpace(name)
		data, err := os.ReadFile(filepath.Join(r.tree(), name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(r.root, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
