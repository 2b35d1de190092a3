package explore

import (
	"sync"

	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"
)

// draw returns a random value of the slot's type. The provider may refuse it. A string matches the
// first learned pattern, if there is one. draw returns false if it cannot build a matching string.
func (k *knowledge) draw(s *slot) (v cty.Value, ok bool) {
	drawing.Lock()
	defer drawing.Unlock()
	defer func() { ok = recover() == nil }() // rapid panics after too many tries
	return drawn(s).Example(int(k.rng.Uint32() >> 1)), true
}

// drawing is locked while a value is drawn, because several goroutines must not use the same rapid
// generators concurrently.
var drawing sync.Mutex

// drawn returns a generator of arbitrary values for the slot.
func drawn(s *slot) *rapid.Generator[cty.Value] {
	switch {
	case s.load != nil:
		return rapid.Custom(func(t *rapid.T) cty.Value {
			fields := map[string]cty.Value{}
			for _, at := range s.slots() {
				fields[at.name] = at.none
				if at.settable && (at.declared || rapid.Bool().Draw(t, "set")) {
					fields[at.name] = drawn(at).Draw(t, at.name)
				}
			}
			return cty.ObjectVal(fields)
		})
	case s.element != nil:
		most := max(3, s.min)
		if s.max > 0 {
			most = min(most, s.max)
		}
		return rapid.Map(rapid.SliceOfN(drawn(s.element), s.min, most), func(all []cty.Value) cty.Value { return s.collect(all) })
	case leafType(s) == cty.String && len(s.patterns) > 0:
		return rapid.Map(rapid.StringMatching(lookaround.ReplaceAllString(s.patterns[0], "")), cty.StringVal)
	}
	return primitiveGenerators[leafType(s)]
}

// primitiveGenerators contains generators for primitive types.
var primitiveGenerators = map[cty.Type]*rapid.Generator[cty.Value]{
	cty.Bool: rapid.Map(rapid.Bool(), cty.BoolVal),
	cty.Number: rapid.OneOf(
		rapid.Map(rapid.Int64(), cty.NumberIntVal),
		rapid.Map(rapid.Float64Range(-1e20, 1e20), cty.NumberFloatVal),
		rapid.Map(rapid.StringMatching(`-?[1-9][0-9]{18,40}`), cty.MustParseNumberVal),
	),
	cty.String: rapid.OneOf(
		rapid.Map(rapid.String(), cty.StringVal),
		rapid.Map(rapid.StringOf(rapid.RuneFrom([]rune("\x00\t\r\n \u00a0\u200b\u202e\u0301\ufeff\ufffdßİıſＡﬁ\"'\\`$%{}<>&"))), cty.StringVal),
	),
}
