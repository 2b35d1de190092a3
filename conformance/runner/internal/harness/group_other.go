//go:build !unix

package harness

import "os/exec"

// group does nothing where there are no groups.
func group(*exec.Cmd) {}

// endGroup ends the process.
func endGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
