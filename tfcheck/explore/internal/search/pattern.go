package search

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// maxRepeat limits the number of repetitions of a part of a pattern.
const maxRepeat = 40

var lookaround = regexp.MustCompile(`\(\?<?[=!][^()]*\)`)

// matches returns strings that match a regular expression: the shortest string, some strings with
// repeated parts, and some strings within the limits. It returns nil for an expression that package
// regexp does not support. It ignores lookaround assertions.
func matches(pattern string, within limits) (all []string) {
	pattern = lookaround.ReplaceAllString(pattern, "")
	expr, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	check, err := regexp.Compile(pattern)
	for more := 0; err == nil && more < maxRepeat && len(all) < 5; more++ {
		var b strings.Builder
		match(&b, expr, more)
		text := b.String()
		wanted := more < 2 || more == 7 || within.of(unitLength) && fit(text, within) == text
		if wanted && len(text) <= maxMatch && check.MatchString(text) && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// match writes a matching string. It repeats each part more times than necessary, if the expression
// allows it. The number more is the number of additional repetitions.
func match(b *strings.Builder, expr *syntax.Regexp, more int) {
	if b.Len() > maxMatch {
		return
	}
	times := 1
	switch expr.Op {
	case syntax.OpLiteral:
		b.WriteString(string(expr.Rune))
	case syntax.OpCharClass:
		b.WriteRune(runeOf(expr.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteRune('a')
	case syntax.OpAlternate:
		match(b, expr.Sub[0], more)
		return
	case syntax.OpStar:
		times = more
	case syntax.OpPlus:
		times = 1 + more
	case syntax.OpQuest:
		times = min(more, 1)
	case syntax.OpRepeat:
		times = expr.Min + more
		if expr.Max >= 0 {
			times = min(times, expr.Max)
		}
	}
	for range times {
		for _, sub := range expr.Sub {
			match(b, sub, more)
		}
	}
}

// runeOf returns a common rune in the ranges, or their first rune.
func runeOf(ranges []rune) rune {
	for _, usual := range "a1A-_ !" {
		for i := 0; i+1 < len(ranges); i += 2 {
			if ranges[i] <= usual && usual <= ranges[i+1] {
				return usual
			}
		}
	}
	return append(ranges, 'a')[0]
}
