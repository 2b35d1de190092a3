//go:build unix

package cli_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/objchange/objchange/cmd/internal/testkit"
)

// An exploreRun is an explore command with the provider sky, at a terminal in an empty folder.
type exploreRun struct {
	*exec.Cmd
	t           *testing.T
	person      *os.File // the user's end of the terminal
	out, errOut bytes.Buffer
	temp        string // the folder for temporary files
}

func exploreSky(t *testing.T, does string, args ...string) *exploreRun {
	t.Helper()
	hints := filepath.Join(t.TempDir(), "hints.yaml")
	if err := os.WriteFile(hints, []byte("provider: {env: {SKY: "+does+"}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	person, tty := testkit.Terminal(t, 200)
	all := append([]string{"explore", "terraform-provider-sky", "--requests", "50", "--time-limit", "1h", "--hints", hints}, args...)
	e := &exploreRun{Cmd: exec.CommandContext(t.Context(), "objchange", all...), t: t, person: person, temp: t.TempDir()}
	e.Dir, e.Stdout, e.Stderr, e.Env = t.TempDir(), &e.out, tty, append(os.Environ(), "TMPDIR="+e.temp)
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	return e
}

// until reads from the terminal until the text appears.
func (e *exploreRun) until(text string) {
	e.t.Helper()
	for some := make([]byte, 4096); !strings.Contains(e.errOut.String(), text); {
		n, err := e.person.Read(some)
		if err != nil {
			e.t.Fatalf("%v after %q", err, &e.errOut)
		}
		e.errOut.Write(some[:n])
	}
}

func (e *exploreRun) interrupt() {
	e.t.Helper()
	if err := e.Process.Signal(os.Interrupt); err != nil {
		e.t.Fatal(err)
	}
}

// ended waits for the end. It fails if temporary files remain.
func (e *exploreRun) ended() {
	e.t.Helper()
	_ = e.Wait()
	if status := e.ProcessState.ExitCode(); status != 2 {
		e.t.Errorf("exit status %d", status)
	}
	if left, err := os.ReadDir(e.temp); err != nil || len(left) > 0 {
		e.t.Errorf("temporary files: %v, %v", left, err)
	}
}

// TestExploreReportsAfterInterrupt checks that explore shows its progress at a terminal, and that it reports
// the findings so far after an interrupt.
func TestExploreReportsAfterInterrupt(t *testing.T) {
	e := exploreSky(t, "shouts hangs")
	e.until("1 of 2 types, 1 reached, ")
	e.interrupt()
	e.until("objchange: stopped by a signal (interrupt) before everything was checked")
	e.ended()
	for _, want := range []string{
		"resource sky_balloon\n", "not everything was checked", "1 of 2 types reached", "not explored: 1 type, and 0 only in part",
	} {
		if !strings.Contains(e.out.String(), want) {
			t.Errorf("the report has no %q:\n%s", want, &e.out)
		}
	}
	if strings.Contains(e.out.String(), "sky_kite") {
		t.Errorf("the report has a type that was not explored:\n%s", &e.out)
	}
	if strings.Contains(e.errOut.String(), "destroying") {
		t.Errorf("no object must be destroyed, but the output is:\n%s", &e.errOut)
	}
}

// TestExploreInterruptedLeaves checks that explore reports objects that it could not destroy after
// an interrupt.
func TestExploreInterruptedLeaves(t *testing.T) {
	e := exploreSky(t, "refuses-destroy hangs", "--apply", "*", "--state", "sky.tfstate")
	e.until("1 of 2 types, 1 reached, ")
	e.interrupt()
	e.until("objchange: destroying the objects that were created; press Ctrl-C again to stop at once")
	e.until("objchange: stopped by a signal (interrupt) before everything was checked")
	e.until("1 object could not be destroyed: the state is in sky.tfstate")
	e.ended()
	for _, want := range []string{"failed: resource sky_balloon: 1 object left\n", "left: sky_balloon "} {
		if !strings.Contains(e.out.String(), want) {
			t.Errorf("the report has no %q:\n%s", want, &e.out)
		}
	}
}

// TestSecondInterruptEndsExplore checks that the second interrupt ends explore at once, with a message that
// names the state file.
func TestSecondInterruptEndsExplore(t *testing.T) {
	e := exploreSky(t, "clings", "--apply", "*", "--type", "sky_balloon")
	state := filepath.Join(e.Dir, "objchange-explore.tfstate")
	for text := []byte(nil); !bytes.Contains(text, []byte("sky_balloon")); {
		text, _ = os.ReadFile(state)
		if t.Context().Err() != nil {
			t.Fatal("nothing is created")
		}
	}
	e.interrupt()
	e.until("press Ctrl-C again to stop at once")
	e.interrupt()
	e.until("objchange: stopped: objects may be left, and their state is in objchange-explore.tfstate")
	e.ended()
	if text, err := os.ReadFile(state); err != nil || !bytes.Contains(text, []byte("sky_balloon")) {
		t.Errorf("%s, %v", text, err)
	}
	if e.out.Len() > 0 {
		t.Errorf("got a report:\n%s", &e.out)
	}
}

// TestInterruptEndsExploreWithoutReader checks that one interrupt ends explore if --output is a pipe without
// a reader.
func TestInterruptEndsExploreWithoutReader(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	e := exploreSky(t, "shouts", "-o", pipe)
	e.until("2 types")
	e.interrupt()
	e.until("objchange: stopped before the report was written")
	e.ended()
}
