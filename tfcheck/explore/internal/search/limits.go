package search

import "math/big"

// limits are the limits of a range of numbers. A nil limit is absent.
type limits struct {
	least, most, step *big.Float
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
	if l.least != nil {
		least, _ := l.least.Int64()
		for int64(len(runes)) < min(least, maxMatch) {
			runes = append(runes, runes[len(runes)-1])
		}
	}
	if l.most != nil {
		if most, _ := l.most.Int64(); most >= 0 && most < int64(len(runes)) {
			runes = runes[:most]
		}
	}
	return string(runes)
}

// inRange returns numbers in the range: multiples of its step, its ends, and a number between them.
func inRange(m limits) (texts []string) {
	add := func(f *big.Float) {
		if f != nil {
			texts = append(texts, numberText(f))
		}
	}
	add(m.step)
	if m.step != nil && m.least != nil && m.step.Sign() > 0 {
		times, _ := new(big.Float).Quo(m.least, m.step).Int(nil)
		add(new(big.Float).Mul(m.step, new(big.Float).SetInt(times.Add(times, big.NewInt(1)))))
	}
	add(m.least)
	add(m.most)
	if m.least != nil && m.most != nil {
		between := new(big.Float).Add(m.least, m.most)
		whole, _ := between.Quo(between, big.NewFloat(2)).Int(nil)
		add(new(big.Float).SetInt(whole))
	}
	return texts
}

// numberText formats a number as in a configuration.
func numberText(f *big.Float) string { return f.Text('f', -1) }
