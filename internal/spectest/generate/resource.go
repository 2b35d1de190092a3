package generate

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/spectest/parts"
)

// A Resource is a schema with the values of one change. The values are derived from each other.
type Resource struct {
	Schema                           *configschema.Block
	Prior, Config, Proposed, Planned cty.Value
	Err                              error // error of the functions that return Proposed and Planned
}

// GoString formats the resource for failed tests.
func (r Resource) GoString() string {
	schema, _ := json.Marshal(r.Schema) // cannot fail
	return fmt.Sprintf("\nschema %s\nprior: %#v\nconfig: %#v\nproposed: %#v\nplanned: %#v",
		schema, r.Prior, r.Config, r.Proposed, r.Planned)
}

// Correct generates a resource with values that Terraform and a correct provider exchange. The plan
// is the result of [objchange.PlanComputed].
func (d Decider) Correct(schema *configschema.Block) Resource {
	r := Resource{Schema: schema}
	r.Prior, r.Config = d.Related(schema, AsState, AsConfig)
	if r.Config.IsNull() {
		r.Config = d.Value(schema, NoValue, AsConfig)
	}
	compiled, err := objchange.Compile(schema)
	if err == nil {
		r.Config, err = objchange.PrepareComputedBlocks(compiled, r.Config)
	}
	if r.Err = err; err == nil {
		r.Plan()
	}
	return r
}

// Arbitrary generates a resource with any values that conform to the schema.
func (d Decider) Arbitrary(schema *configschema.Block) Resource {
	r := Resource{Schema: schema}
	r.Prior, r.Config = d.Related(schema, Anything, Anything)
	r.Proposed = d.MaybeNull(d.Value(schema, Pick(d, NoValue, r.Prior, r.Config), Anything))
	r.Planned = d.MaybeNull(d.Value(schema, r.Proposed, Anything))
	return r
}

// Plan sets Proposed and Planned from Prior and Config.
func (r *Resource) Plan() {
	schema, err := objchange.Compile(r.Schema)
	if err == nil {
		r.Proposed, err = objchange.ProposedNew(schema, r.Prior, r.Config)
	}
	if err == nil {
		r.Planned, err = objchange.PlanComputed(schema, r.Proposed)
	}
	r.Err = err
}

// Related generates a prior value and a configuration. One is the base of the other, so their sets
// have common elements. Either may be null.
func (d Decider) Related(schema *configschema.Block, p, c Role) (prior, config cty.Value) {
	if d.OneIn(2) {
		config = d.Value(schema, NoValue, c)
		prior = d.Value(schema, config, p)
	} else {
		prior = d.Value(schema, NoValue, p)
		config = d.Value(schema, prior, c)
	}
	return d.MaybeNull(prior), d.MaybeNull(config)
}

// MaybeNull returns the value, or in rare cases the null value of its type.
func (d Decider) MaybeNull(v cty.Value) cty.Value {
	if d.OneIn(15) {
		return cty.NullVal(v.Type())
	}
	return v
}

// Complete replaces the unknown parts of a value of the schema with known values. A new value
// conforms to the refinements and may be a part of a state. One part in left stays unknown. If left
// is zero, no part stays unknown.
func (d Decider) Complete(f parts.Fields, v cty.Value, left int, fixed bool) cty.Value {
	switch {
	case !v.IsKnown():
		return d.object(f, NoValue, Role{Changes: AsState.Changes, Unknowns: left}, fixed)
	case v.IsNull():
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
			made[name] = d.completePlain(part, left, fixed) // of the planned type
		case !part.IsKnown():
			made[name] = d.allowed(part, func() cty.Value { return d.attribute(a, NoValue, AsState, fixed) })
		case a.NestedType != nil:
			made[name] = d.completeEach(parts.NestedOf(a), part, left, fixed)
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

func (d Decider) completeEach(n parts.Nested, v cty.Value, left int, fixed bool) cty.Value {
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

func (d Decider) completePlain(v cty.Value, left int, fixed bool) cty.Value {
	switch {
	case !v.IsKnown() && d.OneIn(left), v.IsNull(), v.Type().IsPrimitiveType() && v.IsKnown():
		return v
	case !v.IsKnown():
		return d.allowed(v, func() cty.Value { return d.inner(v.Type(), AsState, fixed) })
	}
	fixed = fixed || v.Type().IsCollectionType()
	return parts.MapElements(v, func(elem cty.Value) cty.Value { return d.completePlain(elem, left, fixed) })
}

// allowed calls try until a value is in the range of the unknown value. After eight calls, it
// returns the simplest value.
func (d Decider) allowed(unknown cty.Value, try func() cty.Value) cty.Value {
	for range 8 {
		if v := try(); unknown.Range().Includes(v) != cty.False {
			return v
		}
	}
	ty := unknown.Type()
	if ty.IsCollectionType() {
		b := parts.Builder{Type: ty}
		b.Add("k", cty.NullVal(ty.ElementType()))
		return b.Value()
	}
	return Decider(func(int) int { return 0 }).Plain(ty, AsState, false)
}

// ChangeLeaf changes one known primitive value inside v, and returns its path. If there is no such
// value, ok is false.
func (d Decider) ChangeLeaf(v cty.Value) (changed cty.Value, path cty.Path, ok bool) {
	leaves := slices.DeleteFunc(parts.All(v), func(p parts.Part) bool {
		return !p.Value.IsKnown() || p.Value.IsNull() || !p.Value.Type().IsPrimitiveType()
	})
	if len(leaves) == 0 {
		return v, nil, false
	}
	path = leaves[d(len(leaves))].Path
	return parts.ChangeAt(v, path, anotherLeaf), path, true
}

// ChangePart replaces any part of a value with a null value, an unknown value, or another part of
// the value.
func (d Decider) ChangePart(v cty.Value) cty.Value {
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
