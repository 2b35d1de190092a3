package spectest

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/spectest/generate"
	"github.com/objchange/objchange/internal/spectest/parts"
)

// Section 10 of docs/specification.md, for AssertPlanValid.

// A candidate contains the prior value at a path. Inside a set, it contains several possible values.
type candidate struct {
	values []cty.Value
	any    bool
}

func (p candidate) part(name string) candidate {
	parts := candidate{any: p.any}
	for _, v := range p.values {
		parts.values = append(parts.values, attributeOf(v, name))
	}
	return parts
}

// element returns the prior value of the element at the step. Inside a set, it returns all elements.
func (p candidate) element(step cty.PathStep) candidate {
	if p.any {
		return p.elements()
	}
	elem, _ := elementAt(p.values[0], step)
	return candidate{values: []cty.Value{elem}}
}

func (p candidate) elements() candidate {
	all := candidate{any: true}
	for _, v := range p.values {
		for _, e := range parts.ElementsOf(v) {
			all.values = append(all.values, e.Value)
		}
	}
	return all
}

// has reports whether n equals a prior value that is not null.
func (p candidate) has(n cty.Value) bool {
	return slices.ContainsFunc(p.values, func(v cty.Value) bool { return !v.IsNull() && equalValues(n, v) })
}

// planFindings returns the expected findings of AssertPlanValid.
func planFindings(r generate.Resource) []string {
	v := &findings{}
	if !r.Planned.IsKnown() {
		cite("P-10.2")
		v.add(nil, objchange.RulePlanUnknownBlock)
		return v.sortedLines()
	}
	root := parts.RootOf(r.Schema)
	v.writeOnly(root, nil, r.Planned)
	v.planObject(root, nil, candidate{values: []cty.Value{r.Prior}}, r.Config, r.Planned)
	return v.sortedLines()
}

// writeOnly reports write-only attributes that are not null, at every depth.
func (v *findings) writeOnly(n parts.Nested, path cty.Path, object cty.Value) {
	for name, a := range n.Attributes {
		at := path.Copy().GetAttr(name)
		switch part := attributeOf(object, name); {
		case a.WriteOnly && !part.IsNull():
			cite("P-10.1")
			v.add(at, objchange.RuleWriteOnlyNotNull)
		case !a.WriteOnly && a.NestedType != nil:
			v.writeOnlyEach(parts.NestedOf(a), at, part)
		}
	}
	for name, nb := range n.BlockTypes {
		v.writeOnlyEach(parts.BlocksOf(nb), path.Copy().GetAttr(name), attributeOf(object, name))
	}
}

func (v *findings) writeOnlyEach(n parts.Nested, path cty.Path, value cty.Value) {
	switch {
	case value.IsNull() || !value.IsKnown():
		return
	case n.Single():
		v.writeOnly(n, path, value)
		return
	}
	for _, e := range parts.ElementsOf(value) {
		if e.Value.IsKnown() || !n.Block {
			v.writeOnly(n, append(path.Copy(), e.Step), e.Value)
		}
	}
}

// planObject checks the root or a block.
func (v *findings) planObject(n parts.Nested, path cty.Path, p candidate, c, plan cty.Value) {
	switch {
	case plan.IsNull() && c.IsNull():
		cite("P-10.3")
	case plan.IsNull():
		cite("P-10.4")
		v.add(path, objchange.RulePlanAbsent)
	case c.IsNull():
		cite("P-10.5")
		v.add(path, objchange.RulePlanPresent)
	default:
		cite("P-10.6")
		v.planAttributes(n, path, p, c, plan)
		for name, nb := range n.BlockTypes {
			v.planBlocks(nb, path.Copy().GetAttr(name), p.part(name), attributeOf(c, name), attributeOf(plan, name))
		}
	}
}

func (v *findings) planAttributes(n parts.Nested, path cty.Path, p candidate, c, plan cty.Value) {
	for name, a := range n.Attributes {
		if !a.WriteOnly {
			v.planAttribute(a, path.Copy().GetAttr(name), p.part(name), attributeOf(c, name), attributeOf(plan, name))
		}
	}
}

func (v *findings) planAttribute(a *configschema.Attribute, path cty.Path, p candidate, c, plan cty.Value) {
	switch {
	case equalAt(a, plan, c):
		cite("P-10.7")
	case !c.IsNull() && p.has(plan):
		cite("P-10.8")
	case a.Computed && !a.Optional:
		cite("P-10.9")
	case c.IsNull() && a.Computed:
		cite("P-10.10")
	case c.IsNull() && !plan.IsNull():
		cite("P-10.11")
		v.add(path, objchange.RulePlanNotComputed)
	case a.NestedType == nil:
		cite("P-10.12")
		cite("P-10.20")
		v.add(path, objchange.RulePlanNotConfig)
	case plan.IsNull():
		cite("P-10.13")
		v.add(path, objchange.RulePlanAbsent)
	case !plan.IsKnown():
		cite("P-10.14")
		v.add(path, objchange.RulePlanUnknownNested)
	default:
		v.planNested(parts.NestedOf(a), path, p, c, plan)
	}
}

