//go:build unix

package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/testkit"
)

// A signaller is an input that sends a signal to the command and then stays open.
type signaller struct{ done <-chan struct{} }

func (s signaller) Read([]byte) (int, error) {
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		return 0, err
	}
	<-s.done
	return 0, io.EOF
}

// runSignalled runs the command with an input after which a signal ends the command.
func runSignalled(t *testing.T, in string, args ...string) (printed string, status int) {
	t.Helper()
	var out strings.Builder
	status = Run(args, io.MultiReader(strings.NewReader(in), signaller{t.Context().Done()}), &out, &out)
	return out.String(), status
}

const recordings = "../../../testdata/recordings/time"

// TestSignalsKeepTheReport checks that a command ended by a signal reports its results so far, in
// every format.
func TestSignalsKeepTheReport(t *testing.T) {
	recording := string(testkit.ReadFile(t, recordings+"/1-create/exchanges.jsonl"))
	const document = `{"name": "web", "schema": {"attributes": {"name": {"type": "string", "required": true}}}, "prior": null, "config": {"name": "web"}, "initial_planned": {"name": "WEB"}}`
	dir := t.TempDir()
	for name, to := range map[string]string{"1-create/plan.json": "+.json", "schemas.json": "schemas.json"} { // + is before -
		if err := os.WriteFile(filepath.Join(dir, to), testkit.ReadFile(t, filepath.Join(recordings, name)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for name, test := range map[string]struct {
		args []string
		in   string
		want map[report.Format]string // the result; some formats show only findings
	}{
		"audit": {[]string{"audit", "+.json", "+.json", "-", "--schemas", "schemas.json"}, "",
			map[report.Format]string{report.Text: " ok\n", report.JSON: "time_static.start", report.JUnit: "time_static.start"}},
		"audit, in schemas": {[]string{"audit", "+.json", "--schemas", "-"}, "", nil},
		"check": {[]string{"check", "-"}, document + "\n",
			map[report.Format]string{report.Text: "plan-not-config", report.JSON: "plan-not-config", report.JUnit: "plan-not-config", report.SARIF: "plan-not-config", report.Markdown: "plan-not-config"}},
		"replay": {[]string{"replay", "-"}, recording[:strings.LastIndex(strings.TrimSpace(recording), "\n")+1],
			map[report.Format]string{report.Text: " ok\n", report.JSON: "time_static", report.JUnit: "time_static"}},
	} {
		for _, format := range report.Formats() {
			out, status := runSignalled(t, test.in, append(test.args, "--format", string(format))...)
			if status != 2 || !strings.Contains(out, "stopped by a signal (terminated)") || !strings.Contains(out, cmp.Or(test.want[format], "stopped")) {
				t.Errorf("%s, %s: exit status %d:\n%s", name, format, status, out)
			}
			if format == report.JSON && !json.Valid([]byte(out[:strings.LastIndex(out, "}")+1])) {
				t.Errorf("%s: the output is not JSON:\n%s", name, out)
			}
		}
	}
}

// TestSignalsEndWhatPrintsPiecewise checks that a command without a report prints an error at a
// signal, and does not write the file of --output.
func TestSignalsEndWhatPrintsPiecewise(t *testing.T) {
	recording := string(testkit.ReadFile(t, recordings+"/1-create/exchanges.jsonl"))
	for _, args := range [][]string{{"replay", "--documents", "-o", "out", "-"}, {"replay", "--redact", "out", "-"}} {
		t.Chdir(t.TempDir())
		printed, status := runSignalled(t, recording, args...)
		if _, err := os.Stat("out"); status != 2 || !strings.Contains(printed, "stopped by a signal (terminated)") || err == nil {
			t.Errorf("%q: exit status %d, %v:\n%s", args, status, err, printed)
		}
	}
}

// TestSignalEndsWaitingForReader checks that a signal ends a command that waits for the reader of a
// named pipe.
func TestSignalEndsWaitingForReader(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	e, signal := newEnding(), errors.New("a signal")
	go e.end(signal)
	if err := e.toFile(pipe, func(io.Writer) error { return nil }); !errors.Is(err, signal) {
		t.Error(err)
	}
}
