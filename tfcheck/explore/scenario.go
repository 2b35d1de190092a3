package explore

import (
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
)

// A scenario is what the provider does: it validates a configuration, plans or reads it, and
// perhaps plans it again when all of it is known.
type scenario struct {
	kind     Kind
	typeName string
	schema   *objchange.Schema
	phase    Phase
	about    string    // what is special about it
	config   cty.Value // of the schema's implied type, without marks
	then     cty.Value // the configuration at apply, wholly known; cty.NilVal if there is none
	provider cty.Value // the provider's own configuration
	reads    bool      // what the hints allow to be read is read
}
