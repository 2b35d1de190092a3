package values

import (
	"math"
	"slices"

	"github.com/zclconf/go-cty/cty"
)

// TypeConforms reports whether a type conforms to the wanted type. Dynamic parts of the wanted type
// match any usable type. It is equivalent to TestConformance of cty, in one traversal.
func TypeConforms(given, want cty.Type) bool {
	if want.IsPrimitiveType() {
		return given == want
	}
	return TypeUsable(given) && usableConforms(given, want)
}

func usableConforms(given, want cty.Type) bool {
	switch {
	case want == cty.DynamicPseudoType:
		return true
	case want.IsObjectType() && given.IsObjectType():
		return objectConforms(given, want)
	case want.IsTupleType() && given.IsTupleType():
		return slices.EqualFunc(given.TupleElementTypes(), want.TupleElementTypes(), usableConforms)
	case want.IsListType() && given.IsListType(), want.IsMapType() && given.IsMapType(),
		want.IsSetType() && given.IsSetType():
		return usableConforms(given.ElementType(), want.ElementType())
	}
	return given.Equals(want)
}

func objectConforms(given, want cty.Type) bool {
	types := given.AttributeTypes()
	if len(types) != len(want.AttributeTypes()) {
		return false
	}
	for name, ty := range want.AttributeTypes() {
		if part, ok := types[name]; !ok || !usableConforms(part, ty) {
			return false
		}
	}
	return true
}

// maxTypeDepth is the maximal depth of the type of a value. Traversing a deeper type could exhaust
// the stack.
const maxTypeDepth = 100_000

// TypeUsable reports whether the type is not too deep and does not contain the zero cty.Type, for
// which most functions of cty panic.
func TypeUsable(ty cty.Type) bool {
	c := TypeCheck{MaxDepth: maxTypeDepth, MaxParts: math.MaxInt}
	return c.Usable(ty) && !c.TooLarge
}

// A TypeCheck checks one or more types. Its limits bound the work for types that share parts.
type TypeCheck struct {
	MaxDepth, MaxParts int
	TooLarge           bool // a limit is exceeded
	parts              int
}

// Usable reports whether the type has no part that is the zero cty.Type. It stops at a limit.
func (c *TypeCheck) Usable(ty cty.Type) bool { return c.usable(ty, 0) }

func (c *TypeCheck) usable(ty cty.Type, depth int) bool {
	c.parts++
	c.TooLarge = c.TooLarge || c.parts > c.MaxParts || depth > c.MaxDepth
	switch {
	case c.TooLarge:
	case ty == cty.NilType:
		return false
	case ty.IsCollectionType():
		return c.usable(ty.ElementType(), depth+1)
	case ty.IsObjectType():
		for _, part := range ty.AttributeTypes() {
			if !c.usable(part, depth+1) {
				return false
			}
		}
	case ty.IsTupleType():
		for _, part := range ty.TupleElementTypes() {
			if !c.usable(part, depth+1) {
				return false
			}
		}
	}
	return true
}
