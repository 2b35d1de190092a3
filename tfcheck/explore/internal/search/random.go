package search

import (
	"math"
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"

	"github.com/zclconf/go-cty/cty"
)

// draw returns a random value of the slot's type. The provider may refuse it. A string matches the
// first learned pattern, if there is one. draw returns false if it cannot build a matching string.
func (k *Knowledge) draw(s *Slot) (v cty.Value, ok bool) {
	switch {
	case s.isObject():
		fields := map[string]cty.Value{}
		for _, at := range s.slots() {
			fields[at.Name] = at.none
			if !at.settable || !at.declared && k.rng.IntN(2) == 0 {
				continue
			}
			if fields[at.Name], ok = k.draw(at); !ok {
				return cty.NilVal, false
			}
		}
		return cty.ObjectVal(fields), true
	case s.element != nil:
		return k.drawElements(s)
	}
	switch ty := s.LeafType(); {
	case ty == cty.Bool:
		return cty.BoolVal(k.rng.IntN(2) == 0), true
	case ty == cty.Number:
		return drawNumber(k.rng), true
	case ty == cty.String && len(s.patterns) > 0:
		text, ok := drawMatch(k.rng, lookaround.ReplaceAllString(s.patterns[0], ""))
		return cty.StringVal(text), ok
	case ty == cty.String:
		return cty.StringVal(drawText(k.rng)), true
	}
	return cty.NilVal, false
}

// drawElements returns a collection of random values.
func (k *Knowledge) drawElements(s *Slot) (v cty.Value, ok bool) {
	most := max(3, s.min)
	if s.max > 0 {
		most = min(most, s.max)
	}
	var all []cty.Value
	for range s.min + upTo(k.rng, max(0, most-s.min)) {
		element, ok := k.draw(s.element)
		if !ok {
			return cty.NilVal, false
		}
		all = append(all, element)
	}
	return s.collect(all), true
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
	digits, _ := drawMatch(rng, `^-?[1-9][0-9]{18,40}$`)
	return cty.MustParseNumberVal(digits)
}

// oddRunes are runes that programs often handle wrong.
var oddRunes = []rune("\x00\t\r\n \u00a0\u200b\u202e\u0301\ufeff\ufffdßİıſＡﬁ\"'\\`$%{}<>&")

// drawText returns a text of up to 31 runes. Short texts are more frequent.
func drawText(rng *rand.Rand) string {
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

// drawMatch returns a random text that matches the regular expression. It returns false if the
// expression is invalid, or if several attempts fail.
func drawMatch(rng *rand.Rand, pattern string) (text string, ok bool) {
	expr, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "", false
	}
	checked, err := regexp.Compile(pattern)
	if err != nil {
		return "", false
	}
	for range 10 {
		var b strings.Builder
		match(&b, expr, 8, rng)
		if text := b.String(); len(text) <= maxMatch && checked.MatchString(text) {
			return text, true
		}
	}
	return "", false
}
