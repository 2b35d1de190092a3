package report

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
)

// OfExchange returns the findings of an exchange. The message says so if the value is in the
// request or in the identity.
func OfExchange(found ...tfcheck.Finding) (all []Finding) {
	for _, f := range found {
		more := Of(f.Violations)
		for i := range more {
			switch {
			case f.Side == tfcheck.SideIdentity:
				more[i].Message = "in the identity: " + more[i].Message
			case f.Side == tfcheck.SideRequest && more[i].Rule != objchange.RuleProposedNotCore:
				more[i].Message = "in the request: " + more[i].Message
			}
		}
		all = append(all, more...)
	}
	return all
}

// Action returns the action that follows from the values of an exchange, or "" without one. A
// replacement consists of two exchanges: one with a delete and one with a create.
func Action(x tfcheck.Exchange) string {
	after := x.Planned
	if x.RPC == "PlanResourceChange" {
		after = x.Response
	}
	if x.Prior == cty.NilVal || after == cty.NilVal {
		return ""
	}
	return string(objchange.PlanAction(x.Prior, after, false))
}
