package ignore

import "strings"

// A glob is what a pattern has before, between and after its stars.
type glob []string

// newGlob reads a pattern: * is any text, \* and \\ are a star and a backslash, and all
// else is itself, as the brackets of addresses are. "" is any text, too.
func newGlob(pattern string) (g glob) {
	if pattern == "" {
		pattern = "*"
	}
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

// matches reports whether the glob matches the whole text.
func (g glob) matches(text string) bool {
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

// escaped returns the pattern that matches the text only.
func escaped(text string) string { return escaper.Replace(text) }
