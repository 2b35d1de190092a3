//go:build unix

package process

import (
	"os"
	"os/exec"
	"syscall"
)

// Group makes the command the leader of a process group of its own when it starts, so signals can
// be sent to it with all its children.
func Group(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// SignalGroup sends a signal to the processes of the group.
func SignalGroup(cmd *exec.Cmd, s os.Signal) { _ = syscall.Kill(-cmd.Process.Pid, s.(syscall.Signal)) }
