package explore

import (
	"github.com/objchange/objchange/tfcheck/explore/internal/repro"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
)

// A Kind is the kind of a type.
type Kind = scenario.Kind

// The kinds of types.
const (
	Resource      = scenario.Resource
	Data          = scenario.Data
	Ephemeral     = scenario.Ephemeral
	Function      = scenario.Function
	Configuration = scenario.Configuration // the provider's own configuration
)

// A Phase is a method of generating configurations.
type Phase = scenario.Phase

// The phases, in their order.
const (
	PhaseMinimal = scenario.PhaseMinimal
	PhaseFull    = scenario.PhaseFull
	PhaseOne     = scenario.PhaseOne
	PhaseUnknown = scenario.PhaseUnknown
	PhaseRandom  = scenario.PhaseRandom
	PhaseLife    = scenario.PhaseLife
)

// A Step is a Command that reproduces a finding, and its HCL if the configuration changes.
type Step = repro.Step
