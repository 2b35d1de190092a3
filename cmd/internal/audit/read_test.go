package audit_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange/cmd/internal/audit"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/testkit"
)

// TestUnusableDocumentsAreErrors checks the errors for documents that cannot be used. They name the
// problem and its place. They do not show keys, which may be sensitive. The input is a plan, or a
// state for a valid plan.
func TestUnusableDocumentsAreErrors(t *testing.T) {
	testkit.Parts(t, filepath.Join(made, "unusable.golden"), "hush", func(input string) string {
		input, quoted := strings.CutPrefix(input, "quoted ")
		form, text, _ := strings.Cut(input, " ")
		if quoted {
			var err error
			if text, err = strconv.Unquote(text); err != nil {
				t.Fatal(err)
			}
		}
		plan, state := []byte(text), []byte(nil)
		if form == "state" {
			plan, state = testkit.ReadFile(t, filepath.Join(made, "plan.json")), []byte(text)
		}
		_, err := runAudit(plan, state, nil)
		return fmt.Sprint(err)
	})
	_, err := audit.Run(audit.Pair{Plan: "-"}, nil, func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("{")), nil
	})
	if want := "stdin:1: the JSON ends too early"; err == nil || err.Error() != want {
		t.Errorf("the error is\n%v\nwant\n%s", err, want)
	}
}

// TestAllReadersGiveTheSameReport checks that regular files and other readers give the same result,
// with and without a byte order mark, and that UTF-16 is refused with advice.
func TestAllReadersGiveTheSameReport(t *testing.T) {
	schemas := readSchemas(t, filepath.Join(recorded, "schemas.json"))
	plan := testkit.ReadFile(t, filepath.Join(recorded, "4-replace", "plan.json"))
	want, err := runAudit(plan, nil, schemas)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"plain": string(plan), "marked": "\xef\xbb\xbf" + string(plan), "UTF-16": "\xff\xfe{"} {
		path := filepath.Join(t.TempDir(), "plan.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		for _, in := range []io.ReadCloser{file, io.NopCloser(strings.NewReader(text))} {
			got, err := audit.Run(audit.Pair{Plan: "plan.json"}, schemas, func(string) (io.ReadCloser, error) { return in, nil })
			if name == "UTF-16" {
				if err == nil || !strings.HasPrefix(err.Error(), "plan.json: the text is UTF-16") {
					t.Errorf("%s: %v", name, err)
				}
			} else if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
			}
		}
	}
}

// TestNumbersAreComparedExactly checks that large and precise numbers are compared exactly in all parts.
func TestNumbersAreComparedExactly(t *testing.T) {
	schemas := readSchemas(t, filepath.Join(made, "schemas.json"))
	for _, size := range []string{"9007199254740993", "123456789012345678901234567890", "0.1", "1e30"} {
		plan := bytes.ReplaceAll(testkit.ReadFile(t, filepath.Join(made, "plan.json")), []byte(`"size": 2,`), []byte(`"size": `+size+`,`))
		state := bytes.ReplaceAll(testkit.ReadFile(t, filepath.Join(made, "state.json")), []byte(`"size": 2,`), []byte(`"size": `+size+`,`))
		r, err := runAudit(plan, state, schemas)
		if err != nil || r.Wrong(report.Options{FailOn: report.FailOnAll}) {
			t.Errorf("%s: %v, %v", size, r, err)
		}
		other := bytes.Replace(state, []byte(size), []byte(strings.Replace(size, "1", "2", 1)), 1)
		if size == "9007199254740993" {
			other = bytes.Replace(state, []byte(size), []byte("9007199254740992"), 1) // the same number as a float
		}
		if r, err = runAudit(plan, other, schemas); err != nil || !r.Wrong(report.Options{}) {
			t.Errorf("%s: the changed number is not found: %v", size, err)
		}
	}
}
