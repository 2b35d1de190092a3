package explore

import (
	"context"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
)

// shrinkRequests is how many requests shrinking a finding may take.
const shrinkRequests = 400

// shrink returns the same finding of a scenario from which nothing can be left out.
func (p *prober) shrink(ctx context.Context, s *session, smallest *candidate) (*candidate, error) {
	begun := s.requests
	for changed := true; changed; {
		changed = false
		for smaller := range smaller(smallest.scenario) {
			if s.requests-begun > shrinkRequests {
				return smallest, nil
			}
			again, err := p.happens(ctx, s, smallest, smaller)
			if err != nil {
				return smallest, err
			}
			if again != nil {
				smallest, changed = again, true
				break
			}
		}
	}
	return smallest, nil
}

// smaller visits scenarios that differ from the given one in one thing, the largest
// differences first.
func smaller(sc scenario) func(yield func(scenario) bool) {
	return func(yield func(scenario) bool) {
		if sc.then != cty.NilVal {
			known := sc
			known.config, known.then = sc.then, cty.NilVal
			if !yield(known) {
				return
			}
		}
		block := sc.schema.Block()
		for _, without := range reductions(block, sc.config) {
			next := sc
			if next.config = without.apply(sc.config); !next.config.RawEquals(sc.config) && conforms(block, next.config) {
				if sc.then != cty.NilVal {
					next.then = without.apply(sc.then)
				}
				if !yield(next) {
					return
				}
			}
		}
	}
}

// conforms reports whether a configuration has what the schema requires at its root; the
// provider says what else is missing.
func conforms(block *configschema.Block, config cty.Value) bool {
	for name, a := range block.Attributes {
		if a.Required && config.GetAttr(name).IsNull() {
			return false
		}
	}
	return true
}

// A reduction makes a value smaller at a path.
type reduction struct {
	path cty.Path
	to   func(cty.Value) cty.Value
}

// reductions returns the reductions of a configuration: first those that remove something, from the
// root down, then those that make values plainer.
func reductions(block *configschema.Block, config cty.Value) (all []reduction) {
	var plainer []reduction
	_ = cty.Walk(config, func(path cty.Path, v cty.Value) (bool, error) {
		if len(path) == 0 {
			return true, nil
		}
		path = path.Copy()
		if !v.IsKnown() || v.IsNull() {
			return false, nil
		}
		ty := v.Type()
		if _, inElement := path[len(path)-1].(cty.IndexStep); !inElement {
			none := absent(block, path, v)
			all = append(all, reduction{path, func(cty.Value) cty.Value { return none }})
			if ty.IsCollectionType() && v.LengthInt() > 0 && !empty(v).RawEquals(none) {
				all = append(all, reduction{path, empty})
			}
			if ty.IsCollectionType() && v.LengthInt() > 1 {
				all = append(all, reduction{path, first})
			}
		}
		for _, plain := range plain(v) {
			plainer = append(plainer, reduction{path, func(cty.Value) cty.Value { return plain }})
		}
		return !ty.IsSetType(), nil
	})
	return append(all, plainer...)
}

// absent returns what a configuration has at the path of a value if it does not set it.
func absent(block *configschema.Block, path cty.Path, v cty.Value) cty.Value {
	for i, step := range path {
		at, named := step.(cty.GetAttrStep)
		if !named {
			continue // an element of the block type
		}
		nested := block.BlockTypes[at.Name]
		switch {
		case nested == nil:
			unset, err := path[i+1:].Apply(cty.UnknownVal(plainType(block.Attributes[at.Name].ImpliedType())))
			if err != nil { // inside of what may have any type
				return cty.NullVal(v.Type())
			}
			return cty.NullVal(unset.Type())
		case i == len(path)-1:
			return nested.EmptyValue()
		}
		block = &nested.Block
	}
	return cty.NullVal(v.Type())
}

func empty(v cty.Value) cty.Value {
	switch ty := v.Type(); {
	case ty.IsListType():
		return cty.ListValEmpty(ty.ElementType())
	case ty.IsSetType():
		return cty.SetValEmpty(ty.ElementType())
	}
	return cty.MapValEmpty(v.Type().ElementType())
}

// first returns a collection with its first element only.
func first(v cty.Value) cty.Value {
	for key, elem := range v.Elements() {
		switch ty := v.Type(); {
		case ty.IsListType():
			return cty.ListVal([]cty.Value{elem})
		case ty.IsSetType():
			return cty.SetVal([]cty.Value{elem})
		default:
			return cty.MapVal(map[string]cty.Value{key.AsString(): elem})
		}
	}
	return v
}

// plain returns plainer values than v.
func plain(v cty.Value) []cty.Value {
	switch v.Type() {
	case cty.String:
		if s := v.AsString(); len(s) > 1 {
			return []cty.Value{cty.StringVal("a")}
		}
	case cty.Number:
		if v.RawEquals(cty.NumberIntVal(0)) || v.RawEquals(cty.NumberIntVal(1)) {
			return nil
		}
		return []cty.Value{cty.NumberIntVal(0), cty.NumberIntVal(1)}
	}
	return nil
}

// apply returns the value with the edit, or the value itself where it does not have the
// path.
func (e reduction) apply(v cty.Value) cty.Value {
	edited, err := cty.Transform(v, func(path cty.Path, part cty.Value) (cty.Value, error) {
		if path.Equals(e.path) && part.IsKnown() && !part.IsNull() {
			return e.to(part), nil
		}
		return part, nil
	})
	if err != nil {
		return v
	}
	return edited
}
