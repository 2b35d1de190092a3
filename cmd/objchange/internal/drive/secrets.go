package drive

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
)

// secrets are the sensitive texts that have been seen, in folded case. What the
// provider has to say may repeat them.
type secrets map[string]bool

// How long a text must be to be taken for the secret wherever it is, and where it
// stands alone.
const (
	minSecret = 4
	minAlone  = 2
)

// add adds what is sensitive or write-only in the values, with keys of maps.
func (s secrets) add(schema *configschema.Block, values ...cty.Value) {
	for _, v := range values {
		if v == cty.NilVal {
			continue
		}
		v, _ = v.UnmarkDeep()
		_ = cty.Walk(v, func(path cty.Path, part cty.Value) (bool, error) { // fails never
			if isSecret(schema, path) {
				s.addText(part)
				if key, ok := path[len(path)-1].(cty.IndexStep); ok && key.Key.Type() == cty.String {
					s.addText(key.Key)
				}
			}
			return true, nil
		})
	}
}

// isSecret reports whether the place is in an attribute that is not to be shown.
func isSecret(schema *configschema.Block, path cty.Path) bool {
	for i := range path {
		if attr := schema.AttributeByPath(path[:i+1]); attr != nil && (attr.Sensitive || attr.WriteOnly) {
			return true
		}
	}
	return false
}

// addText adds a string, also as Go and JSON have it in quotes, or a number.
func (s secrets) addText(v cty.Value) {
	var texts []string
	switch {
	case !v.IsKnown() || v.IsNull():
	case v.Type() == cty.String:
		quoted := strconv.Quote(v.AsString())
		asJSON, _ := json.Marshal(v.AsString()) // fails for no string
		texts = []string{v.AsString(), quoted[1 : len(quoted)-1], string(asJSON[1 : len(asJSON)-1])}
	case v.Type() == cty.Number:
		texts = []string{v.AsBigFloat().Text('f', -1), v.AsBigFloat().Text('g', -1)}
	}
	for _, text := range texts {
		s[folded(text)] = true
	}
}

// folded returns the text with letters that differ in their case alone the same,
// rune by rune.
func folded(text string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		return least
	}, text)
}

// hide returns the text without the secrets.
func (s secrets) hide(text string) string {
	runes, lookedAt := []rune(text), []rune(folded(text))
	hidden := make([]bool, len(runes))
	for secret := range s {
		hideRunes(hidden, lookedAt, []rune(secret))
	}
	var b strings.Builder
	for i, r := range runes {
		switch {
		case !hidden[i]:
			b.WriteRune(r)
		case i == 0 || !hidden[i-1]:
			b.WriteString("(sensitive)")
		}
	}
	return b.String()
}

// hideRunes notes where the secret is in a text.
func hideRunes(hidden []bool, text, secret []rune) {
	if len(secret) < minAlone {
		return
	}
	for from := 0; from+len(secret) <= len(text); from++ {
		to := from + len(secret)
		if !slices.Equal(text[from:to], secret) || len(secret) < minSecret && !alone(text, from, to) {
			continue
		}
		for i := from; i < to; i++ {
			hidden[i] = true
		}
	}
}

// alone reports whether neither a letter nor a digit is beside a part of a text.
func alone(text []rune, from, to int) bool {
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	return (from == 0 || !inWord(text[from-1])) && (to == len(text) || !inWord(text[to]))
}

// said returns what a provider said, as it may be told.
func (s secrets) said(text string) string { return withoutDump(s.hide(text)) }

// withoutDump leaves of a panic the message and the first lines.
func withoutDump(text string) string {
	const enough = 8
	for _, start := range []string{"\npanic: ", "\nfatal error: "} {
		i := strings.Index(text, start)
		if i < 0 {
			continue
		}
		lines := strings.Split(text[i+1:], "\n")
		if len(lines) > enough {
			return text[:i+1] + strings.Join(lines[:enough], "\n") + "\n…"
		}
	}
	return text
}
