package objchange_test

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
)

// semantics.md#configuration, for AssertConfigValid and AssertConfigConsistent.

// configVerdict is what AssertConfigValid is to find.
func configVerdict(schema *objchange.Block, c cty.Value) []string {
	v := &verdict{}
	v.configObject(rootOf(schema), nil, c)
	return v.said()
}

func (v *verdict) configObject(n nest, path cty.Path, c cty.Value) {
	if c.IsNull() || !c.IsKnown() {
		return
	}
	for name, a := range n.attrs {
		at, part := path.Copy().GetAttr(name), c.GetAttr(name)
		if a.Required && part.IsNull() {
			v.say(at, objchange.RuleConfigRequired)
		}
		unset := part.IsNull() || a.NestedType != nil && a.NestedType.Nesting == objchange.NestingGroup && allNull(nestOf(a), part)
		if a.Computed && !a.Optional && !unset && part.IsKnown() {
			v.say(at, objchange.RuleConfigComputedOnly)
		}
		if a.NestedType != nil {
			v.configEach(nestOf(a), at, part)
		}
	}
	for name, nb := range n.blocks {
		at, part := path.Copy().GetAttr(name), c.GetAttr(name)
		v.configCount(nb, at, part)
		v.configEach(blocksOf(nb), at, part)
	}
}

func (v *verdict) configEach(n nest, path cty.Path, c cty.Value) {
	if n.mode == objchange.NestingGroup && allNull(n, c) {
		return
	}
	if n.single() {
		v.configObject(n, path, c)
		return
	}
	for _, e := range elementsOf(c) {
		v.configObject(n, append(path.Copy(), e.step), e.value)
	}
}

// configCount judges how many blocks there are. Unknown ones may be any number,
// and those in sets may turn out to be the same.
func (v *verdict) configCount(nb *objchange.NestedBlock, path cty.Path, c cty.Value) {
	elems := elementsOf(c)
	least := 0
	for _, e := range elems {
		if e.value.IsWhollyKnown() || e.value.IsKnown() && (nb.Nesting == objchange.NestingList || len(elems) == 1) {
			least++
		}
	}
	switch nb.Nesting {
	case objchange.NestingSingle:
		if nb.MinItems == 1 && c.IsNull() {
			v.say(path, objchange.RuleConfigBlockCount)
		}
	case objchange.NestingList, objchange.NestingSet:
		if c.IsKnown() && !hasUnknown(elems) && len(elems) < nb.MinItems || nb.MaxItems > 0 && least > nb.MaxItems {
			v.say(path, objchange.RuleConfigBlockCount)
		}
	}
}

// allNull reports whether there is nothing at all in a group.
func allNull(n nest, c cty.Value) bool {
	switch {
	case c.IsNull():
		return true
	case !c.IsKnown():
		return false
	case !n.single():
		return len(elementsOf(c)) == 0
	}
	for name, a := range n.attrs {
		part := c.GetAttr(name)
		if !part.IsNull() && !(a.NestedType != nil && a.NestedType.Nesting == objchange.NestingGroup && allNull(nestOf(a), part)) {
			return false
		}
	}
	for name, nb := range n.blocks {
		if !allNull(blocksOf(nb), c.GetAttr(name)) {
			return false
		}
	}
	return true
}

// filledVerdict is what AssertConfigConsistent is to find.
func filledVerdict(schema *objchange.Block, i, f cty.Value) []string {
	v := &consistencyVerdict{state: true}
	if i.IsNull() != f.IsNull() && i.IsKnown() && f.IsKnown() {
		v.say(nil, objchange.RuleInconsistentValue)
	} else if !i.IsNull() && i.IsKnown() && f.IsKnown() {
		for name := range f.Type().AttributeTypes() {
			v.value(cty.GetAttrPath(name), i.GetAttr(name), f.GetAttr(name))
		}
	}
	v.unknowns(f, objchange.RuleConfigUnknown)
	return v.said()
}
