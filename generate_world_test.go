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
type world struct {
	schema                           *objchange.Block
	prior, config, proposed, planned cty.Value
	err                              error // of the functions that made the latter two
}

// GoString shows the world where a property fails.
func (w world) GoString() string {
	text, err := json.Marshal(w.schema)
	if err != nil {
		return err.Error()
	}
	lines := []string{"schema " + string(text)}
	for _, v := range []struct {
		name  string
		value cty.Value
	}{{"prior", w.prior}, {"config", w.config}, {"proposed", w.proposed}, {"planned", w.planned}} {
		lines = append(lines, fmt.Sprintf("%s: %#v", v.name, v.value))
	}
	return "\n" + strings.Join(lines, "\n")
}

// honest worlds hold what Terraform and a good provider send one another: the
// plan is the one of a provider without opinions.
var honest = rolling(func(d die) world { return d.honest(schemas(d)) })

// withoutSets are honest worlds where no blocks and no nested attributes are in
// sets.
var withoutSets = rolling(func(d die) world {
	return d.honest(d.schema(scope{depth: 1 + d(3), noSets: true}))
})

// wild worlds hold any values that conform to the schema.
var wild = rolling(func(d die) world {
	w := world{schema: schemas(d)}
	w.prior, w.config = d.related(w.schema, anything, anything)
	w.proposed = d.maybeNone(d.value(w.schema, pick(d, noValue, w.prior, w.config), anything))
	w.planned = d.maybeNone(d.value(w.schema, w.proposed, anything))
	return w
})

func (d die) honest(schema *objchange.Block) world {
	w := world{schema: schema}
	w.prior, w.config = d.related(schema, asState, asConfig)
	if w.config.IsNull() {
		w.config = d.value(schema, noValue, asConfig)
	}
	if w.config, w.err = objchange.PrepareComputedBlocks(schema, w.config); w.err != nil {
		return w
	}
	w.plan()
	return w
}

// plan makes proposal and plan from prior and config.
func (w *world) plan() {
	if w.proposed, w.err = objchange.ProposedNew(w.schema, w.prior, w.config); w.err == nil {
		w.planned, w.err = objchange.PlanComputed(w.schema, w.proposed)
	}
}

// related makes a prior and a configured value, one from the other, so that set
// elements have something in common. Either may be absent.
func (d die) related(schema *objchange.Block, p, c role) (prior, config cty.Value) {
	if d.oneIn(2) {
		config = d.value(schema, noValue, c)
		prior = d.value(schema, config, p)
	} else {
		prior = d.value(schema, noValue, p)
		config = d.value(schema, prior, c)
	}
	return d.maybeNone(prior), d.maybeNone(config)
}

func (d die) maybeNone(v cty.Value) cty.Value {
	if d.oneIn(15) {
		return cty.NullVal(v.Type())
	}
	return v
}

// complete makes known what is unknown in a value of the schema, but for one
// place in left (never for zero): any value that the refinements allow, and that
// a state may hold.
func (d die) complete(f fields, v cty.Value, left int, fixed bool) cty.Value {
	if !v.IsKnown() {
		v = unknownParts(f, fixed)
	}
	if v.IsNull() {
		return v
	}
	parts := obj{}
	for _, name := range sorted(f.attrs) {
		a := f.attrs[name]
		part := v.GetAttr(name)
		switch {
		case !part.IsKnown() && !a.WriteOnly && d.oneIn(left):
			parts[name] = part
		case !part.IsKnown() && a.Type == cty.DynamicPseudoType && part.Type() != a.Type:
			parts[name] = d.completePlain(part, left, fixed) // of the type that was planned
		case !part.IsKnown():
			parts[name] = d.allowed(part, func() cty.Value { return d.attribute(a, noValue, asState, fixed) })
		case a.NestedType != nil:
			parts[name] = d.completeEach(nestOf(a), part, left, fixed)
		default:
			parts[name] = d.completePlain(part, left, fixed)
		}
	}
	for _, name := range sorted(f.blocks) {
		n, part := blocksOf(f.blocks[name]), v.GetAttr(name)
		switch {
		case part.IsKnown():
			parts[name] = d.completeEach(n, part, left, false)
		case d.oneIn(left):
			parts[name] = part
		default:
			parts[name] = d.allowed(part, func() cty.Value { return d.blocks(f.blocks[name], noValue, asState) })
		}
	}
	return object(parts)
}

