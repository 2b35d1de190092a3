package sdkv2

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	hcty "github.com/hashicorp/go-cty/cty"
	"github.com/objchange/objchange/tfconv/internal/carry"
	"github.com/zclconf/go-cty/cty"
)

// TypeToCty converts a type of the SDK's cty to a type of cty.
//
// It returns an error with the path for the zero Type, capsule types, and nesting deeper than 500
// levels. The cost is proportional to the size of the type.
func TypeToCty(ty hcty.Type) (cty.Type, error) {
	return convertType(ty, plainTo, maker[cty.Type]{cty.List, cty.Set, cty.Map, cty.Tuple, cty.Object}, 0)
}

// TypeFromCty converts a type of cty to a type of the SDK's cty. Optional attributes become
// ordinary attributes, because the SDK's cty has no optional attributes. It returns the errors of
// [TypeToCty].
func TypeFromCty(ty cty.Type) (hcty.Type, error) {
	return convertType(ty, plainFrom, maker[hcty.Type]{hcty.List, hcty.Set, hcty.Map, hcty.Tuple, hcty.Object}, 0)
}

// The types without parts.
var (
	plainTo = map[hcty.Type]cty.Type{
		hcty.String: cty.String, hcty.Number: cty.Number, hcty.Bool: cty.Bool, hcty.DynamicPseudoType: cty.DynamicPseudoType,
	}
	plainFrom = map[cty.Type]hcty.Type{
		cty.String: hcty.String, cty.Number: hcty.Number, cty.Bool: hcty.Bool, cty.DynamicPseudoType: hcty.DynamicPseudoType,
	}
)

// A typ has the methods of types that both packages have.
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

// A maker has the functions of a package that make types.
type maker[T any] struct {
	list, set, mapping func(T) T
	tuple              func([]T) T
	object             func(map[string]T) T
}

// convertType converts a type of one package to a type of the other. The types without parts are in
// the map.
func convertType[From typ[From], To any](ty From, plain map[From]To, make maker[To], depth int) (to To, err error) {
	var zero From
	convert := func(part From, format string, args ...any) (To, error) {
		converted, err := convertType(part, plain, make, depth+1)
		if err != nil {
			return to, fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err)
		}
		return converted, nil
	}
	switch {
	case depth > carry.MaxDepth:
		return to, carry.ErrDepth
	case ty == zero:
		return to, errors.New("the type is the zero cty.Type")
	case ty.IsListType():
		elem, err := convert(ty.ElementType(), "list element")
		return make.list(elem), err
	case ty.IsSetType():
		elem, err := convert(ty.ElementType(), "set element")
		return make.set(elem), err
	case ty.IsMapType():
		elem, err := convert(ty.ElementType(), "map element")
		return make.mapping(elem), err
	case ty.IsTupleType():
		elems := []To{}
		for i, part := range ty.TupleElementTypes() {
			elem, err := convert(part, "tuple element %d", i)
			if err != nil {
				return to, err
			}
			elems = append(elems, elem)
		}
		return make.tuple(elems), nil
	case ty.IsObjectType():
		attrs := map[string]To{}
		for _, name := range slices.Sorted(maps.Keys(ty.AttributeTypes())) {
			attr, err := convert(ty.AttributeTypes()[name], "attribute %q", name)
			if err != nil {
				return to, err
			}
			attrs[name] = attr
		}
		return make.object(attrs), nil
	}
	to, ok := plain[ty]
	if !ok {
		return to, fmt.Errorf("the type %s cannot be converted", ty.FriendlyName())
	}
	return to, nil
}
