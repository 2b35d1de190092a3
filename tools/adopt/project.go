package adopt

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

// A project has two copies of a released module. The recipe changes the second copy.
type project struct {
	*recipe
	*runner
	folder string
}

func (p *project) before() string { return filepath.Join(p.folder, "before") }
func (p *project) after() string  { return filepath.Join(p.folder, "after") }

// goTool runs the go command in one of the copies.
func (p *project) goTool(ctx context.Context, folder string, args ...string) (string, error) {
	env, err := p.environment(ctx, p.Env)
	if err != nil {
		return "", err
	}
	return command(ctx, folder, env, "go", args...)
}

// choose determines the newest version if the flag -newest is set. If the proxy returns an error,
// the version of the recipe stays, and the result contains the reason.
func (p *project) choose(ctx context.Context, res *result) error {
	if err := os.MkdirAll(p.folder, 0o755); err != nil || !p.newest {
		return err
	}
	query := p.Newest
	if query == "" {
		query = "latest"
	}
	version, err := p.goTool(ctx, p.folder, "list", "-m", "-f", "{{.Version}}", p.Module+"@"+query)
	if err != nil {
		res.Note = fmt.Sprintf("not the newest, because %s@%s is not found: %s", p.Module, query, lastLine(err.Error()))
		return ctx.Err()
	}
	res.Version = version
	return nil
}

// download creates both copies: the module from the proxy, with the vendored modules that the proxy
// omits.
func (p *project) download(ctx context.Context, res *result) error {
	if err := p.fetch(ctx, p.Module, res.Version, p.before()); err != nil {
		return err
	}
	mod, err := readMod(p.before())
	if err != nil {
		return err
	}
	for _, v := range p.Vendored {
		version := ""
		for _, required := range mod.Require {
			if required.Mod.Path == v.Module {
				version = required.Mod.Version
			}
		}
		if err := p.fetch(ctx, v.Module, version, filepath.Join(p.before(), filepath.FromSlash(v.Folder))); err != nil {
			return err
		}
	}
	for _, refused := range core { // the go command then fails before it downloads Terraform Core
		if _, err := p.goTool(ctx, p.before(), "mod", "edit", "-replace="+refused+"=./refused"); err != nil {
			return err
		}
	}
	if err := p.upgrade(ctx, mod); err != nil {
		return err
	}
	if err := p.overlay("_before", p.before()); err != nil {
		return err
	}
	if err := commit(ctx, p.before()); err != nil {
		return err
	}
	return os.CopyFS(p.after(), os.DirFS(p.before())) // copy before tests write files
}

// upgrade raises required versions to the versions in the recipe.
func (p *project) upgrade(ctx context.Context, mod *modfile.File) error {
	args := []string{"mod", "edit"}
	for _, upgrade := range p.Upgrade {
		path, version, _ := strings.Cut(upgrade, "@")
		for _, required := range mod.Require {
			if required.Mod.Path == path && semver.Compare(required.Mod.Version, version) < 0 {
				args = append(args, "-require="+upgrade)
			}
		}
	}
	if len(args) == 2 {
		return nil
	}
	if _, err := p.goTool(ctx, p.before(), args...); err != nil {
		return err
	}
	_, err := p.goTool(ctx, p.before(), "mod", "tidy", "-e")
	return err
}

// fetch copies a version of a module into a new folder.
func (p *project) fetch(ctx context.Context, path, version, folder string) error {
	output, err := p.goTool(ctx, p.folder, "mod", "download", "-json", path+"@"+version)
	if err != nil {
		return err
	}
	var downloaded struct{ Dir string }
	if err := json.Unmarshal([]byte(output), &downloaded); err != nil {
		return err
	}
	return os.CopyFS(folder, os.DirFS(downloaded.Dir))
}

func readMod(folder string) (*modfile.File, error) {
	name := filepath.Join(folder, "go.mod")
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return modfile.Parse(name, text, nil)
}

// overlay copies the recipe's files in the folder name into the copy. It returns an error for a
// file that already exists. The recipe must remove such a file first.
func (p *project) overlay(name, folder string) error {
	err := os.CopyFS(folder, os.DirFS(filepath.Join(p.recipe.folder, name)))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("the recipe must remove what %s replaces: %w", name, err)
	}
	return err
}

