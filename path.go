package objchange

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"
)

// A step is one step of the way from a root value to a place in it. Unlike a
// cty.PathStep it costs no allocation, and knows the order of set elements.
type step struct {
	kind stepKind
	name string    // byName, byAttr, byKey
	pos  int       // byIndex; byElem: the element's position in set order
	elem cty.Value // byElem; from a path made elsewhere, the key of any index step

	foreign bool // byIndex: somebody's, so that it is hidden like a key
}

type stepKind uint8

const (
	byName  stepKind = iota // attribute or block type of the schema
	byAttr                  // attribute that the data names: a key of an object-typed map, or inside a dynamic value
	byIndex                 // list or tuple index
	byKey                   // map key
	byElem                  // set element
)

func (s step) pathStep() cty.PathStep {
	switch s.kind {
	case byIndex:
		return cty.IndexStep{Key: cty.NumberIntVal(int64(s.pos))}
	case byKey:
		return cty.IndexStep{Key: cty.StringVal(s.name)}
	case byElem:
		return cty.IndexStep{Key: s.elem}
	}
	return cty.GetAttrStep{Name: s.name}
}

// into returns the part of a bare value that the step leads to; that of an
// unknown value is unknown. A set has no parts here: to find one means to sort it.
func (s step) into(v cty.Value) (cty.Value, bool) {
	if v == cty.NilVal || v.IsNull() {
		return cty.NilVal, false
	}
	switch ty := v.Type(); {
	case ty == cty.DynamicPseudoType:
		return cty.DynamicVal, true
	case s.kind == byIndex && ty.IsListType() || s.kind == byKey && ty.IsMapType():
		if !v.IsKnown() {
			return cty.UnknownVal(ty.ElementType()), true
		}
		if s.kind == byIndex {
			return s.position(v, v.LengthInt())
		}
		if key := cty.StringVal(s.name); v.HasIndex(key) == cty.True {
			return v.Index(key), true
		}
	case s.kind == byIndex && ty.IsTupleType():
		return s.position(v, ty.Length())
	case (s.kind == byName || s.kind == byAttr) && ty.IsObjectType() && ty.HasAttribute(s.name):
		return v.GetAttr(s.name), true
	}
	return cty.NilVal, false
}

// position returns the element of a list or tuple of that length.
func (s step) position(v cty.Value, length int) (cty.Value, bool) {
	if s.pos < 0 || s.pos >= length {
		return cty.NilVal, false
	}
	return v.Index(indexKey(s.pos)), true
}

// fit returns the step as it leads into values of the type: providers and people
// also write keys of a map as attributes, and positions as text.
func (s step) fit(ty cty.Type) step {
	if s.kind == byElem {
		return s
	}
	if s.kind == byIndex && (ty.IsMapType() || ty.IsObjectType()) {
		s.name = strconv.Itoa(s.pos)
	}
	switch {
	case ty.IsMapType():
		s.kind = byKey
	case ty.IsObjectType() && s.kind != byName:
		s.kind = byAttr
	case s.kind == byKey && (ty.IsListType() || ty.IsTupleType()):
		if pos, err := strconv.Atoi(s.name); err == nil {
			s.kind, s.pos = byIndex, pos
		}
	}
	return s
}

// compareSteps orders the ways to two places (docs/semantics.md#order).
func compareSteps(a, b []step) int {
	for i := range min(len(a), len(b)) {
		if c := a[i].compare(b[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

func (s step) compare(o step) int {
	return cmp.Or(cmp.Compare(s.rank(), o.rank()), cmp.Compare(s.name, o.name), cmp.Compare(s.pos, o.pos))
}

// rank puts attributes before indexes, however they are named.
func (s step) rank() int {
	if s.kind == byAttr {
		return int(byName)
	}
	return int(s.kind)
}

// pathOf makes the path of a place.
func pathOf(steps []step) cty.Path {
	path := make(cty.Path, len(steps))
	for i, s := range steps {
		path[i] = s.pathStep()
	}
	return path
}

// pathText writes the place as people read it. From the step hide on, names
// and keys that come from the data are not shown; a negative hide shows all.
func pathText(steps []step, hide int) string {
	var b strings.Builder
	for i, s := range steps {
		hidden := hide >= 0 && i >= hide
		switch {
		case hidden && s.foreign:
			b.WriteString("[(sensitive)]")
		case s.kind == byIndex:
			b.WriteString("[" + strconv.Itoa(s.pos) + "]")
		case s.kind == byElem:
			b.WriteString("[*]")
		case hidden && s.kind != byName:
			b.WriteString("[(sensitive)]")
		case s.kind == byKey:
			b.WriteString("[" + strconv.Quote(s.name) + "]")
		case !utf8.ValidString(s.name):
			b.WriteString("." + strings.Trim(strconv.Quote(s.name), `"`))
		default:
			b.WriteString("." + s.name)
		}
	}
	return b.String()
}

// stepsOf reads a path back into steps, for paths that were made elsewhere.
func stepsOf(path cty.Path) []step {
	steps := make([]step, 0, len(path))
	for _, ps := range path {
		switch ps := ps.(type) {
		case cty.GetAttrStep:
			steps = append(steps, step{kind: byName, name: cty.NormalizeString(ps.Name)})
		case cty.IndexStep:
			steps = append(steps, indexStep(ps.Key))
		default: // no step at all leads nowhere
			steps = append(steps, step{kind: byElem})
		}
	}
	return steps
}

// noNumber is a number without a value, on which most of cty panics.
var noNumber = cty.NumberVal(nil)

func indexStep(key cty.Value) step {
	key, _ = key.Unmark()
	switch {
	case key == noNumber: // leads nowhere
		return step{kind: byElem}
	case key == cty.NilVal || key.IsNull() || !key.IsKnown():
	case key.Type() == cty.String:
		return step{kind: byKey, name: key.AsString(), elem: key}
	case key.Type() == cty.Number:
		if i, acc := key.AsBigFloat().Int64(); acc == 0 {
			return step{kind: byIndex, pos: int(i), elem: key}
		}
	}
	return step{kind: byElem, elem: key}
}
