//go:build !unix

package command

import (
	"os"
	"os/exec"
)

// Group does nothing where there are no groups.
func Group(*exec.Cmd) {}

func signalGroup(cmd *exec.Cmd, s os.Signal) { _ = cmd.Process.Signal(s) }
