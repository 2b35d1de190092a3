package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"

	"github.com/objchange/objchange/tools/internal/changelog"
	"github.com/objchange/objchange/tools/internal/workspace"
)

// A release is a copy of the working tree as it would be published. It consists of a separate
// repository, in which the modules require each other by version, and of the files of a proxy with the
// modules.
type release struct {
	root       string // of the working tree, changed only by takeOver and tidyRoot
	dir        string // an absolute path; see tree and env for its content
	version    string
	date       string // for the changelog, which stays unchanged if date is empty
	modules    []workspace.Module
	configured goEnv
	log        io.Writer

	siblingSums *regexp.Regexp // matches the lines of siblings in a go.sum
}

// unchangedTag is the tag of the unchanged tree.
const unchangedTag = "as-it-is"

func newRelease(root, dir, version string, log io.Writer) (*release, error) {
	modules, err := workspace.Load(root)
	if err != nil {
		return nil, err
	}
	configured, err := readGoEnv(root)
	if err != nil {
		return nil, err
	}
	sums := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(modules[0].Path) + `(/\S+)? .*\n`)
	return &release{
		root: root, dir: dir, version: version, modules: modules, configured: configured, log: log, siblingSums: sums,
	}, nil
}

func (r *release) tree() string  { return filepath.Join(r.dir, "tree") }
func (r *release) proxy() string { return filepath.Join(r.dir, "proxy") }

// in returns the path of a module's file in the tree of the release.
func (r *release) in(m workspace.Module, name string) string {
	return filepath.Join(r.tree(), m.Dir, name)
}

func (r *release) sibling(path string) bool {
	return slices.ContainsFunc(r.modules, func(m workspace.Module) bool { return m.Path == path })
}

// publish creates the tree, packs its modules, and installs them as users do.
func (r *release) publish() error {
	if err := r.copyTree(); err != nil {
		return err
	}
	for _, m := range r.modules {
		if err := r.setVersions(m); err != nil {
			return err
		}
	}
	// These files belong to the root module, so change them before its hash is computed.
	if err := r.setWorkVersions(); err != nil {
		return err
	}
	if err := r.setChangelog(); err != nil {
		return err
	}
	if err := r.packAll(); err != nil {
		return err
	}
	return r.use()
}

// copyTree creates the repository with one commit of the working tree, or with the current commit
// for a release: git may convert line endings in the working tree, but the hashes depend on the
// committed files.
func (r *release) copyTree() error {
	dir := r.tree()
	copied := [][]string{
		{"--git-dir=" + filepath.Join(dir, ".git"), "--work-tree=.", "add", "--all"},
		{"-C", dir, "commit", "--quiet", "--message=" + unchangedTag},
	}
	if r.date != "" {
		copied = [][]string{{"-C", dir, "pull", "--quiet", r.root, "HEAD"}}
	}
	for _, args := range slices.Concat([][]string{
		{"init", "--quiet", dir},
		{"-C", dir, "config", "user.name", "release"},
		{"-C", dir, "config", "user.email", "release@localhost"},
		{"-C", dir, "config", "commit.gpgSign", "false"},
		{"-C", dir, "config", "tag.gpgSign", "false"},
		{"-C", dir, "config", "core.autocrlf", "false"},
		{"-C", dir, "config", "core.hooksPath", os.DevNull},
	}, copied, [][]string{
		{"-C", dir, "tag", unchangedTag},
		{"-C", dir, "reset", "--quiet", "--hard"},
	}) {
		if _, err := workspace.Git(r.root, args...); err != nil {
			return err
		}
	}
	return nil
}

// setVersions makes the module require the version of the release of its siblings, and removes
// their old hashes.
func (r *release) setVersions(m workspace.Module) error {
	file, err := workspace.ReadMod(r.in(m, "go.mod"))
	if err != nil {
		return err
	}
	if len(file.Replace) > 0 {
		return fmt.Errorf("%s: replaces %s, but go install rejects replace directives, and other modules ignore them",
			m.File("go.mod"), file.Replace[0].Old.Path)
	}
	for _, required := range file.Require {
		if path := required.Mod.Path; r.sibling(path) {
			if err := file.AddRequire(path, r.version); err != nil {
				return err
			}
		}
	}
	if err := os.WriteFile(r.in(m, "go.mod"), modfile.Format(file.Syntax), 0o644); err != nil {
		return err
	}
	sums, err := os.ReadFile(r.in(m, "go.sum"))
	if os.IsNotExist(err) { // the module has no requirements
		return nil
	}
	if err != nil {
		return err
	}
	return os.WriteFile(r.in(m, "go.sum"), r.siblingSums.ReplaceAll(sums, nil), 0o644)
}

