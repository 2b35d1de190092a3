package generate

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/lawtest/parts"
)

// A World is one resource: its schema and the values of its life, made from one
// another.
type World struct {
	Schema                           *configschema.Block
	Prior, Config, Proposed, Planned cty.Value
	Err                              error // of the functions that made the latter two
}

// GoString shows the world where a property fails.
func (w World) GoString() string {
	text, err := json.Marshal(w.Schema)
	if err != nil {
		return err.Error()
	}
	lines := []string{"schema " + string(text)}
	for _, v := range []struct {
		name  string
		value cty.Value
	}{{"prior", w.Prior}, {"config", w.Config}, {"proposed", w.Proposed}, {"planned", w.Planned}} {
		lines = append(lines, fmt.Sprintf("%s: %#v", v.name, v.value))
	}
	return "\n" + strings.Join(lines, "\n")
}

// Honest makes a world that holds what Terraform and a good provider send one another: the
// plan is the one of a provider without opinions.
func (d Die) Honest(schema *configschema.Block) World {
	w := World{Schema: schema}
	w.Prior, w.Config = d.Related(schema, AsState, AsConfig)
	if w.Config.IsNull() {
		w.Config = d.Value(schema, NoValue, AsConfig)
	}
	compiled, err := objchange.Compile(schema)
	if err == nil {
		w.Config, err = objchange.PrepareComputedBlocks(compiled, w.Config)
	}
	if w.Err = err; err == nil {
		w.plan(compiled)
	}
	return w
}

// Wild makes a world of any values that conform to the schema.
func (d Die) Wild(schema *configschema.Block) World {
	w := World{Schema: schema}
	w.Prior, w.Config = d.Related(schema, Anything, Anything)
	w.Proposed = d.MaybeNone(d.Value(schema, Pick(d, NoValue, w.Prior, w.Config), Anything))
	w.Planned = d.MaybeNone(d.Value(schema, w.Proposed, Anything))
	return w
}

// Plan makes proposal and plan from prior and config.
func (w *World) Plan() {
	var schema *objchange.Schema
	if schema, w.Err = objchange.Compile(w.Schema); w.Err == nil {
		w.plan(schema)
	}
}

func (w *World) plan(schema *objchange.Schema) {
	if w.Proposed, w.Err = objchange.ProposedNew(schema, w.Prior, w.Config); w.Err == nil {
		w.Planned, w.Err = objchange.PlanComputed(schema, w.Proposed)
	}
}

// Related makes a prior and a configured value, one from the other, so that set
// elements have something in common. Either may be absent.
func (d Die) Related(schema *configschema.Block, p, c Role) (prior, config cty.Value) {
	if d.OneIn(2) {
		config = d.Value(schema, NoValue, c)
		prior = d.Value(schema, config, p)
	} else {
		prior = d.Value(schema, NoValue, p)
		config = d.Value(schema, prior, c)
	}
	return d.MaybeNone(prior), d.MaybeNone(config)
}

// MaybeNone returns the value or, seldom, the null of its type.
func (d Die) MaybeNone(v cty.Value) cty.Value {
	if d.OneIn(15) {
		return cty.NullVal(v.Type())
	}
	return v
}

// Complete makes known what is unknown in a value of the schema, but for one
// place in left (never for zero): any value that the refinements allow, and that
// a state may hold.
func (d Die) Complete(f parts.Fields, v cty.Value, left int, fixed bool) cty.Value {
	if !v.IsKnown() {
		v = unknownParts(f, fixed)
	}
	if v.IsNull() {
		return v
	}
	made := map[string]cty.Value{}
	for _, name := range sorted(f.Attributes) {
		a := f.Attributes[name]
		part := v.GetAttr(name)
		switch {
		case !part.IsKnown() && !a.WriteOnly && d.OneIn(left):
			made[name] = part
		case !part.IsKnown() && a.Type == cty.DynamicPseudoType && part.Type() != a.Type:
			made[name] = d.completePlain(part, left, fixed) // of the type that was planned
		case !part.IsKnown():
			made[name] = d.allowed(part, func() cty.Value { return d.attribute(a, NoValue, AsState, fixed) })
		case a.NestedType != nil:
			made[name] = d.completeEach(parts.NestOf(a), part, left, fixed)
		default:
			made[name] = d.completePlain(part, left, fixed)
		}
	}
	for _, name := range sorted(f.BlockTypes) {
		n, part := parts.BlocksOf(f.BlockTypes[name]), v.GetAttr(name)
		switch {
		case part.IsKnown():
			made[name] = d.completeEach(n, part, left, false)
		case d.OneIn(left):
			made[name] = part
		default:
			made[name] = d.allowed(part, func() cty.Value { return d.Blocks(f.BlockTypes[name], NoValue, AsState) })
		}
	}
	return cty.ObjectVal(made)
}

