package search

import (
	"math"
	"strconv"
)

// maxMatch limits the length of a string that is built for a pattern.
const maxMatch = 4096

// limits are the limits of a range of numbers. A nil limit is absent.
type limits struct {
	least, most, step *float64
	unit              unit
}

func (l limits) of(u unit) bool { return l.unit == u && (l.least != nil || l.most != nil) }

// A unit is the quantity that a range limits.
type unit int

const (
	unitValue unit = iota
	unitLength
	unitCount
)

// fit changes the length of a text to a length within the limits.
func fit(text string, l limits) string {
	if !l.of(unitLength) || text == "" {
		return text
	}
	runes := []rune(text)
	for l.least != nil && len(runes) < int(min(*l.least, maxMatch)) {
		runes = append(runes, runes[len(runes)-1])
	}
	if l.most != nil && *l.most >= 0 && *l.most < float64(len(runes)) {
		runes = runes[:int(*l.most)]
	}
	return string(runes)
}

// inRange returns numbers in the range: multiples of its step, its ends, and a number between them.
func inRange(l limits) (texts []string) {
	add := func(f float64) { texts = append(texts, numberText(f)) }
	if l.step != nil {
		add(*l.step)
	}
	if l.step != nil && l.least != nil && *l.step > 0 {
		add(*l.step * (math.Floor(*l.least / *l.step) + 1))
	}
	if l.least != nil {
		add(*l.least)
	}
	if l.most != nil {
		add(*l.most)
	}
	if l.least != nil && l.most != nil {
		add(math.Trunc((*l.least + *l.most) / 2))
	}
	return texts
}

// numberText formats a number as in a configuration.
func numberText(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
