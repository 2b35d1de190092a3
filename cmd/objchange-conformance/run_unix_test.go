//go:build unix

// Windows has no process groups and no interrupts that a test can send.

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/objchange/objchange/conformance"
)

// TestProcessesOfAdapterEndWithIt checks that the processes that an adapter started end with it.
func TestProcessesOfAdapterEndWithIt(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pid")
	script := fmt.Sprintf("sleep 600 & echo $! > %s; wait", file)
	got, err := conform(t, "--cases", few(t), "--give-up", "1", "--op", "proposed", "--timeout", "500ms",
		"--", "sh", "-c", script)
	if err != nil || got.Total[conformance.VerdictSilent] != 1 {
		t.Errorf("%v, %v", err, got.Total)
	}
	pid, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for range 100 { // the system may take a while to end it
		if exec.Command("kill", "-0", strings.TrimSpace(string(pid))).Run() != nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Error("the started process still runs")
}

// TestInterruptedRunReports checks that an interrupt ends a run, and that the report has the results so
// far.
func TestInterruptedRunReports(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "asked")
	cmd := exec.Command("objchange-conformance", "--cases", few(t), "--timeout", "10m", "--", "mute", file)
	var out, errOut strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for asked := false; !asked; time.Sleep(10 * time.Millisecond) {
		_, err := os.Stat(file)
		asked = err == nil
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	interrupted := strings.Contains(errOut.String(), "the run was interrupted")
	if !interrupted || cmd.ProcessState.ExitCode() != 2 || !strings.Contains(out.String(), "coverage") {
		t.Errorf("exit status %d, %s%s", cmd.ProcessState.ExitCode(), &out, &errOut)
	}
}
