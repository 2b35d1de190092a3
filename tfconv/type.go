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
func TypeFromCty(ty cty.Type) (tftypes.Type, error) { return typeFromCty(ty, 0) }

func typeFromCty(ty cty.Type, depth int) (tftypes.Type, error) {
	switch {
	case depth > carry.MaxDepth:
		return nil, carry.ErrDepth
	case ty == cty.NilType:
		return nil, errors.New("the type is the zero cty.Type")
	case ty == cty.String:
		return tftypes.String, nil
	case ty == cty.Number:
		return tftypes.Number, nil
	case ty == cty.Bool:
		return tftypes.Bool, nil
	case ty == cty.DynamicPseudoType:
		return tftypes.DynamicPseudoType, nil
	case ty.IsTupleType():
		types := make([]tftypes.Type, ty.Length())
		for i, elem := range ty.TupleElementTypes() {
			var err error
			if types[i], err = typeFromCty(elem, depth+1); err != nil {
				return nil, fmt.Errorf("tuple element %d: %w", i, err)
			}
		}
		return tftypes.Tuple{ElementTypes: types}, nil
	case ty.IsObjectType():
		return objectFromCty(ty, depth)
	case ty.IsCollectionType():
		return collectionFromCty(ty, depth)
	}
	return nil, fmt.Errorf("the protocol does not support the type %s", ty.FriendlyName())
}

func collectionFromCty(ty cty.Type, depth int) (tftypes.Type, error) {
	elem, err := typeFromCty(ty.ElementType(), depth+1)
	switch {
	case err != nil && ty.IsListType():
		return nil, fmt.Errorf("list element: %w", err)
	case err != nil && ty.IsSetType():
		return nil, fmt.Errorf("set element: %w", err)
	case err != nil:
		return nil, fmt.Errorf("map element: %w", err)
	case ty.IsListType():
		return tftypes.List{ElementType: elem}, nil
	case ty.IsSetType():
		return tftypes.Set{ElementType: elem}, nil
	}
	return tftypes.Map{ElementType: elem}, nil
}

func objectFromCty(ty cty.Type, depth int) (tftypes.Type, error) {
	types := ty.AttributeTypes()
	to := tftypes.Object{AttributeTypes: make(map[string]tftypes.Type, len(types))}
	var err error
	first := "" // the name in the reported error
	for name, attr := range types {
		made, wrongAttr := typeFromCty(attr, depth+1)
		if wrongAttr != nil && (err == nil || name < first) {
			first, err = name, wrongAttr
		}
		to.AttributeTypes[name] = made
	}
	if err != nil {
		return nil, fmt.Errorf("attribute %q: %w", first, err)
	}
	if optional := ty.OptionalAttributes(); len(optional) > 0 {
		to.OptionalAttributes = maps.Clone(optional)
	}
	return to, nil
}
