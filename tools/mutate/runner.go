package main

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A runner runs the tests that come by a mutant: the named ones, or all others.
type runner struct {
	flags []string
	tests []*test
}

// tested are the packages that have tests of the heart, as folders below the root.
var tested = []string{".", "internal/lawtest"}

// A suite is the test binary of one package.
type suite struct{ dir, binary string }

// A test is one test, how long it takes, and which mutants it comes by.
type test struct {
	suite   suite
	name    string
	takes   time.Duration
	reaches map[int]bool
}

// compile builds the test binary of a package with all mutants.
func compile(root, pkg, work string, overlay map[string][]byte) (suite, error) {
	index, err := writeOverlay(work, overlay)
	if err != nil {
		return suite{}, err
	}
	s := suite{filepath.Join(root, pkg), filepath.Join(work, filepath.Base(pkg)+"_tests.exe")}
	build := exec.Command("go", "test", "-c", "-overlay", index, "-o", s.binary, "./"+pkg)
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return suite{}, fmt.Errorf("the mutants do not compile: %w\n%s", err, out)
	}
	return s, nil
}

// newRunner tries each test that is asked for without any mutant, the named ones or, in
// short, all others.
func newRunner(root, work string, overlay map[string][]byte, asked *regexp.Regexp, named bool, jobs int) (*runner, error) {
	r := &runner{}
	if !named {
		r.flags = []string{"-test.short", "-rapid.nofailfile"} // or all that follow would fail by it
	}
	for _, pkg := range tested {
		s, err := compile(root, pkg, work, overlay)
		if err != nil {
			return nil, err
		}
		names, err := testNames(s.dir, named)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if asked.MatchString(name) {
				r.tests = append(r.tests, &test{suite: s, name: name, reaches: map[int]bool{}})
			}
		}
	}
	errs := make([]error, len(r.tests))
	var running sync.WaitGroup
	limit := make(chan bool, jobs)
	for i, t := range r.tests {
		running.Go(func() {
			limit <- true
			errs[i] = r.try(t, filepath.Join(work, t.name+".trace"))
			<-limit
		})
	}
	running.Wait()
	return r, errors.Join(errs...)
}

// testNames returns the tests and examples that say what must hold, or the others: those of
// random or recorded questions.
func testNames(dir string, named bool) (names []string, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	for _, path := range files {
		random := strings.HasPrefix(filepath.Base(path), "property_")
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && testName.MatchString(f.Name.Name) && (!random && isNamed(f)) == named {
				names = append(names, f.Name.Name)
			}
		}
	}
	return names, nil
}

var (
	testName     = regexp.MustCompile(`^(Test|Example)`)
	recordedName = regexp.MustCompile(`Vectors|Recorded`)
)

func isNamed(f *ast.FuncDecl) bool {
	random := false
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == "rapid" {
			random = true
		}
		return !random
	})
	return !random && !recordedName.MatchString(f.Name.Name)
}

// try runs a test without any mutant.
func (r *runner) try(t *test, trace string) error {
	start := time.Now()
	cmd := exec.Command(t.suite.binary, append(slices.Clone(r.flags), "-test.run", pattern(t.name))...)
	cmd.Dir, cmd.Env = t.suite.dir, append(os.Environ(), "MUTANT_TRACE="+trace)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s fails without any mutant: %w\n%s", t.name, err, out)
	}
	t.takes = time.Since(start)
	ids, err := os.ReadFile(trace)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	for line := range strings.Lines(string(ids)) {
		id, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			return err
		}
		t.reaches[id] = true
	}
	return nil
}

func pattern(names ...string) string { return "^(" + strings.Join(names, "|") + ")$" }

// slow is what a test takes that is run after the others.
const slow = 300 * time.Millisecond

// run runs the tests that come by a mutant until one fails, and returns which.
func (r *runner) run(id int) (o outcome, by string) {
	quick, rest, reached := map[suite][]string{}, map[suite][]string{}, false
	var takes time.Duration
	for _, t := range r.tests {
		switch {
		case !t.reaches[id]:
			continue
		case t.takes < slow:
			quick[t.suite] = append(quick[t.suite], t.name)
		default:
			rest[t.suite] = append(rest[t.suite], t.name)
		}
		reached, takes = true, takes+t.takes
	}
	if !reached {
		return notReached, ""
	}
	for _, suites := range []map[suite][]string{quick, rest} {
		for s, names := range suites {
			if o, by := r.runTests(s, id, names, 20*time.Second+3*takes); o != lived {
				return o, by
			}
		}
	}
	return lived, ""
}

var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

func (r *runner) runTests(s suite, id int, names []string, limit time.Duration) (o outcome, by string) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.binary, append(slices.Clone(r.flags), "-test.failfast", "-test.run", pattern(names...))...)
	cmd.Dir, cmd.Env = s.dir, append(os.Environ(), "MUTANT="+strconv.Itoa(id))
	out, err := cmd.CombinedOutput()
	switch {
	case err == nil:
		return lived, ""
	case ctx.Err() != nil || strings.Contains(string(out), "out of memory"):
		return timedOut, ""
	}
	for _, name := range failed.FindAllStringSubmatch(string(out), -1) {
		by = name[1] // the innermost, which is last, of the first that failed
		if strings.Contains(by, "/") {
			break
		}
	}
	return killed, by
}