// unknownParts returns the object that an unknown one stands for.
func unknownParts(f parts.Fields, fixed bool) cty.Value {
	made := map[string]cty.Value{}
	for name, a := range f.Attributes {
		made[name] = cty.UnknownVal(typeAt(a.ImpliedType(), fixed))
	}
	for name, nb := range f.BlockTypes {
		made[name] = cty.UnknownVal(nb.ImpliedType())
	}
	return cty.ObjectVal(made)
}

func (d Die) completeEach(n parts.Nest, v cty.Value, left int, fixed bool) cty.Value {
	if v.IsNull() {
		return v
	}
	if n.Single() {
		return d.Complete(n.Fields, v, left, fixed)
	}
	return parts.MapElements(v, func(elem cty.Value) cty.Value {
		return d.Complete(n.Fields, elem, left, fixed || n.Type != cty.DynamicPseudoType)
	})
}

func (d Die) completePlain(v cty.Value, left int, fixed bool) cty.Value {
	switch {
	case !v.IsKnown() && d.OneIn(left), v.IsNull(), v.Type().IsPrimitiveType() && v.IsKnown():
		return v
	case !v.IsKnown():
		return d.allowed(v, func() cty.Value { return d.inner(v.Type(), AsState, fixed) })
	}
	fixed = fixed || v.Type().IsCollectionType()
	return parts.MapElements(v, func(elem cty.Value) cty.Value { return d.completePlain(elem, left, fixed) })
}

// allowed tries values until one is in the range of the unknown one.
func (d Die) allowed(unknown cty.Value, try func() cty.Value) cty.Value {
	for range 8 {
		if v := try(); unknown.Range().Includes(v) != cty.False {
			return v
		}
	}
	switch ty := unknown.Type(); {
	case ty == cty.String:
		return cty.StringVal("ab")
	case ty == cty.Number:
		return cty.NumberIntVal(1)
	case ty.IsCollectionType():
		b := parts.Bag{Type: ty}
		b.Add("k", cty.NullVal(ty.ElementType()))
		return b.Value()
	default:
		return d.Plain(ty, AsState, false)
	}
}

// ChangeLeaf changes one known leaf of the value, and returns the path it has
// there. Without any, ok is false.
func (d Die) ChangeLeaf(v cty.Value) (changed cty.Value, path cty.Path, ok bool) {
	all := parts.Leaves(v)
	if len(all) == 0 {
		return v, nil, false
	}
	path = all[d(len(all))]
	return parts.ChangeAt(v, path, anotherLeaf), path, true
}

// ChangePart makes any part of a value null, unknown or like another part.
func (d Die) ChangePart(v cty.Value) cty.Value {
	all := parts.All(v)
	if len(all) == 0 {
		return v
	}
	part := all[d(len(all))]
	return parts.ChangeAt(v, part.Path, func(v cty.Value) cty.Value {
		like := all[d(len(all))].Value
		switch d(3) {
		case 0:
			return cty.NullVal(v.Type())
		case 1:
			return cty.UnknownVal(v.Type())
		}
		if !like.Type().Equals(v.Type()) {
			return v
		}
		return like
	})
}

// anotherLeaf returns another primitive value of the same type.
func anotherLeaf(v cty.Value) cty.Value {
	switch v.Type() {
	case cty.String:
		return cty.StringVal(v.AsString() + "!")
	case cty.Number:
		return v.Add(cty.NumberIntVal(1))
	}
	return v.Not()
}
