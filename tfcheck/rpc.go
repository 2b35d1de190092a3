package tfcheck

import (
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
)

// An rpc is an RPC that has rules.
type rpc struct {
	name         string // in protocol 6
	phase        objchange.Phase
	kind         catalog.Kind // of the schema of its values
	skipDeferred bool         // a deferred response is not checked
	// response checks the response. It is nil if the response only has an identity.
	response func(Exchange) objchange.Violations
}

var rpcs = []rpc{
	{"UpgradeResourceState", objchange.PhaseUpgrade, catalog.Resource, false, checkState},
	{"UpgradeResourceIdentity", objchange.PhaseUpgrade, catalog.Resource, false, nil},
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

// Checks reports whether Findings has rules for the RPC.
func Checks(rpc string) bool {
	_, ok := checkedRPCs[rpc]
	return ok
}

// KindOf returns the kind of schema that the values of an RPC have. It is for package wire.
func KindOf(rpc string) catalog.Kind { return checkedRPCs[rpc].kind }
