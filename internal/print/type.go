package print

import (
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
)

// NullName describes a null by its type.
func NullName(ty cty.Type) string {
	if ty == cty.DynamicPseudoType {
		return "a null without a type"
	}
	return "a null of type " + values.TypeName(ty)
}

// TypesApart returns the first place where the types of two values are not alike, and the names of
// both types there. It omits the place if neither value has content there. All elements of a
// collection have one type, so the type of a null or unknown element can contain names from a
// secret element.
func TypesApart(a, b cty.Value, alike func(a, b cty.Type) bool) (way []paths.Step, x, y string) {
	way, x, y = typesApart(a.Type(), b.Type(), alike)
	if shows(a, way) || shows(b, way) {
		return way, x, y
	}
	return nil, values.TypeName(a.Type()), values.TypeName(b.Type())
}

// shows reports whether a value has the parts along a path. The last part may be null or unknown.
// The path has no steps for the elements of a collection.
func shows(v cty.Value, way []paths.Step) bool {
	switch {
	case len(way) == 0:
		return true
	case v.IsMarked() || !v.IsKnown() || v.IsNull():
		return false
	case v.Type().IsCollectionType():
		for _, elem := range v.Elements() {
			if shows(elem, way) {
				return true
			}
		}
		return false
	}
	part, ok := way[0].Into(v)
	return ok && shows(part, way[1:])
}

// typesApart returns the first place where two types are not alike, and the names of both types
// there. The path has no steps for the elements of a collection.
func typesApart(a, b cty.Type, alike func(a, b cty.Type) bool) (way []paths.Step, x, y string) {
	for range maxDepth {
		switch {
		case a.IsObjectType() && b.IsObjectType():
			name, inA, inB := differingAttribute(a, b, alike)
			if name == "" {
				return way, values.TypeName(a), values.TypeName(b)
			}
			way = append(way, paths.Step{Name: name})
			if !inA || !inB {
				return way, partName(a, name), partName(b, name)
			}
			a, b = a.AttributeType(name), b.AttributeType(name)
		case a.IsTupleType() && b.IsTupleType() && a.Length() == b.Length():
			i := differingElement(a, b, alike)
			if i < 0 {
				return way, values.TypeName(a), values.TypeName(b)
			}
			way = append(way, paths.Step{Kind: paths.ByIndex, Pos: i})
			a, b = a.TupleElementType(i), b.TupleElementType(i)
		case a.IsTupleType() && b.IsTupleType():
			return way, "tuple with " + Plural(a.Length(), "element"), "tuple with " + Plural(b.Length(), "element")
		case a.IsListType() && b.IsListType(), a.IsSetType() && b.IsSetType(), a.IsMapType() && b.IsMapType():
			a, b = a.ElementType(), b.ElementType()
		default:
			return way, values.TypeName(a), values.TypeName(b)
		}
	}
	return way, values.TypeName(a), values.TypeName(b)
}

// differingAttribute returns the first attribute, in order, that is not alike in two object types,
// or "".
func differingAttribute(a, b cty.Type, alike func(a, b cty.Type) bool) (name string, inA, inB bool) {
	all := slices.Concat(names(a), names(b))
	slices.Sort(all)
	for _, name := range all {
		inA, inB = a.HasAttribute(name), b.HasAttribute(name)
		if !inA || !inB || !alike(a.AttributeType(name), b.AttributeType(name)) {
			return name, inA, inB
		}
	}
	return "", true, true
}

func partName(ty cty.Type, name string) string {
	if ty.HasAttribute(name) {
		return values.TypeName(ty.AttributeType(name))
	}
	return Nothing
}

// names returns the names of an object type's attributes, in order.
func names(ty cty.Type) []string { return slices.Sorted(maps.Keys(ty.AttributeTypes())) }

// differingElement returns the index of the first element that differs between two tuple types of
// the same length, or -1.
func differingElement(a, b cty.Type, alike func(a, b cty.Type) bool) int {
	for i := range a.Length() {
		if !alike(a.TupleElementType(i), b.TupleElementType(i)) {
			return i
		}
	}
	return -1
}
