// Package command runs other programs: one in the place of this one, or in a group that
// ends as a whole.
package command

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"

	"golang.org/x/term"
)

// Ends returns the signals that end this program. Like Terraform, it obeys them also if it
// was started with them ignored, as a shell starts commands in the background. Only an
// ignored SIGHUP stays ignored, so that nohup works.
func Ends() []os.Signal {
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT}
	if !signal.Ignored(syscall.SIGHUP) {
		ends = append(ends, syscall.SIGHUP)
	}
	return ends
}

// Endings receives them.
func Endings() chan os.Signal {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, Ends()...)
	return signals
}

// deaf is whether this program was started with interrupts ignored.
var deaf = signal.Ignored(os.Interrupt)

// start starts the command, which is deaf if this program was started so.
func start(cmd *exec.Cmd, signals chan<- os.Signal) error {
	if deaf {
		signal.Ignore(os.Interrupt)
		defer signal.Notify(signals, os.Interrupt)
	}
	return cmd.Start()
}

// Run runs the command, which is the one to say what a signal means. At a terminal
// it stays in the group that may read there, and to which what is typed comes by
// itself. Elsewhere it has a group of its own, so that signals reach what it runs.
func Run(cmd *exec.Cmd, signals chan os.Signal) error {
	stdin, ok := cmd.Stdin.(*os.File)
	grouped := !ok || !term.IsTerminal(int(stdin.Fd()))
	if grouped {
		Group(cmd)
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
				signalGroup(cmd, s)
			} else if s != os.Interrupt && s != syscall.SIGQUIT {
				_ = cmd.Process.Signal(s)
			}
		case err := <-done:
			return err
		}
	}
}

// NotStartable returns why the file cannot be started, or "" if that is not known.
func NotStartable(path string) string {
	if _, err := exec.LookPath(path); err == nil {
		return ""
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return ""
	case info.IsDir():
		return "is a folder"
	case info.Mode()&0o111 == 0:
		return "is not executable"
	case filepath.Base(path) == path:
		return "is not in $PATH: did you mean ." + string(filepath.Separator) + path + "?"
	}
	return ""
}
