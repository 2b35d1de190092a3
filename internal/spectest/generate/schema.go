package generate

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
)

// A Scope contains the limits that the outer parts of a schema set for the inner parts.
type Scope struct {
	Depth   int  // number of levels that can still be nested
	NoSets  bool // blocks and nested attributes do not use sets
	Secrets bool // many attributes are sensitive
	InSet   bool // inside a set; dynamic and write-only attributes are not allowed
	Compute bool // inside a computed block; all attributes and blocks are computed
}

func (s Scope) down(mode configschema.NestingMode) Scope {
	s.Depth, s.InSet, s.Compute = s.Depth-1, s.InSet || mode == configschema.NestingSet, false
	return s
}

// AnySchema generates a valid schema with up to three levels of nesting.
func (d Decider) AnySchema() *configschema.Block { return d.Schema(Scope{Depth: 1 + d(3)}) }

// Schema generates a valid schema.
func (d Decider) Schema(s Scope) *configschema.Block {
	return &configschema.Block{Attributes: d.Attributes(s, "a", "b", "c"), BlockTypes: d.blockTypes(s, "p", "q")}
}

// Attributes generates attributes for some of the names.
func (d Decider) Attributes(s Scope, names ...string) map[string]*configschema.Attribute {
	all := map[string]*configschema.Attribute{}
	for _, name := range names[:1+d(len(names))] {
		all[name] = d.attributeSchema(s)
	}
	return all
}

func (d Decider) blockTypes(s Scope, names ...string) map[string]*configschema.NestedBlock {
	all := map[string]*configschema.NestedBlock{}
	if s.Depth > 0 {
		for _, name := range names[:d(len(names)+1)] {
			all[name] = d.blockSchema(s)
		}
	}
	return all
}

// attributeSchema generates an attribute with flags and a plain or nested type.
func (d Decider) attributeSchema(s Scope) *configschema.Attribute {
	a := &configschema.Attribute{}
	choices := []func(){
		func() { a.Optional = true },
		func() { a.Optional, a.Computed = true, true },
		func() { a.Computed = true },
		func() { a.Required = true },
		func() { a.Optional = true },
	}
	if s.Compute {
		choices = choices[1:3]
	}
	Pick(d, choices...)()
	a.WriteOnly = !s.InSet && d.OneIn(8)
	a.Sensitive = d.OneIn(6) || s.Secrets && d.OneIn(2)
	if s.Depth > 0 && d.OneIn(3) {
		mode := d.mode(s)
		a.NestedType = &configschema.Object{Nesting: mode, Attributes: d.Attributes(s.down(mode), "x", "y", "z")}
		return a
	}
	a.Type = d.PlainType(s)
	return a
}

// modes lists the nesting modes of blocks and nested attributes.
var modes = []configschema.NestingMode{
	configschema.NestingSingle, configschema.NestingGroup, configschema.NestingList, configschema.NestingSet,
	configschema.NestingMap,
}

func (d Decider) mode(s Scope) configschema.NestingMode {
	if mode := Pick(d, modes...); !s.NoSets || mode != configschema.NestingSet {
		return mode
	}
	return configschema.NestingList
}

// PairType is an object type with a string x and a number y.
var PairType = cty.Object(map[string]cty.Type{"x": cty.String, "y": cty.Number})

// plainTypes lists types without dynamic parts, and dynamicTypes lists types with dynamic parts.
var plainTypes, dynamicTypes = []cty.Type{
	cty.String, cty.String, cty.Number, cty.Bool, cty.List(cty.String), cty.Map(cty.String), cty.Set(cty.String),
	PairType, cty.Tuple([]cty.Type{cty.String, cty.Bool}), cty.List(PairType), cty.Set(PairType),
	cty.Map(cty.Set(cty.Number)),
}, []cty.Type{
	cty.DynamicPseudoType, cty.Object(map[string]cty.Type{"x": cty.DynamicPseudoType}),
	cty.List(cty.DynamicPseudoType), cty.Map(cty.DynamicPseudoType),
	cty.Tuple([]cty.Type{cty.DynamicPseudoType, cty.String}),
}

// PlainType generates the type of an attribute without nested attributes.
func (d Decider) PlainType(s Scope) cty.Type {
	if !s.InSet && d.OneIn(6) {
		return Pick(d, dynamicTypes...)
	}
	return Pick(d, plainTypes...)
}

// blockSchema generates a nested block type with any nesting mode. It may be computed.
func (d Decider) blockSchema(s Scope) *configschema.NestedBlock {
	mode := d.mode(s)
	s.Compute = s.Compute || d.OneIn(5)
	if s.Compute && mode == configschema.NestingGroup {
		mode = configschema.NestingSingle
	}
	inner := s.down(mode)
	inner.Compute = s.Compute
	nb := &configschema.NestedBlock{Block: *d.Schema(inner), Nesting: mode}
	nb.Computed = s.Compute
	switch {
	case mode == configschema.NestingSingle && !s.Compute && d.OneIn(4):
		nb.MinItems, nb.MaxItems = 1, 1
	case mode == configschema.NestingList || mode == configschema.NestingSet:
		nb.MaxItems = d(3)
		if !s.Compute {
			nb.MinItems = d(nb.MaxItems + 1)
		}
	}
	return nb
}
