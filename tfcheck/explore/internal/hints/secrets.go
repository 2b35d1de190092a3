package hints

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
)

// Secrets are texts from the hints that must never be shown. Providers may include them in
// messages.
type Secrets struct {
	whole  *strings.Replacer // replaces the short secrets
	pieces map[string]bool   // of all other secrets, because messages cut long texts
}

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
		return Secrets{}
	}
	all := h.secretsOf(string(scenario.Configuration), provider)
	for _, t := range targets {
		if t.Schema != nil && t.Schema.Err == nil {
			all = append(all, h.secretsOf(t.Name, t.Schema.Compiled.Block())...)
		}
	}
	for _, text := range h.env {
		if len(text) >= minEnvSecret {
			all = append(all, text)
		}
	}
	return SecretsOf(all)
}

func SecretsOf(all []string) Secrets {
	s, short := Secrets{pieces: map[string]bool{}}, []string{}
	for _, text := range all {
		quoted := strconv.Quote(text)
		for _, text := range []string{text, quoted[1 : len(quoted)-1]} {
			if len(text) < piece {
				short = append(short, text)
			}
			for i := range max(0, len(text)-piece+1) {
				s.pieces[text[i:i+piece]] = true
			}
		}
	}
	slices.SortFunc(short, func(a, b string) int { return cmp.Or(len(b)-len(a), cmp.Compare(a, b)) })
	var pairs []string
	for _, text := range short {
		pairs = append(pairs, text, hiddenText)
	}
	s.whole = strings.NewReplacer(pairs...)
	return s
}

// secretsOf returns the texts of sensitive and write-only attributes of a type.
func (h *Hints) secretsOf(typeName string, block *configschema.Block) (all []string) {
	hidden := map[string]bool{}
	hiddenSlots(hidden, "", block, false)
	if typeName == string(scenario.Configuration) {
		if config, err := (ctydata.Format{}).ValueOfType(cty.DynamicPseudoType, h.config); err == nil {
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

// hiddenSlots adds the slots of a block to the map. The value is true for a slot that is sensitive
// or write-only, or is inside such a slot.
func hiddenSlots(all map[string]bool, prefix string, block *configschema.Block, inside bool) {
	if block == nil {
		return
	}
	for name, a := range block.Attributes {
		slot, hidden := scenario.Below(prefix, name), inside || a.Sensitive || a.WriteOnly
		if all[slot] = hidden; a.NestedType != nil {
			hiddenSlots(all, slot, a.NestedType.Block(), hidden)
		}
	}
	for name, nb := range block.BlockTypes {
		slot := scenario.Below(prefix, name)
		all[slot] = inside
		hiddenSlots(all, slot, &nb.Block, inside)
	}
}

// hiddenTexts returns the texts at hidden slots in a value from the hints.
func hiddenTexts(hidden map[string]bool, slot string, v cty.Value) (all []string) {
	if v.IsNull() {
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
	if s.whole == nil {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		if end := s.end(text, i); end > i {
			b.WriteString(hiddenText)
			i = end
		} else {
			b.WriteByte(text[i])
			i++
		}
	}
	return s.whole.Replace(b.String())
}

// end returns the end of the pieces that begin at the position, or the position if there are no
// pieces.
func (s Secrets) end(text string, from int) int {
	end := from
	for i := from; i+piece <= len(text) && s.pieces[text[i:i+piece]]; i++ {
		end = i + piece
	}
	return end
}

// Value returns a value with hidden secrets.
func (s Secrets) Value(v cty.Value) cty.Value {
	if v == cty.NilVal || s.whole == nil {
		return v
	}
	shown, err := cty.Transform(v, func(_ cty.Path, part cty.Value) (cty.Value, error) {
		if part.Type() != cty.String || !part.IsKnown() || part.IsNull() {
			return part, nil
		}
		if text := s.Hide(part.AsString()); text != part.AsString() {
			return cty.StringVal(text), nil
		}
		return part, nil
	})
	if err != nil {
		return v // unreachable, because the function returns no error
	}
	return shown
}
