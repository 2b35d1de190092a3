// Package pairing finds matching elements of two sets.
//
// Set elements have no keys, so elements must be compared in pairs. To compare few pairs, each
// element is reduced to a Sketch: hashes, by place, of the content that its partner must share.
// Elements whose sketches have the same open places form a group. There are usually one or two
// groups. For two groups, the sum of the hashes outside the open places of both is a lookup key.
package pairing

import (
	"iter"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/values"
)

// A Sketch contains a hash for each place of an element at which its partner must have the same
// content. A missing hash only costs speed. A hash must not be added for content that a partner may
// lack.
type Sketch struct {
	entries []entry
	gaps    []uint64 // open places: any content at or below them agrees
	keyGaps []uint64 // open places below keys
	keys    uint64   // all keys and sizes of keyed places
	inKeys  int
}

// An entry is a place and its content, both hashed.
type entry struct {
	place, content uint64
	end            int  // index after all entries below the place
	keyed          bool // only counts if the partner has the same keys
	set            bool // the entries directly below are elements, in any order
}

// Root is the place of the whole element.
const Root uint64 = 1

// Below returns the place of the named part.
func Below(place uint64, name string) uint64 { return values.Mix(place, values.HashString(name)) }

// Add records a value without its parts.
func (s *Sketch) Add(place, content uint64) { s.Close(s.Open(place, content)) }

// Open records a place. All records are below the place until Close is called with the returned
// number.
func (s *Sketch) Open(place, content uint64) int {
	s.entries = append(s.entries, entry{place: place, content: content})
	return len(s.entries) - 1
}

// Close ends a place.
func (s *Sketch) Close(i int) {
	s.entries[i].end = len(s.entries)
	if s.entries[i].keyed {
		s.inKeys--
	}
}

// OpenKeys is like Open, for a place whose content only counts if the partner has the same keys.
func (s *Sketch) OpenKeys(place, keys uint64) int {
	i := s.Open(place, values.Nothing)
	s.entries[i].keyed = true
	s.inKeys++
	s.keys += values.Mix(place, keys)
	return i
}

// OpenSet is like Open, for a set. All elements in the set are opened at the same place, so a place
// that is open in one element is open in all.
func (s *Sketch) OpenSet(place uint64) int {
	i := s.Open(place, values.Nothing)
	s.entries[i].set = true
	return i
}

// Gap leaves a place open.
func (s *Sketch) Gap(place uint64) {
	if s.inKeys > 0 {
		s.keyGaps = append(s.keyGaps, place)
	} else {
		s.gaps = append(s.gaps, place)
	}
}

// group returns a number that is equal for elements with the same open places and, if withKeys is
// true, the same keys.
func (s *Sketch) group(withKeys bool) uint64 {
	if !withKeys {
		return hashed(s.gaps)
	}
	return hashed(s.gaps) + values.Mix(hashed(s.keyGaps), s.keys+1)
}

// hashed returns a hash of places that does not depend on order and duplicates.
func hashed(places []uint64) (sum uint64) {
	slices.Sort(places)
	for _, place := range slices.Compact(places) {
		sum += values.Mix(place, Root)
	}
	return sum
}

// A Matcher finds the elements of set B that may agree with elements of set A.
type Matcher struct {
	A, B   []cty.Value
	a, b   side
	tables map[[2]int]*table
	tries  int
}

// maxTries is the number of pairs that may be compared without success. A pair of elements that
// contain sets counts more than once.
const maxTries = 100_000

// maxKeys is the maximal number of combinations of keys by which a set is divided into groups.
const maxKeys = 8

// A side is one of the two sets.
type side struct {
	elems    []cty.Value
	sketches []Sketch
	group    []int   // of each element
	groups   [][]int // the elements of each group, in set order
	weights  []int   // of each element, computed on demand
}

// A table is the index of one group of B for one group of A.
type table struct {
	gaps     map[uint64]bool
	withKeys bool
	bySum    map[uint64][]int
}

// New returns a Matcher of two sets. The functions create the sketches of the elements.
func New(a, b []cty.Value, sketchA, sketchB func(*Sketch, cty.Value)) *Matcher {
	m := &Matcher{A: a, B: b, tables: map[[2]int]*table{}, tries: maxTries}
	m.a, m.b = newSide(a, sketchA), newSide(b, sketchB)
	withKeys := m.a.countKeys() <= maxKeys && m.b.countKeys() <= maxKeys
	m.a.divide(withKeys)
	m.b.divide(withKeys)
	return m
}

func newSide(elems []cty.Value, sketch func(*Sketch, cty.Value)) side {
	sd := side{elems: elems, sketches: make([]Sketch, len(elems))}
	for i, elem := range elems {
		sketch(&sd.sketches[i], elem)
	}
	return sd
}

// countKeys returns the number of combinations of keys.
func (sd *side) countKeys() int {
	distinct := map[uint64]bool{}
	for i := range sd.sketches {
		distinct[sd.sketches[i].keys] = true
	}
	return len(distinct)
}