func (v *findings) planNested(n parts.Nested, path cty.Path, p candidate, c, plan cty.Value) {
	switch {
	case n.Single():
		cite("P-10.15")
		v.planAttributes(n, path, p, c, plan)
	case n.Mode == configschema.NestingSet:
		lo, hi := lengthRange(c)
		if nlo, nhi := lengthRange(plan); nlo > hi || lo > nhi {
			cite("P-10.18")
			v.add(path, objchange.RulePlanCount)
		}
		if c.IsKnown() {
			cite("P-10.19")
			v.planSet(n, path, p, c, plan)
		}
	case !c.IsKnown() || plan.LengthInt() != c.LengthInt():
		citeMode(n, "P-10.16", "P-10.17")
		v.add(path, objchange.RulePlanCount)
	default:
		citeMode(n, "P-10.16", "P-10.17")
		v.planEach(n, path, p, c, plan)
	}
}

func lengthRange(v cty.Value) (lo, hi int) {
	if !v.IsKnown() {
		return v.Range().LengthLowerBound(), v.Range().LengthUpperBound()
	}
	if n := v.LengthInt(); n <= 1 || v.IsWhollyKnown() {
		return n, n
	}
	return 1, v.LengthInt()
}

// planEach checks elements by index or key.
func (v *findings) planEach(n parts.Nested, path cty.Path, p candidate, c, plan cty.Value) {
	for _, e := range parts.ElementsOf(plan) {
		if ce, ok := elementAt(c, e.Step); ok {
			v.planElement(n, append(path.Copy(), e.Step), p.element(e.Step), ce, e.Value)
		} else {
			v.add(path, objchange.RulePlanKey)
			if n.Block && plan.Type().IsMapType() && !e.Value.IsKnown() {
				v.add(append(path.Copy(), e.Step), objchange.RulePlanUnknownBlock)
			}
		}
	}
	for _, e := range parts.ElementsOf(c) {
		if _, ok := elementAt(plan, e.Step); !ok {
			v.add(path, objchange.RulePlanKey)
		}
	}
}

func (v *findings) planElement(n parts.Nested, path cty.Path, p candidate, c, plan cty.Value) {
	switch {
	case !n.Block:
		v.planAttributes(n, path, p, c, plan)
	case !plan.IsKnown():
		v.add(path, objchange.RulePlanUnknownBlock)
	default:
		v.planObject(n, path, p, c, plan)
	}
}

func (v *findings) planBlocks(nb *configschema.NestedBlock, path cty.Path, p candidate, c, plan cty.Value) {
	n := parts.BlocksOf(nb)
	switch {
	case plan.IsNull() && n.Mode != configschema.NestingSingle:
		cite("P-10.21")
		v.add(path, objchange.RulePlanNullBlocks)
	case equalExactly(plan, c):
		cite("P-10.22")
	case !c.IsKnown():
		cite("P-10.23")
		v.add(path, objchange.RulePlanDynamicBlock)
	case c.IsNull() && nb.Computed:
		cite("P-10.24")
	case !plan.IsKnown():
		cite("P-10.25")
		v.add(path, objchange.RulePlanUnknownBlocks)
	case n.Single():
		cite("P-10.26")
		v.planObject(n, path, p, c, plan)
	case n.Mode == configschema.NestingSet:
		cite("P-10.29")
		for _, e := range parts.ElementsOf(plan) {
			if !e.Value.IsKnown() {
				v.add(append(path.Copy(), e.Step), objchange.RulePlanUnknownBlock)
			}
		}
		v.planSet(n, path, p, c, plan)
	case len(parts.ElementsOf(plan)) != len(parts.ElementsOf(c)) && !plan.Type().IsObjectType():
		citeMode(n, "P-10.27", "P-10.28")
		v.add(path, objchange.RulePlanCount)
	default:
		citeMode(n, "P-10.27", "P-10.28")
		v.planEach(n, path, p, c, plan)
	}
}

// planSet checks the elements of a set (P-10.30 to P-10.33).
func (v *findings) planSet(n parts.Nested, path cty.Path, p candidate, c, plan cty.Value) {
	cs, ns := parts.ElementsOf(c), parts.ElementsOf(plan)
	if len(ns) > len(cs) {
		v.addNotEnforced(path, objchange.RulePlanSetElement)
	}
	if hasUnknown(cs) || hasUnknown(ns) {
		return
	}
	comesFrom := func(ne, ce parts.Entry) bool {
		inner := &findings{}
		inner.planElement(n, nil, p.elements(), ce.Value, ne.Value)
		return len(inner.lines) == 0
	}
	for _, ne := range ns {
		if !slices.ContainsFunc(cs, func(ce parts.Entry) bool { return comesFrom(ne, ce) }) {
			v.addNotEnforced(path, objchange.RulePlanSetElement)
		}
	}
	for _, ce := range cs {
		if !slices.ContainsFunc(ns, func(ne parts.Entry) bool { return comesFrom(ne, ce) }) {
			v.addNotEnforced(path, objchange.RulePlanSetElement)
		}
	}
}
