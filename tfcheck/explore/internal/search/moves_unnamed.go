package search

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// movesWithoutSlot returns moves for a diagnostic that names no slot. The moves set more slots,
// remove optional slots, or try the next values of set slots. Slots that the text may mean come
// first.
func (k *Knowledge) movesWithoutSlot(config cty.Value, text string) (moves []move) {
	var extra, required, absent []*Slot
	for _, s := range k.settable(config, 0) {
		switch {
		case !s.setIn(config):
			absent = append(absent, s)
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
		moves = append(moves, together(absent, cty.String, func(words []string) bool {
			return slices.Contains(credentialWords, words[len(words)-1])
		}))
	}
	if offline.MatchString(text) {
		moves = append(moves, together(absent, cty.Bool, func(words []string) bool { return words[0] == "skip" }))
	}
	slices.SortStableFunc(absent, func(a, b *Slot) int { return cmp.Compare(relevance(b, text), relevance(a, text)) })
	others := k.otherValues(append(required, extra...))
	for i, s := range absent {
		if i > 1 && relevance(s, text) <= 0 && len(others) > 0 {
			moves, others = append(moves, others[0]), others[1:]
		}
		moves = append(moves, move{{s, cty.NilVal}})
	}
	return append(append(moves, others...), chunks(extra)...)
}

var (
	asksCredentials = regexp.MustCompile(`credential|authenticat`)
	credentialWords = []string{"token", "key", "secret", "password", "username", "user", "apikey", "credentials"}
	offline         = regexp.MustCompile(
		`the provider crashed|\bdial\b|no such host|unreachable|connection refused|timeout|timed out`)
)

// together returns a move that sets all absent slots at the root that have the type and matching
// names. One of these slots alone is seldom sufficient.
func together(absent []*Slot, ty cty.Type, has func(words []string) bool) (all move) {
	for _, s := range absent {
		if s.depth() == 0 && s.ty == ty && has(strings.Split(s.Name, "_")) {
			all = append(all, edit{s, cty.NilVal})
		}
	}
	return all
}

// relevance rates how likely the text is about the slot. The rating is the percentage of words in
// the slot's name that the text contains. Blocks and words of credentials increase it.
func relevance(s *Slot, text string) (score int) {
	if s.Name == "id" || s.Name == "timeouts" {
		return -1 // SDKs add these to every type
	}
	if s.block {
		score++ // providers often fail if a block is absent
	}
	words := strings.Split(s.Name, "_")
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

// chunks returns moves that remove parts of the slots: each sixteenth, then each quarter, then each
// half.
func chunks(extra []*Slot) (moves []move) {
	for _, count := range []int{16, 4, 2} {
		for part := range slices.Chunk(extra, max(1, (len(extra)+count-1)/count)) {
			var m move
			for _, s := range part {
				m = append(m, remove(s))
			}
			moves = append(moves, m)
		}
	}
	return moves
}

// otherValues returns moves that set the next values of the slots.
func (k *Knowledge) otherValues(slots []*Slot) (moves []move) {
	for i := range 3 {
		for _, s := range slots {
			leaf := s.leaf()
			if leaf == nil {
				continue
			}
			if all := k.candidates(leaf); i+1 < len(all) {
				moves = append(moves, move{{leaf, all[i+1]}})
			}
		}
	}
	return moves
}
