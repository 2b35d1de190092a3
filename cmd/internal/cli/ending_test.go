package cli_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/objchange/objchange/cmd/internal/report"
)

// TestSignalsKeepTheReport checks that a command ended by a signal reports its results so far, in
// every format.
func TestSignalsKeepTheReport(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such signals")
	}
	runs, err := filepath.Abs(filepath.Join(repository, "testdata", "recordings", "time"))
	if err != nil {
		t.Fatal(err)
	}
	recording := readText(t, filepath.Join(runs, "1-create", "exchanges.jsonl"))
	document := `{"name": "web", "schema": {"attributes": {"name": {"type": "string", "required": true}}}, "prior": null, "config": {"name": "web"}, "initial_planned": {"name": "WEB"}}`
	audit := []string{"audit", "../time/1-create/plan.json", "../time/2-noop/plan.json", "/dev/stdin", "--schemas", "schemas.json"}
	for name, test := range map[string]struct {
		args  []string
		in    string // the input, which then stays open
		shows string
	}{
		"audit":             {audit, "", "time_static.start"},
		"audit, in schemas": {[]string{"audit", "1-create/plan.json", "--schemas", "-"}, "", ""},
		"check":             {[]string{"check", "-"}, document + "\n", "plan-not-config"},
		"replay":            {[]string{"replay", "-"}, recording[:strings.LastIndex(strings.TrimSpace(recording), "\n")+1], "time_static"},
	} {
		for _, format := range report.Formats() {
			t.Run(name+" "+string(format), func(t *testing.T) {
				t.Parallel()
				out, status := endWaiting(t, runs, append(test.args, "--format", string(format)), test.in)
				shows := test.shows
				if name != "check" && format == report.Markdown { // it does not list subjects without findings
					shows = "ok"
				}
				if format == report.Text && name != "check" && shows != "" {
					shows = " ok\n"
				}
				if format == report.SARIF { // it does not show subjects without findings
					shows = cmp.Or(map[bool]string{true: "plan-not-config"}[name == "check"], "stopped")
				}
				if status != 2 || !strings.Contains(out, "stopped by a signal (terminated)") || !strings.Contains(out, shows) {
					t.Errorf("exit status %d:\n%s", status, out)
				}
				if format == report.JSON && !json.Valid([]byte(out[:strings.LastIndex(out, "}")+1])) {
					t.Errorf("the output is not JSON:\n%s", out)
				}
			})
		}
	}
}

// TestSignalsEndWhatPrintsPiecewise checks that a command without a report prints an error at a
// signal, and does not write the file of --output.
func TestSignalsEndWhatPrintsPiecewise(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such signals")
	}
	recording := readText(t, filepath.Join(repository, "testdata", "recordings", "time", "1-create", "exchanges.jsonl"))
	for name, args := range map[string][]string{
		"documents": {"replay", "--documents", "-o", "out", "-"},
		"redact":    {"replay", "--redact", "out", "-"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			printed, status := endWaiting(t, dir, args, recording)
			_, err := os.Stat(filepath.Join(dir, "out"))
			if status != 2 || !strings.Contains(printed, "stopped by a signal (terminated)") || err == nil {
				t.Errorf("exit status %d, %v:\n%s", status, err, printed)
			}
		})
	}
}

// endWaiting runs the command with an input that stays open, and ends it when it waits for input.
func endWaiting(t *testing.T, dir string, args []string, in string) (printed string, status int) {
	t.Helper()
	cmd := exec.Command("objchange", args...)
	var out bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &out
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(stdin, in); err != nil {
		t.Fatal(err)
	}
	waitUntilIdle(t, cmd.Process.Pid)
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	err = cmd.Wait()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), cmd.ProcessState.ExitCode()
}

// waitUntilIdle waits until the process has used no processor time for a while, because it waits
// for input.
func waitUntilIdle(t *testing.T, pid int) {
	t.Helper()
	if runtime.GOOS != "linux" {
		time.Sleep(3 * time.Second)
		return
	}
	last, since := "", time.Now()
	for time.Since(since) < time.Second { // loading the program may take long on a busy machine
		now, sleeps := threads(t, pid)
		if now != last || !sleeps { // on a busy machine, a runnable thread may wait for long
			last, since = now, time.Now()
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// threads returns the state and the time in user and kernel mode of each thread of a process, and
// whether all of them sleep.
func threads(t *testing.T, pid int) (all string, sleep bool) {
	t.Helper()
	stats, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/stat")
	if err != nil || len(stats) == 0 {
		t.Fatal("the process is gone", err)
	}
	sleep = true
	for _, stat := range stats {
		text, err := os.ReadFile(stat)
		if err != nil {
			return "", false // a thread has ended
		}
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		all += fields[0] + fields[11] + fields[12] + " "
		sleep = sleep && fields[0] == "S"
	}
	return all, sleep
}
