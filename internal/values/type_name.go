package values

import "github.com/zclconf/go-cty/cty"

// TypeName returns the name of a type. For deeply nested collections, it only names the outer ones.
func TypeName(ty cty.Type) string { return typeName(ty, "", "", 4) }

// Noun returns the name of a value of the type, with its article: "an object", "a list of strings".
func Noun(ty cty.Type) string {
	if ty.IsObjectType() {
		return "an object"
	}
	return "a " + typeName(ty, "", "s", 4)
}

// typeName returns the name of a type with this ending. The names of types in collections have the
// other ending.
func typeName(ty cty.Type, ending, inside string, levels int) string {
	collection := "map"
	switch {
	case ty == cty.DynamicPseudoType:
		return ty.FriendlyName()
	case !ty.IsCollectionType():
		return ty.FriendlyName() + ending
	case levels == 0:
		return "…"
	case ty.IsListType():
		collection = "list"
	case ty.IsSetType():
		collection = "set"
	}
	return collection + ending + " of " + typeName(ty.ElementType(), inside, inside, levels-1)
}
