// Package scenario describes the requests to a provider as plain data.
package scenario

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

// Schema returns the kind of the schemas of resources, data sources and ephemeral resources.
func (k Kind) Schema() catalog.Kind {
	return map[Kind]catalog.Kind{Resource: catalog.Resource, Data: catalog.Data, Ephemeral: catalog.Ephemeral}[k]
}

// Secret is in place of a value that must not be shown, whatever its type is. Users have to replace it.
const Secret = "(secret)"

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

// A Target is a type to explore.
type Target struct {
	Kind   Kind
	Name   string
	Schema *catalog.Schema
}

// A Scenario describes the requests to the provider. In one step that plans, the provider validates
// a configuration, plans or reads it, and possibly plans it again with known values. Other steps
// are a lifecycle: the provider takes them with a new object, and destroys the object.
type Scenario struct {
	Kind     Kind
	TypeName string
	Schema   *objchange.Schema
	Phase    Phase
	Steps    []Step    // at least one
	Settles  bool      // the finding is in the plan after the scenario
	Provider cty.Value // the provider's own configuration
	Reads    bool      // the type is read, because the hints allow it
}

// A Step is an action of a user with a configuration.
type Step struct {
	Does   Action
	Config cty.Value // of the schema's implied type, without marks
	Then   cty.Value // wholly known configuration during apply; cty.NilVal if absent
	Fails  bool      // the provider returns an error
}

// An Action is the action in a step.
type Action string

// The actions. All but Plans are steps of a lifecycle.
const (
	Plans      Action = "" // or the equivalent for other kinds
	Applies    Action = "apply"
	Replaces   Action = "replace"
	Imports    Action = "import"
	Identifies Action = "import by identity"
	Destroys   Action = "destroy"
)

// Last returns the last step, which shows the finding.
func (sc Scenario) Last() Step { return sc.Steps[len(sc.Steps)-1] }

// Plans reports whether the scenario changes no object.
func (sc Scenario) Plans() bool { return sc.Last().Does == Plans }

// Until returns the scenario up to step n. After the last step, a step destroys the object.
func (sc Scenario) Until(n int) Scenario {
	if n == len(sc.Steps) {
		last := sc.Last()
		sc.Steps = append(slices.Clip(sc.Steps), Step{Does: Destroys, Config: cmp.Or(last.Then, last.Config)})
	}
	sc.Steps = sc.Steps[:n+1]
	return sc
}

// WithSteps returns the scenario with other steps.
func (sc Scenario) WithSteps(all ...Step) Scenario {
	sc.Steps = all
	return sc
}
