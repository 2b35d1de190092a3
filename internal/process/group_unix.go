//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// group makes the process the leader of a new group, to kill it with all its children.
func group(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
