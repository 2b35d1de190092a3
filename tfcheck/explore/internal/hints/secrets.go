package hints

import (
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/objchange/objchange/tfcheck/explore/internal/search"
)

// Secrets are texts from the hints that must never be shown. Providers may include them in
// messages. A long secret is divided into overlapping pieces, because messages cut long texts.
type Secrets map[string]bool

// The minimum lengths of secrets, and the length of a piece. A message that cuts a text shows at
// least 20 characters of it.
const (
	minSecret    = 4
	minEnvSecret = 8
	piece        = 16
)

const hiddenText = "(secret)"

// Secrets returns the secrets in the hints: the values of sensitive and write-only attributes, and
// the environment of the provider.
func (h *Hints) Secrets(provider *configschema.Block, targets []scenario.Target) Secrets {
	if h == nil {
		return nil
	}
	all := h.secretsOf(string(scenario.Configuration), provider)
	for _, t := range targets {
		if t.Schema != nil && t.Schema.Err == nil {
			all = append(all, h.secretsOf(t.Name, t.Schema.Compiled.Block())...)
		}
	}
	for _, text := range h.file.Provider.Env {
		if len(text) >= minEnvSecret {
			all = append(all, text)
		}
	}
	return SecretsOf(all)
}

// SecretsOf returns the texts as secrets.
func SecretsOf(all []string) Secrets {
	s := Secrets{}
	for _, text := range all {
		quoted := strconv.Quote(text)
		for _, text := range []string{text, quoted[1 : len(quoted)-1]} {
			for i := range max(1, len(text)-piece+1) {
				s[text[i:min(i+piece, len(text))]] = true
			}
		}
	}
	return s
}

// secretsOf returns the texts of sensitive and write-only attributes of a type.
func (h *Hints) secretsOf(typeName string, block *configschema.Block) (all []string) {
	hidden := map[string]bool{}
	for _, s := range search.Slots(block) {
		hidden[s.Path] = s.Hidden
	}
	if typeName == string(scenario.Configuration) {
		if config, err := h.ProviderConfig(block); err == nil {
			all = hiddenTexts(hidden, "", config)
		}
	}
	for slot := range hidden {
		for _, v := range h.Values(typeName, slot) {
			all = append(all, hiddenTexts(hidden, slot, v)...)
		}
	}
	return all
}

// hiddenTexts returns the texts at hidden slots in a value from the hints.
func hiddenTexts(hidden map[string]bool, slot string, v cty.Value) (all []string) {
	if v == cty.NilVal || v.IsNull() {
		return nil
	}
	if v.CanIterateElements() {
		for key, elem := range v.Elements() {
			at := slot
			if key.Type() == cty.String { // a name or a map key
				inner := scenario.Below(slot, key.AsString())
				if _, named := hidden[inner]; named {
					at = inner
				}
			}
			all = append(all, hiddenTexts(hidden, at, elem)...)
		}
		return all
	}
	text, err := convert.Convert(v, cty.String)
	if err != nil || !hidden[slot] || v.Type() == cty.Bool || len(text.AsString()) < minSecret {
		return nil
	}
	return []string{text.AsString()}
}

// Hide returns the text with "(secret)" in place of each secret.
func (s Secrets) Hide(text string) string {
	if len(s) == 0 {
		return text
	}
	var b strings.Builder
	hidden := 0 // the end of the last pieces, which may overlap
	for i := range len(text) {
		end := i
		for size := minSecret; size <= min(piece, len(text)-i); size++ {
			if s[text[i:i+size]] {
				end = i + size
			}
		}
		switch {
		case i < hidden:
		case end > i:
			b.WriteString(hiddenText)
		default:
			b.WriteByte(text[i])
		}
		hidden = max(hidden, end)
	}
	return b.String()
}

// Value returns a value with hidden secrets.
func (s Secrets) Value(v cty.Value) cty.Value {
	if v == cty.NilVal || len(s) == 0 {
		return v
	}
	shown, _ := cty.Transform(v, func(_ cty.Path, part cty.Value) (cty.Value, error) { // no error is returned
		if part.Type() == cty.String && part.IsKnown() && !part.IsNull() {
			part = cty.StringVal(s.Hide(part.AsString()))
		}
		return part, nil
	})
	return shown
}
