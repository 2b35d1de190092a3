package print

import (
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/values"
)

// NullName describes a null by its type.
func NullName(ty cty.Type) string {
	if ty == cty.DynamicPseudoType {
		return "a null without a type"
	}
	return "a null of type " + values.TypeName(ty)
}

// TypeOf describes the type of a value.
func TypeOf(v cty.Value) string {
	if v == cty.NilVal {
		return Nothing
	}
	return "type " + values.TypeName(v.Type())
}

// names returns the names of an object type's attributes, in order.
func names(ty cty.Type) []string { return slices.Sorted(maps.Keys(ty.AttributeTypes())) }
