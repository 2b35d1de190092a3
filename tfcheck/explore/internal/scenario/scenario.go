// Package scenario describes the requests to a provider as plain data.
package scenario

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

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

// A Scenario describes the requests to the provider. The provider validates a configuration, plans
// or reads it, and possibly plans it again with known values. In a lifecycle, the provider takes
// the earlier steps with a new object, takes the last step, and destroys the object.
type Scenario struct {
	Kind     Kind
	TypeName string
	Schema   *objchange.Schema
	Phase    Phase
	Before   []Step    // earlier steps of a lifecycle
	Does     Action    // action with the configuration
	Config   cty.Value // of the schema's implied type, without marks
	Then     cty.Value // wholly known configuration during apply; cty.NilVal if absent
	Settles  bool      // the finding is in the plan after the scenario
	Needs    []*Need   // values in the configurations that other resources provide
	Provider cty.Value // the provider's own configuration
	Reads    bool      // the type is read, because the hints allow it
}

// A Step is an action of a user with a configuration.
type Step struct {
	Does         Action
	Config, Then cty.Value // as in a scenario
	Fails        bool      // the provider returns an error
}

// An Action is the action in a step.
type Action string

const (
	Plans      Action = "" // or the equivalent for other kinds
	Applies    Action = "apply"
	Replaces   Action = "replace"
	Imports    Action = "import"
	Identifies Action = "import by identity"
	Destroys   Action = "destroy"
)

// LifecycleSteps returns all steps of a lifecycle.
func (sc Scenario) LifecycleSteps() []Step {
	return append(slices.Clip(sc.Before), Step{Does: sc.Does, Config: sc.Config, Then: sc.Then})
}

// Until returns the scenario up to step n. After the last step, a step destroys the object.
func (sc Scenario) Until(n int) Scenario {
	all := sc.LifecycleSteps()
	if sc.Does == Plans || n == len(all)-1 {
		return sc
	}
	if n == len(all) {
		return sc.WithSteps(append(all, Step{Does: Destroys, Config: cmp.Or(sc.Then, sc.Config)}))
	}
	return sc.WithSteps(all[:n+1])
}

// WithSteps returns the scenario with the steps. There must be at least one step.
func (sc Scenario) WithSteps(all []Step) Scenario {
	last := all[len(all)-1]
	sc.Before, sc.Does, sc.Config, sc.Then = all[:len(all)-1], last.Does, last.Config, last.Then
	return sc
}

var steps = regexp.MustCompile(`\[[^\]]*\]`)

// Normal returns a path with […] in place of each index.
func Normal(path string) string { return steps.ReplaceAllString(path, "[…]") }

// Below returns the slot of a name inside a slot, which is "" for the root.
func Below(slot, name string) string { return strings.TrimPrefix(slot+"."+name, ".") }
