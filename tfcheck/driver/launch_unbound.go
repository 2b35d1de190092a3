//go:build !linux && !freebsd

package driver

import (
	"os/exec"
)

// bind does nothing: this system cannot kill a process when its parent ends.
func bind(*exec.Cmd) {}