// unknownParts returns the object that an unknown one stands for.
func unknownParts(f fields, fixed bool) cty.Value {
	parts := obj{}
	for name, a := range f.attrs {
		parts[name] = cty.UnknownVal(typeAt(a.ImpliedType(), fixed))
	}
	for name, nb := range f.blocks {
		parts[name] = cty.UnknownVal(nb.ImpliedType())
	}
	return object(parts)
}

func (d die) completeEach(n nest, v cty.Value, left int, fixed bool) cty.Value {
	if v.IsNull() {
		return v
	}
	if n.single() {
		return d.complete(n.fields, v, left, fixed)
	}
	return mapElements(v, func(elem cty.Value) cty.Value {
		return d.complete(n.fields, elem, left, fixed || n.ty != cty.DynamicPseudoType)
	})
}

func (d die) completePlain(v cty.Value, left int, fixed bool) cty.Value {
	switch {
	case !v.IsKnown() && d.oneIn(left), v.IsNull(), v.Type().IsPrimitiveType() && v.IsKnown():
		return v
	case !v.IsKnown():
		return d.allowed(v, func() cty.Value { return d.inner(v.Type(), asState, fixed) })
	}
	fixed = fixed || v.Type().IsCollectionType()
	return mapElements(v, func(elem cty.Value) cty.Value { return d.completePlain(elem, left, fixed) })
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
		b := bag{ty: ty}
		b.add("k", cty.NullVal(ty.ElementType()))
		return b.value()
	default:
		return d.plain(ty, asState, false)
	}
}

// mapElements replaces each element of a value.
func mapElements(v cty.Value, replace func(cty.Value) cty.Value) cty.Value {
	b := bag{ty: v.Type()}
	for _, e := range elementsOf(v) {
		b.add(e.key, replace(e.value))
	}
	return b.value()
}

// leaves returns the paths of all known leaves of a value that are not null.
func leaves(v cty.Value) (paths []cty.Path) {
	if v.IsKnown() && !v.IsNull() && v.Type().IsPrimitiveType() {
		return []cty.Path{nil}
	}
	for _, e := range elementsOf(v) {
		for _, path := range leaves(e.value) {
			paths = append(paths, append(cty.Path{e.step}, path...))
		}
	}
	return paths
}

// changeLeaf changes one known leaf of the value, and returns the path it has
// there. Without any, ok is false.
func (d die) changeLeaf(v cty.Value) (changed cty.Value, path cty.Path, ok bool) {
	all := leaves(v)
	if len(all) == 0 {
		return v, nil, false
	}
	path = all[d(len(all))]
	return changeAt(v, path, anotherLeaf), path, true
}

// changeAt changes what is at a path.
func changeAt(v cty.Value, path cty.Path, change func(cty.Value) cty.Value) cty.Value {
	if len(path) == 0 {
		return change(v)
	}
	b := bag{ty: v.Type()}
	for _, e := range elementsOf(v) {
		if sameStep(e.step, path[0]) {
			e.value = changeAt(e.value, path[1:], change)
		}
		b.add(e.key, e.value)
	}
	return b.value()
}

// changePart makes any part of a value null, unknown or like another part.
func (d die) changePart(v cty.Value) cty.Value {
	all := partsOf(v)
	if len(all) == 0 {
		return v
	}
	part := all[d(len(all))]
	return changeAt(v, part.path, func(v cty.Value) cty.Value {
		like := all[d(len(all))].value
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
type valuePart struct {
	path  cty.Path
	value cty.Value
}

// partsOf returns all of a value's parts.
func partsOf(v cty.Value) (all []valuePart) {
	for _, e := range elementsOf(v) {
		all = append(all, valuePart{cty.Path{e.step}, e.value})
		for _, inner := range partsOf(e.value) {
			all = append(all, valuePart{append(cty.Path{e.step}, inner.path...), inner.value})
		}
	}
	return all
}

func sameStep(a, b cty.PathStep) bool {
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
