//go:build unix

package testprovider

import (
	"os/exec"
	"syscall"
)

// leave starts the process in a session of its own.
func leave(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
