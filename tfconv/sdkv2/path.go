package sdkv2

import (
	"fmt"

	hcty "github.com/hashicorp/go-cty/cty"
	"github.com/zclconf/go-cty/cty"
)

// PathToCty returns a path of the SDK's cty, that of a diagnostic for example, as
// cty has it. A nil path is the root and stays so.
//
// The error says which step is nil, or has a key that is the zero Value or that
// [ValueToCty] does not take.
// Nothing of a key is in it.
func PathToCty(path hcty.Path) (cty.Path, error) {
	var to cty.Path
	for i, step := range path {
		switch step := step.(type) {
		case hcty.GetAttrStep:
			to = append(to, cty.GetAttrStep{Name: step.Name})
		case hcty.IndexStep:
			key, err := ValueToCty(step.Key)
			if step.Key == hcty.NilVal { // no place has that key
				err = errZero
			}
			if err != nil {
				return nil, fmt.Errorf("step %d of the path: %w", i, err)
			}
			to = append(to, cty.IndexStep{Key: key})
		default:
			return nil, errNoStep(i)
		}
	}
	return to, nil
}

// PathFromCty returns a path as the SDK's cty has it: [PathToCty] the other way,
// with the same errors.
func PathFromCty(path cty.Path) (hcty.Path, error) {
	var to hcty.Path
	for i, step := range path {
		switch step := step.(type) {
		case cty.GetAttrStep:
			to = append(to, hcty.GetAttrStep{Name: step.Name})
		case cty.IndexStep:
			key, err := ValueFromCty(step.Key)
			if err != nil {
				return nil, fmt.Errorf("step %d of the path: %w", i, err)
			}
			to = append(to, hcty.IndexStep{Key: key})
		default:
			return nil, errNoStep(i)
		}
	}
	return to, nil
}

func errNoStep(i int) error { return fmt.Errorf("step %d of the path is no step", i) }
