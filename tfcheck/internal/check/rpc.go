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

	// Names of fields, or "". For an import, the fields of the response are fields of each
	// imported object.
	Value         string // the value in the response
	PriorIdentity string // the identity in the request
	Identity      string // the identity in the response
}

var rpcs = []RPC{
	{"UpgradeResourceState", objchange.PhaseUpgrade, catalog.Resource, false, "UpgradedState", "", ""},
	{"UpgradeResourceIdentity", objchange.PhaseUpgrade, catalog.Resource, false, "", "", "UpgradedIdentity"},
	{"MoveResourceState", objchange.PhaseUpgrade, catalog.Resource, false, "TargetState", "", "TargetIdentity"},
	{"ImportResourceState", objchange.PhaseImport, catalog.Resource, false, "State", "", "Identity"},
	{"ReadResource", objchange.PhaseRead, catalog.Resource, false, "NewState", "CurrentIdentity", "NewIdentity"},
	{"PlanResourceChange", objchange.PhasePlan, catalog.Resource, true, "PlannedState", "PriorIdentity", "PlannedIdentity"},
	{"ApplyResourceChange", objchange.PhaseApply, catalog.Resource, false, "NewState", "PlannedIdentity", "NewIdentity"},
	{"ReadDataSource", objchange.PhaseRead, catalog.Data, true, "State", "", ""},
	{"OpenEphemeralResource", objchange.PhaseRead, catalog.Ephemeral, true, "Result", "", ""},
}

// Find returns the RPC with the name, and whether it has rules.
func Find(name string) (r RPC, ok bool) {
	for _, r := range rpcs {
		if r.Name == name {
			return r, true
		}
	}
	return RPC{}, false
}

// Before reports whether a version, such as "1.11.4", is before the release 1.minor. A version that
// is not known or cannot be parsed counts as the newest one.
func Before(version string, minor int) bool {
	var parsed [2]int
	_, err := fmt.Sscanf(version, "%d.%d", &parsed[0], &parsed[1])
	return err == nil && (parsed[0] < 1 || parsed[0] == 1 && parsed[1] < minor)
}
