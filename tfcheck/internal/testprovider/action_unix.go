//go:build unix

package testprovider

import (
	"os/exec"
	"syscall"
)

// leave makes the process start in a new session.
func leave(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
