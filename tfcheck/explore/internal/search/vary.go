package search

import (
	"iter"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
)

// A Variation is a configuration that differs from another one in one slot.
type Variation struct {
	Config cty.Value   // may contain unknown values in phase "unknown"
	Then   []cty.Value // wholly known configurations that config may become
}

// Variations yields the configurations that differ from the base in one slot. It alternates between
// two kinds: a slot is set or omitted, or a slot is empty or has another value, such as a known
// value or a boundary. It adds the slots around a slot if the base does not set them. The numbers
// of blocks stay within the limits of the schema, because Terraform checks them itself.
func (k *Knowledge) Variations(base cty.Value) iter.Seq[Variation] {
	all := k.settable(base, 2)
	return k.vary(base, InTurn(slices.Values(presences(base, all)), slices.Values(k.values(base, all))))
}

// vary yields the configurations after the edits that differ from the base.
func (k *Knowledge) vary(base cty.Value, edits iter.Seq[edit]) iter.Seq[Variation] {
	return func(yield func(Variation) bool) {
		for e := range edits {
			config := k.with(base, e.at, e.to)
			if k.differs(config, base) && !yield(Variation{Config: config}) {
				return
			}
		}
	}
}

// presences returns the edits that omit the slots that the base sets, and set the others.
func presences(base cty.Value, all []*Slot) (edits []edit) {
	for _, s := range all {
		if s.setIn(base) {
			edits = append(edits, remove(s))
		} else {
			edits = append(edits, edit{s, cty.NilVal})
		}
	}
	return edits
}

// values returns the edits that set other values of the slots. Slots that the base sets come first.
// In each group, the first value of each slot comes first, then the second, and so on.
func (k *Knowledge) values(base cty.Value, all []*Slot) []edit {
	var set, absent []iter.Seq[edit]
	for _, s := range all {
		if edits := slices.Values(k.others(s)); s.setIn(base) {
			set = append(set, edits)
		} else {
			absent = append(absent, edits)
		}
	}
	return slices.Concat(slices.Collect(InTurn(set...)), slices.Collect(InTurn(absent...)))
}

// InTurn yields the first element of each sequence, then the second of each, and so on.
func InTurn[E any](all ...iter.Seq[E]) iter.Seq[E] {
	return func(yield func(E) bool) {
		var next []func() (E, bool)
		for _, seq := range all {
			pull, stop := iter.Pull(seq)
			defer stop()
			next = append(next, pull)
		}
		for more := true; more; {
			more = false
			for _, pull := range next {
				v, ok := pull()
				if ok && !yield(v) {
					return
				}
				more = more || ok
			}
		}
	}
}

// OtherValues yields the configurations with another value of one slot at the root or in a slot
// that the base sets.
func (k *Knowledge) OtherValues(base cty.Value) iter.Seq[Variation] {
	return k.vary(base, slices.Values(k.values(base, k.settable(base, 0))))
}

// Random returns a configuration that combines the configurations in base, which must not be empty.
// Some slots have the values of another configuration, are omitted, or have other values.
func (k *Knowledge) Random(base []cty.Value) cty.Value {
	config := base[k.rng.IntN(len(base))]
	all := k.settable(config, 2)
	if len(all) == 0 {
		return config
	}
	for range 1 + k.rng.IntN(4) {
		if changed := k.change(config, all[k.rng.IntN(len(all))], base); k.sendable(changed) {
			config = changed
		}
	}
	return config
}

// change changes a slot of the configuration at random.
func (k *Knowledge) change(config cty.Value, s *Slot, base []cty.Value) cty.Value {
	edits := k.others(s)
	switch k.rng.IntN(3) {
	case 0:
		top := s
		for top.parent != k.root {
			top = top.parent
		}
		edits = []edit{{top, base[k.rng.IntN(len(base))].GetAttr(top.Name)}}
	case 1:
		edits = presences(config, []*Slot{s})
	}
	if len(edits) == 0 {
		return config
	}
	return k.make(config, move{edits[k.rng.IntN(len(edits))]})
}

// differs reports whether the configuration differs from the base, and Terraform would send it.
func (k *Knowledge) differs(config, base cty.Value) bool {
	return !config.RawEquals(base) && k.sendable(config)
}

