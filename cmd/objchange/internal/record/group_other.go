//go:build !unix

package record

import (
	"os"
	"os/exec"
)

func group(*exec.Cmd) {}

func signalGroup(cmd *exec.Cmd, s os.Signal) { _ = cmd.Process.Signal(s) }
