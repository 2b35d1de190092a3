// Command mutate measures how well tests protect the code. It makes small faults, called mutants, one
// at a time, and runs tests with each of them. Tests kill a mutant if they fail. The sources are not
// changed: the go command reads each mutant as an overlay. Run it in the root of the repository:
//
//	go run -C tools ./mutate -root .. -n 150 -tests '-short .' -tests '-short ./internal/spectest' . ./configschema
//
// The arguments are the packages to mutate. Each -tests has the arguments of one run of "go test". A
// later run starts only if the mutant survived the earlier runs.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

func main() {
	var o options
	var match string
	flag.StringVar(&o.root, "root", ".", "`folder` of the workspace")
	flag.IntVar(&o.count, "n", 0, "the number of mutants to sample, 0 for all")
	flag.Uint64Var(&o.seed, "seed", 1, "the seed of the sample")
	flag.StringVar(&match, "run", "", "only mutants that match the `regexp`, as the table prints them")
	flag.DurationVar(&o.limit, "timeout", 2*time.Minute, "limit of each run of tests")
	flag.BoolVar(&o.all, "kills", false, "run all tests, and list those that kill each mutant")
	flag.StringVar(&o.report, "json", "", "also write the results to a `file`")
	flag.Func("tests", "`arguments` of a run of go test; repeatable", func(s string) error {
		o.runs = append(o.runs, strings.Fields(s))
		return nil
	})
	flag.Parse()
	o.packages = flag.Args()
	var err error
	if o.match, err = regexp.Compile(match); err == nil {
		err = run(o, os.Stdout)
	}
	if err != nil {
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

// A result says what became of a mutant.
type result struct {
	mutant
	Outcome string   `json:"outcome"`
	Run     string   `json:"run,omitempty"`   // the first run that kills it
	Tests   []string `json:"tests,omitempty"` // tests that kill it
}

const (
	killed   = "killed"
	survived = "survived"
	invalid  = "invalid" // does not compile, and does not count
)

func run(o options, out io.Writer) (err error) {
	if o.root, err = filepath.Abs(o.root); err != nil {
		return err
	}
	sample, err := choose(o)
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if r, err := try(o, scratch, mutant{}); err != nil || r.Outcome != survived {
		return fmt.Errorf("the tests must pass without a mutant: %s %v: %w", r.Outcome, r.Tests, err)
	}
	var results []result
	counts := map[string]int{}
	for _, m := range sample {
		if counts[killed]+counts[survived] == o.count && o.count > 0 {
			break
		}
		r, err := try(o, scratch, m)
		if err != nil {
			return err
		}
		counts[r.Outcome]++
		if r.Outcome == invalid {
			continue
		}
		results = append(results, r)
		fmt.Fprintf(out, "%-8s  %s  %s\n", r.Outcome, m, strings.Join(r.Tests, " "))
		if err := write(o.report, results); err != nil {
			return err
		}
	}
	valid := counts[killed] + counts[survived]
	_, err = fmt.Fprintf(out, "%d of %d mutants killed (%.1f %%)\n", counts[killed], valid, 100*float64(counts[killed])/float64(max(valid, 1)))
	return err
}

// choose returns the mutants to try, in random order.
func choose(o options) ([]mutant, error) {
	command := exec.Command("go", append([]string{"list", "-f", `{{range .GoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}`}, o.packages...)...)
	command.Dir, command.Stderr, command.Env = o.root, os.Stderr, environment()
	files, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var chosen []mutant
	for _, path := range strings.Fields(string(files)) {
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
	rand.New(rand.NewPCG(o.seed, 0)).Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
	return chosen, nil
}

// try runs the tests with a mutant, or without one if m is zero.
func try(o options, scratch string, m mutant) (result, error) {
	overlay, err := overlay(o, scratch, m)
	if err != nil {
		return result{}, err
	}
	r := result{mutant: m, Outcome: survived}
	for _, arguments := range o.runs {
		flags := []string{"test", "-json", "-vet=off", "-count=1", "-overlay", overlay, "-timeout", o.limit.String()}
		if !o.all {
			flags = append(flags, "-failfast")
		}
		command := exec.Command("go", append(flags, arguments...)...)
		command.Dir, command.Env = o.root, environment()
		output, err := command.Output() // it fails if a test fails
		if err == nil {
			continue
		}
		tests, compiles := failures(output)
		if !compiles {
			r.Outcome = invalid
			return r, nil
		}
		if r.Outcome == survived {
			r.Outcome, r.Run = killed, strings.Join(arguments, " ")
		}
		r.Tests = append(r.Tests, tests...)
		if !o.all {
			break
		}
	}
	return r, nil
}

// overlay writes the mutant and the file that makes the go command read it in place of its original.
func overlay(o options, scratch string, m mutant) (string, error) {
	replace := map[string]string{}
	if m.File != "" {
		original := filepath.Join(o.root, m.File)
		source, err := os.ReadFile(original)
		if err != nil {
			return "", err
		}
		changed := string(source[:m.start]) + m.New + string(source[m.end:])
		replace[original] = filepath.Join(scratch, "mutant.go")
		if err := os.WriteFile(replace[original], []byte(changed), 0o600); err != nil {
			return "", err
		}
	}
	name := filepath.Join(scratch, "overlay.json")
	return name, write(name, map[string]any{"Replace": replace})
}

// failures returns the tests that failed in the output of "go test -json", and whether the code
// compiles. A package that fails outside of its tests, or has a panic in one, stands for the test.
func failures(output []byte) (failed []string, compiles bool) {
	for line := range strings.Lines(string(output)) {
		var event struct{ Action, Package, Test string }
		if json.Unmarshal([]byte(line), &event) != nil {
			continue
		}
		switch {
		case event.Action == "build-fail":
			return nil, false
		case event.Action == "fail" && event.Test != "" && !strings.Contains(event.Test, "/"):
			failed = append(failed, event.Test)
		case event.Action == "fail" && event.Test == "" && len(failed) == 0:
			failed = append(failed, event.Package)
		}
	}
	return failed, true
}

// environment uses the workspace, which the module tools does not.
func environment() []string { return append(os.Environ(), "GOWORK=", "GOFLAGS=") }

func short(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > 60 {
		return text[:57] + "..."
	}
	return text
}

func write(name string, v any) error {
	if name == "" {
		return nil
	}
	text, err := json.MarshalIndent(v, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o600)
}
