package search

import (
	"regexp"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/tfcheck/driver"
)

// maxNamed limits the number of slots in which a name is searched.
const maxNamed = 3000

// subject returns the slot that the diagnostic is about, or nil, and the slots that its text names.
func (k *Knowledge) subject(config cty.Value, d driver.Diagnostic) (at *Slot, others []*Slot) {
	at = k.byPath(d.Path)
	text := webLink.ReplaceAllString(withoutElements(d.Summary+"\n"+d.Detail), "")
	if at != nil && at.leaf() == at && valueWords.MatchString(text) {
		return at, nil // the names in the text are values
	}
	others = k.mentioned(config, at, text)
	for _, s := range others {
		if at == nil || s.isIn(at) {
			at = s // the text may be more precise than the path, because SDKs end a path at a set
			break
		}
	}
	return at, others
}

// Concerns reports whether the first error is about this configuration, by its path or its text. An
// error that is not about the configuration of a resource may be about the provider's
// configuration.
func (k *Knowledge) Concerns(config cty.Value, diags []driver.Diagnostic) bool {
	errs := sorted(diags)
	if len(errs) == 0 {
		return false
	}
	at, _ := k.subject(config, errs[0])
	return at != nil
}

// isIn reports whether the slot is inside the slot o.
func (s *Slot) isIn(o *Slot) bool {
	for at := s.parent; at != nil; at = at.parent {
		if at == o && s.Path != o.Path {
			return true
		}
	}
	return false
}

// byPath returns the slot at a path. If the path leads to no slot, it returns the last slot along
// the path. It returns nil for the whole configuration.
func (k *Knowledge) byPath(path cty.Path) *Slot {
	at := k.root
	for _, step := range path {
		switch step := step.(type) {
		case cty.GetAttrStep:
			next := at.named(step.Name)
			if next == nil && at.element != nil {
				next = at.element.named(step.Name) // some paths omit the index of a block
			}
			if next == nil {
				return notRoot(at)
			}
			at = next
		case cty.IndexStep:
			if at.element == nil {
				return notRoot(at)
			}
			at = at.element
		}
	}
	return notRoot(at)
}

func notRoot(s *Slot) *Slot {
	if s.parent == nil {
		return nil
	}
	return s
}

// named returns the slot with the name in an object, or nil.
func (s *Slot) named(name string) *Slot {
	if i := slices.IndexFunc(s.slots(), func(at *Slot) bool { return at.Name == name }); i >= 0 {
		return s.inside[i]
	}
	return nil
}

var (
	reference = regexp.MustCompile(`[\pL_][\pL\pN_]*(?:-[\pL\pN_]+)*(?:\[[^\]]*\]|\.[\pL\pN_#*-]+|/[\pL_][\pL\pN_]*)*`)
	introduce = regexp.MustCompile(`(?i)(?:argument|attribute|field|property|parameter|block|expected|length of|type of|value of|key|option|conflicts? with|together with|requires?|unless)s?:?\s*["'` + "`" + `]?$`)
)

// mentioned returns the slots that a text names, in the order of the text. If no slot is named
// unambiguously, it returns the slots whose names are words of the text.
func (k *Knowledge) mentioned(config cty.Value, near *Slot, text string) []*Slot {
	var sure, maybe []*Slot
	text = given.ReplaceAllString(text, "")
	for _, found := range reference.FindAllStringIndex(text, -1) {
		name := strings.TrimRight(text[found[0]:found[1]], ".-")
		s := k.byName(config, near, name)
		if s == nil && justWord.MatchString(name) {
			s = k.byName(config, near, name+"s") // the text may use the singular
		}
		if s == nil {
			continue
		}
		before := text[:found[0]]
		quoted := before != "" && strings.ContainsAny(before[len(before)-1:], "\"'`,") && found[1] < len(text) && strings.ContainsAny(text[found[1]:found[1]+1], "\"'`,")
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
	return append(k.phrases(text), maybe...)
}

// isAtHand reports whether the configuration can set the slot without setting another slot around
// it.
func isAtHand(s *Slot, config cty.Value) bool { return s.depth() == 0 || s.parent.setIn(config) }

// phrases returns the slots at the root whose names are in the text, with spaces instead of
// underscores.
func (k *Knowledge) phrases(text string) (found []*Slot) {
	text = strings.ToLower(text)
	for _, s := range k.root.slots() {
		if s.settable && strings.Contains(s.Name, "_") && hasPhrase(text, strings.ReplaceAll(s.Name, "_", " ")) {
			found = append(found, s)
		}
	}
	return found
}

// areNames reports whether all items are names of slots, so they are probably not values.
func (k *Knowledge) areNames(near *Slot, items []string) bool {
	return !slices.ContainsFunc(items, func(item string) bool { return k.byName(cty.NilVal, near, item) == nil })
}

var indexes = regexp.MustCompile(`\[[^\]]*\]|\.(?:\d+|#|\*)`)

// byName returns the slot for a name in a message. The name is a path from the root, a path from an
// object around the slot near, or the end of a path. If several slots match, byName prefers a slot
// that the configuration sets, then the first one.
func (k *Knowledge) byName(config cty.Value, near *Slot, name string) *Slot {
	steps := strings.FieldsFunc(indexes.ReplaceAllString(name, ""), func(r rune) bool { return r == '.' || r == '/' })
	if len(steps) == 0 {
		return nil
	}
	for at := near; at != nil; at = at.parent {
		if s := at.follow(steps); s != nil {
			return s
		}
	}
	if s := k.root.follow(steps); s != nil {
		return s
	}
	var first *Slot
	for _, s := range k.index()[plainName(steps[len(steps)-1])] {
		if !endsWith(s, steps) {
			continue
		}
		if config != cty.NilVal && s.setIn(config) {
			return s
		}
		if first == nil {
			first = s
		}
	}
	return first
}

// follow returns the slot at the end of the steps, or nil.
func (s *Slot) follow(steps []string) *Slot {
	for _, step := range steps {
		s = objectOf(s)
		if !s.isObject() {
			return nil
		}
		i := slices.IndexFunc(s.slots(), func(at *Slot) bool { return at.Name == step || plainName(at.Name) == plainName(step) && len(step) > 3 })
		if i < 0 {
			return nil
		}
		s = s.inside[i]
	}
	return s
}

func endsWith(s *Slot, steps []string) bool {
	path := strings.Split(s.Path, ".")
	if len(path) < len(steps) {
		return false
	}
	for i, step := range steps {
		if plainName(path[len(path)-len(steps)+i]) != plainName(step) {
			return false
		}
	}
	return true
}

var nameSeparators = strings.NewReplacer("_", "", "-", "", " ", "")

// plainName normalizes the spelling of a name.
func plainName(name string) string { return strings.ToLower(nameSeparators.Replace(name)) }

// index returns slots by name. Outer slots come first.
func (k *Knowledge) index() map[string][]*Slot {
	if k.names != nil {
		return k.names
	}
	k.names = map[string][]*Slot{}
	queue := []*Slot{k.root}
	for i := 0; i < len(queue) && i < maxNamed; i++ {
		s := queue[i]
		if s.settable && s.parent != nil && !s.isElement() {
			k.names[plainName(s.Name)] = append(k.names[plainName(s.Name)], s)
		}
		queue = append(queue, objectOf(s).slots()...)
	}
	return k.names
}
