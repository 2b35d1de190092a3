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
		for _, first := range []bool{true, false} {
			for v := range k.UnknownUpdates(base) {
				if first {
					v.Then = v.Then[:1]
				} else {
					v.Then = v.Then[1:]
				}
				if len(v.Then) > 0 && !yield(v) {
					return
				}
			}
		}
	}
}

// UnknownUpdates yields configurations in which one slot is unknown. Slots that the base sets come
// first. The field Then of a variation contains the configurations that may result: first the base,
// then other values, and null for an optional slot. An unknown collection of blocks corresponds to a
// dynamic block for an unknown collection.
func (k *Knowledge) UnknownUpdates(base cty.Value) iter.Seq[Variation] {
	// Blocks come before attributes, because they are few and providers seldom expect dynamic
	// blocks.
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

// unknown returns the variations in which the slot or its first element is unknown.
func (k *Knowledge) unknown(base cty.Value, s *Slot) (all []Variation) {
	if s.block && s.isObject() {
		return nil // Terraform always knows whether a single block is present
	}
	add := func(at *Slot, unknown changer, outcomes ...changer) {
		v := Variation{Config: at.change(base, nil, unknown), Then: []cty.Value{base}}
		for _, outcome := range outcomes {
			then := at.change(base, nil, outcome)
			if !slices.ContainsFunc(v.Then, then.RawEquals) && k.sendable(then) {
				v.Then = append(v.Then, then)
			}
		}
		if k.differs(v.Config, base) {
			all = append(all, v)
		}
	}
	add(s, always(cty.UnknownVal(s.ty)), k.outcomes(s)...)
	if s.element != nil && !s.block {
		another := func(v cty.Value, _ int) cty.Value { return s.element.another(v, 1) }
		add(s.element, func(v cty.Value, i int) cty.Value {
			if i == 0 {
				return cty.UnknownVal(v.Type())
			}
			return v
		}, another)
	}
	return all
}

// outcomes returns the values that the slot may have when it becomes known.
func (k *Knowledge) outcomes(s *Slot) (all []changer) {
	switch {
	case s.element != nil:
		for _, count := range []int{1, 2, 0} {
			if count >= s.min && (s.max == 0 || count <= s.max) {
				all = append(all, always(k.several(s, 0, count)))
			}
		}
	case s.isObject():
		all = append(all, always(k.build(s, 0)))
	default:
		likely := k.candidates(s)[0]
		all = append(all, always(likely), always(s.another(likely, 1)))
	}
	if s.optional() {
		all = append(all, always(s.none))
	}
	return all
}
