package explore_test

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/livetest/cloud"
	"github.com/objchange/objchange/livetest/internal/live"
	"github.com/objchange/objchange/tfcheck/explore"
)

// confirmation returns the options that allow reads, and confirm findings with the terraform on the
// PATH and an executable of the provider. The executable keeps its objects in a file.
func confirmation(t *testing.T, name string) []explore.Option {
	t.Helper()
	const faster = "GOGC: '400', GORACE: atexit_sleep_ms=0" // with the race detector, each process sleeps before it exits
	hints, err := explore.ReadHints("hints", strings.NewReader("read: ['*']\nprovider: {env: {"+cloud.File+": cloud.json, "+faster+"}}"))
	if err != nil {
		t.Fatal(err)
	}
	options := []explore.Option{explore.WithHints(hints)}
	program, err := exec.LookPath("terraform")
	if err != nil {
		return options
	}
	path := filepath.Join(t.TempDir(), "terraform-provider-"+name)
	live.BuildAs(t, live.TestProvider, path)
	return append(options, explore.Confirm(program, path))
}

// mustConfirm checks that Terraform confirmed each finding that it rejects, and thus each seeded
// fault, unless Terraform was not asked or the fault needs a newer version.
func mustConfirm(t *testing.T, name string, findings []explore.Finding) {
	t.Helper()
	confirmed := map[string][]objchange.Rule{}
	asked := 0
	for _, f := range findings {
		if f.Severity != objchange.Rejected {
			if f.Confirmed != nil {
				t.Errorf("Terraform was asked about what it does not reject: %v", f.Confirmed)
			}
			continue
		}
		if f.Confirmed == nil {
			continue
		}
		asked++
		if f.Confirmed.Verdict == explore.Confirmed && f.Confirmed.Error != "" {
			for _, p := range f.Places {
				confirmed[p.Type] = append(confirmed[p.Type], f.Rule)
			}
		} else if live.SupportedSince[f.Places[0].Type] == "" {
			t.Errorf("%s\n%+v", f.String(), f.Confirmed)
		}
	}
	for _, b := range seeded() {
		supported := providerOf(b.TypeName) == name && live.SupportedSince[b.TypeName] == ""
		rejected := supported && b.Severity == objchange.Rejected
		if asked > 0 && rejected && !slices.Contains(confirmed[b.TypeName], b.Rule) {
			t.Errorf("%s: %s was not confirmed", b.TypeName, b.Rule)
		}
	}
	t.Logf("Terraform was asked about %d findings", asked)
}
