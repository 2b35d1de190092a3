package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/objchange/objchange/conformance"
)

var update = flag.Bool("update", false, "write what the scripts compare with")

const repository = "../.."

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"objchange-conformance": main, "liar": liar, "forgetful": forgetful, "mute": mute, "json-reader": jsonReader,
		"adapter": func() { serve(conformance.Answer) }, "replies": replies,
	})
}

// TestScripts runs testdata/*.txtar and checks the output of each command.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata", UpdateScripts: *update, Cmds: map[string]func(*testscript.TestScript, bool, []string){
		"status": func(ts *testscript.TestScript, _ bool, args []string) {
			err := ts.Exec(args[1], args[2:]...)
			exit, _ := err.(*exec.ExitError)
			if exit == nil || fmt.Sprint(exit.ExitCode()) != args[0] {
				ts.Fatalf("want exit status %s, got %v", args[0], err)
			}
		},
	}})
}

// TestREADMEShowsRealOutput checks that the commands in conformance/README.md print the output that it shows.
func TestREADMEShowsRealOutput(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed")
	}
	text, err := os.ReadFile(filepath.Join(repository, "conformance", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	consoles := regexp.MustCompile("(?s)```console\n\\$ (objchange-conformance [^\n]*)\n(.*?)```").FindAllSubmatch(text, -1)
	if len(consoles) == 0 {
		t.Error("the command is not installed")
	}
	for _, console := range consoles {
		args := strings.Fields(string(console[1]))
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = repository
		got, err := cmd.Output()
		if diff := cmp.Diff(string(console[2]), string(got)); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", console[1], err, diff)
		}
	}
}

// conform runs the cases in this process, and returns the report and the error.
func conform(t *testing.T, args ...string) (*Report, error) {
	t.Helper()
	o, err := parse(args, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return o.run(context.Background(), io.Discard)
}

// TestCommonErrorIsShownOnce checks that an error that ends all adapters in the same way is shown once.
func TestCommonErrorIsShownOnce(t *testing.T) {
	t.Parallel()
	var out, errOut strings.Builder
	status := run(context.Background(), []string{"--cases", few(t), "--", "sh", "-c", "echo there is no script >&2; exit 2"}, &out, &errOut)
	if got := out.String(); status != 1 || strings.Count(got, "there is no script") != 1 || !strings.Contains(got, "--values json") {
		t.Errorf("exit status %d:\n%s%s", status, got, &errOut)
	}
}

// TestWrongAnswersGetTheirVerdicts checks that an adapter with wrong answers gets the expected verdicts.
func TestWrongAnswersGetTheirVerdicts(t *testing.T) {
	t.Parallel()
	const prefix = "random-4242-3"
	want, lies := map[string]conformance.Verdict{}, map[string]int{}
	for c, err := range conformance.Select(func(id string, _ conformance.Op) bool { return strings.HasPrefix(id, prefix) }) {
		if err != nil {
			t.Fatal(err)
		}
		lie, verdict := lieOf(c)
		if lies[lie]++; verdict != conformance.VerdictSame && verdict != conformance.VerdictUnsupported {
			want[c.Name()] = verdict
		}
	}
	if len(lies) != len(verdicts)+2 {
		t.Errorf("not every kind of answer is given: %v", lies)
	}
	report, err := conform(t, "--case", prefix+"*", "--give-up", "0", "--limit", "10000", "--timeout", "5s", "--", "liar")
	got := map[string]conformance.Verdict{}
	for _, c := range report.Shown {
		got[c.of.Name()] = c.Verdict
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil || report.Total[conformance.VerdictUnsupported] != lies["unsupported"] {
		t.Errorf("%v, %v (-want +got):\n%s", err, report.Total, diff)
	}
}

// packedFew are some cases of the corpus. To read the corpus takes seconds.
var packedFew = sync.OnceValues(func() ([]byte, error) {
	var packed bytes.Buffer
	to := gzip.NewWriter(&packed)
	if status := run(context.Background(), []string{"--case", "edge-91-12*", "--export"}, to, io.Discard); status != 0 {
		return nil, fmt.Errorf("exit status %d", status)
	}
	err := to.Close()
	return packed.Bytes(), err
})

// few returns a file with some cases.
func few(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "few.jsonl.gz")
	packed, err := packedFew()
	if err := errors.Join(err, os.WriteFile(name, packed, 0o600)); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestRunnerStopsAfterManyFaults checks that the runner stops after too many faults.
func TestRunnerStopsAfterManyFaults(t *testing.T) {
	t.Parallel()
	file := few(t)
	for name, test := range map[string]struct {
		adapter []string
		timeout string
		verdict conformance.Verdict
	}{
		"crashing":       {[]string{"false"}, "1m", conformance.VerdictCrashed},
		"reading JSON":   {[]string{"json-reader"}, "1m", conformance.VerdictCrashed},
		"silent":         {[]string{"mute"}, "300ms", conformance.VerdictSilent},
		"talking":        {[]string{"echo", "hello"}, "1m", conformance.VerdictMalformed},
		"no end of line": {[]string{"printf", "{"}, "1m", conformance.VerdictCrashed},
		"a huge line":    {[]string{"head", "-c", fmt.Sprint(conformance.LongestLine + 100_000), "/dev/zero"}, "1m", conformance.VerdictMalformed},
		"without end":    {[]string{"yes"}, "1m", conformance.VerdictMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			most := 3
			if name == "a huge line" { // slow, and too slow under the race detector
				if most = 1; testing.Short() {
					t.Skip("a line of this length is too slow under the race detector")
				}
			}
			args := append([]string{"--cases", file, "--give-up", fmt.Sprint(most), "--timeout", test.timeout, "--"}, test.adapter...)
			got, err := conform(t, args...)
			if err != nil || got.Total[test.verdict] != most || got.Total.supported() != most {
				t.Errorf("%v, %v", err, got.Total)
			}
			notes := strings.Join(got.Notes, "\n")
			for _, want := range []string{fmt.Sprintf("after %d case", most), "flush its output", "MessagePack"} {
				if !strings.Contains(notes, want) {
					t.Errorf("no note contains %q: %q", want, notes)
				}
			}
		})
	}
}

// TestGoAdapterAnswersRight checks that all answers of the adapter in conformance/adapters/go are right.
func TestGoAdapterAnswersRight(t *testing.T) {
	t.Parallel()
	adapter := filepath.Join(t.TempDir(), "adapter.exe")
	if out, err := exec.Command("go", "build", "-C", filepath.Join(repository, "conformance", "adapters", "go"), "-o", adapter, "main.go").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	got, err := conform(t, "--case", "random-4242-1*", "--case", "thin-11-7*", "--", adapter)
	if s := got.Total; err != nil || s[conformance.VerdictSame] != s.cases() || s.cases() < 700 {
		t.Errorf("%v, %v", err, s)
	}
}
