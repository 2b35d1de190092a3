//go:build !unix

package testprovider

import "os/exec"

func leave(*exec.Cmd) {}
