package recording

import (
	"slices"

	"github.com/objchange/objchange/tfcheck"
	"github.com/zclconf/go-cty/cty"
)

// A judgement is where a recording has what it takes to judge an RPC.
type judgement struct {
	response string // the field of the response
	request  []input
}

// An input is a field of a request.
type input struct {
	field string
	into  func(*tfcheck.Exchange) *cty.Value
	// optional says that the request is judged without the field, too.
	optional bool
}

// judgements are by RPC. Those of both protocols have the same names, and so
// have their fields.
var judgements = map[string]judgement{
	"UpgradeResourceState": {"Response_UpgradedState", nil},
	"MoveResourceState":    {"Response_TargetState", nil},
	"ImportResourceState":  {"Response_ImportedResource_State", nil},
	"ReadResource": {"Response_NewState", []input{
		{field: "Request_CurrentState", into: prior, optional: true},
	}},
	"PlanResourceChange": {"Response_PlannedState", []input{
		{field: "Request_Config", into: config},
		{field: "Request_PriorState", into: prior},
		{field: "Request_ProposedNewState", into: proposed},
	}},
	"ApplyResourceChange": {"Response_NewState", []input{
		{field: "Request_PriorState", into: prior},
		{field: "Request_PlannedState", into: planned},
		{field: "Request_Config", into: config, optional: true},
	}},
	"ReadDataSource": {"Response_State", []input{
		{field: "Request_Config", into: config},
	}},
	"OpenEphemeralResource": {"Response_Result", []input{
		{field: "Request_Config", into: config},
	}},
}

func config(x *tfcheck.Exchange) *cty.Value   { return &x.Config }
func prior(x *tfcheck.Exchange) *cty.Value    { return &x.Prior }
func proposed(x *tfcheck.Exchange) *cty.Value { return &x.Proposed }
func planned(x *tfcheck.Exchange) *cty.Value  { return &x.Planned }

// needs reports whether judging a request of the RPC takes the field.
func needs(rpc, field string) bool {
	how, ok := judgements[rpc]
	return ok && (field == how.response ||
		slices.ContainsFunc(how.request, func(in input) bool { return in.field == field }))
}
