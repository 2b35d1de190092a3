package objchange

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/values"
)

// PlanComputed returns the plan of a provider that decides nothing: the proposed new
// state, in which each computed attribute that is null becomes unknown at every depth,
// in elements of nested collections too, each computed block type that is null becomes
// unknown, and each write-only attribute becomes null
// (docs/semantics.md#plans-without-opinions). AssertPlanValid accepts it, if the
// configuration has empty collections, not null, where there are no blocks.
//
// The proposed value must conform to the schema. Null and unknown values are returned as
// they are, and marks stay where they are. The error is an [*InputError].
func PlanComputed(schema *Schema, proposed cty.Value) (planned cty.Value, err error) {
	defer rescueError(&planned, &err)
	w := rewriter{
		replace: func(n *node, v cty.Value) (cty.Value, bool) {
			switch {
			case n.writeOnly:
				return cty.NullVal(v.Type()), !v.IsNull()
			case n.computed && v.IsNull():
				return cty.UnknownVal(v.Type()), true
			}
			return v, false
		},
		unknown: unknownParts,
	}
	return w.rewrite(schema, argument{name: "proposed", value: proposed})
}

// unknownParts makes of an unknown element an object of unknown parts, with null where
// they are write-only. A block must not be planned unknown as a whole. An element of a
// nested attribute may be, if nothing in it is write-only.
func unknownParts(n *node, v cty.Value) (cty.Value, bool) {
	if !n.block && !n.writeInside {
		return v, false
	}
	ty := v.Type()
	if !ty.IsObjectType() { // in a tuple, an element may have no type
		ty = n.object
	}
	parts := make([]cty.Value, len(n.children))
	for i, child := range n.children {
		part := ty.AttributeType(child.name)
		if parts[i] = cty.UnknownVal(part); child.writeOnly {
			parts[i] = cty.NullVal(part)
		}
	}
	return n.objectOf(parts), true
}

// PrepareComputedBlocks returns the configuration as a provider with computed blocks
// gets it: each computed block type of list, set or map nesting that is known and empty
// is null, at every depth, in elements of sets too
// (docs/semantics.md#computed-blocks). All else stays, marks too.
//
// The configuration must conform to the schema. Null and unknown values are returned as
// they are. The error is an [*InputError].
func PrepareComputedBlocks(schema *Schema, config cty.Value) (prepared cty.Value, err error) {
	defer rescueError(&prepared, &err)
	w := rewriter{
		skip: func(n *node) bool { return !n.block || !n.computed && !n.computedBlocks },
		replace: func(n *node, v cty.Value) (cty.Value, bool) {
			switch {
			case !n.computed || n.single() || !v.IsKnown() || v.IsNull() || open(v).n > 0:
				return v, false
			case !v.Type().IsCollectionType():
				return absent, true
			}
			return cty.NullVal(v.Type()), true
		},
	}
	return w.rewrite(schema, argument{name: "config", value: config})
}

// IgnoreAllChanges returns the configuration that changes nothing, as Terraform makes it
// for ignore_changes = all (docs/semantics.md#ignored-changes): the prior value with
// each read-only attribute null, at every depth.
//
// The prior value must conform to the schema. Null and unknown values are returned as
// they are, the zero cty.Value means null, and marks stay where they are. The error is an
// [*InputError].
func IgnoreAllChanges(schema *Schema, prior cty.Value) (ignored cty.Value, err error) {
	defer rescueError(&ignored, &err)
	w := rewriter{
		replace: func(n *node, v cty.Value) (cty.Value, bool) {
			return cty.NullVal(v.Type()), n.readOnly() && !v.IsNull()
		},
	}
	return w.rewrite(schema, argument{name: "prior", value: prior, nilIsNull: true})
}

