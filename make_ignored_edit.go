package objchange

import (
	"maps"

	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// An edit is a value under change. What replaces its parts is kept beside it, so
// that what holds many of them is made anew only once.
type edit struct {
	value   cty.Value            // as it was before any part changed
	gone    bool                 // there is nothing here
	changed bool                 // some part has been replaced
	in      *edit                // what it is a part of
	parts   map[paths.Step]*edit // those looked into, by steps without elem
}

// replace takes the part of p where the way leads, if that applies to both, and
// reports whether it fits.
func (e *edit) replace(p cty.Value, way []paths.Step) (fits bool) {
	at, p, ok := e.along(p, way)
	return !ok || at.put(e, p)
}

// along follows a way into both values. Without ok it does not apply to both. The
// zero value is for a key of a map that p does not have.
func (e *edit) along(p cty.Value, way []paths.Step) (at *edit, part cty.Value, ok bool) {
	for i, s := range way {
		bareP, toKey := values.Unmarked(p), i == len(way)-1 && s.Kind == paths.ByKey
		if toKey && !e.value.Type().IsMapType() {
			break // all of what is indexed
		}
		if !e.value.IsKnown() || toKey && !bareP.IsKnown() {
			return nil, cty.NilVal, false
		}
		e = e.part(s)
		if toKey {
			s = s.Fit(bareP.Type())
		}
		inner, ok := s.Into(bareP)
		switch {
		case toKey && !ok:
			return e, cty.NilVal, true
		case !toKey && (!ok || e.gone):
			return nil, cty.NilVal, false
		}
		p = values.WithMarksOf(inner, p)
	}
	return e, p, true
}

// part returns the part that the step leads to, which may be gone.
func (e *edit) part(s paths.Step) *edit {
	s.Elem = cty.NilVal
	part := e.parts[s]
	if part == nil {
		part = &edit{in: e}
		if inner, ok := s.Into(values.Unmarked(e.value)); ok {
			part.value = inner
		} else if part.gone = true; e.value.Type().IsMapType() {
			part.value = cty.NullVal(e.value.Type().ElementType())
		}
		if e.parts == nil {
			e.parts = map[paths.Step]*edit{}
		}
		e.parts[s] = part
	}
	return part
}

// put replaces the value, or removes it. It reports whether what it is part of can
// hold the new one: the elements of a list or map are of one type, even where
// the schema leaves it open.
func (e *edit) put(root *edit, p cty.Value) (fits bool) {
	was, uniform := *e, false
	*e = edit{value: p, in: e.in}
	if p == cty.NilVal {
		*e = edit{value: was.value, gone: true, in: e.in}
	}
	for at := e.in; at != nil; at = at.in {
		at.changed = true
		uniform = uniform || at.value.Type().IsListType() || at.value.Type().IsMapType()
	}
	if !uniform || values.SameType(e.value.Type(), was.value.Type()) {
		return true
	}
	v, ok := root.result()
	if !ok {
		*e = was
		return false
	}
	*root = edit{value: v} // where all types are as they have become
	return true
}

// result returns the value with what replaces its parts. Without ok no collection
// can hold them.
func (e *edit) result() (v cty.Value, ok bool) {
	switch ty := e.value.Type(); {
	case !e.changed:
		return e.value, true
	case ty.IsListType() || ty.IsTupleType():
		v, ok = e.positions(ty)
	default:
		v, ok = e.names(ty)
	}
	if !ok {
		return cty.NilVal, false
	}
	return values.WithMarksOf(v, e.value), true
}

func (e *edit) positions(ty cty.Type) (cty.Value, bool) {
	elems := values.Unmarked(e.value).AsValueSlice()
	for s, part := range e.parts {
		if part.gone {
			continue
		}
		v, ok := part.result()
		if !ok {
			return cty.NilVal, false
		}
		elems[s.Pos] = v
	}
	switch {
	case ty.IsTupleType():
		return cty.TupleVal(elems), true
	case !cty.CanListVal(elems):
		return cty.NilVal, false
	}
	return cty.ListVal(elems), true
}

func (e *edit) names(ty cty.Type) (cty.Value, bool) {
	named := map[string]cty.Value{}
	if !e.value.IsNull() {
		maps.Copy(named, values.Unmarked(e.value).AsValueMap())
	}
	was := len(named)
	for s, part := range e.parts {
		if part.gone {
			delete(named, s.Name)
			continue
		}
		v, ok := part.result()
		if !ok {
			return cty.NilVal, false
		}
		named[s.Name] = v
	}
	switch {
	case ty.IsObjectType():
		return cty.ObjectVal(named), true
	case len(named) == 0 && was == 0:
		return values.Unmarked(e.value), true
	case len(named) == 0:
		return cty.MapValEmpty(ty.ElementType()), true
	case !cty.CanMapVal(named):
		return cty.NilVal, false
	}
	return cty.MapVal(named), true
}