// buildPrograms builds the programs that slow tests need on the PATH.
func (p *project) buildPrograms(ctx context.Context, _ *result) error {
	if !p.slow {
		return nil
	}
	for _, program := range p.Programs {
		args := []string{"install", "-ldflags", program.Flags, program.Package}
		if program.Version != "" {
			args[3] += "@" + program.Version
		}
		env, err := p.environment(ctx, map[string]string{"GOBIN": p.programs()})
		if err != nil {
			return err
		}
		if program.Version != "" { // go install with a version does not accept -mod
			env = append(env, "GOFLAGS=")
		}
		if _, err := command(ctx, p.before(), env, "go", args...); err != nil {
			return err
		}
	}
	return nil
}

// change changes the second copy according to the recipe.
func (p *project) change(ctx context.Context, res *result) error {
	for _, name := range p.Remove {
		if err := os.Remove(filepath.Join(p.after(), filepath.FromSlash(name))); err != nil {
			return fmt.Errorf("the recipe does not match: %w", err)
		}
	}
	for _, e := range p.Edit {
		if err := e.do(p.after()); err != nil {
			return err
		}
	}
	if err := p.overlay("_after", p.after()); err != nil {
		return err
	}
	if err := p.requireOurs(ctx); err != nil {
		return err
	}
	return p.measure(ctx, res)
}

// do changes the files in the folder. It returns an error if no file has a match.
func (e edit) do(folder string) error {
	from := regexp.MustCompile(e.From)
	names, err := filepath.Glob(filepath.Join(folder, filepath.FromSlash(e.Files)))
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return fmt.Errorf("the recipe does not match: the file %s does not exist", e.Files)
	}
	edited := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		changed := from.ReplaceAll(text, []byte(e.To))
		if bytes.Equal(changed, text) {
			continue
		}
		edited++
		if err := os.WriteFile(name, changed, 0o644); err != nil {
			return err
		}
	}
	if edited == 0 {
		return fmt.Errorf("the recipe does not match: nothing in %s matches %s", e.Files, e.From)
	}
	return nil
}

// requireOurs adds requirements of modules of objchange to the changed copy, and replaces them with
// the modules of this repository.
func (p *project) requireOurs(ctx context.Context) error {
	text, err := os.ReadFile(filepath.Join(p.root, "go.work"))
	if err != nil {
		return err
	}
	work, err := modfile.ParseWork("go.work", text, nil)
	if err != nil {
		return err
	}
	folders, requires := map[string]string{}, map[string][]string{}
	for _, use := range work.Use {
		folder := filepath.Join(p.root, filepath.FromSlash(use.Path))
		mod, err := readMod(folder)
		if err != nil {
			return err
		}
		folders[mod.Module.Mod.Path] = folder
		for _, r := range mod.Require {
			requires[mod.Module.Mod.Path] = append(requires[mod.Module.Mod.Path], r.Mod.Path)
		}
	}
	args := []string{"mod", "edit"}
	needed := slices.Clone(p.Require)
	for i := 0; i < len(needed); i++ {
		folder, ok := folders[needed[i]]
		if !ok {
			return fmt.Errorf("the recipe requires %s, which is not a module of go.work", needed[i])
		}
		args = append(args, "-replace="+needed[i]+"="+folder)
		for _, path := range requires[needed[i]] {
			if _, ours := folders[path]; ours && !slices.Contains(needed, path) {
				needed = append(needed, path)
			}
		}
	}
	for _, path := range p.Require {
		args = append(args, "-require="+path+"@v0.1.0")
	}
	if _, err := p.goTool(ctx, p.after(), args...); err != nil {
		return err
	}
	if _, err := p.goTool(ctx, p.after(), "mod", "tidy", "-e"); err != nil {
		return err
	}
	mod, err := readMod(p.after())
	if err != nil {
		return err
	}
	for _, path := range p.Require {
		if !slices.ContainsFunc(mod.Require, func(r *modfile.Require) bool { return r.Mod.Path == path }) {
			return fmt.Errorf("the recipe requires %s, but nothing imports it", path)
		}
	}
	return nil
}

// lines are the numbers of lines that a change removes and adds.
type lines struct{ Removed, Added int }

// measure counts the lines of the change and of packages that are no longer imported, and compares
// the dependencies.
func (p *project) measure(ctx context.Context, res *result) (err error) {
	if res.Lines, res.TestLines, err = p.countLines(ctx); err != nil {
		return err
	}
	if p.Unused != "" {
		if res.Unused, err = p.unusedLines(ctx); err != nil {
			return err
		}
	}
	return p.dependencies(res)
}

