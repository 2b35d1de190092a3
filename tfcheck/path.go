package tfcheck

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/objchange/objchange"
	"github.com/zclconf/go-cty/cty"
)

// PathToCty returns the path as cty has it: names are attribute steps, and keys
// and set elements index steps. A nil path is the empty one, the root.
//
// The error says which step is nil, or a set element that [ValueToCty] does not
// take. Nothing of an element is in it.
func PathToCty(path *tftypes.AttributePath) (cty.Path, error) {
	var to cty.Path
	for i, s := range path.Steps() {
		switch s := s.(type) {
		case tftypes.AttributeName:
			to = append(to, cty.GetAttrStep{Name: string(s)})
		case tftypes.ElementKeyString:
			to = append(to, cty.IndexStep{Key: cty.StringVal(string(s))})
		case tftypes.ElementKeyInt:
			to = append(to, cty.IndexStep{Key: cty.NumberIntVal(int64(s))})
		case tftypes.ElementKeyValue:
			elem, err := ValueToCty(tftypes.Value(s), cty.NilType)
			if err != nil {
				return nil, fmt.Errorf("step %d of the path, a set element: %w", i, err)
			}
			to = append(to, cty.IndexStep{Key: elem})
		default:
			return nil, fmt.Errorf("step %d of the path is no step", i)
		}
	}
	return to, nil
}

// PathFromCty returns the path as tftypes has it. A step into a set of strings
// or whole numbers looks like one to the key of a map or the index of a list,
// and becomes that; all other index steps are set elements. The empty path gives
// one without steps.
//
// The error says which step is nil, or what it is that [ValueFromCty] does not
// take as a set element, marked values for one. Nothing of an element is in it.
func PathFromCty(path cty.Path) (*tftypes.AttributePath, error) {
	to := tftypes.NewAttributePath()
	for i, s := range path {
		switch s := s.(type) {
		case cty.GetAttrStep:
			to = to.WithAttributeName(s.Name)
		case cty.IndexStep:
			key, err := keyFromCty(s.Key)
			if err != nil {
				return nil, fmt.Errorf("step %d of the path: %w", i, err)
			}
			to = tftypes.NewAttributePathWithSteps(append(to.Steps(), key))
		default:
			return nil, fmt.Errorf("step %d of the path is no step", i)
		}
	}
	return to, nil
}

func keyFromCty(key cty.Value) (tftypes.AttributePathStep, error) {
	if key == cty.NilVal {
		return nil, errors.New("the key is the zero cty.Value")
	}
	if !key.IsMarked() && key.IsKnown() && !key.IsNull() {
		switch key.Type() {
		case cty.String:
			return tftypes.ElementKeyString(key.AsString()), nil
		case cty.Number:
			if i, acc := key.AsBigFloat().Int64(); acc == big.Exact {
				return tftypes.ElementKeyInt(i), nil
			}
		}
	}
	elem, err := ValueFromCty(key)
	return tftypes.ElementKeyValue(elem), err
}

// A step is one step of the way to a place in data.
type step struct {
	kind  stepKind
	name  string
	index int
}

type stepKind int

const (
	attrStep  stepKind = iota // an attribute that a schema or type names
	freeStep                  // an attribute that the data names
	keyStep                   // a map key
	indexStep                 // the index of a list, a set or a tuple in the data
	elemStep                  // a set element
)

// steps are a way to a place.
type steps struct {
	list []step
	// shown says that names and keys that the data gives are shown, up to those
	// in the sensitive one that comes after the first cut steps, if there is one.
	shown bool
	cut   int
}

// hidden reports whether names and keys at the place are not to be shown.
func (s steps) hidden() bool { return !s.shown || s.cut > 0 && len(s.list) >= s.cut }

// String writes the way as .rule[0].tags["env"].
func (s steps) String() string {
	if len(s.list) == 0 {
		return "the value"
	}
	var b strings.Builder
	for i, at := range s.list {
		hidden := !s.shown || s.cut > 0 && i >= s.cut
		switch {
		case at.kind == elemStep:
			b.WriteString("[*]")
		case hidden && (at.kind == keyStep || at.kind == freeStep):
			b.WriteString("[(hidden)]")
		default:
			b.WriteString(objchange.PathString(cty.Path{at.pathStep()}))
		}
	}
	return b.String()
}

// path is the way with nothing hidden.
func (s steps) path() (path cty.Path) {
	for _, at := range s.list {
		path = append(path, at.pathStep())
	}
	return path
}

// pathStep is the step as cty has it. Set elements have none: they come from paths.
func (s step) pathStep() cty.PathStep {
	switch s.kind {
	case keyStep:
		return cty.IndexStep{Key: cty.StringVal(s.name)}
	case indexStep:
		return cty.IndexStep{Key: cty.NumberIntVal(int64(s.index))}
	}
	return cty.GetAttrStep{Name: s.name}
}

// errorAt says what is wrong at the end of a path, of a value that is not to be
// shown.
func errorAt(path cty.Path, reason string) error {
	return &ValueError{path.Copy(), wayOf(path).String(), true, reason}
}

// wayOf is the way of a path, where keys and what may be secret are hidden.
func wayOf(path cty.Path) (way steps) {
	for _, s := range path {
		switch s := s.(type) {
		case cty.GetAttrStep:
			way.list = append(way.list, step{name: s.Name})
		case cty.IndexStep:
			at := step{kind: elemStep}
			if key, _ := s.Key.Unmark(); key.IsKnown() && !key.IsNull() && key.Type() == cty.Number {
				if i, acc := key.AsBigFloat().Int64(); acc == big.Exact {
					at = step{kind: indexStep, index: int(i)}
				}
			}
			way.list = append(way.list, at)
		}
	}
	return way
}
