package cli_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/internal/cli"
	"github.com/objchange/objchange/cmd/internal/testkit"
)

// TestRecordedRunsAreReplayed compares the JSON reports on the recorded runs of the time provider with golden
// files. It replays them, also without values, and checks their documents.
func TestRecordedRunsAreReplayed(t *testing.T) {
	golden, err := filepath.Abs("../../objchange/testdata")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(repository) // the reports name files as on the command line
	for _, run := range []string{"1-create", "2-noop", "3-update", "4-replace", "5-destroy"} {
		dir := "testdata/recordings/time/" + run
		copied := filepath.Join(t.TempDir(), "redacted")
		printed(t, "", "replay", "--redact", copied, dir)
		printed(t, "", "replay", "--fail-on", "all", "--fail-on-skipped", copied)
		documents := printed(t, "", "replay", "--documents", dir)
		testkit.Golden(t, filepath.Join(golden, "replay", run+".json"), []byte(printed(t, "", "replay", "--format", "json", dir)))
		testkit.Golden(t, filepath.Join(golden, "recorded", run+".check.json"), []byte(printed(t, documents, "check", "--format", "json", "-")))
	}
}

// TestEveryRecordedRequestIsChecked checks that replay skips no request in any recording.
func TestEveryRecordedRequestIsChecked(t *testing.T) {
	golden, err := filepath.Abs("../../objchange/testdata/replay/all.text")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(repository)
	got := printed(t, "", "replay", "--all", "--fail-on-skipped", "testdata/recordings")
	testkit.Golden(t, golden, []byte(got))
	if strings.Contains(got, "skipped") || strings.Contains(got, "failed") {
		t.Error("requests are skipped, or failed")
	}
}

// printed returns the output of a command without findings.
func printed(t *testing.T, input string, args ...string) string {
	t.Helper()
	var out, errOut strings.Builder
	if status := cli.Run(args, strings.NewReader(input), &out, &errOut); status != 0 || errOut.Len() > 0 {
		t.Errorf("%q: exit status %d: %s", args, status, &errOut)
	}
	return out.String()
}
