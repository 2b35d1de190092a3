package spectest

import (
	"hash/fnv"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/spectest/parts"
)

// Generators of marks, refinements and secrets on values that are there.

// marked marks some places of a value.
func (d die) marked(v cty.Value) cty.Value {
	return transform(v, func(v cty.Value) cty.Value {
		if d.OneIn(8) {
			return v.Mark(pick(d, "one", "two"))
		}
		return v
	})
}

// refined gives some of the unknown places more refinements, others none.
func (d die) refined(v cty.Value) cty.Value {
	return transform(v, func(v cty.Value) cty.Value {
		switch {
		case v.IsKnown():
			return v
		case d.OneIn(3):
			return v.RefineNotNull()
		case d.OneIn(3):
			return cty.UnknownVal(v.Type())
		}
		return v
	})
}

// sharp is a value without marks and refinements.
func sharp(v cty.Value) cty.Value {
	return transform(unmarked(v), func(v cty.Value) cty.Value {
		if !v.IsKnown() {
			return cty.UnknownVal(v.Type())
		}
		return v
	})
}

func unmarked(v cty.Value) cty.Value {
	v, _ = v.UnmarkDeep()
	return v
}

// transform replaces each part of a value, from the inside out and in order,
// which cty.Transform does not keep.
func transform(v cty.Value, replace func(cty.Value) cty.Value) cty.Value {
	if len(parts.ElementsOf(v)) > 0 {
		v = parts.MapElements(v, func(elem cty.Value) cty.Value { return transform(elem, replace) })
	}
	return replace(v)
}

// A secretMaker puts secrets where the schema says sensitive and wherever it decides
// to put marks. The same place is secret in every value, even if only some of
// them, but at least one, have the mark.
type secretMaker struct {
	schema *configschema.Block
	salt   uint32 // zero: no marks
	values []cty.Value
}

// sensitive reports whether the schema says so of the place itself.
func (s secretMaker) sensitive(path cty.Path) bool {
	a := s.schema.AttributeByPath(path)
	return a != nil && (a.Sensitive || a.WriteOnly)
}

// keyed reports whether the names in an object are keys of a map of blocks.
func (s secretMaker) keyed(path cty.Path) bool {
	at := parts.RootOf(s.schema)
	for i := 0; i < len(path); i++ {
		step, ok := path[i].(cty.GetAttrStep)
		if !ok || at.BlockTypes[step.Name] == nil {
			return false
		}
		if at = parts.BlocksOf(at.BlockTypes[step.Name]); !at.Single() && i < len(path)-1 {
			i++
		} else if i == len(path)-1 {
			return at.Mode == configschema.NestingMap
		}
	}
	return false
}

// secretText is in every secret string and key, secretNumber in every number.
const (
	secretText   = "canary"
	secretNumber = 777000
)

// fill returns the i-th value with secrets and marks.
func (s secretMaker) fill(i int) cty.Value { return s.place(i, s.values[i], nil, cover{}) }

// cover is what the places above say.
type cover struct {
	secret bool // below something sensitive or marked
	keys   bool // keys of maps too: below something sensitive, or marked in every value
	inSet  bool // a mark goes to the set, so every value gets it
}

func (s secretMaker) place(i int, v cty.Value, path cty.Path, c cover) cty.Value {
	mark := s.chosen(path)
	everywhere := c.inSet || s.hash(path)/7%3 == 0
	c.keys = c.keys || s.sensitive(path) || mark && everywhere
	c.secret = c.secret || c.keys || mark
	if ty := v.Type(); v.IsNull() || !v.IsKnown() {
		// nothing to hide
	} else if ty.IsPrimitiveType() {
		v = hide(v, c.secret)
	} else {
		c.inSet = c.inSet || ty.IsSetType()
		b := parts.Bag{Type: ty}
		for _, e := range parts.ElementsOf(v) {
			key := e.Key
			if c.keys && (ty.IsMapType() || s.keyed(path)) {
				key = secretText + key
			}
			b.Add(key, s.place(i, e.Value, append(path.Copy(), e.Step), c))
		}
		v = b.Value()
	}
	if mark && (everywhere || s.carries(i, path)) {
		return v.Mark("secret")
	}
	return v
}

func hide(v cty.Value, secret bool) cty.Value {
	switch {
	case secret && v.Type() == cty.String:
		return str(secretText + v.AsString())
	case secret && v.Type() == cty.Number:
		return v.Add(num(secretNumber))
	}
	return v
}

// chosen decides whether a place gets a mark.
func (s secretMaker) chosen(path cty.Path) bool { return s.salt > 0 && s.hash(path)%7 == 0 }

func (s secretMaker) hash(path cty.Path) uint32 {
	h := fnv.New32()
	h.Write([]byte{byte(s.salt), byte(s.salt >> 8)})
	h.Write([]byte(written(path)))
	return h.Sum32()
}

// carries decides whether the i-th value is the one of those that have the place
// that has the mark.
func (s secretMaker) carries(i int, path cty.Path) bool {
	var has []int
	for j, v := range s.values {
		if reaches(v, path) {
			has = append(has, j)
		}
	}
	return has[int(s.hash(path)/7)%len(has)] == i
}

func reaches(v cty.Value, path cty.Path) bool {
	for _, step := range path {
		elem, ok := elementAt(v, step)
		if !ok {
			return false
		}
		v = elem
	}
	return true
}
