package tfcheck

import (
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/internal/check"
)

// responses are the checks of the responses of RPCs. The response of UpgradeResourceIdentity has only
// an identity, which checking servers check.
var responses = map[string]func(Exchange) objchange.Violations{
	"UpgradeResourceState":  checkState,
	"MoveResourceState":     checkState,
	"ImportResourceState":   checkImport,
	"ReadResource":          checkState,
	"PlanResourceChange":    checkPlan,
	"ApplyResourceChange":   checkApply,
	"ReadDataSource":        checkData,
	"OpenEphemeralResource": checkEphemeral,
}

// Checks reports whether Findings has rules for the RPC.
func Checks(rpc string) bool {
	_, ok := check.Find(rpc)
	return ok
}

// rpc returns the RPC of the exchange.
func (x Exchange) rpc() check.RPC {
	r, _ := check.Find(x.RPC)
	return r
}
