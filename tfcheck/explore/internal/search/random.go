package search

import (
	"math"
	"math/rand/v2"
	"unicode"

	"github.com/zclconf/go-cty/cty"
)

// Random returns a configuration that combines the configurations in base, which must not be empty.
// Some slots have the values of another configuration, are omitted, or have other values.
func (k *Knowledge) Random(base []cty.Value) cty.Value {
	config := base[k.rng.IntN(len(base))]
	all := k.settable(config, 2)
	if len(all) == 0 {
		return config
	}
	for range 1 + k.rng.IntN(4) {
		if changed := k.change(config, all[k.rng.IntN(len(all))], base); k.sendable(changed) {
			config = changed
		}
	}
	return config
}

// change changes a slot of the configuration at random. Arbitrary values of the type are rare,
// because a provider that validates refuses most of them.
func (k *Knowledge) change(config cty.Value, s *Slot, base []cty.Value) cty.Value {
	if k.rng.IntN(16) == 0 {
		return k.with(config, s, k.draw(s))
	}
	switch k.rng.IntN(3) {
	case 0:
		top := s
		for top.parent != k.root {
			top = top.parent
		}
		return k.with(config, top, base[k.rng.IntN(len(base))].GetAttr(top.Name))
	case 1:
		if s.optional() && s.setIn(config) {
			return k.with(config, s, s.none)
		}
		return k.with(config, s, k.build(s, k.rng.IntN(2)))
	}
	if others := k.others(s); len(others) > 0 {
		return k.with(config, s, others[k.rng.IntN(len(others))].value)
	}
	return config
}

// draw returns a random value of the slot's type. The provider may refuse it. A string matches the
// first learned pattern, if there is one.
func (k *Knowledge) draw(s *Slot) cty.Value {
	switch {
	case s.isObject():
		return s.object(func(at *Slot) cty.Value {
			if at.settable && (at.declared || k.rng.IntN(2) > 0) {
				return k.draw(at)
			}
			return at.none
		})
	case s.element != nil:
		most := max(3, s.min)
		if s.max > 0 {
			most = min(most, s.max)
		}
		var all []cty.Value
		for range s.min + upTo(k.rng, max(0, most-s.min)) {
			all = append(all, k.draw(s.element))
		}
		return s.collect(all)
	}
	switch s.LeafType() {
	case cty.Bool:
		return cty.BoolVal(k.rng.IntN(2) == 0)
	case cty.Number:
		return drawNumber(k.rng)
	case cty.String:
		return cty.StringVal(drawText(k.rng, s.patterns))
	}
	return s.none
}

// drawNumber returns an integer of any size, a fraction, or a number with too many digits for a
// float64.
func drawNumber(rng *rand.Rand) cty.Value {
	sign := int64(1 - 2*rng.IntN(2))
	switch rng.IntN(3) {
	case 0:
		return cty.NumberIntVal(sign * int64(rng.Uint64()>>(1+rng.IntN(63))))
	case 1:
		return cty.NumberFloatVal(float64(sign) * rng.Float64() * math.Pow10(rng.IntN(41)-20))
	}
	return cty.MustParseNumberVal(drawText(rng, []string{`^-?[1-9][0-9]{18,40}$`}))
}

// oddRunes are runes that programs often handle wrong.
var oddRunes = []rune("\x00\t\r\n \u00a0\u200b\u202e\u0301\ufeff\ufffdßİıſＡﬁ\"'\\`$%{}<>&")

// drawText returns a text that matches the first pattern, or a text of up to 31 runes. Short texts
// are more frequent.
func drawText(rng *rand.Rand, patterns []string) string {
	if len(patterns) > 0 {
		if p, ok := newPattern(patterns[0]); ok {
			for range 10 {
				if text, ok := p.text(8, rng); ok {
					return text
				}
			}
		}
	}
	odd := rng.IntN(2) == 0
	text := make([]rune, rng.IntN(1<<rng.IntN(6)))
	for i := range text {
		if odd {
			text[i] = oddRunes[rng.IntN(len(oddRunes))]
		} else {
			text[i] = runeOf([]rune{' ', unicode.MaxRune}, rng)
		}
	}
	return string(text)
}
