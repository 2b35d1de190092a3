// Package generate makes random resources: schemas and the values of their lives. All
// choices are made by a [Die], so that the same rolls make the same resource.
package generate

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// A Die makes all choices of the generators: it returns a number from 0 below n, which is
// above 0. Zero is the plainest choice, so that who searches for small rolls finds small
// resources.
type Die func(n int) int

// Seeded returns a die whose rolls are random, and the same for the same numbers.
func Seeded(seed, resource uint64) Die {
	return rand.New(rand.NewPCG(seed, resource)).IntN
}

// OneIn is true once in n times; never for zero.
func (d Die) OneIn(n int) bool { return n > 0 && d(n) == n-1 }

// Pick chooses one of the things.
func Pick[V any](d Die, things ...V) V { return things[d(len(things))] }

// sorted returns the names in a map in order, as generators must go by them.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
