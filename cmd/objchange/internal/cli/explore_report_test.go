package cli

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/explore"
)

// A finding that is ignored for one type counts for the next. What is unstable never counts.
func TestExplored(t *testing.T) {
	disk, server := explore.Place{Kind: explore.Resource, Type: "cloud_disk", Path: ".size"}, explore.Place{Kind: explore.Data, Type: "cloud_server"}
	finding := explore.Finding{Rule: tfcheck.RuleCrash, Severity: tfcheck.Rejected, Message: "it crashes", Places: []explore.Place{disk, server}}
	result := &explore.Result{
		Types:    []explore.Type{{Kind: explore.Resource, Name: "cloud_disk", Reached: true}, {Kind: explore.Data, Name: "cloud_server", Reached: true}},
		Findings: []explore.Finding{finding}, Unstable: []explore.Finding{finding},
	}
	for _, test := range []struct {
		known []string // types
		under int
		also  string
	}{
		{nil, 0, "data cloud_server"},
		{[]string{"cloud_disk"}, 1, "resource cloud_disk .size"},
		{[]string{"cloud_disk", "cloud_server"}, 0, "data cloud_server"},
	} {
		r := explored(result, "cloud", func(s report.Subject, _ report.Finding) bool { return slices.Contains(test.known, s.Type) })
		found := r.Subjects[test.under].Findings
		if len(found) != 1 || strings.Join(found[0].Also, ", ") != test.also || len(r.Subjects[1-test.under].Findings) > 0 {
			t.Errorf("known for %v: %v", test.known, r.Subjects)
		}
		const unstable = "unstable, so it does not count: resource cloud_disk .size, data cloud_server: it crashes [crash] happened only once"
		if !slices.Contains(r.Notes, unstable) {
			t.Errorf("notes: %q", r.Notes)
		}
	}
}

func TestGaps(t *testing.T) {
	l := launcher{barriers: []driver.Barrier{{Name: "files"}}}
	if got := l.gaps(); got != nil {
		t.Errorf("without a gap: %q", got)
	}
	l.barriers = append(l.barriers, driver.Barrier{Name: "network", Gap: "no namespaces"})
	want := []string{"the provider was started with less isolation than usual: network: not isolated: no namespaces"}
	if got := l.gaps(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// The program that is on the PATH confirms, first terraform. A path is an executable.
func TestConfirmsWith(t *testing.T) {
	bin, suffix := t.TempDir(), ""
	if runtime.GOOS == "windows" {
		suffix = ".exe"
	}
	t.Setenv("PATH", bin)
	if _, err := confirmsWith(anyProgram); !errors.Is(err, errNoProgram) {
		t.Error(err)
	}
	for _, name := range []string{"tofu", "terraform"} { // in this order, the next one is found
		path := filepath.Join(bin, name+suffix)
		if err := os.WriteFile(path, nil, 0o700); err != nil {
			t.Fatal(err)
		}
		for _, program := range []string{anyProgram, path} {
			if got, err := confirmsWith(program); got != path || err != nil {
				t.Errorf("%s: %s, %v", program, got, err)
			}
		}
	}
	if _, err := confirmsWith(filepath.Join(bin, "nothing")); !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, exec.ErrNotFound) {
		t.Error(err)
	}
}
