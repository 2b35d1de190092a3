// Package paths follows, orders and prints paths into cty values. It does not use schemas.
package paths

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// A Step is one step of a path from a root value. Unlike a cty.PathStep, it needs no allocation and
// contains the position of a set element.
type Step struct {
	Kind Kind
	Name string    // ByName, ByAttr, ByKey
	Pos  int       // ByIndex; ByElem: the element's position in set order
	Elem cty.Value // ByElem; for a path from a caller, the key of any index step

	Foreign bool // ByIndex: from a caller, so it is hidden like a key
}

// Kind is the kind of part that a step leads to.
type Kind uint8

const (
	ByName  Kind = iota // attribute or block type of the schema
	ByAttr              // attribute named by the data: a key of an object-typed map, or inside a dynamic value
	ByIndex             // list or tuple index
	ByKey               // map key
	ByElem              // set element
)

// PathStep returns the step as a cty.PathStep.
func (s Step) PathStep() cty.PathStep {
	switch s.Kind {
	case ByIndex:
		return cty.IndexStep{Key: cty.NumberIntVal(int64(s.Pos))}
	case ByKey:
		return cty.IndexStep{Key: cty.StringVal(s.Name)}
	case ByElem:
		return cty.IndexStep{Key: s.Elem}
	}
	return cty.GetAttrStep{Name: s.Name}
}

// Into returns the part of an unmarked value that the step leads to. The part of an unknown value
// is unknown. Into returns false for sets, because finding an element requires sorting the set.
func (s Step) Into(v cty.Value) (cty.Value, bool) {
	if v == cty.NilVal || v.IsNull() {
		return cty.NilVal, false
	}
	switch ty := v.Type(); {
	case ty == cty.DynamicPseudoType:
		return cty.DynamicVal, true
	case s.Kind == ByIndex && ty.IsListType() || s.Kind == ByKey && ty.IsMapType():
		if !v.IsKnown() {
			return cty.UnknownVal(ty.ElementType()), true
		}
		if s.Kind == ByIndex {
			return s.position(v, v.LengthInt())
		}
		if key := cty.StringVal(s.Name); v.HasIndex(key) == cty.True {
			return v.Index(key), true
		}
	case s.Kind == ByIndex && ty.IsTupleType():
		return s.position(v, ty.Length())
	case (s.Kind == ByName || s.Kind == ByAttr) && ty.IsObjectType() && ty.HasAttribute(s.Name):
		return v.GetAttr(s.Name), true
	}
	return cty.NilVal, false
}

// position returns the element of a list or tuple with the given length.
func (s Step) position(v cty.Value, length int) (cty.Value, bool) {
	if s.Pos < 0 || s.Pos >= length {
		return cty.NilVal, false
	}
	return v.Index(values.IndexKey(s.Pos)), true
}

// Fit returns the step with the kind for values of the type. Providers and users also write map
// keys as attributes, and positions as strings.
func (s Step) Fit(ty cty.Type) Step {
	if s.Kind == ByElem {
		return s
	}
	if s.Kind == ByIndex && (ty.IsMapType() || ty.IsObjectType()) {
		s.Name = strconv.Itoa(s.Pos)
	}
	switch {
	case ty.IsMapType():
		s.Kind = ByKey
	case ty.IsObjectType() && s.Kind != ByName:
		s.Kind = ByAttr
	case s.Kind == ByKey && (ty.IsListType() || ty.IsTupleType()):
		if pos, err := strconv.Atoi(s.Name); err == nil {
			s.Kind, s.Pos = ByIndex, pos
		}
	}
	return s
}

