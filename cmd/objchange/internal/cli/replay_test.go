package cli_test

import (
	"path/filepath"
	"testing"

	"github.com/objchange/objchange/cmd/objchange/internal/report"
)

// The recorded runs, each in each format: the reports are those in
// testdata/replay.
func TestReplayRecordings(t *testing.T) {
	golden, err := filepath.Abs("../../testdata/replay")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(repository) // the reports name logs as the command line does
	runs, err := filepath.Glob("testdata/recordings/time/*/log.jsonl")
	if err != nil || len(runs) != 5 {
		t.Fatal("not the five runs:", runs, err)
	}
	for _, log := range runs {
		dir := filepath.ToSlash(filepath.Dir(log))
		for _, format := range report.Formats() {
			name := filepath.Base(dir) + "." + format
			t.Run(name, func(t *testing.T) {
				compareOutput(t, filepath.Join(golden, name), "", "replay", "--format", format, dir)
			})
		}
	}
	t.Run("all.text", func(t *testing.T) {
		compareOutput(t, filepath.Join(golden, "all.text"), "", "replay", "testdata/recordings/time")
	})
}
