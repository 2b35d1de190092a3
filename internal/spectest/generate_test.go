package spectest

import (
	"maps"
	"slices"

	"pgregory.net/rapid"

	"github.com/objchange/objchange/internal/spectest/generate"
)

// Random resources are made by package generate, here with dice that rapid rolls.

// A die is one of package generate, with what only these tests make by it.
type die struct{ generate.Die }

// pick chooses one of the things.
func pick[V any](d die, things ...V) V { return generate.Pick(d.Die, things...) }

// sorted iterates over a map by name, as generators must to be repeatable.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// rolling makes a generator of what make builds with a die.
func rolling[V any](make func(die) V) *rapid.Generator[V] {
	return rapid.Custom(func(t *rapid.T) V {
		rapid.Bool().Draw(t, "at least one") // rapid wants every generator to draw
		return make(die{func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "roll") }})
	})
}

var (
	// honest worlds hold what Terraform and a good provider send one another.
	honest = rolling(func(d die) generate.World { return d.Honest(d.AnySchema()) })
	// withoutSets are honest worlds where no blocks and no nested attributes are in sets.
	withoutSets = rolling(func(d die) generate.World {
		return d.Honest(d.Schema(generate.Scope{Depth: 1 + d.Die(3), NoSets: true}))
	})
	// wild worlds hold any values that conform to the schema.
	wild = rolling(func(d die) generate.World { return d.Wild(d.AnySchema()) })
)
