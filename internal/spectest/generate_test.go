package spectest

import (
	"maps"
	"slices"

	"pgregory.net/rapid"

	"github.com/objchange/objchange/internal/spectest/generate"
)

// Package generate generates the random resources. In this package, rapid makes the choices.

// A decider extends generate.Decider with the generators that only these tests use.
type decider struct{ generate.Decider }

// pick returns one of the things.
func pick[V any](d decider, things ...V) V { return generate.Pick(d.Decider, things...) }

// sorted returns the keys of a map in order. Generators must use this order to be deterministic.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// generator returns a generator of the values that make builds with a decider.
func generator[V any](make func(decider) V) *rapid.Generator[V] {
	return rapid.Custom(func(t *rapid.T) V {
		rapid.Bool().Draw(t, "at least one") // each rapid generator must draw a value
		return make(decider{func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "choice") }})
	})
}

var (
	// correctResources generates resources with values that Terraform and a correct provider exchange.
	correctResources = generator(func(d decider) generate.Resource { return d.Correct(d.AnySchema()) })
	// resourcesWithoutSets generates correct resources whose blocks and nested attributes do not use
	// sets.
	resourcesWithoutSets = generator(func(d decider) generate.Resource {
		return d.Correct(d.Schema(generate.Scope{Depth: 1 + d.Choose(3), NoSets: true}))
	})
	// arbitraryResources generates resources with any values that conform to the schema.
	arbitraryResources = generator(func(d decider) generate.Resource { return d.Arbitrary(d.AnySchema()) })
)
