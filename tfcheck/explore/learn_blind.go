package explore

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// blindly is for diagnostics that name no slot: set something more, first what the text
// may mean, or take away a part of what is optional, or try the next values of what is there.
func (k *knowledge) blindly(config cty.Value, text string) (moves []move) {
	var extra, required, absent []*slot
	for _, s := range k.settable(config, 0) {
		switch {
		case !s.setIn(config):
			absent = append(absent, s)
		case s.leaf() == nil && k.isBare(s, config):
			moves = append(moves, k.fill(s))
			extra = append(extra, s)
		case s.optional():
			extra = append(extra, s)
		default:
			required = append(required, s)
		}
	}
	if k.everything {
		return append(append(moves, chunks(extra)...), k.otherValues(required)...)
	}
	text = strings.ToLower(webLink.ReplaceAllString(text, ""))
	if asksCredentials.MatchString(text) {
		moves = append(moves, together(absent, cty.String, func(words []string) bool { return slices.Contains(credentialWords, words[len(words)-1]) })...)
	}
	if offline.MatchString(text) {
		moves = append(moves, together(absent, cty.Bool, func(words []string) bool { return words[0] == "skip" })...)
	}
	slices.SortStableFunc(absent, func(a, b *slot) int { return cmp.Compare(meant(b, text), meant(a, text)) })
	others := k.otherValues(append(required, extra...))
	for i, s := range absent {
		if i > 1 && meant(s, text) <= 0 && len(others) > 0 {
			moves, others = append(moves, others[0]), others[1:]
		}
		moves = append(moves, move{{s, cty.NilVal}})
	}
	return append(append(moves, others...), chunks(extra)...)
}

var (
	asksCredentials = regexp.MustCompile(`credential|authenticat`)
	credentialWords = []string{"token", "key", "secret", "password", "username", "user", "apikey", "credentials"}
	offline         = regexp.MustCompile(`the provider crashed|\bdial\b|no such host|unreachable|connection refused|timeout|timed out`)
)

// together sets all absent slots at the root of that type whose names have the words: one
// of them alone is seldom enough.
func together(absent []*slot, ty cty.Type, has func(words []string) bool) []move {
	var all move
	for _, s := range absent {
		if s.depth() == 0 && s.ty == ty && has(strings.Split(s.name, "_")) {
			all = append(all, edit{s, cty.NilVal})
		}
	}
	if len(all) < 2 {
		return nil // it is tried alone, too
	}
	return []move{all}
}

// meant says how many words of the slot's name are in a text, in percent, and how many
// are words of credentials.
func meant(s *slot, text string) (score int) {
	if s.name == "id" || s.name == "timeouts" {
		return -1 // what SDKs add to every type
	}
	if s.block {
		score++ // its absence is what providers stumble over
	}
	words := strings.Split(s.name, "_")
	for _, word := range words {
		if hasPhrase(text, word) {
			score += 100 / len(words)
		}
		if slices.Contains(credentialWords, word) || word == "skip" || word == "region" {
			score += 10 / len(words)
		}
	}
	return score
}

// isBare reports whether the configuration sets the slot, but nothing inside it.
func (k *knowledge) isBare(s *slot, config cty.Value) bool {
	return !slices.ContainsFunc(objectOf(s).slots(), func(at *slot) bool { return at.setIn(config) })
}

// fill sets everything inside a slot.
func (k *knowledge) fill(s *slot) (all move) {
	for _, at := range objectOf(s).slots() {
		if at.settable {
			all = append(all, edit{at, cty.NilVal})
		}
	}
	return all
}

// chunks takes away one of sixteen parts, then one quarter, then one half.
func chunks(extra []*slot) (moves []move) {
	for _, count := range []int{16, 4, 2} {
		size := (len(extra) + count - 1) / count
		for from := 0; from < len(extra); from += size {
			var m move
			for _, s := range extra[from:min(from+size, len(extra))] {
				m = append(m, remove(s))
			}
			moves = append(moves, m)
		}
	}
	return moves
}

// otherValues tries the next values of the slots.
func (k *knowledge) otherValues(slots []*slot) (moves []move) {
	for i := range 3 {
		for _, s := range slots {
			if leaf := s.leaf(); leaf != nil {
				if all := k.candidates(leaf); i+1 < len(all) {
					moves = append(moves, move{{leaf, all[i+1]}})
				}
			}
		}
	}
	return moves
}
