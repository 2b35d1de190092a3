package values

import (
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// TypeName returns the name of a type. For deeply nested collections, it only names the outer ones.
func TypeName(ty cty.Type) string {
	var outer strings.Builder
	for range 4 {
		switch {
		case ty.IsListType():
			outer.WriteString("list of ")
		case ty.IsSetType():
			outer.WriteString("set of ")
		case ty.IsMapType():
			outer.WriteString("map of ")
		default:
			return outer.String() + ty.FriendlyName()
		}
		ty = ty.ElementType()
	}
	if ty.IsCollectionType() {
		return outer.String() + "…"
	}
	return outer.String() + ty.FriendlyName()
}
