package objchange

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/values"
)

// PlanComputed returns the plan of a provider that makes no decisions
// (docs/specification.md#52-a-plan-without-provider-logic). It is the proposed new state with these
// changes, at every depth, also in elements of nested collections:
//
//   - Each computed attribute that is null becomes unknown.
//   - Each computed block type that is null becomes unknown.
//   - Each write-only attribute becomes null.
//
// [AssertPlanValid] accepts the plan, provided that the configuration has empty collections,
// not null, for absent blocks.
//
// The error is an [*InputError].
//
// The proposed value must conform to the schema. A null or unknown value is returned unchanged.
// Marks are kept.
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
		unknown: plannedUnknown,
	}
	return w.rewrite(schema, argument{name: "proposed", value: proposed})
}

// plannedUnknown replaces an unknown element with an object of unknown parts, in which write-only
// attributes are null. A plan must not contain a block that is unknown as a whole. It may contain
// an unknown element of a nested attribute if nothing in the element is write-only.
func plannedUnknown(n *node, v cty.Value) (cty.Value, bool) {
	if !n.block && !n.writeInside {
		return v, false
	}
	ty := v.Type()
	if !ty.IsObjectType() { // an element of a tuple may be untyped
		ty = n.object
	}
	parts := make([]cty.Value, len(n.children))
	for i, child := range n.children {
		part := ty.AttributeType(child.name)
		parts[i] = cty.UnknownVal(part)
		if child.writeOnly {
			parts[i] = cty.NullVal(part)
		}
	}
	return n.objectOf(parts), true
}

// PrepareComputedBlocks returns the configuration in the form in which a provider with computed
// blocks receives it (docs/specification.md#61-computed-blocks). Each computed block type with list,
// set or map nesting that is known and empty becomes null, at every depth, also in elements of
// sets. Nothing else changes, and marks are kept.
//
// The error is an [*InputError].
//
// The configuration must conform to the schema. A null or unknown configuration is returned
// unchanged.
func PrepareComputedBlocks(schema *Schema, config cty.Value) (prepared cty.Value, err error) {
	defer rescueError(&prepared, &err)
	w := rewriter{
		skip: func(n *node) bool { return !n.block || !n.computed && !n.computedBlocks },
		replace: func(n *node, v cty.Value) (cty.Value, bool) {
			switch {
			case !n.computed || n.single() || !v.IsKnown() || v.IsNull() || open(v).n > 0:
				return v, false
			case !v.Type().IsCollectionType():
				return absentValue, true
			}
			return cty.NullVal(v.Type()), true
		},
	}
	return w.rewrite(schema, argument{name: "config", value: config})
}

// IgnoreAllChanges returns the configuration that changes nothing, as Terraform makes it for
// ignore_changes = all (docs/specification.md#63-ignored-changes). It is the prior value, in which
// each read-only attribute is null, at every depth.
//
// The error is an [*InputError].
//
// The prior value must conform to the schema. A null or unknown value is returned unchanged,
// and the zero cty.Value means null. Marks are kept.
func IgnoreAllChanges(schema *Schema, prior cty.Value) (ignored cty.Value, err error) {
	defer rescueError(&ignored, &err)
	w := rewriter{
		replace: func(n *node, v cty.Value) (cty.Value, bool) {
			return cty.NullVal(v.Type()), n.readOnly() && !v.IsNull()
		},
	}
	return w.rewrite(schema, argument{name: "prior", value: prior, nilIsNull: true})
}

// NormalizeLegacySDK returns the value of a provider with the legacy SDK, with null and unknown
// blocks replaced (docs/specification.md#62-values-from-the-legacy-sdk). That SDK does not
// distinguish null blocks from empty blocks. Null list and set blocks become empty collections,
// a null group block becomes its empty value, and unknown blocks become one block of unknown
// values. Attributes, map blocks and blocks that contain dynamic types do not change, also in an
// unknown element of a list or set.
//
// The error is an [*InputError].
//
// The value must conform to the schema. The result is null for null and for the zero cty.Value,
// and an object of unknown values for an unknown value. Marks are kept.
func NormalizeLegacySDK(schema *Schema, value cty.Value) (normal cty.Value, err error) {
	defer rescueError(&normal, &err)
	var w rewriter
	w = rewriter{
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
		unknown: func(n *node, _ cty.Value) (cty.Value, bool) {
			if n == schema.root {
				return n.unknownObject(), true
			}
			element, _ := w.object(n, n.unknownParts())
			return element, true
		},
		unknownRoot: true,
	}
	return w.rewrite(schema, argument{name: "legacy", value: value, nilIsNull: true})
}

// unknownBlock returns one block of unknown values. For map nesting it returns no blocks.
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

// unknownObject returns an object in which all attributes are unknown, with one block of each
// block type.
func (n *node) unknownObject() cty.Value {
	parts := make([]cty.Value, len(n.children))
	for i, child := range n.children {
		parts[i] = cty.UnknownVal(child.ty)
		if child.block {
			parts[i] = child.unknownBlock()
		}
	}
	return n.objectOf(parts)
}

// unknownParts returns an object with an unknown value for each attribute and block type.
func (n *node) unknownParts() cty.Value {
	parts := make([]cty.Value, len(n.children))
	for i, child := range n.children {
		parts[i] = cty.UnknownVal(child.ty)
	}
	return n.objectOf(parts)
}

// PartialState returns the state to keep after a failed apply
// (docs/specification.md#134-partial-state), and whether to mark the object as tainted. The object
// is tainted if the apply was to create it. If the state is null, there is no object to taint.
//
// The state is the value that the provider returned, with null for each unknown value.
// PartialState keeps the prior value instead, unchanged, if the returned value does not conform
// to the schema or contains a write-only value. It also keeps the prior value if the provider
// returned nothing or null, unless the apply was to delete the object: then the state is null.
//
// The error is an [*InputError].
//
// The prior and the planned value must conform to the schema, and the prior value must not be
// unknown as a whole. As the prior value, the zero cty.Value means null. As the returned value,
// the zero cty.Value or a value that is unknown as a whole means that the provider returned
// nothing. Marks are kept.
func PartialState(schema *Schema, prior, planned, returned cty.Value) (state cty.Value, tainted bool, err error) {
	defer rescueError(&state, &err)
	var r review
	p := argument{name: "prior", value: prior, mustKnow: true, nilIsNull: true}
	n := argument{name: "planned", value: planned}
	if !r.admit(schema, &p, &n) {
		return cty.NilVal, false, r.err()
	}
	deleting := n.value.IsNull()
	tainted = p.value.IsNull() && !deleting
	if returned == cty.NilVal {
		returned = absentValue
	}
	nothing := returned.IsNull() || !returned.IsKnown()
	if nothing && !deleting || !keepable(schema, returned) {
		return values.WithMarksOf(p.value, prior), tainted, nil
	}
	w := rewriter{replace: knownPart, unknown: knownObject, unknownRoot: true}
	state, err = w.rewrite(schema, argument{name: "returned", value: returned})
	return state, tainted, err
}

// keepable reports whether Terraform keeps the value that a failed apply returned.
func keepable(schema *Schema, returned cty.Value) bool {
	r := reviewState(schema, returned)
	for i := range r.faults {
		if f := &r.faults[i]; f.severity() == Rejected && f.rule != RuleStateUnknown {
			return false
		}
	}
	return true
}

// knownPart replaces unknown values with null.
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
