package objchange

import (
	"cmp"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/values"
)

// A Schema is the compiled schema of a resource, a data source or a provider. Use [Compile] to
// make one. It is immutable. It is safe for concurrent use as long as the block that it was
// compiled from does not change.
type Schema struct {
	block *configschema.Block
	root  *node
}

// Compile returns the compiled schema of a block (docs/specification.md#2-schema).
//
// If the schema is not usable, the error joins one error for each problem, each with its path:
// the error of [configschema.Block.Usable]. The problems are, for example, an attribute with
// neither or both of Type and NestedType, an unknown nesting mode, a name of both an attribute
// and a block, a name that is not in Unicode NFC, a dynamic type inside set nesting, nil
// pointers and cycles. Compile accepts schemas that [configschema.Block.Validate] rejects for
// other reasons.
//
// The cost is proportional to the size of the schema. Compile a schema once and keep it.
func Compile(block *configschema.Block) (*Schema, error) {
	if err := block.Usable(); err != nil {
		return nil, err
	}
	root := &node{mode: configschema.NestingSingle, block: true}
	root.addFields(block.Attributes, block.BlockTypes)
	return &Schema{block: block, root: root}, nil
}

// Block returns the block that the schema was compiled from. Do not change it. Block returns
// nil for a nil Schema.
func (s *Schema) Block() *configschema.Block {
	if s == nil {
		return nil
	}
	return s.block
}

// ImpliedType returns the object type of the values of the schema
// (docs/specification.md#21-implied-type). It returns cty.DynamicPseudoType for a nil Schema.
func (s *Schema) ImpliedType() cty.Type {
	if !s.compiled() {
		return cty.DynamicPseudoType
	}
	return s.root.ty
}

// EmptyValue returns the value of a block in which nothing is set: each attribute is null, and
// each block type has its own empty value (docs/specification.md#22-empty-value). It returns a null
// of the dynamic type for a nil Schema.
func (s *Schema) EmptyValue() cty.Value { return s.Block().EmptyValue() }

// compiled reports whether the schema comes from Compile.
func (s *Schema) compiled() bool { return s != nil && s.root != nil }

// A node is one element of a schema: the root, a block type, or an attribute with or without a
// nested type. Checks read everything that they need to know about the schema from its nodes.
type node struct {
	name  string
	block bool                     // the root or a block type, not an attribute
	mode  configschema.NestingMode // zero for an attribute without a nested type

	attribute *configschema.Attribute   // of an attribute
	blockType *configschema.NestedBlock // of a block type except the root

	required, optional, computed bool
	sensitive, writeOnly         bool
	minItems, maxItems           int

	constraint cty.Type // the declared type of an attribute without a nested type
	object     cty.Type // the type of one nested object
	ty         cty.Type // the type of the whole value
	children   []*node  // the attributes and block types of one nested object, by name

	// Properties of the node or of the nodes below it, at any depth.
	dynamic        bool // has a dynamic type; includes the attribute itself
	secretInside   bool // has a sensitive or write-only attribute below
	writeInside    bool // has a write-only attribute below
	dynamicBlocks  bool // has a list or map of blocks of the dynamic type; includes the node itself
	computedBlocks bool // has computed blocks below
}

// addFields compiles the attributes and block types of a block or a nested attribute.
func (n *node) addFields(attributes map[string]*configschema.Attribute, blocks map[string]*configschema.NestedBlock) {
	nodes := make([]node, len(attributes)+len(blocks)) // one allocation for all nodes
	n.children = make([]*node, 0, len(nodes))
	next := func(name string) *node {
		child := &nodes[len(n.children)]
		child.name = name
		n.children = append(n.children, child)
		return child
	}
	for name, a := range attributes {
		next(name).setAttribute(a)
	}
	for name, nb := range blocks {
		child := next(name)
		child.block, child.blockType, child.mode, child.computed = true, nb, nb.Nesting, nb.Computed
		child.minItems, child.maxItems = nb.MinItems, nb.MaxItems
		child.addFields(nb.Attributes, nb.BlockTypes)
	}
	slices.SortFunc(n.children, func(a, b *node) int { return cmp.Compare(a.name, b.name) })
	types := make(map[string]cty.Type, len(n.children))
	for _, child := range n.children {
		types[child.name] = child.ty
		n.dynamic = n.dynamic || child.dynamic
		n.secretInside = n.secretInside || child.secret() || child.secretInside
		n.writeInside = n.writeInside || child.writeOnly || child.writeInside
		n.dynamicBlocks = n.dynamicBlocks || child.dynamicBlocks
		n.computedBlocks = n.computedBlocks || child.computedBlocks || child.block && child.computed
	}
	n.object = cty.Object(types)
	n.ty = n.typeOfAll()
	n.dynamicBlocks = n.dynamicBlocks || n.block && n.ty == cty.DynamicPseudoType
}

func (n *node) setAttribute(a *configschema.Attribute) {
	n.attribute = a
	n.required, n.optional, n.computed = a.Required, a.Optional, a.Computed
	n.sensitive, n.writeOnly = a.Sensitive, a.WriteOnly
	if a.NestedType != nil {
		n.mode = a.NestedType.Nesting
		n.addFields(a.NestedType.Attributes, nil)
		return
	}
	n.constraint, n.ty = a.Type, a.ImpliedType()
	n.dynamic = n.ty.HasDynamicTypes()
}

// typeOfAll returns the type of all nested objects together (docs/specification.md#21-implied-type).
func (n *node) typeOfAll() cty.Type {
	switch {
	case n.single():
		return n.object
	case n.set():
		return cty.Set(n.object)
	case n.block && n.dynamic:
		return cty.DynamicPseudoType
	case n.mode == configschema.NestingMap:
		return cty.Map(n.object)
	}
	return cty.List(n.object)
}

// child returns the attribute or block type with the name, or nil.
func (n *node) child(name string) *node {
	byName := func(n *node, name string) int { return cmp.Compare(n.name, name) }
	i, ok := slices.BinarySearchFunc(n.children, name, byName)
	if !ok {
		return nil
	}
	return n.children[i]
}

// nested reports whether the node has objects with their own schema.
func (n *node) nested() bool { return n.mode != 0 }

// single reports whether the node has one object and no collection: single or group nesting.
func (n *node) single() bool { return n.mode == configschema.NestingSingle || n.group() }

// group reports whether the nesting is group, in which an absent object is an empty object.
func (n *node) group() bool { return n.mode == configschema.NestingGroup }

func (n *node) set() bool { return n.mode == configschema.NestingSet }

func (n *node) keyed() bool { return n.mode == configschema.NestingMap }

// secret reports whether messages must not show values of the attribute.
func (n *node) secret() bool { return n.sensitive || n.writeOnly }

// readOnly reports whether only the provider may set the attribute.
func (n *node) readOnly() bool { return !n.block && n.computed && !n.optional }

// anyType reports whether the attribute has the dynamic type.
func (n *node) anyType() bool { return !n.nested() && n.constraint == cty.DynamicPseudoType }

// equal compares two values at the node. It skips the comparison of types, which may be large,
// if the schema fixes the type and both values are typed.
func (n *node) equal(a, b cty.Value, how values.Strictness) bool {
	if n.dynamic || a.Type() == cty.DynamicPseudoType || b.Type() == cty.DynamicPseudoType {
		return values.Equal(a, b, how)
	}
	return values.SameContent(a, b, how)
}
