package tfcheck

import "github.com/objchange/objchange"

// An rpc is an RPC that has rules.
type rpc struct {
	phase        objchange.Phase
	check        func(Exchange) objchange.Violations // checks the value in the response, if there is one
	skipDeferred bool                                // a deferred response is not checked

	// Names of fields, or "". For an import, the fields of the response are fields of each
	// imported object.
	value         string // the value in the response
	priorIdentity string // the identity in the request
	identity      string // the identity in the response
}

// rpcs are the RPCs that have rules, by their names in protocol 6.
var rpcs = map[string]rpc{
	"UpgradeResourceState":    {objchange.PhaseUpgrade, checkState, false, "UpgradedState", "", ""},
	"UpgradeResourceIdentity": {objchange.PhaseUpgrade, nil, false, "", "", "UpgradedIdentity"},
	"MoveResourceState":       {objchange.PhaseUpgrade, checkState, false, "TargetState", "", "TargetIdentity"},
	"ImportResourceState":     {objchange.PhaseImport, checkImport, false, "State", "", "Identity"},
	"ReadResource":            {objchange.PhaseRead, checkState, false, "NewState", "CurrentIdentity", "NewIdentity"},
	"PlanResourceChange":      {objchange.PhasePlan, checkPlan, true, "PlannedState", "PriorIdentity", "PlannedIdentity"},
	"ApplyResourceChange":     {objchange.PhaseApply, checkApply, false, "NewState", "PlannedIdentity", "NewIdentity"},
	"ReadDataSource":          {objchange.PhaseRead, checkData, true, "State", "", ""},
	"OpenEphemeralResource":   {objchange.PhaseRead, checkEphemeral, true, "Result", "", ""},
}

// Checks reports whether Findings has rules for the RPC.
func Checks(rpc string) bool {
	_, ok := rpcs[rpc]
	return ok
}

// rpc returns the RPC of the exchange.
func (x Exchange) rpc() rpc { return rpcs[x.RPC] }
