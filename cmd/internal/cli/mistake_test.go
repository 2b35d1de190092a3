package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/objchange/objchange/cmd/internal/drive"
	"github.com/objchange/objchange/cmd/internal/mistake"
	"github.com/objchange/objchange/cmd/internal/report"
)

// A mistaken is a writer that panics after a number of writes.
type mistaken struct{ left int }

func (m *mistaken) Write(p []byte) (int, error) {
	if m.left--; m.left < 0 {
		panic("what was to be written: " + string(p))
	}
	return len(p), nil
}

// TestDriveMistake checks that after a panic in the output the object is destroyed, or reported if
// it may remain. The message shows the place of the panic, and no values.
func TestDriveMistake(t *testing.T) {
	const destroyed = "created destroyed"
	for _, test := range []struct {
		format           report.Format
		writes           int
		does             string
		journal, wantErr string
	}{
		{report.Text, 0, "", destroyed, ""},
		{report.Text, 1, "", destroyed, ""},
		{report.Text, 3, "", destroyed, ""},
		{report.JSON, 0, "", destroyed, ""},
		{report.JSON, 0, "vanishes", "created", "a cloud_server may still exist: the provider did not return its state"},
		{report.JSON, 0, "refuses-destroy", "created", `not destroyed: a cloud_server with the id "i-1"`},
	} {
		dir := t.TempDir()
		config, journal := filepath.Join(dir, "config.json"), filepath.Join(dir, "journal")
		t.Setenv("JOURNAL", journal)
		t.Setenv("CLOUD", test.does)
		if err := os.WriteFile(config, []byte(`{"name": "hush secret"}`), 0o600); err != nil {
			t.Fatal(err)
		}
		a, _ := newApp("")
		var errOut bytes.Buffer
		a.out, a.errOut, a.format = &mistaken{test.writes}, &errOut, test.format
		err := a.drive(t.Context(), driveInput{Input: drive.Input{Provider: "terraform-provider-cloud", Type: "cloud_server", Config: config, Grace: time.Minute}, yes: true})
		if !errors.Is(err, mistake.Err) || !strings.Contains(err.Error(), test.wantErr) || !strings.Contains(errOut.String(), "mistaken") || strings.Contains(errOut.String(), "secret") {
			t.Errorf("%+v: %v, %s", test, err, &errOut)
		}
		done, _ := os.ReadFile(journal)
		if got := strings.Join(strings.Fields(string(done)), " "); got != test.journal {
			t.Errorf("%+v: %s", test, got)
		}
	}
}
