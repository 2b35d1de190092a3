package objchange

import (
	"slices"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// A relation is what a check asks of two elements that belong together. Each check
// declares its own beside its rule; the sketch only hashes and leaves gaps.
type relation struct {
	// attribute and block say how a value is treated, of the side that has its
	// say first (configured, initial) or of the other.
	attribute func(a *configschema.Attribute, v cty.Value, first bool) treatment
	block     func(nb *configschema.NestedBlock, v cty.Value, first bool) treatment
	// null says it of an object, and nullAll of all objects of a nested attribute
	// or block type, where it is null.
	null, nullAll func(first bool) treatment
	// shared says that of maps only those keys count that both sides have.
	shared bool
	// more says that the first side may hold what the other does not.
	more bool
}

// A treatment is what must be so at a place of two elements that belong together.
type treatment uint8

const (
	same     treatment = iota // both hold the same
	anything                  // whatever the other holds will do
	nothing                   // nobody looks
	inside                    // see what is in it
	asValue                   // see what is in it, by the rules of consistent values
)

// A sketch holds a hash for each place of a set element where its partner must
// hold the same. Its gaps are the places where the element agrees with
// anything: a computed attribute that is null, an unknown value. What is left
// out of a sketch costs only speed; what is in it must be necessary.
type sketch struct {
	hashes  []placeHash
	gaps    []uint64 // places below which anything agrees
	keyGaps []uint64 // the same, below map keys of which only shared ones count
	keys    []uint64 // such keys, where this side has a say
	hasKeys bool     // there are such keys
	needs   []uint64 // elements that sets of the partner must have
	whole   uint64   // sum of all hashes
	group   uint64   // the same for elements with the same gaps
	keyed   uint64   // the same for elements with the same keys, and gaps below them
}

// A placeHash is a place in an element and what is there, both hashed.
type placeHash struct {
	place, content uint64
	end            int // index behind all that is below the place
	kind           hashKind
}

type hashKind uint8

const (
	hashPlain hashKind = iota
	hashKey            // a map key that counts only if the partner has it too
	hashSet            // a set, of which the elements follow
	hashElem           // an element; its content is the sum of what is in it
)

// sum adds up the hashes outside the gaps.
func (s *sketch) sum(g *gaps) uint64 {
	if len(g.places) == 0 && !s.hasKeys {
		return s.whole
	}
	return s.sumOf(0, len(s.hashes), g)
}

func (s *sketch) sumOf(i, end int, g *gaps) (sum uint64) {
	for i < end {
		switch h := s.hashes[i]; {
		case g.hide(h):
			i = h.end
		case h.kind == hashSet:
			sum += values.Mix(h.place, s.sumOfSet(i, g))
			i = h.end
		default:
			sum += values.Mix(h.place, h.content)
			i++
		}
	}
	return sum
}

// sumOfSet is the same for sets whose elements are, each once, in any order.
func (s *sketch) sumOfSet(set int, g *gaps) uint64 {
	var sums []uint64
	for i := set + 1; i < s.hashes[set].end; i = s.hashes[i].end {
		sums = append(sums, s.sumOf(i+1, s.hashes[i].end, g))
	}
	slices.Sort(sums)
	content := values.Other
	for _, sum := range slices.Compact(sums) {
		content += values.Mix(rootPlace+sum, values.Present)
	}
	return content
}

// each calls visit with the place and content of what is of the kind and not below
// another, or in a gap.
func (s *sketch) each(kind hashKind, g *gaps, visit func(h placeHash)) {
	for i := 0; i < len(s.hashes); {
		h := s.hashes[i]
		switch {
		case h.kind == kind:
			visit(h)
			i = h.end
		case g.places[h.place] && h.kind != hashSet:
			i = h.end
		default:
			i++
		}
	}
}

// A sketcher sketches the elements of one side.
type sketcher struct {
	fields
	relation
	first bool // the side that has its say first: configured, initial
	plain bool // the elements follow the value rules
	out   sketch

	inKey, inSet bool // below a key of which only shared ones count; in a set
}

const rootPlace uint64 = 1

func (s sketcher) sketch(elem cty.Value) sketch {
	s.out = sketch{hashes: make([]placeHash, 0, 2+len(s.attrs)+len(s.blocks))}
	if s.shared && !(s.more && s.first) {
		s.out.keys = []uint64{}
	}
	if s.plain {
		s.value(rootPlace, elem)
	} else {
		s.object(rootPlace, s.fields, elem)
	}
	s.out.whole = s.out.sumOf(0, len(s.out.hashes), &gaps{})
	s.out.group = hashPlaces(s.out.gaps)
	s.out.keyed = values.Mix(hashPlaces(s.out.keys), 1) + values.Mix(hashPlaces(s.out.keyGaps), 2)
	return s.out
}

// hashPlaces hashes places, each once, in any order.
func hashPlaces(places []uint64) (sum uint64) {
	slices.Sort(places)
	for i, place := range places {
		if i == 0 || place != places[i-1] {
			sum += values.Mix(place, values.Present)
		}
	}
	return sum
}

// add records a place and returns its index. What is added until end is called
// with that index is below it.
func (s *sketcher) add(place, content uint64) int {
	s.out.hashes = append(s.out.hashes, placeHash{place: place, content: content, end: len(s.out.hashes) + 1})
	return len(s.out.hashes) - 1
}

func (s *sketcher) end(i int) { s.out.hashes[i].end = len(s.out.hashes) }

func (s *sketcher) gap(place uint64) {
	if s.inKey {
		s.out.keyGaps = append(s.out.keyGaps, place)
	} else {
		s.out.gaps = append(s.out.gaps, place)
	}
}

// gapsSoFar returns how many gaps there are.
func (s *sketcher) gapsSoFar() int { return len(s.out.gaps) + len(s.out.keyGaps) }

// treat records a value that is not looked into, and reports whether it is not.
func (s *sketcher) treat(t treatment, place uint64, v cty.Value) bool {
	switch t {
	case same:
		s.add(place, values.Hash(v))
	case anything:
		s.gap(place)
	case nothing:
	default:
		return false
	}
	return true
}

func (s *sketcher) object(place uint64, f fields, v cty.Value) {
	if !v.IsKnown() {
		s.gap(place)
		return
	}
	if v.IsNull() {
		s.treat(s.null(s.first), place, v)
		return
	}
	present := values.Present
	if s.more {
		present = values.Nothing
	}
	i := s.add(place, present)
	for name, a := range f.attrs {
		s.attribute(values.Mix(place, values.HashString(name)), a, v.GetAttr(name))
	}
	for name, nb := range f.blocks {
		s.blockType(values.Mix(place, values.HashString(name)), nb, v.GetAttr(name))
	}
	s.end(i)
}

func (s *sketcher) attribute(place uint64, a *configschema.Attribute, v cty.Value) {
	switch t := s.relation.attribute(a, v, s.first); {
	case s.treat(t, place, v):
	case t == asValue:
		s.value(place, v)
	default:
		s.nest(place, nestOf(a.NestedType), v)
	}
}

func (s *sketcher) blockType(place uint64, nb *configschema.NestedBlock, v cty.Value) {
	if !s.treat(s.relation.block(nb, v, s.first), place, v) {
		s.nest(place, blockNest(nb), v)
	}
}

func (s *sketcher) nest(place uint64, n nest, v cty.Value) {
	switch {
	case n.mode.Single():
		s.object(place, n.fields, v)
	case !v.IsKnown():
		s.gap(place)
	case v.IsNull() && s.treat(s.nullAll(s.first), place, v):
	case n.mode.Coalesces():
		s.set(place, v, func(place uint64, elem cty.Value) { s.object(place, n.fields, elem) })
	default:
		s.collection(place, n, v)
	}
}

func (s *sketcher) collection(place uint64, n nest, v cty.Value) {
	ms := n.openIf(v) // a null of blocks counts as empty
	ms.load()
	if s.more && ms.kind == paths.ByIndex {
		s.chain(place, n, &ms)
		return
	}
	size := values.Nothing
	if !s.more {
		size = values.Other + uint64(ms.n)
	}
	i := s.add(place, size)
	for j := range ms.n {
		s.element(place, n, &ms, j)
	}
	s.end(i)
}

func (s *sketcher) element(place uint64, n nest, ms *members, j int) {
	if ms.kind == paths.ByIndex {
		s.object(values.Mix(place, uint64(j)+1), n.fields, ms.elem(j))
		return
	}
	place = values.Mix(place, values.HashString(ms.keys[j].AsString()))
	if !s.shared {
		s.object(place, n.fields, ms.elem(j))
		return
	}
	if s.inSet {
		return // where nobody asks for it
	}
	s.out.hasKeys = true
	if s.out.keys != nil {
		s.out.keys = append(s.out.keys, place)
	}
	i := s.add(place, values.Nothing)
	s.out.hashes[i].kind = hashKey
	outer := s.inKey
	s.inKey = true
	s.object(values.Mix(place, values.Present), n.fields, ms.elem(j))
	s.inKey = outer
	s.end(i)
}

// chain records a list as its first element and the rest of it. Behind the end
// of a prior list there is a gap, so that a configured one may be longer.
func (s *sketcher) chain(place uint64, n nest, ms *members) {
	var rests []int
	for j := range ms.n {
		rests = append(rests, s.add(place, values.Nothing))
		s.object(values.Mix(place, values.Present), n.fields, ms.elem(j))
		place = values.Mix(place, values.Other)
	}
	if s.first {
		rests = append(rests, s.add(place, values.Nothing))
	} else {
		s.gap(place)
	}
	for _, i := range rests {
		s.end(i)
	}
}

// set records a set by its elements, which are all at one place: a gap in one is a
// gap in all. Those that leave none must be in the partner's set nevertheless.
func (s *sketcher) set(place uint64, v cty.Value, inside func(place uint64, elem cty.Value)) {
	var elems []cty.Value
	if !v.IsNull() {
		elems = v.AsValueSlice()
	}
	outer, before := s.inSet, s.gapsSoFar()
	s.inSet = true
	set, below := s.add(place, values.Nothing), values.Mix(place, values.Present)
	s.out.hashes[set].kind = hashSet
	var certain []uint64
	for _, elem := range elems {
		i, before := s.add(below, values.Nothing), s.gapsSoFar()
		inside(below, elem)
		s.end(i)
		content := s.out.sumOf(i+1, len(s.out.hashes), &gaps{})
		s.out.hashes[i].kind, s.out.hashes[i].content = hashElem, content
		if s.gapsSoFar() == before {
			certain = append(certain, values.Mix(below, content))
		}
	}
	s.end(set)
	s.inSet = outer
	if s.gapsSoFar() > before && !s.inSet && !s.inKey {
		s.out.needs = append(s.out.needs, certain...)
	}
}

// value records a value under the value rules.
func (s *sketcher) value(place uint64, v cty.Value) {
	ty := v.Type()
	switch {
	case s.first && (!v.IsKnown() || ty == cty.DynamicPseudoType):
		s.gap(place)
	case !v.IsKnown() || v.IsNull() || ty.IsPrimitiveType() || ty.IsCapsuleType():
		s.add(place, values.Hash(v))
	case ty.IsSetType():
		s.set(place, v, s.value)
	case ty.IsListType() || ty.IsTupleType():
		i := s.add(place, values.Other+uint64(v.LengthInt()))
		for j := range v.LengthInt() {
			s.value(values.Mix(place, uint64(j)+1), v.Index(values.IndexKey(j)))
		}
		s.end(i)
	default: // maps and objects
		i := s.add(place, values.Other+uint64(v.LengthInt()))
		for it := v.ElementIterator(); it.Next(); {
			key, elem := it.Element()
			s.value(values.Mix(place, values.HashString(key.AsString())), elem)
		}
		s.end(i)
	}
}
