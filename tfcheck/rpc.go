package tfcheck

import (
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
)

// An rpc is one that there are rules for.
type rpc struct {
	name     string // as protocol 6 names it
	phase    objchange.Phase
	kind     catalog.Kind // of the schema that its values have
	unlooked bool         // when the response is deferred
	response func(Exchange) objchange.Violations
}

var rpcs = []rpc{
	{"UpgradeResourceState", objchange.PhaseUpgrade, catalog.Resource, false, checkState},
	{"MoveResourceState", objchange.PhaseUpgrade, catalog.Resource, false, checkState},
	{"ImportResourceState", objchange.PhaseImport, catalog.Resource, false, checkImport},
	{"ReadResource", objchange.PhaseRead, catalog.Resource, false, checkState},
	{"PlanResourceChange", objchange.PhasePlan, catalog.Resource, true, checkPlan},
	{"ApplyResourceChange", objchange.PhaseApply, catalog.Resource, false, checkApply},
	{"ReadDataSource", objchange.PhaseRead, catalog.Data, true, checkData},
	{"OpenEphemeralResource", objchange.PhaseRead, catalog.Ephemeral, true, checkEphemeral},
}

var checkedRPCs = func() map[string]rpc {
	named := map[string]rpc{}
	for _, r := range rpcs {
		named[r.name] = r
	}
	return named
}()

// Judged reports whether there are rules for an RPC, so that Findings checks an Exchange of
// that name.
func Judged(rpc string) bool {
	_, ok := checkedRPCs[rpc]
	return ok
}

// KindOf returns which schemas the values of an RPC have. It is for package witness.
func KindOf(rpc string) catalog.Kind { return checkedRPCs[rpc].kind }
