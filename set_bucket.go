package objchange

import "github.com/objchange/objchange/internal/values"

// A bucket holds elements of b that are the same where all that is there counts.
// They may differ in maps, of which only the keys that both have count, and in
// sets of which not all elements are known.
type bucket struct {
	members []int // in set order
	kinds   []*kind
	byKey   map[uint64][]*kind // by one of its keys, which the other side must have
	byElem  map[uint64][]int   // members, by what is in their sets
}

// A kind is the members of a bucket with the same keys and the same gaps below.
type kind struct {
	members []int
	tables  map[uint64]map[uint64][]int // by the keyed of the other side, by sum
}

// few is how many members are simply tried.
const few = 2

// candidates yields those that may agree with element i of a, and reports whether to
// go on.
func (b *bucket) candidates(m *matcher, p *pairing, i int, yield func([]int) bool) bool {
	a := &m.a.sketches[i]
	switch first := &m.b.sketches[b.members[0]]; {
	case len(b.members) <= few:
		return yield(b.members)
	case len(a.needs) > 0 && len(first.gaps) == 0:
		return yield(b.having(m, a.needs))
	case !m.a.hasKeys && !m.b.hasKeys:
		return yield(b.members)
	}
	for _, k := range b.kindsFor(m, p, a) {
		if list := k.like(m, a); len(list) > 0 && !yield(list) {
			return false
		}
	}
	return true
}

// having returns the members with that which the fewest have, of what is needed.
func (b *bucket) having(m *matcher, needs []uint64) (fewest []int) {
	if b.byElem == nil {
		b.byElem = map[uint64][]int{}
		for _, j := range b.members {
			m.b.sketches[j].each(hashElem, &gaps{}, func(h placeHash) {
				elem := values.Mix(h.place, h.content)
				if has := b.byElem[elem]; len(has) == 0 || has[len(has)-1] != j {
					b.byElem[elem] = append(has, j)
				}
			})
		}
	}
	fewest = b.members
	for _, need := range needs {
		if has := b.byElem[need]; len(has) < len(fewest) {
			fewest = has
		}
	}
	return fewest
}

// kindsFor returns the kinds that may have members like a. Where all keys that a
// member has must be in a, it is enough to look for one of them.
func (b *bucket) kindsFor(m *matcher, p *pairing, a *sketch) (all []*kind) {
	if b.kinds == nil {
		b.divide(m)
		if m.more {
			b.indexKeys(m, &p.gaps)
		}
	}
	if !m.more {
		return b.kinds
	}
	all = append(all, b.byKey[values.Nothing]...)
	a.each(hashKey, &gaps{}, func(h placeHash) { all = append(all, b.byKey[h.place]...) })
	return all
}

func (b *bucket) divide(m *matcher) {
	byKeyed := map[uint64]*kind{}
	for _, j := range b.members {
		keyed := m.b.sketches[j].keyed
		if byKeyed[keyed] == nil {
			byKeyed[keyed] = &kind{tables: map[uint64]map[uint64][]int{}}
			b.kinds = append(b.kinds, byKeyed[keyed])
		}
		byKeyed[keyed].members = append(byKeyed[keyed].members, j)
	}
}

// indexKeys files each kind under the rarest of its keys.
func (b *bucket) indexKeys(m *matcher, g *gaps) {
	count := map[uint64]int{}
	eachKey := func(k *kind, visit func(key uint64)) {
		m.b.sketches[k.members[0]].each(hashKey, g, func(h placeHash) { visit(h.place) })
	}
	for _, k := range b.kinds {
		eachKey(k, func(key uint64) { count[key]++ })
	}
	b.byKey = map[uint64][]*kind{}
	for _, k := range b.kinds {
		rarest := values.Nothing
		eachKey(k, func(key uint64) {
			if rarest == values.Nothing || count[key] < count[rarest] {
				rarest = key
			}
		})
		b.byKey[rarest] = append(b.byKey[rarest], k)
	}
}

// like returns the members with what a has, but for what only counts if both have
// it.
func (k *kind) like(m *matcher, a *sketch) []int {
	g := newGaps(a, &m.b.sketches[k.members[0]], true)
	table := k.tables[a.keyed]
	if table == nil {
		table = map[uint64][]int{}
		k.tables[a.keyed] = table
		for _, j := range k.members {
			sum := m.b.sketches[j].sum(&g)
			table[sum] = append(table[sum], j)
		}
	}
	return table[a.sum(&g)]
}

// gaps are what to leave out when elements of two groups are compared.
type gaps struct {
	places map[uint64]bool
	keys   [2]map[uint64]bool // of each side; nil where a side has no say
}

// newGaps returns the gaps of two elements. Without keyed, all that is below keys
// of which only shared ones count is left out.
func newGaps(a, b *sketch, keyed bool) gaps {
	g := gaps{places: map[uint64]bool{}}
	if !keyed {
		g.keys[0] = map[uint64]bool{}
	}
	for i, s := range []*sketch{a, b} {
		for _, place := range s.gaps {
			g.places[place] = true
		}
		if !keyed {
			continue
		}
		for _, place := range s.keyGaps {
			g.places[place] = true
		}
		if s.keys != nil {
			g.keys[i] = map[uint64]bool{}
			for _, key := range s.keys {
				g.keys[i][key] = true
			}
		}
	}
	return g
}

func (g *gaps) hide(h placeHash) bool {
	if h.kind == hashKey {
		for _, keys := range g.keys {
			if keys != nil && !keys[h.place] {
				return true
			}
		}
	}
	return g.places[h.place]
}
