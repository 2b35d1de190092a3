package values

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"
)

// maxJSONType limits the nesting depth of types in JSON, because the time that cty needs to read or
// write a type grows with the square of its depth.
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

// TypeOfJSON returns the type with that JSON.
func TypeOfJSON(text []byte) (cty.Type, error) {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return cty.NilType, err
	}
	return TypeOf(v)
}

var errNotType = errors.New(`not a type, such as "string" or ["list", "string"]`)

// TypeOf returns the type that decoded JSON describes. If an object has two attributes whose names
// are the same in Unicode NFC, one of them counts.
func TypeOf(v any) (ty cty.Type, err error) {
	defer func() {
		if recover() != nil { // an optional name is not an attribute
			ty, err = cty.NilType, errNotType
		}
	}()
	if depth(v) > maxJSONType {
		return cty.NilType, errTypeSize
	}
	text, err := json.Marshal(normalized(v))
	if err != nil {
		return cty.NilType, errNotType
	}
	if err := ty.UnmarshalJSON(text); err != nil {
		return cty.NilType, errNotType
	}
	return ty, nil
}

// normalized returns decoded JSON with the names of its objects in Unicode NFC. Of names that are then
// the same, the last counts, so that it is always the same one.
func normalized(v any) any {
	switch v := v.(type) {
	case []any:
		parts := make([]any, len(v))
		for i, part := range v {
			parts[i] = normalized(part)
		}
		return parts
	case map[string]any:
		parts := make(map[string]any, len(v))
		for _, name := range slices.Sorted(maps.Keys(v)) {
			parts[cty.NormalizeString(name)] = normalized(v[name])
		}
		return parts
	}
	return v
}

// depth returns the number of types that enclose the innermost part of decoded JSON.
func depth(v any) (deepest int) {
	switch v := v.(type) {
	case []any:
		for _, part := range v {
			deepest = max(deepest, 1+depth(part))
		}
	case map[string]any:
		for _, part := range v {
			deepest = max(deepest, depth(part))
		}
	}
	return deepest
}
