package objchange

import "github.com/zclconf/go-cty/cty"

// Set elements have no keys, so two sets are matched by trying which elements
// agree. Trying all pairs is quadratic. Instead each element is reduced to a
// sketch (set_sketch.go), and only pairs whose sketches agree are tried. Elements
// whose sketches leave the same gaps form a group, of which there are usually
// one or two. Between two groups, the sum of the hashes outside the gaps of
// both is a key to look elements up.

// A matcher finds, for the elements of set a, those of set b that may agree.
type matcher struct {
	a, b     side
	pairings map[[2]int]*pairing
}

// A side is one of the two sets.
type side struct {
	sketches []sketch
	group    []int   // of each element
	groups   [][]int // the elements of each group, in set order
}

// A pairing is the index of one group of b for one group of a.
type pairing struct {
	gaps  gaps
	table map[uint64][]int
}

// newMatcher sketches the elements of two sets of objects with the fields.
func newMatcher(f fields, r relation, a, b []cty.Value) *matcher {
	return &matcher{
		a:        newSide(sketcher{fields: f, relation: r, first: true}, a),
		b:        newSide(sketcher{fields: f, relation: r}, b),
		pairings: map[[2]int]*pairing{},
	}
}

// newValueMatcher is newMatcher for sets under the value rules, whose elements
// may be objects with the attributes.
func newValueMatcher(attrs map[string]*Attribute, a, b []cty.Value) *matcher {
	f := fields{attrs: attrs}
	return &matcher{
		a:        newSide(sketcher{fields: f, relation: consistency, first: true, plain: true}, a),
		b:        newSide(sketcher{fields: f, relation: consistency, plain: true}, b),
		pairings: map[[2]int]*pairing{},
	}
}

func newSide(s sketcher, elems []cty.Value) side {
	sd := side{sketches: make([]sketch, len(elems)), group: make([]int, len(elems))}
	byGaps := map[uint64]int{}
	for i, elem := range elems {
		sd.sketches[i] = s.sketch(elem)
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

// candidates calls try for the elements of b that may agree with element i of
// a: group by group, in set order within each, until try returns false, which
// ends the group.
func (m *matcher) candidates(i int, try func(j int) bool) {
	for g := range m.b.groups {
		p := m.pairing(m.a.group[i], g)
		for _, j := range p.table[m.a.sketches[i].sum(&p.gaps)] {
			if !try(j) {
				break
			}
		}
	}
}

func (m *matcher) pairing(ga, gb int) *pairing {
	key := [2]int{ga, gb}
	if p := m.pairings[key]; p != nil {
		return p
	}
	a := &m.a.sketches[m.a.groups[ga][0]]
	members := m.b.groups[gb]
	b := &m.b.sketches[members[0]]
	p := &pairing{gaps: newGaps(a, b), table: make(map[uint64][]int, len(members))}
	for _, j := range members {
		sum := m.b.sketches[j].sum(&p.gaps)
		p.table[sum] = append(p.table[sum], j)
	}
	m.pairings[key] = p
	return p
}

// match tries pairs until each element has a partner or none is left to try,
// and returns which elements of a and of b have one.
func (m *matcher) match(agree func(i, j int) bool) (a, b []bool) {
	a, b = make([]bool, len(m.a.sketches)), make([]bool, len(m.b.sketches))
	for i := range a {
		m.candidates(i, func(j int) bool {
			if (!a[i] || !b[j]) && agree(i, j) {
				a[i], b[j] = true, true
			}
			return true
		})
	}
	return a, b
}
