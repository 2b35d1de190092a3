// Package generate generates random resources: schemas and the values of a lifecycle. A [Die] makes
// all choices, so the same rolls give the same resource.
package generate

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// A Die makes all choices of the generators. It returns a number from 0 to n-1. n must be positive.
// Zero is the simplest choice, so small rolls give small resources.
type Die func(n int) int

// Seeded returns a die with random rolls. The same arguments give the same rolls.
func Seeded(seed, resource uint64) Die {
	return rand.New(rand.NewPCG(seed, resource)).IntN
}

// OneIn returns true once in n calls on average. It returns false if n is zero.
func (d Die) OneIn(n int) bool { return n > 0 && d(n) == n-1 }

// Pick returns one of the things.
func Pick[V any](d Die, things ...V) V { return things[d(len(things))] }

// sorted returns the keys of a map in order. Generators must use this order to be deterministic.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
