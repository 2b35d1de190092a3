package search

import (
	"math"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// relationMoves returns moves that set missing slots and remove excess slots.
func relationMoves(config cty.Value, at *Slot, others []*Slot, asks ask) (moves []move) {
	group := others
	if !slices.Contains(others, at) {
		group = append([]*Slot{at}, others...)
	}
	var present []*Slot
	var fewer, more []move
	var all, butOne move // all sets all absent slots, and butOne removes all but one
	for _, s := range group {
		switch {
		case s.isElement() || !s.settable:
			continue
		case !s.setIn(config):
			more, all = append(more, move{{s, cty.NilVal}}), append(all, edit{s, cty.NilVal})
			continue
		case s.optional():
			fewer = append(fewer, move{remove(s)})
			if len(present) > 0 {
				butOne = append(butOne, remove(s))
			}
		}
		present = append(present, s)
	}
	slices.Reverse(fewer)
	switch {
	case len(present) > 1 && (asks == asksFewer || asks == asksOne):
		exclude(present)
		return slices.Concat([]move{butOne}, fewer, more)
	case asks == asksFewer:
		return slices.Concat(fewer, more)
	case asks == asksAny:
		return slices.Concat(more, fewer)
	case asks == asksAll:
		return slices.Concat([]move{all}, more, fewer)
	case asks == asksNone:
		return fewer
	case asks == asksMore && len(others) == 0 && len(all) == 1:
		all[0].at.required = true
	}
	return more
}

// exclude records that the slots cannot be set together.
func exclude(group []*Slot) {
	for _, s := range group {
		for _, o := range group {
			if s != o && s.optional() && !slices.Contains(s.excludes, o) {
				s.excludes = append(s.excludes, o)
			}
		}
	}
}

// valueMoves returns moves that set other values of the slot.
func (k *Knowledge) valueMoves(config cty.Value, at *Slot, m message) (moves []move) {
	for s := at; s != nil && m.limits.of(unitCount); s = s.parent {
		if s.element != nil {
			return k.countMoves(s, m.limits)
		}
	}
	leaf := at.leaf()
	if leaf == nil {
		return nil
	}
	keys := k.keyMoves(config, leaf, m)
	if leaf.ty != cty.String && len(m.lists) > 0 && keys != nil {
		return keys // the lists contain keys, because the values are not strings
	}
	current := leaf.at(config)
	texts := k.suggested(leaf, current, m)
	if len(current) > 0 {
		leaf.refused[valueKey(current[0])] = true
	}
	for _, v := range valuesOf(leaf.LeafType(), texts) {
		if leaf.refused[valueKey(v)] || slices.ContainsFunc(current, v.RawEquals) {
			continue
		}
		if !slices.ContainsFunc(leaf.values, v.RawEquals) {
			leaf.values = append(leaf.values, v)
		}
		moves = append(moves, move{{leaf, v}})
	}
	return append(moves, keys...)
}

// keyMoves returns moves that set other keys of a map. SDKs report a key at the path of its value.
func (k *Knowledge) keyMoves(config cty.Value, leaf *Slot, m message) (moves []move) {
	s := leaf.parent
	if !leaf.isElement() || !s.nesting.Keyed() {
		return nil
	}
	key := &Slot{Path: s.Path, Name: "key", parent: s, ty: cty.String}
	var current []cty.Value
	for _, v := range s.at(config) {
		_, keys := partsOf(v)
		for _, name := range keys {
			current = append(current, cty.StringVal(name))
		}
	}
	elements, _ := partsOf(k.several(s, 0, max(1, s.min)))
	for _, text := range k.suggested(key, current, m) {
		moves = append(moves, move{{s, s.collect(elements, text)}})
	}
	return moves
}

// suggested returns the values that the message suggests, best first. Their lengths are within the
// limits of this message and earlier messages.
func (k *Knowledge) suggested(s *Slot, current []cty.Value, m message) (texts []string) {
	now := "example"
	if len(current) > 0 && current[0].IsKnown() && !current[0].IsNull() && current[0].Type() == cty.String {
		now = current[0].AsString()
	}
	texts = append(slices.Clip(m.shown), k.listed(s, m)...)
	texts = slices.DeleteFunc(texts, func(text string) bool { return text == now })
	if m.limits.of(unitLength) && s.LeafType() == cty.String {
		s.length = m.limits
		texts = append(texts, now)
	} else {
		texts = append(texts, inRange(m.limits)...)
	}
	for _, p := range m.patterns {
		if !slices.Contains(s.patterns, p) {
			s.patterns = append(s.patterns, p)
		}
	}
	for _, p := range s.patterns {
		texts = append(texts, matches(p, s.length)...)
	}
	if m.prefix != "" || m.suffix != "" {
		texts = append(texts, m.prefix+strings.TrimSuffix(strings.TrimPrefix(now, m.prefix), m.suffix)+m.suffix)
	}
	texts = append(texts, m.formats...)
	for i, text := range texts {
		texts[i] = fit(text, s.length)
	}
	return texts
}

// listed returns the values in the lists of the message. Lists that are introduced as values come
// first.
func (k *Knowledge) listed(s *Slot, m message) (texts []string) {
	for _, lead := range []bool{true, false} {
		for _, l := range m.lists {
			certain := lead || l.quoted && len(l.items) > 1
			if l.lead == lead && certain && !l.not && (m.valued || !k.areNames(s, l.items)) {
				texts = append(texts, l.items...)
			}
		}
	}
	return texts
}

// countMoves returns a move that changes the number of elements to a number within the limits.
func (k *Knowledge) countMoves(s *Slot, m limits) []move {
	if m.least != nil {
		s.min = max(s.min, int(min(*m.least, 64)))
		if s.max > 0 {
			s.min = min(s.min, s.max)
		}
	}
	if m.most != nil && *m.most == 0 {
		return []move{{remove(s)}}
	}
	if m.most != nil && *m.most > 0 && (s.max == 0 || *m.most < float64(s.max)) {
		s.max = max(int(min(*m.most, math.MaxInt32)), s.min)
	}
	return []move{{{s, cty.NilVal}}}
}

// lastMoves returns the moves to try last: other values, or no value.
func (k *Knowledge) lastMoves(config cty.Value, at *Slot, away []move) (moves []move) {
	if !at.setIn(config) && at.settable && !at.isElement() {
		return []move{{{at, cty.NilVal}}}
	}
	if leaf := at.leaf(); leaf != nil {
		for _, v := range k.candidates(leaf) {
			if !slices.ContainsFunc(leaf.at(config), v.RawEquals) && len(moves) < maxTries {
				moves = append(moves, move{{leaf, v}})
			}
		}
	} else {
		for _, s := range objectOf(at).slots() {
			if s.settable && !s.setIn(config) {
				moves = append(moves, move{{s, cty.NilVal}})
			}
		}
	}
	if len(away) > 0 && len(moves) > 3 {
		return slices.Insert(moves, 3, away...)
	}
	return append(moves, away...)
}

// removals returns moves that remove the slot, or a slot around it.
func removals(config cty.Value, at *Slot) (moves []move) {
	for s := at; s.parent != nil; s = s.parent {
		if s.optional() && s.setIn(config) {
			moves = append(moves, move{remove(s)})
		}
	}
	return moves
}
