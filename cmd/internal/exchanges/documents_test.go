package exchanges

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/document"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/encoded"
)

// TestNoDocument checks the note for exchanges without a document.
func TestNoDocument(t *testing.T) {
	p := recordedProvider(t, 6)
	const noObject = "the new state does not match the schema: the value: must be an object, not a string"
	for name, test := range map[string]struct {
		rpc      string
		response fields
		want     string
	}{
		"not a resource": {"OpenEphemeralResource", fields{}, "OpenEphemeralResource cloud_thing #1: documents do not support OpenEphemeralResource"},
		"no import":      {"ImportResourceState", fields{}, "ImportResourceState cloud_thing #1: the provider imported no object"},
		"no value":       {"ReadResource", fields{"new_state": fields{"msgpack": "oWE="}}, "ReadResource cloud_thing #1: a value cannot be decoded: " + noObject},
		"no such type":   {"ImportResourceState", fields{"imported_resources": []fields{{"type_name": "nope"}}}, `ImportResourceState nope #1: a value cannot be decoded: the provider has no schema of the resource type "nope"`},
	} {
		method := "/tfplugin6.Provider/" + test.rpc
		found := unpacked(t, p, RPC{
			Method: method, Requests: [][]byte{message(t, method, false, fields{"type_name": "cloud_thing"})}, Responses: [][]byte{message(t, method, true, test.response)},
		})
		if got := found.Name + ": " + found.Note; got != test.want || found.Document != nil {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// TestUnpacked checks that the document of an exchange gives the same findings as replay of the
// exchange: all in the response, and those about the proposed and the prior state in the request. A
// document has no identities and no number of imported objects. If the configuration is unknown at
// apply, a document has no finding, because that is allowed for a plan.
func TestUnpacked(t *testing.T) {
	counts := map[string]int{}
	providers := []Provider{recordedProvider(t, 5), recordedProvider(t, 6)}
	blocks := map[int]*configschema.Block{5: schemaOf(t, providers[0]), 6: schemaOf(t, providers[1])}
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(providers).Draw(t, "provider")
		c := changeOf(t, p, blocks[p.Protocol])
		for _, rpc := range append(c.rpcs, c.states...) {
			want, got := replayed(t, p, rpc), checked(t, p, rpc)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-replayed +checked):\n%s\n%s", rpc.RPC, diff, c.values)
			}
			counts[rpc.RPC] += len(want)
		}
	})
	for _, rpc := range []string{"PlanResourceChange", "ApplyResourceChange", "ReadResource", "UpgradeResourceState", "MoveResourceState", "ImportResourceState"} {
		if counts[rpc] == 0 {
			t.Errorf("no violation is found in %s", rpc)
		}
	}
}

// findingText returns the text of a finding. Documents do not distinguish keys from names in paths that
// lead to no value, so the text does not either.
func findingText(f report.Finding) string {
	path := strings.NewReplacer(`["`, ".", `"]`, "").Replace(f.Path)
	return fmt.Sprintf("%s %s %s %s %s", f.Phase, f.Rule, path, f.Message, f.Severity)
}

// replayed returns the findings of an exchange.
func replayed(t *rapid.T, p Provider, rpc RPC) (all []string) {
	for _, f := range allFindings(t, recorded(false, p, rpc)) {
		if f.Side == tfcheck.SideIdentity {
			continue
		}
		for _, v := range f.Violations {
			if v.Rule == objchange.RuleConfigUnknown {
				continue
			}
			tolerated := f.Severity == tfcheck.Tolerated || f.Severity == tfcheck.LegacyZero // check does not distinguish them
			found := report.Of(objchange.Violations{v}, tolerated)[0]
			if f.Side == tfcheck.SideRequest && v.Rule != tfcheck.RuleProposedNotCore {
				found.Phase = objchange.PhaseRead
			}
			all = append(all, findingText(found))
		}
	}
	slices.Sort(all)
	return all
}

// allFindings returns the findings of a recording.
func allFindings(t failer, text []byte) (found []tfcheck.Finding) {
	t.Helper()
	in, err := NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for x, err := range Play(in) {
		var seen []encoded.Result
		if err == nil {
			seen, err = x.Check(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range seen {
			found = append(found, w.Findings...)
		}
	}
	return found
}

// phases are the phases of findings about responses in documents.
var phases = map[string]objchange.Phase{
	"PlanResourceChange": objchange.PhasePlan, "ApplyResourceChange": objchange.PhaseApply, "ReadResource": objchange.PhaseRead,
	"UpgradeResourceState": objchange.PhaseUpgrade, "MoveResourceState": objchange.PhaseUpgrade, "ImportResourceState": objchange.PhaseImport,
}

// checked returns the findings in the document of an exchange. It omits findings that are not about
// its RPC, such as those about the configuration and about the plan that is applied.
func checked(t *rapid.T, p Provider, rpc RPC) (all []string) {
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
				all = append(all, findingText(f))
			}
		}
	}
	slices.Sort(all)
	return all
}

// unpacked returns the exchange for an RPC.
func unpacked(t failer, p Provider, rpc RPC) (found Exchange) {
	in, err := NewReader(bytes.NewReader(recorded(false, p, rpc)))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for x, err := range Documents(in) {
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
