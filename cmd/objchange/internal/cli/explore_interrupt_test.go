//go:build unix

package cli_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/objchange/internal/testkit"
)

// TestExploreInterrupted: at a terminal, explore shows how far it is, and after an interrupt it
// reports what was found until then.
func TestExploreInterrupted(t *testing.T) {
	hints := filepath.Join(t.TempDir(), "hints.yaml")
	if err := os.WriteFile(hints, []byte("provider: {env: {SKY: shouts hangs}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	person, tty := testkit.Terminal(t, 100)
	var out bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "objchange", "explore", "terraform-provider-sky", "--requests", "50", "--time-limit", "1h", "--hints", hints)
	cmd.Stdout, cmd.Stderr = &out, tty
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	until := func(text string) {
		t.Helper()
		for some := make([]byte, 4096); !strings.Contains(said.String(), text); {
			n, err := person.Read(some)
			if err != nil {
				t.Fatalf("%v after %q", err, &said)
			}
			said.Write(some[:n])
		}
	}
	until("1 of 2 types, 1 reached, ")
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	until("objchange: ended by a signal (interrupt) before everything was checked")
	_ = cmd.Wait()
	if status := cmd.ProcessState.ExitCode(); status != 2 {
		t.Errorf("exit status %d", status)
	}
	for _, want := range []string{"  resource  sky_balloon  1 finding\n", "not everything was checked"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report has no %q:\n%s", want, &out)
		}
	}
	if strings.Contains(out.String(), "sky_kite") {
		t.Errorf("the report has a type that was not explored:\n%s", &out)
	}
}
