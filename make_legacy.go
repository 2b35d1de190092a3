package objchange

import (
	"github.com/objchange/objchange/configschema"
	"github.com/zclconf/go-cty/cty"
)

// NormalizeLegacySDK returns what a provider built with the legacy SDK meant
// with a value (docs/semantics.md#legacy-values), since that SDK cannot tell
// null blocks from empty ones: null list and set blocks become empty, null group
// blocks their empty value, and unknown blocks one block of unknown values.
// Attributes, map blocks and blocks with anything dynamic in them stay as they
// are, marks everywhere.
//
// The value must conform to the schema; null and the zero cty.Value give null,
// and unknown gives an object of unknown values. The error is an
// [*InputError].
func NormalizeLegacySDK(schema *Schema, value cty.Value) (normal cty.Value, err error) {
	defer rescueValue(&normal, &err)
	w := rewriter{maybe: true, unknownRoot: true, unknown: func(n nest, _ cty.Value) (cty.Value, bool) { return n.fields.stub(), true }}
	w.blocks = w.legacyBlocks
	return w.rewrite(schema, "legacy", value)
}

// legacyBlocks replaces what is not to be walked into.
func (w *rewriter) legacyBlocks(nb *configschema.NestedBlock, v cty.Value) (cty.Value, bool) {
	n := blockNest(nb)
	switch {
	case n.mode.Keyed() || w.schema.holds(n.fields).dynamic:
		return v, true
	case !v.IsKnown():
		return n.stub(), true
	case n.shouldBeEmpty(v):
		return n.emptyValue(), true
	}
	return v, false
}

// stub returns an object whose leaves are all unknown.
func (f fields) stub() cty.Value {
	return f.objectOf(func(a *configschema.Attribute) cty.Value { return cty.UnknownVal(impliedType(a)) }, nest.stub)
}
