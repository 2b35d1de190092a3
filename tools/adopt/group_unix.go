//go:build unix

package adopt

import (
	"os/exec"
	"syscall"
)

// group starts the command in its own process group, and returns a function that kills the whole
// group. This is necessary because the go command does not forward an interrupt to the tests.
func group(cmd *exec.Cmd) (kill func() error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
