package objchange

import (
	"slices"

	"github.com/zclconf/go-cty/cty"
)

// A relation is what the elements of two sets are matched for.
type relation uint8

const (
	proposal    relation = iota // configured and prior: docs/semantics.md#set-elements
	planning                    // configured and planned: #planned-set-elements
	consistency                 // initial and final: #consistent-sets
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
	if s.relation != planning && !(s.relation == proposal && s.first) {
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

// null records a place without an object. A prior null agrees with anything
// that is configured, and a configured null has nothing for a prior value to
// come from.
func (s *sketcher) null(place uint64) {
	switch {
	case s.relation != proposal:
		s.add(place, hashNull)
	case !s.first:
		s.gap(place)
	}
}

func (s *sketcher) object(place uint64, f fields, v cty.Value) {
	if !v.IsKnown() {
		s.gap(place)
		return
	}
	if v.IsNull() {
		s.null(place)
		return
	}
	present := hashPresent
	if s.relation == proposal {
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
	switch {
	case s.relation == consistency:
		s.value(place, a.inner(), v)
	case s.relation == planning && a.computedOnly():
	case s.relation == planning && s.first && a.Computed && v.IsNull():
		s.gap(place)
	case a.NestedType != nil && s.relation == planning && v.IsNull():
		s.add(place, hashNull)
	case a.NestedType != nil:
		s.nest(place, a.NestedType.nest(), v)
	case s.relation == proposal && s.first && a.Computed && v.IsNull() && !v.Type().IsSetType():
		s.gap(place)
	default:
		s.add(place, hashOf(v))
	}
}

func (s *sketcher) blockType(place uint64, nb *NestedBlock, v cty.Value) {
	if s.relation == planning && s.first && nb.Computed && v.IsNull() {
		s.gap(place)
		return
	}
	s.nest(place, nb.nest(), v)
}

func (s *sketcher) nest(place uint64, n nest, v cty.Value) {
	switch {
	case n.mode.Single():
		s.object(place, n.fields, v)
	case n.mode.Coalesces() && s.relation == proposal:
		s.add(place, hashOf(v))
	case !v.IsKnown(), v.IsNull() && s.relation == consistency:
		s.gap(place)
	case v.IsNull() && s.relation == proposal:
		s.null(place)
	case n.mode.Coalesces():
		s.set(place, sketcher{fields: n.fields, relation: s.relation, first: s.first, strict: true}, v)
	default:
		s.collection(place, n, v)
	}
}

func (s *sketcher) collection(place uint64, n nest, v cty.Value) {
	ms := n.openIf(v) // a null of blocks counts as empty
	ms.load()
	if s.relation == proposal && ms.kind == byIndex {
		s.chain(place, n, &ms)
		return
	}
	size := saysNothing
	if s.relation != proposal {
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
	if s.relation == proposal || s.relation == consistency && ms.kind == byKey {
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
