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

// Scripts can run "like-terraform", which waits for a signal, even if the signal is ignored, and
// prints it, as Terraform does with interrupts.
func init() {
	scriptCommands["like-terraform"] = func() {
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT)
		fmt.Println("up")
		fmt.Println(<-signals)
		os.Exit(3)
	}
}

// watching starts a watch of the test provider in an empty folder, from a shell with signals
// ignored. It returns after the first line of output.
func watching(t *testing.T, ignored string, args ...string) (cmd *exec.Cmd, out *bufio.Scanner, errOut *bytes.Buffer) {
	t.Helper()
	provider, err := exec.LookPath("terraform-provider-cloud")
	if err != nil {
		t.Fatal(err)
	}
	watch := []string{"-c", "trap '' " + ignored + `; exec "$@"`, "sh", "objchange", "watch", "--provider", "acme/cloud=" + provider}
	cmd = exec.CommandContext(t.Context(), "sh", append(watch, args...)...)
	cmd.Dir, errOut = t.TempDir(), &bytes.Buffer{}
	cmd.Env, cmd.Stderr = append(os.Environ(), "HOME="+cmd.Dir, "TMPDIR="+cmd.Dir), errOut
	pipe, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	out = bufio.NewScanner(pipe)
	out.Scan()
	return cmd, out, errOut
}

// ended sends the signal, and fails the test unless watch ends with the status and leaves no files.
func ended(t *testing.T, cmd *exec.Cmd, out *bufio.Scanner, s os.Signal, status int) {
	t.Helper()
	if err := cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
	out.Scan()
	_ = cmd.Wait()
	left, err := filepath.Glob(filepath.Join(cmd.Dir, "*"))
	if err != nil || len(left) > 0 || cmd.ProcessState.ExitCode() != status {
		t.Errorf("%s: exit status %d, want %d, left %v, %v", s, cmd.ProcessState.ExitCode(), status, left, err)
	}
}

// TestWatchPassesSignals checks that signals reach the command, even if watch was started with them
// ignored. No files remain, and no stack trace is printed.
func TestWatchPassesSignals(t *testing.T) {
	for _, test := range []struct {
		ignored string
		signal  os.Signal
	}{
		{"USR1", os.Interrupt},
		{"USR1", syscall.SIGTERM},
		{"TERM", syscall.SIGTERM},
		{"INT QUIT", os.Interrupt},
		{"INT QUIT", syscall.SIGQUIT},
	} {
		t.Run(test.ignored+" "+test.signal.String(), func(t *testing.T) {
			cmd, out, errOut := watching(t, test.ignored, "--", "like-terraform")
			ended(t, cmd, out, test.signal, 3)
			if got := out.Text(); got != test.signal.String() || strings.Contains(errOut.String(), "goroutine") {
				t.Errorf("the command got %q: %s", got, errOut)
			}
		})
	}
}

// TestWatchInheritsIgnored checks that a command ignores interrupts if watch was started with them
// ignored, as without watch. Go does not report other ignored signals.
func TestWatchInheritsIgnored(t *testing.T) {
	for ignored, want := range map[string]string{"USR1": "", "INT": "alive"} {
		cmd, out, _ := watching(t, ignored, "--", "sh", "-c", "kill -INT $$; echo alive")
		if got := out.Text(); got != want {
			t.Errorf("%s is ignored: prints %q, want %q", ignored, got, want)
		}
		_ = cmd.Wait()
	}
}

// TestWatchWaitEndsBySignal checks that watch without a command ends at a signal, even if the
// signal is ignored. No client connects here, so nothing could be checked.
func TestWatchWaitEndsBySignal(t *testing.T) {
	cmd, out, _ := watching(t, "INT QUIT")
	ended(t, cmd, out, syscall.SIGQUIT, 2)
}
