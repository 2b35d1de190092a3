package document

import (
	"maps"
	"strconv"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/placeholder"
	"github.com/objchange/objchange/internal/sensitive"
)

// mark is the mark of sensitive values.
type mark struct{}

// An opener removes $sensitive from the data of a value, and records the paths.
type opener struct {
	marks  *sensitive.Places
	found  bool // there is a $sensitive
	forget bool // replace the data in $sensitive with null
}

// open returns the data at the path without $sensitive. Null stays null, and does not become a
// missing value.
func (o *opener) open(data any, way ...string) any {
	switch data := data.(type) {
	case nil:
		return placeholder.Null{}
	case []any:
		list := make([]any, len(data))
		for i, part := range data {
			list[i] = o.open(part, append(way, strconv.Itoa(i))...)
		}
		return list
	case map[string]any:
		key, err := placeholder.Form(data)
		if err != nil {
			return data // not a valid value
		}
		return o.object(key, data, way)
	}
	return data
}

// object opens an object. The key is the key of a placeholder, or "".
func (o *opener) object(key string, data map[string]any, way []string) any {
	opened := maps.Clone(data)
	switch inside, _ := data[key].(map[string]any); key {
	case "":
		for name, part := range data {
			opened[name] = o.open(part, append(way, cty.NormalizeString(placeholder.DecodeKey(name)))...)
		}
	case placeholder.KeySensitive:
		o.marks.AddPlace(way)
		o.found = true
		if o.forget {
			return nil
		}
		return o.open(data[key], way...)
	case placeholder.KeyLiteral:
		literal := maps.Clone(inside)
		for name, part := range inside {
			literal[name] = o.open(part, append(way, cty.NormalizeString(name))...)
		}
		if inside != nil {
			opened[key] = literal
		}
	case placeholder.KeyTyped:
		if value, ok := inside["value"]; ok {
			typed := maps.Clone(inside)
			typed["value"] = o.open(value, way...)
			opened[key] = typed
		}
	}
	return opened
}