// setWorkVersions changes the replacements in go.work to the new version. The go command needs the
// go.mod of a required version even in a workspace, and the version does not exist anywhere else
// before it is tagged.
func (r *release) setWorkVersions() error {
	name := filepath.Join(r.tree(), "go.work")
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	work, err := modfile.ParseWork(name, data, nil)
	if err != nil {
		return err
	}
	for _, old := range work.Replace {
		if !r.sibling(old.Old.Path) {
			return fmt.Errorf("go.work: replaces %s, but users do not build with the replacement", old.Old.Path)
		}
		if old.Old.Version == "" {
			return fmt.Errorf("go.work: replaces %s in all versions; replace only the required version", old.Old.Path)
		}
		old.Syntax.Token[slices.Index(old.Syntax.Token, old.Old.Version)] = r.version
	}
	return os.WriteFile(name, modfile.Format(work.Syntax), 0o644)
}

func (r *release) setChangelog() error {
	if r.date == "" {
		return nil
	}
	name := filepath.Join(r.tree(), "CHANGELOG.md")
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	text, err = changelog.Release(text, r.version, r.date, "https://"+r.modules[0].Path)
	if err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o644)
}

// packAll tidies, commits and packs each module after the modules that it requires, because it needs
// their hashes. Then it tags the last commit for all of them.
func (r *release) packAll() error {
	if err := r.commit(); err != nil {
		return err
	}
	for _, m := range r.modules {
		fmt.Fprintln(r.log, "packing", m.Path)
		if err := r.tidy(m); err != nil {
			return err
		}
		if err := r.commit(); err != nil {
			return err
		}
		if err := r.pack(m); err != nil {
			return err
		}
	}
	for _, m := range r.modules {
		if !m.Released {
			continue
		}
		if _, err := workspace.Git(r.tree(), "tag", m.Tag(r.version)); err != nil {
			return err
		}
	}
	return nil
}

// tidy adds the hashes of siblings to the module's go.sum. It returns an error if go mod tidy
// changes anything else.
func (r *release) tidy(m workspace.Module) error {
	dir := r.in(m, "")
	if _, err := workspace.Run(dir, r.env("mod"), "go", "mod", "tidy"); err != nil {
		return err
	}
	diff, err := workspace.Git(dir, "diff", "--unified=0", "--no-prefix", "HEAD", "--", "go.mod", "go.sum")
	if err != nil {
		return err
	}
	var changes []string
	for line := range strings.SplitSeq(diff, "\n") {
		if changed.MatchString(line) && !r.siblingSums.MatchString(line[1:]+"\n") {
			changes = append(changes, line)
		}
	}
	if len(changes) > 0 {
		return fmt.Errorf("%s is not tidy; release -tidy would change:\n%s",
			m.File("go.mod"), strings.Join(changes, "\n"))
	}
	return nil
}

// changed matches the added and removed lines of a diff.
var changed = regexp.MustCompile(`^(-[^-]|\+[^+])`)

// commit commits all changes.
func (r *release) commit() error {
	if _, err := workspace.Git(r.tree(), "add", "--all"); err != nil {
		return err
	}
	_, err := workspace.Git(r.tree(), "commit", "--quiet", "--allow-empty", "--message="+r.version)
	return err
}

// pack writes the files of a proxy for the module, if it is released. Later commits do not change the
// module, so the go command computes the same hash from the tag.
func (r *release) pack(m workspace.Module) error {
	if !m.Released {
		return nil
	}
	dir := filepath.Join(r.proxy(), m.Path, "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	mod, err := os.ReadFile(r.in(m, "go.mod"))
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	of, subdir := module.Version{Path: m.Path, Version: r.version}, strings.TrimPrefix(m.Dir, ".")
	if err := zip.CreateFromVCS(&packed, of, r.tree(), "HEAD", subdir); err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "list"), []byte(r.version+"\n"), 0o644),
		os.WriteFile(filepath.Join(dir, r.version+".info"), fmt.Appendf(nil, "{\"Version\": %q}", r.version), 0o644),
		os.WriteFile(filepath.Join(dir, r.version+".mod"), mod, 0o644),
		os.WriteFile(filepath.Join(dir, r.version+".zip"), packed.Bytes(), 0o644),
	)
}
