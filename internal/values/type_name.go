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

// Noun returns the name of a value of the type, with its article: "an object", "a list of strings".
func Noun(ty cty.Type) string {
	if ty.IsObjectType() {
		return "an object"
	}
	outer, elements, isCollection := strings.Cut(TypeName(ty), " of ")
	if !isCollection {
		return "a " + outer
	}
	noun := "a " + outer + " of " + strings.ReplaceAll(elements, " of ", "s of ")
	if strings.HasSuffix(noun, "dynamic") || strings.HasSuffix(noun, "…") {
		return noun
	}
	return noun + "s"
}
