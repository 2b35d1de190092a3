package document

import (
	"maps"
	"strconv"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/placeholder"
)

// mark is the mark of sensitive values.
type mark struct{}

// Places are what is sensitive in any of several values of one type: names, keys and
// indexes lead to them.
type Places struct {
	here   bool
	inside map[string]*Places
}

// Add adds the places at which a mask of a value is true.
func (p *Places) Add(mask any, way ...string) {
	switch mask := mask.(type) {
	case bool:
		if mask {
			p.add(way)
		}
	case map[string]any:
		for name, inside := range mask {
			p.Add(inside, append(way, cty.NormalizeString(name))...)
		}
	case []any:
		for i, inside := range mask {
			p.Add(inside, append(way, strconv.Itoa(i))...)
		}
	}
}

func (p *Places) add(way []string) {
	for _, token := range way {
		if p.inside == nil {
			p.inside = map[string]*Places{}
		}
		if p.inside[token] == nil {
			p.inside[token] = &Places{}
		}
		p = p.inside[token]
	}
	p.here = true
}

// Whole reports whether the value is sensitive as a whole.
func (p *Places) Whole() bool { return p.here }

// In reports whether there are places in the attribute or block of that name.
func (p *Places) In(name string) bool { return p.inside[name] != nil }

// Mark returns the value with marks at these places. A set is marked as a whole, since
// nothing in it can be. Where the value does not have a place, Mark marks the nearest one
// above, or nothing.
func (p *Places) Mark(v cty.Value, above bool) cty.Value {
	switch {
	case v == cty.NilVal || v.IsMarked() || !p.here && len(p.inside) == 0:
		return v
	case p.here, v.IsKnown() && !v.IsNull() && v.Type().IsSetType():
		return v.Mark(mark{})
	}
	parts := map[string]cty.Value{}
	if !v.IsNull() && v.CanIterateElements() {
		for key, part := range v.Elements() {
			parts[tokenOf(key)] = part
		}
	}
	for token, inside := range p.inside {
		if part, ok := parts[token]; ok {
			parts[token] = inside.Mark(part, above)
		} else if above {
			return v.Mark(mark{})
		}
	}
	return rebuilt(v, parts)
}

// tokenOf returns a key or an index.
func tokenOf(key cty.Value) string {
	if key.Type() == cty.String {
		return key.AsString()
	}
	return key.AsBigFloat().Text('f', -1)
}

// rebuilt returns a value with other parts, if it has any.
func rebuilt(v cty.Value, parts map[string]cty.Value) cty.Value {
	ty := v.Type()
	switch {
	case len(parts) == 0:
		return v
	case ty.IsObjectType():
		return cty.ObjectVal(parts)
	case ty.IsMapType():
		return cty.MapVal(parts)
	}
	list := make([]cty.Value, len(parts))
	for i := range list {
		list[i] = parts[strconv.Itoa(i)]
	}
	if ty.IsListType() {
		return cty.ListVal(list)
	}
	return cty.TupleVal(list)
}

// An opener takes $sensitive out of the data of a value, and marks its place.
type opener struct {
	marks  *Places
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
		o.marks.add(way)
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
