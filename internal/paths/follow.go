package paths

import (
	"slices"

	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// A Place is a value that a path leads to, with the places found below it. It caches the hashes of
// set elements, so each set is hashed once for any number of paths.
type Place struct {
	Value  cty.Value
	parts  map[Step]*Place     // by steps without Elem, nil for missing parts
	byHash map[uint64][]*Place // a set's elements, in set order
}

// Follow returns the place at the root of paths.
func Follow(v cty.Value) *Place { return &Place{Value: v} }

// Along returns the place that the steps lead to, or nil. As in Terraform, the kinds of the steps
// may differ from the kinds of the values.
func (p *Place) Along(way []Step) *Place {
	for _, s := range way {
		v := values.Unmarked(p.Value)
		if v.Type().IsSetType() {
			p = p.element(v, s)
		} else {
			p = p.part(v, s.Fit(v.Type()))
		}
		if p == nil {
			return nil
		}
	}
	return p
}

func (p *Place) part(v cty.Value, s Step) *Place {
	s.Elem = cty.NilVal
	part, known := p.parts[s]
	if !known {
		if inner, ok := s.Into(v); ok {
			part = Follow(inner)
		}
		if p.parts == nil {
			p.parts = map[Step]*Place{}
		}
		p.parts[s] = part
	}
	return part
}

// element returns the element of an unmarked set that the step identifies. A string identifies no
// element, because it is the notation for the key of a map.
func (p *Place) element(set cty.Value, s Step) *Place {
	if s.Kind == ByKey || s.Elem == cty.NilVal || set.IsNull() || !set.IsKnown() {
		return nil
	}
	if p.byHash == nil {
		p.byHash = map[uint64][]*Place{}
		for _, elem := range set.AsValueSlice() {
			h := values.Hash(elem)
			p.byHash[h] = append(p.byHash[h], Follow(elem))
		}
	}
	key := values.UnmarkedDeep(s.Elem)
	for _, elem := range p.byHash[values.Hash(key)] {
		if values.Equal(elem.Value, key, values.Content) {
			return elem
		}
	}
	return nil
}

// A Set contains paths by their hash.
type Set map[uint64][]cty.Path

// Add adds the path and reports whether it was absent before.
func (ps Set) Add(path cty.Path) bool {
	h := values.Nothing
	for _, s := range Steps(path) {
		content := values.HashString(s.Name)
		if s.Elem != cty.NilVal {
			content = values.Hash(values.UnmarkedDeep(s.Elem))
		}
		h = values.Mix(h, content)
	}
	if slices.ContainsFunc(ps[h], path.Equals) {
		return false
	}
	ps[h] = append(ps[h], path)
	return true
}
