package scenario

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/values"
)

// Parts returns the reductions in groups of the given size. The first group is empty. It stands for
// making all values known.
func (sc Scenario) Parts(size int) [][]reduction {
	return slices.Insert(slices.Collect(slices.Chunk(sc.Reductions(), size)), 0, nil)
}

// Without returns the scenario after the reductions, and whether it differs. Without reductions, it
// makes all values known.
func (sc Scenario) Without(part []reduction) (smaller Scenario, differs bool) {
	all := slices.Clone(sc.Steps)
	if len(part) == 0 {
		for i, st := range all {
			if st.Then != cty.NilVal {
				all[i].Config, all[i].Then, differs = st.Then, cty.NilVal, true
			}
		}
		return sc.WithSteps(all...), differs
	}
	for i, st := range all {
		for _, r := range part {
			if r.step != 0 && r.step != i+1 {
				continue
			}
			st.Config = r.apply(st.Config)
			if st.Then != cty.NilVal {
				st.Then = r.apply(st.Then)
			}
		}
		differs = differs || !st.Config.RawEquals(all[i].Config) || st.Then != cty.NilVal && !st.Then.RawEquals(all[i].Then)
		all[i] = st
	}
	return sc.WithSteps(all...), differs
}

// A reduction makes a value at a path smaller, in all steps of a lifecycle or in one.
type reduction struct {
	path cty.Path
	step int // the only step, from 1, or 0 for all
	how  string
	to   func(cty.Value) cty.Value
}

// The kinds of reductions that make a value smaller.
const (
	removes = "removes" // applies to unknown values, too
	empties = "empties"
	cuts    = "cuts"
)

// Reductions returns the reductions of the configurations during apply. Reductions that remove a
// value come first, beginning at the root. Reductions that simplify values follow, in all steps
// and then in one, because an update needs different values. Attributes at the root that the schema
// requires stay. The provider reports other missing attributes.
func (sc Scenario) Reductions() (all []reduction) {
	var plainer, single []reduction
	known := map[string]bool{}
	for _, st := range slices.Backward(sc.Steps) { // the last step is the most important
		for _, r := range reductionsOf(sc.Schema.Block(), cmp.Or(st.Then, st.Config)) {
			key := r.how + " " + sc.Schema.PathString(r.path)
			switch {
			case known[key]:
			case r.how == removes || r.how == empties || r.how == cuts:
				all = append(all, r)
			default:
				plainer = append(plainer, r)
				for i := range sc.Steps {
					r.step = i + 1
					single = append(single, r)
				}
			}
			known[key] = true
		}
	}
	if len(sc.Steps) == 1 {
		single = nil
	}
	return slices.Concat(all, plainer, single)
}

func reductionsOf(block *configschema.Block, config cty.Value) (all []reduction) {
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
			if !requiredAt(block, path) {
				all = append(all, reduction{path: path, how: removes, to: func(cty.Value) cty.Value { return none }})
			}
			if ty.IsCollectionType() && v.LengthInt() > 0 && !empty(v).RawEquals(none) {
				all = append(all, reduction{path: path, how: empties, to: empty})
			}
			if ty.IsCollectionType() && v.LengthInt() > 1 {
				all = append(all, reduction{path: path, how: cuts, to: first})
			}
		}
		for i, to := range plain(v) {
			all = append(all, reduction{path: path, how: strconv.Itoa(i), to: func(v cty.Value) cty.Value {
				if len(plain(v)) == 0 {
					return v // the value is already simple
				}
				return to
			}})
		}
		return true, nil
	})
	return all
}

// requiredAt reports whether the path is a required attribute at the root.
func requiredAt(block *configschema.Block, path cty.Path) bool {
	at, ok := path[0].(cty.GetAttrStep)
	a := block.Attributes[at.Name]
	return ok && len(path) == 1 && a != nil && a.Required
}

// absent returns the value at the path in a configuration that does not set it.
func absent(block *configschema.Block, path cty.Path, v cty.Value) cty.Value {
	for i, step := range path {
		at, named := step.(cty.GetAttrStep)
		if !named {
			continue // index of a block
		}
		nested := block.BlockTypes[at.Name]
		switch {
		case nested == nil:
			ty := block.Attributes[at.Name].ImpliedType().WithoutOptionalAttributesDeep()
			unset, err := path[i+1:].Apply(cty.UnknownVal(ty))
			if err != nil { // inside a value of any type
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

func empty(v cty.Value) cty.Value { return values.Empty(v.Type()) }

// first returns a collection with its first element only.
func first(v cty.Value) cty.Value {
	for key, elem := range v.Elements() {
		if v.Type().IsMapType() {
			return cty.MapVal(map[string]cty.Value{key.AsString(): elem})
		}
		one, _ := values.OfElements(v.Type(), []cty.Value{elem}, false)
		return one
	}
	return v
}

// plain returns simpler values than v.
func plain(v cty.Value) []cty.Value {
	switch v.Type() {
	case cty.String:
		if s := v.AsString(); len(s) > 1 {
			return []cty.Value{cty.StringVal("a"), cty.StringVal("A")}
		}
	case cty.Number:
		if v.RawEquals(cty.NumberIntVal(0)) || v.RawEquals(cty.NumberIntVal(1)) {
			return nil
		}
		return []cty.Value{cty.NumberIntVal(0), cty.NumberIntVal(1)}
	}
	return nil
}

// apply returns the reduced value. It returns v if v does not have the path, or if the reduction is
// impossible.
func (r reduction) apply(v cty.Value) (reduced cty.Value) {
	defer func() {
		if recover() != nil { // elements of a collection would have different types
			reduced = v
		}
	}()
	reduced, err := cty.Transform(v, func(path cty.Path, part cty.Value) (cty.Value, error) {
		if path.Equals(r.path) && (part.IsKnown() && !part.IsNull() || r.how == removes && !part.IsKnown()) {
			return r.to(part), nil
		}
		return part, nil
	})
	if err != nil {
		return v
	}
	return reduced
}
