package spectest

import (
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/spectest/parts"
)

// Sections 11 and 12 of docs/specification.md, for AssertPlanConsistent, AssertApplyConsistent and
// AssertStateValid. The earlier value is named i, and the later value is named f.

// consistencyFindings collects the findings of a comparison of two values. If state is true, the
// later value is a new state, and its unknown values are skipped.
type consistencyFindings struct {
	findings
	state bool
}

func replanFindings(schema *configschema.Block, i, f cty.Value) []string {
	v := &consistencyFindings{}
	v.object(parts.RootOf(schema), nil, i, f)
	return v.sortedLines()
}

func applyFindings(schema *configschema.Block, i, f cty.Value) []string {
	v := &consistencyFindings{state: true}
	v.object(parts.RootOf(schema), nil, i, f)
	v.lines = append(v.lines, stateFindings(schema, f)...)
	return v.sortedLines()
}

func (v *consistencyFindings) object(n parts.Nested, path cty.Path, i, f cty.Value) {
	switch {
	case v.state && !f.IsKnown():
		cite("P-11.1")
		return
	case i.IsNull() != f.IsNull():
		cite("P-11.2")
		v.add(path, objchange.RuleInconsistentPresence)
		return
	case i.IsNull():
		return
	}
	citeIf(!i.IsKnown(), "P-11.3")
	for name, a := range n.Attributes {
		at := path.Copy().GetAttr(name)
		inner := &consistencyFindings{state: v.state}
		inner.value(at, attributeOf(i, name), attributeOf(f, name))
		if a.Sensitive && len(inner.lines) > 0 {
			cite("P-11.4")
			inner.lines = nil
			inner.add(at, objchange.RuleInconsistentSensitive)
		}
		v.lines = append(v.lines, inner.lines...)
	}
	for name, nb := range n.BlockTypes {
		v.blockType(nb, path.Copy().GetAttr(name), attributeOf(i, name), attributeOf(f, name))
	}
}

func (v *consistencyFindings) blockType(nb *configschema.NestedBlock, path cty.Path, i, f cty.Value) {
	n := parts.BlocksOf(nb)
	keyed := n.Mode == configschema.NestingMap
	switch {
	case v.state && !f.IsKnown():
		cite("P-11.1")
	case nb.Computed && f.IsNull() && n.Mode != configschema.NestingSingle:
		cite("P-11.5")
		v.add(path, objchange.RuleInconsistentNullBlocks)
	case nb.Computed && !i.IsKnown():
		cite("P-11.6")
		v.value(path, i, f)
	case n.Single() && !i.IsKnown() && f.IsNull():
		cite("P-11.7")
	case n.Single():
		cite("P-11.7")
		v.object(n, path, i, f)
	case !i.IsKnown() || i.IsNull():
		cite("P-11.8")
	case f.IsNull():
		cite("P-11.9")
		v.addNotEnforced(path, objchange.RuleInconsistentNullBlocks)
	case !f.IsKnown() && keyed:
		cite("P-11.10")
		v.add(path, objchange.RuleInconsistentUnknown)
	case !f.IsKnown():
		cite("P-11.10")
		v.addNotEnforced(path, objchange.RuleInconsistentUnknown)
	case n.Mode == configschema.NestingSet:
		cite("P-11.13")
		v.set(path, i, f, func(v *consistencyFindings, i, f cty.Value) { v.object(n, nil, i, f) })
	default:
		v.blocks(n, path, i, f)
	}
}

// blocks checks the blocks of a list or map.
func (v *consistencyFindings) blocks(n parts.Nested, path cty.Path, i, f cty.Value) {
	citeMode(n, "P-11.11", "P-11.12")
	dynamicMap := f.Type().IsObjectType()
	if !dynamicMap && len(parts.ElementsOf(i)) != len(parts.ElementsOf(f)) {
		v.add(path, objchange.RuleInconsistentCount)
		return
	}
	if !sameKeys(i, f) && dynamicMap {
		v.add(path, objchange.RuleInconsistentKey)
	} else if !sameKeys(i, f) {
		v.addNotEnforced(path, objchange.RuleInconsistentKey)
	}
	for _, e := range parts.ElementsOf(f) {
		if was, ok := elementAt(i, e.Step); ok {
			v.object(n, append(path.Copy(), e.Step), was, e.Value)
		}
	}
}

func sameKeys(a, b cty.Value) bool {
	return slices.EqualFunc(parts.ElementsOf(a), parts.ElementsOf(b), func(a, b parts.Entry) bool { return parts.SameStep(a.Step, b.Step) })
}

