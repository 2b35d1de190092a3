//go:build linux || freebsd

package driver

import (
	"os/exec"
	"syscall"
)

// bind makes the system kill the process when the thread that starts it ends. The thread also
// ends when this process ends, for any reason.
func bind(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL }
