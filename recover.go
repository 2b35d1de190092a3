package objchange

import (
	"slices"

	"github.com/zclconf/go-cty/cty"
)

// RequiredReplace returns those of the provider's requires_replace paths that
// require replacement (section 12): where prior and planned value differ, an
// unknown value differing from all and something from what is not there, or that
// name a write-only attribute, whose changes nobody sees. They come in the given
// order, each once. A prior value that is null, or the zero cty.Value, requires
// nothing.
//
// Both values must conform to the schema, and the prior one not be unknown as a
// whole; marks do not count. As in Terraform, a
// path may write the key of a map as an attribute, that of an object as an index,
// and a position as text. A path that leads to nothing in both values, or by a
// string into a set, is a violation, [RuleReplacePath], enforced; other
// violations are [RuleInvalidInput] and [RuleTypeMismatch].
func RequiredReplace(schema *Block, prior, planned cty.Value, paths []cty.Path) (required []cty.Path, found Violations) {
	defer rescue(&found)
	var w walk
	args := [...]argument{{name: "prior", value: prior, known: true, maybe: true}, {name: "planned", value: planned}}
	if _, ok := w.admit(schema, args[:]); !ok || len(w.found) > 0 {
		return nil, w.found.sorted()
	}
	if args[0].value.IsNull() {
		return nil, nil
	}
	for _, path := range paths {
		way := stepsOf(path)
		before, inPrior := follow(args[0].value, way)
		after, inPlanned := follow(args[1].value, way)
		attr := schema.AttributeByPath(path)
		switch {
		case !inPrior && !inPlanned:
			w.violationAt(schema, path, RuleReplacePath, "the provider says that a change here requires replacement, but there is nothing here")
			continue
		case attr != nil && attr.WriteOnly:
		case inPrior && inPlanned && sameForReplace(before, after):
			continue
		}
		if !slices.ContainsFunc(required, path.Equals) {
			required = append(required, path)
		}
	}
	return required, w.found.sorted()
}

// sameForReplace reports whether what is in both values requires nothing: nulls of
// any type, and what is equal and wholly known.
func sameForReplace(before, after cty.Value) bool {
	return before.IsNull() && after.IsNull() || after.IsWhollyKnown() && equal(before, after, equalContent)
}

// follow returns the value that a way leads to. As in Terraform, its steps may be
// of other kinds than those of the values.
func follow(v cty.Value, way []step) (cty.Value, bool) {
	for _, s := range way {
		v = bareOnly(v)
		inner, ok := s.fit(v.Type()).into(v)
		if v.Type().IsSetType() {
			inner, ok = s.elementOf(v)
		}
		if !ok {
			return absent, false
		}
		v = inner
	}
	return v, true
}

// elementOf returns the element of a bare set that the step names. A string
// names none: it is what is written for the key of a map.
func (s step) elementOf(set cty.Value) (cty.Value, bool) {
	if s.kind == byKey || s.elem == cty.NilVal || set.IsNull() || !set.IsKnown() {
		return cty.NilVal, false
	}
	key := bareDeep(s.elem)
	for _, elem := range set.AsValueSlice() {
		if equal(elem, key, equalContent) {
			return elem, true
		}
	}
	return cty.NilVal, false
}

// PartialState returns the state to keep when an apply failed (section 12), and
// whether the object is to be marked as tainted, which it is when it was being
// created (a null state leaves nothing to taint). What the provider returned is
// kept, with null for each unknown value. The prior value is kept as it was if
// what was returned does not conform to the schema or holds a write-only value;
// if nothing was returned, or null though it was not asked to delete. If nothing
// was returned for a delete, the state is null.
//
// Prior and planned value must conform to the schema, and the prior one not be
// unknown as a whole; the zero cty.Value as the
// prior one means null, as the returned one that nothing was returned, and so
// does a returned value that is unknown as a whole. Marks are kept. The error is
// a *Violation with [RuleInvalidInput] or [RuleTypeMismatch].
func PartialState(schema *Block, prior, planned, returned cty.Value) (state cty.Value, tainted bool, err error) {
	defer rescueValue(&state, &err)
	var w walk
	args := [...]argument{{name: "prior", value: prior, known: true, maybe: true}, {name: "planned", value: planned}}
	if _, ok := w.admit(schema, args[:]); !ok || len(w.found) > 0 {
		return cty.NilVal, false, w.err()
	}
	before, deleting := args[0].value, args[1].value.IsNull()
	tainted = before.IsNull() && !deleting
	before = withMarksOf(before, prior)
	if returned == cty.NilVal {
		returned = absent
	}
	nothing := returned.IsNull() || !returned.IsKnown()
	if nothing && !deleting || !keepable(schema, returned) {
		return before, tainted, nil
	}
	state, err = known(schema, returned)
	return state, tainted, err
}

// keepable reports whether Terraform would keep what a failed apply returned.
func keepable(schema *Block, returned cty.Value) bool {
	w := consistencyCheck{state: true}
	for _, v := range w.runState(schema, returned) {
		if v.Enforced && v.Rule != RuleStateUnknown {
			return false
		}
	}
	return true
}

// known returns the value with null for what is unknown.
func known(schema *Block, v cty.Value) (cty.Value, error) {
	w := rewriter{
		attribute: func(a *Attribute, v cty.Value) (cty.Value, bool) {
			switch {
			case !v.IsKnown():
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
	return w.rewrite(schema, "returned", v)
}
