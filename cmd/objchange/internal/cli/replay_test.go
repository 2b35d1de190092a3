package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/objchange/internal/cli"
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
				compareReplay(t, filepath.Join(golden, name), "--format", format, dir)
			})
		}
	}
	t.Run("all.text", func(t *testing.T) {
		compareReplay(t, filepath.Join(golden, "all.text"), "testdata/recordings/time")
	})
}

func compareReplay(t *testing.T, golden string, args ...string) {
	t.Helper()
	var out, errOut strings.Builder
	if status := cli.Run(append([]string{"replay"}, args...), nil, &out, &errOut); status != 0 {
		t.Errorf("exit status %d: %s", status, &errOut)
	}
	if *update {
		if err := os.WriteFile(golden, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("the report is not that in %s; it is\n%s", golden, &out)
	}
}
