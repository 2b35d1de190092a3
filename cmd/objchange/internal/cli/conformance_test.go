package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange/cmd/objchange/internal/cli"
	"github.com/objchange/objchange/conformance"
)

// A scored report is what tests read of one in JSON.
type scored struct {
	Scores struct {
		Total      counted
		Operations []counted
		Rules      []struct {
			Rule                           string
			Wanted, Found, Missed, Surplus int
		}
		Failing []struct{ Case, Op, Verdict, Text string }
	}
	Subjects []struct {
		Case, Op, Status, Reason string
		Findings                 []struct{ Rule, Message string }
	}
	Notes []string
	Error string
}

type counted struct {
	Operation                   string
	Cases, Same, Value, Verdict int
	Naming, Malformed, Crashed  int
	Silent, Unsupported         int
	NotAsked                    int `json:"not_asked"`
	Score                       *float64
	Coverage                    float64
}

// conform runs the command, also beside others, and returns its exit status and its
// report in JSON.
func conform(t *testing.T, args ...string) (status int, r scored, text string) {
	t.Helper()
	var out, errOut strings.Builder
	status = cli.Run(append([]string{"conformance", "--format", "json"}, args...), strings.NewReader(""), &out, &errOut)
	if err := json.Unmarshal([]byte(out.String()), &r); err != nil {
		t.Errorf("%v: %s%s", err, out.String(), errOut.String())
	}
	return status, r, out.String()
}

// jobs are how many adapters run at once; in short, as under the race detector, only several.
func jobs() []string {
	if testing.Short() {
		return []string{"4"}
	}
	return []string{"1", "4"}
}

// An adapter that answers wrong on purpose is scored exactly, however many run at once. In
// short, that is four, and the cases are a fifth.
func TestConformanceLiar(t *testing.T) {
	t.Parallel()
	prefix := "random-4242-"
	if testing.Short() {
		prefix += "4"
	}
	var want counted
	rules := map[string][4]int{}
	told, verdicts := map[lie]int{}, map[string]conformance.Verdict{}
	for c, err := range conformance.Select(func(id string, _ conformance.Op) bool { return strings.HasPrefix(id, prefix) }) {
		if err != nil {
			t.Fatal(err)
		}
		told[lieOf(c)]++
		verdicts[c.Name()] = verdictOf(c)
		expect(&want, verdictOf(c))
		expectRules(rules, c)
	}
	for _, l := range lies {
		if told[l] == 0 && !(testing.Short() && l == silence) { // which is seldom, as it takes its time
			t.Errorf("there is no %q in %v", l, told)
		}
	}
	type run struct {
		status int
		got    scored
		text   string
	}
	runs := make([]run, len(jobs()))
	var done sync.WaitGroup
	for i, jobs := range jobs() {
		done.Go(func() {
			r := &runs[i]
			r.status, r.got, r.text = conform(t, "--case", prefix+"*", "--give-up", "0", "--timeout", "8s", "--jobs", jobs, "--", "liar")
		})
	}
	done.Wait()
	for i, jobs := range jobs() {
		got := runs[i].got
		if runs[i].status != 1 {
			t.Errorf("with %s jobs, exit status %d", jobs, runs[i].status)
		}
		total := got.Scores.Total
		total.Score, total.Coverage = nil, 0
		if diff := cmp.Diff(want, total); diff != "" {
			t.Errorf("with %s jobs (-want +got):\n%s", jobs, diff)
		}
		gotRules := map[string][4]int{}
		for _, r := range got.Scores.Rules {
			gotRules[r.Rule] = [4]int{r.Wanted, r.Found, r.Missed, r.Surplus}
		}
		if diff := cmp.Diff(rules, gotRules); diff != "" {
			t.Errorf("with %s jobs, rules (-want +got):\n%s", jobs, diff)
		}
		for _, s := range got.Subjects {
			verdict := conformance.VerdictSame
			switch {
			case s.Status == "skipped":
				verdict = conformance.VerdictUnsupported
			case len(s.Findings) > 0:
				verdict = conformance.Verdict(strings.TrimPrefix(s.Findings[0].Rule, "conformance-"))
			}
			if name := s.Case + " " + s.Op; verdict != verdicts[name] {
				t.Errorf("with %s jobs, %s is %s, want %s: %v", jobs, name, verdict, verdicts[name], s.Findings)
			}
		}
		if diff := cmp.Diff(runs[0].text, runs[i].text); diff != "" {
			t.Errorf("with %s jobs it is another report:\n%s", jobs, diff)
		}
	}
}

