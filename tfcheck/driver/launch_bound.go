//go:build linux || freebsd

package driver

import (
	"os/exec"
	"syscall"
)

// bind makes the system kill the process when the thread ends that starts it,
// with which ends this process, however it does.
func bind(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL }
