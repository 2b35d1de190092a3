package explore

import (
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

// matches returns strings that match a regular expression: the shortest string, some strings with
// repeated parts, and some strings within the limits. It returns nil for an expression that package
// regexp does not support. It ignores lookaround assertions.
func matches(pattern string, within limits) (all []string) {
	pattern = lookaround.ReplaceAllString(pattern, "")
	expr, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	checked, err := regexp.Compile(pattern)
	if err != nil {
		return nil
	}
	for more := range maxRepeat {
		var b strings.Builder
		match(&b, expr, more)
		text := b.String()
		wanted := more < 2 || more == 7 || within.ofLength() && fit(text, within) == text
		if wanted && len(text) <= maxMatch && checked.MatchString(text) && !slices.Contains(all, text) {
			all = append(all, text)
		}
		if len(all) > 4 {
			break
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
	least, most := 1, 1
	switch expr.Op {
	case syntax.OpLiteral:
		b.WriteString(string(expr.Rune))
		return
	case syntax.OpCharClass:
		b.WriteRune(runeOf(expr.Rune))
		return
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('a')
		return
	case syntax.OpAlternate:
		match(b, expr.Sub[0], more)
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
	for range max(least, most) {
		for _, sub := range expr.Sub {
			match(b, sub, more)
		}
	}
}

// runeOf returns a rune in the ranges. It prefers common characters.
func runeOf(ranges []rune) rune {
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
