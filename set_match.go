package objchange

import (
	"iter"

	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// Set elements have no keys, so two sets are matched by trying which elements
// agree. Trying all pairs is quadratic. Instead each element is reduced to a
// sketch (set_sketch.go), and only pairs whose sketches agree are tried. Elements
// whose sketches leave the same gaps form a group, of which there are usually
// one or two. Between two groups, the sum of the hashes outside the gaps of
// both is a key to look elements up. Elements that are the same but for what
// only counts if both have it are told apart in set_bucket.go.

// A matcher finds, for the elements of set a, those of set b that may agree.
type matcher struct {
	a, b     side
	pairings map[[2]int]*pairing
	more     bool // a may hold what b does not
	tries    int  // how many pairs may still be tried in vain
}

// maxTries is how many pairs of elements with the same sketch are compared without
// success, such as unknown values with different refinements. An element with sets
// inside counts once more for each of their elements.
const maxTries = 100_000

// A side is one of the two sets.
type side struct {
	elems    []cty.Value
	weights  []int // of each element, once asked for
	sketches []sketch
	group    []int   // of each element
	groups   [][]int // the elements of each group, in set order
	hasKeys  bool    // some have keys of which only shared ones count
}

// A pairing is the index of one group of b for one group of a.
type pairing struct {
	gaps  gaps
	table map[uint64]*bucket
}

// newMatcher sketches the elements of two sets of objects with the fields.
func newMatcher(f fields, r relation, a, b []cty.Value) *matcher {
	return &matcher{
		a:        newSide(sketcher{fields: f, relation: r, first: true}, a),
		b:        newSide(sketcher{fields: f, relation: r}, b),
		pairings: map[[2]int]*pairing{},
		more:     r.more,
		tries:    maxTries,
	}
}

// newValueMatcher is newMatcher for sets under the value rules.
func newValueMatcher(a, b []cty.Value) *matcher {
	return &matcher{
		a:        newSide(sketcher{relation: consistency, first: true, plain: true}, a),
		b:        newSide(sketcher{relation: consistency, plain: true}, b),
		pairings: map[[2]int]*pairing{},
		tries:    maxTries,
	}
}

func newSide(s sketcher, elems []cty.Value) side {
	sd := side{elems: elems, sketches: make([]sketch, len(elems)), group: make([]int, len(elems))}
	byGaps := map[uint64]int{}
	for i, elem := range elems {
		sd.sketches[i] = s.sketch(elem)
		sd.hasKeys = sd.hasKeys || sd.sketches[i].hasKeys
		g, ok := byGaps[sd.sketches[i].group]
		if !ok {
			g = len(sd.groups)
			byGaps[sd.sketches[i].group] = g
			sd.groups = append(sd.groups, nil)
		}
		sd.group[i] = g
		sd.groups[g] = append(sd.groups[g], i)
	}
	return sd
}

// candidates returns the elements of b that may agree with element i of a: one list
// after the other, each in set order.
func (m *matcher) candidates(i int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		for g := range m.b.groups {
			p := m.pairing(m.a.group[i], g)
			if b := p.table[m.a.sketches[i].sum(&p.gaps)]; b != nil && !b.candidates(m, p, i, yield) {
				return
			}
		}
	}
}

func (m *matcher) pairing(ga, gb int) *pairing {
	key := [2]int{ga, gb}
	if p := m.pairings[key]; p != nil {
		return p
	}
	members := m.b.groups[gb]
	p := &pairing{
		gaps:  newGaps(&m.a.sketches[m.a.groups[ga][0]], &m.b.sketches[members[0]], false),
		table: make(map[uint64]*bucket, len(members)),
	}
	for _, j := range members {
		sum := m.b.sketches[j].sum(&p.gaps)
		if p.table[sum] == nil {
			p.table[sum] = &bucket{}
		}
		p.table[sum].members = append(p.table[sum].members, j)
	}
	m.pairings[key] = p
	return p
}

// match finds a partner for each element that agrees with any, and returns which
// elements of a and of b have one. After maxTries, each remaining element counts as having
// one.
func (m *matcher) match(agree func(i, j int) bool) (a, b []bool) {
	a, b = make([]bool, len(m.a.sketches)), make([]bool, len(m.b.sketches))
	for i := range a {
		if j := m.partner(i, agree); j >= 0 {
			a[i], b[j] = true, true
		}
	}
	back := &matcher{a: m.b, b: m.a, pairings: map[[2]int]*pairing{}, tries: m.tries}
	for j, has := range b {
		b[j] = has || back.partner(j, func(j, i int) bool { return agree(i, j) }) >= 0
	}
	return a, b
}

// partner returns an element of b that agrees with element i of a, or -1.
func (m *matcher) partner(i int, agree func(i, j int) bool) int {
	for list := range m.candidates(i) {
		for _, j := range list {
			if m.tries < 0 || agree(i, j) {
				return j
			}
			m.tries -= m.a.weight(i) * m.b.weight(j)
		}
	}
	return -1
}

// weight is how many elements the sets in an element have, at every depth, and one
// for itself: comparing it may cost as much for each of the other's.
func (sd *side) weight(i int) int {
	if sd.weights == nil {
		sd.weights = make([]int, len(sd.elems))
	}
	if sd.weights[i] == 0 {
		sd.weights[i] = 1 + inSets(sd.elems[i])
	}
	return sd.weights[i]
}

func inSets(v cty.Value) (count int) {
	if v = values.Unmarked(v); !v.IsKnown() || v.IsNull() || !v.CanIterateElements() {
		return 0
	}
	isSet := v.Type().IsSetType()
	for _, elem := range v.Elements() {
		count += inSets(elem)
		if isSet {
			count++
		}
	}
	return count
}
