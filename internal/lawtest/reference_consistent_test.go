package lawtest

import (
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/lawtest/parts"
)

// semantics.md#consistency and semantics.md#state, for AssertPlanConsistent,
// AssertApplyConsistent and AssertStateValid. The earlier value is named i, the
// later one f.

// A consistencyVerdict skips, for a new state, what is unknown in it.
type consistencyVerdict struct {
	verdict
	state bool
}

func replanVerdict(schema *configschema.Block, i, f cty.Value) []string {
	v := &consistencyVerdict{}
	v.object(parts.RootOf(schema), nil, i, f)
	return v.said()
}

func applyVerdict(schema *configschema.Block, i, f cty.Value) []string {
	v := &consistencyVerdict{state: true}
	v.object(parts.RootOf(schema), nil, i, f)
	v.lines = append(v.lines, stateVerdict(schema, f)...)
	return v.said()
}

func (v *consistencyVerdict) object(n parts.Nest, path cty.Path, i, f cty.Value) {
	switch {
	case v.state && !f.IsKnown():
		return
	case i.IsNull() != f.IsNull():
		v.say(path, objchange.RuleInconsistentPresence)
		return
	case i.IsNull():
		return
	}
	for name, a := range n.Attributes {
		at := path.Copy().GetAttr(name)
		inner := &consistencyVerdict{state: v.state}
		inner.value(at, under(i, name), under(f, name))
		if a.Sensitive && len(inner.lines) > 0 {
			inner.lines = nil
			inner.say(at, objchange.RuleInconsistentSensitive)
		}
		v.lines = append(v.lines, inner.lines...)
	}
	for name, nb := range n.BlockTypes {
		v.blockType(nb, path.Copy().GetAttr(name), under(i, name), under(f, name))
	}
}

func (v *consistencyVerdict) blockType(nb *configschema.NestedBlock, path cty.Path, i, f cty.Value) {
	n := parts.BlocksOf(nb)
	keyed := n.Mode == configschema.NestingMap
	switch {
	case v.state && !f.IsKnown():
	case nb.Computed && f.IsNull() && n.Mode != configschema.NestingSingle:
		v.say(path, objchange.RuleInconsistentNullBlocks)
	case nb.Computed && !i.IsKnown():
		v.value(path, i, f)
	case n.Single() && !i.IsKnown() && f.IsNull():
	case n.Single():
		v.object(n, path, i, f)
	case !i.IsKnown() || i.IsNull():
	case f.IsNull():
		v.mention(path, objchange.RuleInconsistentNullBlocks)
	case !f.IsKnown() && keyed:
		v.say(path, objchange.RuleInconsistentUnknown)
	case !f.IsKnown():
		v.mention(path, objchange.RuleInconsistentUnknown)
	case n.Mode == configschema.NestingSet:
		v.set(path, i, f, func(v *consistencyVerdict, i, f cty.Value) { v.object(n, nil, i, f) })
	default:
		v.blocks(n, path, i, f)
	}
}

// blocks judges those of a list or map.
func (v *consistencyVerdict) blocks(n parts.Nest, path cty.Path, i, f cty.Value) {
	dynamicMap := f.Type().IsObjectType()
	if !dynamicMap && len(parts.ElementsOf(i)) != len(parts.ElementsOf(f)) {
		v.say(path, objchange.RuleInconsistentCount)
		return
	}
	if !sameKeys(i, f) && dynamicMap {
		v.say(path, objchange.RuleInconsistentKey)
	} else if !sameKeys(i, f) {
		v.mention(path, objchange.RuleInconsistentKey)
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

// value is the value rules.
func (v *consistencyVerdict) value(path cty.Path, i, f cty.Value) {
	switch {
	case v.state && !f.IsKnown():
	case i.Type() == cty.DynamicPseudoType:
	case len(f.Type().TestConformance(i.Type())) > 0:
		v.say(path, objchange.RuleInconsistentType)
	case !i.IsKnown():
		if i.Range().Includes(f) == cty.False {
			v.say(path, objchange.RuleInconsistentRefinement)
		}
	case i.IsNull() != f.IsNull():
		v.say(path, objchange.RuleInconsistentValue)
	case i.IsNull():
	case !f.IsKnown():
		v.say(path, objchange.RuleInconsistentUnknown)
	case i.Type().IsPrimitiveType():
		if !i.RawEquals(f) {
			v.say(path, objchange.RuleInconsistentValue)
		}
	case i.Type().IsSetType():
		v.set(path, i, f, func(v *consistencyVerdict, i, f cty.Value) { v.value(nil, i, f) })
	default:
		if !sameKeys(i, f) {
			v.say(path, objchange.RuleInconsistentKey)
		}
		for _, e := range parts.ElementsOf(f) {
			if was, ok := elementAt(i, e.Step); ok {
				v.value(append(path.Copy(), e.Step), was, e.Value)
			}
		}
	}
}

// set wants a partner for each element.
func (v *consistencyVerdict) set(path cty.Path, i, f cty.Value, judge func(v *consistencyVerdict, i, f cty.Value)) {
	agree := func(i, f parts.Entry) bool {
		inner := &consistencyVerdict{}
		judge(inner, i.Value, f.Value)
		return !slices.ContainsFunc(inner.lines, func(line string) bool { return !strings.HasSuffix(line, "?") })
	}
	is, fs := parts.ElementsOf(i), parts.ElementsOf(f)
	for _, i := range is {
		if !slices.ContainsFunc(fs, func(f parts.Entry) bool { return agree(i, f) }) {
			v.say(path, objchange.RuleInconsistentSetElement)
		}
	}
	for _, f := range fs {
		if !slices.ContainsFunc(is, func(i parts.Entry) bool { return agree(i, f) }) {
			v.say(path, objchange.RuleInconsistentSetElement)
		}
	}
	if len(fs) > len(is) {
		v.say(path, objchange.RuleInconsistentCount)
	}
}

// stateVerdict is what AssertStateValid is to find.
func stateVerdict(schema *configschema.Block, state cty.Value) []string {
	v := &verdict{}
	v.unknowns(state, objchange.RuleStateUnknown)
	if state.IsKnown() {
		v.writeOnly(parts.RootOf(schema), nil, state)
		v.nullBlocks(parts.RootOf(schema), nil, state)
	}
	return v.said()
}

// unknowns finds all that is unknown.
func (v *verdict) unknowns(value cty.Value, rule objchange.Rule) {
	cty.Walk(value, func(path cty.Path, value cty.Value) (bool, error) {
		if !value.IsKnown() {
			v.say(path, rule)
		}
		return value.IsKnown(), nil
	})
}

// nullBlocks finds block types that are null, at every depth.
func (v *verdict) nullBlocks(n parts.Nest, path cty.Path, object cty.Value) {
	if object.IsNull() || !object.IsKnown() {
		return
	}
	for name, nb := range n.BlockTypes {
		at, part, inner := path.Copy().GetAttr(name), object.GetAttr(name), parts.BlocksOf(nb)
		if part.IsNull() && inner.Mode != configschema.NestingSingle {
			v.mention(at, objchange.RuleStateNullBlocks)
		} else if inner.Single() {
			v.nullBlocks(inner, at, part)
		} else {
			for _, e := range parts.ElementsOf(part) {
				v.nullBlocks(inner, append(at.Copy(), e.Step), e.Value)
			}
		}
	}
}
