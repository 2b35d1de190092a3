//go:build unix

package explore_test

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/objchange/objchange/livetest/internal/live"
)

// TestExploreInterruptedWhileItApplies checks that an exploration that applies leaves nothing
// behind when it is interrupted: no process, no directory and no object. For the objects of a
// fake in the test's process, see TestInterruptedLifecycleLeavesNoObjects.
func TestExploreInterruptedWhileItApplies(t *testing.T) {
	live.ProgramsOnly(t)
	t.Parallel()
	dir := t.TempDir()
	provider := filepath.Join(dir, "terraform-provider-time")
	live.BuildAs(t, live.TimeProvider, provider)
	command := live.Build(t, live.Command)
	rng, interrupted := rand.New(rand.NewPCG(1, 2)), 0
	for tries := 0; tries < 20 && interrupted < 5; tries++ {
		scratch, work := t.TempDir(), t.TempDir()
		cmd := exec.CommandContext(t.Context(), command, "explore", provider, "--apply", "*", "--type", "time_[ors]*", "--requests", "150")
		cmd.Dir, cmd.Env = work, append(os.Environ(), "TMPDIR="+scratch)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		after := time.Duration(rng.IntN(1000)) * time.Millisecond
		time.Sleep(after)
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Logf("it ended within %v: %v", after, err)
		}
		if err := cmd.Wait(); err != nil {
			interrupted++
		}
		for _, folder := range []string{scratch, work} {
			if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
				t.Errorf("interrupted after %v, left %v, %v", after, left, err)
			}
		}
	}
	if interrupted < 5 {
		t.Errorf("only %d were interrupted", interrupted)
	}
}