func expect(s *counted, v conformance.Verdict) {
	s.Cases++
	*map[conformance.Verdict]*int{
		conformance.VerdictSame: &s.Same, conformance.VerdictValue: &s.Value, conformance.VerdictAcceptance: &s.Verdict, conformance.VerdictNaming: &s.Naming,
		conformance.VerdictMalformed: &s.Malformed, conformance.VerdictCrashed: &s.Crashed, conformance.VerdictSilent: &s.Silent, conformance.VerdictUnsupported: &s.Unsupported,
	}[v]++
}

func expectRules(rules map[string][4]int, c *conformance.Case) {
	verdict := verdictOf(c)
	if !c.Op.Checks() {
		return
	}
	seen := map[string]bool{}
	for _, p := range c.Right().Problems {
		if p.Rule == "" || seen[p.Rule] {
			continue
		}
		seen[p.Rule] = true
		n := rules[p.Rule]
		n[0]++
		switch verdict {
		case conformance.VerdictSame:
			n[1]++
		case conformance.VerdictAcceptance, conformance.VerdictNaming:
			n[2]++
		}
		rules[p.Rule] = n
	}
	if verdict == conformance.VerdictNaming || verdict == conformance.VerdictAcceptance && len(c.Right().Problems) == 0 {
		n := rules[misnamed]
		n[3]++
		rules[misnamed] = n
	}
}

// few returns a file with some hundred cases.
func few(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "few.jsonl.gz")
	var errOut strings.Builder
	if status := cli.Run([]string{"conformance", "--case", "edge-91-12*", "--export", file}, strings.NewReader(""), &errOut, &errOut); status != 0 {
		t.Fatal(errOut.String())
	}
	return file
}

// An adapter that fails all the time is not asked for ever.
func TestConformanceGivesUp(t *testing.T) {
	t.Parallel()
	file := few(t)
	for name, test := range map[string]struct {
		adapter []string
		timeout string
		count   func(counted) int
		note    string
	}{
		"crashing":       {[]string{"false"}, "1m", func(s counted) int { return s.Crashed }, ""},
		"silent":         {[]string{"mute"}, "300ms", func(s counted) int { return s.Silent }, "the adapter never answered: it must flush its output after each line"},
		"talking":        {[]string{"echo", "hello"}, "1m", func(s counted) int { return s.Malformed }, ""},
		"no end of line": {[]string{"printf", "{"}, "1m", func(s counted) int { return s.Crashed }, ""},
		"a huge line":    {[]string{"head", "-c", fmt.Sprint(conformance.LongestLine + 100_000), "/dev/zero"}, "1m", func(s counted) int { return s.Malformed }, ""},
		"without end":    {[]string{"yes"}, "1m", func(s counted) int { return s.Malformed }, ""},
	} {
		if testing.Short() && name == "a huge line" {
			continue // copying it takes the race detector long
		}
		t.Run(name, func(t *testing.T) {
			var first string
			for _, jobs := range jobs() {
				args := append([]string{"--cases", file, "--give-up", "3", "--timeout", test.timeout, "--jobs", jobs, "--"}, test.adapter...)
				status, got, text := conform(t, args...)
				s := got.Scores.Total
				if status != 1 || test.count(s) != 3 || s.NotAsked != s.Cases-3 || s.Cases < 20 {
					t.Errorf("exit status %d, %+v", status, s)
				}
				want := []string{
					fmt.Sprintf("%d cases not asked, after 3 cases without an answer: see --give-up", s.NotAsked),
					"nothing was answered: values were MessagePack, and are JSON with --values json",
				}
				if test.note != "" {
					want[1] = test.note
				}
				if diff := cmp.Diff(want, got.Notes); diff != "" {
					t.Errorf("notes (-want +got):\n%s", diff)
				}
				if first == "" {
					first = text
				}
				if text != first {
					t.Errorf("with %s jobs it is another report:\n%s", jobs, cmp.Diff(first, text))
				}
			}
		})
	}
}

