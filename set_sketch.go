package objchange

import (
	"slices"

	"github.com/zclconf/go-cty/cty"
)

// A relation is what a check asks of two elements that belong together. Each check
// declares its own beside its rule; the sketch only hashes and leaves gaps.
type relation struct {
	// attribute and block say how a value is treated, of the side that has its
	// say first (configured, initial) or of the other.
	attribute func(a *Attribute, v cty.Value, first bool) treatment
	block     func(nb *NestedBlock, v cty.Value, first bool) treatment
	// null says it of an object, and nullAll of all objects of a nested attribute
	// or block type, where it is null.
	null, nullAll func(first bool) treatment
	// shared says of which maps only those keys count that both sides have.
	shared func(stepKind) bool
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
	keys    []uint64 // map keys that are there, where only shared ones count
	hasKeys bool     // some hash counts only if the partner has its key
	whole   uint64   // sum of all hashes
	group   uint64   // the same for elements with the same gaps and keys
}

// A placeHash is a place in an element and what is there, both hashed.
type placeHash struct {
	place, content uint64
	end            int  // index behind all that is below the place
	key            bool // counts only if the partner has this map key too
}

// sum adds up the hashes outside the gaps.
func (s *sketch) sum(g *gaps) uint64 {
	if len(g.places) == 0 && !s.hasKeys {
		return s.whole
	}
	var sum uint64
	for i := 0; i < len(s.hashes); {
		h := s.hashes[i]
		if g.hide(h) {
			i = h.end
			continue
		}
		sum += mix(h.place, h.content)
		i++
	}
	return sum
}

// gaps are what to leave out when elements of two groups are compared.
type gaps struct {
	places map[uint64]bool
	keys   [2]map[uint64]bool // of each side; nil where a side has no say
}

