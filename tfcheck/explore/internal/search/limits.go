package search

import "math/big"

// maxMatch limits the length of a string that is built for a pattern.
const maxMatch = 4096

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
func inRange(l limits) (texts []string) {
	all := []*big.Float{l.step}
	if l.step != nil && l.least != nil && l.step.Sign() > 0 {
		times, _ := new(big.Float).Quo(l.least, l.step).Int(nil)
		all = append(all, new(big.Float).Mul(l.step, new(big.Float).SetInt(times.Add(times, big.NewInt(1)))))
	}
	all = append(all, l.least, l.most)
	if l.least != nil && l.most != nil {
		sum := new(big.Float).Add(l.least, l.most)
		whole, _ := sum.Quo(sum, big.NewFloat(2)).Int(nil)
		all = append(all, new(big.Float).SetInt(whole))
	}
	for _, f := range all {
		if f != nil {
			texts = append(texts, numberText(f))
		}
	}
	return texts
}

// numberText formats a number as in a configuration.
func numberText(f *big.Float) string { return f.Text('f', -1) }
