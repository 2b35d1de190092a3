// Package adopt changes released projects to use objchange, and compares the results of their own
// tests before and after the change. See docs/adopting.md.
package adopt

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Run runs the command with the arguments. It prints a table to out when all recipes are done. Its
// error names the recipes that failed.
func Run(ctx context.Context, args []string, out, log io.Writer) error {
	flags := flag.NewFlagSet("adopt", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // Parse returns the error
	flags.Usage = func() {
		flags.SetOutput(log)
		fmt.Fprintln(log, "usage: go run ./tools/adopt/main.go [flags] [NAME...]\n\n"+
			"Changes released projects so that they use objchange, runs their tests before\n"+
			"and after, and prints a table. NAME is a folder in tools/adopt with a recipe;\n"+
			"without one, all recipes run.")
		flags.PrintDefaults()
	}
	newest := flags.Bool("newest", false, "use the newest versions, not those of the recipes")
	slow := flags.Bool("slow", false, "run slow tests, too, with the programs that they need")
	keep := flags.String("keep", "", "work in the new folder `DIR`, and leave both copies and the output of go test there")
	if err := flags.Parse(args); err != nil {
		return err
	}
	for _, name := range flags.Args() {
		if strings.HasPrefix(name, "-") {
			return fmt.Errorf("put %s before the names of recipes", name)
		}
	}
	root, err := repository(ctx)
	if err != nil {
		return err
	}
	all, err := recipes(filepath.Join(root, "tools", "adopt"), flags.Args())
	if err != nil {
		return err
	}
	scratch, remove, err := scratchFolder(*keep)
	if err != nil {
		return err
	}
	w := &runner{root: root, scratch: scratch, newest: *newest, slow: *slow, log: log}
	results, err := w.all(ctx, all)
	if ctx.Err() == nil {
		fmt.Fprint(out, table(results), "\n", terraform(ctx), "\n")
	}
	return errors.Join(err, remove())
}

// terraform returns the version of the terraform on the PATH. Acceptance tests run it.
func terraform(ctx context.Context) string {
	version, err := command(ctx, "", nil, "terraform", "version")
	if err != nil {
		return "terraform is not on the PATH."
	}
	return "Acceptance tests ran " + firstLine(version) + "."
}

// repository returns the root of the current workspace.
func repository(ctx context.Context) (string, error) {
	name, err := command(ctx, "", nil, "go", "env", "GOWORK")
	if err == nil && (name == "" || name == "off") {
		err = errors.New("run it in the repository of objchange, with its go.work")
	}
	return filepath.Dir(name), err
}

// scratchFolder creates the folder, or a temporary folder. It returns a function that removes the
// temporary folder.
func scratchFolder(keep string) (folder string, remove func() error, err error) {
	if keep != "" {
		folder, err = filepath.Abs(keep)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(folder), 0o755)
		}
		if err == nil {
			err = os.Mkdir(folder, 0o755)
		}
		if errors.Is(err, fs.ErrExist) {
			err = fmt.Errorf("-keep needs a new folder, but %s already exists", folder)
		}
		return folder, func() error { return nil }, err
	}
	folder, err = os.MkdirTemp("", "adopt")
	return folder, func() error { return os.RemoveAll(folder) }, err
}

// A runner runs recipes.
type runner struct {
	root, scratch string
	newest, slow  bool
	log           io.Writer
}

// all runs the recipes in turn. A recipe that fails does not stop the others.
func (w *runner) all(ctx context.Context, all []*recipe) (results []*result, err error) {
	for _, r := range all {
		done, failed := w.run(ctx, r)
		if ctx.Err() != nil {
			return results, fmt.Errorf("interrupted in %s", r.Name)
		}
		results = append(results, done)
		if failed != nil {
			failed = fmt.Errorf("%s: %w", r.Name, failed)
			done.Error = firstLine(failed.Error())
		}
		err = errors.Join(err, failed)
	}
	return results, err
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimSpace(text[strings.LastIndex(text, "\n")+1:])
}

// A result contains the measurements of one recipe.
type result struct {
	Name, Module, Version string
	Note                  string // why the version is not the newest
	Error                 string
	Missing               string // the tests that cannot run, and why
	Lines, TestLines      lines
	Unused                int // lines of packages that nothing imports after the change
	Gained, Raised        []string
	Before, After         verdicts
	Changed               []verdict
}

// run runs the steps of the recipe. If a step fails, the result contains the measurements of the
// steps before it.
func (w *runner) run(ctx context.Context, r *recipe) (*result, error) {
	res := &result{Name: r.Name, Module: r.Module, Version: r.Version, Missing: r.Missing}
	p := &project{recipe: r, runner: w, folder: filepath.Join(w.scratch, r.Name)}
	for _, step := range []struct {
		name string
		do   func(context.Context, *result) error
	}{
		{"choose the version", p.choose},
		{"download", p.download},
		{"build programs", p.buildPrograms},
		{"test before", p.testBefore},
		{"change", p.change},
		{"test after", p.testAfter},
		{"compare", p.compare},
	} {
		fmt.Fprintf(w.log, "%s: %s\n", r.Name, step.name)
		if err := step.do(ctx, res); err != nil {
			return res, fmt.Errorf("%s: %w", step.name, err)
		}
	}
	return res, nil
}
