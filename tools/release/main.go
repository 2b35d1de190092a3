// Command release prepares the working tree for the tags of a version, and checks the modules that
// the tags would publish. It does not push, tag or commit. See docs/releasing.md.
//
//	release VERSION                makes the modules require VERSION of each other, checks
//	                               them as published, and prints the tags
//	release -rehearse DIR VERSION  does the same with a copy in DIR, and keeps the copy
//	release -tidy                  does the same as go mod tidy, in every module
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

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

func run(args []string, wd string, out, log io.Writer) (err error) {
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
	version := flags.Arg(0)
	switch {
	case *tidy && flags.NArg() == 0 && *rehearse == "":
	case *tidy || flags.NArg() != 1:
		return errors.New("pass one version, or only -tidy")
	case semver.Canonical(version) != version:
		return fmt.Errorf("%q is not a version such as v1.2.3", version)
	}
	dir, err := filepath.Abs(*rehearse)
	if err == nil && *rehearse != "" {
		err = os.Mkdir(dir, 0o755)
	} else if err == nil {
		dir, err = os.MkdirTemp("", "release")
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	if err != nil {
		return err
	}
	r, err := newRelease(root, dir, version, log)
	switch {
	case err != nil:
		return err
	case *tidy:
		return r.tidyRoot()
	case *rehearse != "":
		return errors.Join(r.writeEnv(), r.publish())
	}
	return r.make(*date, out)
}

// make prepares the release of the current commit. It changes the files of the root, and prints the
// tags for the commit of these changes.
func (r *release) make(date string, out io.Writer) error {
	if err := r.checkRoot(); err != nil {
		return err
	}
	r.date = date
	if err := r.publish(); err != nil {
		return err
	}
	for _, m := range r.modules {
		fmt.Fprintln(r.log, "go test", m.Path)
		if _, err := workspace.Run(r.in(m, ""), r.env("mod"), "go", "test", "./..."); err != nil {
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

// checkRoot returns an error if the current commit cannot be released.
func (r *release) checkRoot() error {
	if status, err := workspace.Git(r.root, "status", "--porcelain"); err != nil {
		return err
	} else if status != "" {
		return fmt.Errorf("there are uncommitted changes:\n%s", status)
	}
	last, err := workspace.LastRelease(r.root)
	if err != nil {
		return err
	}
	if last != "" && semver.Compare(r.version, last) <= 0 {
		return fmt.Errorf("%s must be greater than %s, the last release", r.version, last)
	}
	return nil
}

// takeOver applies the changes of the release to the root.
func (r *release) takeOver() error {
	patch := filepath.Join(r.dir, "patch")
	if _, err := workspace.Git(r.tree(), "diff", "--output="+patch, unchangedTag, "HEAD"); err != nil {
		return err
	}
	_, err := workspace.Git(r.root, "apply", "--allow-empty", patch)
	return err
}