// value checks two values (P-11.14 to P-11.21).
func (v *consistencyFindings) value(path cty.Path, i, f cty.Value) {
	switch {
	case v.state && !f.IsKnown():
		cite("P-11.1")
	case i.Type() == cty.DynamicPseudoType:
		cite("P-11.14")
	case len(f.Type().TestConformance(i.Type())) > 0:
		cite("P-11.15")
		v.add(path, objchange.RuleInconsistentType)
	case !i.IsKnown():
		cite("P-11.16")
		if i.Range().Includes(f) == cty.False {
			v.add(path, objchange.RuleInconsistentRefinement)
		}
	case i.IsNull() != f.IsNull():
		cite("P-11.17")
		v.add(path, objchange.RuleInconsistentValue)
	case i.IsNull():
		cite("P-11.17")
	case !f.IsKnown():
		cite("P-11.18")
		v.add(path, objchange.RuleInconsistentUnknown)
	case i.Type().IsPrimitiveType():
		cite("P-11.19")
		if !i.RawEquals(f) {
			v.add(path, objchange.RuleInconsistentValue)
		}
	case i.Type().IsSetType():
		cite("P-11.21")
		v.set(path, i, f, func(v *consistencyFindings, i, f cty.Value) { v.value(nil, i, f) })
	default:
		cite("P-11.20")
		if !sameKeys(i, f) {
			v.add(path, objchange.RuleInconsistentKey)
		}
		for _, e := range parts.ElementsOf(f) {
			if was, ok := elementAt(i, e.Step); ok {
				v.value(append(path.Copy(), e.Step), was, e.Value)
			}
		}
	}
}

// set checks that each element has a partner (P-11.22 and P-11.23).
func (v *consistencyFindings) set(path cty.Path, i, f cty.Value, check func(v *consistencyFindings, i, f cty.Value)) {
	agree := func(i, f parts.Entry) bool {
		inner := &consistencyFindings{}
		check(inner, i.Value, f.Value)
		return !slices.ContainsFunc(inner.lines, func(line string) bool { return !strings.HasSuffix(line, "?") })
	}
	is, fs := parts.ElementsOf(i), parts.ElementsOf(f)
	for _, i := range is {
		if !slices.ContainsFunc(fs, func(f parts.Entry) bool { return agree(i, f) }) {
			cite("P-11.22")
			v.add(path, objchange.RuleInconsistentSetElement)
		}
	}
	for _, f := range fs {
		if !slices.ContainsFunc(is, func(i parts.Entry) bool { return agree(i, f) }) {
			cite("P-11.22")
			v.add(path, objchange.RuleInconsistentSetElement)
		}
	}
	if len(fs) > len(is) {
		cite("P-11.23")
		v.add(path, objchange.RuleInconsistentCount)
	}
}

// stateFindings returns the expected findings of AssertStateValid.
func stateFindings(schema *configschema.Block, state cty.Value) []string {
	v := &findings{}
	v.unknowns(state, objchange.RuleStateUnknown)
	if state.IsKnown() {
		v.writeOnly(parts.RootOf(schema), nil, state)
		v.nullBlocks(parts.RootOf(schema), nil, state)
	}
	return v.sortedLines()
}

// unknowns reports each unknown value.
func (v *findings) unknowns(value cty.Value, rule objchange.Rule) {
	cty.Walk(value, func(path cty.Path, value cty.Value) (bool, error) {
		if !value.IsKnown() {
			citeIf(rule == objchange.RuleStateUnknown, "P-12.1")
			v.add(path, rule)
		}
		return value.IsKnown(), nil
	})
}

// nullBlocks reports block types that are null, at every depth.
func (v *findings) nullBlocks(n parts.Nested, path cty.Path, object cty.Value) {
	if object.IsNull() || !object.IsKnown() {
		return
	}
	for name, nb := range n.BlockTypes {
		at, part, inner := path.Copy().GetAttr(name), object.GetAttr(name), parts.BlocksOf(nb)
		if part.IsNull() && inner.Mode != configschema.NestingSingle {
			v.addNotEnforced(at, objchange.RuleStateNullBlocks)
		} else if inner.Single() {
			v.nullBlocks(inner, at, part)
		} else {
			for _, e := range parts.ElementsOf(part) {
				v.nullBlocks(inner, append(at.Copy(), e.Step), e.Value)
			}
		}
	}
}
