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

// Secrets returns the secrets in the hints: the values of sensitive and write-only attributes, and
// the environment of the provider. A value for a block that contains such an attribute is secret as
// a whole.
func (h *Hints) Secrets(provider *configschema.Block, targets []scenario.Target) Secrets {
	s := Secrets{}
	for _, text := range h.content().Provider.Env {
		if len(text) >= minEnvSecret {
			s.add(text)
		}
	}
	config, err := h.ProviderConfig(provider)
	for _, slot := range search.Slots(provider) {
		if slot.Hidden && err == nil && config != cty.NilVal {
			root, _, _ := strings.Cut(slot.Path, ".")
			s.addValue(config.GetAttr(root))
		}
	}
	h.addHidden(s, string(scenario.Configuration), provider)
	for _, t := range targets {
		if t.Schema != nil && t.Schema.Err == nil {
			h.addHidden(s, t.Name, t.Schema.Compiled.Block())
		}
	}
	return s
}

// addHidden adds the values for sensitive and write-only attributes of a type.
func (h *Hints) addHidden(s Secrets, typeName string, block *configschema.Block) {
	for _, slot := range search.Slots(block) {
		for at := slot.Path; slot.Hidden && at != ""; at = outer(at) {
			for _, v := range h.Values(typeName, at) {
				s.addValue(v)
			}
		}
	}
}

// addValue adds the texts and numbers in a value from the hints.
func (s Secrets) addValue(v cty.Value) {
	_ = cty.Walk(v, func(_ cty.Path, part cty.Value) (bool, error) { // no error is returned
		text, err := convert.Convert(part, cty.String)
		if err == nil && !text.IsNull() && part.Type() != cty.Bool && len(text.AsString()) >= minSecret {
			s.add(text.AsString())
		}
		return true, nil
	})
}

// add adds a text as it is, and as it is shown in quotes.
func (s Secrets) add(text string) {
	quoted := strconv.Quote(text)
	for _, text := range []string{text, quoted[1 : len(quoted)-1]} {
		for i := range max(1, len(text)-piece+1) {
			s[text[i:min(i+piece, len(text))]] = true
		}
	}
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
			b.WriteString(scenario.Secret)
		default:
			b.WriteByte(text[i])
		}
		hidden = max(hidden, end)
	}
	return b.String()
}
