package tfconv

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/objchange/objchange/tfconv/internal/carry"
	"github.com/zclconf/go-cty/cty"
)

// TypeToCty returns the type as a cty.Type. Optional attributes stay optional. Names are converted
// to Unicode NFC, because cty requires it.
//
// It returns an error with the path for a nil type, a nil part of a type, two names that are equal
// in NFC, an optional attribute that does not exist, and nesting deeper than 500 levels.
func TypeToCty(ty tftypes.Type) (cty.Type, error) { return typeToCty(ty, 0) }

func typeToCty(ty tftypes.Type, depth int) (cty.Type, error) {
	if depth > carry.MaxDepth {
		return cty.NilType, carry.ErrDepth
	}
	switch ty := ty.(type) {
	case nil:
		return cty.NilType, errors.New("the type is nil")
	case tftypes.List:
		return elementToCty(cty.List, "list", ty.ElementType, depth)
	case tftypes.Set:
		return elementToCty(cty.Set, "set", ty.ElementType, depth)
	case tftypes.Map:
		return elementToCty(cty.Map, "map", ty.ElementType, depth)
	case tftypes.Tuple:
		types := make([]cty.Type, len(ty.ElementTypes))
		for i, elem := range ty.ElementTypes {
			var err error
			if types[i], err = typeToCty(elem, depth+1); err != nil {
				return cty.NilType, fmt.Errorf("tuple element %d: %w", i, err)
			}
		}
		return cty.Tuple(types), nil
	case tftypes.Object:
		return objectTypeToCty(ty, depth)
	}
	switch {
	case tftypes.String.Is(ty):
		return cty.String, nil
	case tftypes.Number.Is(ty):
		return cty.Number, nil
	case tftypes.Bool.Is(ty):
		return cty.Bool, nil
	case tftypes.DynamicPseudoType.Is(ty):
		return cty.DynamicPseudoType, nil
	}
	return cty.NilType, errors.New("the type is not supported")
}

func elementToCty(of func(cty.Type) cty.Type, kind string, elem tftypes.Type, depth int) (cty.Type, error) {
	ty, err := typeToCty(elem, depth+1)
	if err != nil {
		return cty.NilType, fmt.Errorf("%s element: %w", kind, err)
	}
	return of(ty), nil
}

func objectTypeToCty(ty tftypes.Object, depth int) (cty.Type, error) {
	types := make(map[string]cty.Type, len(ty.AttributeTypes))
	for _, key := range slices.Sorted(maps.Keys(ty.AttributeTypes)) {
		name := cty.NormalizeString(key)
		if _, twice := types[name]; twice {
			return cty.NilType, fmt.Errorf("attribute %q: the same name as another in Unicode NFC", key)
		}
		attr, err := typeToCty(ty.AttributeTypes[key], depth+1)
		if err != nil {
			return cty.NilType, fmt.Errorf("attribute %q: %w", key, err)
		}
		types[name] = attr
	}
	var optional []string
	for _, key := range slices.Sorted(maps.Keys(ty.OptionalAttributes)) {
		name := cty.NormalizeString(key)
		if _, ok := types[name]; !ok {
			return cty.NilType, fmt.Errorf("attribute %q: optional, but there is no such attribute", key)
		}
		optional = append(optional, name)
	}
	return cty.ObjectWithOptionalAttrs(types, optional), nil
}

// TypeFromCty returns the type as a tftypes.Type. Optional attributes stay optional.
//
// It returns an error with the path for the zero cty.Type, a capsule type, and nesting deeper than
// 500 levels.
func TypeFromCty(ty cty.Type) (tftypes.Type, error) { return carry.Type(ty, fromCtyType) }

var fromCtyType = carry.Maker[cty.Type, tftypes.Type]{
	Plain: map[cty.Type]tftypes.Type{
		cty.String: tftypes.String, cty.Number: tftypes.Number, cty.Bool: tftypes.Bool,
		cty.DynamicPseudoType: tftypes.DynamicPseudoType,
	},
	List:  func(elem tftypes.Type) tftypes.Type { return tftypes.List{ElementType: elem} },
	Set:   func(elem tftypes.Type) tftypes.Type { return tftypes.Set{ElementType: elem} },
	Map:   func(elem tftypes.Type) tftypes.Type { return tftypes.Map{ElementType: elem} },
	Tuple: func(elems []tftypes.Type) tftypes.Type { return tftypes.Tuple{ElementTypes: elems} },
	Object: func(from cty.Type, attrs map[string]tftypes.Type) tftypes.Type {
		return tftypes.Object{AttributeTypes: attrs, OptionalAttributes: maps.Clone(from.OptionalAttributes())}
	},
}
