package objchange_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
)

// A world is one resource: its schema and the values of its life, made from one
// another.
type World struct {
	Schema                           *objchange.Block
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

// honest worlds hold what Terraform and a good provider send one another: the
// plan is the one of a provider without opinions.
var honest = rolling(func(d die) World { return d.Honest(schemas(d)) })

// withoutSets are honest worlds where no blocks and no nested attributes are in
// sets.
var withoutSets = rolling(func(d die) World {
	return d.Honest(d.Schema(Scope{Depth: 1 + d(3), NoSets: true}))
})

// wild worlds hold any values that conform to the schema.
var wild = rolling(func(d die) World {
	w := World{Schema: schemas(d)}
	w.Prior, w.Config = d.Related(w.Schema, Anything, Anything)
	w.Proposed = d.MaybeNone(d.Value(w.Schema, Pick(d, NoValue, w.Prior, w.Config), Anything))
	w.Planned = d.MaybeNone(d.Value(w.Schema, w.Proposed, Anything))
	return w
})

func (d die) Honest(schema *objchange.Block) World {
	w := World{Schema: schema}
	w.Prior, w.Config = d.Related(schema, AsState, AsConfig)
	if w.Config.IsNull() {
		w.Config = d.Value(schema, NoValue, AsConfig)
	}
	if w.Config, w.Err = objchange.PrepareComputedBlocks(schema, w.Config); w.Err != nil {
		return w
	}
	w.Plan()
	return w
}

// plan makes proposal and plan from prior and config.
func (w *World) Plan() {
	if w.Proposed, w.Err = objchange.ProposedNew(w.Schema, w.Prior, w.Config); w.Err == nil {
		w.Planned, w.Err = objchange.PlanComputed(w.Schema, w.Proposed)
	}
}

// related makes a prior and a configured value, one from the other, so that set
// elements have something in common. Either may be absent.
func (d die) Related(schema *objchange.Block, p, c Role) (prior, config cty.Value) {
	if d.OneIn(2) {
		config = d.Value(schema, NoValue, c)
		prior = d.Value(schema, config, p)
	} else {
		prior = d.Value(schema, NoValue, p)
		config = d.Value(schema, prior, c)
	}
	return d.MaybeNone(prior), d.MaybeNone(config)
}

func (d die) MaybeNone(v cty.Value) cty.Value {
	if d.OneIn(15) {
		return cty.NullVal(v.Type())
	}
	return v
}

// complete makes known what is unknown in a value of the schema, but for one
// place in left (never for zero): any value that the refinements allow, and that
// a state may hold.
func (d die) Complete(f Fields, v cty.Value, left int, fixed bool) cty.Value {
	if !v.IsKnown() {
		v = unknownParts(f, fixed)
	}
	if v.IsNull() {
		return v
	}
	parts := obj{}
	for _, name := range Sorted(f.Attributes) {
		a := f.Attributes[name]
		part := v.GetAttr(name)
		switch {
		case !part.IsKnown() && !a.WriteOnly && d.OneIn(left):
			parts[name] = part
		case !part.IsKnown() && a.Type == cty.DynamicPseudoType && part.Type() != a.Type:
			parts[name] = d.completePlain(part, left, fixed) // of the type that was planned
		case !part.IsKnown():
			parts[name] = d.allowed(part, func() cty.Value { return d.attribute(a, NoValue, AsState, fixed) })
		case a.NestedType != nil:
			parts[name] = d.completeEach(NestOf(a), part, left, fixed)
		default:
			parts[name] = d.completePlain(part, left, fixed)
		}
	}
	for _, name := range Sorted(f.BlockTypes) {
		n, part := BlocksOf(f.BlockTypes[name]), v.GetAttr(name)
		switch {
		case part.IsKnown():
			parts[name] = d.completeEach(n, part, left, false)
		case d.OneIn(left):
			parts[name] = part
		default:
			parts[name] = d.allowed(part, func() cty.Value { return d.Blocks(f.BlockTypes[name], NoValue, AsState) })
		}
	}
	return object(parts)
}

// unknownParts returns the object that an unknown one stands for.
func unknownParts(f Fields, fixed bool) cty.Value {
	parts := obj{}
	for name, a := range f.Attributes {
		parts[name] = cty.UnknownVal(typeAt(a.ImpliedType(), fixed))
	}
	for name, nb := range f.BlockTypes {
		parts[name] = cty.UnknownVal(nb.ImpliedType())
	}
	return object(parts)
}

func (d die) completeEach(n Nest, v cty.Value, left int, fixed bool) cty.Value {
	if v.IsNull() {
		return v
	}
	if n.Single() {
		return d.Complete(n.Fields, v, left, fixed)
	}
	return MapElements(v, func(elem cty.Value) cty.Value {
		return d.Complete(n.Fields, elem, left, fixed || n.Type != cty.DynamicPseudoType)
	})
}

func (d die) completePlain(v cty.Value, left int, fixed bool) cty.Value {
	switch {
	case !v.IsKnown() && d.OneIn(left), v.IsNull(), v.Type().IsPrimitiveType() && v.IsKnown():
		return v
	case !v.IsKnown():
		return d.allowed(v, func() cty.Value { return d.inner(v.Type(), AsState, fixed) })
	}
	fixed = fixed || v.Type().IsCollectionType()
	return MapElements(v, func(elem cty.Value) cty.Value { return d.completePlain(elem, left, fixed) })
}

// allowed tries values until one is in the range of the unknown one.
func (d die) allowed(unknown cty.Value, try func() cty.Value) cty.Value {
	for range 8 {
		if v := try(); unknown.Range().Includes(v) != cty.False {
			return v
		}
	}
	switch ty := unknown.Type(); {
	case ty == cty.String:
		return str("ab")
	case ty == cty.Number:
		return num(1)
	case ty.IsCollectionType():
		b := Bag{Type: ty}
		b.Add("k", cty.NullVal(ty.ElementType()))
		return b.Value()
	default:
		return d.plain(ty, AsState, false)
	}
}

// mapElements replaces each element of a value.
func MapElements(v cty.Value, replace func(cty.Value) cty.Value) cty.Value {
	b := Bag{Type: v.Type()}
	for _, e := range ElementsOf(v) {
		b.Add(e.Key, replace(e.Value))
	}
	return b.Value()
}

// leaves returns the paths of all known leaves of a value that are not null.
func Leaves(v cty.Value) (paths []cty.Path) {
	if v.IsKnown() && !v.IsNull() && v.Type().IsPrimitiveType() {
		return []cty.Path{nil}
	}
	for _, e := range ElementsOf(v) {
		for _, path := range Leaves(e.Value) {
			paths = append(paths, append(cty.Path{e.Step}, path...))
		}
	}
	return paths
}

// changeLeaf changes one known leaf of the value, and returns the path it has
// there. Without any, ok is false.
func (d die) ChangeLeaf(v cty.Value) (changed cty.Value, path cty.Path, ok bool) {
	all := Leaves(v)
	if len(all) == 0 {
		return v, nil, false
	}
	path = all[d(len(all))]
	return ChangeAt(v, path, anotherLeaf), path, true
}

// changeAt changes what is at a path.
func ChangeAt(v cty.Value, path cty.Path, change func(cty.Value) cty.Value) cty.Value {
	if len(path) == 0 {
		return change(v)
	}
	b := Bag{Type: v.Type()}
	for _, e := range ElementsOf(v) {
		if SameStep(e.Step, path[0]) {
			e.Value = ChangeAt(e.Value, path[1:], change)
		}
		b.Add(e.Key, e.Value)
	}
	return b.Value()
}

// changePart makes any part of a value null, unknown or like another part.
func (d die) ChangePart(v cty.Value) cty.Value {
	all := PartsOf(v)
	if len(all) == 0 {
		return v
	}
	part := all[d(len(all))]
	return ChangeAt(v, part.Path, func(v cty.Value) cty.Value {
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

// A valuePart is a value inside another.
type Part struct {
	Path  cty.Path
	Value cty.Value
}

// partsOf returns all of a value's parts.
func PartsOf(v cty.Value) (all []Part) {
	for _, e := range ElementsOf(v) {
		all = append(all, Part{cty.Path{e.Step}, e.Value})
		for _, inner := range PartsOf(e.Value) {
			all = append(all, Part{append(cty.Path{e.Step}, inner.Path...), inner.Value})
		}
	}
	return all
}

func SameStep(a, b cty.PathStep) bool {
	if i, ok := a.(cty.IndexStep); ok {
		j, ok := b.(cty.IndexStep)
		return ok && i.Key.RawEquals(j.Key)
	}
	return a == b
}

// anotherLeaf returns another primitive value of the same type.
func anotherLeaf(v cty.Value) cty.Value {
	switch v.Type() {
	case cty.String:
		return str(v.AsString() + "!")
	case cty.Number:
		return v.Add(num(1))
	}
	return v.Not()
}
