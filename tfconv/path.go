package tfconv

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
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
