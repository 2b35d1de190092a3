package spectest

import (
	"maps"
	"slices"

	"pgregory.net/rapid"

	"github.com/objchange/objchange/internal/spectest/generate"
)

// Package generate generates the random resources. In this package, rapid makes the choices.

// A die extends generate.Die with the generators that only these tests use.
type die struct{ generate.Die }

// pick returns one of the things.
func pick[V any](d die, things ...V) V { return generate.Pick(d.Die, things...) }

// sorted returns the keys of a map in order. Generators must use this order to be deterministic.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// rolling returns a generator of the values that make builds with a die.
func rolling[V any](make func(die) V) *rapid.Generator[V] {
	return rapid.Custom(func(t *rapid.T) V {
		rapid.Bool().Draw(t, "at least one") // each rapid generator must draw a value
		return make(die{func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "roll") }})
	})
}

var (
	// honest generates worlds with values that Terraform and a correct provider exchange.
	honest = rolling(func(d die) generate.World { return d.Honest(d.AnySchema()) })
	// withoutSets generates honest worlds whose blocks and nested attributes do not use sets.
	withoutSets = rolling(func(d die) generate.World {
		return d.Honest(d.Schema(generate.Scope{Depth: 1 + d.Die(3), NoSets: true}))
	})
	// wild generates worlds with any values that conform to the schema.
	wild = rolling(func(d die) generate.World { return d.Wild(d.AnySchema()) })
)
