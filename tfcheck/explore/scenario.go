package explore

import (
	"cmp"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
)

// A Kind is the kind of a type.
type Kind string

// The kinds of types.
const (
	Resource      Kind = "resource"
	Data          Kind = "data"
	Ephemeral     Kind = "ephemeral"
	Function      Kind = "function"
	Configuration Kind = "provider" // the provider's own configuration
)

var kinds = map[Kind]catalog.Kind{
	Resource: catalog.Resource, Data: catalog.Data, Ephemeral: catalog.Ephemeral, Configuration: catalog.Provider,
}

// A Phase is a method of generating configurations.
type Phase string

// The phases, in their order.
const (
	PhaseMinimal Phase = "minimal"
	PhaseFull    Phase = "full"
	PhaseOne     Phase = "one at a time"
	PhaseUnknown Phase = "unknown"
	PhaseRandom  Phase = "random"
	PhaseLife    Phase = "lifecycle"
)

// A scenario describes the requests to the provider. The provider validates a configuration, plans
// or reads it, and possibly plans it again with known values. In a lifecycle, the provider takes
// the earlier steps with a new object, takes the last step, and destroys the object.
type scenario struct {
	kind     Kind
	typeName string
	schema   *objchange.Schema
	phase    Phase
	about    string    // how the configuration was varied
	before   []step    // earlier steps of a lifecycle
	does     action    // action with the configuration
	config   cty.Value // of the schema's implied type, without marks
	then     cty.Value // wholly known configuration during apply; cty.NilVal if absent
	settles  bool      // the finding is in the plan after the scenario
	turn     int       // number of earlier steps with unknown values, for HCL
	needs    []*need   // values in the configurations that other resources provide
	provider cty.Value // the provider's own configuration
	reads    bool      // the type is read, because the hints allow it
}

// A step is an action of a user with a configuration.
type step struct {
	does         action
	config, then cty.Value // as in a scenario
	fails        bool      // the provider returns an error
}

// An action is the action in a step.
type action string

const (
	plans      action = "" // or the equivalent for other kinds
	applies    action = "apply"
	replaces   action = "replace"
	imports    action = "import"
	identifies action = "import by identity"
	destroys   action = "destroy"
)

// lifecycleSteps returns all steps of a lifecycle.
func (sc scenario) lifecycleSteps() []step {
	return append(slices.Clip(sc.before), step{does: sc.does, config: sc.config, then: sc.then})
}

// until returns the scenario up to step n. After the last step, a step destroys the object.
func (sc scenario) until(n int) scenario {
	all := sc.lifecycleSteps()
	if sc.does == plans || n == len(all)-1 {
		return sc
	}
	if n == len(all) {
		return sc.withSteps(append(all, step{does: destroys, config: cmp.Or(sc.then, sc.config)}))
	}
	return sc.withSteps(all[:n+1])
}

// withSteps returns the scenario with the steps. There must be at least one step.
func (sc scenario) withSteps(all []step) scenario {
	last := all[len(all)-1]
	sc.before, sc.does, sc.config, sc.then = all[:len(all)-1], last.does, last.config, last.then
	return sc
}
