//go:build unix

package command

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
)

// TestSignalsReachAllProcesses checks that signals reach all processes of the command. At a
// terminal, they reach the command alone, which can read from the terminal. The terminal itself
// sends an interrupt, so Run does not send a second one.
func TestSignalsReachAllProcesses(t *testing.T) {
	const (
		waits = `echo up >&2; until test "$told"; do sleep 0.02; done`
		child = `sh -c 'trap "echo child; told=1" INT TERM; ` + waits + `'`
	)
	for _, test := range []struct {
		name       string
		atTerminal bool
		command    string
		signal     os.Signal
		want       string // the command's output
	}{
		{"interrupt", false, `trap "echo parent" INT; ` + child, os.Interrupt, "child parent"},
		{"end", false, `trap "echo parent" TERM; ` + child, syscall.SIGTERM, "child parent"},
		{"end at a terminal", true, `trap "echo parent; told=1" TERM; ` + waits, syscall.SIGTERM, "parent"},
		{"interrupt at a terminal", true, `trap "echo parent" INT; echo up >&2; sleep 0.2`, os.Interrupt, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var output strings.Builder
			up, upWriter, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("sh", "-c", test.command)
			cmd.Stdout, cmd.Stderr = &output, upWriter
			if test.atTerminal {
				_, tty, err := pty.Open()
				if err != nil {
					t.Fatal(err)
				}
				defer tty.Close()
				cmd.Stdin = tty
			}
			signals := make(chan os.Signal, 1)
			go func() {
				_, _ = up.Read(make([]byte, 1))
				signals <- test.signal
			}()
			if err := Run(cmd, signals); err != nil && !errors.As(err, new(*exec.ExitError)) {
				t.Fatal(err)
			}
			if got := strings.Join(strings.Fields(output.String()), " "); got != test.want {
				t.Errorf("prints %q, want %q", got, test.want)
			}
		})
	}
}
