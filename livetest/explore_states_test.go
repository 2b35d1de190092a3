package livetest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange/tfcheck/explore"
)

const frameworkStates = `
states:
  - { type: fw_firewall, version: 0, state: { id: i-1, title: old } }
  - { type: fw_firewall, version: 7, state: { id: i-1 } }
  - { type: fw_upgraded_unknown, version: 0, state: { id: i-1, title: old } }
  - { type: fw_upgraded_crash, version: 0, state: { id: i-1, title: old } }
  - { type: fw_upgraded_crash, version: 0, state: { id: i-1 } }
  - { type: fw_upgraded_planned, version: 0, state: { id: i-1, title: old } }
  - { type: fw_link, state: { id: l-1, to: there }, from: &old { provider: registry.terraform.io/acme/old, type: old_link } }
  - { type: fw_moved_unknown, state: { id: l-1, to: there }, from: *old }
  - { type: fw_server, state: { id: l-1, to: there }, from: *old }
`

// TestExploreFindsFaultsOfStates checks that explore finds faults of upgrades and moves, and has
// no findings for types without faults. The printed tests must fail.
func TestExploreFindsFaultsOfStates(t *testing.T) {
	hints, err := explore.ReadHints("hints.yaml", strings.NewReader(frameworkStates))
	if err != nil {
		t.Fatal(err)
	}
	r, err := explore.Explore(t.Context(), explore.InProcess(frameworkServer), explore.WithHints(hints), explore.Requests(150),
		explore.Types("fw_firewall", "fw_upgraded_*", "fw_link", "fw_moved_*", "fw_server"))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, f := range r.Findings {
		found = append(found, fmt.Sprintf("%s %s%s, %s", f.Rule, f.Places[0].Type, f.Places[0].Path, f.Phase))
	}
	slices.Sort(found)
	if diff := cmp.Diff([]string{
		"crash fw_upgraded_crash, states",
		"plan-not-config fw_upgraded_planned.name, states",
		"state-unknown fw_moved_unknown.kind, states",
		"state-unknown fw_upgraded_unknown.stamp, states",
	}, found); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var refused []string
	for _, note := range r.Notes {
		if about, _, ok := strings.Cut(note, " was refused: "); ok {
			refused = append(refused, about)
		}
	}
	if diff := cmp.Diff([]string{"resource fw_firewall: state 2 of the hints", "resource fw_server: state 9 of the hints"}, refused); diff != "" {
		t.Errorf("(-want +got):\n%s\n%q", diff, r.Notes)
	}
	if testing.Short() {
		return
	}
	mustReproduce(t, fmt.Sprintf(theFactories, 6, "framework", "fw"), r.Findings)
}

// TestExploreUpgradesOfSDK checks that the legacy SDK upgrades the states in the hints.
func TestExploreUpgradesOfSDK(t *testing.T) {
	hints, err := explore.ReadHints("hints.yaml", strings.NewReader(`states: [{ type: sdk_bucket, state: { id: i-1, title: old } }, { type: sdk_bucket, version: 9, state: {} }]`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := explore.Explore(t.Context(), explore.InProcess5(sdkServer), explore.WithHints(hints), explore.Requests(60), explore.Types("sdk_bucket"))
	if err != nil || len(r.Notes) > 0 || !r.Types[0].Reached {
		t.Errorf("%v, %+v", err, r)
	}
	for _, f := range r.Findings {
		if f.Phase == explore.PhaseStates {
			t.Errorf("%s", f.String())
		}
	}
}
