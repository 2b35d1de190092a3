//go:build unix

package adopt

import (
	"os/exec"
	"syscall"
)

// group makes the command the head of a process group, and returns a function that ends the
// whole group: the go command does not pass an interrupt on to the tests.
func group(cmd *exec.Cmd) (kill func() error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
