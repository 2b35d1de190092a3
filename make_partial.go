package objchange

import (
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// PartialState returns the state to keep when an apply failed
// (docs/semantics.md#partial-state), and whether the object is to be marked as
// tainted, which it is when it was being created (a null state leaves nothing to
// taint). What the provider returned is kept, with null for each unknown value.
// The prior value is kept as it was if what was returned does not conform to the
// schema or holds a write-only value; if nothing was returned, or null though it
// was not asked to delete. If nothing was returned for a delete, the state is
// null.
//
// Prior and planned value must conform to the schema, and the prior one not be
// unknown as a whole; the zero cty.Value as the prior one means null, as the
// returned one that nothing was returned, and so does a returned value that is
// unknown as a whole. Marks are kept. The error is an
// [*InputError].
func PartialState(schema *Schema, prior, planned, returned cty.Value) (state cty.Value, tainted bool, err error) {
	defer rescueValue(&state, &err)
	var w walk
	args := [...]argument{{name: "prior", value: prior, known: true, maybe: true}, {name: "planned", value: planned}}
	if _, ok := w.admit(schema, args[:]); !ok || len(w.found) > 0 {
		return cty.NilVal, false, w.err()
	}
	before, deleting := args[0].value, args[1].value.IsNull()
	tainted = before.IsNull() && !deleting
	before = values.WithMarksOf(before, prior)
	if returned == cty.NilVal {
		returned = absent
	}
	nothing := returned.IsNull() || !returned.IsKnown()
	if nothing && !deleting || !keepable(schema, returned) {
		return before, tainted, nil
	}
	state, err = withoutUnknown(schema, returned)
	return state, tainted, err
}

// keepable reports whether Terraform would keep what a failed apply returned.
func keepable(schema *Schema, returned cty.Value) bool {
	w := consistencyCheck{state: true}
	for _, v := range w.runState(schema, returned) {
		if v.Enforced && v.Rule != RuleStateUnknown {
			return false
		}
	}
	return true
}

// withoutUnknown returns the value with null for what is unknown.
func withoutUnknown(schema *Schema, v cty.Value) (cty.Value, error) {
	w := rewriter{
		attribute: func(a *configschema.Attribute, v cty.Value) (cty.Value, bool) {
			switch {
			case !v.IsKnown():
				return cty.NullVal(v.Type()), true
			case a.NestedType == nil && !v.IsWhollyKnown():
				return cty.UnknownAsNull(v), true
			}
			return v, false
		},
		blocks: func(_ *configschema.NestedBlock, v cty.Value) (cty.Value, bool) {
			return cty.NullVal(v.Type()), !v.IsKnown()
		},
		unknown:     func(_ nest, v cty.Value) (cty.Value, bool) { return cty.NullVal(v.Type()), true },
		unknownRoot: true,
	}
	return w.rewrite(schema, "returned", v)
}
