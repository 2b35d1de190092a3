package objchange

import (
	"maps"

	"github.com/zclconf/go-cty/cty"
)

// An edit is a value under change. What replaces its parts is kept beside it, so
// that what holds many of them is made anew only once.
type edit struct {
	value   cty.Value      // as it was before any part changed
	gone    bool           // there is nothing here
	changed bool           // some part has been replaced
	in      *edit          // what it is a part of
	parts   map[step]*edit // those looked into, by steps without elem
}

// replace takes the part of p where the way leads, if that applies to both, and
// reports whether it fits.
func (e *edit) replace(p cty.Value, way []step) (fits bool) {
	at, p, ok := e.along(p, way)
	return !ok || at.put(e, p)
}

// along follows a way into both values. Without ok it does not apply to both. The
// zero value is for a key of a map that p does not have.
func (e *edit) along(p cty.Value, way []step) (at *edit, part cty.Value, ok bool) {
	for i, s := range way {
		bareP, toKey := bareOnly(p), i == len(way)-1 && s.kind == byKey
		if toKey && !e.value.Type().IsMapType() {
			break // all of what is indexed
		}
		if !e.value.IsKnown() || toKey && !bareP.IsKnown() {
			return nil, cty.NilVal, false
		}
		e = e.part(s)
		if toKey {
			s = s.fit(bareP.Type())
		}
		inner, ok := s.into(bareP)
		switch {
		case toKey && !ok:
			return e, cty.NilVal, true
		case !toKey && (!ok || e.gone):
			return nil, cty.NilVal, false
		}
		p = withMarksOf(inner, p)
	}
	return e, p, true
}

// part returns the part that the step leads to, which may be gone.
func (e *edit) part(s step) *edit {
	s.elem = cty.NilVal
	part := e.parts[s]
	if part == nil {
		part = &edit{in: e}
		if inner, ok := s.into(bareOnly(e.value)); ok {
			part.value = inner
		} else if part.gone = true; e.value.Type().IsMapType() {
			part.value = cty.NullVal(e.value.Type().ElementType())
		}
		if e.parts == nil {
			e.parts = map[step]*edit{}
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
	if !uniform || sameType(e.value.Type(), was.value.Type()) {
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
	return withMarksOf(v, e.value), true
}

func (e *edit) positions(ty cty.Type) (cty.Value, bool) {
	elems := bareOnly(e.value).AsValueSlice()
	for s, part := range e.parts {
		if part.gone {
			continue
		}
		v, ok := part.result()
		if !ok {
			return cty.NilVal, false
		}
		elems[s.pos] = v
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
		maps.Copy(named, bareOnly(e.value).AsValueMap())
	}
	was := len(named)
	for s, part := range e.parts {
		if part.gone {
			delete(named, s.name)
			continue
		}
		v, ok := part.result()
		if !ok {
			return cty.NilVal, false
		}
		named[s.name] = v
	}
	switch {
	case ty.IsObjectType():
		return cty.ObjectVal(named), true
	case len(named) == 0 && was == 0:
		return bareOnly(e.value), true
	case len(named) == 0:
		return cty.MapValEmpty(ty.ElementType()), true
	case !cty.CanMapVal(named):
		return cty.NilVal, false
	}
	return cty.MapVal(named), true
}
