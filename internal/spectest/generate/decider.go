// Package generate generates random resources: schemas and the values of a lifecycle. A [Decider]
// makes all choices, so the same choices give the same resource.
package generate

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// A Decider makes all choices of the generators. It returns a number from 0 to n-1. n must be
// positive. Zero is the simplest choice, so small numbers give small resources.
type Decider func(n int) int

// Seeded returns a decider that makes random choices. The same arguments give the same choices.
func Seeded(seed, resource uint64) Decider {
	return rand.New(rand.NewPCG(seed, resource)).IntN
}

// Choose returns a number from 0 to n-1.
func (d Decider) Choose(n int) int { return d(n) }

// OneIn returns true once in n calls on average. It returns false if n is zero.
func (d Decider) OneIn(n int) bool { return n > 0 && d(n) == n-1 }

// Pick returns one of the things.
func Pick[V any](d Decider, things ...V) V { return things[d(len(things))] }

// sorted returns the keys of a map in order. Generators must use this order to be deterministic.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
