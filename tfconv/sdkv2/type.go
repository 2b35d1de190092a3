package sdkv2

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	hcty "github.com/hashicorp/go-cty/cty"
	"github.com/zclconf/go-cty/cty"
)

// maxDepth is the maximal number of levels of types and values. Only malicious input is deeper.
const maxDepth = 500

var (
	errDepth = fmt.Errorf("nested deeper than %d levels", maxDepth)
	errType  = errors.New("the type is the zero cty.Type")
)

// TypeToCty converts a type of the SDK's cty to a type of cty.
//
// It returns an error with the path for the zero Type, capsule types, and nesting deeper than 500
// levels. The cost is proportional to the size of the type.
func TypeToCty(ty hcty.Type) (cty.Type, error) { return typeToCty(ty, 0) }

func typeToCty(ty hcty.Type, depth int) (cty.Type, error) {
	switch {
	case depth > maxDepth:
		return cty.NilType, errDepth
	case ty == hcty.NilType:
		return cty.NilType, errType
	case ty == hcty.String:
		return cty.String, nil
	case ty == hcty.Number:
		return cty.Number, nil
	case ty == hcty.Bool:
		return cty.Bool, nil
	case ty == hcty.DynamicPseudoType:
		return cty.DynamicPseudoType, nil
	case ty.IsObjectType():
		types, err := attributes(ty.AttributeTypes(), depth, typeToCty)
		return cty.Object(types), err
	case ty.IsTupleType():
		types, err := elements(ty.TupleElementTypes(), depth, typeToCty)
		return cty.Tuple(types), err
	case ty.IsListType():
		elem, err := element("list", ty.ElementType(), depth, typeToCty)
		return cty.List(elem), err
	case ty.IsSetType():
		elem, err := element("set", ty.ElementType(), depth, typeToCty)
		return cty.Set(elem), err
	case ty.IsMapType():
		elem, err := element("map", ty.ElementType(), depth, typeToCty)
		return cty.Map(elem), err
	}
	return cty.NilType, fmt.Errorf("the type %s cannot be converted", ty.FriendlyName())
}

// TypeFromCty converts a type of cty to a type of the SDK's cty. Optional attributes become
// ordinary attributes, because the SDK's cty has no optional attributes.
//
// It returns an error with the path for the zero Type, capsule types, and nesting deeper than 500
// levels. The cost is proportional to the size of the type.
func TypeFromCty(ty cty.Type) (hcty.Type, error) { return typeFromCty(ty, 0) }

func typeFromCty(ty cty.Type, depth int) (hcty.Type, error) {
	switch {
	case depth > maxDepth:
		return hcty.NilType, errDepth
	case ty == cty.NilType:
		return hcty.NilType, errType
	case ty == cty.String:
		return hcty.String, nil
	case ty == cty.Number:
		return hcty.Number, nil
	case ty == cty.Bool:
		return hcty.Bool, nil
	case ty == cty.DynamicPseudoType:
		return hcty.DynamicPseudoType, nil
	case ty.IsObjectType():
		types, err := attributes(ty.AttributeTypes(), depth, typeFromCty)
		return hcty.Object(types), err
	case ty.IsTupleType():
		types, err := elements(ty.TupleElementTypes(), depth, typeFromCty)
		return hcty.Tuple(types), err
	case ty.IsListType():
		elem, err := element("list", ty.ElementType(), depth, typeFromCty)
		return hcty.List(elem), err
	case ty.IsSetType():
		elem, err := element("set", ty.ElementType(), depth, typeFromCty)
		return hcty.Set(elem), err
	case ty.IsMapType():
		elem, err := element("map", ty.ElementType(), depth, typeFromCty)
		return hcty.Map(elem), err
	}
	return hcty.NilType, fmt.Errorf("the type %s cannot be converted", ty.FriendlyName())
}

func attributes[From, To any](types map[string]From, depth int, convert func(From, int) (To, error)) (map[string]To, error) {
	to := make(map[string]To, len(types))
	for _, name := range slices.Sorted(maps.Keys(types)) {
		attr, err := convert(types[name], depth+1)
		if err != nil {
			return nil, fmt.Errorf("attribute %q: %w", name, err)
		}
		to[name] = attr
	}
	return to, nil
}

func elements[From, To any](types []From, depth int, convert func(From, int) (To, error)) ([]To, error) {
	to := make([]To, len(types))
	for i, ty := range types {
		var err error
		if to[i], err = convert(ty, depth+1); err != nil {
			return nil, fmt.Errorf("tuple element %d: %w", i, err)
		}
	}
	return to, nil
}

func element[From, To any](kind string, ty From, depth int, convert func(From, int) (To, error)) (To, error) {
	to, err := convert(ty, depth+1)
	if err != nil {
		err = fmt.Errorf("%s element: %w", kind, err)
	}
	return to, err
}
