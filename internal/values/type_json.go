package values

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"
)

// maxJSONType limits the nesting depth of types in JSON, because the time that cty needs to write a
// type grows with the square of its depth.
const maxJSONType = 256

var errTypeSize = fmt.Errorf("the type is too large, or nested deeper than %d levels", maxJSONType)

// TypeJSON returns the JSON of a type, as schemas contain it.
func TypeJSON(ty cty.Type) (json.RawMessage, error) {
	c := TypeCheck{MaxDepth: maxJSONType, MaxParts: 1 << 22}
	switch isType := c.Usable(ty); {
	case c.TooLarge:
		return nil, errTypeSize
	case !isType:
		return nil, errors.New("the type has a part that is the zero cty.Type")
	}
	return ty.MarshalJSON()
}

// TypeOfJSON returns the type with that JSON. It replaces cty.Type.UnmarshalJSON, which panics on
// some input.
func TypeOfJSON(text []byte) (cty.Type, error) {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return cty.NilType, err
	}
	return TypeOf(v)
}

var simpleTypes = map[string]cty.Type{
	"bool": cty.Bool, "number": cty.Number, "string": cty.String, "dynamic": cty.DynamicPseudoType,
}

var collectionTypes = map[string]func(cty.Type) cty.Type{"list": cty.List, "set": cty.Set, "map": cty.Map}

var errNotType = errors.New(`not a type, such as "string" or ["list", "string"]`)

// TypeOf returns the type that decoded JSON describes: the name of a simple type; ["list", TYPE],
// likewise "set" and "map"; ["tuple", [TYPE, ...]]; or ["object", {NAME: TYPE, ...}, [NAME, ...]],
// where the last part lists optional attributes and may be absent.
func TypeOf(v any) (cty.Type, error) { return typeOf(v, 0) }

func typeOf(v any, depth int) (cty.Type, error) {
	if depth > maxJSONType {
		return cty.NilType, errTypeSize
	}
	if name, ok := v.(string); ok {
		if ty, ok := simpleTypes[name]; ok {
			return ty, nil
		}
		return cty.NilType, fmt.Errorf("unknown type %.60q", name)
	}
	parts, _ := v.([]any)
	if len(parts) == 3 && parts[0] == "object" {
		if optional, ok := parts[2].([]any); ok {
			return objectType(parts[1], optional, depth)
		}
	}
	if len(parts) != 2 {
		return cty.NilType, errNotType
	}
	switch kind, _ := parts[0].(string); kind {
	case "tuple":
		return tupleType(parts[1], depth)
	case "object":
		return objectType(parts[1], nil, depth)
	case "list", "set", "map":
		element, err := typeOf(parts[1], depth+1)
		if err != nil {
			return cty.NilType, err
		}
		return collectionTypes[kind](element), nil
	}
	return cty.NilType, errNotType
}

func tupleType(v any, depth int) (cty.Type, error) {
	parts, ok := v.([]any)
	if !ok {
		return cty.NilType, errNotType
	}
	types := make([]cty.Type, len(parts))
	for i, part := range parts {
		var err error
		if types[i], err = typeOf(part, depth+1); err != nil {
			return cty.NilType, err
		}
	}
	return cty.Tuple(types), nil
}

func objectType(v any, optional []any, depth int) (cty.Type, error) {
	parts, ok := v.(map[string]any)
	if !ok {
		return cty.NilType, errNotType
	}
	types := make(map[string]cty.Type, len(parts))
	for _, key := range slices.Sorted(maps.Keys(parts)) {
		name := cty.NormalizeString(key) // as cty does
		if _, twice := types[name]; twice {
			return cty.NilType, fmt.Errorf("the type has two attributes with the name %.60q", name)
		}
		ty, err := typeOf(parts[key], depth+1)
		if err != nil {
			return cty.NilType, err
		}
		types[name] = ty
	}
	names := make([]string, len(optional))
	for i, v := range optional {
		name, isName := v.(string)
		names[i] = cty.NormalizeString(name)
		if _, ok := types[names[i]]; !ok || !isName {
			return cty.NilType, fmt.Errorf("optional name %d of the type is not an attribute", i)
		}
	}
	return cty.ObjectWithOptionalAttrs(types, names), nil
}
