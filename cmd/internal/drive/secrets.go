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

// secrets are the sensitive texts of a run, in folded case. Messages of the provider may contain
// them.
type secrets map[string]bool

// minSecret is the minimum length of a secret to hide it everywhere. minAlone is the minimum length
// to hide it as a separate word.
const (
	minSecret = 4
	minAlone  = 2
)

// add adds the sensitive and write-only texts in the values, including keys of maps.
func (s secrets) add(schema *configschema.Block, values ...cty.Value) {
	for _, v := range values {
		if v == cty.NilVal {
			continue
		}
		v, _ = v.UnmarkDeep()
		_ = cty.Walk(v, func(path cty.Path, part cty.Value) (bool, error) { // never fails
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

// isSecret reports whether the path is in a sensitive or write-only attribute.
func isSecret(schema *configschema.Block, path cty.Path) bool {
	for i := range path {
		if attr := schema.AttributeByPath(path[:i+1]); attr != nil && (attr.Sensitive || attr.WriteOnly) {
			return true
		}
	}
	return false
}

// addText adds a string or a number. It adds a string also in the quoted forms of Go and JSON.
func (s secrets) addText(v cty.Value) {
	var texts []string
	switch {
	case !v.IsKnown() || v.IsNull():
	case v.Type() == cty.String:
		quoted := strconv.Quote(v.AsString())
		asJSON, _ := json.Marshal(v.AsString()) // never fails for a string
		texts = []string{v.AsString(), quoted[1 : len(quoted)-1], string(asJSON[1 : len(asJSON)-1])}
	case v.Type() == cty.Number:
		texts = []string{v.AsBigFloat().Text('f', -1), v.AsBigFloat().Text('g', -1)}
	}
	for _, text := range texts {
		s[folded(text)] = true
	}
}

// folded returns the text with simple case folding. It maps each rune to one rune.
func folded(text string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		return least
	}, text)
}

// hide returns the text with the secrets replaced.
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

// hideRunes marks the runes of a text that belong to the secret.
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

// alone reports whether no letter or digit is next to a part of a text.
func alone(text []rune, from, to int) bool {
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	return (from == 0 || !inWord(text[from-1])) && (to == len(text) || !inWord(text[to]))
}

// redacted returns a text of a provider without secrets and with a panic shortened.
func (s secrets) redacted(text string) string { return withoutDump(s.hide(text)) }

// withoutDump shortens a panic to its message and the first lines.
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
