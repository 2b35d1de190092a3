package carry

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// A typ has the methods that types of cty and of the SDK's cty have.
type typ[T any] interface {
	comparable
	FriendlyName() string
	IsListType() bool
	IsSetType() bool
	IsMapType() bool
	IsTupleType() bool
	IsObjectType() bool
	ElementType() T
	TupleElementTypes() []T
	AttributeTypes() map[string]T
}

// A Maker makes types of one package from types of another.
type Maker[From comparable, To any] struct {
	Plain          map[From]To // the types without parts
	List, Set, Map func(To) To
	Tuple          func([]To) To
	Object         func(from From, attrs map[string]To) To
}

// Type converts a type of one package to a type of the other. It returns an error with the path for
// the zero type, a type that is not in the maker, such as a capsule type, and too deep nesting.
func Type[From typ[From], To any](ty From, make Maker[From, To]) (To, error) {
	return convertType(ty, make, 0)
}

func convertType[From typ[From], To any](ty From, make Maker[From, To], depth int) (to To, err error) {
	var zero From
	convert := func(part From, format string, args ...any) (To, error) {
		converted, err := convertType(part, make, depth+1)
		if err != nil {
			return to, fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err)
		}
		return converted, nil
	}
	switch {
	case depth > MaxDepth:
		return to, ErrDepth
	case ty == zero:
		return to, errors.New("the type is the zero cty.Type")
	case ty.IsListType():
		elem, err := convert(ty.ElementType(), "list element")
		return make.List(elem), err
	case ty.IsSetType():
		elem, err := convert(ty.ElementType(), "set element")
		return make.Set(elem), err
	case ty.IsMapType():
		elem, err := convert(ty.ElementType(), "map element")
		return make.Map(elem), err
	case ty.IsTupleType():
		elems := []To{}
		for i, part := range ty.TupleElementTypes() {
			elem, err := convert(part, "tuple element %d", i)
			if err != nil {
				return to, err
			}
			elems = append(elems, elem)
		}
		return make.Tuple(elems), nil
	case ty.IsObjectType():
		attrs := map[string]To{}
		for _, name := range slices.Sorted(maps.Keys(ty.AttributeTypes())) {
			attr, err := convert(ty.AttributeTypes()[name], "attribute %q", name)
			if err != nil {
				return to, err
			}
			attrs[name] = attr
		}
		return make.Object(ty, attrs), nil
	}
	to, ok := make.Plain[ty]
	if !ok {
		return to, fmt.Errorf("the protocol does not support the type %s", ty.FriendlyName())
	}
	return to, nil
}
