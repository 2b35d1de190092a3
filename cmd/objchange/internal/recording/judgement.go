package recording

import (
	"slices"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/zclconf/go-cty/cty"
)

// A judgement is what it takes to judge the requests of one RPC.
type judgement struct {
	schemas  func(*objchange.ProviderSchema) map[string]*objchange.Schema
	phase    objchange.Phase
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
	"UpgradeResourceState": {resources, objchange.PhaseUpgrade, "Response_UpgradedState", nil},
	"MoveResourceState":    {resources, objchange.PhaseUpgrade, "Response_TargetState", nil},
	"ImportResourceState":  {resources, objchange.PhaseImport, "Response_ImportedResource_State", nil},
	"ReadResource": {resources, objchange.PhaseRead, "Response_NewState", []input{
		{field: "Request_CurrentState", into: prior, optional: true},
	}},
	"PlanResourceChange": {resources, objchange.PhasePlan, "Response_PlannedState", []input{
		{field: "Request_Config", into: config},
		{field: "Request_PriorState", into: prior},
		{field: "Request_ProposedNewState", into: proposed},
	}},
	"ApplyResourceChange": {resources, objchange.PhaseApply, "Response_NewState", []input{
		{field: "Request_PriorState", into: prior},
		{field: "Request_PlannedState", into: planned},
		{field: "Request_Config", into: config, optional: true},
	}},
	"ReadDataSource": {dataSources, objchange.PhaseRead, "Response_State", []input{
		{field: "Request_Config", into: config},
	}},
	"OpenEphemeralResource": {ephemerals, objchange.PhaseRead, "Response_Result", []input{
		{field: "Request_Config", into: config},
	}},
}

func config(x *tfcheck.Exchange) *cty.Value   { return &x.Config }
func prior(x *tfcheck.Exchange) *cty.Value    { return &x.Prior }
func proposed(x *tfcheck.Exchange) *cty.Value { return &x.Proposed }
func planned(x *tfcheck.Exchange) *cty.Value  { return &x.Planned }

func resources(p *objchange.ProviderSchema) map[string]*objchange.Schema { return p.ResourceSchemas }
func dataSources(p *objchange.ProviderSchema) map[string]*objchange.Schema {
	return p.DataSourceSchemas
}
func ephemerals(p *objchange.ProviderSchema) map[string]*objchange.Schema {
	return p.EphemeralResourceSchemas
}

// needs reports whether judging a request of the RPC takes the field.
func needs(rpc, field string) bool {
	how, ok := judgements[rpc]
	return ok && (field == how.response ||
		slices.ContainsFunc(how.request, func(in input) bool { return in.field == field }))
}
