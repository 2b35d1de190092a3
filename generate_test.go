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
func (d die) oneIn(n int) bool { return n > 0 && d(n) == n-1 }

// pick chooses one of the things.
func pick[V any](d die, things ...V) V { return things[d(len(things))] }

// sorted iterates over a map by name, as generators must to be repeatable.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// scope is what a schema's outer parts demand of its inner ones.
type scope struct {
	depth   int  // how many levels may still be nested
	noSets  bool // no blocks and no nested attributes in sets
	secrets bool // much is sensitive
	inSet   bool // nothing dynamic and nothing write-only
	compute bool // inside a computed block all is computed
}

func (s scope) down(mode objchange.NestingMode) scope {
	s.depth, s.inSet, s.compute = s.depth-1, s.inSet || mode == objchange.NestingSet, false
	return s
}

// schemas generates valid schemas up to three levels deep.
func schemas(d die) *objchange.Block { return d.schema(scope{depth: 1 + d(3)}) }

func (d die) schema(s scope) *objchange.Block {
	return &objchange.Block{Attributes: d.attributes(s, "a", "b", "c"), BlockTypes: d.blockTypes(s, "p", "q")}
}

func (d die) attributes(s scope, names ...string) attrs {
	all := attrs{}
	for _, name := range names[:1+d(len(names))] {
		all[name] = d.attributeSchema(s)
	}
	return all
}

func (d die) blockTypes(s scope, names ...string) blocks {
	all := blocks{}
	if s.depth > 0 {
		for _, name := range names[:d(len(names)+1)] {
			all[name] = d.blockSchema(s)
		}
	}
	return all
}

// attributeSchema makes an attribute with a type, plain or nested, and flags.
func (d die) attributeSchema(s scope) *objchange.Attribute {
	flags := pick(d, "optional", "optional computed", "computed", "required", "optional")
	if s.compute {
		flags = pick(d, "optional computed", "computed")
	}
	if !s.inSet && d.oneIn(8) {
		flags += " writeonly"
	}
	if d.oneIn(6) || s.secrets && d.oneIn(2) {
		flags += " sensitive"
	}
	if s.depth > 0 && d.oneIn(3) {
		mode := pick(d, blockModes...)
		if s.noSets && mode == objchange.NestingSet {
			mode = objchange.NestingList
		}
		return nested(mode, flags, d.attributes(s.down(mode), "x", "y", "z"))
	}
	return attr(d.plainType(s), flags)
}

var pairType = cty.Object(map[string]cty.Type{"x": cty.String, "y": cty.Number})

// plainTypes are types of attributes; the latter ones hold something dynamic.
var plainTypes, dynamicTypes = []cty.Type{
	cty.String, cty.String, cty.Number, cty.Bool, cty.List(cty.String), cty.Map(cty.String), cty.Set(cty.String),
	pairType, cty.Tuple([]cty.Type{cty.String, cty.Bool}), cty.List(pairType), cty.Set(pairType), cty.Map(cty.Set(cty.Number)),
}, []cty.Type{
	cty.DynamicPseudoType, cty.Object(map[string]cty.Type{"x": cty.DynamicPseudoType}),
	cty.List(cty.DynamicPseudoType), cty.Map(cty.DynamicPseudoType), cty.Tuple([]cty.Type{cty.DynamicPseudoType, cty.String}),
}

func (d die) plainType(s scope) cty.Type {
	if !s.inSet && d.oneIn(6) {
		return pick(d, dynamicTypes...)
	}
	return pick(d, plainTypes...)
}

// blockSchema makes a nested block type, computed or not, in any mode.
func (d die) blockSchema(s scope) *objchange.NestedBlock {
	mode := pick(d, blockModes...)
	if s.noSets && mode == objchange.NestingSet {
		mode = objchange.NestingList
	}
	s.compute = s.compute || d.oneIn(5)
	if s.compute && mode == objchange.NestingGroup {
		mode = objchange.NestingSingle
	}
	inner := s.down(mode)
	inner.compute = s.compute
	nb := &objchange.NestedBlock{Block: *d.schema(inner), Nesting: mode}
	nb.Computed = s.compute
	switch {
	case mode == objchange.NestingSingle && !s.compute && d.oneIn(4):
		nb.MinItems, nb.MaxItems = 1, 1
	case mode == objchange.NestingList || mode == objchange.NestingSet:
		nb.MaxItems = d(3)
		if !s.compute {
			nb.MinItems = d(nb.MaxItems + 1)
		}
	}
	return nb
}

// fields is what blocks and nested attributes have in common.
type fields struct {
	attrs  attrs
	blocks blocks
}

func rootOf(b *objchange.Block) nest {
	return nest{fields: fields{b.Attributes, b.BlockTypes}, mode: objchange.NestingSingle, block: true}
}

// A nest is a block type or a nested attribute.
type nest struct {
	fields
	mode  objchange.NestingMode
	block bool
	ty    cty.Type // of all objects together
}

func nestOf(a *objchange.Attribute) nest {
	return nest{fields{attrs: a.NestedType.Attributes}, a.NestedType.Nesting, false, a.ImpliedType()}
}

func blocksOf(nb *objchange.NestedBlock) nest {
	return nest{fields{nb.Attributes, nb.BlockTypes}, nb.Nesting, true, nb.ImpliedType()}
}

// single reports whether the value of the nest is its one object.
func (n nest) single() bool {
	return n.mode == objchange.NestingSingle || n.mode == objchange.NestingGroup
}

// objectType returns the type of one object.
func (n nest) objectType() cty.Type {
	b := objchange.Block{Attributes: n.attrs, BlockTypes: n.blocks}
	return b.ImpliedType()
}
