package document

import "github.com/zclconf/go-cty/cty"

// mark is the mark of what is sensitive.
type mark struct{}

// A step leads to a part of a value: by name or key, or by index.
type step struct {
	name  string
	index int
}

// marks are the places of a document's values that are sensitive.
type marks struct {
	here   bool
	inside map[step]*marks
}

// add says that the place at the end of the way is sensitive.
func (m *marks) add(way []step) {
	for _, s := range way {
		if m.inside == nil {
			m.inside = map[step]*marks{}
		}
		if m.inside[s] == nil {
			m.inside[s] = &marks{}
		}
		m = m.inside[s]
	}
	m.here = true
}

// on returns the value with marks at these places, those that it has. A set is
// marked as a whole, since nothing in it can be.
func (m *marks) on(v cty.Value) cty.Value {
	switch {
	case v == cty.NilVal || !m.here && len(m.inside) == 0 || v.IsMarked():
		return v
	case m.here:
		return v.Mark(mark{})
	case v.IsNull() || !v.IsKnown():
		return v
	}
	switch ty := v.Type(); {
	case ty.IsSetType():
		return v.Mark(mark{})
	case !v.CanIterateElements() || v.LengthInt() == 0:
		return v
	case ty.IsObjectType():
		return cty.ObjectVal(m.named(v.AsValueMap()))
	case ty.IsMapType():
		return cty.MapVal(m.named(v.AsValueMap()))
	case ty.IsListType():
		return cty.ListVal(m.indexed(v.AsValueSlice()))
	default:
		return cty.TupleVal(m.indexed(v.AsValueSlice()))
	}
}

// named and indexed mark the parts of a value, which are copies.

func (m *marks) named(parts map[string]cty.Value) map[string]cty.Value {
	for s, in := range m.inside {
		if part, ok := parts[s.name]; ok {
			parts[s.name] = in.on(part)
		}
	}
	return parts
}

func (m *marks) indexed(parts []cty.Value) []cty.Value {
	for s, in := range m.inside {
		if s.index < len(parts) {
			parts[s.index] = in.on(parts[s.index])
		}
	}
	return parts
}
