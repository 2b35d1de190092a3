// Command mutate measures how well tests protect the code. It makes small faults, called mutants, and
// runs the tests with one of them at a time. Tests kill a mutant if they fail. For example, in tools:
//
//	GOWORK=off go run ./mutate -root .. -n 150 -tests './internal/spectest -test.short' -tests . . ./configschema
//
// The arguments are the packages with mutants. Each -tests has a package with tests, and the flags for
// its test binary. A later -tests runs only if the mutant survived the earlier ones. All mutants are
// compiled into one binary. The environment variable MUTANT selects one of them. The go command reads
// the changed files as an overlay, so the sources are not changed.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	o := options{}
	flag.StringVar(&o.root, "root", ".", "`folder` of the workspace")
	flag.IntVar(&o.count, "n", 0, "the number of mutants to sample, 0 for all")
	flag.Uint64Var(&o.seed, "seed", 1, "the seed of the sample")
	match := flag.String("run", "", "only mutants that match the `regexp`, as the table prints them")
	flag.DurationVar(&o.limit, "timeout", 5*time.Minute, "limit of each run of tests")
	flag.BoolVar(&o.all, "kills", false, "run all tests, and list those that kill each mutant")
	flag.StringVar(&o.report, "json", "", "also write the results to a `file`")
	flag.Func("tests", "`package and flags` of a test binary; repeatable", func(s string) error {
		o.runs = append(o.runs, strings.Fields(s))
		return nil
	})
	flag.Parse()
	o.packages, o.match = flag.Args(), regexp.MustCompile(*match)
	if err := o.run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

type options struct {
	root, report string
	packages     []string
	count        int
	seed         uint64
	match        *regexp.Regexp
	limit        time.Duration
	all          bool
	runs         [][]string
}

// A result is a mutant with the tests that kill it, and the first binary in which they are. Without
// tests, the mutant survived.
type result struct {
	mutant
	Binary string   `json:"binary,omitempty"`
	Tests  []string `json:"tests,omitempty"`
}

func (o options) run(out io.Writer) (err error) {
	if o.root, err = filepath.Abs(o.root); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	left, err := o.choose()
	results, killed := []result{}, 0
	for err == nil && len(left) > 0 && (o.count == 0 || len(results) < o.count) {
		var batch []mutant
		if batch, left, err = o.build(scratch, left, o.count-len(results)); err != nil {
			break
		}
		if r := o.try(scratch, -1, mutant{}); r.Tests != nil {
			return fmt.Errorf("the tests fail without a mutant: %v", r.Tests)
		}
		for i, m := range batch {
			r, outcome := o.try(scratch, i, m), "survived"
			if results = append(results, r); r.Tests != nil {
				outcome = "killed"
				killed++
			}
			fmt.Fprintf(out, "%-8s  %s  %s\n", outcome, m, strings.Join(r.Tests, " "))
		}
	}
	share := 100 * float64(killed) / float64(max(1, len(results)))
	fmt.Fprintf(out, "%d of %d mutants killed (%.1f %%)\n", killed, len(results), share)
	if o.report != "" {
		text, _ := json.MarshalIndent(results, "", "\t")
		err = errors.Join(err, os.WriteFile(o.report, text, 0o600))
	}
	return err
}

// choose returns the mutants to try, in random order.
func (o options) choose() (chosen []mutant, err error) {
	list := []string{"list", "-f", `{{range .GoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}`}
	files, err := o.goCommand(append(list, o.packages...)...)
	if err != nil {
		return nil, errors.New(files)
	}
	for _, path := range strings.Fields(files) {
		all, err := mutants(o.root, path)
		if err != nil {
			return nil, err
		}
		for _, m := range all {
			if o.match.MatchString(m.String()) {
				chosen = append(chosen, m)
			}
		}
	}
	random := rand.New(rand.NewPCG(o.seed, 0))
	random.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
	return chosen, nil
}

var (
	compileError  = regexp.MustCompile(`(?m)^(\S+?\.go):(\d+)`)
	packageClause = regexp.MustCompile(`(?m)^package \w+`)
	failed        = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)
)

