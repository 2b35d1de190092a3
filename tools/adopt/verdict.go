package adopt

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// A testName identifies a test, or a whole package if Test is empty.
type testName struct{ Package, Test string }

func (n testName) String() string {
	if n.Test == "" {
		return n.Package
	}
	return n.Package + "." + n.Test
}

// verdicts contains the outcome of each test. It also contains the outcome of each package that
// fails although none of its tests fails.
type verdicts map[testName]outcome

// An outcome is pass, fail or skip, with the output of a test that failed.
type outcome struct{ is, printed string }

func (v verdicts) count(is string) (n int) {
	for _, o := range v {
		if o.is == is {
			n++
		}
	}
	return n
}

const (
	pass   = "pass"
	fail   = "fail"
	absent = "absent"
)

// A verdict contains the outcomes of a test before and after the change, and its output after the
// change.
type verdict struct{ Test, Before, After, Printed string }

func (p *project) testBefore(ctx context.Context, res *result) (err error) {
	res.Before, err = p.test(ctx, p.before())
	if n := res.Before.count(pass); err == nil && n < p.Passes {
		err = fmt.Errorf("only %d tests pass, not %d; is a program such as terraform missing on the PATH?", n, p.Passes)
	}
	return err
}

func (p *project) testAfter(ctx context.Context, res *result) (err error) {
	res.After, err = p.test(ctx, p.after())
	return err
}

// test runs the project's tests in one of the copies.
func (p *project) test(ctx context.Context, folder string) (verdicts, error) {
	packages, err := p.packages(ctx, folder)
	if err != nil {
		return nil, err
	}
	env, err := p.environment(ctx, p.Env)
	if err != nil {
		return nil, err
	}
	out, stderr, err := run(ctx, folder, env, "go", append([]string{"test", "-json", "-vet=off", "-count=1", "-timeout=1h"}, packages...)...)
	if err := os.WriteFile(folder+".json", out, 0o644); err != nil {
		return nil, err
	}
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		return nil, errors.Join(err, ctx.Err())
	}
	found, err := readVerdicts(out, p.Module+"/")
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("the output of go test contains no test: %s", stderr)
	}
	return found, err
}

// packages returns the packages to test, without Skip and, unless -slow is set, without Slow.
func (p *project) packages(ctx context.Context, folder string) ([]string, error) {
	list, err := p.goTool(ctx, folder, append([]string{"list", "-e"}, p.Test...)...)
	if err != nil {
		return nil, err
	}
	packages := strings.Fields(list)
	left := slices.Clone(p.Skip)
	if !p.slow {
		left = append(left, p.Slow...)
	}
	for _, name := range left {
		i := slices.Index(packages, p.Module+"/"+name)
		if i < 0 {
			return nil, fmt.Errorf("the recipe does not match: the package %s does not exist", name)
		}
		packages = slices.Delete(packages, i, i+1)
	}
	return packages, nil
}

// temporary matches the random number of a temporary file in the name of a subtest.
var temporary = regexp.MustCompile(`\d{6,}`)

// readVerdicts reads the output of go test -json. It removes the prefix from package names.
func readVerdicts(output []byte, prefix string) (verdicts, error) {
	found, failed := verdicts{}, map[string]bool{}
	printed := map[testName]*strings.Builder{}
	var broken []testName
	for line := range bytes.Lines(output) {
		if !bytes.HasPrefix(line, []byte("{")) { // some tests write to the output of go test
			continue
		}
		var event struct{ Action, Package, ImportPath, Test, Output string }
		if err := json.Unmarshal(line, &event); err != nil {
			return nil, fmt.Errorf("go test prints %q: %w", line, err)
		}
		name := testName{strings.TrimPrefix(event.Package, prefix), temporary.ReplaceAllString(event.Test, "NUMBER")}
		switch event.Action {
		case "build-output": // ImportPath is IMPORT PATH [PACKAGE.test]
			name.Package, _, _ = strings.Cut(strings.TrimPrefix(event.ImportPath, prefix), " ")
			fallthrough
		case "output":
			if printed[name] == nil {
				printed[name] = new(strings.Builder)
			}
			printed[name].WriteString(event.Output)
		case pass, fail, "skip":
			switch {
			case event.Test != "":
				if found[name].is != fail { // for names that differ only in a number, a failure takes precedence
					found[name] = outcome{is: event.Action}
				}
				failed[name.Package] = failed[name.Package] || event.Action == fail
			case event.Action == fail:
				broken = append(broken, name)
			}
		}
	}
	for _, name := range broken {
		if !failed[name.Package] {
			found[name] = outcome{is: fail}
		}
	}
	for name, o := range found {
		if o.is == fail && printed[name] != nil {
			found[name] = outcome{fail, printed[name].String()}
		}
	}
	return found, nil
}

// compare finds the tests that have another result after the change. The recipe must explain each
// of them, and each explained change must happen.
func (p *project) compare(_ context.Context, res *result) error {
	res.Changed = changed(res.Before, res.After)
	var errs []error
	explained := map[string]bool{}
	for _, c := range p.Changes {
		for _, name := range c.Tests {
			explained[name] = true
			if !slices.ContainsFunc(res.Changed, func(v verdict) bool { return v.Test == name }) {
				errs = append(errs, fmt.Errorf("the recipe explains why %s changes, but it does not change", name))
			}
		}
	}
	for _, v := range res.Changed {
		if !explained[v.Test] {
			errs = append(errs, fmt.Errorf("%s: %s before, %s after\n%s", v.Test, v.Before, v.After, v.Printed))
		}
	}
	return errors.Join(errs...)
}

// changed compares the results of the tests in before. Tests that only the changed copy has are
// from the recipe and must pass. For a package that fails as a whole, changed returns only the
// package.
func changed(before, after verdicts) (all []verdict) {
	for name, was := range before {
		is, ok := after[name]
		if !ok {
			is.is = absent
		}
		broken := is.is == absent && after[testName{Package: name.Package}].is == fail
		if is.is != was.is && !broken {
			all = append(all, verdict{name.String(), was.is, is.is, is.printed})
		}
	}
	for name, is := range after {
		if _, ok := before[name]; !ok && is.is == fail {
			all = append(all, verdict{name.String(), absent, is.is, is.printed})
		}
	}
	slices.SortFunc(all, func(a, b verdict) int { return strings.Compare(a.Test, b.Test) })
	return all
}