// countLines counts the lines of Go that the recipe removes and adds, in code and in tests. A file
// that the recipe replaces counts with all its lines.
func (p *project) countLines(ctx context.Context) (code, tests lines, err error) {
	if err := git(ctx, p.after(), "add", "--all", "--force"); err != nil {
		return code, tests, err
	}
	out, err := command(ctx, p.after(), nil, "git", "diff", "--cached", "--no-renames", "--numstat")
	if err != nil {
		return code, tests, err
	}
	for line := range strings.Lines(out) {
		var added, removed int
		var name string
		if _, err := fmt.Sscanf(line, "%d %d %s", &added, &removed, &name); err != nil || !strings.HasSuffix(name, ".go") {
			continue
		}
		if slices.Contains(p.Remove, name) {
			removed, added = countIn(p.before(), name), countIn(p.after(), name)
		}
		count := &code
		if strings.HasSuffix(name, "_test.go") {
			count = &tests
		}
		count.Removed += removed
		count.Added += added
	}
	return code, tests, nil
}

// countIn counts the lines of a file in the folder. A missing file has no lines.
func countIn(folder, name string) int {
	text, _ := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
	return bytes.Count(text, []byte("\n"))
}

// commit commits the folder to a new repository, for git diff to show the changes of the recipe.
func commit(ctx context.Context, folder string) error {
	for _, args := range [][]string{
		{"init", "--quiet"},
		{"add", "--all", "--force"},
		{"commit", "--quiet", "--no-verify", "--message", "as released"},
	} {
		if err := git(ctx, folder, args...); err != nil {
			return err
		}
	}
	return nil
}

func git(ctx context.Context, folder string, args ...string) error {
	_, err := command(ctx, folder, nil, "git", append([]string{
		"-c", "user.name=adopt", "-c", "user.email=adopt@localhost", "-c", "commit.gpgSign=false", "-c", "core.autocrlf=false",
	}, args...)...)
	return err
}

// unusedLines counts the lines of packages below the folder Unused that other packages of the
// project import before the change but not after it.
func (p *project) unusedLines(ctx context.Context) (int, error) {
	before, err := p.imported(ctx, p.before())
	if err != nil {
		return 0, err
	}
	after, err := p.imported(ctx, p.after())
	if err != nil {
		return 0, err
	}
	count := 0
	for name, files := range before {
		if _, stays := after[name]; stays {
			continue
		}
		for _, file := range files {
			count += countIn("", file)
		}
	}
	return count, nil
}

// imported returns the packages below the folder Unused that other packages import, directly or
// indirectly, with the names of their files.
func (p *project) imported(ctx context.Context, folder string) (map[string][]string, error) {
	own := p.Module + "/" + p.Unused
	all, err := p.goTool(ctx, folder, "list", "./...")
	if err != nil {
		return nil, err
	}
	args := []string{"list", "-test", "-deps", "-f", "{{.ImportPath}}{{range .GoFiles}}\t{{$.Dir}}/{{.}}{{end}}"}
	for name := range strings.FieldsSeq(all) {
		if !strings.HasPrefix(name, own+"/") {
			args = append(args, name)
		}
	}
	list, err := p.goTool(ctx, folder, args...)
	if err != nil {
		return nil, err
	}
	found := map[string][]string{}
	for line := range strings.Lines(list) {
		name, files, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(name, own+"/") {
			found[name] = strings.Split(files, "\t")
		}
	}
	return found, nil
}

// dependencies compares the go.mod files of both copies.
func (p *project) dependencies(res *result) error {
	before, err := readMod(p.before())
	if err != nil {
		return err
	}
	after, err := readMod(p.after())
	if err != nil {
		return err
	}
	had := map[string]string{}
	for _, r := range before.Require {
		had[r.Mod.Path] = r.Mod.Version
	}
	if after.Go != nil && (before.Go == nil || after.Go.Version != before.Go.Version) {
		res.Raised = append(res.Raised, "go "+after.Go.Version)
	}
	for _, r := range after.Require {
		switch version, known := had[r.Mod.Path]; {
		case !known:
			res.Gained = append(res.Gained, r.Mod.Path)
		case version != r.Mod.Version:
			res.Raised = append(res.Raised, r.Mod.Path+" "+r.Mod.Version)
		}
	}
	return nil
}
