package explore

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
)

// Limits on the requests for shrinking a finding. Each try of a lifecycle takes many requests.
const (
	shrinkRequests     = 400
	shrinkLifeRequests = 4000
)

// A shrinker minimizes the scenario of a finding.
type shrinker struct {
	*prober
	session  *session
	smallest *candidate
	until    int // limit for the requests of the session
}

// shrink minimizes the scenario of a finding until nothing else can be omitted, or the requests are
// spent. It first omits many parts together, then half as many, and so on.
func (p *prober) shrink(ctx context.Context, s *session, c *candidate) (*candidate, error) {
	most := shrinkRequests
	if c.scenario.does != plans {
		most = shrinkLifeRequests
	}
	sh := &shrinker{p, s, c, s.requests + most}
	if err := sh.shorten(ctx); err != nil {
		return sh.smallest, err
	}
	for size := max(1, len(sh.smallest.scenario.reductions())); size > 0; {
		changed := false
		for _, part := range sh.smallest.scenario.parts(size) {
			smaller, differs := sh.smallest.scenario.without(part)
			if !differs {
				continue
			}
			if sh.spent() {
				return sh.smallest, nil
			}
			happened, err := sh.try(ctx, smaller)
			if err != nil {
				return sh.smallest, err
			}
			changed = changed || happened
		}
		if size > 1 || !changed {
			size /= 2
		}
	}
	err := sh.shorten(ctx)
	return sh.smallest, err
}

// shorten omits steps before the last step.
func (s *shrinker) shorten(ctx context.Context) error {
	for i := 0; i < len(s.smallest.scenario.before) && !s.spent(); {
		shorter, err := s.try(ctx, s.smallest.scenario.withSteps(slices.Delete(s.smallest.scenario.lifecycleSteps(), i, i+1)))
		if err != nil {
			return err
		}
		if !shorter {
			i++
		}
	}
	return nil
}

func (s *shrinker) spent() bool { return s.session.requests >= s.until }

// try reports whether the finding happens with the smaller scenario. If it does, that scenario
// becomes the smallest. If an object is left, shrinking ends.
func (s *shrinker) try(ctx context.Context, smaller scenario) (happened bool, err error) {
	again, o, err := s.happens(ctx, s.session, s.smallest, smaller)
	if again != nil {
		s.smallest = again
	}
	if o.leaves {
		s.until = 0
	}
	return again != nil, err
}

// parts returns the reductions in groups of the given size. The first group is empty. It stands for
// making all values known.
func (sc scenario) parts(size int) [][]reduction {
	return slices.Insert(slices.Collect(slices.Chunk(sc.reductions(), size)), 0, nil)
}

// without returns the scenario after the reductions, and whether it differs. Without reductions, it
// makes all values known.
func (sc scenario) without(part []reduction) (smaller scenario, differs bool) {
	all := sc.lifecycleSteps()
	if len(part) == 0 {
		for i, st := range all {
			if st.then != cty.NilVal {
				all[i].config, all[i].then, differs = st.then, cty.NilVal, true
			}
		}
		return sc.withSteps(all), differs
	}
	for i, st := range all {
		for _, r := range part {
			st.config = r.apply(st.config)
			if st.then != cty.NilVal {
				st.then = r.apply(st.then)
			}
		}
		differs = differs || !st.config.RawEquals(all[i].config) || st.then != cty.NilVal && !st.then.RawEquals(all[i].then)
		all[i] = st
	}
	return sc.withSteps(all), differs
}

// A reduction makes a value at a path smaller in all steps of a lifecycle.
type reduction struct {
	path cty.Path
	how  string
	to   func(cty.Value) cty.Value
}

// The kinds of reductions that make a value smaller.
const (
	removes = "removes" // applies to unknown values, too
	empties = "empties"
	cuts    = "cuts"
)

// reductions returns the reductions of the configurations during apply. Reductions that remove a
// value come first, beginning at the root. Reductions that simplify values follow. Attributes at
// the root that the schema requires stay. The provider reports other missing attributes.
func (sc scenario) reductions() (all []reduction) {
	var plainer []reduction
	known := map[string]bool{}
	for _, st := range slices.Backward(sc.lifecycleSteps()) { // the last step is the most important
		for _, r := range reductionsOf(sc.schema.Block(), cmp.Or(st.then, st.config)) {
			key := r.how + " " + sc.schema.PathString(r.path)
			switch {
			case known[key]:
			case r.how == removes || r.how == empties || r.how == cuts:
				all = append(all, r)
			default:
				plainer = append(plainer, r)
			}
			known[key] = true
		}
	}
	return append(all, plainer...)
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
			unset, err := path[i+1:].Apply(cty.UnknownVal(block.Attributes[at.Name].ImpliedType().WithoutOptionalAttributesDeep()))
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
func (e reduction) apply(v cty.Value) (edited cty.Value) {
	defer func() {
		if recover() != nil { // elements of a collection would have different types
			edited = v
		}
	}()
	edited, err := cty.Transform(v, func(path cty.Path, part cty.Value) (cty.Value, error) {
		if path.Equals(e.path) && (part.IsKnown() && !part.IsNull() || e.how == removes && !part.IsKnown()) {
			return e.to(part), nil
		}
		return part, nil
	})
	if err != nil {
		return v
	}
	return edited
}
