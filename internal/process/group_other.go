//go:build !unix

package process

import (
	"os"
	"os/exec"
)

// Group does nothing on systems without process groups.
func Group(*exec.Cmd) {}

// SignalGroup sends a signal to the process.
func SignalGroup(cmd *exec.Cmd, s os.Signal) { _ = cmd.Process.Signal(s) }
