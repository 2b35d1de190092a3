package tfcheck

import (
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
)

// An RPC is one of which the rules have something to say.
type RPC struct {
	Name  string // as protocol 6 names it
	Phase objchange.Phase

	kind     catalog.Kind // of the schema that its values have
	unlooked bool         // when the response is deferred
	response func(Exchange) objchange.Violations
}

var rpcs = []RPC{
	{"UpgradeResourceState", objchange.PhaseUpgrade, catalog.Resource, false, judgeState},
	{"MoveResourceState", objchange.PhaseUpgrade, catalog.Resource, false, judgeState},
	{"ImportResourceState", objchange.PhaseImport, catalog.Resource, false, judgeImport},
	{"ReadResource", objchange.PhaseRead, catalog.Resource, false, judgeState},
	{"PlanResourceChange", objchange.PhasePlan, catalog.Resource, true, judgePlan},
	{"ApplyResourceChange", objchange.PhaseApply, catalog.Resource, false, judgeApply},
	{"ReadDataSource", objchange.PhaseRead, catalog.Data, true, judgeData},
	{"OpenEphemeralResource", objchange.PhaseRead, catalog.Ephemeral, true, judgeEphemeral},
}

var judged = func() map[string]RPC {
	named := map[string]RPC{}
	for _, r := range rpcs {
		named[r.Name] = r
	}
	return named
}()

// Judged reports whether the rules have anything to say of an RPC: whether
// Findings looks at an Exchange of that name.
func Judged(rpc string) bool {
	_, ok := judged[rpc]
	return ok
}

// RPCNamed returns the RPC of that name, which must be Judged.
func RPCNamed(name string) RPC { return judged[name] }

// Kind returns which schemas its values have.
func (r RPC) Kind() catalog.Kind { return r.kind }

// Schemas returns those of the provider's schemas that the RPC's values can have,
// by type name.
func (r RPC) Schemas(p *configschema.ProviderSchema) map[string]*configschema.Schema {
	switch r.kind {
	case catalog.Data:
		return p.DataSourceSchemas
	case catalog.Ephemeral:
		return p.EphemeralResourceSchemas
	}
	return p.ResourceSchemas
}
