package search

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/tfcheck/driver"
)

// subject returns the slot that the diagnostic is about, or nil, and the slots that its text names.
func (k *Knowledge) subject(config cty.Value, d driver.Diagnostic) (at *Slot, others []*Slot) {
	at = k.byPath(d.Path)
	text := webLink.ReplaceAllString(withoutElements(d.Summary+"\n"+d.Detail), "")
	if at != nil && at.leaf() == at && valueWords.MatchString(text) {
		return at, nil // the names in the text are values
	}
	others = k.mentioned(config, at, text)
	for _, s := range others {
		if at == nil || strings.HasPrefix(s.Path, at.Path+".") {
			at = s // the text may be more precise than the path, because SDKs end a path at a set
			break
		}
	}
	return at, others
}

// byPath returns the slot at a path. If the path leads to no slot, it returns the last slot along
// the path. It returns nil for the whole configuration.
func (k *Knowledge) byPath(path cty.Path) *Slot {
	at := k.root
	for _, step := range path {
		next := at.element
		if name, ok := step.(cty.GetAttrStep); ok {
			next = objectOf(at).named(name.Name) // some paths omit the index of a block
		}
		if next == nil {
			break
		}
		at = next
	}
	if at == k.root {
		return nil
	}
	return at
}

// named returns the slot with the name in an object, or nil.
func (s *Slot) named(name string) *Slot {
	if i := slices.IndexFunc(s.slots(), func(at *Slot) bool { return at.Name == name }); i >= 0 {
		return s.inside[i]
	}
	return nil
}

var (
	reference = lazy(`[\pL_][\pL\pN_]*(?:-[\pL\pN_]+)*(?:\[[^\]]*\]|\.[\pL\pN_#*-]+|/[\pL_][\pL\pN_]*)*`)
	introduce = regexp.MustCompile(`(?i)(?:argument|attribute|field|property|parameter|block|expected|length of|` +
		`type of|value of|key|option|conflicts? with|together with|requires?|unless)s?:?\s*["'` + "`" + `]?$`)
)

// mentioned returns the slots that a text names, in the order of the text. If no slot is named
// unambiguously, it returns the slots whose names are words of the text.
func (k *Knowledge) mentioned(config cty.Value, near *Slot, text string) []*Slot {
	var sure, maybe []*Slot
	text = given().ReplaceAllString(text, "")
	for _, found := range reference().FindAllStringIndex(text, -1) {
		name := strings.TrimRight(text[found[0]:found[1]], ".-")
		s := k.byName(config, near, name)
		if s == nil && justWord.MatchString(name) {
			s = k.byName(config, near, name+"s") // the text may use the singular
		}
		if s == nil {
			continue
		}
		before := text[:found[0]]
		quoted := found[0] > 0 && found[1] < len(text) && isQuote(text[found[0]-1]) && isQuote(text[found[1]])
		switch {
		case slices.Contains(sure, s):
		case quoted || strings.ContainsAny(name, "_.[") || introduce.MatchString(before):
			sure = append(sure, s)
		case !slices.Contains(maybe, s) && isAtHand(s, config):
			maybe = append(maybe, s)
		}
	}
	if len(sure) > 0 || near != nil {
		return sure
	}
	var spaced []*Slot // their names are in the text with spaces instead of underscores
	text = strings.ToLower(text)
	for _, s := range k.root.slots() {
		if s.settable && strings.Contains(s.Name, "_") && hasPhrase(text, strings.ReplaceAll(s.Name, "_", " ")) {
			spaced = append(spaced, s)
		}
	}
	return append(spaced, maybe...)
}

// isAtHand reports whether the configuration can set the slot without setting another slot around
// it.
func isAtHand(s *Slot, config cty.Value) bool { return s.depth() == 0 || s.parent.setIn(config) }

func isQuote(c byte) bool { return strings.IndexByte("\"'`,", c) >= 0 }

// areNames reports whether all items are names of slots, so they are probably not values.
func (k *Knowledge) areNames(near *Slot, items []string) bool {
	return !slices.ContainsFunc(items, func(item string) bool { return k.byName(cty.NilVal, near, item) == nil })
}

var indexes = regexp.MustCompile(`\[[^\]]*\]|\.(?:\d+|#|\*)`)

// byName returns the slot for a name in a message. The name is the end of a slot's path. If several
// slots match, byName prefers a slot in an object around the slot near, then a slot that the
// configuration sets, then the first one.
func (k *Knowledge) byName(config cty.Value, near *Slot, name string) (best *Slot) {
	steps := strings.FieldsFunc(indexes.ReplaceAllString(name, ""), func(r rune) bool { return r == '.' || r == '/' })
	if len(steps) == 0 {
		return nil
	}
	end, within, most := "."+plainName(strings.Join(steps, ".")), "."+plainName(cmp.Or(near, k.root).Path)+".", -1
	for _, s := range k.names[plainName(steps[len(steps)-1])] {
		around, ends := strings.CutSuffix("."+plainName(s.Path), end)
		if !ends {
			continue
		}
		rank := 0
		if strings.HasPrefix(within, around+".") {
			rank = 2 + 2*len(around)
		}
		if config != cty.NilVal && s.setIn(config) {
			rank++
		}
		if rank > most {
			best, most = s, rank
		}
	}
	return best
}

var nameSeparators = strings.NewReplacer("_", "", "-", "", " ", "")

// plainName normalizes the spelling of a name.
func plainName(name string) string { return strings.ToLower(nameSeparators.Replace(name)) }
