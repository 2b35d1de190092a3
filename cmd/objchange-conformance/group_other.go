//go:build !unix

package main

import "os/exec"

// group does nothing, because the system has no process groups.
func group(*exec.Cmd) {}

// endGroup ends the process.
func endGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