// divide assigns the elements to groups.
func (sd *side) divide(withKeys bool) {
	sd.group = make([]int, len(sd.elems))
	numbers := map[uint64]int{}
	for i := range sd.sketches {
		if !withKeys {
			sd.sketches[i].keys = 0
		}
		hash := sd.sketches[i].group(withKeys)
		g, ok := numbers[hash]
		if !ok {
			g = len(sd.groups)
			numbers[hash] = g
			sd.groups = append(sd.groups, nil)
		}
		sd.group[i] = g
		sd.groups[g] = append(sd.groups[g], i)
	}
}

// Candidates returns the elements of B that may agree with element i of A, as a sequence of lists.
// Each list is in set order.
func (m *Matcher) Candidates(i int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		for g := range m.b.groups {
			t := m.table(m.a.group[i], g)
			if list := t.bySum[t.sum(&m.a.sketches[i])]; len(list) > 0 && !yield(list) {
				return
			}
		}
	}
}

func (m *Matcher) table(ga, gb int) *table {
	key := [2]int{ga, gb}
	if t := m.tables[key]; t != nil {
		return t
	}
	a, b := &m.a.sketches[m.a.groups[ga][0]], &m.b.sketches[m.b.groups[gb][0]]
	t := &table{gaps: map[uint64]bool{}, withKeys: a.keys == b.keys && a.keys != 0, bySum: map[uint64][]int{}}
	for _, gaps := range [][]uint64{a.gaps, b.gaps, a.keyGaps, b.keyGaps} {
		for _, place := range gaps {
			t.gaps[place] = true
		}
	}
	for _, j := range m.b.groups[gb] {
		sum := t.sum(&m.b.sketches[j])
		t.bySum[sum] = append(t.bySum[sum], j)
	}
	m.tables[key] = t
	return t
}

// sum returns the sum of the hashes of a sketch outside the open places.
func (t *table) sum(s *Sketch) uint64 { return t.sumOf(s, 0, len(s.entries)) }

func (t *table) sumOf(s *Sketch, i, end int) (sum uint64) {
	for i < end {
		switch e := &s.entries[i]; {
		case t.gaps[e.place] || e.keyed && !t.withKeys:
			i = e.end
		case e.set:
			sum += values.Mix(e.place, t.sumOfSet(s, i))
			i = e.end
		default:
			sum += values.Mix(e.place, e.content)
			i++
		}
	}
	return sum
}

// sumOfSet returns the hash of a set that is an entry of a sketch. Equal elements count once.
func (t *table) sumOfSet(s *Sketch, set int) uint64 {
	var sums []uint64
	for i := set + 1; i < s.entries[set].end; i = s.entries[i].end {
		sums = append(sums, t.sumOf(s, i, s.entries[i].end))
	}
	slices.Sort(sums)
	content := Root
	for _, sum := range slices.Compact(sums) {
		content += values.Mix(Root+sum, Root)
	}
	return content
}

// Match looks for a partner for each element. It returns the elements of A and of B that agree with
// no element, in set order. After maxTries pairs without success, the remaining elements count as
// elements with a partner.
func (m *Matcher) Match(agree func(i, j int) bool) (a, b []int) {
	has := make([]bool, len(m.B))
	for i := range m.A {
		if j := m.partner(i, agree); j >= 0 {
			has[j] = true
		} else {
			a = append(a, i)
		}
	}
	back := &Matcher{A: m.B, B: m.A, a: m.b, b: m.a, tables: map[[2]int]*table{}, tries: m.tries}
	for j := range m.B {
		if !has[j] && back.partner(j, func(j, i int) bool { return agree(i, j) }) < 0 {
			b = append(b, j)
		}
	}
	m.tries = back.tries
	return a, b
}

// partner returns an element of B that agrees with element i of A, or -1.
func (m *Matcher) partner(i int, agree func(i, j int) bool) int {
	for list := range m.Candidates(i) {
		for _, j := range list {
			if m.Try(i, j, agree) {
				return j
			}
		}
	}
	return -1
}

// Try reports whether a pair agrees. It also returns true if too many pairs were compared without
// success.
func (m *Matcher) Try(i, j int, agree func(i, j int) bool) bool {
	if m.tries < 0 || agree(i, j) {
		return true
	}
	m.tries -= m.a.weight(i) * m.b.weight(j)
	return m.tries < 0
}

// weight returns one plus the number of elements in the sets inside an element, at every depth. A
// comparison may have to compare each of them with each of the other element's.
func (sd *side) weight(i int) int {
	if sd.weights == nil {
		sd.weights = make([]int, len(sd.elems))
	}
	if sd.weights[i] == 0 {
		sd.weights[i] = 1 + countInSets(sd.elems[i])
	}
	return sd.weights[i]
}

func countInSets(v cty.Value) (count int) {
	if v = values.Unmarked(v); !v.IsKnown() || v.IsNull() || !v.CanIterateElements() {
		return 0
	}
	isSet := v.Type().IsSetType()
	for _, elem := range v.Elements() {
		count += countInSets(elem)
		if isSet {
			count++
		}
	}
	return count
}
