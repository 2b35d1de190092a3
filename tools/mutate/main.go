// Command mutate measures how well tests protect the code. It makes small faults, called mutants, and
// runs the tests with one of them at a time. Tests kill a mutant if they fail. For example, in tools:
//
//	GOWORK=off go run ./mutate -root .. -n 150 -tests './internal/spectest -short' -tests . . ./configschema
//
// The arguments are the packages with mutants. Each -tests has a package with tests, and flags of go
// test. A later -tests runs only if the mutant survived the earlier ones. Tests with rapid need the
// flag -rapid.nofailfile, so that an example saved for one mutant is not run with the next. The go
// command reads the changed file as an overlay, so the sources are not changed. A mutant that does
// not compile does not count.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/objchange/objchange/tools/internal/workspace"
)

func main() {
	o := options{}
	flag.StringVar(&o.root, "root", ".", "`folder` of the workspace")
	flag.IntVar(&o.count, "n", 0, "the number of mutants to sample, 0 for all")
	flag.Uint64Var(&o.seed, "seed", 1, "the seed of the sample")
	match := flag.String("run", "", "only mutants that match the `regexp`, as the table prints them")
	flag.DurationVar(&o.limit, "timeout", 5*time.Minute, "limit of each run of tests")
	flag.Func("tests", "`package and flags` of go test; repeatable", func(s string) error {
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
	root     string
	packages []string
	count    int
	seed     uint64
	match    *regexp.Regexp
	limit    time.Duration
	runs     [][]string
}

func (o options) run(out io.Writer) (err error) {
	if o.root, err = filepath.Abs(o.root); err != nil {
		return err
	}
	chosen, err := o.choose()
	if err != nil {
		return err
	}
	if fails, _ := o.try(); fails {
		return errors.New("the tests fail without a mutant")
	}
	scratch, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	tried, killed := 0, 0
	for _, m := range chosen {
		overlay, err := m.overlay(o.root, scratch)
		if err != nil {
			return err
		}
		fails, compiles := o.try("-overlay", overlay)
		if !compiles {
			continue
		}
		outcome := "survived"
		if fails {
			outcome = "killed"
			killed++
		}
		fmt.Fprintf(out, "%-8s  %s\n", outcome, m)
		tried++
		if tried == o.count {
			break
		}
	}
	share := 100 * float64(killed) / float64(max(1, tried))
	fmt.Fprintf(out, "%d of %d mutants killed (%.1f %%)\n", killed, tried, share)
	return nil
}

// choose returns the mutants in random order.
func (o options) choose() (chosen []mutant, err error) {
	list := []string{"list", "-f", `{{range .GoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}`}
	files, err := o.goCommand(append(list, o.packages...)...)
	if err != nil {
		return nil, err
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

var notBuilt = regexp.MustCompile(`(?m)^FAIL\s.*\[build failed\]$`)

// try runs the tests with more flags, until a package fails. It returns false if the code does not
// compile.
func (o options) try(more ...string) (fails, compiles bool) {
	for _, run := range o.runs {
		flags := append([]string{"test", "-vet=off", "-failfast", "-timeout", o.limit.String()}, more...)
		if _, err := o.goCommand(append(flags, run...)...); err != nil {
			return true, !notBuilt.MatchString(err.Error())
		}
	}
	return false, true
}

func (o options) goCommand(arguments ...string) (string, error) {
	env := append(os.Environ(), "GOWORK=") // this program runs with GOWORK=off
	return workspace.Run(o.root, env, "go", arguments...)
}

// overlay writes the changed file, and returns the name of the overlay with it.
func (m mutant) overlay(root, scratch string) (name string, err error) {
	original, changed := filepath.Join(root, m.file), filepath.Join(scratch, "changed.go")
	source, err := os.ReadFile(original)
	if err != nil {
		return "", err
	}
	text := string(source[:m.start]) + m.code + string(source[m.end:])
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	name = filepath.Join(scratch, "overlay.json")
	return name, errors.Join(err, os.WriteFile(changed, []byte(text), 0o600), os.WriteFile(name, replace, 0o600))
}
