package objchange_test

import (
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange"
)

// Generators of schemas. Those of values are in generate_value_test.go.

// A die makes all choices of the generators: a number below n, where zero is
// the plainest choice, so that failures shrink to small worlds.
type die func(n int) int

// rolling makes a generator of what make builds with a die.
func rolling[V any](make func(die) V) *rapid.Generator[V] {
	return rapid.Custom(func(t *rapid.T) V {
		rapid.Bool().Draw(t, "at least one") // rapid wants every generator to draw
		return make(func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "roll") })
	})
}

// oneIn is true once in n times; never for zero.
func (d die) OneIn(n int) bool { return n > 0 && d(n) == n-1 }

// pick chooses one of the things.
func Pick[V any](d die, things ...V) V { return things[d(len(things))] }

// sorted iterates over a map by name, as generators must to be repeatable.
func Sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// scope is what a schema's outer parts demand of its inner ones.
type Scope struct {
	Depth   int  // how many levels may still be nested
	NoSets  bool // no blocks and no nested attributes in sets
	Secrets bool // much is sensitive
	InSet   bool // nothing dynamic and nothing write-only
	Compute bool // inside a computed block all is computed
}

func (s Scope) down(mode objchange.NestingMode) Scope {
	s.Depth, s.InSet, s.Compute = s.Depth-1, s.InSet || mode == objchange.NestingSet, false
	return s
}

// schemas generates valid schemas up to three levels deep.
func schemas(d die) *objchange.Block { return d.Schema(Scope{Depth: 1 + d(3)}) }

func (d die) Schema(s Scope) *objchange.Block {
	return &objchange.Block{Attributes: d.attributes(s, "a", "b", "c"), BlockTypes: d.blockTypes(s, "p", "q")}
}

func (d die) attributes(s Scope, names ...string) attrs {
	all := attrs{}
	for _, name := range names[:1+d(len(names))] {
		all[name] = d.attributeSchema(s)
	}
	return all
}

func (d die) blockTypes(s Scope, names ...string) blocks {
	all := blocks{}
	if s.Depth > 0 {
		for _, name := range names[:d(len(names)+1)] {
			all[name] = d.blockSchema(s)
		}
	}
	return all
}

// attributeSchema makes an attribute with a type, plain or nested, and flags.
func (d die) attributeSchema(s Scope) *objchange.Attribute {
	flags := Pick(d, "optional", "optional computed", "computed", "required", "optional")
	if s.Compute {
		flags = Pick(d, "optional computed", "computed")
	}
	if !s.InSet && d.OneIn(8) {
		flags += " writeonly"
	}
	if d.OneIn(6) || s.Secrets && d.OneIn(2) {
		flags += " sensitive"
	}
	if s.Depth > 0 && d.OneIn(3) {
		mode := Pick(d, blockModes...)
		if s.NoSets && mode == objchange.NestingSet {
			mode = objchange.NestingList
		}
		return nested(mode, flags, d.attributes(s.down(mode), "x", "y", "z"))
	}
	return attr(d.PlainType(s), flags)
}

var PairType = cty.Object(map[string]cty.Type{"x": cty.String, "y": cty.Number})

// plainTypes are types of attributes; the latter ones hold something dynamic.
var plainTypes, dynamicTypes = []cty.Type{
	cty.String, cty.String, cty.Number, cty.Bool, cty.List(cty.String), cty.Map(cty.String), cty.Set(cty.String),
	PairType, cty.Tuple([]cty.Type{cty.String, cty.Bool}), cty.List(PairType), cty.Set(PairType), cty.Map(cty.Set(cty.Number)),
}, []cty.Type{
	cty.DynamicPseudoType, cty.Object(map[string]cty.Type{"x": cty.DynamicPseudoType}),
	cty.List(cty.DynamicPseudoType), cty.Map(cty.DynamicPseudoType), cty.Tuple([]cty.Type{cty.DynamicPseudoType, cty.String}),
}

func (d die) PlainType(s Scope) cty.Type {
	if !s.InSet && d.OneIn(6) {
		return Pick(d, dynamicTypes...)
	}
	return Pick(d, plainTypes...)
}

// blockSchema makes a nested block type, computed or not, in any mode.
func (d die) blockSchema(s Scope) *objchange.NestedBlock {
	mode := Pick(d, blockModes...)
	if s.NoSets && mode == objchange.NestingSet {
		mode = objchange.NestingList
	}
	s.Compute = s.Compute || d.OneIn(5)
	if s.Compute && mode == objchange.NestingGroup {
		mode = objchange.NestingSingle
	}
	inner := s.down(mode)
	inner.Compute = s.Compute
	nb := &objchange.NestedBlock{Block: *d.Schema(inner), Nesting: mode}
	nb.Computed = s.Compute
	switch {
	case mode == objchange.NestingSingle && !s.Compute && d.OneIn(4):
		nb.MinItems, nb.MaxItems = 1, 1
	case mode == objchange.NestingList || mode == objchange.NestingSet:
		nb.MaxItems = d(3)
		if !s.Compute {
			nb.MinItems = d(nb.MaxItems + 1)
		}
	}
	return nb
}

// fields is what blocks and nested attributes have in common.
type Fields struct {
	Attributes attrs
	BlockTypes blocks
}

func RootOf(b *objchange.Block) Nest {
	return Nest{Fields: Fields{b.Attributes, b.BlockTypes}, Mode: objchange.NestingSingle, Block: true}
}

// A nest is a block type or a nested attribute.
type Nest struct {
	Fields
	Mode  objchange.NestingMode
	Block bool
	Type  cty.Type // of all objects together
}

func NestOf(a *objchange.Attribute) Nest {
	return Nest{Fields{Attributes: a.NestedType.Attributes}, a.NestedType.Nesting, false, a.ImpliedType()}
}

func BlocksOf(nb *objchange.NestedBlock) Nest {
	return Nest{Fields{nb.Attributes, nb.BlockTypes}, nb.Nesting, true, nb.ImpliedType()}
}

// single reports whether the value of the nest is its one object.
func (n Nest) Single() bool {
	return n.Mode == objchange.NestingSingle || n.Mode == objchange.NestingGroup
}

// objectType returns the type of one object.
func (n Nest) ObjectType() cty.Type {
	b := objchange.Block{Attributes: n.Attributes, BlockTypes: n.BlockTypes}
	return b.ImpliedType()
}
