// Command mutate tests the tests: it breaks the package objchange in small ways,
// one at a time, and reports which of these mutants the named tests do not notice.
//
//	GOWORK=off go -C tools run ./mutate [-only regexp] [-j 2]
//	GOWORK=off go -C tools run ./mutate -reasons
//
// Named tests are those that say by example what must hold. Properties, recorded
// answers and fuzz targets do not count, since they find but do not explain.
//
// All mutants are compiled into one test binary for each package, with a switch at each place, so a
// mutant costs no more than the tests that come by it. Each is reported as it is
// found out: killed by a test, timed out, lived, or not reached by any test. Those
// that survive must be in survivors.txt, with a reason, and no others. With -reasons these are
// put to the properties and recorded answers, in short: whatever these notice has no
// reason to survive.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// heart are the files that are mutated, as patterns.
var heart = []string{"proposed*.go", "validate_*.go", "nested.go", "correlate.go", "sketch.go"}

//go:embed survivors.txt
var survivors string

func main() {
	only := flag.String("only", "", "run the mutants whose text matches the `regexp`, and no others")
	tests := flag.String("tests", "", "run the named tests that match the `regexp`, and no others")
	reasons := flag.Bool("reasons", false, "put the survivors to all other tests, which must not notice them either")
	jobs := flag.Int("j", 2, "how many mutants to run at a `time`")
	flag.Parse()
	if err := run("..", *only, *tests, *reasons, *jobs); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(root, only, tests string, reasons bool, jobs int) error {
	chosen, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	asked, err := regexp.Compile(tests)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	mutants, overlay, err := mutate(root, heart)
	if err != nil {
		return err
	}
	r, err := newRunner(root, work, overlay, asked, !reasons, jobs)
	if err != nil {
		return err
	}
	mutants = slices.DeleteFunc(mutants, func(m *mutant) bool { return !chosen.MatchString(m.text()) })
	if reasons {
		known := listed(survivors)
		mutants = slices.DeleteFunc(mutants, func(m *mutant) bool { return !slices.Contains(known, m.text()) })
		if noticed := len(mutants) - len(judge(r, mutants, jobs).survived); noticed > 0 {
			return fmt.Errorf("%d of %d survivors are noticed by tests that are not named", noticed, len(mutants))
		}
		return nil
	}
	tally := judge(r, mutants, jobs)
	return tally.compare(listed(survivors), only == "" && tests == "")
}

// judge runs all mutants and prints what becomes of each.
func judge(r *runner, mutants []*mutant, jobs int) tally {
	t := tally{survived: map[string]bool{}, counts: map[outcome]int{}}
	queue := make(chan *mutant)
	var running sync.WaitGroup
	var mu sync.Mutex
	for range jobs {
		running.Go(func() {
			for m := range queue {
				o, by := r.run(m.id)
				mu.Lock()
				t.add(m, o, by)
				mu.Unlock()
			}
		})
	}
	for _, m := range mutants {
		queue <- m
	}
	close(queue)
	running.Wait()
	return t
}

// An outcome is what became of a mutant.
type outcome string

const (
	killed     outcome = "killed"
	timedOut   outcome = "timed out" // it runs for ever, which is noticed too
	lived      outcome = "lived"
	notReached outcome = "not reached"
)

// A tally is what became of all mutants.
type tally struct {
	counts   map[outcome]int
	survived map[string]bool // by text
}

func (t *tally) add(m *mutant, o outcome, by string) {
	t.counts[o]++
	if o == lived || o == notReached {
		t.survived[m.text()] = true
	}
	if by != "" {
		by = "\n\tby " + by
	}
	fmt.Printf("%-11s %d %s:%d %s%s\n", o, m.id, m.file, m.line, strings.TrimPrefix(m.text(), m.file+" "), by)
}

// compare prints the score. It returns an error when the survivors are not those
// that are listed; unless all mutants were run, one may also be missing.
func (t *tally) compare(reasoned []string, all bool) error {
	wrong, total, justified := 0, 0, 0
	for _, n := range t.counts {
		total += n
	}
	for _, text := range slices.Sorted(maps.Keys(t.survived)) {
		if slices.Contains(reasoned, text) {
			justified++
		} else {
			wrong++
			fmt.Println("survived, and not listed:", text)
		}
	}
	for _, text := range reasoned {
		if all && !t.survived[text] {
			wrong++
			fmt.Println("listed, and does not survive:", text)
		}
	}
	dead := t.counts[killed] + t.counts[timedOut]
	fmt.Printf("%d mutants: %d killed, %d timed out, %d lived, %d not reached; %d of these justified; score %.1f %%, without the justified %.1f %%\n",
		total, t.counts[killed], t.counts[timedOut], t.counts[lived], t.counts[notReached], justified,
		100*float64(dead)/float64(max(1, total)), 100*float64(dead)/float64(max(1, total-justified)))
	if wrong > 0 {
		return fmt.Errorf("%d survivors are not as listed", wrong)
	}
	return nil
}

// listed returns the mutants of a list: its lines that are neither empty nor a
// reason, which stands above them.
func listed(list string) (texts []string) {
	for line := range strings.Lines(list) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			texts = append(texts, line)
		}
	}
	return texts
}
