// Package globs implements the patterns that select the findings to ignore, in tests and in the
// command.
package globs

import (
	"cmp"
	"fmt"
	"strings"
)

// A Glob contains the literal parts of a pattern: before, between and after its stars.
type Glob []string

// New parses a pattern. A * matches any text, \* and \\ match a star and a backslash, and all other
// characters match themselves, including the brackets in addresses. The pattern "" matches any
// text.
func New(pattern string) (g Glob) {
	pattern = cmp.Or(pattern, "*")
	var part strings.Builder
	for i := 0; i < len(pattern); i++ {
		if pattern[i] == '*' {
			g = append(g, part.String())
			part.Reset()
			continue
		}
		if strings.HasPrefix(pattern[i:], `\*`) || strings.HasPrefix(pattern[i:], `\\`) {
			i++
		}
		part.WriteByte(pattern[i])
	}
	return append(g, part.String())
}

// Matches reports whether the glob matches the whole text.
func (g Glob) Matches(text string) bool {
	text, ok := strings.CutPrefix(text, g[0])
	last := len(g) - 1
	if !ok || last == 0 {
		return ok && text == ""
	}
	text, ok = strings.CutSuffix(text, g[last])
	for _, part := range g[1:last] {
		if ok {
			_, text, ok = strings.Cut(text, part)
		}
	}
	return ok
}

var escaper = strings.NewReplacer(`\`, `\\`, `*`, `\*`)

// Escaped returns a pattern that matches only the text.
func Escaped(text string) string { return escaper.Replace(text) }

// Root is the path of the whole value in patterns, because the pattern "" matches any path.
const Root = "(root)"

// CheckPath returns an error for a pattern that cannot match a path. Paths begin with a dot or a
// bracket.
func CheckPath(pattern string) error {
	if pattern == "" || strings.ContainsRune(".[*("+`\`, rune(pattern[0])) {
		return nil
	}
	return fmt.Errorf("no path matches %q: did you mean %q?", pattern, "."+pattern)
}

// Split splits RULE[:ADDRESS[:PATH]]. A colon in quotes is part of an address or a path.
func Split(text string) (rule, address, path string) {
	parts, quoted, escaped := []string{""}, false, false
	for _, r := range text {
		switch {
		case escaped:
			escaped = false
		case r == '\\':
			escaped = quoted
		case r == '"':
			quoted = !quoted
		}
		if last := len(parts) - 1; r == ':' && !quoted && last < 2 {
			parts = append(parts, "")
		} else {
			parts[last] += string(r)
		}
	}
	parts = append(parts, "", "")
	return parts[0], parts[1], parts[2]
}