// with sets the slot in the configuration, and removes the slots that exclude it. The zero cty.Value
// stands for built values. The result may be a configuration that Terraform would not send.
func (k *Knowledge) with(config cty.Value, s *Slot, v cty.Value) cty.Value {
	if v != cty.NilVal && v.RawEquals(s.none) {
		return s.change(config, nil, always(v))
	}
	config = s.change(config, k.first, func(_ cty.Value, i int) cty.Value {
		if v == cty.NilVal {
			return k.build(s, i)
		}
		return s.another(v, i)
	})
	for _, o := range s.excludes {
		if o.optional() && o.setIn(config) {
			config = o.change(config, nil, always(o.none))
		}
	}
	return config
}

func (k *Knowledge) first(s *Slot) cty.Value { return k.build(s, 0) }

// settable returns the slots that variations change: slots that the configuration sets, slots
// beside them, and slots inside these, up to the number of levels in deep.
func (k *Knowledge) settable(base cty.Value, deep int) (all []*Slot) {
	var visit func(s *Slot, inside int)
	visit = func(s *Slot, inside int) {
		for _, at := range objectOf(s).slots() {
			if !at.settable || len(all) >= maxRoom {
				continue
			}
			all = append(all, at)
			if at.setIn(base) {
				visit(at, deep)
			} else if inside > 0 {
				visit(at, inside-1)
			}
		}
	}
	visit(k.root, deep)
	return all
}

// others returns the edits that set a value that differs from the first built value: empty values,
// known values and boundaries.
func (k *Knowledge) others(s *Slot) (all []edit) {
	add := func(values ...cty.Value) {
		for _, v := range values {
			if !slices.ContainsFunc(all, func(e edit) bool { return e.to.RawEquals(v) }) {
				all = append(all, edit{s, v})
			}
		}
	}
	leaf := s.leaf()
	switch {
	case s.isObject():
		if s.optional() || s.nesting == configschema.NestingGroup {
			add(k.bare(s))
		}
	case s.element == nil:
		add(k.simple(s)...)
	default:
		for _, count := range []int{0, 1, 2, 3, s.min, s.min + 1, s.max - 1, s.max} {
			if count >= s.min && (s.max == 0 || count <= s.max) && count <= maxElements && !(s.block && count == 0) {
				add(k.several(s, 0, count))
			}
		}
		if s.min <= 1 && leaf == nil {
			add(s.collect([]cty.Value{k.bare(s.element)}))
		}
		if !s.block && !s.nesting.Coalesces() && (s.max == 0 || s.max > 1) && s.min <= 2 {
			add(s.collect([]cty.Value{k.build(s.element, 0), k.build(s.element, 0)}))
		}
		if !s.block {
			add(s.collect([]cty.Value{cty.NullVal(s.element.ty)}))
		}
		if leaf != nil && s.element == leaf {
			for _, v := range k.simple(leaf) {
				add(s.collect([]cty.Value{v}))
			}
		}
	}
	return all
}

// maxElements limits the number of elements if the schema allows more.
const maxElements = 12

// bare returns an object that sets only the parts that the schema requires.
func (k *Knowledge) bare(s *Slot) cty.Value {
	return s.object(func(at *Slot) cty.Value {
		if at.declared {
			return k.build(at, 0)
		}
		return at.none
	})
}

// boundaries returns the values of a primitive type that programs often handle wrong.
func boundaries(ty cty.Type) []cty.Value {
	switch ty {
	case cty.Bool:
		return []cty.Value{cty.True, cty.False}
	case cty.Number:
		return []cty.Value{
			cty.Zero, cty.NumberIntVal(-1), cty.NumberFloatVal(1.5), cty.NumberIntVal(1 << 31), cty.NumberIntVal(1<<53 + 1),
			cty.MustParseNumberVal("123456789012345678901234567890.5"),
		}
	case cty.String:
		return []cty.Value{
			cty.StringVal(""), cty.StringVal("b"), cty.StringVal("Éa日本\U0001F600"), cty.StringVal(" "),
			cty.StringVal("a\nb"), cty.StringVal(strings.Repeat("long", 256)), cty.StringVal("0"),
			cty.StringVal("\t\u00a0\u200b\u202e\u0301\ufeffßİıſＡﬁ\"'\\`$%{}<>&"),
		}
	}
	return nil
}

// simple returns values of a slot without slots inside: values that messages list, some values that
// names suggest, and boundaries of its type.
func (k *Knowledge) simple(s *Slot) (all []cty.Value) {
	all = append(all, boundaries(s.LeafType())...)
	all = append(all, s.values[:min(len(s.values), 12)]...)
	candidates := k.candidates(s)
	return append(all, candidates[:min(len(candidates), 3)]...)
}
