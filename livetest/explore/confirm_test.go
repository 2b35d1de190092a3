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
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/explore"
)

// TestExploreConfirmsSeededFaults checks that Terraform confirms each seeded fault that it
// rejects, and that no finding remains unconfirmed.
func TestExploreConfirmsSeededFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("runs Terraform for each fault")
	}
	program, err := exec.LookPath("terraform")
	if err != nil {
		t.Skip("there is no terraform on the PATH to ask")
	}
	for made, name := range map[string]string{live.Framework: "fw", live.SDK: "sdk"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mustConfirm(t, program, name, slices.DeleteFunc(seeded(), func(b live.Breach) bool {
				return b.Made != made || b.Severity() != objchange.Rejected || live.SupportedSince[b.TypeName] != ""
			}))
		})
	}
}

// mustConfirm explores the types of the provider that have the faults.
func mustConfirm(t *testing.T, program, name string, faults []live.Breach) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "terraform-provider-"+name)
	live.BuildProvider(t, path)
	const faster = "GOGC: '400', GORACE: atexit_sleep_ms=0" // with the race detector, each process sleeps before it exits
	hints, err := explore.ReadHints("hints", strings.NewReader("read: ['*']\nprovider: {env: {"+cloud.File+": cloud.json, "+faster+"}}"))
	if err != nil {
		t.Fatal(err)
	}
	var types []string
	for _, b := range faults {
		types = append(types, b.TypeName)
	}
	r, err := explore.Explore(t.Context(), explore.Launched(path, driver.WithEnv(hints.Env()...)), explore.Types(types...),
		explore.Apply("*"), explore.WithHints(hints), explore.Requests(250), explore.Confirm(program, path))
	if err != nil {
		t.Fatal(err)
	}
	confirmed := map[string][]objchange.Rule{}
	asked := 0
	for _, f := range slices.Concat(r.Findings, r.Unconfirmed) {
		if f.Severity != objchange.Rejected {
			if f.Confirmed != nil {
				t.Errorf("Terraform was asked about what it does not reject: %v", f.Confirmed)
			}
			continue
		}
		asked++
		if f.Confirmed == nil || f.Confirmed.Verdict != explore.Confirmed || f.Confirmed.Error == "" {
			t.Errorf("%s\n%+v", f.String(), f.Confirmed)
			continue
		}
		for _, p := range f.Places {
			confirmed[p.Type] = append(confirmed[p.Type], f.Rule)
		}
	}
	for _, b := range faults {
		if !slices.Contains(confirmed[b.TypeName], b.Rule) {
			t.Errorf("%s: %s was not confirmed", b.TypeName, b.Rule)
		}
	}
	t.Logf("%d requests, and Terraform was asked about %d findings", r.Requests, asked)
}
