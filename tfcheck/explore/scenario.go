package explore

import (
	"cmp"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
)

// A Kind is what a type name is of.
type Kind string

// The kinds.
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

// A Phase is a way to generate configurations.
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

// A scenario is what the provider does: it validates a configuration, plans or reads it, and
// perhaps plans it again when all of it is known. In a lifecycle, it takes the steps before on a
// new object, then the last one, and destroys the object.
type scenario struct {
	kind     Kind
	typeName string
	schema   *objchange.Schema
	phase    Phase
	about    string    // what is special about it
	before   []step    // of a lifecycle
	does     action    // with the configuration
	config   cty.Value // of the schema's implied type, without marks
	then     cty.Value // the configuration at apply, wholly known; cty.NilVal if there is none
	settles  bool      // what counts is the plan after it
	turn     int       // how many steps before had unknown values, when HCL is written
	needs    []*need   // values in the configurations that other resources provide
	provider cty.Value // the provider's own configuration
	reads    bool      // what the hints allow to be read is read
	old      *oldState // is upgraded or moved first, or nil; then there may be no config
}

// A step is what a user does with a configuration.
type step struct {
	does         action
	config, then cty.Value // as in a scenario
	fails        bool      // the provider returns an error for it
}

// An action is what happens in a step.
type action string

const (
	plans      action = "" // or what the kind has in place of a plan
	applies    action = "apply"
	replaces   action = "replace"
	imports    action = "import"
	identifies action = "import by identity"
	destroys   action = "destroy"
)

// life returns all steps of a lifecycle.
func (sc scenario) life() []step {
	return append(slices.Clip(sc.before), step{does: sc.does, config: sc.config, then: sc.then})
}

// until returns the scenario that ends with the step of that number. After the last step, the
// object is destroyed.
func (sc scenario) until(n int) scenario {
	all := sc.life()
	if sc.does == plans || n == len(all)-1 {
		return sc
	}
	if n == len(all) {
		return sc.lived(append(all, step{does: destroys, config: cmp.Or(sc.then, sc.config)}))
	}
	return sc.lived(all[:n+1])
}

// lived returns the scenario with those steps, of which there is one at least.
func (sc scenario) lived(all []step) scenario {
	last := all[len(all)-1]
	sc.before, sc.does, sc.config, sc.then = all[:len(all)-1], last.does, last.config, last.then
	return sc
}
