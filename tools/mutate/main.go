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
			r := o.try(scratch, i, m)
			if results = append(results, r); r.Tests != nil {
				killed++
			}
			fmt.Fprintf(out, "%-8s  %s  %s\n", map[bool]string{true: "killed", false: "survived"}[r.Tests != nil], m, strings.Join(r.Tests, " "))
		}
	}
	fmt.Fprintf(out, "%d of %d mutants killed (%.1f %%)\n", killed, len(results), 100*float64(killed)/float64(max(1, len(results))))
	if o.report != "" {
		text, _ := json.MarshalIndent(results, "", "\t")
		err = errors.Join(err, os.WriteFile(o.report, text, 0o600))
	}
	return err
}

// choose returns the mutants to try, in random order.
func (o options) choose() (chosen []mutant, err error) {
	files, err := o.goCommand(append([]string{"list", "-f", `{{range .GoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}`}, o.packages...)...)
	if err != nil {
		return nil, errors.New(files)
	}
	for _, path := range strings.Fields(files) {
		all, err := mutants(o.root, path)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, slices.DeleteFunc(all, func(m mutant) bool { return !o.match.MatchString(m.String()) })...)
	}
	rand.New(rand.NewPCG(o.seed, 0)).Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
	return chosen, nil
}

var compileError = regexp.MustCompile(`(?m)^(?:vet: )?(\S+?\.go):(\d+)`)

// build builds the test binaries with mutants on different lines, at most count if it is positive. It
// returns them, and the other mutants for a later batch. It drops mutants that do not compile.
func (o options) build(scratch string, from []mutant, count int) (batch, left []mutant, err error) {
	for {
		batch, left = nil, nil
		taken := map[string]bool{}
		for _, m := range from {
			if lines := m.lines(); slices.ContainsFunc(lines, func(line string) bool { return taken[line] }) || count > 0 && len(batch) == count {
				left = append(left, m)
			} else {
				for _, line := range lines {
					taken[line] = true
				}
				batch = append(batch, m)
			}
		}
		output, err := o.compile(scratch, batch)
		if err == nil {
			return batch, left, nil
		}
		invalid := map[mutant]bool{}
		for _, e := range compileError.FindAllStringSubmatch(output, -1) {
			line, _ := strconv.Atoi(e[2])
			at := mutant{}
			for _, m := range batch { // the last mutant before the error, because a missing return is at the end
				if m.overlay() == filepath.Base(e[1]) && at.Line < m.Line && m.Line <= line {
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
	replace := map[string]string{}
	order := make([]int, len(batch))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return batch[j].start - batch[i].start }) // the last of each file first
	for _, i := range order {
		m := batch[i]
		original := filepath.Join(o.root, m.File)
		if replace[original] == "" {
			replace[original] = filepath.Join(scratch, m.overlay())
			source, err := os.ReadFile(original)
			name, _, _ := strings.Cut(string(source[strings.LastIndex(string(source[:m.start]), "\npackage ")+1:]), "\n")
			added := filepath.Join(filepath.Dir(original), "mutants_of_process.go")
			replace[added] = replace[original] + ".helpers"
			err = errors.Join(err, os.WriteFile(replace[added], []byte(name+"\n"+helpers), 0o600), os.WriteFile(replace[original], source, 0o600))
			if err != nil {
				return "", err
			}
		}
		source, err := os.ReadFile(replace[original])
		if err != nil {
			return "", err
		}
		code := strings.ReplaceAll(m.code, "#", strconv.Quote(strconv.Itoa(i)))
		changed := string(source[:m.start]) + code + string(source[m.start+len(m.old):])
		if err := os.WriteFile(replace[original], []byte(changed), 0o600); err != nil {
			return "", err
		}
	}
	overlay, _ := json.Marshal(map[string]any{"Replace": replace})
	if err := os.WriteFile(filepath.Join(scratch, "overlay.json"), overlay, 0o600); err != nil {
		return "", err
	}
	for i, run := range o.runs {
		output, err := o.goCommand("test", "-c", "-vet=off", "-gcflags=-e", "-overlay", filepath.Join(scratch, "overlay.json"), "-o", binary(scratch, i), run[0])
		if err != nil {
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

var failed = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)

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
