package show

import (
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/zclconf/go-cty/cty"
)

// A node is a path with changes at or below it.
type node struct {
	step     cty.PathStep
	change   *objchange.Change // nil if the changes are below
	inside   []*node
	replaced bool // the value requires replacement
}

// treeOf returns the tree of changes, which must be in path order.
func treeOf(changes []objchange.Change) *node {
	root := &node{}
	for i, c := range changes {
		n := root
		for _, s := range c.Path {
			n = n.last(s)
		}
		n.change = &changes[i]
	}
	return root
}

// last returns the last child if it has the step, and otherwise appends a child.
func (n *node) last(s cty.PathStep) *node {
	if k := len(n.inside); k > 0 && sameStep(n.inside[k-1].step, s) {
		return n.inside[k-1]
	}
	in := &node{step: s}
	n.inside = append(n.inside, in)
	return in
}

// replace marks the node at the path as requiring replacement. It ignores paths without a change,
// except paths of write-only attributes, because their changes are not visible.
func (n *node) replace(schema *configschema.Block, path cty.Path) {
	attr := schema.AttributeByPath(path)
	writeOnly := attr != nil && attr.WriteOnly
	for _, s := range path {
		if n.change != nil {
			break // the change contains everything below
		}
		if n = n.at(s, writeOnly); n == nil {
			return
		}
	}
	n.replaced = true
}

// at returns the child with the step. If no child has it, at returns a new child if make is true,
// and otherwise nil.
func (n *node) at(s cty.PathStep, make bool) *node {
	for _, in := range n.inside {
		if sameStep(in.step, s) {
			return in
		}
	}
	if !make {
		return nil
	}
	in := &node{step: s}
	n.inside = append(n.inside, in)
	return in
}

func sameStep(a, b cty.PathStep) bool {
	x, isIndex := a.(cty.IndexStep)
	y, areBoth := b.(cty.IndexStep)
	if !isIndex || !areBoth {
		return a == b
	}
	return x.Key != cty.NilVal && y.Key != cty.NilVal && x.Key.RawEquals(y.Key)
}

// part returns the part of a value that the step selects, or null if there is no such part.
func part(v cty.Value, s cty.PathStep) cty.Value {
	nothing := cty.NullVal(cty.DynamicPseudoType)
	if v.IsNull() || !v.IsKnown() {
		return nothing
	}
	found, err := s.Apply(v)
	if err != nil {
		return nothing
	}
	return found
}

// bare returns the two values without their own marks, and whether they had any.
func bare(before, after cty.Value) (b, a cty.Value, secret bool) {
	b, mb := before.Unmark()
	a, ma := after.Unmark()
	return b, a, len(mb)+len(ma) > 0
}
