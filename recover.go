package objchange

import (
	"slices"

	"github.com/zclconf/go-cty/cty"
)

// RequiredReplace returns those of the provider's requires_replace paths that
// require replacement (section 12): where prior and planned value differ, an
// unknown value differing from all, or that name a write-only attribute, whose
// changes nobody sees. They come in the given order, each once. A prior value
// that is null requires nothing.
//
// Both values must conform to the schema; marks do not count. A path that leads
// to nothing in both is a violation, [RuleReplacePath], enforced; other
// violations are [RuleInvalidInput] and [RuleTypeMismatch].
func RequiredReplace(schema *Block, prior, planned cty.Value, paths []cty.Path) (required []cty.Path, found Violations) {
	defer rescue(&found)
	var w walk
	args := [...]argument{{name: "prior", value: prior, known: true}, {name: "planned", value: planned}}
	if _, ok := w.admit(schema, args[:]); !ok || len(w.found) > 0 {
		return nil, w.found.sorted()
	}
	if args[0].value.IsNull() {
		return nil, nil
	}
	for _, path := range paths {
		before, inPrior := follow(args[0].value, path)
		after, inPlanned := follow(args[1].value, path)
		attr := schema.AttributeByPath(path)
		switch {
		case !inPrior && !inPlanned:
			w.at(schema, path, RuleReplacePath, "the provider says that a change here requires replacement, but there is nothing here")
			continue
		case attr != nil && attr.WriteOnly:
		case after.IsWhollyKnown() && equal(before, after, equalContent):
			continue
		}
		if !slices.ContainsFunc(required, path.Equals) {
			required = append(required, path)
		}
	}
	return required, w.found.sorted()
}

// follow returns the value that a path leads to, or absent.
func follow(v cty.Value, path cty.Path) (cty.Value, bool) {
	for _, s := range path {
		inner, ok := stepInto(bareOnly(v), s)
		if !ok {
			if inner, ok = elementOf(bareOnly(v), s); !ok {
				return absent, false
			}
		}
		v = inner
	}
	return v, true
}

// elementOf returns the set element that a step names.
func elementOf(v cty.Value, s cty.PathStep) (cty.Value, bool) {
	index, ok := s.(cty.IndexStep)
	if !ok || index.Key == cty.NilVal || !v.Type().IsSetType() || v.IsNull() || !v.IsKnown() {
		return cty.NilVal, false
	}
	key := bareDeep(index.Key)
	for _, elem := range v.AsValueSlice() {
		if equal(elem, key, equalContent) {
			return elem, true
		}
	}
	return cty.NilVal, false
}

// at records an enforced violation at the place that a path leads to.
func (w *walk) at(schema *Block, path cty.Path, rule Rule, message string) {
	steps := stepsOf(path)
	for i, s := range steps {
		if index, ok := path[i].(cty.IndexStep); ok && w.inSet(path[:i]) {
			s = step{kind: byElem, elem: index.Key}
		}
		if index, ok := path[i].(cty.IndexStep); ok && index.Key.IsMarked() && w.hide < 0 {
			w.hide = w.depth
		}
		attr := schema.AttributeByPath(path[:i+1])
		w.enter(s, attr != nil && attr.secret())
	}
	w.violation(rule, true, message)
	for range steps {
		w.leave()
	}
}

// inSet reports whether the path leads to a set in any argument.
func (w *walk) inSet(path cty.Path) bool {
	for _, v := range w.given {
		if at, ok := follow(v, path); ok && at != cty.NilVal && at.Type().IsSetType() {
			return true
		}
	}
	return false
}

// PartialState returns the state to keep when an apply failed (section 12), and
// whether the object is to be marked as tainted, which it is when it was being
// created (a null state leaves nothing to taint). What the provider returned is
// kept, with null for each unknown value and each write-only one; if it returned
// nothing, or null though it was not asked to delete, the prior value is; if it
// returned nothing for a delete, null.
//
// The values must conform to the schema; the zero cty.Value as the returned one
// says that nothing was returned, and so does one that is unknown as a whole.
// Marks are kept. The state is wholly known and AssertStateValid enforces nothing
// against it. The error is a *Violation with [RuleInvalidInput] or
// [RuleTypeMismatch].
func PartialState(schema *Block, prior, planned, returned cty.Value) (state cty.Value, tainted bool, err error) {
	defer rescueValue(&state, &err)
	nothing := returned == cty.NilVal
	if nothing {
		returned = absent
	}
	var w walk
	args := [...]argument{{name: "prior", value: prior, known: true}, {name: "planned", value: planned}, {name: "returned", value: returned}}
	if _, ok := w.admit(schema, args[:]); !ok || len(w.found) > 0 {
		return cty.NilVal, false, w.err()
	}
	deleting := args[1].value.IsNull()
	tainted = args[0].value.IsNull() && !deleting
	kept, name := withMarksOf(args[2].value, returned), "returned"
	if !deleting && (kept.IsNull() || !kept.IsKnown()) {
		kept, name = withMarksOf(args[0].value, prior), "prior"
	}
	state, err = known(schema, name, kept)
	return state, tainted, err
}

// known returns the value with null for what is unknown or write-only.
func known(schema *Block, name string, v cty.Value) (cty.Value, error) {
	w := rewriter{
		attribute: func(a *Attribute, v cty.Value) (cty.Value, bool) {
			switch {
			case a.WriteOnly && !v.IsNull(), !v.IsKnown():
				return cty.NullVal(v.Type()), true
			case a.NestedType == nil && !v.IsWhollyKnown():
				return cty.UnknownAsNull(v), true
			}
			return v, false
		},
		blocks: func(_ *NestedBlock, v cty.Value) (cty.Value, bool) {
			return cty.NullVal(v.Type()), !v.IsKnown()
		},
		unknown:     func(_ nest, v cty.Value) (cty.Value, bool) { return cty.NullVal(v.Type()), true },
		unknownRoot: true,
	}
	return w.rewrite(schema, name, v)
}
