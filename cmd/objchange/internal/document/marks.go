package document

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/placeholder"
)

// mark is the mark of sensitive values.
type mark struct{}

// marks are the JSON pointers to what is sensitive in any of a document's values.
type marks map[string]bool

// on returns the value with marks at these places, as far as it has them. A set is marked
// as a whole, since nothing in it can be.
func (m marks) on(v cty.Value) cty.Value {
	if v == cty.NilVal || len(m) == 0 {
		return v
	}
	all := slices.Collect(maps.Keys(m))
	v, _ = cty.Transform(v, func(path cty.Path, v cty.Value) (cty.Value, error) { // which returns no error
		at := pointer(tokensOf(path)...)
		inside := func(pointer string) bool { return strings.HasPrefix(pointer, at+"/") }
		if m[at] || v.Type().IsSetType() && slices.ContainsFunc(all, inside) {
			v = v.Mark(mark{})
		}
		return v, nil
	})
	return v
}

// tokensOf returns the names, keys and indexes of a path.
func tokensOf(path cty.Path) (tokens []string) {
	for _, s := range path {
		switch s := s.(type) {
		case cty.GetAttrStep:
			tokens = append(tokens, s.Name)
		case cty.IndexStep:
			token := "-" // of an element of a set
			if key, _ := s.Key.Unmark(); key.IsKnown() && key.Type() == cty.String {
				token = key.AsString()
			} else if key.IsKnown() && key.Type() == cty.Number {
				token = key.AsBigFloat().Text('f', -1)
			}
			tokens = append(tokens, token)
		}
	}
	return tokens
}

// An opener takes $sensitive out of the data of a value, and marks its place.
type opener struct {
	marks  marks
	found  bool // there is any
	forget bool // what is in it becomes null
}

// open returns the data at the place without $sensitive. What is null remains so, and is
// not as if it was missing.
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
			return data // which makes no value
		}
		return o.object(key, data, way)
	}
	return data
}

// object opens an object, which has the key of a placeholder, or "".
func (o *opener) object(key string, data map[string]any, way []string) any {
	opened := maps.Clone(data)
	switch inside, _ := data[key].(map[string]any); key {
	case "":
		for name, part := range data {
			opened[name] = o.open(part, append(way, cty.NormalizeString(placeholder.DecodeKey(name)))...)
		}
	case placeholder.KeySensitive:
		o.marks[pointer(way...)], o.found = true, true
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