// NormalizeLegacySDK returns what a provider built with the legacy SDK meant with a value
// (docs/semantics.md#legacy-values), since that SDK cannot distinguish null blocks from
// empty ones: null list and set blocks become empty, null group blocks their empty
// value, and unknown blocks one block of unknown values. Attributes, map blocks and
// blocks with dynamic types inside stay as they are, and all marks do.
//
// The value must conform to the schema. Null and the zero cty.Value give null, and an
// unknown value gives an object of unknown values. The error is an [*InputError].
func NormalizeLegacySDK(schema *Schema, value cty.Value) (normal cty.Value, err error) {
	defer rescueError(&normal, &err)
	w := rewriter{
		skip: func(n *node) bool { return !n.block || n.keyed() || n.dynamic },
		replace: func(n *node, v cty.Value) (cty.Value, bool) {
			switch {
			case !v.IsKnown():
				return n.unknownBlock(), true
			case n.shouldBeEmpty(v):
				return n.emptyAll(), true
			}
			return v, false
		},
		unknown:     func(n *node, _ cty.Value) (cty.Value, bool) { return n.unknownObject(), true },
		unknownRoot: true,
	}
	return w.rewrite(schema, argument{name: "legacy", value: value, nilIsNull: true})
}

// unknownBlock returns one block of unknown values, or no block for a map.
func (n *node) unknownBlock() cty.Value {
	switch {
	case n.keyed():
		return n.emptyAll()
	case n.single():
		return n.unknownObject()
	case n.set():
		return cty.SetVal([]cty.Value{n.unknownObject()})
	case n.dynamic:
		return cty.TupleVal([]cty.Value{n.unknownObject()})
	}
	return cty.ListVal([]cty.Value{n.unknownObject()})
}

// unknownObject returns an object whose attributes are all unknown, with one block of
// each type.
func (n *node) unknownObject() cty.Value {
	parts := make([]cty.Value, len(n.children))
	for i, child := range n.children {
		if parts[i] = cty.UnknownVal(child.ty); child.block {
			parts[i] = child.unknownBlock()
		}
	}
	return n.objectOf(parts)
}

// PartialState returns the state to keep when an apply failed
// (docs/semantics.md#partial-state), and whether to mark the object as tainted, which it
// is when it was being created (a null state leaves nothing to taint). PartialState keeps
// what the provider returned, with null for each unknown value. It keeps the prior value
// as it was if what the provider returned does not conform to the schema or contains a
// write-only value, and if the provider returned nothing, or null though it was not to
// delete the object. If the provider returned nothing for a delete, the state is null.
//
// Prior and planned value must conform to the schema, and the prior value must not be
// unknown as a whole. The zero cty.Value means null as the prior value. As the returned
// value it means that the provider returned nothing, and so does a value that is unknown
// as a whole. Marks are kept. The error is an [*InputError].
func PartialState(schema *Schema, prior, planned, returned cty.Value) (state cty.Value, tainted bool, err error) {
	defer rescueError(&state, &err)
	var r review
	p, n := argument{name: "prior", value: prior, mustKnow: true, nilIsNull: true}, argument{name: "planned", value: planned}
	if !r.admit(schema, &p, &n) {
		return cty.NilVal, false, r.err()
	}
	deleting := n.value.IsNull()
	tainted = p.value.IsNull() && !deleting
	if returned == cty.NilVal {
		returned = absent
	}
	nothing := returned.IsNull() || !returned.IsKnown()
	if nothing && !deleting || !keepable(schema, returned) {
		return values.WithMarksOf(p.value, prior), tainted, nil
	}
	w := rewriter{replace: knownPart, unknown: knownObject, unknownRoot: true}
	state, err = w.rewrite(schema, argument{name: "returned", value: returned})
	return state, tainted, err
}

// keepable reports whether Terraform would keep what a failed apply returned.
func keepable(schema *Schema, returned cty.Value) bool {
	r := reviewState(schema, returned)
	for i := range r.faults {
		if f := &r.faults[i]; f.enforced() && f.rule != RuleStateUnknown {
			return false
		}
	}
	return true
}

// knownPart makes null what is unknown.
func knownPart(n *node, v cty.Value) (cty.Value, bool) {
	switch {
	case !v.IsKnown():
		return cty.NullVal(v.Type()), true
	case !n.nested() && !v.IsWhollyKnown():
		return cty.UnknownAsNull(v), true
	}
	return v, false
}

func knownObject(_ *node, v cty.Value) (cty.Value, bool) { return cty.NullVal(v.Type()), true }
