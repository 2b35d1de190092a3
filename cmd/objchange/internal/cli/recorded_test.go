package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/objchange/internal/cli"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
)

// runs are the recorded runs of the time provider.
var runs = []string{"1-create", "2-noop", "3-update", "4-replace", "5-destroy"}

// The recorded runs of the time provider, in each format, first replayed and then as
// documents that check reads: the output is in testdata/replay and testdata/recorded.
func TestRecordings(t *testing.T) {
	golden, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(repository) // the reports name files as the command line does
	for _, run := range runs {
		dir := "testdata/recordings/time/" + run
		documents := printed(t, "", "replay", "--documents", dir)
		plans := printed(t, "", "replay", "--documents", "--rpc", "PlanResourceChange", dir)
		for _, f := range report.Formats() {
			format := string(f)
			t.Run(run+"."+format, func(t *testing.T) {
				compare(t, filepath.Join(golden, "replay", run+"."+format), printed(t, "", "replay", "--format", format, dir))
				compare(t, filepath.Join(golden, "recorded", run+".check."+format), printed(t, documents, "check", "--format", format, "-"))
			})
		}
		t.Run(run+".changes", func(t *testing.T) {
			compare(t, filepath.Join(golden, "recorded", run+".changes"), printed(t, plans, "check", "--print", "changes", "-"))
		})
	}
}

// All recordings, of providers of both protocols and redacted ones: every request is checked.
func TestEveryRecordedRequestIsChecked(t *testing.T) {
	golden, err := filepath.Abs("../../testdata/replay/all.text")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(repository)
	got := printed(t, "", "replay", "--fail-on-skipped", "testdata/recordings")
	compare(t, golden, got)
	if strings.Contains(got, "skipped") || strings.Contains(got, "failed") {
		t.Error("requests are skipped, or failed")
	}
}

// printed returns what a command that finds nothing prints.
func printed(t *testing.T, input string, args ...string) string {
	t.Helper()
	var out, errOut strings.Builder
	if status := cli.Run(args, strings.NewReader(input), &out, &errOut); status != 0 || errOut.Len() > 0 {
		t.Errorf("%q: exit status %d: %s", args, status, &errOut)
	}
	return withoutHelp(out.String())
}

// compare compares the output with a golden file.
func compare(t *testing.T, golden, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the output is not that in %s; it is\n%s", golden, got)
	}
}
