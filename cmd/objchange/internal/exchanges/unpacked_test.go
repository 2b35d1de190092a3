package exchanges_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/exchanges"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/witness"
)

// In the document of an exchange check finds what replay finds in the exchange: in the
// answer all of it, and in the request the proposal and the prior state. There is nothing
// in one of identities and of how many are imported, and for a configuration that is
// unknown at apply it would take the one of the plan.
func TestUnpacked(t *testing.T) {
	counts := map[string]int{}
	providers := []exchanges.Provider{exchanges.RecordedProvider(t, 5), exchanges.RecordedProvider(t, 6)}
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(providers).Draw(t, "provider")
		c := exchanges.ChangeOf(t, p)
		for _, rpc := range append(c.RPCs, c.States...) {
			want, got := replayed(t, p, rpc), checked(t, p, rpc)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-replayed +checked):\n%s\n%s", rpc.RPC, diff, c.Told)
			}
			counts[rpc.RPC] += len(want)
		}
	})
	for _, rpc := range []string{"PlanResourceChange", "ApplyResourceChange", "ReadResource", "UpgradeResourceState", "MoveResourceState", "ImportResourceState"} {
		if counts[rpc] == 0 {
			t.Errorf("nothing is found in %s", rpc)
		}
	}
}

// told is what is said of a finding. Where a path leads to nothing, a document does not
// tell keys from names.
func told(f report.Finding) string {
	path := strings.NewReplacer(`["`, ".", `"]`, "").Replace(f.Path)
	return fmt.Sprintf("%s %s %s %s %s", f.Phase, f.Rule, path, f.Message, f.Severity)
}

// replayed returns what is found in an exchange.
func replayed(t *rapid.T, p exchanges.Provider, rpc exchanges.RPC) (all []string) {
	in, err := exchanges.NewReader(bytes.NewReader(exchanges.Recorded(p, rpc)))
	if err != nil {
		t.Fatal(err)
	}
	var seen []witness.Witnessed
	for x, err := range exchanges.Play(in) {
		if err == nil {
			seen, err = x.Check(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, w := range seen {
		for _, f := range w.Findings {
			if f.Side == tfcheck.SideIdentity {
				continue
			}
			for _, v := range f.Violations {
				if v.Rule == objchange.RuleConfigUnknown {
					continue
				}
				tolerated := f.Severity == tfcheck.Tolerated || f.Severity == tfcheck.LegacyZero // which check does not tell apart
				found := report.Of(objchange.Violations{v}, tolerated)[0]
				if f.Side == tfcheck.SideRequest && v.Rule != tfcheck.RuleProposedNotCore {
					found.Phase = objchange.PhaseRead
				}
				all = append(all, told(found))
			}
		}
	}
	slices.Sort(all)
	return all
}

// phases are those in which documents have what the answers to RPCs break.
var phases = map[string]objchange.Phase{
	"PlanResourceChange": objchange.PhasePlan, "ApplyResourceChange": objchange.PhaseApply, "ReadResource": objchange.PhaseRead,
	"UpgradeResourceState": objchange.PhaseUpgrade, "MoveResourceState": objchange.PhaseUpgrade, "ImportResourceState": objchange.PhaseImport,
}

// checked returns what is found in the document of an exchange, but for what is not that
// of its RPC: what its user configured, the plan that it applies.
func checked(t *rapid.T, p exchanges.Provider, rpc exchanges.RPC) (all []string) {
	x := unpacked(t, p, rpc)
	if x.Document == nil {
		t.Fatalf("%s: no document: %s", rpc.RPC, x.Note)
	}
	for d, err := range new(document.Reader).Read("it", bytes.NewReader(x.Document)) {
		if err != nil {
			t.Fatalf("%v: %s", err, x.Document)
		}
		for _, f := range d.Subject().Findings {
			prior := f.Phase == objchange.PhaseRead && (f.Severity != tfcheck.Unchecked || rpc.RPC == "ReadResource")
			if f.Phase == phases[rpc.RPC] || prior {
				all = append(all, told(f))
			}
		}
	}
	slices.Sort(all)
	return all
}

// unpacked returns what is made of an RPC.
func unpacked(t *rapid.T, p exchanges.Provider, rpc exchanges.RPC) (found exchanges.Exchange) {
	in, err := exchanges.NewReader(bytes.NewReader(exchanges.Recorded(p, rpc)))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for x, err := range exchanges.Documents(in, 1<<20) {
		if err != nil {
			t.Fatal(err)
		}
		found = x
		n++
	}
	if n != 1 {
		t.Fatalf("%d exchanges of one", n)
	}
	return found
}
