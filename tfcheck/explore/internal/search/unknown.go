package search

import (
	"cmp"
	"iter"
	"slices"

	"github.com/zclconf/go-cty/cty"
)

// Unknowns yields the variations of UnknownUpdates twice: first with the value of the base as the
// only outcome, then with the other outcomes.
func (k *Knowledge) Unknowns(base cty.Value) iter.Seq[Variation] {
	return func(yield func(Variation) bool) {
		for v := range k.UnknownUpdates(base) {
			if v.Then = v.Then[:1]; !yield(v) {
				return
			}
		}
		for v := range k.UnknownUpdates(base) {
			if v.Then = v.Then[1:]; len(v.Then) > 0 && !yield(v) {
				return
			}
		}
	}
}

// UnknownUpdates yields configurations in which one slot is unknown. Slots that the base sets come
// first. The field Then of a variation contains the configurations that may result: first the base,
// then other values, and null for an optional slot. An unknown collection of blocks corresponds to a
// dynamic block for an unknown collection.
func (k *Knowledge) UnknownUpdates(base cty.Value) iter.Seq[Variation] {
	// Blocks come before attributes, because they are few and providers seldom expect dynamic blocks.
	rank := func(s *Slot) (n int) {
		if !s.setIn(base) {
			n += 2
		}
		if !s.block {
			n++
		}
		return n
	}
	return func(yield func(Variation) bool) {
		slots := k.settable(base, 2)
		slices.SortStableFunc(slots, func(a, b *Slot) int { return cmp.Compare(rank(a), rank(b)) })
		for _, s := range slots {
			for _, v := range k.unknown(base, s) {
				if !yield(v) {
					return
				}
			}
		}
	}
}

// unknown returns the variations in which the slot or an element of it is unknown.
func (k *Knowledge) unknown(base cty.Value, s *Slot) (all []Variation) {
	add := func(about string, at *Slot, change changer) {
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

// outcomes returns the configurations that may result when the slot becomes known. The base comes
// first.
func (k *Knowledge) outcomes(s *Slot, base cty.Value) (all []cty.Value) {
	add := func(config cty.Value) {
		if !slices.ContainsFunc(all, config.RawEquals) && k.sendable(config) {
			all = append(all, config)
		}
	}
	add(base)
	if s.isElement() {
		add(s.change(base, nil, func(v cty.Value, _ int) cty.Value { return s.another(v, 1) }))
		return all
	}
	for _, v := range k.outcomeValues(s) {
		add(s.change(base, nil, func(cty.Value, int) cty.Value { return v }))
	}
	return all
}

// outcomeValues returns values that the slot may have when it becomes known.
func (k *Knowledge) outcomeValues(s *Slot) (values []cty.Value) {
	switch {
	case s.element != nil:
		for _, count := range []int{1, 2, 0} {
			if count >= s.min && (s.max == 0 || count <= s.max) {
				values = append(values, k.several(s, 0, count))
			}
		}
	case s.isObject():
		values = append(values, k.build(s, 0))
	default:
		likely := k.candidates(s)[0]
		values = []cty.Value{likely, s.another(likely, 1)}
	}
	if s.optional() {
		values = append(values, s.none)
	}
	return values
}
