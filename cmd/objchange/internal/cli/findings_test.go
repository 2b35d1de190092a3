package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/terminal"
	"github.com/objchange/objchange/tfcheck"
)

// newApp returns an app without a terminal, and what it prints.
func newApp(in string) (*app, *bytes.Buffer) {
	var out bytes.Buffer
	reader := strings.NewReader(in)
	return &app{in: reader, out: &out, errOut: &out, term: terminal.New(reader, &out, &out), findings: findings{format: report.Text}}, &out
}

// TestFinish: the report is printed whatever else there is, and the error says
// how the command ends.
func TestFinish(t *testing.T) {
	unusable := errors.New("b.json:3: no JSON")
	found := func(severity tfcheck.Severity) *report.Report {
		return &report.Report{Command: "check", Subjects: []report.Subject{{
			Document: "a.json", Status: report.Judged,
			Findings: []report.Finding{{Rule: objchange.RulePlanNotConfig, Path: ".name", Message: "no", Severity: severity}},
		}}}
	}
	skipped := func(idle bool) *report.Report {
		return &report.Report{Command: "check", Subjects: []report.Subject{{Document: "a.json", Status: report.Skipped, Reason: "no schema", Idle: idle}}}
	}
	for name, test := range map[string]struct {
		report  *report.Report
		err     error
		failOn  report.FailOn
		want    error
		printed string
	}{
		"clean":                  {report: &report.Report{}, printed: "ok                 0"},
		"findings":               {report: found(tfcheck.Rejected), want: errFindings, printed: "1 finding"},
		"unchecked":              {report: found(tfcheck.Unchecked), printed: "ok, 1 unchecked"},
		"never":                  {report: found(tfcheck.Rejected), failOn: report.FailOnNever, printed: "1 finding"},
		"all":                    {report: found(tfcheck.Unchecked), failOn: report.FailOnAll, want: errFindings, printed: "1 finding"},
		"all skipped":            {report: skipped(false), want: report.ErrUnchecked, printed: "skipped: no schema"},
		"nothing to check":       {report: skipped(true), printed: "skipped: no schema"},
		"error":                  {err: unusable, want: unusable},
		"error and findings":     {report: found(tfcheck.Rejected), err: unusable, want: unusable, printed: "1 finding"},
		"error and what is well": {report: found(tfcheck.Unchecked), err: unusable, want: unusable, printed: "not all was judged"},
	} {
		t.Run(name, func(t *testing.T) {
			a, out := newApp("")
			a.failOn = test.failOn
			if got := a.finish(test.report, test.err); got != test.want {
				t.Errorf("%v, want %v", got, test.want)
			}
			if !strings.Contains(out.String(), test.printed) || (test.printed == "") != (out.Len() == 0) {
				t.Errorf("printed\n%s", out)
			}
		})
	}
}

// A file that is written anew keeps its mode, and a link leads to it.
func TestToFile(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := errors.Join(os.WriteFile("real", []byte("old"), 0o600), os.Symlink("real", "link")); err != nil {
		t.Fatal(err)
	}
	text := func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }
	if err := toFile("link", text); err != nil {
		t.Fatal(err)
	}
	if err := toFile("real", func(io.Writer) error { return io.ErrShortWrite }); err == nil {
		t.Error("the error is lost")
	}
	got, err := os.ReadFile("real")
	info, statErr := os.Stat("real")
	left, _ := os.ReadDir(".")
	if err != nil || statErr != nil || string(got) != "new" || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 || len(left) != 2 {
		t.Errorf("%q, %v, %v, %v, %v", got, info, left, err, statErr)
	}
}
