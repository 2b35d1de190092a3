package values

import "github.com/zclconf/go-cty/cty"

// Empty returns the empty list, set or map of the type.
func Empty(collection cty.Type) cty.Value {
	switch element := collection.ElementType(); {
	case collection.IsListType():
		return cty.ListValEmpty(element)
	case collection.IsSetType():
		return cty.SetValEmpty(element)
	default:
		return cty.MapValEmpty(element)
	}
}

// OfElements returns a list, a set or a tuple. ty says which, and has the type of the elements of an
// empty list or set. If mixed is true, the elements may be of several types. OfElements then returns
// false if one list or set cannot contain them. Otherwise, only a tuple may have elements of several
// types.
func OfElements(ty cty.Type, elems []cty.Value, mixed bool) (v cty.Value, ok bool) {
	switch {
	case ty.IsTupleType():
		return cty.TupleVal(elems), true
	case len(elems) == 0:
		return Empty(ty), true
	case mixed && !cty.CanListVal(elems):
		return cty.NilVal, false
	case ty.IsSetType():
		return cty.SetVal(elems), true
	}
	return cty.ListVal(elems), true
}

// OfNames is like OfElements for the elements of a map or the attributes of an object.
func OfNames(ty cty.Type, parts map[string]cty.Value, mixed bool) (v cty.Value, ok bool) {
	switch {
	case ty.IsObjectType():
		return cty.ObjectVal(parts), true
	case len(parts) == 0:
		return Empty(ty), true
	case mixed && !cty.CanMapVal(parts):
		return cty.NilVal, false
	}
	return cty.MapVal(parts), true
}
