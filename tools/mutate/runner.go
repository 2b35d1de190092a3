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
	root, binary string
	flags        []string
	tests        []*test
}

// A test is one test, how long it takes, and which mutants it comes by.
type test struct {
	name    string
	takes   time.Duration
	reaches map[int]bool
}

// compile builds the test binary of all mutants.
func compile(root, work string, overlay map[string][]byte) (binary string, err error) {
	index, err := writeOverlay(work, overlay)
	if err != nil {
		return "", err
	}
	binary = filepath.Join(work, "tests.exe")
	build := exec.Command("go", "test", "-c", "-overlay", index, "-o", binary, ".")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("the mutants do not compile: %w\n%s", err, out)
	}
	return binary, nil
}

// newRunner tries each test that is asked for without any mutant, the named ones or, in
// short, all others.
func newRunner(root, work string, overlay map[string][]byte, asked *regexp.Regexp, named bool, jobs int) (*runner, error) {
	binary, err := compile(root, work, overlay)
	if err != nil {
		return nil, err
	}
	r := &runner{root: root, binary: binary}
	if !named {
		r.flags = []string{"-test.short", "-rapid.nofailfile"} // or all that follow would fail by it
	}
	names, err := testNames(root, named)
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !asked.MatchString(name) })
	r.tests = make([]*test, len(names))
	errs := make([]error, len(names))
	var running sync.WaitGroup
	limit := make(chan bool, jobs)
	for i, name := range names {
		running.Go(func() {
			limit <- true
			r.tests[i], errs[i] = r.try(name, filepath.Join(work, name+".trace"))
			<-limit
		})
	}
	running.Wait()
	return r, errors.Join(errs...)
}

// testNames returns the tests and examples that say what must hold, or the others: those of
// random or recorded questions.
func testNames(root string, named bool) (names []string, err error) {
	files, err := filepath.Glob(filepath.Join(root, "*_test.go"))
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
func (r *runner) try(name, trace string) (*test, error) {
	start := time.Now()
	cmd := exec.Command(r.binary, append(r.flags, "-test.run", pattern(name))...)
	cmd.Dir, cmd.Env = r.root, append(os.Environ(), "MUTANT_TRACE="+trace)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s fails without any mutant: %w\n%s", name, err, out)
	}
	t := &test{name: name, takes: time.Since(start), reaches: map[int]bool{}}
	ids, err := os.ReadFile(trace)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	for line := range strings.Lines(string(ids)) {
		id, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			return nil, err
		}
		t.reaches[id] = true
	}
	return t, nil
}

func pattern(names ...string) string { return "^(" + strings.Join(names, "|") + ")$" }

// slow is what a test takes that is run after the others.
const slow = 300 * time.Millisecond

// run runs the tests that come by a mutant until one fails, and returns which.
func (r *runner) run(id int) (o outcome, by string) {
	var quick, rest []string
	var takes time.Duration
	for _, t := range r.tests {
		switch {
		case !t.reaches[id]:
			continue
		case t.takes < slow:
			quick = append(quick, t.name)
		default:
			rest = append(rest, t.name)
		}
		takes += t.takes
	}
	if len(quick)+len(rest) == 0 {
		return notReached, ""
	}
	for _, names := range [][]string{quick, rest} {
		if len(names) == 0 {
			continue
		}
		if o, by := r.runTests(id, names, 20*time.Second+3*takes); o != lived {
			return o, by
		}
	}
	return lived, ""
}

var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

func (r *runner) runTests(id int, names []string, limit time.Duration) (o outcome, by string) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.binary, append(r.flags, "-test.failfast", "-test.run", pattern(names...))...)
	cmd.Dir, cmd.Env = r.root, append(os.Environ(), "MUTANT="+strconv.Itoa(id))
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