func newGaps(a, b *sketch) gaps {
	g := gaps{places: map[uint64]bool{}}
	for i, s := range []*sketch{a, b} {
		for _, place := range s.gaps {
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
	if h.key {
		for _, keys := range g.keys {
			if keys != nil && !keys[h.place] {
				return true
			}
		}
	}
	return g.places[h.place]
}

// A sketcher sketches the elements of one side.
type sketcher struct {
	fields
	relation
	first  bool // the side that has its say first: configured, initial
	plain  bool // the elements follow the value rules
	strict bool // leave out all that the provider may choose, so that no gaps come of it
	out    sketch
}

const rootPlace uint64 = 1

func (s sketcher) sketch(elem cty.Value) sketch {
	s.out = sketch{hashes: make([]placeHash, 0, 2+len(s.attrs)+len(s.blocks))}
	if s.shared != nil && !(s.more && s.first) {
		s.out.keys = []uint64{}
	}
	if s.plain {
		s.value(rootPlace, s.attrs, elem)
	} else {
		s.object(rootPlace, s.fields, elem)
	}
	for _, h := range s.out.hashes {
		s.out.whole += mix(h.place, h.content)
	}
	for _, place := range s.out.gaps {
		s.out.group += mix(place, 1)
	}
	for _, key := range s.out.keys {
		s.out.group += mix(key, 2)
	}
	return s.out
}

// add records a place and returns its index. What is added until end is called
// with that index is below it.
func (s *sketcher) add(place, content uint64) int {
	s.out.hashes = append(s.out.hashes, placeHash{place: place, content: content, end: len(s.out.hashes) + 1})
	return len(s.out.hashes) - 1
}

func (s *sketcher) end(i int) { s.out.hashes[i].end = len(s.out.hashes) }

func (s *sketcher) gap(place uint64) { s.out.gaps = append(s.out.gaps, place) }

// treat records a value that is not looked into, and reports whether it is not.
func (s *sketcher) treat(t treatment, place uint64, v cty.Value) bool {
	switch t {
	case same:
		s.add(place, hashOf(v))
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
	present := hashPresent
	if s.more {
		present = saysNothing
	}
	i := s.add(place, present)
	for name, a := range f.attrs {
		if !s.strict || !a.Computed {
			s.attribute(mix(place, hashString(name)), a, v.GetAttr(name))
		}
	}
	for name, nb := range f.blocks {
		if !s.strict || !nb.Computed {
			s.blockType(mix(place, hashString(name)), nb, v.GetAttr(name))
		}
	}
	s.end(i)
}

func (s *sketcher) attribute(place uint64, a *Attribute, v cty.Value) {
	switch t := s.relation.attribute(a, v, s.first); {
	case s.treat(t, place, v):
	case t == asValue:
		s.value(place, a.inner(), v)
	default:
		s.nest(place, a.NestedType.nest(), v)
	}
}

func (s *sketcher) blockType(place uint64, nb *NestedBlock, v cty.Value) {
	if !s.treat(s.relation.block(nb, v, s.first), place, v) {
		s.nest(place, nb.nest(), v)
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
		s.set(place, sketcher{fields: n.fields, relation: s.relation, first: s.first, strict: true}, v)
	default:
		s.collection(place, n, v)
	}
}

func (s *sketcher) collection(place uint64, n nest, v cty.Value) {
	ms := n.openIf(v) // a null of blocks counts as empty
	ms.load()
	if s.more && ms.kind == byIndex {
		s.chain(place, n, &ms)
		return
	}
	size := saysNothing
	if !s.more {
		size = hashOther + uint64(ms.n)
	}
	i := s.add(place, size)
	for j := range ms.n {
		s.element(place, n, &ms, j)
	}
	s.end(i)
}

func (s *sketcher) element(place uint64, n nest, ms *members, j int) {
	if ms.kind == byIndex {
		s.object(mix(place, uint64(j)+1), n.fields, ms.elem(j))
		return
	}
	place = mix(place, hashString(ms.keys[j].AsString()))
	if s.shared != nil && s.shared(ms.kind) {
		s.out.hasKeys = true
		if s.out.keys != nil {
			s.out.keys = append(s.out.keys, place)
		}
		i := s.add(place, saysNothing)
		s.out.hashes[i].key = true
		defer s.end(i)
		place = mix(place, hashPresent)
	}
	s.object(place, n.fields, ms.elem(j))
}

// chain records a list as its first element and the rest of it. Behind the end
// of a prior list there is a gap, so that a configured one may be longer.
func (s *sketcher) chain(place uint64, n nest, ms *members) {
	var rests []int
	for j := range ms.n {
		rests = append(rests, s.add(place, saysNothing))
		s.object(mix(place, hashPresent), n.fields, ms.elem(j))
		place = mix(place, hashOther)
	}
	if s.first {
		rests = append(rests, s.add(place, saysNothing))
	} else {
		s.gap(place)
	}
	for _, i := range rests {
		s.end(i)
	}
}

// set records a set as a whole, if all that is in it, but for what the provider
// may choose, must be the same.
func (s *sketcher) set(place uint64, inner sketcher, v cty.Value) {
	var wholes []uint64
	if !v.IsNull() {
		for _, elem := range v.AsValueSlice() {
			sk := inner.sketch(elem)
			if len(sk.gaps) > 0 || sk.hasKeys {
				s.gap(place)
				return
			}
			wholes = append(wholes, sk.whole)
		}
	}
	slices.Sort(wholes)
	content := hashOther
	for _, whole := range slices.Compact(wholes) {
		content += mix(whole, hashPresent)
	}
	s.add(place, content)
}

// value records a value under the value rules. Objects at or in it have the
// attributes, if any.
func (s *sketcher) value(place uint64, attrs map[string]*Attribute, v cty.Value) {
	ty := v.Type()
	switch {
	case s.first && (!v.IsKnown() || ty == cty.DynamicPseudoType):
		s.gap(place)
	case !v.IsKnown() || v.IsNull() || ty.IsPrimitiveType() || ty.IsCapsuleType():
		s.add(place, hashOf(v))
	case ty.IsSetType():
		s.set(place, sketcher{fields: fields{attrs: attrs}, relation: consistency, first: s.first, plain: true, strict: true}, v)
	case ty.IsListType() || ty.IsTupleType():
		i := s.add(place, hashOther+uint64(v.LengthInt()))
		for j := range v.LengthInt() {
			s.value(mix(place, uint64(j)+1), attrs, v.Index(indexKey(j)))
		}
		s.end(i)
	default:
		s.named(place, attrs, v)
	}
}

// named records the elements of a map or the attributes of an object.
func (s *sketcher) named(place uint64, attrs map[string]*Attribute, v cty.Value) {
	i := s.add(place, hashOther+uint64(v.LengthInt()))
	isObject := v.Type().IsObjectType()
	for it := v.ElementIterator(); it.Next(); {
		key, elem := it.Element()
		name, inner := key.AsString(), attrs
		if a := attrs[name]; isObject && a != nil {
			if s.strict && a.Computed {
				continue
			}
			inner = a.inner()
		}
		s.value(mix(place, hashString(name)), inner, elem)
	}
	s.end(i)
}

// inner returns the attributes of the objects of a nested attribute.
func (a *Attribute) inner() map[string]*Attribute {
	if a.NestedType == nil {
		return nil
	}
	return a.NestedType.Attributes
}
