//go:build unix

package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestLostOutputIsAnError checks that a report that cannot be printed is an error on standard error with
// exit status 2. If the reader of a pipe ends early, as head does, the command ends without a
// message.
func TestLostOutputIsAnError(t *testing.T) {
	dir := t.TempDir()
	for name, planned := range map[string]string{"good.json": "a", "bad.json": "b"} {
		text, err := json.Marshal(map[string]any{
			"schema": map[string]any{"attributes": map[string]any{"name": map[string]any{"type": "string", "optional": true}}},
			"prior":  nil, "config": map[string]any{"name": "a"}, "initial_planned": map[string]any{"name": planned},
		})
		if err := errors.Join(err, os.WriteFile(filepath.Join(dir, name), text, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	const full = "objchange: write /dev/stdout: no space left on device\n"
	for _, test := range []struct {
		line, status string
		stderr       string // the beginning of standard error; "" is empty
	}{
		{"objchange check bad.json >/dev/full", "2", full},
		{"objchange check good.json >/dev/full", "2", full},
		{"objchange explain >/dev/full", "2", full},
		{"objchange check -o /dev/full bad.json", "2", "objchange: write /dev/full: no space left on device\n"},
		{"{ sleep 0.3; objchange check bad.json; } | true", "141", ""}, // 128 plus SIGPIPE
	} {
		if strings.Contains(test.line, "full") && runtime.GOOS != "linux" {
			continue
		}
		var errOut bytes.Buffer
		cmd := exec.CommandContext(t.Context(), "sh", "-c", strings.Replace(test.line, ".json; }", ".json; echo $? >status; }", 1)+"; echo $? >>status")
		cmd.Dir, cmd.Stderr = dir, &errOut
		if err := errors.Join(os.RemoveAll(filepath.Join(dir, "status")), cmd.Run()); err != nil {
			t.Fatal(err)
		}
		status, _, _ := strings.Cut(readText(t, filepath.Join(dir, "status")), "\n")
		if stderr := errOut.String(); status != test.status || (test.stderr == "") != (stderr == "") || !strings.HasPrefix(stderr, test.stderr) {
			t.Errorf("%s: exit status %s, want %s; prints %s", test.line, status, test.status, stderr)
		}
	}
}
