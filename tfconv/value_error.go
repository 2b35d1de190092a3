package tfconv

import (
	"slices"

	"github.com/objchange/objchange/tfconv/internal/carry"
	"github.com/zclconf/go-cty/cty"
)

// placed is an error inside a value. Its path is in reverse order, because each level adds its own
// step when it returns the error. The conversion therefore builds no path for a valid value.
type placed struct {
	steps   []cty.PathStep
	dynamic int // number of leading steps inside a dynamic value, where names come from the data
	reason  string
	names   string // the rest of the reason, omitted if names come from the data
}

func (p *placed) Error() string { return p.reason }

func wrong(reason string) error { return &placed{reason: reason} }

// at adds a step to an error.
func at(step cty.PathStep, err error) error {
	if p, ok := err.(*placed); ok {
		p.steps = append(p.steps, step)
	}
	return err
}

func atAttr(name string, err error) error { return at(cty.GetAttrStep{Name: name}, err) }
func atKey(key string, err error) error   { return at(cty.IndexStep{Key: cty.StringVal(key)}, err) }
func atIndex(i int, err error) error      { return at(cty.IndexStep{Key: cty.NumberIntVal(int64(i))}, err) }

// inDynamic records that all steps so far are inside a dynamic value.
func inDynamic(err error) error {
	if p, ok := err.(*placed); ok {
		p.dynamic = len(p.steps)
	}
	return err
}

// located returns the error for the caller, with its path.
func located(err error) error {
	p, ok := err.(*placed)
	if !ok {
		return err
	}
	if p.dynamic == 0 {
		p.reason += p.names
	}
	slices.Reverse(p.steps)
	return carry.ErrorAt(p.steps, len(p.steps)-p.dynamic, p.reason)
}
