package objchange

import (
	"github.com/objchange/objchange/configschema"
	"github.com/zclconf/go-cty/cty"
)

// PlanComputed returns the plan of a provider without opinions: the proposed new
// state, with each computed attribute that is null made unknown at every depth,
// elements of nested collections included, each computed block type that is null
// made unknown, and each write-only attribute made null
// (docs/semantics.md#plans-without-opinions). AssertPlanValid has nothing
// against it, if the configuration had empty collections, not null, where there
// are no blocks.
//
// The proposed value must conform to the schema; null and unknown stay what
// they are, and marks stay where they are. The error is an
// [*InputError].
func PlanComputed(schema *Schema, proposed cty.Value) (planned cty.Value, err error) {
	defer rescueValue(&planned, &err)
	w := rewriter{
		attribute: func(a *configschema.Attribute, v cty.Value) (cty.Value, bool) {
			switch {
			case a.WriteOnly:
				return cty.NullVal(v.Type()), !v.IsNull()
			case a.Computed && v.IsNull():
				return cty.UnknownVal(v.Type()), true
			}
			return v, false
		},
		blocks: func(nb *configschema.NestedBlock, v cty.Value) (cty.Value, bool) {
			if nb.Computed && v.IsNull() {
				return cty.UnknownVal(v.Type()), true
			}
			return v, false
		},
	}
	w.unknown = w.unknownParts
	return w.rewrite(schema, "proposed", proposed)
}

// unknownParts makes of an unknown element an object of unknown parts, with null
// where they are write-only. A block must not be planned unknown as a whole; an
// element of a nested attribute may be, if nothing in it is write-only.
func (w *rewriter) unknownParts(n nest, v cty.Value) (cty.Value, bool) {
	if !n.block && !w.schema.holds(n.fields).writeOnly {
		return v, false
	}
	ty := v.Type()
	if !ty.IsObjectType() { // in a tuple, an element may have no type
		ty = n.fields.impliedType()
	}
	parts := make(map[string]cty.Value, len(n.attrs)+len(n.blocks))
	for name, part := range ty.AttributeTypes() {
		parts[name] = cty.UnknownVal(part)
		if a := n.attrs[name]; a != nil && a.WriteOnly {
			parts[name] = cty.NullVal(part)
		}
	}
	return cty.ObjectVal(parts), true
}

// PrepareComputedBlocks returns the configuration as a provider with computed
// blocks gets to see it: each computed block type of list, set or map nesting
// that is known and empty is null, at every depth, elements of sets included
// (docs/semantics.md#computed-blocks). Everything else stays, marks too.
//
// The configuration must conform to the schema; null and unknown stay what they
// are. The error is an [*InputError].
func PrepareComputedBlocks(schema *Schema, config cty.Value) (prepared cty.Value, err error) {
	defer rescueValue(&prepared, &err)
	w := rewriter{
		blocks: func(nb *configschema.NestedBlock, v cty.Value) (cty.Value, bool) {
			n := blockNest(nb)
			if !nb.Computed || n.mode.Single() || !v.IsKnown() || v.IsNull() || n.open(v).n > 0 {
				return v, false
			}
			if !v.Type().IsCollectionType() {
				return absent, true
			}
			return cty.NullVal(v.Type()), true
		},
	}
	return w.rewrite(schema, "config", config)
}
