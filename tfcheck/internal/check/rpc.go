package check

import (
	"fmt"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
)

// An RPC is an RPC that has rules.
type RPC struct {
	Name         string // in protocol 6
	Phase        objchange.Phase
	Kind         catalog.Kind // of the schema of its values
	SkipDeferred bool         // a deferred response is not checked
}

var rpcs = []RPC{
	{"UpgradeResourceState", objchange.PhaseUpgrade, catalog.Resource, false},
	{"UpgradeResourceIdentity", objchange.PhaseUpgrade, catalog.Resource, false},
	{"MoveResourceState", objchange.PhaseUpgrade, catalog.Resource, false},
	{"ImportResourceState", objchange.PhaseImport, catalog.Resource, false},
	{"ReadResource", objchange.PhaseRead, catalog.Resource, false},
	{"PlanResourceChange", objchange.PhasePlan, catalog.Resource, true},
	{"ApplyResourceChange", objchange.PhaseApply, catalog.Resource, false},
	{"ReadDataSource", objchange.PhaseRead, catalog.Data, true},
	{"OpenEphemeralResource", objchange.PhaseRead, catalog.Ephemeral, true},
}

var named = func() map[string]RPC {
	all := map[string]RPC{}
	for _, r := range rpcs {
		all[r.Name] = r
	}
	return all
}()

// Find returns the RPC with the name, and whether it has rules.
func Find(name string) (r RPC, ok bool) {
	r, ok = named[name]
	return r, ok
}

// Before reports whether a version, such as "1.11.4", is before the release 1.minor. A version that
// is not known or cannot be parsed counts as the newest one.
func Before(version string, minor int) bool {
	var parsed [2]int
	_, err := fmt.Sscanf(version, "%d.%d", &parsed[0], &parsed[1])
	return err == nil && (parsed[0] < 1 || parsed[0] == 1 && parsed[1] < minor)
}
