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
	case v.Type().IsSetType():
		return v.Mark(mark{})
	}
	return rebuilt(v, func(s step, part cty.Value) cty.Value {
		if in := m.inside[s]; in != nil {
			return in.on(part)
		}
		return part
	})
}

// rebuilt returns a value with other parts, if it has any.
func rebuilt(v cty.Value, other func(s step, part cty.Value) cty.Value) cty.Value {
	ty := v.Type()
	if v.IsNull() || !v.CanIterateElements() || v.LengthInt() == 0 {
		return v
	}
	if ty.IsObjectType() || ty.IsMapType() {
		parts := v.AsValueMap()
		for name, part := range parts {
			parts[name] = other(step{name: name}, part)
		}
		if ty.IsMapType() {
			return cty.MapVal(parts)
		}
		return cty.ObjectVal(parts)
	}
	parts := v.AsValueSlice()
	for i, part := range parts {
		parts[i] = other(step{index: i}, part)
	}
	if ty.IsListType() {
		return cty.ListVal(parts)
	}
	return cty.TupleVal(parts)
}
