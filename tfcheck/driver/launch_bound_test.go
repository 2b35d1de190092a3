//go:build linux || freebsd

package driver_test

import (
	"bufio"
	"os"
	"os/exec"
	"testing"

	"github.com/objchange/objchange/tfcheck/internal/testprovider"
)

// TestLaunchBound checks that a provider exits with the process that launched it, even if that
// process is killed.
func TestLaunchBound(t *testing.T) {
	address, gone := witnessAddress(t)
	launcher := exec.Command(self(t))
	launcher.Env = append(os.Environ(), launcherEnv+"=5", testprovider.Witness+"="+address)
	out, err := launcher.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := launcher.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != launched {
		t.Errorf("%q, %v", line, err)
	}
	if err := launcher.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = launcher.Wait() // it was killed
	gone()
}
