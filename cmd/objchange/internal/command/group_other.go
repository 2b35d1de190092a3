//go:build !unix

package command

import (
	"os"
	"os/exec"
)

func group(*exec.Cmd) {}

func signalGroup(cmd *exec.Cmd, s os.Signal) { _ = cmd.Process.Signal(s) }
