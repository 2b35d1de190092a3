package objchange

import (
	"slices"

	"github.com/zclconf/go-cty/cty"
)

// A followed is a place that somebody's paths led to, and what was found below it,
// so that the elements of a set are hashed once, however many paths name one.
type followed struct {
	value  cty.Value
	parts  map[step]*followed     // by steps without elem; nil where nothing is
	byHash map[uint64][]*followed // a set's elements, in set order
}

func follow(v cty.Value) *followed { return &followed{value: v} }

// along returns what a way leads to, or nil. As in Terraform, its steps may be of
// other kinds than those of the values.
func (f *followed) along(way []step) *followed {
	for _, s := range way {
		v := bareOnly(f.value)
		if v.Type().IsSetType() {
			f = f.element(v, s)
		} else {
			f = f.part(v, s.fit(v.Type()))
		}
		if f == nil {
			return nil
		}
	}
	return f
}

func (f *followed) part(v cty.Value, s step) *followed {
	s.elem = cty.NilVal
	part, known := f.parts[s]
	if !known {
		if inner, ok := s.into(v); ok {
			part = follow(inner)
		}
		if f.parts == nil {
			f.parts = map[step]*followed{}
		}
		f.parts[s] = part
	}
	return part
}

// element returns the element of a bare set that the step names. A string names
// none: it is what is written for the key of a map.
func (f *followed) element(set cty.Value, s step) *followed {
	if s.kind == byKey || s.elem == cty.NilVal || set.IsNull() || !set.IsKnown() {
		return nil
	}
	if f.byHash == nil {
		f.byHash = map[uint64][]*followed{}
		for _, elem := range set.AsValueSlice() {
			h := hashOf(elem)
			f.byHash[h] = append(f.byHash[h], follow(elem))
		}
	}
	key := bareDeep(s.elem)
	for _, elem := range f.byHash[hashOf(key)] {
		if equal(elem.value, key, equalContent) {
			return elem
		}
	}
	return nil
}

// A pathSet holds paths by their hash.
type pathSet map[uint64][]cty.Path

// add reports whether the path was not there yet.
func (ps pathSet) add(path cty.Path) bool {
	h := saysNothing
	for _, s := range stepsOf(path) {
		content := hashString(s.name)
		if s.elem != cty.NilVal {
			content = hashOf(bareDeep(s.elem))
		}
		h = mix(h, content)
	}
	if slices.ContainsFunc(ps[h], path.Equals) {
		return false
	}
	ps[h] = append(ps[h], path)
	return true
}
