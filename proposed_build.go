package objchange

import (
	"github.com/objchange/objchange/internal/paths"
	"github.com/zclconf/go-cty/cty"
)

// The builders collect the parts of a proposed value. As long as every part is
// the configured one, or every part is the prior one, they keep nothing, and in
// the end return that value itself.

// objectBuilder collects the attributes of an object.
type objectBuilder struct {
	fields
	p, c     cty.Value
	isC, isP bool
	parts    map[string]cty.Value
}

func (b *objectBuilder) put(name string, m merged) {
	if b.parts == nil {
		base := b.c
		if !b.isC {
			base = b.p
		}
		b.isC, b.isP = b.isC && m.isC, b.isP && m.isP
		if b.isC || b.isP {
			return
		}
		b.start(base)
	}
	b.parts[name] = m.value
}

// start takes all parts from base, since those put so far were base's.
func (b *objectBuilder) start(base cty.Value) {
	b.parts = make(map[string]cty.Value, len(b.attrs)+len(b.blocks))
	for name := range b.attrs {
		b.parts[name] = part(base, name)
	}
	for name := range b.blocks {
		b.parts[name] = part(base, name)
	}
}

func (b *objectBuilder) merged() merged {
	switch {
	case b.isC:
		return merged{b.c, true, b.isP}
	case b.isP:
		return merged{b.p, false, true}
	}
	return merged{value: cty.ObjectVal(b.parts)}
}

// membersBuilder collects the objects of a collection.
type membersBuilder struct {
	cs, ps   *members
	block    bool  // they are blocks
	from     []int // for a set: which element of ps each of cs comes from, or -1
	isC, isP bool
	parts    []cty.Value
}

// prior returns the prior member for the i-th configured one, and whether the
// prior value has one. There is none in a set that is not known, and an unknown
// one in a list or map that is not. For a key that is absent or unknown it has the type
// of the configured element, except for a block that is absent.
func (b *membersBuilder) prior(i int) (v cty.Value, has bool) {
	keyed := b.cs.kind == paths.ByKey || b.cs.kind == paths.ByAttr
	switch {
	case b.from != nil:
		if j := b.from[i]; j >= 0 {
			return b.ps.elems[j], true
		}
		return absent, false
	case b.ps.value.IsKnown():
		if v, has = b.ps.like(b.cs, i); !has && keyed && !b.block {
			v = cty.NullVal(b.cs.elem(i).Type())
		}
		return v, has
	case keyed:
		return cty.UnknownVal(b.cs.elem(i).Type()), true
	}
	return unknownMember(b.ps.value.Type(), i), true
}

// unknownMember returns the i-th member of an unknown collection of the type.
func unknownMember(ty cty.Type, i int) cty.Value {
	switch {
	case ty.IsCollectionType():
		return cty.UnknownVal(ty.ElementType())
	case ty.IsTupleType() && i < ty.Length():
		return cty.UnknownVal(ty.TupleElementType(i))
	}
	return cty.DynamicVal
}

func (b *membersBuilder) put(i int, m merged) {
	if b.parts == nil {
		wasC := b.isC
		b.isC, b.isP = b.isC && m.isC, b.isP && m.isP
		if b.isC || b.isP {
			return
		}
		b.start(i, wasC)
	}
	b.parts = append(b.parts, m.value)
}

// start takes the first count parts from the configured or else the prior value,
// since those put so far were its.
func (b *membersBuilder) start(count int, wasC bool) {
	b.parts = make([]cty.Value, 0, b.cs.n)
	for i := range count {
		v := b.cs.elem(i)
		if !wasC {
			v, _ = b.prior(i)
		}
		b.parts = append(b.parts, v)
	}
}

// merged returns the collection; without ok the members cannot be in one.
func (b *membersBuilder) merged(k *knowledge, n nest) (m merged, ok bool) {
	switch {
	case b.isC:
		return merged{b.cs.value, true, b.isP}, true
	case b.isP:
		return merged{b.ps.value, false, true}, true
	}
	v, ok := k.rebuild(n, b.cs, b.parts)
	return merged{value: v}, ok
}
