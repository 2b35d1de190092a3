package spectest

import (
	"hash/fnv"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/spectest/parts"
	. "github.com/objchange/objchange/internal/testcty"
)

// This file adds marks, refinements and secrets to existing values.

// marked marks some parts of a value.
func (d decider) marked(v cty.Value) cty.Value {
	return transform(v, func(v cty.Value) cty.Value {
		if d.OneIn(8) {
			return v.Mark(pick(d, "one", "two"))
		}
		return v
	})
}

// refined adds a refinement to some unknown parts, and removes all refinements of others.
func (d decider) refined(v cty.Value) cty.Value {
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

// withoutMarksAndRefinements returns a value without marks and refinements.
func withoutMarksAndRefinements(v cty.Value) cty.Value {
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

// transform replaces each part of a value, inner parts first and elements in order. The order of
// cty.Transform is not deterministic.
func transform(v cty.Value, replace func(cty.Value) cty.Value) cty.Value {
	if len(parts.ElementsOf(v)) > 0 {
		v = parts.MapElements(v, func(elem cty.Value) cty.Value { return transform(elem, replace) })
	}
	return replace(v)
}

// A secretMaker puts secrets into sensitive and write-only attributes, and into parts that it marks.
// A path is secret in all values if it is secret in one. At least one value has the mark.
type secretMaker struct {
	schema *configschema.Block
	salt   uint32 // selects the marked paths; 0 means no marks
	values []cty.Value
}

// sensitive reports whether the attribute at the path is sensitive or write-only.
func (s secretMaker) sensitive(path cty.Path) bool {
	a := s.schema.AttributeByPath(path)
	return a != nil && (a.Sensitive || a.WriteOnly)
}

// hasBlockKeys reports whether the attributes of the object at the path are keys of a map of blocks.
func (s secretMaker) hasBlockKeys(path cty.Path) bool {
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

// Each secret string and key contains secretText. Each secret number contains secretNumber.
const (
	secretText   = "canary"
	secretNumber = 777000
)

// fill returns the i-th value with secrets and marks.
func (s secretMaker) fill(i int) cty.Value { return s.fillPart(i, s.values[i], nil, enclosingParts{}) }

// enclosingParts describes the parts that contain a part.
type enclosingParts struct {
	secret bool // inside a sensitive or marked part
	keys   bool // map keys are secret: inside a sensitive part, or a part marked in all values
	inSet  bool // inside a set; a mark moves to the set, so all values get it
}

func (s secretMaker) fillPart(i int, v cty.Value, path cty.Path, c enclosingParts) cty.Value {
	mark := s.isMarked(path)
	everywhere := c.inSet || s.hash(path)/7%3 == 0
	c.keys = c.keys || s.sensitive(path) || mark && everywhere
	c.secret = c.secret || c.keys || mark
	if ty := v.Type(); v.IsNull() || !v.IsKnown() {
		// null and unknown values contain no secret
	} else if ty.IsPrimitiveType() {
		v = addSecret(v, c.secret)
	} else {
		c.inSet = c.inSet || ty.IsSetType()
		b := parts.Builder{Type: ty}
		for _, e := range parts.ElementsOf(v) {
			key := e.Key
			if c.keys && (ty.IsMapType() || s.hasBlockKeys(path)) {
				key = secretText + key
			}
			b.Add(key, s.fillPart(i, e.Value, append(path.Copy(), e.Step), c))
		}
		v = b.Value()
	}
	if mark && (everywhere || s.getsMark(i, path)) {
		return v.Mark("secret")
	}
	return v
}

func addSecret(v cty.Value, secret bool) cty.Value {
	switch {
	case secret && v.Type() == cty.String:
		return Str(secretText + v.AsString())
	case secret && v.Type() == cty.Number:
		return v.Add(Num(secretNumber))
	}
	return v
}

// isMarked reports whether the part at the path gets a mark.
func (s secretMaker) isMarked(path cty.Path) bool { return s.salt > 0 && s.hash(path)%7 == 0 }

func (s secretMaker) hash(path cty.Path) uint32 {
	h := fnv.New32()
	h.Write([]byte{byte(s.salt), byte(s.salt >> 8)})
	h.Write([]byte(pathString(path)))
	return h.Sum32()
}

// getsMark reports whether the i-th value gets the mark at the path. It selects one of the values
// that have the path.
func (s secretMaker) getsMark(i int, path cty.Path) bool {
	var has []int
	for j, v := range s.values {
		if hasPath(v, path) {
			has = append(has, j)
		}
	}
	return has[int(s.hash(path)/7)%len(has)] == i
}

func hasPath(v cty.Value, path cty.Path) bool {
	for _, step := range path {
		elem, ok := elementAt(v, step)
		if !ok {
			return false
		}
		v = elem
	}
	return true
}
