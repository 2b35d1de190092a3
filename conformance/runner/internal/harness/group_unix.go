//go:build unix

package harness

import (
	"os/exec"
	"syscall"
)

// group makes the process, when it starts, the first of a group.
func group(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup ends the process and what is left of its group.
func endGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
