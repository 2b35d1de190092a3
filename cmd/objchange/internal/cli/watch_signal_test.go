//go:build unix

package cli_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// In scripts, "like-terraform" waits for a signal, also where it is ignored, and prints
// it, as Terraform does with interrupts.
func init() {
	scriptCommands["like-terraform"] = func() {
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT)
		fmt.Println("up")
		fmt.Println(<-signals)
		os.Exit(3)
	}
}

// underShell is the command line of a program that a shell starts with signals ignored, as
// it does with what is to run in the background.
func underShell(t *testing.T, ignored string, args ...string) *exec.Cmd {
	t.Helper()
	return exec.CommandContext(t.Context(), "sh", append([]string{"-c", "trap '' " + ignored + `; exec "$@"`, "sh"}, args...)...)
}

// What ends watch reaches the command, also where watch was started with it ignored.
// Nothing is left behind, and no goroutine is shown.
func TestWatchPassesSignals(t *testing.T) {
	provider, err := exec.LookPath("terraform-provider-cloud")
	if err != nil {
		t.Fatal(err)
	}
	for _, ignored := range []string{"USR1", "INT QUIT", "TERM"} {
		for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT} {
			t.Run(ignored+" "+s.String(), func(t *testing.T) {
				dir := t.TempDir()
				cmd := underShell(t, ignored, "objchange", "watch", "--provider", "acme/cloud="+provider, "--", "like-terraform")
				cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir, "TMPDIR="+dir)
				var errOut bytes.Buffer
				cmd.Stderr = &errOut
				out, err := cmd.StdoutPipe()
				if err == nil {
					err = cmd.Start()
				}
				if err != nil {
					t.Fatal(err)
				}
				lines := bufio.NewScanner(out)
				lines.Scan()
				if err := cmd.Process.Signal(s); err != nil {
					t.Fatal(err)
				}
				lines.Scan()
				_ = cmd.Wait()
				if got := lines.Text(); got != s.String() || cmd.ProcessState.ExitCode() != 3 || strings.Contains(errOut.String(), "goroutine") {
					t.Errorf("the command got %q, exit status %d: %s", got, cmd.ProcessState.ExitCode(), &errOut)
				}
				if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) > 0 {
					t.Errorf("left: %v, %v", left, err)
				}
			})
		}
	}
}

// A command ignores interrupts if watch was started to ignore them, as it does without
// watch. Go does not report other ignored signals.
func TestWatchInheritsIgnored(t *testing.T) {
	provider, err := exec.LookPath("terraform-provider-cloud")
	if err != nil {
		t.Fatal(err)
	}
	for ignored, want := range map[string]string{"USR1": "", "INT": "alive\n"} {
		dir := t.TempDir()
		cmd := underShell(t, ignored, "objchange", "watch", "--provider", "acme/cloud="+provider, "--", "sh", "-c", "kill -INT $$; echo alive")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir)
		if out, _ := cmd.Output(); string(out) != want {
			t.Errorf("%s is ignored: prints %q, want %q", ignored, out, want)
		}
	}
}

// Watch without a command ends by what it waits for, also where that is ignored.
func TestWatchWaitEndsBySignal(t *testing.T) {
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGQUIT} {
		provider, err := exec.LookPath("terraform-provider-cloud")
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		cmd := underShell(t, "INT QUIT", "objchange", "watch", "--provider", "acme/cloud="+provider)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir, "TMPDIR="+dir)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		bufio.NewScanner(out).Scan()
		if err := cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		left, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil || len(left) > 0 || cmd.ProcessState.ExitCode() != 0 {
			t.Errorf("%s: exit status %d, left %v, %v", s, cmd.ProcessState.ExitCode(), left, err)
		}
	}
}
