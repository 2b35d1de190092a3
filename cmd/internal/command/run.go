// Package command runs another program, and passes signals on to it.
package command

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"golang.org/x/term"

	"github.com/objchange/objchange/internal/process"
)

// Ends returns the signals that end this program. Like Terraform, it handles them even if it was
// started with them ignored, as a shell does for background commands. Only an ignored SIGHUP stays
// ignored, because nohup needs it.
func Ends() []os.Signal {
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT}
	if !signal.Ignored(syscall.SIGHUP) {
		ends = append(ends, syscall.SIGHUP)
	}
	return ends
}

// Endings returns a channel that receives the signals of Ends.
func Endings() chan os.Signal {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, Ends()...)
	return signals
}

// ignoresInterrupts reports whether this program was started with interrupts ignored.
var ignoresInterrupts = signal.Ignored(os.Interrupt)

// start starts the command. The command ignores interrupts if this program was started so.
func start(cmd *exec.Cmd, signals chan<- os.Signal) error {
	if ignoresInterrupts {
		signal.Ignore(os.Interrupt)
		defer signal.Notify(signals, os.Interrupt)
	}
	return cmd.Start()
}

// Run runs the command, which decides how to react to signals. At a terminal, the command stays in
// the foreground process group, which may read from the terminal and receives its interrupts.
// Otherwise, it gets its own process group, so signals also reach its children.
func Run(cmd *exec.Cmd, signals chan os.Signal) error {
	stdin, ok := cmd.Stdin.(*os.File)
	grouped := !ok || !term.IsTerminal(int(stdin.Fd()))
	if grouped {
		process.Group(cmd)
	}
	if err := start(cmd, signals); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for {
		select {
		case s := <-signals:
			if grouped {
				process.SignalGroup(cmd, s)
			} else if s != os.Interrupt && s != syscall.SIGQUIT {
				_ = cmd.Process.Signal(s)
			}
		case err := <-done:
			return err
		}
	}
}