// Compare orders the paths to two places (docs/specification.md#72-order).
func Compare(a, b []Step) int {
	for i := range min(len(a), len(b)) {
		if c := a[i].Compare(b[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

// Compare orders steps from the same value.
func (s Step) Compare(o Step) int {
	return cmp.Or(cmp.Compare(s.rank(), o.rank()), cmp.Compare(s.Name, o.Name), cmp.Compare(s.Pos, o.Pos))
}

// rank sorts attributes of both kinds before indexes.
func (s Step) rank() int {
	if s.Kind == ByAttr {
		return int(ByName)
	}
	return int(s.Kind)
}

// Path returns the path for the steps.
func Path(steps []Step) cty.Path {
	path := make(cty.Path, len(steps))
	for i, s := range steps {
		path[i] = s.PathStep()
	}
	return path
}

// Text writes the path for display. It hides names and keys that come from the data in the steps from
// hide on. If hide is negative, it shows all.
func Text(steps []Step, hide int) string {
	var b strings.Builder
	for i, s := range steps {
		switch {
		case s.isHidden(i, hide):
			b.WriteString("[(sensitive)]")
		case s.Kind == ByIndex:
			b.WriteString("[" + strconv.Itoa(s.Pos) + "]")
		case s.Kind == ByElem:
			b.WriteString("[*]")
		case s.Kind == ByKey:
			b.WriteString("[" + strconv.Quote(s.Name) + "]")
		case !utf8.ValidString(s.Name):
			b.WriteString("." + strings.Trim(strconv.Quote(s.Name), `"`))
		default:
			b.WriteString("." + s.Name)
		}
	}
	return b.String()
}

// isHidden reports whether the step at the index must not be shown.
func (s Step) isHidden(index, hide int) bool {
	return hide >= 0 && index >= hide && (s.Foreign || s.Kind == ByKey || s.Kind == ByAttr)
}

// Shown returns the path of the steps for display: names and keys that come from the data, in the
// steps from hide on, are a marked key, and set elements are an unknown key.
func Shown(steps []Step, hide int) cty.Path {
	path := Path(steps)
	for i, s := range steps {
		switch {
		case s.isHidden(i, hide):
			path[i] = hiddenStep
		case s.Kind == ByElem:
			path[i] = cty.IndexStep{Key: cty.DynamicVal}
		}
	}
	return path
}

// HideKeys returns the path for display without the keys of maps.
func HideKeys(path cty.Path) cty.Path {
	shown := path.Copy()
	for i, step := range shown {
		if index, ok := step.(cty.IndexStep); ok && index.Key.Type() == cty.String {
			shown[i] = hiddenStep
		}
	}
	return shown
}

// hiddenStep is the step of a path for display in place of a name or key that must not be shown.
var hiddenStep = cty.IndexStep{Key: cty.StringVal("").Mark("hidden")}

// String writes a path for display. It hides names and keys from the first marked key on.
func String(path cty.Path) string { return Text(Steps(path), slices.IndexFunc(path, IsMarked)) }

// IsMarked reports whether a step's key is marked.
func IsMarked(s cty.PathStep) bool {
	index, ok := s.(cty.IndexStep)
	return ok && index.Key.IsMarked()
}

// Steps returns the steps of a path from a caller.
func Steps(path cty.Path) []Step {
	steps := make([]Step, 0, len(path))
	for _, ps := range path {
		switch ps := ps.(type) {
		case cty.GetAttrStep:
			steps = append(steps, Step{Kind: ByName, Name: cty.NormalizeString(ps.Name)})
		case cty.IndexStep:
			steps = append(steps, indexStep(ps.Key))
		default: // an invalid step leads nowhere
			steps = append(steps, Step{Kind: ByElem})
		}
	}
	return steps
}

func indexStep(key cty.Value) Step {
	key, _ = key.Unmark()
	switch {
	case key == values.NoNumber: // leads nowhere
		return Step{Kind: ByElem}
	case key == cty.NilVal || key.IsNull() || !key.IsKnown():
	case key.Type() == cty.String:
		return Step{Kind: ByKey, Name: key.AsString(), Elem: key}
	case key.Type() == cty.Number:
		if i, acc := key.AsBigFloat().Int64(); acc == 0 {
			return Step{Kind: ByIndex, Pos: int(i), Elem: key}
		}
	}
	return Step{Kind: ByElem, Elem: key}
}

// Pattern writes a path for display with […] in place of each index, key and set element.
func Pattern(path cty.Path) (text string) {
	for _, s := range path {
		if attr, ok := s.(cty.GetAttrStep); ok {
			text += String(cty.Path{attr})
		} else {
			text += "[…]"
		}
	}
	return text
}

// Overlap reports whether two paths for display lead to the same place, or one of them into the place
// of the other. A hidden key or a set element may be any key.
func Overlap(a, b cty.Path) bool {
	isAny := func(s cty.PathStep) bool {
		index, ok := s.(cty.IndexStep)
		return ok && (index.Key.IsMarked() || !index.Key.IsKnown())
	}
	for i := range min(len(a), len(b)) {
		if !isAny(a[i]) && !isAny(b[i]) && String(a[i:i+1]) != String(b[i:i+1]) {
			return false
		}
	}
	return true
}
