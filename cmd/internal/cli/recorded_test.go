package cli_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/internal/cli"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/testkit"
)

// runs are the recorded runs of the time provider.
var runs = []string{"1-create", "2-noop", "3-update", "4-replace", "5-destroy"}

// TestRecordings compares the output for the recorded runs of the time provider with golden files,
// in each format. It replays them, and checks their documents.
func TestRecordings(t *testing.T) {
	golden, err := filepath.Abs("../../objchange/testdata")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(repository) // the reports name files as on the command line
	for _, run := range runs {
		dir := "testdata/recordings/time/" + run
		documents := printed(t, "", "replay", "--documents", dir)
		for _, f := range report.Formats() {
			format := string(f)
			t.Run(run+"."+format, func(t *testing.T) {
				testkit.Golden(t, filepath.Join(golden, "replay", run+"."+format), []byte(printed(t, "", "replay", "--format", format, dir)))
				testkit.Golden(t, filepath.Join(golden, "recorded", run+".check."+format), []byte(printed(t, documents, "check", "--format", format, "-")))
			})
		}
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
	return withoutHelp(out.String())
}
