package adopt

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
)

// verdicts are what go test says of each test, as FOLDER.TEST, and of each package that fails
// without a test that fails.
type verdicts map[string]outcome

// An outcome is pass, fail or skip, and what a test printed.
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

// A verdict is that of one test before and after, and what it printed after.
type verdict struct{ Test, Before, After, Printed string }

func (p *project) testBefore(ctx context.Context, res *result) (err error) {
	res.Before, err = p.test(ctx, p.before())
	if err == nil && res.Before.count(pass) == 0 {
		err = errors.New("no test passes before the change")
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
	out, said, err := run(ctx, folder, env, "go", append([]string{"test", "-json", "-vet=off", "-count=1", "-timeout=1h"}, packages...)...)
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		return nil, errors.Join(err, ctx.Err())
	}
	found, err := readVerdicts(out, p.Module+"/")
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("go test says nothing of any test: %s", said)
	}
	return found, err
}

// packages returns the packages to test: without those that cannot be tested, and without those
// that are slow, if they are not asked for.
func (p *project) packages(ctx context.Context, folder string) ([]string, error) {
	list, err := p.goTool(ctx, folder, append([]string{"list", "-e"}, p.Test...)...)
	return slices.DeleteFunc(strings.Fields(list), func(name string) bool {
		name = strings.TrimPrefix(name, p.Module+"/")
		return slices.Contains(p.Skip, name) || !p.slow && slices.Contains(p.Slow, name)
	}), err
}

// temporary is what a subtest has in its name that is named after a temporary file.
var temporary = regexp.MustCompile(`\d{6,}`)

// readVerdicts reads what go test -json prints. It takes the prefix away from the names of packages.
func readVerdicts(output []byte, prefix string) (verdicts, error) {
	found, failed := verdicts{}, map[string]bool{}
	printed := map[string]*strings.Builder{}
	var broken []string
	for line := range bytes.Lines(output) {
		if !bytes.HasPrefix(line, []byte("{")) { // some tests write to the output of go test
			continue
		}
		var event struct{ Action, Package, ImportPath, Test, Output string }
		if err := json.Unmarshal(line, &event); err != nil {
			return nil, fmt.Errorf("go test prints %q: %w", line, err)
		}
		event.Package = strings.TrimPrefix(event.Package, prefix)
		name := event.Package
		if event.Test != "" {
			name += "." + temporary.ReplaceAllString(event.Test, "NUMBER")
		}
		switch event.Action {
		case "build-output": // IMPORT PATH [PACKAGE.test]
			name, _, _ = strings.Cut(strings.TrimPrefix(event.ImportPath, prefix), " ")
			fallthrough
		case "output":
			if printed[name] == nil {
				printed[name] = new(strings.Builder)
			}
			printed[name].WriteString(event.Output)
		case pass, fail, "skip":
			if event.Test != "" {
				found[name] = outcome{is: event.Action}
				failed[event.Package] = failed[event.Package] || event.Action == fail
			} else if event.Action == fail {
				broken = append(broken, name)
			}
		}
	}
	for _, name := range broken {
		if !failed[name] {
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

// compare finds the tests whose verdict is another one after the change. Each must be
// explained in the recipe, and each explained change must happen.
func (p *project) compare(_ context.Context, res *result) error {
	res.Changed = changed(res.Before, res.After)
	var errs []error
	explained := map[string]bool{}
	for _, c := range p.Changes {
		for _, name := range c.Tests {
			explained[name] = true
			if !slices.ContainsFunc(res.Changed, func(v verdict) bool { return v.Test == name }) {
				errs = append(errs, fmt.Errorf("the recipe explains why %s changes, and it does not", name))
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

// changed compares the tests of before. Tests that only the changed copy has are the recipe's: they
// must pass. Of a package that fails as a whole, only the package is returned.
func changed(before, after verdicts) (all []verdict) {
	for name, was := range before {
		is, ok := after[name]
		if !ok {
			is.is = absent
		}
		if is.is != was.is && !(is.is == absent && inBroken(after, name)) {
			all = append(all, verdict{name, was.is, is.is, is.printed})
		}
	}
	for name, is := range after {
		if _, ok := before[name]; !ok && is.is == fail {
			all = append(all, verdict{name, absent, is.is, is.printed})
		}
	}
	slices.SortFunc(all, func(a, b verdict) int { return strings.Compare(a.Test, b.Test) })
	return all
}

// inBroken reports whether the test is in a package that fails as a whole.
func inBroken(found verdicts, test string) bool {
	folder, name := path.Split(test)
	name, _, _ = strings.Cut(name, ".")
	for folder != "" { // names of subtests have slashes, too
		if found[folder+name].is == fail {
			return true
		}
		folder, name = path.Split(strings.TrimSuffix(folder, "/"))
		name, _, _ = strings.Cut(name, ".")
	}
	return false
}
