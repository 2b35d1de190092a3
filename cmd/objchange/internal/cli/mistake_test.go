package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/objchange/objchange/cmd/objchange/internal/drive"
	"github.com/objchange/objchange/cmd/objchange/internal/mistake"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
)

// A mistaken writer panics from the n-th write on.
type mistaken struct{ left int }

func (m *mistaken) Write(p []byte) (int, error) {
	if m.left--; m.left < 0 {
		panic("what was to be written: " + string(p))
	}
	return len(p), nil
}

// A panic while something is shown, or the report is written, leaves nothing
// behind, and tells where it was but no values.
func TestDriveMistake(t *testing.T) {
	for _, format := range []report.Format{report.Text, report.JSON} {
		for writes := range 4 {
			dir := t.TempDir()
			config, journal := filepath.Join(dir, "config.json"), filepath.Join(dir, "journal")
			t.Setenv("JOURNAL", journal)
			if err := os.WriteFile(config, []byte(`{"name": "hush secret"}`), 0o600); err != nil {
				t.Fatal(err)
			}
			a, _ := newApp("")
			var errOut bytes.Buffer
			a.out, a.errOut, a.format = &mistaken{writes}, &errOut, format
			err := a.drive(t.Context(), driveInput{Input: drive.Input{Provider: "terraform-provider-cloud", Type: "cloud_server", Config: config, Grace: time.Minute}, yes: true})
			if format == report.JSON && writes > 0 {
				continue // it has written all at once
			}
			if !errors.Is(err, mistake.Err) || !strings.Contains(errOut.String(), "mistaken") || strings.Contains(errOut.String(), "secret") {
				t.Errorf("%s, %d writes: %v, %s", format, writes, err, &errOut)
			}
			done, _ := os.ReadFile(journal)
			if got := strings.Fields(string(done)); !slices.Equal(got, []string{"created", "destroyed"}) {
				t.Errorf("%s, %d writes: %s", format, writes, got)
			}
		}
	}
}

// What may be left over is told even where no report can be written.
func TestDriveCannotReport(t *testing.T) {
	config := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(config, []byte(`{"name": "web"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for does, want := range map[string]string{
		"vanishes":        "a cloud_server may be left over: the provider did not answer with its state",
		"refuses-destroy": `left over: a cloud_server with the id "i-1"`,
	} {
		t.Setenv("CLOUD", does)
		a, _ := newApp("")
		a.out, a.errOut, a.format = &mistaken{}, &bytes.Buffer{}, report.JSON
		err := a.drive(t.Context(), driveInput{Input: drive.Input{Provider: "terraform-provider-cloud", Type: "cloud_server", Config: config, Grace: time.Minute}, yes: true})
		if !errors.Is(err, mistake.Err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", does, err)
		}
	}
}
