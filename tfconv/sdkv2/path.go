package sdkv2

import (
	"fmt"

	hcty "github.com/hashicorp/go-cty/cty"
	"github.com/zclconf/go-cty/cty"
)

// PathToCty converts a path of the SDK's cty, for example the path of a diagnostic, to a path of
// cty. A nil path is the root and stays nil.
//
// It returns an error with the number of the step if a step is nil, if its key is the zero Value,
// or if [ValueToCty] returns an error for the key. The error contains no part of a key.
func PathToCty(path hcty.Path) (cty.Path, error) {
	var to cty.Path
	for i, step := range path {
		switch step := step.(type) {
		case hcty.GetAttrStep:
			to = append(to, cty.GetAttrStep{Name: step.Name})
		case hcty.IndexStep:
			key, err := ValueToCty(step.Key)
			if step.Key == hcty.NilVal { // no element has the zero Value as its key
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

// PathFromCty converts a path of cty to a path of the SDK's cty. It is the inverse of [PathToCty]
// and returns the same errors.
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

func errNoStep(i int) error { return fmt.Errorf("step %d of the path is invalid", i) }