// build builds the test binaries with mutants on different lines, at most count if it is positive. It
// returns them, and the other mutants for a later batch. It drops mutants that do not compile.
func (o options) build(scratch string, from []mutant, count int) (batch, left []mutant, err error) {
	for {
		batch, left = nil, nil
		taken := map[string]bool{}
		for _, m := range from {
			overlaps := slices.ContainsFunc(m.lines(), func(line string) bool { return taken[line] })
			if overlaps || count > 0 && len(batch) == count {
				left = append(left, m)
				continue
			}
			for _, line := range m.lines() {
				taken[line] = true
			}
			batch = append(batch, m)
		}
		slices.SortFunc(batch, func(a, b mutant) int { // the last mutant of a file is the first
			return cmp.Or(strings.Compare(a.File, b.File), b.start-a.start)
		})
		output, err := o.compile(scratch, batch)
		if err == nil {
			return batch, left, nil
		}
		invalid := map[mutant]bool{}
		for _, e := range compileError.FindAllStringSubmatch(output, -1) {
			line, _ := strconv.Atoi(e[2])
			at := mutant{}
			for _, m := range batch { // the last mutant before the error, because a missing return is at the end
				if overlay(m.File) == filepath.Base(e[1]) && at.Line < m.Line && m.Line <= line {
					at = m
				}
			}
			invalid[at] = true
		}
		if delete(invalid, mutant{}); len(invalid) == 0 {
			return nil, nil, errors.New(output)
		}
		from = slices.DeleteFunc(from, func(m mutant) bool { return invalid[m] })
	}
}

// compile writes the changed files and their overlay, and builds the test binaries.
func (o options) compile(scratch string, batch []mutant) (output string, err error) {
	sources, replace := map[string]string{}, map[string]string{}
	for i, m := range batch {
		source, ok := sources[m.File]
		if !ok {
			text, err := os.ReadFile(filepath.Join(o.root, m.File))
			if err != nil {
				return "", err
			}
			source = string(text)
		}
		code := strings.ReplaceAll(m.code, "#", strconv.Quote(strconv.Itoa(i)))
		sources[m.File] = source[:m.start] + code + source[m.start+len(m.old):]
	}
	for name, source := range sources {
		original, changed := filepath.Join(o.root, name), filepath.Join(scratch, overlay(name))
		added := filepath.Join(filepath.Dir(original), "mutants_of_process.go")
		replace[original], replace[added] = changed, changed+".helpers"
		err = errors.Join(err, os.WriteFile(changed, []byte(source), 0o600),
			os.WriteFile(replace[added], []byte(packageClause.FindString(source)+helpers), 0o600))
	}
	file := filepath.Join(scratch, "overlay.json")
	text, _ := json.Marshal(map[string]any{"Replace": replace})
	if err = errors.Join(err, os.WriteFile(file, text, 0o600)); err != nil {
		return "", err
	}
	for i, run := range o.runs {
		flags := []string{"test", "-c", "-vet=off", "-gcflags=-e", "-overlay", file, "-o", binary(scratch, i)}
		if output, err := o.goCommand(append(flags, run[0])...); err != nil {
			return output, err
		}
	}
	return "", nil
}

func binary(scratch string, run int) string {
	return filepath.Join(scratch, fmt.Sprintf("%d.test", run))
}

func (o options) goCommand(arguments ...string) (string, error) {
	command := exec.Command("go", arguments...)
	command.Dir, command.Env = o.root, append(os.Environ(), "GOWORK=") // tools has no workspace
	output, err := command.CombinedOutput()
	return string(output), err
}

// try runs the tests with a mutant of the batch.
func (o options) try(scratch string, number int, m mutant) result {
	r := result{mutant: m}
	for i, run := range o.runs {
		flags := append([]string{"-test.timeout", o.limit.String()}, run[1:]...)
		if !o.all {
			flags = append(flags, "-test.failfast")
		}
		limit, cancel := context.WithTimeout(context.Background(), o.limit+time.Minute)
		command := exec.CommandContext(limit, binary(scratch, i), flags...)
		command.Dir, command.Env = filepath.Join(o.root, run[0]), append(os.Environ(), "MUTANT="+strconv.Itoa(number))
		output, err := command.CombinedOutput()
		cancel()
		if err == nil {
			continue
		}
		names := []string{"(" + err.Error() + ")"} // without the name of a test, such as after a crash
		if found := failed.FindAllStringSubmatch(string(output), -1); found != nil {
			names = names[:0]
			for _, f := range found {
				names = append(names, f[1])
			}
		}
		if r.Tests = append(r.Tests, names...); r.Binary == "" {
			r.Binary = run[0]
		}
		if !o.all {
			break
		}
	}
	return r
}
