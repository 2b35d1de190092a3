package search

import (
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// maxMatch limits the length of a string that is built for a pattern.
const maxMatch = 4096

// maxRepeat limits the number of repetitions of a part of a pattern.
const maxRepeat = 40

var lookaround = regexp.MustCompile(`\(\?<?[=!][^()]*\)`)

// A pattern is a regular expression that texts must match.
type pattern struct {
	expr  *syntax.Regexp
	check *regexp.Regexp
}

// newPattern parses an expression without its lookaround assertions. It returns false for an
// expression that package regexp does not support.
func newPattern(text string) (p pattern, ok bool) {
	text = lookaround.ReplaceAllString(text, "")
	expr, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return p, false
	}
	check, err := regexp.Compile(text)
	return pattern{expr, check}, err == nil
}

// text returns a matching text, or false if the attempt to build one failed. For the parameters, see
// match.
func (p pattern) text(more int, rng *rand.Rand) (string, bool) {
	var b strings.Builder
	match(&b, p.expr, more, rng)
	return b.String(), b.Len() <= maxMatch && p.check.MatchString(b.String())
}

// matches returns strings that match a regular expression: the shortest string, some strings with
// repeated parts, and some strings within the limits. It returns nil for an invalid expression.
func matches(expr string, within limits) (all []string) {
	p, ok := newPattern(expr)
	for more := 0; ok && more < maxRepeat && len(all) < 5; more++ {
		text, found := p.text(more, nil)
		wanted := more < 2 || more == 7 || within.of(unitLength) && fit(text, within) == text
		if wanted && found && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// match writes a matching string. It repeats each part more times than necessary, if the expression
// allows it. The number more is the number of additional repetitions. If rng is not nil, match
// chooses alternatives, characters and repetitions at random, and more is the maximum.
func match(b *strings.Builder, expr *syntax.Regexp, more int, rng *rand.Rand) {
	if b.Len() > maxMatch {
		return
	}
	least, most := 1, 1
	switch expr.Op {
	case syntax.OpLiteral:
		b.WriteString(string(expr.Rune))
		return
	case syntax.OpCharClass:
		b.WriteRune(runeOf(expr.Rune, rng))
		return
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteRune(runeOf([]rune{' ', unicode.MaxRune}, rng))
		return
	case syntax.OpAlternate:
		match(b, expr.Sub[upTo(rng, len(expr.Sub)-1)], more, rng)
		return
	case syntax.OpStar:
		least, most = 0, more
	case syntax.OpPlus:
		least, most = 1, 1+more
	case syntax.OpQuest:
		least, most = 0, min(more, 1)
	case syntax.OpRepeat:
		least, most = expr.Min, expr.Min+more
		if expr.Max >= 0 {
			most = min(most, expr.Max)
		}
	}
	times := max(least, most)
	if rng != nil {
		times = least + upTo(rng, times-least)
	}
	for range times {
		for _, sub := range expr.Sub {
			match(b, sub, more, rng)
		}
	}
}

// upTo returns a random number from 0 to n, or 0 if rng is nil.
func upTo(rng *rand.Rand, n int) int {
	if rng == nil {
		return 0
	}
	return rng.IntN(n + 1)
}

// runeOf returns a rune in the ranges: a random one, or a common one if rng is nil.
func runeOf(ranges []rune, rng *rand.Rand) rune {
	if rng != nil && len(ranges) > 1 {
		i := 2 * rng.IntN(len(ranges)/2)
		size := int(ranges[i+1]-ranges[i]) + 1
		if rng.IntN(4) > 0 { // most values have only characters from the start, such as ASCII
			size = min(size, 95)
		}
		return ranges[i] + rune(rng.IntN(size))
	}
	in := func(r rune) bool {
		for i := 0; i+1 < len(ranges); i += 2 {
			if ranges[i] <= r && r <= ranges[i+1] {
				return true
			}
		}
		return false
	}
	for _, usual := range "a1A-_ " {
		if in(usual) {
			return usual
		}
	}
	for i := 0; i+1 < len(ranges); i += 2 {
		for r := ranges[i]; r <= min(ranges[i+1], ranges[i]+128); r++ {
			if unicode.IsPrint(r) {
				return r
			}
		}
	}
	if len(ranges) > 0 {
		return ranges[0]
	}
	return 'a'
}
