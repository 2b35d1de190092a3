package show

import (
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/zclconf/go-cty/cty"
)

// A node is a place that changes, or has such places inside.
type node struct {
	step     cty.PathStep
	change   *objchange.Change // nil if it is inside
	inside   []*node
	replaced bool // it requires replacement
}

// treeOf makes a tree of changes, which come in path order.
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

// last returns the last node inside, which is made if it is another.
func (n *node) last(s cty.PathStep) *node {
	if k := len(n.inside); k > 0 && sameStep(n.inside[k-1].step, s) {
		return n.inside[k-1]
	}
	in := &node{step: s}
	n.inside = append(n.inside, in)
	return in
}

// replace says that the place requires replacement. Where nothing changes it does
// not, but for a write-only attribute: that does not change visibly.
func (n *node) replace(schema *configschema.Block, path cty.Path) {
	attr := schema.AttributeByPath(path)
	writeOnly := attr != nil && attr.WriteOnly
	for _, s := range path {
		if n.change != nil {
			break // which has all that is inside
		}
		if n = n.at(s, writeOnly); n == nil {
			return
		}
	}
	n.replaced = true
}

// at returns the node inside, which is made, if it may be, when it is not there.
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

// part returns what the step leads to in a value, null if there is nothing.
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

// bare returns two values without their own marks, and whether they had any.
func bare(before, after cty.Value) (b, a cty.Value, secret bool) {
	b, mb := before.Unmark()
	a, ma := after.Unmark()
	return b, a, len(mb)+len(ma) > 0
}
