//go:build !unix

package adopt

import "os/exec"

func group(cmd *exec.Cmd) (kill func() error) {
	return func() error { return cmd.Process.Kill() }
}
