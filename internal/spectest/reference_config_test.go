package spectest

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/spectest/parts"
)

// Section 9 of docs/specification.md, for AssertConfigValid and AssertConfigConsistent.

// configFindings returns the expected findings of AssertConfigValid.
func configFindings(schema *configschema.Block, c cty.Value) []string {
	v := &findings{}
	v.configObject(parts.RootOf(schema), nil, c)
	return v.sortedLines()
}

func (v *findings) configObject(n parts.Nested, path cty.Path, c cty.Value) {
	if c.IsNull() || !c.IsKnown() {
		return
	}
	for name, a := range n.Attributes {
		at, part := path.Copy().GetAttr(name), c.GetAttr(name)
		if a.Required && part.IsNull() {
			v.add(at, objchange.RuleConfigRequired)
		}
		unset := part.IsNull() || a.NestedType != nil && a.NestedType.Nesting == configschema.NestingGroup && allNull(parts.NestedOf(a), part)
		if a.Computed && !a.Optional && !unset && part.IsKnown() {
			v.add(at, objchange.RuleConfigComputedOnly)
		}
		if a.NestedType != nil {
			v.configEach(parts.NestedOf(a), at, part)
		}
	}
	for name, nb := range n.BlockTypes {
		at, part := path.Copy().GetAttr(name), c.GetAttr(name)
		v.configCount(nb, at, part)
		v.configEach(parts.BlocksOf(nb), at, part)
	}
}

func (v *findings) configEach(n parts.Nested, path cty.Path, c cty.Value) {
	if n.Mode == configschema.NestingGroup && allNull(n, c) {
		return
	}
	if n.Single() {
		v.configObject(n, path, c)
		return
	}
	for _, e := range parts.ElementsOf(c) {
		v.configObject(n, append(path.Copy(), e.Step), e.Value)
	}
}

// configCount checks the number of blocks. Unknown blocks can become any number of blocks. Blocks in
// a set that are not wholly known can become equal.
func (v *findings) configCount(nb *configschema.NestedBlock, path cty.Path, c cty.Value) {
	elems := parts.ElementsOf(c)
	least := 0
	for _, e := range elems {
		if e.Value.IsWhollyKnown() || e.Value.IsKnown() && (nb.Nesting == configschema.NestingList || len(elems) == 1) {
			least++
		}
	}
	switch nb.Nesting {
	case configschema.NestingSingle:
		if nb.MinItems == 1 && c.IsNull() {
			v.add(path, objchange.RuleConfigBlockCount)
		}
	case configschema.NestingList, configschema.NestingSet:
		if c.IsKnown() && !hasUnknown(elems) && len(elems) < nb.MinItems || nb.MaxItems > 0 && least > nb.MaxItems {
			v.add(path, objchange.RuleConfigBlockCount)
		}
	}
}

// allNull reports whether all content of a group is null.
func allNull(n parts.Nested, c cty.Value) bool {
	switch {
	case c.IsNull():
		return true
	case !c.IsKnown():
		return false
	case !n.Single():
		return len(parts.ElementsOf(c)) == 0
	}
	for name, a := range n.Attributes {
		part := c.GetAttr(name)
		if !part.IsNull() && !(a.NestedType != nil && a.NestedType.Nesting == configschema.NestingGroup && allNull(parts.NestedOf(a), part)) {
			return false
		}
	}
	for name, nb := range n.BlockTypes {
		if !allNull(parts.BlocksOf(nb), c.GetAttr(name)) {
			return false
		}
	}
	return true
}

// finalConfigFindings returns the expected findings of AssertConfigConsistent.
func finalConfigFindings(schema *configschema.Block, i, f cty.Value) []string {
	v := &consistencyFindings{state: true}
	if i.IsNull() != f.IsNull() && i.IsKnown() && f.IsKnown() {
		v.add(nil, objchange.RuleInconsistentValue)
	} else if !i.IsNull() && i.IsKnown() && f.IsKnown() {
		for name := range f.Type().AttributeTypes() {
			v.value(cty.GetAttrPath(name), i.GetAttr(name), f.GetAttr(name))
		}
	}
	v.unknowns(f, objchange.RuleConfigUnknown)
	return v.sortedLines()
}