// What an adapter has started ends with it.
func TestConformanceEndsGroups(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("there are no groups of processes")
	}
	file := filepath.Join(t.TempDir(), "pid")
	script := fmt.Sprintf("sleep 600 & echo $! > %s; wait", file)
	_, got, _ := conform(t, "--cases", few(t), "--give-up", "1", "--op", "proposed", "--timeout", "500ms", "--", "sh", "-c", script)
	if got.Scores.Total.Silent != 1 {
		t.Errorf("%+v", got.Scores.Total)
	}
	pid, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for range 100 { // it ends when the system gets to it
		if exec.Command("kill", "-0", strings.TrimSpace(string(pid))).Run() != nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Error("what it has started still runs")
}

// An interrupt ends a run, and what is known by then is reported.
func TestConformanceInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no process can be interrupted")
	}
	file := filepath.Join(t.TempDir(), "asked")
	cmd := exec.Command("objchange", "conformance", "--cases", few(t), "--timeout", "10m", "--format", "json", "--jobs", "2", "--", "mute", file)
	var out strings.Builder
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for asked := false; !asked && !t.Failed(); time.Sleep(10 * time.Millisecond) {
		_, err := os.Stat(file)
		asked = err == nil
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	var r scored
	if err := json.Unmarshal([]byte(out.String()), &r); err != nil {
		t.Fatal(err)
	}
	s := r.Scores.Total
	if cmd.ProcessState.ExitCode() != 2 || r.Error != "the run was ended: interrupt" || s.Cases < 20 || s.NotAsked != s.Cases {
		t.Errorf("exit status %d, %q, %+v", cmd.ProcessState.ExitCode(), r.Error, s)
	}
}

// The adapters in the repository have exactly these scores.
func TestConformanceAdapters(t *testing.T) {
	t.Parallel()
	adapters := filepath.Join(repository, "conformance", "adapters")
	t.Run("go", func(t *testing.T) {
		adapter := filepath.Join(t.TempDir(), "adapter")
		if out, err := exec.Command("go", "build", "-C", filepath.Join(adapters, "go"), "-o", adapter, ".").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		args := []string{"--fail-on-skipped", "--", adapter}
		cases := 42964
		if testing.Short() {
			args, cases = append([]string{"--case", "random-4242-*"}, args...), 2000
		}
		status, got, _ := conform(t, args...)
		if s := got.Scores.Total; status != 0 || s.Same != s.Cases || s.Cases < cases {
			t.Errorf("exit status %d, %+v", status, s)
		}
	})
	t.Run("python", func(t *testing.T) {
		python, err := exec.LookPath("python3")
		if err != nil {
			t.Skip("there is no python3")
		}
		args := []string{"--values", "json", "--", python, filepath.Join(adapters, "python", "adapter.py")}
		cases := 42964
		if testing.Short() {
			args, cases = append([]string{"--op", "proposed"}, args...), 4853
		}
		status, got, _ := conform(t, args...)
		if s := got.Scores.Total; status != 0 || s.Same != 1110 || s.Unsupported != cases-1110 || s.Cases != cases {
			t.Errorf("exit status %d, %+v", status, s)
		}
	})
}
