package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/explore"
)

// TestIgnoredFindingCountsForTheNextType checks that a finding that is ignored for one type counts
// for the next, and that an unstable finding never counts.
func TestIgnoredFindingCountsForTheNextType(t *testing.T) {
	disk, server := explore.Place{Kind: explore.Resource, Type: "cloud_disk", Path: ".size"}, explore.Place{Kind: explore.Data, Type: "cloud_server"}
	finding := explore.Finding{Rule: objchange.RuleCrash, Severity: objchange.Rejected, Message: "it crashes", Places: []explore.Place{disk, server}}
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
		r := explored(result, 2, "cloud", func(s report.Subject, _ report.Finding) bool { return slices.Contains(test.known, s.Type) })
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

// TestTypesWithRemainingObjectsFail checks that types with objects that remain or may remain have
// failed. Objects of other types are only in the notes.
func TestTypesWithRemainingObjectsFail(t *testing.T) {
	disk := explore.Place{Kind: explore.Resource, Type: "cloud_disk"}
	result := &explore.Result{
		Types: []explore.Type{
			{Kind: explore.Data, Name: "cloud_disk", Reached: true, Limited: []explore.Phase{explore.PhaseOne}}, {Kind: explore.Resource, Name: "cloud_disk", Reached: true},
			{Kind: explore.Resource, Name: "cloud_net", Skipped: "later"}, {Kind: explore.Resource, Name: "cloud_server", Reached: true, Interrupted: true},
		},
		Findings: []explore.Finding{{Rule: objchange.RuleCrash, Severity: objchange.Rejected, Places: []explore.Place{disk}}},
		Left: []explore.Leftover{
			{Type: "cloud_disk", ID: "1", State: &driver.StateObject{}}, {Type: "cloud_disk", ID: "2", State: &driver.StateObject{}}, {Type: "cloud_net"},
			{Type: "cloud_zone", ID: "3", Why: "no"},
		},
	}
	r := explored(result, 6, "cloud", func(report.Subject, report.Finding) bool { return false })
	var got []string
	for _, s := range r.Subjects {
		got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", s.Kind, s.Type, s.Status, s.Reason)))
	}
	if want := []string{
		"data cloud_disk checked", "resource cloud_disk failed 2 objects left",
		"resource cloud_net failed not explored; 1 object may exist, in an unknown state",
		"resource cloud_server skipped interrupted during exploration",
	}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for _, want := range []string{"not explored: 2 types, and 1 only in part", "1 type reached the limit of --requests in a phase; --all lists the phases", "3 of 5 types reached with 0 requests; 1 different finding", "left: cloud_zone 3: no"} {
		if !slices.Contains(r.Notes, want) {
			t.Errorf("no note %q: %q", want, r.Notes)
		}
	}
	for _, test := range []struct {
		left []explore.Leftover
		want string
	}{
		{result.Left, "2 objects could not be destroyed: the state is in x.tfstate; 2 objects may exist, in an unknown state"},
		{result.Left[2:], "2 objects may exist, in an unknown state"},
	} {
		if err := leftOf(test.left, "x.tfstate"); err == nil || err.Error() != test.want {
			t.Errorf("%v", err)
		}
	}
	if err := leftOf(nil, "x.tfstate"); err != nil {
		t.Error(err)
	}
}

// TestGapsBecomeOneNote checks that only a missing barrier is noted.
func TestGapsBecomeOneNote(t *testing.T) {
	l := launcher{barriers: []driver.Barrier{{Name: "environment"}}}
	if got := l.gaps(); got != nil {
		t.Errorf("without a gap in the exploration: %q", got)
	}
	l.barriers = append(l.barriers, driver.Barrier{Name: "network", Gap: "no namespaces"})
	want := []string{"the provider was started with less isolation than usual: network: not isolated: no namespaces"}
	if got := l.gaps(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestConfirmPrefersTerraform checks that a program on the PATH confirms findings, terraform before tofu, and
// that a path must be an executable.
func TestConfirmPrefersTerraform(t *testing.T) {
	bin, suffix := t.TempDir(), ""
	if runtime.GOOS == "windows" {
		suffix = ".exe"
	}
	t.Setenv("PATH", bin)
	if _, err := confirmsWith(anyProgram); !errors.As(err, new(usageError)) {
		t.Error(err)
	}
	for _, name := range []string{"tofu", "terraform"} { // with this order, the last one is preferred
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
	if _, err := confirmsWith(filepath.Join(bin, "nothing")); !errors.As(err, new(usageError)) || !strings.Contains(err.Error(), "nothing") {
		t.Error(err)
	}
}
