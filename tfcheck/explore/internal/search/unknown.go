package search

import (
	"cmp"
	"iter"
	"slices"

	"github.com/zclconf/go-cty/cty"
)

// Unknowns yields configurations in which one slot is unknown. The base may set the slot or not.
// The field then of a variation contains the configurations that may result. The value of the base
// comes first. After all slots, other values follow, and null for an optional slot. An unknown
// collection of blocks corresponds to a dynamic block for an unknown collection.
func (k *Knowledge) Unknowns(base cty.Value) iter.Seq[Variation] {
	return func(yield func(Variation) bool) {
		slots := k.settable(base, 2)
		slices.SortStableFunc(slots, func(a, b *Slot) int { return cmp.Compare(rank(a), rank(b)) })
		for _, others := range []bool{false, true} {
			for _, s := range slots {
				for _, v := range k.unknown(base, s) {
					all := v.Then
					if v.Then = all[:1]; others {
						v.Then = all[1:]
					}
					if len(v.Then) > 0 && !yield(v) {
						return
					}
				}
			}
		}
	}
}

// unknown returns the variations in which the slot or an element of it is unknown.
func (k *Knowledge) unknown(base cty.Value, s *Slot) (all []Variation) {
	add := func(about string, at *Slot, change func(cty.Value, int) cty.Value) {
		v := Variation{About: about + " is unknown", Config: at.change(base, nil, change), Then: k.outcomes(at, base)}
		if k.differs(v.Config, base) && len(v.Then) > 0 {
			all = append(all, v)
		}
	}
	if s.block && s.isObject() {
		return nil // Terraform always knows whether a single block is present
	}
	add(s.Path, s, func(cty.Value, int) cty.Value { return cty.UnknownVal(s.ty) })
	if s.block || s.element == nil || !s.setIn(base) {
		return all
	}
	add("an element of "+s.Path, s.element, func(v cty.Value, i int) cty.Value {
		if i == 0 {
			return cty.UnknownVal(v.Type())
		}
		return v
	})
	return all
}

// rank puts blocks before attributes, because they are few and providers seldom expect dynamic
// blocks.
func rank(s *Slot) int {
	if s.block {
		return 0
	}
	return 1
}

// UnknownUpdates yields variations in which one slot is unknown, for updates. Slots that the base
// sets come first.
func (k *Knowledge) UnknownUpdates(base cty.Value) iter.Seq[Variation] {
	return func(yield func(Variation) bool) {
		slots := k.settable(base, 2)
		slices.SortStableFunc(slots, func(a, b *Slot) int {
			return cmp.Compare(updateRank(a, base), updateRank(b, base))
		})
		for _, s := range slots {
			for _, v := range k.unknown(base, s) {
				if !yield(v) {
					return
				}
			}
		}
	}
}

// updateRank returns the rank of a slot. Blocks come first. Slots that the base does not set come
// last.
func updateRank(s *Slot, base cty.Value) int {
	if s.setIn(base) {
		return rank(s)
	}
	return 2 + rank(s)
}

// outcomes returns the configurations that may result when the slot becomes known. The base comes
// first.
func (k *Knowledge) outcomes(s *Slot, base cty.Value) (all []cty.Value) {
	add := func(change func(v cty.Value, i int) cty.Value) {
		config := s.change(base, nil, change)
		if !slices.ContainsFunc(all, config.RawEquals) && k.sendable(config) {
			all = append(all, config)
		}
	}
	always := func(v cty.Value) func(cty.Value, int) cty.Value {
		return func(cty.Value, int) cty.Value { return v }
	}
	add(func(v cty.Value, _ int) cty.Value { return v })
	switch {
	case s.isElement():
		add(func(v cty.Value, _ int) cty.Value { return another(v, 1) })
		return all
	case s.element != nil:
		for _, count := range []int{1, 2, 0} {
			if count >= s.min && (s.max == 0 || count <= s.max) {
				add(always(k.several(s, 0, count)))
			}
		}
	case !s.isObject():
		if len(s.good) > 1 {
			add(always(s.good[1]))
		}
		for _, v := range k.candidates(s)[:1] {
			add(always(v))
			if len(s.values) == 0 {
				add(always(another(v, 1)))
			}
		}
		for _, v := range s.values[:min(2, len(s.values))] {
			add(always(v))
		}
	default:
		add(always(k.build(s, 0)))
	}
	if s.optional() {
		add(always(s.none))
	}
	return all
}
