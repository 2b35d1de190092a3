package tfconv

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
)

// PathToCty returns the path as a cty.Path. Attribute names become attribute steps. Keys and set
// elements become index steps. A nil path becomes the empty path, which is the root.
//
// It returns an error with the number of the step if a step is nil, or if [ValueToCty] returns an
// error for a set element. The error contains no part of the element.
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
			return nil, fmt.Errorf("step %d of the path is invalid", i)
		}
	}
	return to, nil
}

// PathFromCty returns the path as a tftypes.AttributePath. A step into a set of strings or whole
// numbers cannot be distinguished from the key of a map or the index of a list, and becomes such a
// step. All other index steps become set elements. The empty path becomes a path without steps.
//
// It returns an error with the number of the step if a step is nil, or if [ValueFromCty] returns an
// error for a set element, for example because the element is marked. The error contains no part of
// the element.
func PathFromCty(path cty.Path) (*tftypes.AttributePath, error) {
	steps := make([]tftypes.AttributePathStep, 0, len(path))
	for i, s := range path {
		switch s := s.(type) {
		case cty.GetAttrStep:
			steps = append(steps, tftypes.AttributeName(s.Name))
		case cty.IndexStep:
			key, err := keyFromCty(s.Key)
			if err != nil {
				return nil, fmt.Errorf("step %d of the path: %w", i, err)
			}
			steps = append(steps, key)
		default:
			return nil, fmt.Errorf("step %d of the path is invalid", i)
		}
	}
	return tftypes.NewAttributePathWithSteps(steps), nil
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
