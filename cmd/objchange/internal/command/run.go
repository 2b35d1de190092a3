// Package command runs other programs: one in the place of this one, or in a group that
// ends as a whole.
package command

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"golang.org/x/term"
)

// Endings are the signals that end programs, but those that nohup and shells have
// this one ignore.
func Endings() chan os.Signal {
	signals := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	return signals
}

// Run runs the command, which is the one to say what a signal means. At a terminal
// it stays in the group that may read there, and to which an interrupt comes by
// itself. Elsewhere it has a group of its own, so that signals reach what it runs.
func Run(cmd *exec.Cmd, signals <-chan os.Signal) error {
	stdin, ok := cmd.Stdin.(*os.File)
	grouped := !ok || !term.IsTerminal(int(stdin.Fd()))
	if grouped {
		Group(cmd)
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for {
		select {
		case s := <-signals:
			if grouped {
				signalGroup(cmd, s)
			} else if s != os.Interrupt {
				_ = cmd.Process.Signal(s)
			}
		case err := <-done:
			return err
		}
	}
}
