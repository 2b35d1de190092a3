// Package sensitive marks the parts of values that documents declare sensitive.
package sensitive

import (
	"strconv"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/values"
)

// Places contains the places that are sensitive in any of several values of one type. Names, keys
// and indexes lead to them.
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

// add adds one place.
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

// Any reports whether there are any places.
func (p *Places) Any() bool { return p.here || p.inside != nil }

// Whole reports whether the value is sensitive as a whole.
func (p *Places) Whole() bool { return p.here }

// In reports whether there are places in the attribute or block with the name.
func (p *Places) In(name string) bool { return p.inside[name] != nil }

// Mark returns the value with the mark at these places. It marks a set as a whole, because elements
// of a set cannot have marks. If the value does not have a place, Mark marks the nearest parent.
func (p *Places) Mark(v cty.Value, mark any) cty.Value {
	switch {
	case v == cty.NilVal || v.IsMarked() || !p.here && len(p.inside) == 0:
		return v
	case p.here, v.IsKnown() && !v.IsNull() && v.Type().IsSetType():
		return v.Mark(mark)
	}
	parts := map[string]cty.Value{}
	if v.IsKnown() && !v.IsNull() && v.CanIterateElements() {
		for key, part := range v.Elements() {
			parts[tokenOf(key)] = part
		}
	}
	for token, inside := range p.inside {
		if part, ok := parts[token]; ok {
			parts[token] = inside.Mark(part, mark)
		} else {
			return v.Mark(mark)
		}
	}
	return rebuilt(v, parts)
}

// tokenOf returns a key or an index as a string.
func tokenOf(key cty.Value) string {
	if key.Type() == cty.String {
		return key.AsString()
	}
	return key.AsBigFloat().Text('f', -1)
}

// rebuilt returns a value with other parts, if it has any.
func rebuilt(v cty.Value, parts map[string]cty.Value) cty.Value {
	if len(parts) == 0 {
		return v
	}
	if ty := v.Type(); ty.IsObjectType() || ty.IsMapType() {
		v, _ = values.OfNames(ty, parts, false)
		return v
	}
	elems := make([]cty.Value, len(parts))
	for i := range elems {
		elems[i] = parts[strconv.Itoa(i)]
	}
	v, _ = values.OfElements(v.Type(), elems, false)
	return v
}
